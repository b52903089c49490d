//! `x-mcp-header`: a client drops a tool whose annotation breaks one of these rules
//! (Streamable HTTP, "Custom Headers from Tool Parameters").

use serde_json::{Map, Value};

use crate::schema::walk;

const KEY: &str = "x-mcp-header";

pub(super) fn verify(root: &Value, complaints: &mut Vec<String>) {
    let mut seen = Vec::new();
    if let Value::Object(map) = root {
        inside(map, "", false, &mut seen, complaints);
    }
}

/// `reachable` while the way from the root went through `properties` only, by one at least.
fn inside(
    schema: &Map<String, Value>,
    place: &str,
    reachable: bool,
    seen: &mut Vec<String>,
    complaints: &mut Vec<String>,
) {
    if let Some(value) = schema.get(KEY) {
        let mut complain = |what: String| {
            let place = if place.is_empty() { "the root" } else { place };
            complaints.push(format!("{place}: `{KEY}` {what}"));
        };
        if !reachable {
            complain("works only on an argument, or on a field of an object that is one".into());
        }
        let kind = schema.get("type").and_then(Value::as_str);
        if !matches!(kind, Some("boolean" | "integer" | "string")) {
            complain("works only on a string, an integer or a boolean".into());
        }
        match value.as_str().filter(|name| is_token(name)) {
            None => {
                complain(format!("{value} is not a header name; use letters, digits and `-`, one at least"));
            }
            Some(name) if seen.contains(&name.to_ascii_lowercase()) => {
                complain(format!("\"{name}\" is there twice; letter case makes no difference"));
            }
            Some(name) => seen.push(name.to_ascii_lowercase()),
        }
    }
    for (inner, child) in walk::children(schema) {
        if let Value::Object(child) = child {
            let on = inner.starts_with("properties/") && (reachable || place.is_empty());
            inside(child, &format!("{place}/{inner}"), on, seen, complaints);
        }
    }
}

/// `1*tchar` of RFC 9110.
fn is_token(name: &str) -> bool {
    let tchar = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(tchar)
}
