//! Calls of tools whose schema is given: the arguments are checked against it, and so is the result.

use std::{fmt, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    call::{Call, Function, Input, Outcome, run, twice},
    context::Context,
    error::{Error, Result},
};
use crate::{BoxFuture, protocol::CallToolResult, schema::Given};

/// The author's function behind its types.
type Body = Arc<dyn Fn(Value, Context) -> BoxFuture<'static, Result<CallToolResult>> + Send + Sync>;

/// The function of a dynamic tool, before anything is checked.
pub(crate) fn body<F, A, R, Answer>(function: F) -> Body
where
    F: Fn(A, Context) -> Answer + Send + Sync + 'static,
    A: DeserializeOwned,
    Answer: Future<Output = Result<R>> + Send + 'static,
    R: Into<CallToolResult>,
{
    Arc::new(move |arguments, ctx| match serde_json::from_value(arguments) {
        Ok(arguments) => {
            let answer = function(arguments, ctx);
            Box::pin(async move { answer.await.map(Into::into) })
        }
        Err(error) => Box::pin(std::future::ready(Err(Error::new(error.to_string())))),
    })
}

/// A dynamic tool, ready to be called.
pub(crate) struct Dynamic {
    pub(crate) body: Body,
    pub(crate) input: Given,
    pub(crate) output: Option<Given>,
}

impl Dynamic {
    /// The arguments as the schema wants them, or all that is wrong with them.
    fn arguments(&self, call: &Call<'_>) -> Result<Value> {
        let text = match &call.input {
            Input::Arguments(Some(raw)) if raw.get() != "null" => raw.get(),
            _ => "{}",
        };
        let wrong = |faults: &[String]| {
            Error::new(format!("Invalid arguments for {}: {}", call.target.name, faults.join("\n")))
        };
        let value: Value = serde_json::from_str(text).map_err(|error| wrong(&[error.to_string()]))?;
        let twice: Vec<_> = twice(text).iter().map(|name| format!("{name}: given twice")).collect();
        if !twice.is_empty() {
            return Err(wrong(&twice));
        }
        if self.input.admits(&value) {
            return Ok(value);
        }
        let lenient = self.input.coerced(&value);
        let faults = self.input.faults(&lenient);
        if faults.is_empty() { Ok(lenient) } else { Err(wrong(&faults)) }
    }

    /// Whether a result is what the tool promises. What is wrong is for its author alone.
    fn check(&self, name: &str, result: &CallToolResult) -> Result<()> {
        let Some(output) = self.output.as_ref().filter(|_| !result.is_error) else { return Ok(()) };
        let faults = match &result.structured_content {
            Some(data) => output.faults(data),
            None => vec!["there is no `structured_content`".to_owned()],
        };
        if faults.is_empty() {
            return Ok(());
        }
        tracing::error!(name, ?faults, "a result is not what the tool's output schema says");
        Err(Error::new(format!("The tool `{name}` gave a result that its output schema does not allow")))
    }
}

impl Function for Dynamic {
    fn run<'a>(&'a self, call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(run(call, async move {
            let arguments = self.arguments(call)?;
            let result = (self.body)(arguments, call.context().clone()).await?;
            self.check(&call.target.name, &result)?;
            Ok(call.result(result))
        }))
    }
}

impl fmt::Debug for Dynamic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dynamic tool")
    }
}

/// The handler of every dynamic tool.
pub(crate) fn handler<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    match &call.target.given {
        Some(function) => function.run(call),
        None => Box::pin(std::future::ready(call.fail(&Error::new("there is nothing to call")))),
    }
}
