//! What a schema wants, in words that fit after "expected".

use serde_json::{Map, Value};

/// So many values of an enum are listed.
const LISTED: usize = 24;

/// Says what `schema` wants: `an integer from 1 to 10`.
///
/// Bounds that only say how wide a Rust integer is are left out: see [`expected_bounds`].
pub(crate) fn expected(schema: &Value) -> String {
    say(schema, false)
}

/// The same with all the bounds, for a number that missed them.
pub(super) fn expected_bounds(schema: &Value) -> String {
    say(schema, true)
}

fn say(schema: &Value, all_bounds: bool) -> String {
    let Value::Object(map) = schema else {
        return "any value".into();
    };
    if let Some(constant) = map.get("const") {
        return constant.to_string();
    }
    if let Some(Value::Array(values)) = map.get("enum") {
        return one_of(values);
    }
    let branches = ["oneOf", "anyOf"].iter().find_map(|key| map.get(*key)?.as_array());
    let kind = match map.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => {
            let each = kinds.iter().filter_map(Value::as_str);
            return each.map(|kind| say_type(kind, map, all_bounds)).collect::<Vec<_>>().join(" or ");
        }
        _ if branches.is_some() => {
            let mut said: Vec<String> = Vec::new();
            for branch in branches.into_iter().flatten() {
                let one = say(branch, all_bounds);
                if !said.contains(&one) {
                    said.push(one);
                }
            }
            return said.join(" or ");
        }
        _ => return "any value".into(),
    };
    say_type(kind, map, all_bounds)
}

fn one_of(values: &[Value]) -> String {
    let mut listed: Vec<_> = values.iter().take(LISTED).map(Value::to_string).collect();
    if values.len() > LISTED {
        listed.push("…".into());
    }
    if let [one] = listed.as_slice() { one.clone() } else { format!("one of {}", listed.join(", ")) }
}

fn say_type(kind: &str, map: &Map<String, Value>, all_bounds: bool) -> String {
    match kind {
        "integer" => format!("an integer{}", bounds(map, all_bounds)),
        "number" => format!("a number{}", bounds(map, all_bounds)),
        "string" => {
            let format = map.get("format").and_then(Value::as_str);
            let format = format.map(|name| format!(" ({name})")).unwrap_or_default();
            format!("a string{format}{}", counts(map, "of", ("minLength", "maxLength"), "character"))
        }
        "boolean" => "true or false".into(),
        "array" => format!("an array{}", counts(map, "of", ("minItems", "maxItems"), "item")),
        "object" => {
            let limits = ("minProperties", "maxProperties");
            format!("an object{}", counts(map, "with", limits, "entry"))
        }
        other => other.to_owned(),
    }
}

fn bounds(map: &Map<String, Value>, all: bool) -> String {
    let bound = |key: &str, widths: &[i64]| {
        map.get(key).filter(|bound| all || !bound.as_i64().is_some_and(|n| widths.contains(&n)))
    };
    let least = bound("minimum", &[i32::MIN.into()]);
    let most = bound("maximum", &[i32::MAX.into(), u32::MAX.into()]);
    let mut said = match (least, most) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" of at least {least}"),
        (None, Some(most)) => format!(" of at most {most}"),
        (None, None) => String::new(),
    };
    if let Some(above) = map.get("exclusiveMinimum") {
        said += &format!(" greater than {above}");
    }
    if let Some(below) = map.get("exclusiveMaximum") {
        let and = if map.contains_key("exclusiveMinimum") { " and" } else { "" };
        said += &format!("{and} less than {below}");
    }
    if let Some(step) = map.get("multipleOf") {
        said += &format!(", a multiple of {step}");
    }
    said
}

fn counts(map: &Map<String, Value>, word: &str, keys: (&str, &str), unit: &str) -> String {
    let count = |key| map.get(key).and_then(Value::as_u64);
    let units = |n: u64| match (n, unit.strip_suffix('y')) {
        (1, _) => unit.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        (_, None) => format!("{unit}s"),
    };
    match (count(keys.0).filter(|n| *n > 0), count(keys.1)) {
        (Some(least), Some(most)) if least == most => format!(" {word} {most} {}", units(most)),
        (Some(least), Some(most)) => format!(" {word} {least} to {most} {}", units(most)),
        (Some(least), None) => format!(" {word} at least {least} {}", units(least)),
        (None, Some(most)) => format!(" {word} at most {most} {}", units(most)),
        (None, None) => String::new(),
    }
}

/// The first line of a description, in brackets, for a value that is missing.
pub(super) fn purpose(schema: &Value) -> String {
    let Value::Object(map) = schema else {
        return String::new();
    };
    let first = map.get("description").and_then(Value::as_str).and_then(|text| text.lines().next());
    match first.map(str::trim).filter(|line| !line.is_empty()) {
        Some(line) if line.chars().count() > 120 => {
            format!(" ({}…)", line.chars().take(119).collect::<String>())
        }
        Some(line) => format!(" ({line})"),
        None => String::new(),
    }
}

/// Whether a schema names the type of a value.
pub(super) fn has_type_of(map: &Map<String, Value>, value: &Value) -> bool {
    let fits = |kind: &str| match kind {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    };
    match map.get("type") {
        Some(Value::String(kind)) => fits(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(fits),
        _ => true,
    }
}
