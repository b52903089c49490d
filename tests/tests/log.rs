//! What clients hear of the log: the events of their calls, at the level that they asked for.

#![allow(missing_docs, clippy::panic)]

use std::sync::Once;

use mcp_runtime::{Server, Version, prelude::*, prompts, resources, tools};
use serde_json::{Value, json};
use tests::peer::{Carrier, Peer};

/// Says how it goes, of every level.
#[tool]
fn plain(step: u32) -> &'static str {
    say(step);
    "done"
}

/// The same, asynchronously.
#[tool]
async fn later(step: u32) -> &'static str {
    tokio::task::yield_now().await;
    say(step);
    "done"
}

/// The same, as a prompt.
#[prompt]
fn spoken(step: u32) -> &'static str {
    say(step);
    "done"
}

/// The same, as a resource.
#[resource("said://{step}")]
fn said(step: u32) -> &'static str {
    say(step);
    "done"
}

fn say(step: u32) {
    tracing::trace!("too fine for the protocol");
    tracing::debug!(step, "looking");
    tracing::info!(target: "shop", step, good = true, name = "Dune", size = 1.5, "found {step}");
    tracing::warn!(error = ?Some("x"), "careful");
    tracing::error!("broken");
}

/// Fails in a way that is for the log alone.
#[tool]
async fn breaks() -> &'static str {
    tracing::info!("about to break");
    panic!("the password is 1234")
}

/// Starts something that outlives the call.
#[tool]
async fn starts() -> &'static str {
    let task = tokio::spawn(async { tracing::error!("outside of the call") });
    _ = task.await;
    "done"
}

fn server() -> Server {
    static LOG: Once = Once::new();
    LOG.call_once(mcp_runtime::log::init);
    Server::empty("Log", "1")
        .tools(tools![plain, later, breaks, starts])
        .prompts(prompts![spoken])
        .resources(resources![said])
}

/// Asks for something at this level; what was heard until the answer came.
async fn heard(peer: &mut Peer, method: &str, mut params: Value, level: Option<&str>) -> Vec<Value> {
    if let Some(level) = level.filter(|_| peer.version.is_modern()) {
        params["_meta"] = json!({ "io.modelcontextprotocol/logLevel": level });
    } else if let Some(level) = level {
        _ = peer.request("logging/setLevel", json!({ "level": level })).await.result();
    }
    // Over HTTP, messages of a call come on its own stream, before the answer.
    _ = peer.request(method, params).await.result();
    let heard = peer.overheard();
    assert!(heard.iter().all(|message| message["method"] == "notifications/message"), "{heard:?}");
    heard.into_iter().map(|message| message["params"].clone()).collect()
}

fn calls() -> [(&'static str, Value); 4] {
    [
        ("tools/call", json!({ "name": "plain", "arguments": { "step": 3 } })),
        ("tools/call", json!({ "name": "later", "arguments": { "step": 3 } })),
        ("prompts/get", json!({ "name": "spoken", "arguments": { "step": "3" } })),
        ("resources/read", json!({ "uri": "said://3" })),
    ]
}

#[tokio::test]
async fn events_of_a_call_reach_its_client_from_the_level_that_it_asked_for() {
    for version in [Version::V2025_11_25, Version::NEWEST] {
        for (method, params) in calls() {
            let mut peer = Peer::connect(server(), Carrier::Http, version).await;
            let all = heard(&mut peer, method, params.clone(), Some("debug")).await;
            let levels: Vec<_> = all.iter().map(|message| &message["level"]).collect();
            assert_eq!(levels, ["debug", "info", "warning", "error"], "{method} of {version}");
            let found = json!({
                "level": "info",
                "logger": "shop",
                "data": { "message": "found 3", "step": 3, "good": true, "name": "Dune", "size": 1.5 },
            });
            assert_eq!(all[1], found);
            assert_eq!(all[2]["data"], json!({ "message": "careful", "error": "Some(\"x\")" }));
            assert_eq!(all[0]["logger"], "log");
            let grave = heard(&mut peer, method, params.clone(), Some("warning")).await;
            assert_eq!(grave.len(), 2, "{grave:?}");
            let emergency = heard(&mut peer, method, params, Some("emergency")).await;
            assert_eq!(emergency, [Value::Null; 0]);
        }
    }
}

#[tokio::test]
async fn who_did_not_ask_hears_nothing() {
    for version in [Version::V2025_11_25, Version::NEWEST] {
        let mut asking = Peer::connect(server(), Carrier::Http, version).await;
        let mut silent = asking.beside(version).await.greeted().await;
        for (method, params) in calls() {
            assert!(!heard(&mut asking, method, params.clone(), Some("debug")).await.is_empty());
            assert_eq!(heard(&mut silent, method, params.clone(), None).await, [Value::Null; 0]);
        }
        assert!(asking.overheard().is_empty(), "nor of the calls of another");
    }
}

#[tokio::test]
async fn what_went_wrong_inside_of_the_server_stays_in_the_log() {
    for version in [Version::V2025_11_25, Version::NEWEST] {
        let mut peer = Peer::connect(server(), Carrier::Http, version).await;
        let said = heard(&mut peer, "tools/call", json!({ "name": "breaks" }), Some("debug")).await;
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!(said[0]["data"]["message"], "about to break");
        let outside = heard(&mut peer, "tools/call", json!({ "name": "starts" }), Some("debug")).await;
        assert_eq!(outside, [Value::Null; 0]);
    }
}

#[tokio::test]
async fn events_reach_a_client_in_memory_too() {
    let mut peer = Peer::connect(server(), Carrier::Memory, Version::NEWEST).await;
    let params = json!({
        "name": "plain",
        "arguments": { "step": 1 },
        "_meta": { "io.modelcontextprotocol/logLevel": "error" },
    });
    peer.request("tools/call", params).await;
    assert_eq!(peer.heard().await["params"]["data"], json!({ "message": "broken" }));
}
