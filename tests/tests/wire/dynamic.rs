//! Tools whose schema is given.

use mcp_runtime::{CallToolResult, DynamicTool, Server, Version, prelude::*};
use serde_json::{Map, Value, json};
use tests::peer::{Carrier, Peer};

use crate::ERAS;

/// Its keys are in no order that anybody would choose.
const ORDER: &str = r##"{"required": ["item", "count"],  "type":"object", "properties": {"notes": {"items": {"type": "string", "pattern": "^[a-z]+$"}, "type": "array"}, "item": {"type": "string", "minLength": 1}, "count": {"maximum": 10, "type": "integer", "minimum": 1}, "how": {"$ref": "#/$defs/how"}}, "additionalProperties": false, "$defs": {"how": {"enum": ["fast", "slow"]}}, "if": {"properties": {"how": {"const": "fast"}}, "required": ["how"]}, "then": {"required": ["notes"]}}"##;

fn order() -> DynamicTool {
    DynamicTool::new(
        "order",
        ORDER,
        |order: Map<String, Value>, _: Context| async move { Ok(Value::from(order)) },
    )
    .title("Order")
    .description("Orders something.")
    .destructive(false)
}

fn server() -> Server {
    Server::empty("Dynamic", "1").tools([order()])
}

#[tokio::test]
async fn a_given_schema_is_listed_byte_for_byte() {
    for version in Version::ALL {
        let mut peer = Peer::connect(server(), Carrier::Memory, version).await;
        let params = peer.params(json!({}));
        let text = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params }).to_string();
        let list = peer.raw(&text).await;
        assert!(list.contains(&format!("\"inputSchema\":{ORDER}")), "{list}");
    }
}

#[tokio::test]
async fn arguments_are_checked_against_all_of_the_schema_and_all_faults_are_told() {
    for carrier in Carrier::HERE {
        for version in ERAS {
            let mut peer = Peer::connect(server(), carrier, version).await;
            let good = json!({ "item": "tea", "count": 2 });
            let called = peer.call("order", good.clone()).await;
            assert_eq!(called.result()["structuredContent"], good, "{peer:?}");
            assert_eq!(called.text(), good.to_string());
            for (arguments, told) in [
                (
                    json!({ "count": 11, "itme": "tea", "notes": ["ok", "No"], "how": "maybe" }),
                    &[
                        "Invalid arguments for order: ",
                        "count: expected an integer from 1 to 10, got 11",
                        "item: missing; expected a string of at least 1 character",
                        "itme: no such argument; did you mean `item`? This tool takes: item, count, how, notes",
                        "notes[1]: expected a string that matches `^[a-z]+$`, got \"No\"",
                        "how: expected one of \"fast\", \"slow\", got \"maybe\"",
                    ][..],
                ),
                (json!({ "item": "tea", "count": 1, "how": "fast" }), &["notes: missing"]),
                (
                    json!({ "item": "tea", "count": "two" }),
                    &["count: expected an integer from 1 to 10, got \"two\""],
                ),
                (json!([]), &["expected an object"]),
                (Value::Null, &["item: missing", "count: missing"]),
            ] {
                let failed = peer.call("order", arguments).await;
                for told in told {
                    assert!(failed.failure().contains(told), "{told}: {}", failed.failure());
                }
            }
            let twice = peer.call_text("order", r#"{"item":"a","item":"b","count":1}"#).await;
            assert!(twice.failure().contains("item: given twice"), "{}", twice.failure());
        }
    }
}

#[tokio::test]
async fn arguments_are_read_leniently_toward_the_given_schema() {
    let mut peer = Peer::connect(server(), Carrier::Memory, Version::NEWEST).await;
    let called = peer.call("order", json!({ "item": "tea", "count": "3", "notes": "[\"hot\"]" })).await;
    let read = json!({ "item": "tea", "count": 3, "notes": ["hot"] });
    assert_eq!(called.result()["structuredContent"], read);
}

#[tokio::test]
async fn a_result_keeps_what_its_output_schema_promises_or_is_an_error() {
    let schema = r#"{"type":"object","required":["total"],"properties":{"total":{"type":"integer"}}}"#;
    let tool = |name: &str, result: fn() -> CallToolResult| {
        DynamicTool::new(
            name,
            r#"{"type":"object"}"#,
            move |_: Value, _: Context| async move { Ok(result()) },
        )
        .output_schema(schema)
    };
    let server = Server::empty("Dynamic", "1").tools([
        tool("kept", || json!({ "total": 3 }).into()),
        tool("broken", || json!({ "total": "three" }).into()),
        tool("absent", || "three".into()),
        tool("failed", || CallToolResult::error("out of stock")),
    ]);
    let mut peer = Peer::connect(server, Carrier::Memory, Version::NEWEST).await;
    let list = peer.request("tools/list", json!({})).await;
    assert_eq!(list.result()["tools"][0]["outputSchema"].to_string().len(), schema.len());
    assert_eq!(peer.call("kept", json!({})).await.result()["structuredContent"], json!({ "total": 3 }));
    for name in ["broken", "absent"] {
        let failed = peer.call(name, json!({})).await;
        let told = format!("The tool `{name}` gave a result that its output schema does not allow");
        assert_eq!(failed.failure(), told);
    }
    assert_eq!(peer.call("failed", json!({})).await.failure(), "out of stock");
}

#[tokio::test]
async fn tools_come_and_go_while_the_server_runs_and_a_burst_is_told_once() {
    for carrier in Carrier::HERE {
        for version in ERAS {
            let control =
                DynamicTool::new("control", r#"{"type":"object"}"#, |step: Value, ctx: Context| async move {
                    let catalog = ctx.catalog();
                    match step["step"].as_str() {
                        Some("add") => {
                            catalog.add_tools([order()])?;
                            for _ in 0..20 {
                                catalog.enable_tool("order", false);
                                catalog.enable_tool("order", true);
                            }
                        }
                        Some("hide") => _ = catalog.enable_tool("order", false),
                        Some("show") => _ = catalog.enable_tool("order", true),
                        _ => _ = catalog.remove_tool("order"),
                    }
                    Ok("done")
                });
            let mut peer =
                Peer::connect(Server::empty("Dynamic", "1").tools([control]), carrier, version).await;
            if version.is_modern() {
                let filter = json!({ "notifications": { "toolsListChanged": true } });
                peer.begin("subscriptions/listen", filter).await;
                assert_eq!(peer.heard().await["method"], "notifications/subscriptions/acknowledged");
            }
            for (step, there) in [("add", true), ("hide", false), ("show", true), ("remove", false)] {
                assert_eq!(peer.call("control", json!({ "step": step })).await.text(), "done");
                let heard = peer.heard().await;
                assert_eq!(heard["method"], "notifications/tools/list_changed", "{peer:?}");
                let list = peer.request("tools/list", json!({})).await;
                let names = list.result()["tools"].as_array().expect("a list").len();
                assert_eq!(names, 1 + usize::from(there), "{step}, {peer:?}");
                let called = peer.call("order", json!({ "item": "tea", "count": 1 })).await;
                assert_eq!(called.0.get("error").is_none(), there, "{step}, {peer:?}");
                assert!(peer.overheard().is_empty(), "a burst is told once: {step}, {peer:?}");
            }
        }
    }
}

#[tokio::test]
async fn an_argument_with_a_header_is_compared_with_it() {
    let schema = r#"{"type":"object","properties":{"zone":{"type":"string","x-mcp-header":"Zone"}}}"#;
    let tool = DynamicTool::new("query", schema, |arguments: Value, _: Context| async move { Ok(arguments) });
    let server = Server::empty("Dynamic", "1").tools([tool]);
    let mut peer = Peer::connect(server, Carrier::Http, Version::NEWEST).await;
    let refused = peer.call("query", json!({ "zone": "eu" })).await;
    assert_eq!(refused.code(), -32020, "the client sent no header");
    assert!(refused.message().contains("mcp-param-zone"), "{}", refused.message());
}

#[test]
fn a_schema_that_cannot_be_used_is_refused_with_the_reason_and_the_place() {
    let report = |schema: &str| {
        let tool = DynamicTool::new("bad", schema, |_: Value, _: Context| async { Ok("") });
        Server::empty("Broken", "1").tools([tool]).build().expect_err("it cannot start").to_string()
    };
    for (schema, reason) in [
        ("{", "it is no JSON"),
        ("true", "`type` has to be \"object\" at the root"),
        (r#"{"type":"string"}"#, "`type` has to be \"object\" at the root"),
        (r#"{"type":"object","properties":7}"#, "it is no JSON Schema: /properties: "),
        (r#"{"type":"object","properties":{"a":{"pattern":"("}}}"#, "it is no JSON Schema"),
        (
            r#"{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}"#,
            "it refers to `https://example.com/a.json`, which is outside of it and is not fetched",
        ),
        (
            r#"{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}"#,
            "it refers to `file:///etc/passwd`, which is outside of it and is not fetched",
        ),
        (r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}"##, "a reference leads nowhere"),
        (
            r#"{"type":"object","properties":{"a":{"type":"array","x-mcp-header":"A"}}}"#,
            "`x-mcp-header` of `a`",
        ),
    ] {
        let report = report(schema);
        assert!(report.contains(reason), "{schema}: {report}");
        assert!(
            report.contains("dynamic.rs:") && report.contains("tool `bad`: its input schema: "),
            "{report}"
        );
    }
    let named =
        DynamicTool::new("no spaces", r#"{"type":"object"}"#, |_: Value, _: Context| async { Ok("") });
    let output = order().output_schema("[]");
    let report = Server::empty("Broken", "1").tools([named, order(), output]).build();
    let report = report.expect_err("it cannot start").to_string();
    assert!(report.contains("MCP does not allow this name"), "{report}");
    assert!(report.contains("its output schema: `type` has to be \"object\""), "{report}");
}

#[test]
fn what_is_wrong_with_a_tool_that_is_added_leaves_the_catalog_as_it_was() {
    let server = server().build().expect("it starts");
    let good = DynamicTool::new("good", r#"{"type":"object"}"#, |_: Value, _: Context| async { Ok("") });
    let error = server.catalog().add_tools([good, order()]).expect_err("there is one already");
    assert!(error.to_string().contains("there is another tool `order`, at "), "{error}");
    assert!(!server.catalog().remove_tool("good"));
}
