//! Schemas that an author gives: they are listed as they are, and a full validator enforces them. What
//! it finds is said in the words of all other problems.

use jsonschema::{
    ReferencingError, Retrieve, Uri, ValidationError, Validator, error::ValidationErrorKind as Kind,
};
use serde_json::Value;

use super::{
    check::{
        Problem,
        say::{at_index, at_key, no_such, shown},
    },
    coerce, expected, text, walk,
};

/// So many problems are told at once.
const MOST: usize = 20;

/// A schema that was given, ready to check values.
#[derive(Debug)]
pub(crate) struct Given {
    schema: Value,
    validator: Validator,
}

/// Fetches nothing, whatever other crates of the build switch on.
struct Nothing;

impl Retrieve for Nothing {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err("references are not fetched".into())
    }
}

impl Given {
    /// Compiles a schema, or says why it cannot be used.
    pub(crate) fn compile(schema: Value) -> Result<Self, String> {
        if schema.get("type").is_none_or(|kind| kind != "object") {
            return Err("`type` has to be \"object\" at the root: clients refuse anything else".into());
        }
        match jsonschema::options().with_retriever(Nothing).build(&schema) {
            Ok(validator) => Ok(Self { schema, validator }),
            Err(error) => Err(refused(&error)),
        }
    }

    /// Whether a value is as the schema says.
    pub(crate) fn admits(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// A value turned into what the schema declares, as far as that loses nothing.
    pub(crate) fn coerced(&self, value: &Value) -> Value {
        coerce(value, &self.schema, &self.schema)
    }

    /// All that is wrong with a value.
    pub(crate) fn faults(&self, value: &Value) -> Vec<String> {
        let mut faults: Vec<String> = Vec::new();
        for problem in self.validator.iter_errors(value).flat_map(|error| self.problems(&error, value)) {
            let fault = problem.to_string();
            if !faults.contains(&fault) {
                faults.push(fault);
            }
            if faults.len() > MOST {
                faults[MOST] = "and more".into();
                break;
            }
        }
        faults
    }

    /// What one finding of the validator says.
    fn problems(&self, error: &ValidationError<'_>, value: &Value) -> Vec<Problem> {
        let path = place(error.instance_path().as_str(), value);
        let schema = self.holder(error.schema_path().as_str());
        let got = error.instance();
        let one = |message: String| vec![Problem { path: path.clone(), message }];
        match error.kind() {
            Kind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                let own = schema.pointer(&format!("/properties/{}", escaped(name))).unwrap_or(&Value::Null);
                let wanted = expected::expected(walk::resolve(own, &self.schema));
                let wanted = if own.is_null() { String::new() } else { format!("; expected {wanted}") };
                let message = format!("missing{wanted}{}", expected::purpose(own));
                vec![Problem { path: at_key(&path, name), message }]
            }
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                let known = known(schema);
                let say = |name: &String| Problem {
                    path: at_key(&path, name),
                    message: no_such(name, &known, path.is_empty()),
                };
                unexpected.iter().map(say).collect()
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                let wanted = expected::expected(schema);
                if !wanted.contains("any value") {
                    return one(format!("expected {wanted}, got {}", shown(got)));
                }
                let branch = |errors: &Vec<ValidationError<'_>>| {
                    let problems = errors.iter().flat_map(|error| self.problems(error, value));
                    problems.map(|problem| problem.to_string()).collect::<Vec<_>>().join(", ")
                };
                let branches: Vec<_> = context.iter().map(branch).collect();
                one(format!("none of the alternatives fits: {}", branches.join("; or ")))
            }
            Kind::OneOfMultipleValid { .. } => one(format!(
                "expected exactly one of the alternatives, got {}, which fits several",
                shown(got)
            )),
            Kind::Pattern { pattern } => {
                one(format!("expected a string that matches `{pattern}`, got {}", shown(got)))
            }
            Kind::Format { format } => one(format!("expected a string ({format}), got {}", shown(got))),
            Kind::FalseSchema => one(format!("expected nothing here, got {}", shown(got))),
            Kind::UniqueItems => one(format!("expected no item twice, got {}", shown(got))),
            Kind::MinItems { .. }
            | Kind::MaxItems { .. }
            | Kind::MinProperties { .. }
            | Kind::MaxProperties { .. }
            | Kind::Type { .. }
            | Kind::Enum { .. }
            | Kind::Constant { .. }
            | Kind::Minimum { .. }
            | Kind::Maximum { .. }
            | Kind::ExclusiveMinimum { .. }
            | Kind::ExclusiveMaximum { .. }
            | Kind::MultipleOf { .. }
            | Kind::MinLength { .. }
            | Kind::MaxLength { .. }
                if expected::expected_bounds(schema) != "any value" =>
            {
                one(format!("expected {}, got {}", expected::expected_bounds(schema), shown(got)))
            }
            _ => one(format!("{}, got {}", error.masked(), shown(got))),
        }
    }

    /// The schema that holds the keyword at this place.
    fn holder(&self, place: &str) -> &Value {
        let holder = place.rsplit_once('/').map_or("", |(holder, _)| holder);
        self.schema.pointer(holder).unwrap_or(&Value::Null)
    }
}

/// Why a schema cannot be used.
fn refused(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Referencing(ReferencingError::Unretrievable { uri, .. }) => format!(
            "it refers to `{uri}`, which is outside of it and is not fetched: put what it names under `$defs`, and \
             refer to it there"
        ),
        Kind::Referencing(error) => format!("a reference leads nowhere: {error}"),
        _ => {
            let place = error.instance_path().as_str();
            let place = if place.is_empty() { "the root" } else { place };
            format!("it is no JSON Schema: {place}: {error}")
        }
    }
}

/// A JSON pointer in our words: `items[0].qty`.
fn place(pointer: &str, value: &Value) -> String {
    let mut path = String::new();
    let mut at = value;
    for part in pointer.split('/').skip(1) {
        let name = part.replace("~1", "/").replace("~0", "~");
        let index = at.as_array().and_then(|_| name.parse().ok());
        path = index.map_or_else(|| at_key(&path, &name), |index| at_index(&path, index));
        at = index.map_or_else(|| at.get(&name), |index: usize| at.get(index)).unwrap_or(&Value::Null);
    }
    path
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The names of an object's members.
fn known(schema: &Value) -> Vec<&str> {
    let (Some(map), Some(named)) = (schema.as_object(), schema.get("properties").and_then(Value::as_object))
    else {
        return Vec::new();
    };
    text::declared(map, named, &[]).into_iter().map(String::as_str).collect()
}
