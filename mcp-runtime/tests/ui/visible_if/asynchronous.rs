use mcp_runtime::prelude::*;

async fn is_admin(_: Context) -> bool {
    true
}

#[resource("x://a", visible_if = is_admin)]
fn wipe() -> String {
    "wipe".into()
}

fn main() {}
