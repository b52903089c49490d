//! One reviewable file of types and their schemas; `UPDATE_GOLDEN=1` rewrites it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Write;
use std::net::IpAddr;
use std::num::{NonZeroI32, NonZeroU8, NonZeroU64};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::types::*;
use crate::schema::{
    Direction, Generated, Output, Part, Property, generate::output, input, output_root, root, to_text, verify,
};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/schema/golden.txt");

struct Entry {
    name: &'static str,
    input: Generated,
    output: Generated,
    output_root: Option<Output>,
}

macro_rules! table {
    ($($of:ty),* $(,)?) => {
        vec![$(Entry {
            name: stringify!($of),
            input: input::<$of>(),
            output: output::<$of>(),
            output_root: output_root::<$of>(),
        }),*]
    };
}

/// What the check at start has to complain about.
const REFUSED: &[&str] = &["Duration", "SystemTime", "Option<Duration>", "()", "Unit"];

fn table() -> Vec<Entry> {
    table![
        u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64,
        bool, char, String, str, (), PathBuf, IpAddr, NonZeroU8, NonZeroU64, NonZeroI32,
        Option<u8>, Option<u64>, Option<i32>, Option<f64>, Option<bool>, Option<char>,
        Option<String>, Option<Vec<String>>, Option<Place>, Option<Plain>, Option<Mode>,
        Option<Shape>, Option<Value>, Option<Option<u8>>, Option<Box<Tree>>, Option<(u8, String)>,
        Vec<u32>, Vec<String>, Vec<Option<u8>>, Vec<Place>, Vec<Value>, Vec<Vec<f64>>,
        [u8], [u8; 3], [String; 0], VecDeque<bool>, BTreeSet<u8>, HashSet<String>,
        (u8,), (f64, f64), (String, u32, Option<bool>),
        HashMap<String, u32>, HashMap<u32, String>, BTreeMap<i64, Place>, HashMap<String, Value>,
        BTreeMap<char, u8>, BTreeMap<Mode, u8>, HashMap<String, Option<u8>>,
        BTreeMap<NonZeroU8, Vec<u8>>,
        Value, serde_json::Map<String, Value>, serde_json::Number,
        Box<u32>, Arc<str>, Cow<'static, str>, Box<[Place]>, &'static str,
        Duration, SystemTime, Option<Duration>, std::ops::Range<u32>, Result<u8, String>,
        Place, Nested, Options, Empty, Unit, Copies, Pair, Transparent,
        Tree, other::Tree, Author, Term, Vec<Tree>,
        Plain, Mode, WithMode, LongDocs, Single, Shape, Drawing, External, Adjacent, Untagged,
        UntaggedObjects,
        Renamed, Defaults, Flattened, FlattenedEnum, Skipped, Closed, Page<u32>, Page<Place>,
        Named, Bounds, Headed, Formats, Borrowed<'static>, ByHand,
    ]
}

/// One schema on one line, its definitions in place.
fn line(generated: &Generated) -> String {
    let mut schema = generated.schema.clone();
    if !generated.defs.is_empty() {
        schema["$defs"] = generated.defs.clone().into();
    }
    to_text(&schema, &[])
}

#[test]
fn every_type_has_the_schema_that_the_table_shows() {
    let mut now = String::new();
    for Entry { name, input, output, .. } in table() {
        let bounded = if input.constrained { "  (bounded)" } else { "" };
        let name = name.replace('\n', " ");
        let _ = writeln!(now, "{name}{bounded}\n  in   {}", line(&input));
        if output.schema != input.schema || output.defs != input.defs {
            let _ = writeln!(now, "  out  {}", line(&output));
        }
        now.push('\n');
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(GOLDEN, &now).expect("the table can be written");
    }
    let kept = std::fs::read_to_string(GOLDEN).expect("the table is there");
    for (kept, now) in kept.split("\n\n").zip(now.split("\n\n")) {
        assert_eq!(kept, now, "UPDATE_GOLDEN=1 rewrites the table");
    }
    assert_eq!(kept, now, "UPDATE_GOLDEN=1 rewrites the table");
}

#[test]
fn the_table_has_more_than_sixty_types() {
    assert!(table().len() > 60);
}

fn as_parameter(schema: Generated) -> Value {
    let parameter = Property {
        name: "value",
        description: None,
        schema,
        required: true,
        default: None,
        minimum: None,
        maximum: None,
        header: None,
    };
    let built = root(vec![Part::Property(parameter)], true).expect("one property makes a root");
    built.schema
}

#[test]
fn every_schema_passes_the_check_at_start_but_for_what_nobody_can_fill_in() {
    for Entry { name, input, output_root, .. } in table() {
        let complaints = verify(&as_parameter(input), Direction::Input);
        assert_eq!(complaints.is_empty(), !REFUSED.contains(&name), "{name}: {complaints:#?}");
        if let Some(Output { schema, .. }) = output_root {
            let complaints = verify(&schema, Direction::Output);
            assert!(complaints.is_empty(), "{name}: {complaints:#?}");
        }
    }
}

#[test]
fn every_schema_is_valid_for_the_official_meta_schema() {
    for Entry { name, input, output_root, .. } in table() {
        let mut schemas = vec![as_parameter(input)];
        schemas.extend(output_root.map(|output| output.schema));
        for schema in schemas {
            let valid = jsonschema::draft202012::meta::validate(&schema);
            assert!(valid.is_ok(), "{name}: {:?}", valid.err());
            // Also compiles: every reference leads somewhere.
            assert!(jsonschema::draft202012::new(&schema).is_ok(), "{name}");
        }
    }
}

#[test]
fn the_text_of_a_schema_is_the_schema() {
    for Entry { name, input, .. } in table() {
        let schema = as_parameter(input);
        let text = to_text(&schema, &[]);
        let read: Value = serde_json::from_str(&text).expect("the text is JSON");
        assert_eq!(read, schema, "{name}");
    }
}

/// A value that Rust writes has to fit the schema that is listed for it, and the one for reading it.
fn fits<T>(value: &T)
where
    T: serde::Serialize + schemars::JsonSchema,
{
    let written = serde_json::to_value(value).expect("it can be written");
    let name = std::any::type_name::<T>();
    let Some(Output { schema, wrapped }) = output_root::<T>() else {
        assert!(written.is_null(), "{name}");
        return;
    };
    let result = if wrapped { json!({ "result": written }) } else { written };
    let validator = jsonschema::draft202012::new(&schema).expect("the schema compiles");
    let error = validator.validate(&result).err().map(|error| error.to_string());
    assert_eq!(error, None, "{name}: {result} for {schema}");
    let ours = crate::schema::problems(&result, &schema, &schema, "", crate::schema::Mode::Full);
    assert_eq!(ours, [], "{name}: {result} for {schema}");
}

#[test]
fn what_rust_writes_fits_the_output_schema() {
    let place = || Place { lat: 1.5, lon: -3.0 };
    let leaf = || Tree { name: "leaf".into(), children: vec![], parent: None };
    fits(&u64::MAX);
    fits(&i64::MIN);
    fits(&u32::MAX);
    fits(&i32::MIN);
    fits(&'é');
    fits(&());
    fits(&None::<u32>);
    fits(&Some(3_u8));
    fits(&None::<Place>);
    fits(&Some(place()));
    fits(&None::<Mode>);
    fits(&Some(Mode::Slow));
    fits(&None::<Shape>);
    fits(&Some(Shape::Point));
    fits(&None::<Value>);
    fits(&None::<Box<Tree>>);
    fits(&vec![None, Some(1_u8)]);
    fits(&(String::from("a"), 1_u32, None::<bool>));
    fits(&HashMap::from([(7_u32, "x".to_owned())]));
    fits(&BTreeMap::from([(Mode::Fast, 1_u8)]));
    fits(&HashMap::from([("a".to_owned(), None::<u8>)]));
    fits(&NonZeroI32::MIN);
    fits(&Nested { from: place(), to: place(), via: None, stops: vec![place()] });
    fits(&Options {
        zero: 0,
        text: None,
        list: None,
        mode: None,
        any: None,
        twice: None,
        items: vec![None],
        left_out: None,
    });
    fits(&Tree { name: "root".into(), children: vec![leaf()], parent: Some(Box::new(leaf())) });
    fits(&Author { books: vec![Book { author: None, title: "Dune".into() }] });
    fits(&Term::Add {
        left: Box::new(Term::Number { value: 1.0 }),
        right: Box::new(Term::Number { value: 2.0 }),
    });
    fits(&WithMode { mode: Mode::Fast, plain: Mode::Slow, then: None });
    fits(&Drawing { shape: Shape::Circle { radius: 1.0 }, clip: None });
    fits(&Shape::Square { side: None });
    fits(&vec![External::Nothing, External::One(1), External::Two(1, "b".into())]);
    fits(&External::Named { a: true });
    fits(&[Adjacent::A(1), Adjacent::B { text: "x".into() }, Adjacent::C]);
    fits(&Untagged::List(vec!["a".into()]));
    fits(&Renamed { max_depth: 1, kind: "k".into(), query: "q".into(), both: true });
    fits(&Flattened {
        name: "n".into(),
        place: place(),
        rest: BTreeMap::from([("more".into(), json!([1, null]))]),
    });
    fits(&FlattenedEnum { name: "n".into(), shape: Shape::Point });
    fits(&Skipped { seen: true, never: 1, read_only_by_us: 2, written_only_by_us: 3 });
    fits(&Page { items: vec![place()], next: None });
}
