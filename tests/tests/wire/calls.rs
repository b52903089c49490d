//! What a tool returns, and how it fails.

use mcp_runtime::Version;
use serde_json::{Value, json};

use crate::{ERAS, lives, modern, peers};

/// What each tool returns: the text, and the data for those who know it.
#[tokio::test]
async fn results_carry_text_and_data() {
    let cases = [
        (
            "echo",
            json!({ "text": "so \"it\" is\n" }),
            "so \"it\" is\n",
            Some(json!({ "result": "so \"it\" is\n" })),
        ),
        ("add", json!({ "a": 2, "b": -3 }), "-1", Some(json!({ "result": -1 }))),
        ("maybe", json!({ "found": true }), "here", Some(json!({ "result": "here" }))),
        ("maybe", json!({ "found": false }), "null", Some(json!({ "result": null }))),
        ("row", json!({ "id": 7 }), r#"{"id":7}"#, Some(json!({ "id": 7 }))),
        (
            "rows",
            json!({ "ids": [7] }),
            r#"[{"id":7,"note":"row 7"}]"#,
            Some(json!({ "result": [{ "id": 7, "note": "row 7" }] })),
        ),
        ("annotated", json!({}), "true", Some(json!({ "result": true }))),
        ("bare", json!({}), "7", None),
        ("full", json!({}), "said", Some(json!({ "said": true }))),
        ("whoami", json!({}), "peer", Some(json!({ "result": "peer" }))),
    ];
    for mut peer in peers(&Version::ALL).await {
        for (tool, arguments, text, data) in &cases {
            let reply = peer.call(tool, arguments.clone()).await;
            assert_eq!(reply.text(), *text, "{tool}, {peer:?}");
            assert_eq!(reply.result().get("isError").unwrap_or(&false.into()), false, "{tool}, {peer:?}");
            let data = data.as_ref().filter(|_| peer.version >= Version::V2025_06_18);
            assert_eq!(reply.result().get("structuredContent"), data, "{tool}, {peer:?}");
        }
        let nothing = peer.call("nothing", json!({})).await;
        assert_eq!(nothing.result()["content"], json!([]), "{peer:?}");
    }
}

#[tokio::test]
async fn the_data_is_valid_against_the_listed_output_schema() {
    let mut peer = modern().await;
    let list = peer.request("tools/list", json!({})).await;
    let calls = [
        ("echo", json!({ "text": "x" })),
        ("add", json!({ "a": 1, "b": 2 })),
        ("maybe", json!({ "found": false })),
        ("maybe", json!({ "found": true })),
        ("row", json!({ "id": 1 })),
        ("rows", json!({ "ids": [1, 2] })),
        ("steps", json!({ "count": 1 })),
        ("measure", json!({ "shape": { "kind": "circle", "radius": 1 } })),
    ];
    for (name, arguments) in calls {
        let tools = list.result()["tools"].as_array().expect("tools");
        let schema = &tools.iter().find(|tool| tool["name"] == name).expect("listed")["outputSchema"];
        assert_eq!(schema["type"], "object", "{name}");
        let reply = peer.call(name, arguments).await;
        let data = &reply.result()["structuredContent"];
        let validator = jsonschema::validator_for(schema).expect("a schema");
        assert!(validator.is_valid(data), "{name}: {data} against {schema}");
    }
}

/// A failure that the model can act on, and what it reads.
#[tokio::test]
async fn failures_are_results_that_say_why() {
    let cases = [
        ("fail_deep", json!({}), "the shelf could not be saved: the disk is full"),
        ("add", json!({ "a": i64::MAX, "b": 1 }), "the sum is too large"),
        ("show", json!({ "id": 2 }), "there is no order 2"),
        ("panic_text", json!({}), "The tool `panic_text` failed unexpectedly"),
        ("panic_value", json!({}), "The tool `panic_value` failed unexpectedly"),
        ("panic_resolver", json!({}), "The tool `panic_resolver` failed unexpectedly"),
        ("never", json!({}), "The tool `never` was stopped: it took longer than 200ms"),
        ("stuck", json!({}), "The tool `stuck` was stopped: it took longer than 200ms"),
    ];
    for mut peer in peers(&ERAS).await {
        for (tool, arguments, text) in &cases {
            let reply = peer.call(tool, arguments.clone()).await;
            assert_eq!(reply.failure(), *text, "{peer:?}");
            assert_eq!(reply.result().get("structuredContent"), None, "{tool}, {peer:?}");
            lives(&mut peer).await;
        }
        let shown = peer.call("counted", json!({ "name": "shown" })).await;
        assert_eq!(shown.text(), "0", "a resolver that failed: the tool was not called");
    }
}

#[tokio::test]
async fn a_panic_in_a_resource_or_prompt_is_an_error_that_keeps_its_payload() {
    for mut peer in peers(&ERAS).await {
        let read = peer.request("resources/read", json!({ "uri": "boom://now" })).await;
        let got = peer.request("prompts/get", json!({ "name": "crash" })).await;
        for reply in [read, got] {
            assert_eq!(reply.code(), -32603, "{peer:?}");
            assert!(!reply.0.to_string().contains("secret"), "{}", reply.0);
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_tool_can_say_that_the_request_itself_is_wrong() {
    for mut peer in peers(&Version::ALL).await {
        let reply = peer.call("fail_protocol", json!({})).await;
        assert_eq!((reply.code(), reply.message()), (-40, "no such warehouse"), "{peer:?}");
    }
}

#[tokio::test]
async fn what_a_tool_prints_never_reaches_the_client() {
    for mut peer in peers(&ERAS).await {
        assert_eq!(peer.call("print", json!({})).await.text(), "printed");
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_slow_call_holds_up_no_other() {
    for mut peer in peers(&ERAS).await {
        let slow = peer.begin("tools/call", json!({ "name": "nap", "arguments": { "millis": 300 } })).await;
        let blocked = peer.begin("tools/call", json!({ "name": "stuck", "arguments": {} })).await;
        lives(&mut peer).await;
        assert!(!peer.is_answered(&slow) && !peer.is_answered(&blocked), "{peer:?}");
        assert_eq!(peer.answer(&slow).await.text(), "300");
    }
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_never_answered() {
    for mut peer in peers(&Version::ALL).await {
        let id = peer.begin("tools/call", json!({ "name": "linger" })).await;
        until(&mut peer, "entered").await;
        peer.cancel(&id).await;
        until(&mut peer, "left").await;
        assert!(!peer.is_answered(&id), "{peer:?}");
    }
}

/// Waits until something was counted once.
pub(crate) async fn until(peer: &mut tests::peer::Peer, name: &str) {
    for _ in 0..500 {
        if peer.call("counted", json!({ "name": name })).await.text() == "1" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("`{name}` never happened: {peer:?}");
}

#[tokio::test]
async fn cancelling_what_is_not_running_does_nothing() {
    for mut peer in peers(&[Version::NEWEST_LEGACY]).await {
        for id in [json!(77), json!("77"), Value::Null] {
            peer.notify("notifications/cancelled", json!({ "requestId": id })).await;
        }
        peer.notify("notifications/cancelled", json!({})).await;
        peer.notify("notifications/unheard_of", json!({})).await;
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn progress_is_told_only_to_who_asks() {
    for mut peer in peers(&Version::ALL).await {
        for token in [json!("mine"), json!(7)] {
            let params =
                json!({ "name": "steps", "arguments": { "count": 2 }, "_meta": { "progressToken": token } });
            assert_eq!(peer.request("tools/call", params).await.text(), "2");
            for step in 1..=2 {
                let told = peer.heard().await;
                assert_eq!(told["method"], "notifications/progress", "{peer:?}");
                assert_eq!(told["params"]["progressToken"], token, "{peer:?}");
                assert_eq!(told["params"]["progress"], f64::from(step), "{peer:?}");
                assert_eq!(told["params"]["total"], 2.0, "{peer:?}");
                let message = (peer.version > Version::V2024_11_05).then(|| json!(format!("step {step}")));
                assert_eq!(told["params"].get("message"), message.as_ref(), "{peer:?}");
            }
        }
        assert_eq!(peer.call("steps", json!({ "count": 2 })).await.text(), "2");
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn resources_are_read_by_address_and_by_template() {
    let cases = [
        (
            "config://app",
            json!({ "uri": "config://app", "mimeType": "text/plain", "text": "verbose = true" }),
        ),
        ("logo://main", json!({ "uri": "logo://main", "mimeType": "image/png", "blob": "iVBORw==" })),
        ("note://a", json!({ "uri": "note://a", "text": "note a" })),
        ("note://special", json!({ "uri": "note://special", "text": "special" })),
        ("note://%C2%A7%20141", json!({ "uri": "note://%C2%A7%20141", "text": "note § 141" })),
        ("note://a+b", json!({ "uri": "note://a+b", "text": "note a+b" })),
        ("note://%2520", json!({ "uri": "note://%2520", "text": "note %20" })),
        (
            "row://18446744073709551615",
            json!({ "uri": "row://18446744073709551615", "mimeType": "application/json", "text": "{\"id\":18446744073709551615}" }),
        ),
        ("site://a.b/p", json!({ "uri": "site://a.b/p", "text": "p" })),
        ("docs://a/b/c", json!({ "uri": "docs://a/b/c", "text": "a/b/c" })),
    ];
    for mut peer in peers(&Version::ALL).await {
        for (uri, contents) in &cases {
            let read = peer.request("resources/read", json!({ "uri": uri })).await;
            assert_eq!(read.result()["contents"], json!([contents]), "{peer:?}");
        }
        let pair = peer.request("resources/read", json!({ "uri": "pair://both" })).await;
        let contents = json!([{ "uri": "pair://one", "text": "1" }, { "uri": "pair://both", "text": "2" }]);
        assert_eq!(pair.result()["contents"], contents);
    }
}

#[tokio::test]
async fn a_resource_that_is_not_there_is_told_by_the_code_of_the_revision() {
    for mut peer in peers(&Version::ALL).await {
        for uri in [
            "nowhere://x",
            "note://gone",
            "note://a/b",
            "row://seven",
            "configx://app",
            "site://aXb/p",
            "site://a.b/",
            "NOTE://x/y",
        ] {
            let reply = peer.request("resources/read", json!({ "uri": uri })).await;
            let code = if peer.version.is_modern() { -32602 } else { -32002 };
            assert_eq!(reply.code(), code, "{uri}, {peer:?}");
            assert!(reply.message().contains(uri), "{}", reply.0);
            assert_eq!(reply.0["error"]["data"]["uri"], uri, "{peer:?}");
        }
        assert_eq!(peer.request("resources/read", json!({})).await.code(), -32602);
        assert_eq!(peer.request("resources/read", json!({ "uri": 7 })).await.code(), -32602);
    }
}

#[tokio::test]
async fn prompts_take_strings_and_say_messages() {
    for mut peer in peers(&Version::ALL).await {
        let greeted =
            peer.request("prompts/get", json!({ "name": "greet", "arguments": { "name": "Ann" } })).await;
        let said = json!([{ "role": "user", "content": { "type": "text", "text": "Hello Ann!" } }]);
        assert_eq!(greeted.result()["messages"], said, "{peer:?}");
        let arguments = json!({ "name": "Ann", "greeting": null, "end": null });
        let greeted = peer.request("prompts/get", json!({ "name": "greet", "arguments": arguments })).await;
        assert_eq!(greeted.result()["messages"], said, "null is what is left out, {peer:?}");
        let arguments = json!({ "name": "Ann", "greeting": "Hi", "end": "." });
        let greeted = peer.request("prompts/get", json!({ "name": "greet", "arguments": arguments })).await;
        assert_eq!(greeted.result()["messages"][0]["content"]["text"], "Hi Ann.");
        let talked =
            peer.request("prompts/get", json!({ "name": "talk", "arguments": { "times": "2" } })).await;
        let messages = talked.result()["messages"].as_array().expect("messages").clone();
        assert_eq!(messages.len(), 3);
        assert_eq!(messages[0]["role"], "assistant");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_prompts_arguments_is_said_by_name() {
    let cases = [
        (json!({ "name": "greet" }), "name: missing"),
        (json!({ "name": "greet", "arguments": { "nam": "Ann" } }), "did you mean `name`?"),
        (json!({ "name": "greet", "arguments": { "name": null } }), "name: missing"),
        (json!({ "name": "greet", "arguments": { "name": 7 } }), "name: expected a string, got 7"),
        (json!({ "name": "greet", "arguments": [] }), "`params.arguments` has to be an object"),
        (json!({ "name": "talk", "arguments": { "times": "many" } }), "times: "),
        (json!({ "name": "gret" }), "Unknown prompt: gret; did you mean `greet`?"),
        (json!({}), "`params.name` is missing"),
        (json!({ "name": 7 }), "`params.name` has to be a string"),
    ];
    for mut peer in peers(&ERAS).await {
        for (params, why) in &cases {
            let reply = peer.request("prompts/get", params.clone()).await;
            assert_eq!(reply.code(), -32602, "{params}");
            assert!(reply.message().contains(why), "{params}: {}", reply.message());
        }
    }
}
