//! Reads arguments leniently, toward the type that is declared and no other.
//!
//! It is for arguments that were refused as they are. What it changes: a whole float where an
//! integer is declared, one JSON number or boolean in a text where that is declared, JSON text where
//! a list or an object is declared, and `null` for what may be left out. It never rounds, never
//! clamps, and a text that is declared as a text stays what it is.

use serde_json::{Map, Number, Value};

use super::check::{self, DEEPEST};
use super::{expected, walk};

/// The first integer that is not alone with its float: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Turns `value` into what `schema` declares, as far as that loses nothing.
///
/// References of `schema` are looked up in `root`. What does not fit stays as it is.
pub(crate) fn coerce(value: &Value, schema: &Value, root: &Value) -> Value {
    Coercion { root, budget: check::budget(value) }.value(value, schema, 0)
}

struct Coercion<'a> {
    root: &'a Value,
    /// How many values may still be looked at: unions of unions try each branch.
    budget: usize,
}

impl Coercion<'_> {
    fn value(&mut self, value: &Value, schema: &Value, depth: usize) -> Value {
        let Value::Object(schema) = walk::resolve(schema, self.root) else {
            return value.clone();
        };
        if self.budget == 0 || depth > DEEPEST {
            return value.clone();
        }
        self.budget -= 1;
        let mut value = match typed(value, schema) {
            Some(changed) => changed,
            None => value.clone(),
        };
        match &mut value {
            Value::Array(list) => {
                if let Some(items) = schema.get("items") {
                    for item in list {
                        *item = self.value(item, items, depth + 1);
                    }
                }
            }
            Value::Object(map) => self.object(map, schema, depth),
            _ => {}
        }
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            value = self.value(&value, part, depth + 1);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.get(key) {
                value = self.union(value, branches, depth);
            }
        }
        value
    }

    fn object(&mut self, map: &mut Map<String, Value>, schema: &Map<String, Value>, depth: usize) {
        let named = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        let optional = |name: &str| !required.is_some_and(|names| names.iter().any(|one| one == name));
        map.retain(|name, value| {
            let droppable = |own: &Value| {
                let own = walk::resolve(own, self.root);
                let says = ["type", "enum", "anyOf", "oneOf"].iter().any(|key| own.get(*key).is_some());
                says && !walk::admits_null(own)
            };
            !(value.is_null()
                && optional(name)
                && named.and_then(|named| named.get(name)).is_some_and(droppable))
        });
        for (name, value) in map {
            let own = named.and_then(|named| named.get(name));
            if let Some(own) = own.or_else(|| schema.get("additionalProperties")) {
                *value = self.value(value, own, depth + 1);
            }
        }
    }

    /// Changes a value only when it fits no branch, and in one way only could.
    fn union(&mut self, value: Value, branches: &[Value], depth: usize) -> Value {
        let root = self.root;
        if branches.iter().any(|branch| check::fits(&value, branch, root, &mut self.budget)) {
            return value;
        }
        let mut results: Vec<Value> = Vec::new();
        for branch in branches.iter().filter(|branch| check::is_tagged_for(&value, branch, root)) {
            let changed = self.value(&value, branch, depth + 1);
            if check::fits(&changed, branch, root, &mut self.budget) && !results.contains(&changed) {
                results.push(changed);
            }
        }
        match results.pop() {
            Some(only) if results.is_empty() => only,
            _ => value,
        }
    }
}

/// The value as the declared type has it, if it says the same.
fn typed(value: &Value, schema: &Map<String, Value>) -> Option<Value> {
    let declared = walk::direct_type(schema)?;
    if expected::has_type_of(schema, value) {
        return None;
    }
    match (declared, value) {
        ("integer", Value::Number(number)) => whole(number),
        ("integer", Value::String(text)) => match exact_json(text)? {
            Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.into()),
            Value::Number(number) => whole(&number),
            _ => None,
        },
        ("number", Value::String(text)) => exact_json(text).filter(Value::is_number),
        ("boolean", Value::String(text)) => exact_json(text).filter(Value::is_boolean),
        ("array", Value::String(text)) => from_text(text).filter(Value::is_array),
        ("object", Value::String(text)) => from_text(text).filter(Value::is_object),
        _ => None,
    }
}

/// An integer that was written as a float, where no other integer has the same float.
fn whole(number: &Number) -> Option<Value> {
    let float = number.as_f64()?;
    if float.fract() != 0.0 || float.abs() >= EXACT {
        return None;
    }
    // Within 2^53 the conversion is exact.
    #[allow(clippy::cast_possible_truncation)]
    let integer = float as i64;
    Some(integer.into())
}

/// A text that is one JSON value and nothing around it.
fn exact_json(text: &str) -> Option<Value> {
    let bare = text.trim() == text;
    bare.then(|| from_text(text))?
}

fn from_text(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}
