//! What a tool lists: the schema of its arguments, and the schema of its result.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::check::compare;
use super::generate::{Generated, output, rename_definitions};
use super::{to_text, walk};

/// The key that the largest client library looks for to hand out `result` instead of the object.
const WRAPPED: &str = "x-fastmcp-wrap-result";

/// One parameter of a tool.
#[derive(Debug, Clone)]
pub(crate) struct Property<'a> {
    pub(crate) name: &'a str,
    /// The parameter's own documentation; it replaces that of the type.
    pub(crate) description: Option<&'a str>,
    pub(crate) schema: Generated,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
    /// Bounds of a number; the type's own stay where they are tighter.
    pub(crate) minimum: Option<Value>,
    pub(crate) maximum: Option<Value>,
    /// The name under which clients repeat the argument as a header, `x-mcp-header`.
    pub(crate) header: Option<&'a str>,
}

/// What the arguments of a tool are made of.
#[derive(Debug, Clone)]
pub(crate) enum Part<'a> {
    /// A parameter.
    Property(Property<'a>),
    /// A struct whose fields are arguments.
    Whole(Generated),
}

/// The input schema of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Root {
    pub(crate) schema: Value,
    /// The names of the arguments as they were declared.
    pub(crate) order: Vec<String>,
    /// Whether accepted arguments still have to be checked against bounds.
    pub(crate) constrained: bool,
}

impl Root {
    /// The schema as it is listed.
    pub(crate) fn to_text(&self) -> String {
        to_text(&self.schema, &self.order)
    }
}

/// The output schema of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub(crate) schema: Value,
    /// Whether the value goes under `result` of an object.
    pub(crate) wrapped: bool,
}

/// Builds an input schema; `strict` refuses arguments that the tool does not have.
///
/// # Errors
///
/// All that cannot become one flat object, each with what to write instead.
pub(crate) fn root(parts: Vec<Part<'_>>, strict: bool) -> Result<Root, Vec<String>> {
    let mut building = Building::default();
    for part in parts {
        match part {
            Part::Property(property) => building.property(property),
            Part::Whole(whole) => building.whole(whole),
        }
    }
    if building.mistakes.is_empty() { Ok(building.finish(strict)) } else { Err(building.mistakes) }
}

/// The output schema of a tool that returns `T`; none for what carries no value, `()`.
///
/// An object stays as it is, anything else goes under `result`: not every client takes a list or a
/// text as structured content, and a union at the root is an object to none of them.
pub(crate) fn output_root<T: JsonSchema + ?Sized>() -> Option<Output> {
    let Generated { mut schema, defs, .. } = output::<T>();
    if schema["type"] == "null" {
        return None;
    }
    let composed = ["$ref", "allOf", "anyOf", "oneOf"].iter().any(|key| schema.get(*key).is_some());
    let wrapped = composed || schema["type"] != "object";
    if wrapped {
        schema = json!({
            "type": "object",
            "properties": { "result": schema },
            "required": ["result"],
            WRAPPED: true,
        });
    }
    if !defs.is_empty() {
        schema["$defs"] = defs.into();
    }
    Some(Output { schema, wrapped })
}

#[derive(Default)]
struct Building {
    properties: Map<String, Value>,
    order: Vec<String>,
    required: Vec<Value>,
    /// What the schema says of further arguments.
    others: Option<Value>,
    defs: Map<String, Value>,
    constrained: bool,
    mistakes: Vec<String>,
}

impl Building {
    fn property(&mut self, property: Property<'_>) {
        let Property { name, description, schema, default, minimum, maximum, header, .. } = property;
        self.constrained |= schema.constrained || minimum.is_some() || maximum.is_some();
        let notes = schema.notes.clone();
        let mut schema = self.hoist(schema);
        if let Value::Object(map) = &mut schema {
            if let Some(text) = description {
                let text = match notes {
                    Some(notes) => format!("{text}\n{notes}"),
                    None => text.to_owned(),
                };
                map.insert("description".into(), text.into());
            }
            if let Some(default) = default.filter(|value| !value.is_null()) {
                map.insert("default".into(), default);
            }
            tighten(map, "minimum", minimum, std::cmp::Ordering::Greater);
            tighten(map, "maximum", maximum, std::cmp::Ordering::Less);
            if let Some(header) = header {
                map.insert("x-mcp-header".into(), header.into());
            }
        }
        self.insert(name.to_owned(), schema, property.required);
    }

    fn whole(&mut self, whole: Generated) {
        self.constrained |= whole.constrained;
        let schema = self.hoist(whole);
        let composed = ["$ref", "allOf", "anyOf", "oneOf"];
        let map = match schema {
            Value::Object(map)
                if walk::direct_type(&map) == Some("object")
                    && !composed.iter().any(|key| map.contains_key(*key)) =>
            {
                map
            }
            _ => {
                self.mistakes.push(
                    "the arguments as a whole must be a struct with named fields: providers refuse \
                     an input schema that is a union at the top; take this type as a parameter of \
                     its own, without `#[args]`"
                        .into(),
                );
                return;
            }
        };
        let mut map = map;
        let required = map.remove("required");
        let required: Vec<String> = required
            .as_ref()
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect();
        if let Some(others) = map.remove("additionalProperties") {
            self.others = Some(others);
        }
        let Some(Value::Object(mut properties)) = map.remove("properties") else {
            return;
        };
        for name in &required {
            if let Some(schema) = properties.remove(name) {
                self.insert(name.clone(), schema, true);
            }
        }
        let mut optional: Vec<_> = properties.into_iter().collect();
        optional.sort_by(|one, other| one.0.cmp(&other.0));
        for (name, schema) in optional {
            self.insert(name, schema, false);
        }
    }

    fn insert(&mut self, name: String, schema: Value, required: bool) {
        if self.properties.contains_key(&name) {
            self.mistakes.push(format!("two arguments are named `{name}`: rename one of them"));
            return;
        }
        if required {
            self.required.push(name.clone().into());
        }
        self.order.push(name.clone());
        self.properties.insert(name, schema);
    }

    /// Moves definitions to the root; those of another type of the same name get a number.
    fn hoist(&mut self, generated: Generated) -> Value {
        let Generated { mut schema, defs, .. } = generated;
        let differs = defs.iter().any(|(name, def)| self.defs.get(name).is_some_and(|one| one != def));
        let mut names = BTreeMap::new();
        if differs {
            for name in defs.keys().filter(|name| self.defs.contains_key(*name)) {
                let free = |new: &String| {
                    !self.defs.contains_key(new)
                        && !defs.contains_key(new)
                        && !names.values().any(|taken| taken == new)
                };
                if let Some(new) = (2..).map(|n: u32| format!("{name}{n}")).find(free) {
                    names.insert(name.clone(), new);
                }
            }
        }
        let defs = rename_definitions(&mut schema, defs, &names);
        self.defs.extend(defs);
        schema
    }

    fn finish(self, strict: bool) -> Root {
        let mut map = Map::new();
        map.insert("type".into(), "object".into());
        map.insert("properties".into(), self.properties.into());
        if !self.required.is_empty() {
            map.insert("required".into(), self.required.into());
        }
        let others = self.others.or_else(|| strict.then_some(Value::Bool(false)));
        if let Some(others) = others {
            map.insert("additionalProperties".into(), others);
        }
        if !self.defs.is_empty() {
            map.insert("$defs".into(), self.defs.into());
        }
        Root { schema: map.into(), order: self.order, constrained: self.constrained }
    }
}

/// Sets a bound unless the schema has one that allows less.
fn tighten(map: &mut Map<String, Value>, key: &str, bound: Option<Value>, tighter: std::cmp::Ordering) {
    let Some(bound) = bound else { return };
    let keep = match (map.get(key), &bound) {
        (Some(Value::Number(own)), Value::Number(new)) => compare(own, new) == Some(tighter),
        _ => false,
    };
    if !keep {
        map.insert(key.into(), bound);
    }
}
