use mcp_runtime::prelude::*;

#[tool]
async fn wait(n: u32) -> u32 {
    let shared = std::rc::Rc::new(n);
    std::future::ready(()).await;
    *shared
}

fn main() {}
