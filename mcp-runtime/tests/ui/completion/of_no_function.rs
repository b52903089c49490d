use mcp_runtime::completion;

#[completion(prompt = "recommend", argument = "genre")]
fn genres(value: String) -> Vec<String> {
    vec![value]
}

fn main() {}
