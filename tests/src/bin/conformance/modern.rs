//! Tools for what only 2026-07-28 has: headers, changes, log levels per request.

use mcp_runtime::{Level, prelude::*, prompts};

/// Gives back a value that is repeated in a header.
#[tool(structured = false)]
fn test_custom_header(
    /// A value
    #[arg(header = "Value")]
    value: String,
) -> String {
    value
}

/// Writes to the log, if the client wants to read it.
#[tool(structured = false)]
async fn test_logging_tool(ctx: Context) -> &'static str {
    ctx.log(Level::Info, "A message").await;
    "Logged."
}

/// Comes and goes.
#[tool(structured = false, toolset = "passing")]
fn test_passing_tool() -> &'static str {
    "Here."
}

/// Comes and goes.
#[prompt(toolset = "passing")]
fn test_passing_prompt() -> &'static str {
    "Here."
}

/// Changes the list of tools, and changes it back.
#[tool(structured = false)]
async fn test_trigger_tool_change(ctx: Context) -> Result<&'static str> {
    ctx.catalog().add_tools(tools![test_passing_tool])?;
    ctx.catalog().remove_tool("test_passing_tool");
    Ok("The tools have changed.")
}

/// Changes the list of prompts, and changes it back.
#[tool(structured = false)]
async fn test_trigger_prompt_change(ctx: Context) -> Result<&'static str> {
    ctx.catalog().add_prompts(prompts![test_passing_prompt])?;
    ctx.catalog().remove_prompt("test_passing_prompt");
    Ok("The prompts have changed.")
}
