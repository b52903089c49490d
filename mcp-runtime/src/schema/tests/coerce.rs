use serde_json::{Value, json};

use super::types::*;
use crate::schema::{coerce, input};

/// What `value` becomes where a `T` is declared.
#[allow(clippy::needless_pass_by_value, reason = "`json!` reads better without `&`")]
fn toward<T: schemars::JsonSchema>(value: Value) -> Value {
    let generated = input::<T>();
    let root = json!({ "$defs": generated.defs });
    coerce(&value, &generated.schema, &root)
}

#[test]
fn a_whole_float_becomes_the_integer_that_is_declared() {
    assert_eq!(toward::<u32>(json!(30.0)), json!(30));
    let exponent: Value = serde_json::from_str("1e2").expect("a number");
    assert_eq!(toward::<i64>(exponent), json!(100));
    assert_eq!(toward::<i64>(json!(-0.0)), json!(0));
    assert_eq!(toward::<f64>(json!(30.0)), json!(30.0));
}

#[test]
fn nothing_is_rounded_or_clamped() {
    assert_eq!(toward::<u32>(json!(30.5)), json!(30.5));
    assert_eq!(toward::<u8>(json!(300)), json!(300));
    assert_eq!(toward::<u8>(json!("300")), json!(300), "serde refuses it then, with its range");
    assert_eq!(toward::<u64>(json!(9_007_199_254_740_992.0)), json!(9_007_199_254_740_992.0));
    assert_eq!(toward::<i64>(json!(9_007_199_254_740_991.0)), json!(9_007_199_254_740_991_i64));
    assert_eq!(toward::<i64>(json!(1e300)), json!(1e300));
}

#[test]
fn one_json_number_or_boolean_in_a_text_is_read_where_it_is_declared() {
    assert_eq!(toward::<u32>(json!("1")), json!(1));
    assert_eq!(toward::<i32>(json!("-3")), json!(-3));
    assert_eq!(toward::<u32>(json!("30.0")), json!(30));
    assert_eq!(toward::<f64>(json!("1.5")), json!(1.5));
    assert_eq!(toward::<bool>(json!("true")), json!(true));
    assert_eq!(toward::<bool>(json!("false")), json!(false));
    assert_eq!(toward::<Option<u32>>(json!("7")), json!(7));
}

#[test]
fn all_sixty_four_bits_of_an_integer_in_a_text_are_kept() {
    let exact = toward::<i64>(json!("7960607143101464576"));
    assert_eq!(exact, json!(7_960_607_143_101_464_576_i64));
    assert_eq!(toward::<u64>(json!("18446744073709551615")), json!(u64::MAX));
    assert_eq!(toward::<u64>(json!(u64::MAX)), json!(u64::MAX));
}

#[test]
fn a_text_that_is_not_exactly_one_number_or_boolean_stays() {
    for text in ["", " 1", "1 ", "+1", "01", "0x10", "1,000", "1_000", "NaN", "ten", "1.5", "[1]", "null"] {
        assert_eq!(toward::<u32>(json!(text)), json!(text));
    }
    for text in ["True", "yes", "1", "on", " true"] {
        assert_eq!(toward::<bool>(json!(text)), json!(text));
    }
    assert_eq!(toward::<bool>(json!(1)), json!(1));
    assert_eq!(toward::<u32>(json!(true)), json!(true));
}

#[test]
fn a_declared_text_stays_what_it_is() {
    for text in ["5", "true", "null", "[1]", "{\"a\":1}", "30.0"] {
        assert_eq!(toward::<String>(json!(text)), json!(text));
        assert_eq!(toward::<Value>(json!(text)), json!(text));
    }
    assert_eq!(toward::<String>(json!(5)), json!(5), "a number is not turned into a text");
}

#[test]
fn json_text_is_read_where_a_list_or_an_object_is_declared() {
    assert_eq!(toward::<Vec<String>>(json!("[\"a\",\"b\"]")), json!(["a", "b"]));
    assert_eq!(toward::<Place>(json!("{\"lat\":\"1\",\"lon\":2}")), json!({"lat": 1, "lon": 2}));
    assert_eq!(toward::<Vec<u8>>(json!("[\"1\", 2.0]")), json!([1, 2]));
    assert_eq!(toward::<Vec<u8>>(json!("{}")), json!("{}"), "another kind");
    assert_eq!(toward::<Vec<u8>>(json!("1,2")), json!("1,2"));
}

#[test]
fn null_is_dropped_for_what_may_be_left_out_only() {
    let value = json!({"from": {"lat": 1, "lon": 2}, "to": null, "via": null, "stops": []});
    let without = json!({"from": {"lat": 1, "lon": 2}, "to": null, "stops": []});
    assert_eq!(toward::<Nested>(value), without);
    let defaults = json!({"zero": null, "ten": null, "inner": {"name": null}});
    assert_eq!(toward::<Defaults>(defaults), json!({"inner": {}}));
    let any = toward::<Options>(json!({"any": null, "text": null, "items": [null]}));
    assert_eq!(any, json!({"any": null, "items": [null]}), "null is a value of `Value`");
}

#[test]
fn nested_values_are_read_at_every_depth() {
    let value = json!({"books": [{"title": "5", "author": {"books": "[{\"title\":\"x\"}]"}}]});
    let read = json!({"books": [{"title": "5", "author": {"books": [{"title": "x"}]}}]});
    assert_eq!(toward::<Author>(value), read);
}

#[test]
fn in_a_union_only_the_one_possible_reading_is_taken() {
    assert_eq!(toward::<Untagged>(json!("5")), json!("5"), "a text is one of the branches");
    assert_eq!(toward::<Untagged>(json!(5.0)), json!(5));
    let circle = toward::<Shape>(json!({"kind": "circle", "radius": "2.5"}));
    assert_eq!(circle, json!({"kind": "circle", "radius": 2.5}));
    let text = toward::<Shape>(json!("{\"kind\":\"square\",\"side\":\"3\"}"));
    assert_eq!(text, json!({"kind": "square", "side": 3}));
    let id = toward::<UntaggedObjects>(json!({"id": "7"}));
    assert_eq!(id, json!({"id": 7}));
    assert_eq!(toward::<External>(json!({"One": "7"})), json!({"One": 7}));
}

#[test]
fn what_was_read_is_what_serde_takes() {
    let value = toward::<Drawing>(json!({"shape": "{\"kind\":\"square\",\"side\":3.0}", "clip": null}));
    let drawing: Drawing = serde_json::from_value(value).expect("it fits now");
    assert_eq!(drawing, Drawing { shape: Shape::Square { side: Some(3) }, clip: None });
}

#[test]
fn a_recursive_union_ends() {
    let mut term = json!({"op": "number", "value": "1"});
    for _ in 0..40 {
        term = json!({"op": "add", "left": term, "right": {"op": "number", "value": "x"}});
    }
    // It would not come back if each level were tried again for each level above it.
    toward::<Term>(term);
}
