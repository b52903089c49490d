use serde_json::{Value, json};

use crate::schema::{Direction, verify};

#[allow(clippy::needless_pass_by_value, reason = "`json!` reads better without `&`")]
fn with(property: Value) -> Value {
    json!({"type": "object", "properties": {"p": property}})
}

/// The complaints about one property of an input schema.
#[allow(clippy::needless_pass_by_value, reason = "`json!` reads better without `&`")]
fn about(property: Value) -> Vec<String> {
    verify(&with(property), Direction::Input)
}

#[test]
fn each_rule_has_a_complaint_that_says_where() {
    let broken = [
        (json!(true), "write `{}`"),
        (json!({"type": "array"}), "`items`"),
        (json!({"type": "array", "items": true}), "/properties/p/items"),
        (json!({"type": "integer", "format": "uint32"}), "`format`"),
        (json!({"type": ["string", "null"]}), "one type"),
        (json!({"type": "text"}), "array, boolean"),
        (json!({"type": "null"}), "`Option`"),
        (json!({"type": "string", "title": "T"}), "`title`"),
        (json!({"type": "string", "nullable": true}), "`nullable`"),
        (json!({"type": "string", "enum": []}), "one value at least"),
        (json!({"type": "string", "enum": ["a", "a"]}), "twice"),
        (json!({"type": "string", "enum": ["a", null]}), "`null`"),
        (json!({"const": "a"}), "`enum` of one"),
        (json!({"type": "string", "default": null}), "leave it out"),
        (json!({"type": "integer", "default": "x"}), "does not fit"),
        (json!({"type": "string", "minimum": 1}), "bounds a number"),
        (json!({"type": "integer", "minimum": "1"}), "has to be a number"),
        (json!({"type": "integer", "minimum": 2, "maximum": 1}), "swap"),
        (json!({"type": "integer", "multipleOf": 0}), "above 0"),
        (json!({"type": "string", "minLength": -1}), "whole number"),
        (json!({"minLength": 1}), "\"type\": \"string\""),
        (json!({"properties": {}}), "\"type\": \"object\""),
        (json!({"type": "object", "properties": {"a": false}}), "/properties/p/properties/a"),
        (json!({"type": "object", "required": []}), "`required`"),
        (json!({"type": "object", "required": ["a"]}), "not among"),
        (json!({"type": "object", "patternProperties": {}}), "`additionalProperties`"),
        (json!({"anyOf": []}), "one at least"),
        (json!({"$ref": "#/$defs/Nowhere"}), "leads nowhere"),
        (json!({"$ref": "https://example.com/schema"}), "leads nowhere"),
        (json!({"type": "array", "items": {}, "prefixItems": [{}]}), "`prefixItems`"),
    ];
    for (schema, said) in broken {
        let complaints = about(schema.clone());
        assert!(complaints.iter().any(|one| one.contains(said)), "{schema}: {complaints:?}");
        assert!(complaints.iter().all(|one| one.starts_with("/properties/p")), "{complaints:?}");
    }
}

#[test]
fn names_and_values_that_look_like_keywords_are_left_alone() {
    let schema = json!({
        "type": "object",
        "properties": {"format": {"type": "string"}, "title": {"type": "string"}, "nullable": {}},
        "default": {"format": "uint32", "title": "x", "nullable": null},
        "examples": [{"format": "uint32", "type": ["a", "null"]}],
        "x-own": {"format": "uint32"},
    });
    assert_eq!(about(schema), Vec::<String>::new());
}

#[test]
fn the_root_of_arguments_is_a_plain_object() {
    let broken = [
        (json!({}), "`type`"),
        (json!({"type": "object"}), "`properties` is missing"),
        (json!({"type": "object", "properties": {}, "oneOf": [{}]}), "`oneOf` at the top"),
        (json!({"type": "array", "items": {}}), "`type`"),
    ];
    for (schema, said) in broken {
        let complaints = verify(&schema, Direction::Input);
        assert!(
            complaints.iter().any(|one| one.starts_with("the root") && one.contains(said)),
            "{complaints:?}"
        );
    }
}

#[test]
fn a_result_may_hold_null() {
    let schema = with(json!({"type": ["integer", "null"]}));
    assert_eq!(verify(&schema, Direction::Output), Vec::<String>::new());
    let schema = with(json!({"type": ["integer", "string"]}));
    assert_eq!(verify(&schema, Direction::Output).len(), 1);
}

#[test]
fn a_duration_gets_advice() {
    let complaints = about(json!({
        "type": "object",
        "properties": {"secs": {"type": "integer"}, "nanos": {"type": "integer"}},
    }));
    assert!(complaints[0].contains("timeout_seconds: u64"), "{complaints:?}");
}

#[test]
fn headers_are_tokens_on_primitive_arguments() {
    let header = |kind: &str, name: Value| json!({"type": kind, "x-mcp-header": name});
    assert_eq!(about(header("string", json!("Region"))), Vec::<String>::new());
    assert_eq!(about(header("boolean", json!("x_y.z-1"))), Vec::<String>::new());
    for (kind, name) in [
        ("number", json!("A")),
        ("object", json!("A")),
        ("string", json!("")),
        ("string", json!("a b")),
        ("string", json!("a\r\nb")),
        ("string", json!("é")),
        ("string", json!(5)),
    ] {
        assert_eq!(about(header(kind, name.clone())).len(), 1, "{kind} {name}");
    }
}

#[test]
fn headers_are_reached_by_properties_alone_and_differ_without_case() {
    let region = |name: &str| json!({"type": "string", "x-mcp-header": name});
    let nested = json!({"type": "object", "properties": {"inner": region("Region")}});
    assert_eq!(about(nested), Vec::<String>::new());
    let listed = json!({"type": "array", "items": region("Region")});
    assert!(about(listed)[0].contains("only on an argument"));
    let branch = json!({"anyOf": [{"type": "object", "properties": {"a": region("A")}}]});
    assert!(about(branch)[0].contains("only on an argument"));
    let twice = json!({
        "type": "object",
        "properties": {"a": region("Region"), "b": region("REGION")},
    });
    assert!(verify(&twice, Direction::Input)[0].contains("twice"));
}
