use serde_json::{Value, json};

use super::types::*;
use crate::schema::{Direction, Generated, Part, Property, input, output_root, root, verify};

fn property(name: &str, schema: Generated) -> Property<'_> {
    Property {
        name,
        description: None,
        schema,
        required: true,
        default: None,
        minimum: None,
        maximum: None,
        header: None,
    }
}

#[test]
fn a_tool_without_parameters_has_an_empty_closed_object() {
    let built = root(vec![], true).expect("nothing to refuse");
    assert_eq!(built.to_text(), r#"{"type":"object","properties":{},"additionalProperties":false}"#);
    let open = root(vec![], false).expect("nothing to refuse");
    assert_eq!(open.to_text(), r#"{"type":"object","properties":{}}"#);
}

#[test]
fn parameters_stand_as_they_were_declared() {
    let parts = vec![
        Part::Property(property("title", input::<str>())),
        Part::Property(Property { required: false, ..property("mode", input::<Option<Plain>>()) }),
        Part::Property(Property {
            description: Some("Number of copies"),
            minimum: Some(json!(1)),
            maximum: Some(json!(10)),
            default: Some(json!(2)),
            required: false,
            header: Some("Copies"),
            ..property("copies", input::<u32>())
        }),
    ];
    let built = root(parts, true).expect("a flat object");
    assert_eq!(
        built.to_text(),
        concat!(
            r#"{"type":"object","properties":{"title":{"type":"string"},"#,
            r#""mode":{"type":"string","enum":["fast","slow"]},"#,
            r#""copies":{"type":"integer","description":"Number of copies","default":2,"minimum":1,"#,
            r#""maximum":10,"x-mcp-header":"Copies"}},"required":["title"],"additionalProperties":false}"#
        )
    );
    assert!(built.constrained);
    assert_eq!(built.order, ["title", "mode", "copies"]);
    assert!(verify(&built.schema, Direction::Input).is_empty());
}

#[test]
fn a_parameters_own_documentation_wins_and_the_variants_stay() {
    let parameter =
        Property { description: Some("Of the search"), ..property("mode", input::<Option<Mode>>()) };
    let built = root(vec![Part::Property(parameter)], true).expect("a flat object");
    let text = &built.schema["properties"]["mode"]["description"];
    assert_eq!(text, "Of the search\nfast: Quick and rough; slow: Careful");
    let bare = root(vec![Part::Property(property("mode", input::<Mode>()))], true).expect("a flat object");
    let text = &bare.schema["properties"]["mode"]["description"];
    assert_eq!(text, "How thorough.\nfast: Quick and rough; slow: Careful");
    let place = Property { description: Some("Here"), ..property("at", input::<Place>()) };
    let built = root(vec![Part::Property(place)], true).expect("a flat object");
    assert_eq!(built.schema["properties"]["at"]["description"], "Here");
}

#[test]
fn a_looser_bound_does_not_widen_the_type() {
    let parameter =
        Property { minimum: Some(json!(-5)), maximum: Some(json!(1000)), ..property("n", input::<u8>()) };
    let built = root(vec![Part::Property(parameter)], true).expect("a flat object");
    assert_eq!(built.schema["properties"]["n"], json!({"type": "integer", "minimum": 0, "maximum": 255}));
}

#[test]
fn definitions_of_one_name_and_two_types_live_side_by_side() {
    let parts = vec![
        Part::Property(property("one", input::<Tree>())),
        Part::Property(property("other", input::<other::Tree>())),
        Part::Property(property("again", input::<Vec<Tree>>())),
    ];
    let built = root(parts, true).expect("a flat object");
    let defs = built.schema["$defs"].as_object().expect("definitions");
    assert_eq!(defs.keys().collect::<Vec<_>>(), ["Tree", "Tree2"]);
    let properties = &built.schema["properties"];
    assert_eq!(properties["one"]["properties"]["children"]["items"]["$ref"], "#/$defs/Tree");
    assert_eq!(properties["other"]["properties"]["twigs"]["items"]["$ref"], "#/$defs/Tree2");
    assert_eq!(defs["Tree2"]["properties"]["twigs"]["items"]["$ref"], "#/$defs/Tree2");
    assert_eq!(properties["again"]["items"]["properties"]["children"]["items"]["$ref"], "#/$defs/Tree");
    assert_eq!(verify(&built.schema, Direction::Input), Vec::<String>::new());
    let validator = jsonschema::draft202012::new(&built.schema).expect("it compiles");
    let folder = json!({"name": "a", "children": []});
    let twig = json!({"weight": 1, "twigs": [{"weight": 2, "twigs": []}]});
    assert!(validator.is_valid(&json!({"one": folder, "other": twig, "again": []})));
    assert!(!validator.is_valid(&json!({"one": twig, "other": twig, "again": []})));
}

#[test]
fn the_fields_of_a_struct_become_arguments() {
    let parts = vec![Part::Property(property("first", input::<bool>())), Part::Whole(input::<Nested>())];
    let built = root(parts, true).expect("a flat object");
    assert_eq!(built.order, ["first", "from", "to", "stops", "via"]);
    assert_eq!(built.schema["required"], json!(["first", "from", "to", "stops"]));
    assert_eq!(built.schema["additionalProperties"], json!(false));
    let open = root(vec![Part::Whole(input::<Flattened>())], true).expect("a flat object");
    assert_eq!(open.schema["additionalProperties"], json!({}), "its map takes what is left");
}

#[test]
fn what_is_no_flat_object_is_refused_with_advice() {
    let parts = vec![
        Part::Whole(input::<Shape>()),
        Part::Whole(input::<Vec<u8>>()),
        Part::Property(property("only", input::<bool>())),
        Part::Whole(input::<Closed>()),
    ];
    let mistakes = root(parts, true).expect_err("three mistakes");
    assert_eq!(mistakes.len(), 3);
    assert!(mistakes[0].contains("take this type as a parameter of its own"), "{}", mistakes[0]);
    assert_eq!(mistakes[2], "two arguments are named `only`: rename one of them");
}

#[test]
fn an_object_is_a_result_as_it_is_and_everything_else_goes_under_result() {
    let object = output_root::<Place>().expect("a schema");
    assert!(!object.wrapped);
    assert_eq!(object.schema["required"], json!(["lat", "lon"]));
    let map = output_root::<std::collections::HashMap<String, u8>>().expect("a schema");
    assert!(!map.wrapped);
    let text = output_root::<String>().expect("a schema");
    assert!(text.wrapped);
    assert_eq!(
        text.schema,
        json!({
            "type": "object",
            "properties": {"result": {"type": "string"}},
            "required": ["result"],
            "x-fastmcp-wrap-result": true,
        })
    );
    for wrapped in [
        output_root::<Shape>(),
        output_root::<FlattenedEnum>(),
        output_root::<Option<Place>>(),
        output_root::<Vec<Tree>>(),
        output_root::<Value>(),
    ] {
        assert!(wrapped.expect("a schema").wrapped);
    }
    assert_eq!(output_root::<()>(), None);
}

#[test]
fn a_default_of_null_is_no_default() {
    let parameter = Property { default: Some(Value::Null), ..property("n", input::<Option<u8>>()) };
    let built = root(vec![Part::Property(parameter)], true).expect("a flat object");
    assert!(built.schema["properties"]["n"].get("default").is_none());
}
