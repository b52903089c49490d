//! Tools that ask, in both eras.

use mcp_runtime::{Answer, Roots, Sample, Sampled, prelude::*};

/// Who the user is.
#[derive(Form)]
struct User {
    /// User's response
    username: String,
    /// User's email address
    email: String,
}

/// Asks the user.
#[tool(structured = false)]
async fn test_elicitation(
    /// What the user is asked
    message: String,
    ctx: Context,
) -> Result<String> {
    Ok(match ctx.ask("user", Ask::<User>::form(message)).await? {
        Answer::Accepted(user) => format!("User response: {} <{}>", user.username, user.email),
        answer => format!("User response: {answer:?}", answer = answer.map(|_| ())),
    })
}

/// Asks the model.
#[tool(structured = false)]
async fn test_sampling(
    /// The prompt to send to the LLM
    prompt: String,
    ctx: Context,
) -> Result<String> {
    let answer = ctx.ask("sample", Ask::sample(Sample::new(prompt, 100))).await?;
    Ok(format!("LLM response: {}", answer.accepted().map(|sampled| sampled.text()).unwrap_or_default()))
}

/// Whether someone is active.
#[derive(Form)]
#[allow(non_camel_case_types, reason = "a variant's name is its value")]
enum Status {
    active,
    inactive,
    pending,
}

/// Fields with defaults.
#[derive(Form)]
struct Defaults {
    /// User name
    #[form(default = "John Doe")]
    name: String,
    /// User age
    #[form(default = 30)]
    age: i64,
    /// User score
    #[form(default = 95.5)]
    score: f64,
    /// User status
    #[form(default = "active")]
    status: Status,
    /// Verification status
    #[form(default = true)]
    verified: bool,
}

/// Asks with a default for each kind of field.
#[tool(structured = false)]
async fn test_elicitation_sep1034_defaults(ctx: Context) -> Result<String> {
    let answer =
        ctx.ask("defaults", Ask::<Defaults>::form("Please review and update the form fields")).await?;
    let answer = answer.map(|it| {
        let status = match it.status {
            Status::active => "active",
            Status::inactive => "inactive",
            Status::pending => "pending",
        };
        format!("{}, {}, {}, {status}, {}", it.name, it.age, it.score, it.verified)
    });
    Ok(format!("Elicitation completed: {answer:?}"))
}

/// A plain choice.
#[derive(Form)]
#[allow(non_camel_case_types, reason = "a variant's name is its value")]
enum Plain {
    option1,
    option2,
    option3,
}

/// A choice with titles.
#[derive(Form)]
enum Titled {
    #[form(rename = "value1", title = "First Option")]
    First,
    #[form(rename = "value2", title = "Second Option")]
    Second,
    #[form(rename = "value3", title = "Third Option")]
    Third,
}

/// A choice with titles, of which several may be chosen.
#[derive(Form)]
enum Several {
    #[form(rename = "value1", title = "First Choice")]
    First,
    #[form(rename = "value2", title = "Second Choice")]
    Second,
    #[form(rename = "value3", title = "Third Choice")]
    Third,
}

/// A choice with titles, as older clients read them.
#[derive(Form)]
enum Older {
    #[form(rename = "opt1", title = "Option One")]
    One,
    #[form(rename = "opt2", title = "Option Two")]
    Two,
    #[form(rename = "opt3", title = "Option Three")]
    Three,
}

/// A choice of each kind.
#[derive(Form)]
#[allow(dead_code, reason = "only that it was answered matters")]
struct Choices {
    #[form(rename = "untitledSingle")]
    untitled_single: Option<Plain>,
    #[form(rename = "titledSingle")]
    titled_single: Option<Titled>,
    #[form(rename = "legacyEnum", enum_names)]
    legacy: Option<Older>,
    #[form(rename = "untitledMulti")]
    untitled_multi: Option<Vec<Plain>>,
    #[form(rename = "titledMulti")]
    titled_multi: Option<Vec<Several>>,
}

/// Asks with a choice of each kind.
#[tool(structured = false)]
async fn test_elicitation_sep1330_enums(ctx: Context) -> Result<String> {
    let answer =
        ctx.ask("choices", Ask::<Choices>::form("Please select options from the enum fields")).await?;
    Ok(format!("Elicitation completed: {:?}", answer.map(|_| ())))
}

/// Who is asked, over two rounds and with state.
#[derive(Form)]
pub(super) struct Name {
    pub(super) name: String,
}

/// A color.
#[derive(Form)]
struct Color {
    color: String,
}

/// A confirmation.
#[derive(Form)]
struct Confirmation {
    ok: bool,
}

/// A context.
#[derive(Form)]
struct UserContext {
    context: String,
}

/// Asks for the user's name.
#[resolver(key = "user_name")]
pub(super) fn user_name() -> Ask<Name> {
    Ask::form("What is your name?")
}

/// Greets.
#[tool(structured = false)]
fn test_input_required_result_elicitation(#[resolve(user_name)] user: Name) -> String {
    format!("Hello, {}!", user.name)
}

/// Asks the model for a capital.
#[resolver]
fn capital_question() -> Ask<Sampled> {
    Ask::sample(Sample::new("What is the capital of France?", 100))
}

/// Tells what the model said.
#[tool(structured = false)]
fn test_input_required_result_sampling(#[resolve(capital_question)] answer: Sampled) -> String {
    answer.text()
}

/// Asks for the client's roots.
#[resolver]
fn client_roots() -> Ask<Roots> {
    Ask::roots()
}

fn names(roots: &Roots) -> String {
    roots.roots.iter().map(|root| root.name.as_deref().unwrap_or(&root.uri)).collect::<Vec<_>>().join(", ")
}

/// Names the client's roots.
#[tool(structured = false)]
fn test_input_required_result_list_roots(#[resolve(client_roots)] roots: Roots) -> String {
    format!("Roots: {}", names(&roots))
}

/// Asks for a confirmation.
#[resolver]
fn confirm() -> Ask<Confirmation> {
    Ask::form("Please confirm")
}

/// Goes on once it is confirmed.
#[tool(structured = false)]
fn test_input_required_result_request_state(#[resolve(confirm)] confirmation: Confirmation) -> String {
    format!("state-ok: {}", confirmation.ok)
}

/// The same, for a state that was changed on its way.
#[tool(structured = false)]
fn test_input_required_result_tampered_state(#[resolve(confirm)] confirmation: Confirmation) -> String {
    format!("state-ok: {}", confirmation.ok)
}

/// Asks the model for a greeting.
#[resolver]
fn greeting() -> Ask<Sampled> {
    Ask::sample(Sample::new("Write a greeting", 50))
}

/// Asks three things at once.
#[tool(structured = false)]
fn test_input_required_result_multiple_inputs(
    #[resolve(user_name)] user: Name,
    #[resolve(greeting)] greeting: Sampled,
    #[resolve(client_roots)] roots: Roots,
) -> String {
    format!("{} {}, from {}", greeting.text(), user.name, names(&roots))
}

/// Asks one thing after another.
#[tool(structured = false)]
async fn test_input_required_result_multi_round(ctx: Context) -> Result<String> {
    let Answer::Accepted(user) = ctx.ask("step1", Ask::<Name>::form("Step 1: What is your name?")).await?
    else {
        return Ok("Nobody.".into());
    };
    let Answer::Accepted(it) = ctx.ask("step2", Ask::<Color>::form("Step 2: What is your color?")).await?
    else {
        return Ok(user.name);
    };
    Ok(format!("{} likes {}", user.name, it.color))
}

/// Asks whoever can be asked.
#[tool(structured = false)]
async fn test_input_required_result_capabilities(ctx: Context) -> Result<String> {
    if ctx.capabilities().sampling.is_some() {
        let answer = ctx.ask("opinion", Ask::sample(Sample::new("Say hello", 50))).await?;
        return Ok(answer.accepted().map(|sampled| sampled.text()).unwrap_or_default());
    }
    let answer = ctx.ask("user_name", Ask::<Name>::form("What is your name?")).await?;
    Ok(answer.accepted().map(|user| user.name).unwrap_or_default())
}

/// Asks for a context.
#[resolver]
fn user_context() -> Ask<UserContext> {
    Ask::form("What context should the prompt use?")
}

/// A prompt that asks.
#[prompt]
fn test_input_required_result_prompt(#[resolve(user_context)] user: UserContext) -> String {
    format!("Use this context: {}", user.context)
}

/// Asks in a stream.
#[tool(structured = false)]
fn test_streaming_elicitation(#[resolve(user_name)] user: Name) -> String {
    format!("Hello, {}!", user.name)
}

/// Needs the client's model.
#[tool(structured = false)]
fn test_missing_capability(#[resolve(greeting)] greeting: Sampled) -> String {
    greeting.text()
}
