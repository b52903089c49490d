//! What a client hears of a call before its answer: log messages and progress.

use mcp_runtime::Version;
use serde_json::json;
use tests::peer::{Carrier, Peer, everything};

use crate::{LEGACY, calls::until, connect, lives, peers};

async fn set_level(peer: &mut Peer, level: &str) {
    let set = peer.request("logging/setLevel", json!({ "level": level })).await;
    assert_eq!(set.result(), &json!({}), "{peer:?}");
}

/// Calls `chatter`, which tells of three levels; these and no others are heard.
async fn chatter(peer: &mut Peer, level: Option<&str>, expected: &[&str]) {
    let mut params = json!({ "name": "chatter", "arguments": {} });
    if let Some(level) = level {
        params["_meta"] = json!({ "io.modelcontextprotocol/logLevel": level });
    }
    assert_eq!(peer.request("tools/call", params).await.text(), "told", "{peer:?}");
    for level in expected {
        let message = peer.heard().await;
        assert_eq!(message["method"], "notifications/message", "{peer:?}");
        assert_eq!(message["params"]["level"], *level, "{peer:?}");
        assert_eq!(message["params"]["data"], json!({ "of": level }), "{peer:?}");
    }
    lives(peer).await;
}

const ALL: [&str; 3] = ["debug", "warning", "emergency"];

#[tokio::test]
async fn a_log_message_is_told_at_the_level_that_its_request_asks_for_and_never_otherwise() {
    for mut peer in peers(&[Version::NEWEST]).await {
        chatter(&mut peer, None, &[]).await;
        chatter(&mut peer, Some("debug"), &ALL).await;
        chatter(&mut peer, Some("notice"), &ALL[1..]).await;
        chatter(&mut peer, Some("emergency"), &ALL[2..]).await;
        // What one request asked for is no other's.
        chatter(&mut peer, None, &[]).await;
    }
}

#[tokio::test]
async fn a_log_level_of_a_request_is_one_that_exists() {
    for mut peer in peers(&[Version::NEWEST]).await {
        for level in [json!("loud"), json!("Debug"), json!(3), json!({})] {
            let meta = json!({ "io.modelcontextprotocol/logLevel": level });
            let reply = peer.request("tools/call", json!({ "name": "chatter", "_meta": meta })).await;
            assert_eq!(reply.code(), -32602, "{level}, {peer:?}");
            assert!(reply.message().contains("logLevel"), "{}", reply.message());
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_session_is_told_log_messages_at_its_level() {
    for mut peer in peers(&LEGACY).await {
        chatter(&mut peer, None, &[]).await;
        for (level, heard) in [("warning", &ALL[1..]), ("alert", &ALL[2..]), ("debug", &ALL)] {
            set_level(&mut peer, level).await;
            chatter(&mut peer, None, heard).await;
        }
    }
    for mut peer in peers(&[Version::V2025_03_26]).await {
        peer.remember(&json!(901), "logging/setLevel");
        let set = json!({ "jsonrpc": "2.0", "id": 901, "method": "logging/setLevel", "params": { "level": "debug" } });
        peer.send(json!([set]).to_string()).await;
        assert_eq!(peer.answer(&json!(901)).await.result(), &json!({}), "{peer:?}");
        chatter(&mut peer, None, &ALL).await;
    }
}

#[tokio::test]
async fn what_a_call_tells_reaches_its_own_client_only() {
    for carrier in Carrier::HERE {
        let mut caller = connect(carrier, Version::NEWEST).await;
        let mut other = caller.beside(Version::NEWEST).await;
        let mut legacy = caller.beside(Version::V2025_11_25).await.greeted().await;
        set_level(&mut legacy, "debug").await;
        let filter = json!({ "toolsListChanged": true, "resourceSubscriptions": ["note://a"] });
        other.begin("subscriptions/listen", json!({ "notifications": filter })).await;
        assert_eq!(other.heard().await["method"], "notifications/subscriptions/acknowledged");
        chatter(&mut caller, Some("debug"), &ALL).await;
        let steps = json!({ "name": "steps", "arguments": { "count": 3 }, "_meta": { "progressToken": 1 } });
        caller.request("tools/call", steps).await;
        caller.call("touch", json!({ "uri": "note://a" })).await;
        // Its own stream carries what it listens for, and nothing of the calls before.
        assert_eq!(other.heard().await["method"], "notifications/resources/updated");
        lives(&mut other).await;
        lives(&mut legacy).await;
    }
}

#[tokio::test]
async fn progress_only_ever_increases() {
    for mut peer in peers(&Version::ALL).await {
        let params = json!({ "name": "wobble", "arguments": {}, "_meta": { "progressToken": "t" } });
        assert_eq!(peer.request("tools/call", params).await.text(), "done", "{peer:?}");
        for told in [json!(1), json!(2.5), json!(4)] {
            assert_eq!(peer.heard().await["params"]["progress"], told, "{peer:?}");
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_call_that_is_over_tells_nothing_more() {
    for mut peer in peers(&Version::ALL).await {
        if !peer.version.is_modern() {
            set_level(&mut peer, "debug").await;
        }
        let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "debug" });
        let params = json!({ "name": "afterwards", "arguments": {}, "_meta": meta });
        assert_eq!(peer.request("tools/call", params).await.text(), "over", "{peer:?}");
        assert_eq!(peer.heard().await["params"]["progress"], 1, "{peer:?}");
        until(&mut peer, "told late").await;
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_task_tells_no_progress_and_no_log_messages() {
    for mut peer in peers(&[Version::NEWEST]).await {
        peer.capabilities["extensions"] = json!({ "io.modelcontextprotocol/tasks": {} });
        let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "debug" });
        let params = json!({ "name": "chatter_on", "arguments": {}, "_meta": meta });
        let created = peer.request("tools/call", params.clone()).await;
        let task = json!({ "taskId": created.result()["taskId"] });
        while peer.request("tasks/get", task.clone()).await.result()["status"] != "completed" {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        lives(&mut peer).await;
        // The same call tells of both where it is no task.
        peer.capabilities = everything();
        assert_eq!(peer.request("tools/call", params).await.text(), "arrived", "{peer:?}");
        let mut methods = Vec::new();
        for _ in 0..3 {
            methods.push(peer.heard().await["method"].clone());
        }
        let (progress, log) = ("notifications/progress", "notifications/message");
        assert_eq!(methods, [progress, log, progress], "{peer:?}");
    }
}
