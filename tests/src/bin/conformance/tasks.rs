//! Tools whose calls go on as tasks, where the client takes tasks.

use std::time::Duration;

use mcp_runtime::{ErrorCode, ErrorObject, prelude::*};
use tokio::time::sleep;

use super::asking::{Name, user_name};

/// Greets, at once.
#[tool(structured = false)]
fn greet(
    /// Who is greeted
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Takes its time.
#[tool(structured = false, task)]
async fn slow_compute(
    /// How long it takes
    seconds: u64,
    /// What it is called
    label: Option<String>,
) -> String {
    sleep(Duration::from_secs(seconds)).await;
    format!("{} is done after {seconds} s", label.unwrap_or_default())
}

/// Fails after a while, and only as a task.
#[tool(structured = false, task = "required")]
async fn failing_job() -> Result<String> {
    sleep(Duration::from_secs(1)).await;
    Err(Error::new("The job has failed"))
}

/// Ends with an error of the protocol.
#[tool(structured = false, task)]
async fn protocol_error_job() -> Result<String> {
    sleep(Duration::from_millis(100)).await;
    Err(Error::protocol(ErrorObject::new(ErrorCode::Internal, "The job has broken down")))
}

/// Whether a file may go.
#[derive(Form)]
struct Consent {
    confirm: bool,
}

/// Deletes a file that the user agrees to lose.
#[tool(structured = false, task)]
async fn confirm_delete(
    /// The file
    filename: String,
    ctx: Context,
) -> Result<String> {
    let consent = ctx.ask("confirm", Ask::<Consent>::form(format!("Delete {filename}?"))).await?;
    Ok(match consent {
        Answer::Accepted(Consent { confirm: true }) => format!("Deleted {filename}."),
        _ => format!("Kept {filename}."),
    })
}

/// Asks two things at once.
#[tool(structured = false, task)]
async fn multi_input(ctx: Context) -> Result<String> {
    let (name, consent) = tokio::join!(
        ctx.ask("name", Ask::<Name>::form("What is your name?")),
        ctx.ask("consent", Ask::<Consent>::form("Do you agree?")),
    );
    Ok(format!("{:?}, {:?}", name?.accepted().map(|it| it.name), consent?.accepted().map(|it| it.confirm)))
}

/// Asks first, and then takes its time.
#[tool(structured = false, task)]
async fn test_tool_with_task(#[resolve(user_name)] user: Name) -> String {
    sleep(Duration::from_millis(100)).await;
    format!("Hello, {}!", user.name)
}
