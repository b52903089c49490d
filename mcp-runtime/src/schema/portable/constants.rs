//! Enums without data: one `enum`, however their variants are documented.

use serde_json::{Map, Value, json};

/// Turns a constant text into an `enum` of one, and branches that are constants into one `enum`.
pub(super) fn gather(map: &mut Map<String, Value>) {
    if let Some(text) = map.get("const").filter(|value| value.is_string()).cloned() {
        map.remove("const");
        map.insert("type".into(), "string".into());
        map.insert("enum".into(), json!([text]));
    }
    for key in ["oneOf", "anyOf"] {
        let Some(Value::Array(branches)) = map.remove(key) else {
            continue;
        };
        let Some((constants, at, mut rest)) = split(branches.clone()) else {
            map.insert(key.into(), branches.into());
            continue;
        };
        let free = ["type", "enum", "const"].iter().all(|name| !map.contains_key(*name));
        if rest.is_empty() && free {
            let docs = constants.docs();
            map.insert("type".into(), constants.kind);
            map.insert("enum".into(), constants.values.into());
            if let Some(docs) = docs {
                super::describe(map, &docs);
            }
        } else {
            let docs = constants.docs();
            let mut branch = Map::new();
            branch.insert("type".into(), constants.kind);
            branch.insert("enum".into(), constants.values.into());
            if let Some(docs) = docs {
                branch.insert("description".into(), docs.into());
            }
            rest.insert(at, branch.into());
            map.insert(key.into(), rest.into());
        }
    }
}

/// The constants of a union, which have one type.
struct Constants {
    kind: Value,
    values: Vec<Value>,
    documented: Vec<(Vec<Value>, String)>,
}

impl Constants {
    /// `fast: Quick and rough; slow: Careful`, or a line for each when a text is longer than a line.
    fn docs(&self) -> Option<String> {
        let name = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let short = self.documented.iter().all(|(_, text)| !text.contains('\n'));
        let line = |(values, text): &(Vec<Value>, String)| {
            let names: Vec<_> = values.iter().map(name).collect();
            let text = text.strip_suffix('.').filter(|_| short).unwrap_or(text);
            format!("{}: {text}", names.join(", "))
        };
        let lines: Vec<_> = self.documented.iter().map(line).collect();
        (!lines.is_empty()).then(|| lines.join(if short { "; " } else { "\n" }))
    }
}

/// Parts the constants from the other branches; also says where the first of them stood.
///
/// `None` when there is nothing to gather: no constants, or a single branch among others.
fn split(branches: Vec<Value>) -> Option<(Constants, usize, Vec<Value>)> {
    let at = branches.iter().position(is_constant)?;
    let kind = branches[at]["type"].clone();
    let mut found = Constants { kind, values: Vec::new(), documented: Vec::new() };
    let (mut rest, mut taken) = (Vec::new(), 0);
    for branch in branches {
        if !(is_constant(&branch) && branch["type"] == found.kind) {
            rest.push(branch);
            continue;
        }
        taken += 1;
        let values = match branch.get("enum").and_then(Value::as_array) {
            Some(several) => several.clone(),
            None => vec![branch["const"].clone()],
        };
        if let Some(text) = branch["description"].as_str() {
            found.documented.push((values.clone(), text.to_owned()));
        }
        for value in values {
            if !found.values.contains(&value) {
                found.values.push(value);
            }
        }
    }
    (taken > 1 || rest.is_empty()).then_some((found, at, rest))
}

fn is_constant(branch: &Value) -> bool {
    let Value::Object(map) = branch else {
        return false;
    };
    let own = |key: &String| matches!(key.as_str(), "type" | "enum" | "const" | "description" | "deprecated");
    let scalar = matches!(map.get("type").and_then(Value::as_str), Some("string" | "integer"));
    scalar && (map.contains_key("enum") || map.contains_key("const")) && map.keys().all(own)
}
