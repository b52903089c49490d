//! Where schemas stand inside a schema: everything else (defaults, examples, names) is the author's.

use serde_json::{Map, Value};

/// Keywords whose value is one schema.
const ONE: &[&str] = &[
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords whose value is a list of schemas.
const LIST: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords whose value maps names to schemas.
const NAMED: &[&str] = &["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/// The schemas directly inside `schema`, each with its place relative to it.
pub(super) fn children(schema: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (key, value) in schema {
        match value {
            _ if ONE.contains(&key.as_str()) => found.push((key.clone(), value)),
            Value::Array(list) if LIST.contains(&key.as_str()) => {
                found.extend(list.iter().enumerate().map(|(i, one)| (format!("{key}/{i}"), one)));
            }
            Value::Object(named) if NAMED.contains(&key.as_str()) => {
                found.extend(named.iter().map(|(name, one)| (format!("{key}/{name}"), one)));
            }
            _ => {}
        }
    }
    found
}

/// Calls `change` on each schema directly inside `schema`, with the keyword that holds it.
pub(super) fn change_children(schema: &mut Map<String, Value>, mut change: impl FnMut(&str, &mut Value)) {
    for (key, value) in schema.iter_mut() {
        match value {
            _ if ONE.contains(&key.as_str()) => change(key, value),
            Value::Array(list) if LIST.contains(&key.as_str()) => {
                list.iter_mut().for_each(|one| change(key, one));
            }
            Value::Object(named) if NAMED.contains(&key.as_str()) => {
                named.values_mut().for_each(|one| change(key, one));
            }
            _ => {}
        }
    }
}

/// The name in a reference to a definition of the same document.
pub(super) fn definition_name(reference: &str) -> Option<String> {
    let escaped = reference.strip_prefix("#/$defs/")?;
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    let name = String::from_utf8(bytes).ok()?;
    Some(name.replace("~1", "/").replace("~0", "~"))
}

/// Follows references from `schema` inside `root`; a loop of bare references ends where it began.
pub(super) fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let mut at = schema;
    for _ in 0..8 {
        let Some(reference) = at.get("$ref").and_then(Value::as_str) else {
            return at;
        };
        let target =
            definition_name(reference).and_then(|name| root.get("$defs").and_then(|defs| defs.get(name)));
        match target {
            Some(target) => at = target,
            None => return at,
        }
    }
    at
}

/// The one type that a schema names directly, `null` aside.
pub(super) fn direct_type(schema: &Map<String, Value>) -> Option<&str> {
    match schema.get("type")? {
        Value::String(one) => Some(one),
        Value::Array(several) => {
            let mut named = several.iter().filter_map(Value::as_str).filter(|one| *one != "null");
            let first = named.next()?;
            named.next().is_none().then_some(first)
        }
        _ => None,
    }
}

/// Whether a schema says in so many words that `null` is a value.
pub(super) fn admits_null(schema: &Value) -> bool {
    let is_null = |value: &Value| value.as_str() == Some("null");
    match schema.get("type") {
        Some(Value::Array(several)) => several.iter().any(is_null),
        Some(one) => is_null(one),
        None => ["anyOf", "oneOf"]
            .iter()
            .filter_map(|key| schema.get(*key)?.as_array())
            .flatten()
            .any(admits_null),
    }
}
