//! Bad input gets a clear error, and the server answers the next request.

use std::borrow::Cow;

use mcp_runtime::{Server, Version, prelude::*, tools};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};
use tests::peer::{Carrier, Peer};

use crate::{ERAS, connect, lives, peers};

#[tokio::test]
async fn broken_json_is_a_parse_error_without_an_id() {
    let texts = [
        "{",
        "not json",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list""#,
        "{'a':1}",
        "[",
        "[1,",
        "{}{}",
        "nul",
    ];
    for mut peer in peers(&Version::ALL).await {
        for text in texts {
            let reply = peer.malformed(text).await;
            assert_eq!(reply.code(), -32700, "{text}, {peer:?}");
            assert_eq!(reply.0.get("id"), None, "{text}, {peer:?}");
            // Of a burst on stdio only the first is answered: this ends it.
            lives(&mut peer).await;
        }
    }
}

#[tokio::test]
async fn what_is_no_message_is_an_invalid_request_without_an_id() {
    let texts = [
        r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1e3,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":[1],"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":true,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","method":7}"#,
        r#"{}"#,
        "\"text\"",
        "7",
        "null",
        "true",
    ];
    for mut peer in peers(&Version::ALL).await {
        for text in texts {
            let reply = peer.malformed(text).await;
            assert_eq!(reply.code(), -32600, "{text}, {peer:?}");
            assert_eq!(reply.0.get("id"), None, "{text}, {peer:?}");
            // Of a burst on stdio only the first is answered: this ends it.
            lives(&mut peer).await;
        }
    }
}

#[tokio::test]
async fn an_invalid_request_is_refused_under_its_id() {
    let texts = [
        (-32600, r#"{"id":901,"method":"tools/list"}"#),
        (-32600, r#"{"jsonrpc":"1.0","id":902,"method":"tools/list"}"#),
        (-32600, r#"{"jsonrpc":2.0,"id":903,"method":"tools/list"}"#),
        (-32600, r#"{"jsonrpc":"2.0","id":904,"method":7}"#),
        (-32600, r#"{"jsonrpc":"2.0","id":905}"#),
        (-32602, r#"{"jsonrpc":"2.0","id":907,"method":"tools/list","params":[]}"#),
        (-32602, r#"{"jsonrpc":"2.0","id":908,"method":"tools/list","params":"text"}"#),
    ];
    for mut peer in peers(&Version::ALL).await {
        for (code, text) in texts {
            let id = serde_json::from_str::<Value>(text).expect("JSON")["id"].clone();
            let reply = peer.text(&id, "tools/list", text).await;
            assert_eq!(reply.code(), code, "{text}, {peer:?}");
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn what_looks_like_an_answer_is_never_answered() {
    let texts = [
        r#"{"jsonrpc":"2.0","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#,
        r#"{"jsonrpc":"2.0","id":906,"result":{},"error":{"code":1,"message":"both"}}"#,
        r#"{"jsonrpc":"2.0","id":907,"error":{"code":1,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","id":908,"result":null}"#,
    ];
    for mut peer in [
        connect(Carrier::Memory, Version::NEWEST_LEGACY).await,
        connect(Carrier::Stdio, Version::NEWEST_LEGACY).await,
    ] {
        for text in texts {
            peer.send(text.to_owned()).await;
            lives(&mut peer).await;
        }
    }
}

#[tokio::test]
async fn an_id_comes_back_as_it_was_sent() {
    for mut peer in peers(&Version::ALL).await {
        for id in [
            json!("a \"quoted\" §"),
            json!(""),
            json!("7"),
            json!(7_u64),
            json!(-1),
            json!(9_007_199_254_740_993_u64),
        ] {
            let params = peer.params(json!({ "name": "echo", "arguments": { "text": "x" } }));
            let text =
                json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string();
            assert_eq!(peer.text(&id, "tools/call", text).await.text(), "x", "{id}, {peer:?}");
        }
    }
}

#[tokio::test]
async fn a_batch_is_refused_where_the_revision_has_none() {
    for mut peer in
        peers(&[Version::V2024_11_05, Version::V2025_06_18, Version::V2025_11_25, Version::NEWEST]).await
    {
        let params = peer.params(json!({ "name": "echo", "arguments": { "text": "x" } }));
        let call = json!({ "jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": params });
        for batch in [json!([call]), json!([call, call]), json!([]), json!([7])] {
            let reply = peer.malformed(batch.to_string()).await;
            assert_eq!(reply.code(), -32600, "{peer:?}");
            assert!(reply.message().contains("batch"), "{}", reply.message());
            lives(&mut peer).await;
        }
    }
}

#[tokio::test]
async fn a_batch_of_2025_03_26_is_answered_message_by_message() {
    for mut peer in peers(&[Version::V2025_03_26]).await {
        let batch = json!([
            { "jsonrpc": "2.0", "id": 801, "method": "ping" },
            { "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 5 } },
            { "jsonrpc": "2.0", "id": 802, "method": "tools/call", "params": { "name": "echo", "arguments": { "text": "x" } } },
            { "jsonrpc": "2.0", "id": 803, "method": "no/such" },
            { "jsonrpc": "2.0", "id": 804, "method": "initialize", "params": {} },
            { "jsonrpc": "2.0", "id": null, "method": "ping" },
        ]);
        for (id, method) in [(801, "ping"), (802, "tools/call"), (803, ""), (804, "initialize")] {
            peer.remember(&json!(id), method);
        }
        peer.send(batch.to_string()).await;
        assert_eq!(peer.answer(&json!(801)).await.result(), &json!({}));
        assert_eq!(peer.answer(&json!(802)).await.text(), "x");
        assert_eq!(peer.answer(&json!(803)).await.code(), -32601);
        assert_eq!(peer.answer(&json!(804)).await.code(), -32600);
        assert_eq!(peer.answer(&Value::Null).await.code(), -32600);
        assert_eq!(peer.malformed("[]").await.code(), -32600);
        peer.send(r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#.into()).await;
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn an_unknown_method_is_told_by_its_name() {
    for mut peer in peers(&Version::ALL).await {
        for method in ["no/such", "tools/cal", "", "tools/list/", "notifications/initialized"] {
            let reply = peer.request(method, json!({})).await;
            assert_eq!(reply.code(), -32601, "{method:?}, {peer:?}");
            assert!(reply.message().contains(method), "{}", reply.message());
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn an_unknown_tool_is_told_with_the_nearest_name() {
    for mut peer in peers(&Version::ALL).await {
        let reply = peer.call("ecko", json!({ "text": "x" })).await;
        assert_eq!((reply.code(), reply.message()), (-32602, "Unknown tool: ecko; did you mean `echo`?"));
        let reply = peer.call("quite-another", json!({})).await;
        assert_eq!((reply.code(), reply.message()), (-32602, "Unknown tool: quite-another"));
        assert_eq!(peer.request("tools/call", json!({})).await.message(), "`params.name` is missing");
        assert_eq!(
            peer.request("tools/call", json!({ "name": 7 })).await.message(),
            "`params.name` has to be a string"
        );
        lives(&mut peer).await;
    }
}

/// What is accepted although it is not quite what was declared, or because it is.
const ACCEPTED: &[(&str, &str, &str)] = &[
    ("few", r#"{"copies":7}"#, "7"),
    ("few", r#"{"copies":"7"}"#, "7"),
    ("few", r#"{"copies":7.0}"#, "7"),
    ("few", r#"{"copies":1e1}"#, "10"),
    ("few", r#""{\"copies\":7}""#, "7"),
    ("crawl", r#"{"depth":"1","deep":"true"}"#, "1 true None"),
    ("crawl", r#"{"depth":1,"deep":false,"ratio":"0.5"}"#, "1 false Some(0.5)"),
    ("crawl", r#"{"depth":1,"deep":false,"ratio":null}"#, "1 false None"),
    ("unsigned", r#"{"n":18446744073709551615}"#, "18446744073709551615"),
    ("unsigned", r#"{"n":"18446744073709551615"}"#, "18446744073709551615"),
    ("unsigned", r#"{"n":7960607143101464576}"#, "7960607143101464576"),
    ("unsigned", r#"{"n":"9007199254740993"}"#, "9007199254740993"),
    ("signed", r#"{"n":-9223372036854775808}"#, "-9223372036854775808"),
    ("signed", r#"{"n":9007199254740993}"#, "9007199254740993"),
    (
        "huge",
        r#"{"n":340282366920938463463374607431768211455,"below":-170141183460469231731687303715884105728}"#,
        "340282366920938463463374607431768211455 -170141183460469231731687303715884105728",
    ),
    (
        "mixed",
        r#"{"tags":["a"],"mode":"fast","place":{"city":"Oslo","floor":3}}"#,
        r#"["a"] Fast Place { city: "Oslo", floor: 3 } None"#,
    ),
    (
        "mixed",
        r#"{"tags":"[\"a\",\"b\"]","mode":"slow","place":"{\"city\":\"Oslo\"}","counts":"{\"x\":\"1\"}"}"#,
        r#"["a", "b"] Slow Place { city: "Oslo", floor: 0 } Some({"x": 1})"#,
    ),
    ("order", r#"{"items":[{"qty":2},{"qty":"3"},{"qty":4.0}]}"#, "9"),
    ("order", r#"{"items":[]}"#, "0"),
    ("measure", r#"{"shape":{"kind":"circle","radius":1.5}}"#, "Circle { radius: 1.5 }"),
    ("measure", r#"{"shape":{"kind":"square","side":"2"}}"#, "Square { side: 2.0 }"),
    ("measure", r#"{"shape":"{\"kind\":\"square\",\"side\":2}"}"#, "Square { side: 2.0 }"),
    ("anything", r#"{"payload":"[1]"}"#, r#""[1]""#),
    ("anything", r#"{"payload":null}"#, "null"),
    ("anything", r#"{"payload":{"n":18446744073709551615}}"#, r#"{"n":18446744073709551615}"#),
    ("defaults", r#"{}"#, "10 en"),
    ("defaults", r#"null"#, "10 en"),
    ("defaults", r#"{"limit":null,"language":null}"#, "10 en"),
    ("defaults", r#"{"limit":3,"language":"no"}"#, "3 no"),
    ("renamed", r#"{"maxDepth":2}"#, "2"),
    ("regional", r#"{"region":"north"}"#, "north"),
    ("search", r#"{"text":"x"}"#, "x None"),
    ("search", r#"{"text":"x","limit":"3"}"#, "x Some(3)"),
    ("search", r#"{"text":"x","max":3}"#, "x Some(3)"),
    ("search", r#""{\"text\":\"x\",\"max\":3}""#, "x Some(3)"),
    ("lenient", r#"{"topic":"a","extra":1}"#, "a"),
    ("read_doc", r#"{"topic":"5","section":"[1]"}"#, r#"Some("5") Some("[1]")"#),
    ("read_doc", r#"{"topic":"a\nb\u00a7"}"#, r#"Some("a\nb§") None"#),
    ("read_doc", r#"{"topic":null}"#, "None None"),
];

#[tokio::test]
async fn arguments_are_read_exactly_and_leniently_only_toward_their_type() {
    for mut peer in peers(&ERAS).await {
        for (tool, arguments, text) in ACCEPTED {
            let reply = peer.call_text(tool, arguments).await;
            assert_eq!(reply.text(), *text, "{tool} {arguments}, {peer:?}");
            assert_ne!(reply.result()["isError"], true, "{tool} {arguments}, {peer:?}");
        }
    }
}

/// What is refused, and all that is said of it.
const REFUSED: &[(&str, &str, &str)] = &[
    ("few", r#"{}"#, "copies: missing; expected an integer from 1 to 10"),
    ("few", r#"null"#, "copies: missing; expected an integer from 1 to 10"),
    ("few", r#"{"copies":0}"#, "copies: expected an integer from 1 to 10, got 0"),
    ("few", r#"{"copies":11}"#, "copies: expected an integer from 1 to 10, got 11"),
    ("few", r#"{"copies":"11"}"#, "copies: expected an integer from 1 to 10, got 11"),
    ("few", r#"{"copies":-1}"#, "copies: expected an integer from 1 to 10, got -1"),
    ("few", r#"{"copies":1.5}"#, "copies: expected an integer from 1 to 10, got 1.5"),
    ("few", r#"{"copies":"two"}"#, r#"copies: expected an integer from 1 to 10, got "two""#),
    ("few", r#"{"copies":" 2"}"#, r#"copies: expected an integer from 1 to 10, got " 2""#),
    ("few", r#"{"copies":null}"#, "copies: expected an integer from 1 to 10, got null"),
    ("few", r#"{"copies":true}"#, "copies: expected an integer from 1 to 10, got true"),
    ("few", r#"{"copies":[1]}"#, "copies: expected an integer from 1 to 10, got [1]"),
    ("few", r#"{"copies":1,"copies":2}"#, "copies: given twice"),
    ("few", r#"[]"#, "expected an object, got an array"),
    ("few", r#"[1]"#, "expected an object, got an array"),
    ("few", r#""text""#, "expected an object, got a string"),
    ("few", r#"7"#, "expected an object, got a number"),
    ("few", r#"false"#, "expected an object, got a boolean"),
    (
        "renamed",
        r#"{"depth":2}"#,
        "depth: no such argument; did you mean `maxDepth`? This tool takes: maxDepth\n\
         maxDepth: missing; expected an integer of at least 0",
    ),
    ("read_doc", r#"{"path":"x"}"#, "path: no such argument. This tool takes: topic, section"),
    ("nothing", r#"{"x":1}"#, "x: no such argument. This tool takes no arguments."),
    ("read_doc", r#"{"topic":5}"#, "topic: expected a string, got 5"),
    ("read_doc", r#"{"topic":{"a":[1,2]}}"#, r#"topic: expected a string, got {"a":[1,2]}"#),
    ("order", r#"{"items":[{"qty":"x"}]}"#, r#"items[0].qty: expected an integer of at least 0, got "x""#),
    (
        "order",
        r#"{"items":[{"qty":-1},{"qty":1.5},{}]}"#,
        "items[0].qty: expected an integer from 0 to 4294967295, got -1\n\
         items[1].qty: expected an integer of at least 0, got 1.5\n\
         items[2].qty: missing; expected an integer of at least 0 (How many)",
    ),
    ("order", r#"{"items":"[1"}"#, r#"items: expected an array, got "[1""#),
    (
        "mixed",
        r#"{"tags":[],"mode":"medium","place":{"city":"Oslo","floor":200}}"#,
        "mode: expected one of \"fast\", \"slow\", got \"medium\"\n\
         place.floor: expected an integer from -128 to 127, got 200",
    ),
    ("crawl", r#"{"depth":1,"deep":"yes"}"#, r#"deep: expected true or false, got "yes""#),
    (
        "crawl",
        r#"{"depth":4294967296,"deep":1}"#,
        "depth: expected an integer from 0 to 4294967295, got 4294967296\ndeep: expected true or false, got 1",
    ),
    ("unsigned", r#"{"n":-1}"#, "n: expected an integer of at least 0, got -1"),
    ("unsigned", r#"{"n":9007199254740993.0}"#, "n: "),
    ("unsigned", r#"{"n":18446744073709551616}"#, "n: "),
    ("signed", r#"{"n":9223372036854775808}"#, "n: "),
    ("huge", r#"{"n":-1,"below":0}"#, "n: "),
    ("measure", r#"{"shape":{"kind":"triangle"}}"#, "shape"),
    ("search", r#"{"text":"x","limit":1,"max":3}"#, "duplicate field `limit`"),
    ("search", r#"{"text":"x","max":"many"}"#, "inval"),
    ("search", r#"{"limit":3}"#, "text: missing; expected a string (What to look for)"),
    (
        "search",
        r#"{"text":"x","limt":3}"#,
        "limt: no such argument; did you mean `limit`? This tool takes: text, limit",
    ),
];

#[tokio::test]
async fn what_is_wrong_with_arguments_is_said_in_full() {
    let mut wrong = Vec::new();
    for mut peer in peers(&ERAS).await {
        for (tool, arguments, why) in REFUSED {
            let reply = peer.call_text(tool, arguments).await;
            let text = reply.failure();
            let said = text.strip_prefix(&format!("Invalid arguments for {tool}: "));
            let right =
                said.is_some_and(|said| if why.len() > 5 { said == *why } else { said.starts_with(why) });
            if !right {
                wrong.push(format!("{tool} {arguments}, {peer:?}:\n  said {text}\n  not  {why}"));
            }
        }
        lives(&mut peer).await;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn arguments_left_out_are_no_arguments() {
    for mut peer in peers(&ERAS).await {
        let reply = peer.request("tools/call", json!({ "name": "defaults" })).await;
        assert_eq!(reply.text(), "10 en");
        let reply = peer.request("tools/call", json!({ "name": "few" })).await;
        assert!(reply.failure().contains("copies: missing"), "{}", reply.failure());
    }
}

#[tokio::test]
async fn a_long_value_is_cut_where_it_is_shown() {
    for mut peer in peers(&ERAS).await {
        let reply = peer.call("few", json!({ "copies": "x".repeat(100_000) })).await;
        assert!(reply.failure().len() < 300, "{} bytes", reply.failure().len());
        let reply = peer.call("few", json!({ "y".repeat(100_000): 1 })).await;
        assert!(reply.failure().len() < 500, "{} bytes", reply.failure().len());
    }
}

#[tokio::test]
async fn deep_nesting_is_refused_and_harmless() {
    for mut peer in peers(&[Version::NEWEST_LEGACY]).await {
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        let id = peer.fresh();
        let params = peer.params(json!({ "name": "anything", "arguments": { "payload": "DEEP" } }));
        let text =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string();
        peer.remember(&id, "tools/call");
        peer.send(text.replace("\"DEEP\"", &deep)).await;
        deep_is_refused(&mut peer, &id).await;
        lives(&mut peer).await;
    }
}

/// Where the whole message cannot be read there is no id to answer under.
async fn deep_is_refused(peer: &mut Peer, id: &Value) {
    let reply = peer.either(id).await;
    match reply.0.get("error") {
        Some(error) => {
            assert!([-32700, -32602].contains(&error["code"].as_i64().unwrap_or_default()), "{}", reply.0);
        }
        None => assert_eq!(reply.result()["isError"], true, "{}", reply.0),
    }
}

/// A grade, which is a number on the wire.
#[derive(Debug, Deserialize)]
#[serde(try_from = "u8")]
enum Grade {
    Good,
    Fair,
    Poor,
}

impl TryFrom<u8> for Grade {
    type Error = String;

    fn try_from(number: u8) -> std::result::Result<Self, String> {
        match number {
            0 => Ok(Self::Good),
            1 => Ok(Self::Fair),
            3 => Ok(Self::Poor),
            _ => Err(format!("there is no grade {number}")),
        }
    }
}

impl JsonSchema for Grade {
    fn schema_name() -> Cow<'static, str> {
        "Grade".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "enum": [0, 1, 3] })
    }
}

/// Takes a grade.
#[tool(toolset = "odd")]
fn grade(grade: Grade) -> String {
    format!("{grade:?}")
}

#[tokio::test]
async fn an_enum_of_numbers_stays_one() {
    for carrier in Carrier::HERE {
        for version in ERAS {
            let server = Server::empty("Odd", "1").tools(tools![grade]);
            let mut peer = Peer::connect(server, carrier, version).await;
            let list = peer.request("tools/list", json!({})).await;
            let property = &list.result()["tools"][0]["inputSchema"]["properties"]["grade"];
            assert_eq!(property, &json!({ "type": "integer", "enum": [0, 1, 3] }), "{peer:?}");
            for (number, text) in [(json!(3), "Poor"), (json!("0"), "Good"), (json!(1.0), "Fair")] {
                assert_eq!(peer.call("grade", json!({ "grade": number })).await.text(), text, "{peer:?}");
            }
            let refused = peer.call("grade", json!({ "grade": 2 })).await;
            assert!(
                refused.failure().starts_with("Invalid arguments for grade: grade"),
                "{}",
                refused.failure()
            );
        }
    }
}
