use mcp_runtime::completion;

#[completion()]
fn genres(value: String) -> Vec<String> {
    vec![value]
}

fn main() {}
