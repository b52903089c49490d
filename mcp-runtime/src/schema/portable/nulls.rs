//! `Option`: what an argument may be left out for, and what a result may hold.

use serde_json::{Map, Value, json};

use crate::schema::Direction;

/// Removes `null` beside other values; the answer says whether it has to come back.
///
/// It runs before the inner schemas are rewritten, so that a description of the field replaces
/// the one of the type while the variants of an enum are still apart.
pub(super) fn take(map: &mut Map<String, Value>, direction: Direction) -> bool {
    // What reading assumes for a missing value says nothing of a result.
    if direction == Direction::Output || map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    let mut found = false;
    loop {
        found |= from_type(map) | from_values(map) | from_unions(map);
        if !lift_only_branch(map) {
            break;
        }
    }
    several_types(map);
    found && direction == Direction::Output
}

fn from_type(map: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(types)) = map.get_mut("type") else {
        return false;
    };
    let before = types.len();
    if before > 1 {
        types.retain(|one| one != "null");
    }
    let removed = types.len() < before;
    if let [one] = types.as_slice() {
        let one = one.clone();
        map.insert("type".into(), one);
    }
    removed
}

fn from_values(map: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(values)) = map.get_mut("enum") else {
        return false;
    };
    let before = values.len();
    if before > 1 {
        values.retain(|one| !one.is_null());
    }
    values.len() < before
}

fn from_unions(map: &mut Map<String, Value>) -> bool {
    let mut removed = false;
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = map.get_mut(key) else {
            continue;
        };
        let before = branches.len();
        if branches.iter().any(|one| !is_null(one)) {
            branches.retain(|one| !is_null(one));
        }
        removed |= branches.len() < before;
    }
    removed
}

/// A union of one is that one, unless both say something different under one keyword.
fn lift_only_branch(map: &mut Map<String, Value>) -> bool {
    for key in ["anyOf", "oneOf", "allOf"] {
        let Some([Value::Object(only)]) = map.get(key).and_then(Value::as_array).map(Vec::as_slice) else {
            continue;
        };
        let clash = |name: &String| map.contains_key(name) && !is_annotation(name) && name != key;
        // The documentation of a constant is gathered later.
        if only.keys().any(clash) || only.contains_key("const") {
            continue;
        }
        let only = only.clone();
        map.remove(key);
        for (name, value) in only {
            map.entry(name).or_insert(value);
        }
        return true;
    }
    false
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
        || schema.get("const").is_some_and(Value::is_null)
        || schema.get("enum").is_some_and(|values| *values == json!([null]))
}

fn is_annotation(name: &str) -> bool {
    matches!(name, "title" | "description" | "default" | "examples" | "deprecated")
}

/// A list of types is refused by providers that know one type per schema: each gets a branch, with
/// what is said of it. A union that is there already says more than the list does.
fn several_types(map: &mut Map<String, Value>) {
    if !map.get("type").is_some_and(Value::is_array) {
        return;
    }
    let Some(Value::Array(types)) = map.remove("type") else {
        return;
    };
    if map.contains_key("anyOf") {
        return;
    }
    let mut branches = Vec::new();
    for kind in &types {
        let mut branch = Map::new();
        branch.insert("type".into(), kind.clone());
        for key in bounding(kind.as_str().unwrap_or_default()) {
            if let Some(value) = map.get(*key) {
                branch.insert((*key).into(), value.clone());
            }
        }
        branches.push(Value::Object(branch));
    }
    for key in types.iter().filter_map(Value::as_str).flat_map(bounding) {
        map.remove(*key);
    }
    map.insert("anyOf".into(), branches.into());
}

/// The keywords that say something of one type only.
fn bounding(kind: &str) -> &'static [&'static str] {
    match kind {
        "string" => &["format", "maxLength", "minLength", "pattern"],
        "integer" | "number" => &["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"],
        "array" => &["items", "maxItems", "minItems", "prefixItems", "uniqueItems"],
        "object" => &["additionalProperties", "patternProperties", "properties", "required"],
        _ => &[],
    }
}

/// Lets a rewritten schema admit `null` again.
pub(super) fn put_back(map: &mut Map<String, Value>) {
    let composed = ["$ref", "allOf", "anyOf", "const", "if", "not", "oneOf"];
    let simple =
        map.get("type").is_some_and(Value::is_string) && !composed.iter().any(|key| map.contains_key(*key));
    if simple {
        let kind = map.remove("type");
        map.insert("type".into(), json!([kind, "null"]));
        if let Some(Value::Array(values)) = map.get_mut("enum") {
            values.push(Value::Null);
        }
        return;
    }
    if map.keys().all(|name| is_annotation(name)) {
        return;
    }
    let mut outer = Map::new();
    for name in ["description", "default", "examples", "deprecated"] {
        if let Some(value) = map.remove(name) {
            outer.insert(name.into(), value);
        }
    }
    let inner = std::mem::replace(map, outer);
    map.insert("anyOf".into(), json!([inner, {"type": "null"}]));
}
