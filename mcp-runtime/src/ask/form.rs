//! Forms: flat structs that a client shows to its user (client/elicitation, "Requested Schema").

use std::fmt;

use serde_json::{Map, Value, json, value::RawValue};

use crate::handler::def::Literal;

/// A flat struct that the user fills in. Derive it.
///
/// Its fields are text, numbers, truth values, enums that derive `Form` themselves, lists of such
/// enums, and `Option` of each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    label = "derive `mcp_runtime::Form` for it"
)]
pub trait Form: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    const FIELDS: &'static [FieldDef];
    #[doc(hidden)]
    fn read_form(reader: &mut FormReader) -> Option<Self>;
}

/// An enum of unit variants, one of which the user chooses. Derive `Form` for it.
pub trait Choice: Sized + Send + Sync + 'static {
    /// The value on the wire and, if it has one, the title of each variant.
    #[doc(hidden)]
    const VARIANTS: &'static [(&'static str, Option<&'static str>)];
    /// The variant at a position in `VARIANTS`.
    #[doc(hidden)]
    fn variant(index: usize) -> Option<Self>;
}

/// The type of a form's field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "a form is flat: text, numbers, booleans, enums that derive `Form`, lists of such enums, or `Option` of these"
)]
pub trait Field: Sized {
    #[doc(hidden)]
    fn schema() -> Value;
    #[doc(hidden)]
    fn read(value: &Value) -> Result<Self, String>;
    /// The value when the user left it out.
    #[doc(hidden)]
    fn absent() -> Option<Self> {
        None
    }
}

/// A field as the derive describes it.
#[derive(Clone, Copy, Debug)]
pub struct FieldDef {
    name: &'static str,
    description: &'static str,
    schema: fn() -> Value,
    required: fn() -> bool,
    title: Option<&'static str>,
    default: Option<Literal>,
    min: Option<Literal>,
    max: Option<Literal>,
    min_length: Option<u64>,
    max_length: Option<u64>,
    format: Option<&'static str>,
    enum_names: bool,
}

/// A field by the type that it has.
#[doc(hidden)]
#[must_use]
pub const fn field<T: Field>(name: &'static str, description: &'static str) -> FieldDef {
    FieldDef {
        name,
        description,
        schema: T::schema,
        required: || T::absent().is_none(),
        title: None,
        default: None,
        min: None,
        max: None,
        min_length: None,
        max_length: None,
        format: None,
        enum_names: false,
    }
}

impl FieldDef {
    /// A name for people.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// What the form shows at first.
    #[must_use]
    pub const fn default(mut self, default: Literal) -> Self {
        self.default = Some(default);
        self
    }

    /// The least and the greatest number, both included.
    #[must_use]
    pub const fn range(mut self, min: Option<Literal>, max: Option<Literal>) -> Self {
        self.min = min;
        self.max = max;
        self
    }

    /// The least and the greatest length of a text, in characters, or of a list, in items.
    #[must_use]
    pub const fn length(mut self, min: Option<u64>, max: Option<u64>) -> Self {
        self.min_length = min;
        self.max_length = max;
        self
    }

    /// The form of a text: `email`, `uri`, `date` or `date-time`.
    #[must_use]
    pub const fn format(mut self, format: &'static str) -> Self {
        self.format = Some(format);
        self
    }

    /// Titles of choices as `enumNames`, which clients before 2025-11-25 read.
    #[must_use]
    pub const fn enum_names(mut self) -> Self {
        self.enum_names = true;
        self
    }

    fn schema(&self) -> Value {
        let mut schema = (self.schema)();
        let Some(members) = schema.as_object_mut() else { return schema };
        let list = members.get("type").is_some_and(|ty| ty == "array");
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                members.insert(key.to_owned(), value);
            }
        };
        put("title", self.title.map(Value::from));
        put("description", (!self.description.is_empty()).then(|| self.description.into()));
        put("default", self.default.map(Literal::json));
        put("minimum", self.min.map(Literal::json));
        put("maximum", self.max.map(Literal::json));
        put(if list { "minItems" } else { "minLength" }, self.min_length.map(Value::from));
        put(if list { "maxItems" } else { "maxLength" }, self.max_length.map(Value::from));
        put("format", self.format.map(Value::from));
        if self.enum_names {
            name_choices(members);
        }
        schema
    }

    /// What is wrong with a value of the right type.
    fn check(&self, value: &Value) -> Option<String> {
        if let Some(number) = value.as_f64() {
            let outside = |bound: Option<Literal>, wrong: fn(f64, f64) -> bool| {
                bound.and_then(Literal::number).filter(|bound| wrong(number, *bound))
            };
            if let Some(min) = outside(self.min, |number, min| number < min) {
                return Some(format!("expected at least {min}, got {number}"));
            }
            if let Some(max) = outside(self.max, |number, max| number > max) {
                return Some(format!("expected at most {max}, got {number}"));
            }
        }
        let length = match value {
            Value::String(text) => text.chars().count() as u64,
            Value::Array(items) => items.len() as u64,
            _ => return None,
        };
        if self.min_length.is_some_and(|min| length < min) || self.max_length.is_some_and(|max| length > max)
        {
            return Some(format!("has the length {length}, which is not allowed"));
        }
        None
    }
}

/// Writes the titles of a field's choices as `enumNames`: the only form before 2025-11-25.
fn name_choices(field: &mut Map<String, Value>) {
    if let Some(Value::Array(choices)) = field.remove("oneOf") {
        let of = |key: &str| choices.iter().map(|choice| choice[key].clone()).collect::<Value>();
        field.insert("enum".into(), of("const"));
        field.insert("enumNames".into(), of("title"));
    }
}

/// The same form for a client before 2025-11-25.
pub(super) fn with_enum_names(schema: &Value) -> Value {
    let mut schema = schema.clone();
    for field in schema["properties"].as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
        field.as_object_mut().into_iter().for_each(name_choices);
    }
    schema
}

/// The schema that the client shows.
pub(crate) fn schema<T: Form>() -> Value {
    let mut properties = Map::new();
    for field in T::FIELDS {
        properties.insert(field.name.to_owned(), field.schema());
    }
    let required: Vec<_> =
        T::FIELDS.iter().filter(|field| (field.required)()).map(|field| field.name).collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema.into()
}

/// Reads the content of an accepted form, and collects what is wrong with it.
pub struct FormReader {
    content: Map<String, Value>,
    problems: Vec<String>,
}

impl FormReader {
    pub(crate) fn new(content: &RawValue) -> Result<Self, String> {
        let content =
            serde_json::from_str(content.get()).map_err(|_| "the content is not an object".to_owned())?;
        Ok(Self { content, problems: Vec::new() })
    }

    /// Reads one field; members that the form does not have are ignored.
    pub fn field<T: Field>(&mut self, def: &FieldDef) -> Option<T> {
        let value = self.content.get(def.name).filter(|value| !value.is_null());
        let read = match value {
            None => T::absent().ok_or_else(|| "missing".to_owned()),
            Some(value) => def.check(value).map_or_else(|| T::read(value), Err),
        };
        read.map_err(|problem| self.problems.push(format!("{}: {problem}", def.name))).ok()
    }

    pub(crate) fn finish<T>(self, form: Option<T>) -> Result<T, String> {
        match form {
            Some(form) if self.problems.is_empty() => Ok(form),
            _ => Err(self.problems.join("; ")),
        }
    }
}

impl fmt::Debug for FormReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormReader").field("problems", &self.problems).finish_non_exhaustive()
    }
}

/// Reads a field of a form; `FIELD` is whether it can be one.
pub trait ReadField<const FIELD: bool>: Sized {
    /// Reads it.
    fn read_field(reader: &mut FormReader, def: &FieldDef) -> Option<Self>;
}

impl<T: Field> ReadField<true> for T {
    fn read_field(reader: &mut FormReader, def: &FieldDef) -> Option<Self> {
        reader.field(def)
    }
}

impl<T> ReadField<false> for T {
    fn read_field(_: &mut FormReader, _: &FieldDef) -> Option<Self> {
        None
    }
}

impl Field for String {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn read(value: &Value) -> Result<Self, String> {
        value.as_str().map(str::to_owned).ok_or_else(|| format!("expected a string, got {value}"))
    }
}

impl Field for bool {
    fn schema() -> Value {
        json!({ "type": "boolean" })
    }

    fn read(value: &Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| format!("expected true or false, got {value}"))
    }
}

macro_rules! integers {
    ($($ty:ty),*) => { $(
        impl Field for $ty {
            fn schema() -> Value {
                json!({ "type": "integer" })
            }

            fn read(value: &Value) -> Result<Self, String> {
                let whole = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from)).or_else(|| {
                    // JSON Schema calls 2.0 an integer too.
                    value.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9_007_199_254_740_992.0).map(|n| n as i128)
                });
                whole.and_then(|whole| Self::try_from(whole).ok()).ok_or_else(|| {
                    format!("expected an integer from {} to {}, got {value}", Self::MIN, Self::MAX)
                })
            }
        }
    )* };
}
integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! numbers {
    ($($ty:ty),*) => { $(
        impl Field for $ty {
            fn schema() -> Value {
                json!({ "type": "number" })
            }

            fn read(value: &Value) -> Result<Self, String> {
                value.as_f64().map(|number| number as $ty).ok_or_else(|| format!("expected a number, got {value}"))
            }
        }
    )* };
}
numbers!(f32, f64);

impl<T: Field> Field for Option<T> {
    fn schema() -> Value {
        T::schema()
    }

    fn read(value: &Value) -> Result<Self, String> {
        T::read(value).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

fn chosen<T: Choice>(value: &Value) -> Result<T, String> {
    let index = T::VARIANTS.iter().position(|(name, _)| value == name);
    index.and_then(T::variant).ok_or_else(|| {
        let names: Vec<_> = T::VARIANTS.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        format!("expected one of {}, got {value}", names.join(", "))
    })
}

fn titled<T: Choice>() -> bool {
    T::VARIANTS.iter().any(|(_, title)| title.is_some())
}

fn names<T: Choice>() -> Value {
    T::VARIANTS.iter().map(|(name, _)| *name).collect()
}

fn titles<T: Choice>() -> Value {
    T::VARIANTS.iter().map(|(name, title)| json!({ "const": name, "title": title.unwrap_or(name) })).collect()
}

impl<T: Choice> Field for T {
    fn schema() -> Value {
        if titled::<T>() {
            json!({ "type": "string", "oneOf": titles::<T>() })
        } else {
            json!({ "type": "string", "enum": names::<T>() })
        }
    }

    fn read(value: &Value) -> Result<Self, String> {
        chosen(value)
    }
}

impl<T: Choice> Field for Vec<T> {
    fn schema() -> Value {
        if titled::<T>() {
            json!({ "type": "array", "items": { "anyOf": titles::<T>() } })
        } else {
            json!({ "type": "array", "items": { "type": "string", "enum": names::<T>() } })
        }
    }

    fn read(value: &Value) -> Result<Self, String> {
        let items = value.as_array().ok_or_else(|| format!("expected a list, got {value}"))?;
        items.iter().map(chosen).collect()
    }
}
