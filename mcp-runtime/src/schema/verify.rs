//! Checks a schema before it is listed: a host that refuses it hides all the tools of the server.
//!
//! It holds the rules of [`portable`] and the meta-schema for the keywords in use. A complaint says
//! where, what is wrong and what to write instead; a schema that came from [`portable`] has none,
//! unless the author wrote keywords by hand or uses a type that no client can fill in.
//!
//! [`portable`]: super::portable

use serde_json::{Map, Value};

use super::check::compare;
use super::portable::FORMATS;
use super::{Direction, Mode, problems, walk};

mod header;

/// The schema of a tool's arguments or of its result, checked; empty when there is nothing to say.
pub(crate) fn verify(schema: &Value, direction: Direction) -> Vec<String> {
    let mut verifying = Verifying { root: schema, direction, complaints: Vec::new() };
    verifying.root();
    verifying.schema(schema, "");
    header::verify(schema, &mut verifying.complaints);
    verifying.complaints
}

struct Verifying<'a> {
    root: &'a Value,
    direction: Direction,
    complaints: Vec<String>,
}

impl Verifying<'_> {
    fn complain(&mut self, place: &str, what: impl AsRef<str>) {
        let place = if place.is_empty() { "the root" } else { place };
        self.complaints.push(format!("{place}: {}", what.as_ref()));
    }

    fn root(&mut self) {
        if self.root.get("type").is_none_or(|kind| kind != "object") {
            self.complain("", "`type` has to be \"object\"; put the value into a property");
        }
        if self.direction == Direction::Output {
            return;
        }
        if self.root.get("properties").is_none_or(|named| !named.is_object()) {
            self.complain("", "`properties` is missing; write `{}` when there are none");
        }
        for key in ["allOf", "anyOf", "oneOf", "not", "if", "$ref", "enum"] {
            if self.root.get(key).is_some() {
                let what = format!("providers refuse `{key}` at the top; put it into a property");
                self.complain("", what);
            }
        }
    }

    fn schema(&mut self, schema: &Value, place: &str) {
        let Value::Object(map) = schema else {
            return self.complain(
                place,
                "a schema has to be an object; write `{}` for any value, and leave out what is \
                 never there",
            );
        };
        for (key, value) in map {
            if let Some(wrong) = wrong_shape(key, value, self.direction) {
                self.complain(place, format!("`{key}` {wrong}"));
            }
        }
        self.kind(map, place);
        self.bounds(map, place);
        self.reference(map, place);
        self.fields(map, place);
        self.default(schema, map, place);
        for (inner, child) in walk::children(map) {
            let closed = inner == "additionalProperties" && *child == Value::Bool(false);
            if !closed {
                self.schema(child, &format!("{place}/{inner}"));
            }
            if inner.starts_with("$defs/") && !place.is_empty() {
                self.complain(place, "`$defs` has to stand at the root");
            }
        }
    }

    fn kind(&mut self, map: &Map<String, Value>, place: &str) {
        let kind = walk::direct_type(map);
        let needs: &[(&str, &[&str])] = &[
            ("array", &["items", "minItems", "maxItems", "uniqueItems"]),
            ("object", &["properties", "required", "additionalProperties"]),
            ("string", &["minLength", "maxLength", "pattern", "format"]),
        ];
        for (needed, keys) in needs {
            let found = keys.iter().find(|key| map.contains_key(**key));
            if let Some(key) = found.filter(|_| kind != Some(needed)) {
                self.complain(place, format!("`{key}` needs `\"type\": \"{needed}\"` beside it"));
            }
        }
        if kind == Some("array") && !map.contains_key("items") {
            self.complain(place, "an array needs `items`; write `{}` when they may be anything");
        }
        let null = map.get("type").is_some_and(|kind| kind == "null");
        if null && self.direction == Direction::Input {
            self.complain(
                place,
                "an argument that can only be `null` says nothing; leave it out, or take an \
                 `Option` of something",
            );
        }
        if self.direction == Direction::Input && is_time(map) {
            self.complain(
                place,
                "`Duration` and `SystemTime` become two fields that no model fills in well; take \
                 a number whose name has the unit (`timeout_seconds: u64`), or a type of your own \
                 that reads a text (`#[serde(with = \"…\")] #[schemars(with = \"String\")]`)",
            );
        }
    }

    fn bounds(&mut self, map: &Map<String, Value>, place: &str) {
        let numeric = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
        let found = numeric.iter().find(|key| map.contains_key(**key));
        let number = matches!(walk::direct_type(map), Some("integer" | "number"));
        if let Some(key) = found.filter(|_| !number) {
            self.complain(place, format!("`{key}` bounds a number, and this is not one"));
        }
        let pairs = [
            ("minimum", "maximum"),
            ("minLength", "maxLength"),
            ("minItems", "maxItems"),
            ("minProperties", "maxProperties"),
        ];
        for (least, most) in pairs {
            let number = |key| map.get(key).and_then(Value::as_number);
            if let (Some(one), Some(other)) = (number(least), number(most))
                && compare(one, other).is_some_and(std::cmp::Ordering::is_gt)
            {
                self.complain(place, format!("`{least}` {one} is above `{most}` {other}: swap them"));
            }
        }
    }

    fn reference(&mut self, map: &Map<String, Value>, place: &str) {
        let Some(Value::String(reference)) = map.get("$ref") else {
            return;
        };
        let name = walk::definition_name(reference);
        let found = name.and_then(|name| self.root.get("$defs")?.get(name));
        if found.is_none() {
            let what = format!(
                "the reference \"{reference}\" leads nowhere; clients follow only `#/$defs/…` of \
                 the same schema"
            );
            self.complain(place, what);
        }
    }

    fn fields(&mut self, map: &Map<String, Value>, place: &str) {
        let open = ["additionalProperties", "allOf", "anyOf", "oneOf"];
        let open = open.iter().any(|key| map.get(*key).is_some_and(|value| !value.is_boolean()));
        let named = map.get("properties").and_then(Value::as_object);
        let required = map.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !open && !named.is_some_and(|named| named.contains_key(name)) {
                self.complain(place, format!("`{name}` is required and not among `properties`"));
            }
        }
    }

    fn default(&mut self, schema: &Value, map: &Map<String, Value>, place: &str) {
        let Some(default) = map.get("default") else {
            return;
        };
        if self.direction == Direction::Output {
            return;
        }
        if let Some(first) = problems(default, schema, self.root, "", Mode::Full).first() {
            self.complain(place, format!("the default does not fit: {first}"));
        }
    }
}

fn is_time(map: &Map<String, Value>) -> bool {
    let Some(named) = map.get("properties").and_then(Value::as_object) else {
        return false;
    };
    let both = |one, other| named.contains_key(one) && named.contains_key(other);
    named.len() == 2 && (both("secs", "nanos") || both("secs_since_epoch", "nanos_since_epoch"))
}

/// What is wrong with the value of a keyword.
fn wrong_shape(key: &str, value: &Value, direction: Direction) -> Option<&'static str> {
    let unless = |good: bool, wrong| (!good).then_some(wrong);
    match key {
        "type" => wrong_type(value, direction),
        "description" | "$ref" | "pattern" | "$comment" | "contentEncoding" | "contentMediaType" => {
            unless(value.is_string(), "has to be a string")
        }
        "format" => unless(
            value.as_str().is_some_and(|format| FORMATS.contains(&format)),
            "is none of JSON Schema's; say it in the description, or by `minimum` and `maximum`",
        ),
        "enum" => wrong_enum(value, direction),
        "const" => unless(!value.is_string(), "is not known to all providers; write an `enum` of one"),
        "default" => {
            unless(!(value.is_null() && direction == Direction::Input), "must not be `null`; leave it out")
        }
        "examples" => unless(value.is_array(), "has to be a list"),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            unless(value.is_number(), "has to be a number")
        }
        "multipleOf" => unless(value.as_f64().is_some_and(|step| step > 0.0), "has to be a number above 0"),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            unless(value.is_u64(), "has to be a whole number from 0")
        }
        "uniqueItems" | "deprecated" => unless(value.is_boolean(), "has to be true or false"),
        "required" => {
            let names = value.as_array().filter(|names| !names.is_empty());
            let good = names.is_some_and(|names| names.iter().all(Value::is_string) && differ(names));
            unless(good, "has to be a list of different names, and is left out when there are none")
        }
        "properties" | "$defs" => unless(value.is_object(), "has to be an object of schemas"),
        "allOf" | "anyOf" | "oneOf" => unless(
            value.as_array().is_some_and(|branches| !branches.is_empty()),
            "has to be a list of schemas with one at least",
        ),
        "additionalProperties" | "items" | "not" | "contains" | "if" | "then" | "else" => None,
        "title" | "$schema" | "$id" => Some("is noise to clients; leave it out"),
        "prefixItems" => Some("is not known to all clients; use `items` with `anyOf`"),
        "patternProperties" | "propertyNames" | "unevaluatedProperties" | "unevaluatedItems" => {
            Some("is not known to all clients; use `additionalProperties` or `items`")
        }
        key if key.starts_with("x-") => None,
        _ => Some("is not a keyword that clients know; leave it out or name it `x-…`"),
    }
}

fn wrong_type(value: &Value, direction: Direction) -> Option<&'static str> {
    const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];
    let known = |one: &Value| one.as_str().is_some_and(|one| TYPES.contains(&one));
    match value {
        Value::String(_) if known(value) => None,
        Value::Array(several) if several.iter().all(known) && differ(several) => {
            let optional = several.len() == 2 && several[1] == "null";
            (!optional || direction == Direction::Input)
                .then_some("has to be one type; leave out `null`, and use `anyOf` for several")
        }
        _ => Some("has to be one of array, boolean, integer, null, number, object, string"),
    }
}

fn wrong_enum(value: &Value, direction: Direction) -> Option<&'static str> {
    match value.as_array().map(Vec::as_slice) {
        None | Some([]) => Some("has to be a list with one value at least"),
        Some(values) if !differ(values) => Some("has a value twice"),
        Some(values) if direction == Direction::Input && values.contains(&Value::Null) => {
            Some("must not have `null`; what may be left out is not `required`")
        }
        Some(_) => None,
    }
}

fn differ(values: &[Value]) -> bool {
    values.iter().enumerate().all(|(i, value)| !values[..i].contains(value))
}
