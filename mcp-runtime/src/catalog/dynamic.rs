//! Tools whose schema is known only while the program runs.

use std::{collections::HashSet, fmt, panic, sync::Arc, time::Duration};

use serde::de::DeserializeOwned;
use serde_json::{Value, value::RawValue};

use super::{
    Entry, Report,
    checks::check_states,
    definition::{Definition, Hints, Said},
    draft::{Draft, Item},
};
use crate::{
    BoxFuture,
    handler::{
        call::{Kind, Target},
        context::Context,
        def::{Location, TaskSupport},
        dynamic::{Dynamic, body, handler},
        error::Result,
        extract::{Need, States},
        visible::{Rule, VisibleIf},
    },
    protocol::{CacheScope, CallToolResult, Icon, Meta, raw},
    schema::Given,
};

/// A tool whose schema is given as JSON, for what is known only while the program runs: the operations
/// of an API description, the queries that an administrator wrote. Feature `dynamic`.
///
/// ```
/// use mcp_runtime::{DynamicTool, prelude::*};
/// use serde_json::{Value, json};
///
/// let greet = DynamicTool::new(
///     "greet",
///     r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#,
///     |arguments: Value, _ctx: Context| async move {
///         Ok(format!("Hello {}!", arguments["name"].as_str().unwrap_or_default()))
///     },
/// )
/// .description("Greets somebody.")
/// .read_only(true);
///
/// let server = Server::empty("Greeter", "1.0.0").tools([greet]).build()?;
///
/// // While the server runs; clients of both eras hear of it:
/// server.catalog().enable_tool("greet", false);
/// server.catalog().remove_tool("greet");
/// # Ok::<(), mcp_runtime::StartError>(())
/// ```
///
/// The schema is listed as it was written: its keys keep their order, and nothing is added, left out or
/// inlined (but for line breaks between its tokens, which would end a message on stdio). It is compiled
/// once, and the arguments are checked against all of it; what is wrong with them is told to the model,
/// all at once. A reference that leads out of the schema is never fetched: such a schema is refused.
#[must_use]
pub struct DynamicTool {
    name: String,
    location: Location,
    said: Said,
    hints: Hints,
    input: String,
    output: Option<String>,
    ttl: Option<Duration>,
    scope: Option<CacheScope>,
    timeout: Option<Duration>,
    rule: Option<Rule>,
    needs: Vec<Need>,
    body: Arc<dyn Fn(Value, Context) -> BoxFuture<'static, Result<CallToolResult>> + Send + Sync>,
}

impl DynamicTool {
    /// A tool by name, with the schema of its arguments, JSON as text or as a `serde_json::Value`, and
    /// the function that is called.
    ///
    /// The function takes the arguments as any type that is `Deserialize` (`serde_json::Value` takes
    /// all), and returns text, content, a `serde_json::Value` as data, or a [`CallToolResult`].
    #[track_caller]
    pub fn new<F, A, R, Answer>(name: impl Into<String>, schema: impl fmt::Display, function: F) -> Self
    where
        F: Fn(A, Context) -> Answer + Send + Sync + 'static,
        A: DeserializeOwned,
        Answer: Future<Output = Result<R>> + Send + 'static,
        R: Into<CallToolResult>,
    {
        let caller = panic::Location::caller();
        Self {
            name: name.into(),
            location: Location { file: caller.file(), line: caller.line() },
            said: Said::default(),
            hints: Hints::default(),
            input: schema.to_string(),
            output: None,
            ttl: None,
            scope: None,
            timeout: None,
            rule: None,
            needs: Vec::new(),
            body: body(function),
        }
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.said.title = Some(title.into().into());
        self
    }

    /// What it does, for the model.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.said.description = Some(description.into().into());
        self
    }

    /// The schema of its data, JSON as text or as a `serde_json::Value`. A result without data, or with
    /// other data, then becomes an error.
    pub fn output_schema(mut self, schema: impl fmt::Display) -> Self {
        self.output = Some(schema.to_string());
        self
    }

    /// A picture for it.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.said.icons.push(icon);
        self
    }

    /// Its `_meta`.
    pub fn meta(mut self, meta: &Meta) -> Self {
        self.said.meta = raw(meta).ok();
        self
    }

    /// Whether it only reads.
    pub fn read_only(mut self, hint: bool) -> Self {
        self.hints.read_only_hint = Some(hint);
        self
    }

    /// Whether it may destroy something.
    pub fn destructive(mut self, hint: bool) -> Self {
        self.hints.destructive_hint = Some(hint);
        self
    }

    /// Whether a second call with the same arguments changes nothing more.
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.hints.idempotent_hint = Some(hint);
        self
    }

    /// Whether it reaches beyond the server.
    pub fn open_world(mut self, hint: bool) -> Self {
        self.hints.open_world_hint = Some(hint);
        self
    }

    /// How long its entry in the list stays fresh.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = Some(ttl);
        self
    }

    /// Who may share its entry in the list.
    pub fn scope(mut self, scope: CacheScope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// How long a call may take.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Lets it exist only for callers for whom `rule` holds: `.visible_if(is_admin)`.
    pub fn visible_if<M: 'static, F: VisibleIf<M>>(mut self, rule: F) -> Self {
        self.rule = Some(Rule::new(rule));
        self.needs = F::needs();
        self
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Checks it and adds it, or reports why not.
    pub(super) fn offer(self, tools: &mut Draft, states: &States, report: &mut Report) {
        let wrong = |problem: String| format!("tool `{}`: {problem}", self.name);
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        if !(1..=128).contains(&self.name.len()) || !self.name.bytes().all(allowed) {
            let problem = "MCP does not allow this name: use 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`";
            report.at(self.location, wrong(problem.to_owned()));
        }
        check_states(&self.name, self.location, &self.needs, states, report);
        let mut read = |what: &str, text: &str| {
            let read = listed(text).and_then(|raw| {
                let schema: Value = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
                let headers = headers(&schema)?;
                Ok((raw, Given::compile(schema)?, headers))
            });
            read.map_err(|problem| report.at(self.location, wrong(format!("its {what} schema: {problem}"))))
                .ok()
        };
        let input = read("input", &self.input);
        let output = self.output.as_deref().map(|text| read("output", text));
        let (Some((input, given, headers)), output) = (input, output) else { return };
        let (output, promised) = match output {
            Some(None) => return,
            Some(Some((raw, given, _))) => (Some(raw), Some(given)),
            None => (None, None),
        };
        let function = Dynamic { body: self.body, input: given, output: promised };
        let target = Target { given: Some(Arc::new(function)), ..Target::new(Kind::Tool, self.name.clone()) };
        let definition = Definition::given_tool(self.name.clone(), self.said, input, output, self.hints);
        let entry = Entry {
            scopes: &[],
            target,
            handler,
            timeout: self.timeout,
            task: TaskSupport::Never,
            headers,
            rule: self.rule,
        };
        tools.add(&self.name, Item::new(entry, definition, self.location, (self.ttl, self.scope)), report);
    }
}

impl fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A schema as it is listed: as it was written, on one line.
fn listed(text: &str) -> Result<Box<RawValue>, String> {
    let mut line = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    let mut rest = text.trim().chars().peekable();
    while let Some(char) = rest.next() {
        if !quoted && matches!(char, '\n' | '\r') {
            // The indentation goes with the line break.
            line.truncate(line.trim_end().len());
            while rest.next_if(char::is_ascii_whitespace).is_some() {}
            continue;
        }
        quoted ^= char == '"' && !escaped;
        escaped = quoted && char == '\\' && !escaped;
        line.push(char);
    }
    RawValue::from_string(line).map_err(|error| format!("it is no JSON: {error}"))
}

/// The headers that mirror arguments (`x-mcp-header`): the header's name, lower-cased, and the argument's.
fn headers(schema: &Value) -> Result<Vec<(String, String)>, String> {
    let mut seen = HashSet::new();
    let mut headers = Vec::new();
    for (argument, own) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let Some(header) = own.get("x-mcp-header") else { continue };
        let name = header.as_str().unwrap_or_default();
        let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let kind = own.get("type").and_then(Value::as_str);
        if !plain || !matches!(kind, Some("string" | "integer" | "boolean")) {
            return Err(format!(
                "`x-mcp-header` of `{argument}` has to be letters, digits and `-`, on a string, an integer or a boolean"
            ));
        }
        if !seen.insert(name.to_ascii_lowercase()) {
            return Err(format!("two arguments have the header `{name}`; letter case makes no difference"));
        }
        headers.push((format!("mcp-param-{}", name.to_ascii_lowercase()), argument.clone()));
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_listed_as_it_was_written_but_on_one_line() {
        let same = r#"{"z": 1,  "a":"x\n \" \\", "m" : []}"#;
        assert_eq!(listed(same).expect("JSON").get(), same);
        let lines = "\n{\n  \"b\": {\r\n    \"a\": \"x  y\\\\\"\n  },  \n\n  \"c\": 1\n}\n";
        assert_eq!(listed(lines).expect("JSON").get(), r#"{"b": {"a": "x  y\\"},"c": 1}"#);
        assert!(listed("{").is_err() && listed("").is_err());
    }
}
