use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::types::*;
use crate::schema::{Mode, input, problems, unknown};

#[allow(clippy::needless_pass_by_value, reason = "`json!` reads better without `&`")]
fn all<T: JsonSchema>(value: Value, path: &str, mode: Mode) -> Vec<String> {
    let generated = input::<T>();
    let root = json!({ "$defs": generated.defs });
    let found = problems(&value, &generated.schema, &root, path, mode);
    found.iter().map(ToString::to_string).collect()
}

fn at<T: JsonSchema>(path: &str, value: Value) -> Vec<String> {
    all::<T>(value, path, Mode::Full)
}

fn bounds<T: JsonSchema>(value: Value) -> Vec<String> {
    all::<T>(value, "", Mode::ConstraintsOnly)
}

/// An order
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Order {
    /// Title of the book
    title: String,
    items: Vec<Line>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Line {
    qty: u32,
    #[schemars(range(min = 1, max = 10))]
    copies: Option<u32>,
}

#[test]
fn each_problem_names_its_place_what_was_expected_and_what_came() {
    assert_eq!(
        at::<Plain>("mode", json!("medium")),
        [r#"mode: expected one of "fast", "slow", got "medium""#]
    );
    assert_eq!(at::<u32>("n", json!("x")), [r#"n: expected an integer of at least 0, got "x""#]);
    assert_eq!(at::<u8>("n", json!(300)), ["n: expected an integer from 0 to 255, got 300"]);
    assert_eq!(
        at::<u32>("n", json!(5_000_000_000_u64)),
        ["n: expected an integer from 0 to 4294967295, got 5000000000"]
    );
    assert_eq!(at::<i64>("n", json!(0.5)), ["n: expected an integer, got 0.5"]);
    assert_eq!(at::<bool>("deep", json!("yes")), [r#"deep: expected true or false, got "yes""#]);
    assert_eq!(at::<String>("text", json!(null)), ["text: expected a string, got null"]);
    assert_eq!(at::<[u8; 3]>("rgb", json!([1])), ["rgb: expected an array of 3 items, got 1"]);
}

#[test]
fn all_problems_are_told_at_once() {
    let value = json!({"items": [{"qty": "x"}, {"qty": 1, "copies": "two"}, {"copies": 11}]});
    assert_eq!(
        at::<Order>("", value),
        [
            "title: missing; expected a string (Title of the book)",
            r#"items[0].qty: expected an integer of at least 0, got "x""#,
            r#"items[1].copies: expected an integer from 1 to 10, got "two""#,
            "items[2].qty: missing; expected an integer of at least 0",
            "items[2].copies: expected an integer from 1 to 10, got 11",
        ]
    );
}

#[test]
fn a_long_value_is_cut_and_a_long_list_of_problems_ends() {
    let long = at::<u32>("n", json!("é".repeat(1000)));
    let got = long[0].split("got ").nth(1).expect("what came");
    assert_eq!(got.chars().count(), 60);
    assert!(got.ends_with('…'), "{got}");
    let many = at::<Vec<u8>>("list", json!(vec!["x"; 1000]));
    assert_eq!(many.len(), 21);
    assert_eq!(many[20], "and more");
}

#[test]
fn an_unknown_argument_gets_the_nearest_name_and_all_names() {
    assert_eq!(
        unknown("depth", &["maxDepth", "query"]),
        "depth: no such argument; did you mean `maxDepth`? This tool takes: maxDepth, query"
    );
    assert_eq!(
        unknown("qurey", &["maxDepth", "query"]),
        "qurey: no such argument; did you mean `query`? This tool takes: maxDepth, query"
    );
    assert_eq!(
        unknown("max_depth", &["depth", "maxDepth"]),
        "max_depth: no such argument; did you mean `maxDepth`? This tool takes: depth, maxDepth"
    );
    assert_eq!(unknown("path", &["topic"]), "path: no such argument. This tool takes: topic");
    assert_eq!(unknown("x", &[]), "x: no such argument. This tool takes no arguments.");
}

#[test]
fn a_closed_object_refuses_other_names() {
    assert_eq!(
        at::<Closed>("", json!({"only": true, "onyl": 1})),
        ["onyl: no such argument; did you mean `only`? This tool takes: only"]
    );
    assert_eq!(
        at::<Closed>("inner", json!({"only": true, "a b": 1})),
        [r#"inner["a b"]: no such field. This object takes: only"#]
    );
}

#[test]
fn in_a_union_the_problems_of_the_tagged_branch_are_told() {
    assert_eq!(
        at::<Shape>("shape", json!({"kind": "circle", "radius": "big"})),
        [r#"shape.radius: expected a number, got "big""#]
    );
    assert_eq!(
        at::<Shape>("shape", json!({"kind": "tri"})),
        [r#"shape.kind: expected one of "circle", "square", "point", got "tri""#]
    );
    assert_eq!(
        at::<Shape>("shape", json!({})),
        [r#"shape.kind: missing; expected one of "circle", "square", "point""#]
    );
    assert_eq!(at::<Shape>("shape", json!(1)), ["shape: expected an object, got 1"]);
    assert_eq!(
        at::<External>("e", json!({"Three": 1})),
        [r#"e: expected an object with one key of "One", "Two", "Named", got {"Three":1}"#]
    );
    assert_eq!(
        at::<External>("e", json!("none")),
        [r#"e: expected one of "Nothing", "All" or an object, got "none""#]
    );
    assert_eq!(
        at::<External>("e", json!({"One": -1})),
        ["e.One: expected an integer from 0 to 4294967295, got -1"]
    );
    assert_eq!(
        at::<Untagged>("u", json!(true)),
        ["u: expected an integer or a string or an array, got true"]
    );
}

#[test]
fn a_value_that_fits_has_no_problem() {
    assert!(at::<Shape>("", json!({"kind": "square", "side": 3})).is_empty());
    assert!(at::<Tree>("", json!({"name": "a", "children": [{"name": "b", "children": []}]})).is_empty());
    assert_eq!(
        at::<Tree>("", json!({"name": "a", "children": [{"name": 1, "children": []}]})),
        ["children[0].name: expected a string, got 1"]
    );
}

fn bounded() -> Value {
    json!({"copies": 1, "page": 1, "title": "t", "tags": [], "slug": "s", "step": 5, "version": 3})
}

#[test]
fn bounds_that_serde_does_not_enforce_are_checked() {
    assert!(bounds::<Bounds>(bounded()).is_empty());
    let wrong = json!({
        "copies": 11, "page": 0, "title": "", "tags": ["a", "b", "c", "too long"],
        "slug": "s", "step": 7, "version": 4,
    });
    assert_eq!(
        bounds::<Bounds>(wrong),
        [
            "copies: expected an integer from 1 to 10, got 11",
            r#"title: expected a string of 1 to 80 characters, got """#,
            "tags: expected an array of at most 3 items, got 4",
            r#"tags[3]: expected a string of at most 5 characters, got "too long""#,
            "step: expected an integer from -2147483648 to 2147483647, a multiple of 5, got 7",
            "version: expected 3, got 4",
            "page: expected an integer of at least 1, got 0",
        ]
    );
    let twice = bounds::<std::collections::BTreeSet<u8>>(json!([1, 2, 1]));
    assert_eq!(twice, ["[2]: expected no item twice, got 1 again"]);
}

#[test]
fn what_serde_accepted_by_another_name_or_type_is_left_to_it() {
    let mut value = bounded();
    value["q"] = json!("an alias");
    value["copies"] = json!("2");
    assert!(bounds::<Bounds>(value).is_empty());
    assert!(bounds::<Plain>(json!("an alias")).is_empty());
    assert!(bounds::<Closed>(json!({"by": "alias"})).is_empty());
}

#[test]
fn sixty_four_bits_are_compared_exactly() {
    let schema = json!({"type": "integer", "maximum": u64::MAX - 1});
    let found = problems(&json!(u64::MAX), &schema, &schema, "n", Mode::Full);
    assert_eq!(found.len(), 1);
    assert!(problems(&json!(u64::MAX - 1), &schema, &schema, "n", Mode::Full).is_empty());
}

#[test]
fn a_bound_holds_for_every_item_of_a_long_list() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    #[serde(tag = "kind")]
    enum Item {
        A {
            #[schemars(range(max = 3))]
            n: u8,
        },
        B,
    }
    let mut list = vec![json!({"kind": "A", "n": 1}); 100_000];
    list.push(json!({"kind": "A", "n": 4}));
    assert_eq!(
        bounds::<Vec<Item>>(Value::Array(list)),
        ["[100000].n: expected an integer from 0 to 3, got 4"]
    );
}

#[test]
fn a_union_that_cannot_be_followed_to_its_end_is_refused() {
    let schema = json!({"$ref": "#/$defs/T"});
    let root = json!({"$defs": {"T": {"anyOf": [
        {"type": "array", "items": {"$ref": "#/$defs/T"}},
        {"type": "array", "items": {"$ref": "#/$defs/T"}},
    ]}}});
    let mut value = json!([1]);
    for _ in 0..100 {
        value = json!([value]);
    }
    let found = problems(&value, &schema, &root, "", Mode::ConstraintsOnly);
    assert!(found.iter().any(|one| one.message == "nested too deeply to be checked"));
}
