//! Finds all that is wrong with a value, and says where, what was expected and what came.
//!
//! `pattern`, `not`, `if` and `contains` are not looked at: there is no regex engine here, and they
//! only come from an author who wrote them by hand; the type's own reading has to enforce them.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;

use serde_json::{Map, Number, Value};

use super::{expected, text, walk};

pub(super) mod say;
mod union;

use say::{at_index, at_key, shown};
pub(crate) use say::{nearest, unknown};
pub(super) use union::is_tagged_for;

/// So many problems are told at once; a long list of bad items says no more than its beginning.
const MOST: usize = 20;

/// How deep a value is followed, as deep as JSON itself is read.
pub(super) const DEEPEST: usize = 128;

/// How many values may be looked at for one: a union in a recursive type tries its branches over and
/// over, and what is not tagged can make that endless.
pub(super) fn budget(value: &Value) -> usize {
    (1 << 18) + 16 * size(value)
}

/// How many values there are, a text counted as the JSON that it may be.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(size).sum::<usize>(),
        Value::Object(map) => 1 + map.values().map(size).sum::<usize>(),
        Value::String(text) => 1 + text.len() / 2,
        _ => 1,
    }
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// All that the schema says, for a value that could not be read.
    Full,
    /// Only bounds that reading a type does not enforce, for a value that was read: names and types
    /// may differ from the schema then, by an alias or a conversion of the author's.
    ConstraintsOnly,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The place, `items[0].qty`; empty for the value as a whole.
    pub(crate) path: String,
    /// What was expected, and what came.
    pub(crate) message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return f.write_str(&self.message);
        }
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// All that is wrong with `value`, which stands at `path` (empty for the arguments as a whole).
///
/// References of `schema` are looked up in `root`.
pub(crate) fn problems(value: &Value, schema: &Value, root: &Value, path: &str, mode: Mode) -> Vec<Problem> {
    let mut budget = budget(value);
    let mut check = Check { root, mode, found: Vec::new(), budget: &mut budget };
    check.value(value, schema, path, 0);
    let mut found = check.found;
    if found.len() > MOST {
        found.truncate(MOST);
        found.push(Problem { path: String::new(), message: "and more".into() });
    }
    found
}

/// Whether a value has no problem at all.
pub(super) fn fits(value: &Value, schema: &Value, root: &Value, budget: &mut usize) -> bool {
    let mut check = Check { root, mode: Mode::Full, found: Vec::new(), budget };
    check.value(value, schema, "", 0);
    check.found.is_empty()
}

struct Check<'a, 'b> {
    root: &'a Value,
    mode: Mode,
    found: Vec<Problem>,
    budget: &'b mut usize,
}

impl Check<'_, '_> {
    fn report(&mut self, path: &str, message: String) {
        self.found.push(Problem { path: path.to_owned(), message });
    }

    fn expect(&mut self, path: &str, wanted: &str, got: &Value) {
        self.report(path, format!("expected {wanted}, got {}", shown(got)));
    }

    fn value(&mut self, value: &Value, schema: &Value, path: &str, depth: usize) {
        let schema = walk::resolve(schema, self.root);
        let Value::Object(map) = schema else { return };
        if self.found.len() > MOST {
            return;
        }
        // Refused rather than let through: a bound may stand where nobody looked.
        if *self.budget == 0 || depth > DEEPEST {
            return self.report(path, "nested too deeply to be checked".into());
        }
        *self.budget -= 1;
        let full = self.mode == Mode::Full;
        if !expected::has_type_of(map, value) {
            if full {
                self.expect(path, &expected::expected(schema), value);
            }
            return;
        }
        let listed = map.get("enum").and_then(Value::as_array);
        if full && listed.is_some_and(|values| !values.contains(value)) {
            return self.expect(path, &expected::expected(schema), value);
        }
        let constant = map.get("const").filter(|constant| full || !constant.is_string());
        if constant.is_some_and(|constant| !same(constant, value)) {
            return self.expect(path, &expected::expected(schema), value);
        }
        match value {
            Value::Number(number) if !number_fits(number, map) => {
                return self.expect(path, &expected::expected_bounds(schema), value);
            }
            Value::String(text) if !within(map, "minLength", "maxLength", || text.chars().count()) => {
                self.expect(path, &expected::expected(schema), value);
            }
            Value::Array(list) => self.array(list, schema, map, path, depth),
            Value::Object(entries) => self.object(entries, schema, map, path, depth),
            _ => {}
        }
        for part in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.value(value, part, path, depth + 1);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = map.get(key) {
                self.union(value, schema, branches, path, depth);
            }
        }
    }

    fn array(&mut self, list: &[Value], schema: &Value, map: &Map<String, Value>, path: &str, depth: usize) {
        if !within(map, "minItems", "maxItems", || list.len()) {
            let message = format!("expected {}, got {}", expected::expected(schema), list.len());
            self.report(path, message);
        }
        if map.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = HashSet::new();
            let again = list.iter().position(|item| !seen.insert(text::to_text(item, &[])));
            if let Some(i) = again {
                let message = format!("expected no item twice, got {} again", shown(&list[i]));
                self.report(&at_index(path, i), message);
            }
        }
        let Some(items) = map.get("items") else {
            return;
        };
        for (i, item) in list.iter().enumerate() {
            if self.found.len() > MOST {
                return;
            }
            self.value(item, items, &at_index(path, i), depth + 1);
        }
    }

    fn object(
        &mut self,
        entries: &Map<String, Value>,
        schema: &Value,
        map: &Map<String, Value>,
        path: &str,
        depth: usize,
    ) {
        if !within(map, "minProperties", "maxProperties", || entries.len()) {
            let message = format!("expected {}, got {}", expected::expected(schema), entries.len());
            self.report(path, message);
        }
        let none = Map::new();
        let named = map.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let required = map.get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        if self.mode == Mode::Full {
            for name in required.filter(|name| !entries.contains_key(*name)) {
                let own = named.get(name).unwrap_or(&Value::Null);
                let wanted = expected::expected(walk::resolve(own, self.root));
                let purpose = expected::purpose(own);
                self.report(&at_key(path, name), format!("missing; expected {wanted}{purpose}"));
            }
        }
        for name in text::declared(map, named, &[]) {
            if let Some(value) = entries.get(name) {
                self.value(value, &named[name], &at_key(path, name), depth + 1);
            }
        }
        let others = entries.iter().filter(|(name, _)| !named.contains_key(*name));
        match map.get("additionalProperties") {
            Some(Value::Bool(false)) if self.mode == Mode::Full => {
                let known: Vec<&str> =
                    text::declared(map, named, &[]).into_iter().map(String::as_str).collect();
                for (name, _) in others.take(MOST + 1) {
                    self.report(&at_key(path, name), say::no_such(name, &known, path.is_empty()));
                }
            }
            Some(own @ Value::Object(_)) => {
                for (name, value) in others {
                    self.value(value, own, &at_key(path, name), depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// Whether a count is within two keywords; it is taken only if one of them is there.
fn within(map: &Map<String, Value>, least: &str, most: &str, count: impl Fn() -> usize) -> bool {
    let limit = |key| map.get(key).and_then(Value::as_u64);
    let (least, most) = (limit(least), limit(most));
    if least.is_none() && most.is_none() {
        return true;
    }
    let count = count() as u64;
    least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most)
}

fn number_fits(number: &Number, map: &Map<String, Value>) -> bool {
    let against = |key: &str| compare(number, map.get(key)?.as_number()?);
    let step = map.get("multipleOf").and_then(Value::as_number);
    against("minimum") != Some(Ordering::Less)
        && against("maximum") != Some(Ordering::Greater)
        && against("exclusiveMinimum").is_none_or(Ordering::is_gt)
        && against("exclusiveMaximum").is_none_or(Ordering::is_lt)
        && step.is_none_or(|step| is_multiple(number, step))
}

fn is_multiple(number: &Number, step: &Number) -> bool {
    match (integer(number), integer(step)) {
        (_, Some(0)) => true,
        (Some(number), Some(step)) => number % step == 0,
        _ => match (number.as_f64(), step.as_f64()) {
            (Some(number), Some(step)) if step != 0.0 => {
                let times = number / step;
                (times - times.round()).abs() <= f64::EPSILON * times.abs().max(1.0)
            }
            _ => true,
        },
    }
}

fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Compares two numbers, two integers without a float in between.
pub(super) fn compare(one: &Number, other: &Number) -> Option<Ordering> {
    match (integer(one), integer(other)) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => compare(one, other) == Some(Ordering::Equal),
        _ => one == other,
    }
}
