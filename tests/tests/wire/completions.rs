//! Completion of the arguments of prompts.

use mcp_runtime::Version;
use serde_json::{Value, json};

use crate::{lives, peers};

fn params(reference: Value, argument: Value, name: &str) -> Value {
    json!({ "ref": reference, "argument": argument, "context": { "arguments": { "name": name } } })
}

fn greet() -> Value {
    json!({ "type": "ref/prompt", "name": "greet" })
}

#[tokio::test]
async fn an_argument_is_completed_by_what_was_typed_and_by_the_other_arguments() {
    for mut peer in peers(&Version::ALL).await {
        let typed = |value: &str| json!({ "name": "greeting", "value": value });
        for (value, values) in [("H", json!(["Hello", "Hi"])), ("Hi", json!(["Hi"])), ("x", json!([]))] {
            let found = peer.request("completion/complete", params(greet(), typed(value), "Ann")).await;
            let total = values.as_array().map(Vec::len);
            let expected = json!({ "values": values, "total": total, "hasMore": false });
            assert_eq!(found.result()["completion"], expected, "{peer:?}");
        }
        let bare = json!({ "ref": greet(), "argument": typed("He") });
        let found = peer.request("completion/complete", bare).await;
        assert_eq!(found.result()["completion"]["values"], json!(["Hello"]), "{peer:?}");
    }
}

#[tokio::test]
async fn of_many_completions_a_hundred_are_told_and_that_there_are_more() {
    for mut peer in peers(&Version::ALL).await {
        let typed = json!({ "name": "greeting", "value": "n" });
        let found = peer.request("completion/complete", params(greet(), typed, "everybody")).await;
        let completion = &found.result()["completion"];
        assert_eq!(completion["values"].as_array().map(Vec::len), Some(100), "{peer:?}");
        assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(150), &json!(true)), "{peer:?}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_completion_is_said() {
    let typed = || json!({ "name": "greeting", "value": "" });
    let of = |reference| json!({ "ref": reference, "argument": typed() });
    let cases = [
        (json!({}), -32602),
        (json!({ "ref": greet() }), -32602),
        (json!({ "argument": typed() }), -32602),
        (of(json!({ "type": "ref/prompt", "name": "nobody" })), -32602),
        (of(json!({ "type": "ref/resource", "uri": "nowhere://{x}" })), -32602),
        (of(json!({ "type": "ref/tool", "name": "echo" })), -32602),
        (of(json!("greet")), -32602),
        (json!({ "ref": greet(), "argument": { "name": "nobody", "value": "" } }), -32602),
        (json!({ "ref": greet(), "argument": { "name": "greeting", "value": 7 } }), -32602),
        (json!({ "ref": greet(), "argument": typed(), "context": { "arguments": { "name": 7 } } }), -32602),
        (json!({ "ref": greet(), "argument": { "name": "end", "value": "" } }), -32603),
    ];
    for mut peer in peers(&Version::ALL).await {
        for (params, code) in &cases {
            let reply = peer.request("completion/complete", params.clone()).await;
            assert_eq!(reply.code(), *code, "{params}, {peer:?}");
            assert!(!reply.0.to_string().contains("secret"), "{}", reply.0);
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_completion_never_asks() {
    for mut peer in peers(&Version::ALL).await {
        let reference = json!({ "type": "ref/prompt", "name": "talk" });
        let params = json!({ "ref": reference, "argument": { "name": "times", "value": "1" } });
        let reply = peer.request("completion/complete", params).await;
        assert!(reply.message().contains("cannot ask"), "{}, {peer:?}", reply.0);
        lives(&mut peer).await;
    }
}
