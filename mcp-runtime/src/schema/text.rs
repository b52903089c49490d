//! A schema as JSON text with its keys in one order.
//!
//! The order of a `serde_json` map depends on the features that some crate of the build switches
//! on, and a listing has to be the same bytes from every build. So the order is made here: what a
//! reader wants to know first comes first, properties stand as they were declared as far as
//! `required` tells (the others after them, by name).

use serde_json::{Map, Value};

/// Keywords in the order in which they are written; others follow by name, `$defs` is last.
const ORDER: &[&str] = &[
    "$ref",
    "type",
    "description",
    "default",
    "enum",
    "const",
    "format",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "required",
    "additionalProperties",
    "oneOf",
    "anyOf",
    "allOf",
];

/// Writes a schema; `first` are the properties of the root that come before the others, in order.
pub(crate) fn to_text(schema: &Value, first: &[String]) -> String {
    let mut out = String::new();
    write_schema(&mut out, schema, first);
    out
}

fn write_schema(out: &mut String, schema: &Value, first: &[String]) {
    let Value::Object(map) = schema else {
        return write_plain(out, schema);
    };
    let mut keys: Vec<&String> = map.keys().collect();
    let rank = |key: &str| match key {
        "$defs" => ORDER.len() + 1,
        key => ORDER.iter().position(|one| *one == key).unwrap_or(ORDER.len()),
    };
    keys.sort_by_key(|key| (rank(key), *key));
    out.push('{');
    for (i, key) in keys.into_iter().enumerate() {
        separate(out, i);
        write_key(out, key);
        let value = &map[key];
        match (key.as_str(), value) {
            ("properties", Value::Object(named)) => {
                write_named(out, named, &declared(map, named, first));
            }
            ("$defs" | "definitions" | "patternProperties" | "dependentSchemas", Value::Object(named)) => {
                write_named(out, named, &by_name(named));
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
                out.push('[');
                for (i, one) in list.iter().enumerate() {
                    separate(out, i);
                    write_schema(out, one, &[]);
                }
                out.push(']');
            }
            ("items" | "additionalProperties" | "not" | "if" | "then" | "else" | "contains", _) => {
                write_schema(out, value, &[]);
            }
            _ => write_plain(out, value),
        }
    }
    out.push('}');
}

fn write_named(out: &mut String, named: &Map<String, Value>, names: &[&String]) {
    out.push('{');
    for (i, name) in names.iter().enumerate() {
        separate(out, i);
        write_key(out, name);
        write_schema(out, &named[*name], &[]);
    }
    out.push('}');
}

fn by_name(named: &Map<String, Value>) -> Vec<&String> {
    let mut names: Vec<_> = named.keys().collect();
    names.sort();
    names
}

pub(super) fn declared<'a>(
    schema: &Map<String, Value>,
    named: &'a Map<String, Value>,
    first: &[String],
) -> Vec<&'a String> {
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let told: Vec<&str> = first.iter().map(String::as_str).chain(required).collect();
    let mut names = by_name(named);
    let last = told.len();
    names.sort_by_key(|name| told.iter().position(|one| one == name).unwrap_or(last));
    names
}

/// Writes what is not a schema: keys by name.
fn write_plain(out: &mut String, value: &Value) {
    match value {
        Value::Object(map) => {
            out.push('{');
            for (i, name) in by_name(map).into_iter().enumerate() {
                separate(out, i);
                write_key(out, name);
                write_plain(out, &map[name]);
            }
            out.push('}');
        }
        Value::Array(list) => {
            out.push('[');
            for (i, one) in list.iter().enumerate() {
                separate(out, i);
                write_plain(out, one);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn separate(out: &mut String, before: usize) {
    if before > 0 {
        out.push(',');
    }
}

fn write_key(out: &mut String, key: &str) {
    out.push_str(&Value::from(key).to_string());
    out.push(':');
}
