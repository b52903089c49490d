//! `tools` and `call`.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::prompt;
use crate::{
    ServerHandle,
    client::{Client, ClientError, Era, ToolInfo},
    protocol::Content,
};

/// What the server's tools are, as text.
pub(super) async fn tools(server: &ServerHandle) -> Result<String, ClientError> {
    let client = Client::new(server, Era::Modern).connect().await?;
    let mut out = String::new();
    for tool in client.list_tools().await? {
        _ = write!(out, "{}", tool.name);
        for (name, schema) in properties(&tool) {
            let required = is_required(&tool, name);
            let kind = schema["type"].as_str().unwrap_or("json");
            _ = write!(
                out,
                "{}",
                if required { format!(" --{name} {kind}") } else { format!(" [--{name} {kind}]") }
            );
        }
        _ = writeln!(out);
        for line in tool.description.unwrap_or_default().lines() {
            _ = writeln!(out, "    {line}");
        }
    }
    Ok(out)
}

/// Calls a tool and prints its result; whether it succeeded.
pub(super) async fn call(
    server: &ServerHandle,
    name: &str,
    arguments: Vec<(String, Option<String>)>,
) -> Result<bool, ClientError> {
    let client = Client::new(server, Era::Modern).on_elicit(prompt::ask).connect().await?;
    let tools = client.list_tools().await?;
    let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
        return Err(ClientError::Protocol(format!(
            "there is no tool `{name}`; there are: {}",
            names.join(", ")
        )));
    };
    let result = client.call(name, read(tool, arguments).into()).await?;
    let mut said = String::new();
    for block in &result.content {
        match block {
            Content::Text(text) => _ = writeln!(said, "{}", text.text),
            other => _ = writeln!(said, "{}", serde_json::to_string(other)?),
        }
    }
    if result.is_error {
        eprint!("{said}");
    } else {
        print!("{said}");
    }
    Ok(!result.is_error)
}

fn properties(tool: &ToolInfo) -> impl Iterator<Item = (&String, &Value)> {
    tool.input_schema["properties"].as_object().into_iter().flatten()
}

fn is_required(tool: &ToolInfo, name: &str) -> bool {
    tool.input_schema["required"]
        .as_array()
        .is_some_and(|required| required.iter().any(|known| known == name))
}

/// The arguments as their schema wants them: text stays text, anything else is read as JSON. What
/// does not fit is left for the server to explain.
fn read(tool: &ToolInfo, arguments: Vec<(String, Option<String>)>) -> Map<String, Value> {
    let mut read = Map::new();
    for (name, value) in arguments {
        // In a shell, hyphens are the habit.
        let known = properties(tool).find(|(known, _)| **known == name || known.replace('_', "-") == name);
        let value = match (value, known.map(|(_, schema)| &schema["type"])) {
            (None, _) => Value::Bool(true),
            (Some(text), Some(kind)) if kind == "string" => text.into(),
            (Some(text), _) => serde_json::from_str(&text).unwrap_or_else(|_| text.into()),
        };
        read.insert(known.map_or(name, |(known, _)| known.clone()), value);
    }
    read
}
