//! Unions: which branch a value belongs to, so that its problems are told and not those of others.

use serde_json::{Map, Value};

use super::say::{at_key, shown};
use super::{Check, Mode, Problem};
use crate::schema::{expected, walk};

impl Check<'_, '_> {
    pub(super) fn union(
        &mut self,
        value: &Value,
        schema: &Value,
        branches: &[Value],
        path: &str,
        depth: usize,
    ) {
        let root = self.root;
        let resolved = branches.iter().map(|branch| walk::resolve(branch, root));
        let resolved: Vec<_> = resolved.filter_map(Value::as_object).collect();
        if resolved.len() < branches.len() {
            return;
        }
        let mut fewest: Option<Vec<Problem>> = None;
        for (branch, map) in branches.iter().zip(&resolved) {
            if !expected::has_type_of(map, value) || !tags_match(value, map) {
                continue;
            }
            let mut inner = Check { root, mode: self.mode, found: Vec::new(), budget: &mut *self.budget };
            inner.value(value, branch, path, depth + 1);
            let found = inner.found;
            if found.is_empty() {
                return;
            }
            if fewest.as_ref().is_none_or(|fewest| found.len() < fewest.len()) {
                fewest = Some(found);
            }
        }
        // A scalar has no place inside a branch that could be named: say all that is possible.
        let inside = self.mode == Mode::ConstraintsOnly || value.is_object() || value.is_array();
        match fewest.filter(|_| inside) {
            Some(found) => self.found.extend(found),
            None if self.mode == Mode::Full => self.no_branch(value, schema, &resolved, path),
            None => {}
        }
    }

    /// Says which tags there are, when it is the tag that is wrong.
    fn no_branch(&mut self, value: &Value, schema: &Value, branches: &[&Map<String, Value>], path: &str) {
        let objects: Vec<_> =
            branches.iter().filter(|map| walk::direct_type(map) == Some("object")).collect();
        let Some(entries) = value.as_object().filter(|_| !objects.is_empty()) else {
            let kinds: Vec<_> = branches.iter().map(|map| Value::Object((*map).clone())).collect();
            let mut wanted: Vec<String> = Vec::new();
            for kind in kinds.iter().map(expected::expected) {
                if !wanted.contains(&kind) {
                    wanted.push(kind);
                }
            }
            return self.expect(path, &wanted.join(" or "), value);
        };
        let first = objects[0];
        let shared = tags(first)
            .map(|(name, _)| name)
            .find(|name| objects.iter().all(|map| tags(map).any(|(other, _)| other == *name)));
        if let Some(name) = shared {
            let values = objects.iter().flat_map(|map| tags(map));
            let values: Vec<_> =
                values.filter(|(other, _)| *other == name).map(|(_, tag)| tag.to_string()).collect();
            let wanted = format!("one of {}", values.join(", "));
            match entries.get(name) {
                Some(got) => self.expect(&at_key(path, name), &wanted, got),
                None => self.report(&at_key(path, name), format!("missing; expected {wanted}")),
            }
            return;
        }
        let keys: Option<Vec<_>> = objects.iter().map(|map| only_key(map)).collect();
        if let Some(keys) = keys {
            let keys: Vec<_> = keys.into_iter().map(|key| format!("\"{key}\"")).collect();
            let wanted = format!("an object with one key of {}", keys.join(", "));
            return self.report(path, format!("expected {wanted}, got {}", shown(value)));
        }
        self.expect(path, &expected::expected(schema), value);
    }
}

/// Whether the tag of a branch, if it has one, is the tag of the value, if that is an object.
pub(in crate::schema) fn is_tagged_for(value: &Value, branch: &Value, root: &Value) -> bool {
    match walk::resolve(branch, root) {
        Value::Object(map) => tags_match(value, map),
        _ => true,
    }
}

fn tags_match(value: &Value, branch: &Map<String, Value>) -> bool {
    let Value::Object(entries) = value else {
        return true;
    };
    tags(branch).all(|(name, tag)| entries.get(name) == Some(tag))
        && only_key(branch).is_none_or(|key| entries.contains_key(key))
}

/// The required properties of a branch that have one value only.
fn tags(branch: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let required = branch.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    names.filter_map(|name| {
        let values = branch.get("properties")?.get(name)?.get("enum")?.as_array()?;
        if let [tag] = values.as_slice() { Some((name, tag)) } else { None }
    })
}

/// The key of a variant that is written as `{"Variant": …}`.
fn only_key(branch: &Map<String, Value>) -> Option<&str> {
    let closed = branch.get("additionalProperties") == Some(&Value::Bool(false));
    match branch.get("required")?.as_array()?.as_slice() {
        [key] if closed => key.as_str(),
        _ => None,
    }
}
