//! Rewrites a generated schema into the part of JSON Schema that every client accepts.
//!
//! Each rule answers to hosts that refused a whole tool list, or a provider that refused each
//! request that carried it:
//!
//! - no boolean schemas (`additionalProperties: false` is the one that all know), no `$schema`, and
//!   no `title`: a heading in a doc comment goes into the description;
//! - no formats that only Rust knows; integers of up to 32 bits get both bounds, 64 bits and more
//!   only `minimum: 0` where they have no sign, since a bound above 2^53 is not the same number for
//!   every reader;
//! - arguments: no `null`. What may be `null` in Rust may be left out. Results keep it, because
//!   clients validate what they get: as a second type beside the first, or as a branch of `anyOf`;
//! - a constant text is an `enum` of one; an enum of documented constants stays one `enum`, with the
//!   documentation in its description;
//! - arrays have `items`. A tuple says what its items may be and how many, without `prefixItems`,
//!   which validators of older drafts do not know; items that differ are told in the description;
//! - maps have `additionalProperties`, whatever the keys are, and no `patternProperties`;
//! - a `type` is named wherever there is one, beside `oneOf`, `anyOf` and `$ref` too: a property
//!   without it is sent as text.

use serde_json::{Map, Value, json};

use super::{Direction, expected, walk};

mod constants;
mod nulls;

/// The formats of JSON Schema 2020-12.
pub(super) const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// The least and the greatest integer of a Rust format, where every reader of JSON can hold them.
pub(super) fn integer_bounds(format: &str) -> (Option<i64>, Option<i64>) {
    match format {
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        "uint8" => (Some(0), Some(u8::MAX.into())),
        "uint16" => (Some(0), Some(u16::MAX.into())),
        "uint32" => (Some(0), Some(u32::MAX.into())),
        "uint64" | "uint128" | "uint" => (Some(0), None),
        _ => (None, None),
    }
}

/// Makes a schema, and all that is inside it, portable.
pub(super) fn rewrite(schema: &mut Value, direction: Direction) {
    let Value::Object(map) = schema else {
        *schema = if *schema == Value::Bool(false) { json!({"not": {}}) } else { json!({}) };
        return;
    };
    let nullable = nulls::take(map, direction);
    walk::change_children(map, |key, child| {
        let closed = key == "additionalProperties" && *child == Value::Bool(false);
        if !closed {
            rewrite(child, direction);
        }
    });
    annotations(map);
    constants::gather(map);
    numbers(map);
    array(map);
    object(map);
    common_type(map);
    if nullable {
        nulls::put_back(map);
    }
}

/// Names the type beside each reference, as the definition has it.
pub(super) fn type_references(schema: &mut Value, defs: &Map<String, Value>) {
    let Value::Object(map) = schema else { return };
    if !map.contains_key("type") {
        let target = map.get("$ref").and_then(Value::as_str).and_then(walk::definition_name);
        let found = target.and_then(|name| defs.get(&name)?.get("type").cloned());
        if let Some(found) = found {
            map.insert("type".into(), found);
        }
    }
    walk::change_children(map, |_, child| type_references(child, defs));
    // A branch that was a bare reference has a type only now.
    common_type(map);
}

/// Appends a line to the description.
fn describe(map: &mut Map<String, Value>, more: &str) {
    let text = match map.get("description").and_then(Value::as_str) {
        Some(own) => format!("{own}\n{more}"),
        None => more.to_owned(),
    };
    map.insert("description".into(), text.into());
}

fn annotations(map: &mut Map<String, Value>) {
    for noise in ["$schema", "$id", "readOnly", "writeOnly"] {
        map.remove(noise);
    }
    if let Some(Value::String(title)) = map.remove("title") {
        let text = match map.get("description").and_then(Value::as_str) {
            Some(own) => format!("{title}\n\n{own}"),
            None => title,
        };
        map.insert("description".into(), text.into());
    }
}

fn numbers(map: &mut Map<String, Value>) {
    let direct = walk::direct_type(map);
    let (integer, text) = (direct == Some("integer"), direct == Some("string"));
    let Some(format) = map.get("format").and_then(Value::as_str) else {
        return;
    };
    let (least, most) = integer_bounds(format);
    if !(text && FORMATS.contains(&format)) {
        map.remove("format");
    }
    if !integer {
        return;
    }
    if let Some(least) = least.filter(|_| !map.contains_key("exclusiveMinimum")) {
        map.entry("minimum").or_insert(least.into());
    }
    if let Some(most) = most.filter(|_| !map.contains_key("exclusiveMaximum")) {
        map.entry("maximum").or_insert(most.into());
    }
    // Few hosts know `not`; serde refuses the zero itself.
    if map.get("not").is_some_and(|not| not["const"] == 0 || not["enum"] == json!([0])) {
        map.remove("not");
        describe(map, "Not 0.");
    }
}

fn array(map: &mut Map<String, Value>) {
    if walk::direct_type(map) != Some("array") {
        return;
    }
    map.remove("unevaluatedItems");
    if let Some(Value::Array(places)) = map.remove("prefixItems") {
        let said: Vec<_> = places.iter().map(expected::expected).collect();
        let rest = map.remove("items").filter(|rest| *rest != json!({"not": {}}));
        let mut kinds: Vec<Value> = Vec::new();
        for kind in places.into_iter().chain(rest) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let same = kinds.len() == 1;
        let items = match kinds.pop() {
            Some(one) if same => one,
            Some(last) => {
                kinds.push(last);
                let mut any = Map::new();
                any.insert("anyOf".into(), kinds.into());
                common_type(&mut any);
                any.into()
            }
            None => json!({}),
        };
        map.insert("items".into(), items);
        if !same {
            describe(map, &format!("In this order: {}.", said.join(", ")));
        }
    }
    map.entry("items").or_insert_with(|| json!({}));
}

fn object(map: &mut Map<String, Value>) {
    if let Some(Value::Array(required)) = map.get_mut("required") {
        let mut once: Vec<Value> = Vec::with_capacity(required.len());
        for name in required.drain(..) {
            if !once.contains(&name) {
                once.push(name);
            }
        }
        *required = once;
    }
    if map.get("required").is_some_and(|required| *required == json!([])) {
        map.remove("required");
    }
    if walk::direct_type(map) != Some("object") {
        return;
    }
    map.remove("unevaluatedProperties");
    map.remove("propertyNames");
    if let Some(Value::Object(patterns)) = map.remove("patternProperties") {
        let mut kinds: Vec<Value> = Vec::new();
        for kind in patterns.into_values() {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let rest = if kinds.len() == 1 { kinds.pop() } else { Some(json!({"anyOf": kinds})) };
        map.insert("additionalProperties".into(), rest.unwrap_or_default());
    }
    let elsewhere = ["additionalProperties", "allOf", "anyOf", "oneOf"];
    if !elsewhere.iter().any(|key| map.get(*key).is_some_and(|value| !value.is_boolean())) {
        map.entry("properties").or_insert_with(|| json!({}));
    }
}

/// Names the type that all the branches of a union share.
fn common_type(map: &mut Map<String, Value>) {
    if map.contains_key("type") || map.contains_key("$ref") {
        return;
    }
    let branches = ["oneOf", "anyOf"].iter().find_map(|key| map.get(*key)?.as_array());
    let Some(branches) = branches else { return };
    let mut kinds = branches.iter().map(|branch| branch.get("type").filter(|kind| kind.is_string()));
    let Some(Some(first)) = kinds.next().map(Option::<&Value>::cloned) else {
        return;
    };
    if kinds.all(|kind| kind == Some(&first)) {
        map.insert("type".into(), first);
    }
}
