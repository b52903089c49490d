use mcp_runtime::prelude::*;

#[derive(Form)]
enum Cover {
    Hard,
    #[form(rename = "Hard")]
    Soft,
}

fn main() {}
