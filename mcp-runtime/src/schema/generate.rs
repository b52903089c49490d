//! The portable schema of one Rust type.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{Direction, coerce, portable, walk};

/// A type's schema, ready to become a property of a root or a root itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The schema; its references point to `#/$defs/…` of the root that will hold it.
    pub(crate) schema: Value,
    /// What those references name: only the recursive types, everything else is inlined.
    pub(crate) defs: Map<String, Value>,
    /// Whether it has bounds that deserialising alone does not enforce, so that an accepted value
    /// still has to be looked at with [`Mode::ConstraintsOnly`](super::Mode::ConstraintsOnly).
    ///
    /// `pattern` does not count: there is no regex engine here, and nothing would be looked at.
    pub(crate) constrained: bool,
    /// What the description has to say whoever writes it: the documentation of an enum's variants,
    /// the items of a tuple.
    pub(crate) notes: Option<String>,
}

/// The schema of what `T` is read from.
pub(crate) fn input<T: JsonSchema + ?Sized>() -> Generated {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    generate(settings, Direction::Input, SchemaGenerator::subschema_for::<T>)
}

/// The schema of what `T` is written as.
pub(crate) fn output<T: JsonSchema + ?Sized>() -> Generated {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    generate(settings, Direction::Output, SchemaGenerator::subschema_for::<T>)
}

fn generate(
    settings: SchemaSettings,
    direction: Direction,
    schema_of: fn(&mut SchemaGenerator) -> schemars::Schema,
) -> Generated {
    let mut generator = settings.with(|s| s.inline_subschemas = true).into_generator();
    let mut schema = schema_of(&mut generator).to_value();
    let mut defs = generator.take_definitions(false);
    let constrained = is_constrained(&schema) || defs.values().any(is_constrained);
    let notes = notes(&schema, direction);
    portable::rewrite(&mut schema, direction);
    defs.values_mut().for_each(|def| portable::rewrite(def, direction));

    let mut plain = BTreeMap::new();
    for name in defs.keys() {
        let mut free = plain_name(name);
        while plain.values().any(|taken| *taken == free) {
            free.push('_');
        }
        plain.insert(name.clone(), free);
    }
    let defs = rename_definitions(&mut schema, defs, &plain);
    let root = json!({ "$defs": defs });
    let finish = |mut schema: Value| {
        portable::type_references(&mut schema, &defs);
        settle_defaults(&mut schema, &root);
        schema
    };
    let schema = finish(schema);
    let defs = defs.iter().map(|(name, def)| (name.clone(), finish(def.clone()))).collect();
    Generated { schema, defs, constrained, notes }
}

/// What a description of another author would be followed by.
fn notes(raw: &Value, direction: Direction) -> Option<String> {
    let mut schema = raw.clone();
    let map = schema.as_object_mut()?;
    map.remove("title");
    map.insert("description".into(), "".into());
    portable::rewrite(&mut schema, direction);
    Some(schema["description"].as_str()?.strip_prefix('\n')?.to_owned())
}

/// Makes defaults fit: the default of a struct holds `null` for each `None`.
fn settle_defaults(schema: &mut Value, root: &Value) {
    let settled = schema.get("default").map(|default| coerce(default, schema, root));
    let Value::Object(map) = schema else { return };
    if let Some(settled) = settled {
        map.insert("default".into(), settled);
    }
    walk::change_children(map, |_, child| settle_defaults(child, root));
}

/// A name that needs no escaping in a reference: hosts differ in how they undo it.
fn plain_name(name: &str) -> String {
    let keep = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }
    };
    name.chars().map(keep).collect()
}

/// Gives definitions other names, and follows in all the references to them.
pub(super) fn rename_definitions(
    schema: &mut Value,
    defs: Map<String, Value>,
    names: &BTreeMap<String, String>,
) -> Map<String, Value> {
    rename_references(schema, names);
    let renamed = defs.into_iter().map(|(name, mut def)| {
        rename_references(&mut def, names);
        (names.get(&name).cloned().unwrap_or(name), def)
    });
    renamed.collect()
}

fn rename_references(schema: &mut Value, names: &BTreeMap<String, String>) {
    let Value::Object(map) = schema else { return };
    if let Some(reference) = map.get_mut("$ref") {
        let name = reference.as_str().and_then(walk::definition_name);
        if let Some(new) = name.and_then(|name| names.get(&name)) {
            *reference = Value::String(format!("#/$defs/{new}"));
        }
    }
    walk::change_children(map, |_, child| rename_references(child, names));
}

/// Reads the schema as it was generated: there the format still tells the width of an integer.
fn is_constrained(schema: &Value) -> bool {
    let Value::Object(map) = schema else {
        return false;
    };
    let tuple = map.contains_key("prefixItems");
    let implied = map.get("format").and_then(Value::as_str).map(portable::integer_bounds);
    let (least, most) = implied.unwrap_or_default();
    let own = map.iter().any(|(key, value)| match key.as_str() {
        "minLength" | "maxLength" | "uniqueItems" | "multipleOf" | "exclusiveMinimum"
        | "exclusiveMaximum" | "minProperties" | "maxProperties" => true,
        // A tuple cannot be of another length.
        "minItems" | "maxItems" => !tuple,
        "minimum" => value.as_i64() != least,
        "maximum" => value.as_i64() != most,
        // A constant text is an enum's tag, which serde compares itself.
        "const" => !value.is_string() && !value.is_null(),
        _ => false,
    });
    // What stands under `not` does not bound: `NonZeroI32` is `not: {const: 0}`, and serde knows it.
    own || walk::children(map).iter().any(|(place, child)| place != "not" && is_constrained(child))
}
