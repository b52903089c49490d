//! The types of users that the golden table shows.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where something is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Place {
    /// Degrees north
    pub(super) lat: f64,
    pub(super) lon: f64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Nested {
    /// Where it starts
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) via: Option<Place>,
    pub(super) stops: Vec<Place>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Options {
    pub(super) zero: u32,
    pub(super) text: Option<String>,
    pub(super) list: Option<Vec<u32>>,
    pub(super) mode: Option<Mode>,
    pub(super) any: Option<Value>,
    pub(super) twice: Option<Option<bool>>,
    pub(super) items: Vec<Option<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left_out: Option<i64>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Empty {}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Unit;

/// A number of copies.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Copies(pub(super) u32);

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Pair(pub(super) u8, pub(super) String);

/// A folder
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Tree {
    pub(super) name: String,
    pub(super) children: Vec<Tree>,
    /// The folder above
    pub(super) parent: Option<Box<Tree>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Author {
    pub(super) books: Vec<Book>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Book {
    pub(super) author: Option<Box<Author>>,
    pub(super) title: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(super) enum Term {
    Number { value: f64 },
    Add { left: Box<Term>, right: Box<Term> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Plain {
    Fast,
    Slow,
}

/// How thorough.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    /// Quick and rough.
    Fast,
    /// Careful.
    Slow,
    Default,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct WithMode {
    /// The search's own mode
    pub(super) mode: Mode,
    pub(super) plain: Mode,
    /// The mode after that
    pub(super) then: Option<Mode>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) enum LongDocs {
    /// First line.
    ///
    /// Second paragraph.
    One,
    /// Short.
    Two,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) enum Single {
    /// The only one
    Only,
}

/// A shape
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Shape {
    /// Round
    Circle {
        radius: f64,
    },
    Square {
        side: Option<u8>,
    },
    Point,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Drawing {
    /// What to draw
    pub(super) shape: Shape,
    pub(super) clip: Option<Shape>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) enum External {
    /// Nothing
    Nothing,
    /// Everything
    All,
    One(u32),
    Two(u8, String),
    Named {
        a: bool,
    },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    A(u32),
    B { text: String },
    C,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Untagged {
    Number(i64),
    Text(String),
    List(Vec<String>),
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum UntaggedObjects {
    ById { id: u64 },
    ByName { name: String },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Renamed {
    pub(super) max_depth: u8,
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(alias = "q")]
    pub(super) query: String,
    #[serde(rename(serialize = "written", deserialize = "read"))]
    pub(super) both: bool,
}

fn ten() -> u32 {
    10
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Defaults {
    #[serde(default)]
    pub(super) zero: u32,
    #[serde(default = "ten")]
    pub(super) ten: u32,
    #[serde(default)]
    pub(super) none: Option<u32>,
    #[serde(default)]
    pub(super) list: Vec<String>,
    #[serde(default)]
    pub(super) inner: Inner,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Inner {
    pub(super) limit: Option<u32>,
    pub(super) name: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Flattened {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) place: Place,
    #[serde(flatten)]
    pub(super) rest: BTreeMap<String, Value>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct FlattenedEnum {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) shape: Shape,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Skipped {
    pub(super) seen: bool,
    #[serde(skip)]
    pub(super) never: u32,
    #[serde(skip_serializing)]
    pub(super) read_only_by_us: u32,
    #[serde(skip_deserializing)]
    pub(super) written_only_by_us: u32,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Closed {
    pub(super) only: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Page<T> {
    pub(super) items: Vec<T>,
    pub(super) next: Option<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Named {
    /// uint32 is a word here
    pub(super) format: String,
    pub(super) title: bool,
    pub(super) minimum: i8,
    #[serde(default = "default_format")]
    pub(super) properties: HashMap<String, String>,
}

fn default_format() -> HashMap<String, String> {
    HashMap::from([("format".into(), "uint32".into())])
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Bounds {
    #[schemars(range(min = 1, max = 10))]
    pub(super) copies: u32,
    #[schemars(range(min = 1))]
    pub(super) page: Option<u64>,
    #[schemars(length(min = 1, max = 80))]
    pub(super) title: String,
    #[schemars(length(max = 3), inner(length(max = 5)))]
    pub(super) tags: Vec<String>,
    #[schemars(regex(pattern = "^[a-z]+$"))]
    pub(super) slug: String,
    #[schemars(extend("multipleOf" = 5))]
    pub(super) step: i32,
    #[schemars(extend("const" = 3))]
    pub(super) version: u8,
}

/// # Heading
///
/// The text below it.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Headed {
    #[schemars(title = "A title", description = "A description")]
    pub(super) told: bool,
    #[schemars(example = &"Dune")]
    pub(super) shown: String,
    #[deprecated]
    pub(super) old: bool,
}

/// Text in a standard format, as the schemas of other crates declare it.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Formats {
    #[schemars(extend("format" = "date-time"))]
    pub(super) at: String,
    #[schemars(extend("format" = "uuid"))]
    pub(super) id: String,
    #[schemars(extend("format" = "partial-date-time"))]
    pub(super) local: String,
    #[schemars(with = "String")]
    pub(super) as_text: u64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Borrowed<'a> {
    pub(super) text: Cow<'a, str>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Transparent {
    pub(super) inner: Place,
}

/// Another recursive type that is named like [`Tree`].
pub(super) mod other {
    use super::{Deserialize, JsonSchema, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub(in super::super) struct Tree {
        pub(in super::super) weight: u8,
        pub(in super::super) twigs: Vec<Tree>,
    }
}

/// A type whose author writes the schema by hand, with the words of other drafts.
#[derive(Debug)]
pub(super) struct ByHand;

impl JsonSchema for ByHand {
    fn schema_name() -> Cow<'static, str> {
        "a/b {c}".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": ["object", "array", "null"],
            "allOf": [{ "description": "inside" }],
            "examples": [{ "format": "uint32", "default": null }],
            "properties": { "more": { "type": ["array", "object"], "anyOf": [{ "type": "array" }, true] } },
            "items": generator.subschema_for::<Vec<ByHand>>(),
        })
    }
}
