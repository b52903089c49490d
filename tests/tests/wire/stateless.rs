//! Each request of 2026-07-28 stands for itself.

use mcp_runtime::Version;
use serde_json::{Value, json};
use tests::peer::{Carrier, everything};

use crate::{connect, lives, peers};

#[tokio::test]
async fn what_one_request_says_of_its_client_counts_for_no_other() {
    for mut peer in peers(&[Version::NEWEST]).await {
        let remove = json!({ "path": "x" });
        let asked = peer.call("remove", remove.clone()).await;
        assert_eq!(asked.result()["resultType"], "input_required", "{peer:?}");
        peer.capabilities = json!({});
        assert_eq!(peer.call("remove", remove.clone()).await.code(), -32021, "{peer:?}");
        peer.capabilities = everything();
        assert_eq!(peer.call("remove", remove).await.result()["resultType"], "input_required", "{peer:?}");
        // Nor its revision.
        let id = peer.fresh();
        let bare = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": { "_meta": {} } });
        assert_eq!(peer.text(&id, "tools/list", bare.to_string()).await.code(), -32602, "{peer:?}");
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_client_need_not_say_its_name() {
    for mut peer in peers(&[Version::NEWEST]).await {
        assert_eq!(peer.call("whoami", json!({})).await.text(), "peer", "{peer:?}");
        let id = peer.fresh();
        let mut params = peer.params(json!({ "name": "whoami", "arguments": {} }));
        let meta = params["_meta"].as_object_mut().expect("an object");
        meta.remove("io.modelcontextprotocol/clientInfo");
        let text = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        assert_eq!(peer.text(&id, "tools/call", text.to_string()).await.text(), "nobody", "{peer:?}");
    }
}

/// The names of all that is listed.
async fn names(peer: &mut tests::peer::Peer) -> Value {
    let mut all = Vec::new();
    for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        let mut result = peer.request(method, json!({})).await.result().clone();
        result.as_object_mut().expect("an object").remove("_meta");
        all.push(result);
    }
    all.into()
}

#[tokio::test]
async fn lists_depend_on_no_connection_and_on_no_call_before() {
    for carrier in Carrier::ALL {
        let mut one = connect(carrier, Version::NEWEST).await;
        let before = names(&mut one).await;
        for (tool, arguments) in [
            ("echo", json!({ "text": "x" })),
            ("remove", json!({ "path": "x" })),
            ("panic_text", json!({})),
            ("no-such-tool", json!({})),
        ] {
            one.call(tool, arguments).await;
        }
        one.capabilities = json!({});
        assert_eq!(names(&mut one).await, before, "{one:?}");
        let mut other = connect(carrier, Version::NEWEST).await;
        assert_eq!(names(&mut other).await, before, "{other:?}");
    }
}

#[tokio::test]
async fn keys_of_metadata_that_nobody_knows_change_nothing() {
    for mut peer in peers(&Version::ALL).await {
        let meta = json!({
            "com.example/mine": { "deep": [1, null] },
            "io.modelcontextprotocol/unheardOf": 7,
            "traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
            "tracestate": 7,
            "progressToken": {},
        });
        let params = json!({ "name": "steps", "arguments": { "count": 1 }, "_meta": meta });
        assert_eq!(peer.request("tools/call", params).await.text(), "1", "{peer:?}");
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn no_notification_is_ever_answered() {
    for carrier in [Carrier::Memory, Carrier::Stdio] {
        for version in Version::ALL {
            let mut peer = connect(carrier, version).await;
            for text in [
                r#"{"jsonrpc":"2.0","method":"notifications/unheard_of"}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4711}}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
                r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"counted","arguments":{}}}"#,
                r#"{"jsonrpc":"2.0","method":"server/discover","params":7}"#,
            ] {
                peer.send(text.to_owned()).await;
                // An answer without an id would be heard by now.
                lives(&mut peer).await;
                assert!(!peer.is_answered(&Value::Null), "{text}, {peer:?}");
            }
        }
    }
}
