use mcp_runtime::prelude::*;

fn is_admin(name: String) -> bool {
    name == "root"
}

/// Wipe.
#[prompt(visible_if = is_admin)]
fn wipe() -> String {
    "wipe".into()
}

fn main() {}
