//! Sessions of older clients over HTTP.

use std::time::{Duration, Instant};

use hyper::Method;
use mcp_runtime::Version;
use serde_json::{Value, json};
use tests::{
    fixture, http,
    peer::{Carrier, Peer, everything},
    spec,
};

use crate::{LEGACY, connect, lives};

/// Posts a message; the status, the session that was opened, and what came back.
async fn post(port: u16, headers: &[(&str, &str)], message: &Value) -> (u16, Option<String>, Value) {
    let headers: Vec<_> = headers.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let response = http::send(port, Method::POST, &headers, message.to_string()).await;
    let status = response.status().as_u16();
    let session = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let mut heard = Vec::new();
    http::messages(response, |message| heard.push(message)).await;
    (status, session, heard.pop().unwrap_or_default())
}

fn initialize(version: &str) -> Value {
    let params = json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": { "name": "peer", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

fn ping() -> Value {
    json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" })
}

#[tokio::test]
async fn a_session_that_nobody_uses_is_forgotten_and_one_in_use_is_not() {
    let idle = Duration::from_millis(400);
    let server = fixture::server().session_limit(100, idle);
    let peer = Peer::open(server, Carrier::Http, Version::V2025_11_25, everything()).await;
    let port = peer.port();
    let quiet = post(port, &[], &initialize("2025-11-25")).await.1.expect("a session");
    let mut used = post(port, &[], &initialize("2025-11-25")).await.1.expect("a session");
    let opened = Instant::now();
    let mut last = opened;
    while opened.elapsed() < 2 * idle {
        tokio::time::sleep(idle / 8).await;
        let (status, ..) = post(port, &[("mcp-session-id", &used)], &ping()).await;
        // On a busy machine the time may really have run out.
        if last.elapsed() < idle {
            assert_eq!(status, 200);
        } else if status == 404 {
            used = post(port, &[], &initialize("2025-11-25")).await.1.expect("a session");
        }
        last = Instant::now();
    }
    let (status, _, gone) = post(port, &[("mcp-session-id", &quiet)], &ping()).await;
    assert_eq!((status, &gone["error"]["code"]), (404, &json!(-32600)), "{gone}");
    // A client that comes back with it opens a new one.
    let (status, again, _) = post(port, &[("mcp-session-id", &quiet)], &initialize("2025-11-25")).await;
    assert!(status == 200 && again.is_some_and(|again| again != quiet));
}

#[tokio::test]
async fn there_are_no_more_sessions_than_may_be() {
    let server = fixture::server().session_limit(3, Duration::from_secs(600));
    let mut peer =
        Peer::open(server, Carrier::Http, Version::V2025_11_25, everything()).await.greeted().await;
    let port = peer.port();
    for _ in 0..2 {
        assert!(post(port, &[], &initialize("2025-11-25")).await.1.is_some());
    }
    for _ in 0..20 {
        let (_, session, refused) = post(port, &[], &initialize("2025-11-25")).await;
        assert_eq!(session, None);
        let why = refused["error"]["message"].as_str().unwrap_or_default();
        assert!(why.contains("too many sessions"), "{refused}");
    }
    lives(&mut peer).await;
    let own = post(port, &[], &initialize("2025-11-25")).await.1;
    assert_eq!(own, None);
}

#[tokio::test]
async fn a_session_speaks_the_revision_that_was_agreed_on() {
    for version in LEGACY {
        let mut peer = connect(Carrier::Http, version).await;
        let port = peer.port();
        let (_, session, opened) = post(port, &[], &initialize(version.as_str())).await;
        assert_eq!(opened["result"]["protocolVersion"], version.as_str());
        let session = session.expect("a session");
        let list = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list" });
        // Clients of all these revisions leave the version's header out at times.
        let (status, _, listed) = post(port, &[("mcp-session-id", &session)], &list).await;
        assert_eq!(status, 200);
        spec::check_response(version, "tools/list", &listed);
        let said = listed.to_string();
        assert_eq!(said.contains("\"outputSchema\""), version >= Version::V2025_06_18, "{version}");
        assert_eq!(said.contains("\"annotations\""), version >= Version::V2025_03_26, "{version}");
        let odd = [("mcp-session-id", &*session), ("mcp-protocol-version", "1999-01-01")];
        assert_eq!(post(port, &odd, &list).await.0, 400, "{version}");
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn sessions_have_ids_of_their_own_that_nobody_can_guess() {
    let peer = connect(Carrier::Http, Version::V2025_11_25).await;
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..50 {
        let id = post(peer.port(), &[], &initialize("2025-11-25")).await.1.expect("a session");
        assert!(id.len() >= 22 && id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)), "{id}");
        assert!(seen.insert(id), "an id twice");
    }
}

#[tokio::test]
async fn a_session_that_was_ended_is_gone_and_its_neighbour_is_not() {
    let mut peer = connect(Carrier::Http, Version::V2025_11_25).await;
    let port = peer.port();
    let session = post(port, &[], &initialize("2025-11-25")).await.1.expect("a session");
    let own = [("mcp-session-id".to_owned(), session.clone())];
    assert_eq!(http::send(port, Method::DELETE, &own, String::new()).await.status(), 204);
    let (status, _, gone) = post(port, &[("mcp-session-id", &session)], &ping()).await;
    assert_eq!((status, &gone["id"]), (404, &json!(2)), "{gone}");
    assert_eq!(http::send(port, Method::DELETE, &own, String::new()).await.status(), 404);
    assert_eq!(http::send(port, Method::GET, &own, String::new()).await.status(), 404);
    lives(&mut peer).await;
}

#[tokio::test]
async fn a_client_that_never_sends_its_session_back_is_served_what_needs_none() {
    let peer = connect(Carrier::Http, Version::V2025_11_25).await;
    let port = peer.port();
    let headers = [("mcp-protocol-version", "2025-11-25")];
    assert!(post(port, &[], &initialize("2025-11-25")).await.1.is_some());
    let call = |tool: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
    let (_, _, said) = post(port, &headers, &call("echo", json!({ "text": "x" }))).await;
    assert_eq!(said["result"]["content"][0]["text"], "x", "{said}");
    let (_, _, refused) = post(port, &headers, &call("remove", json!({ "path": "x" }))).await;
    assert!(refused["error"]["code"].is_i64(), "what has to ask says that it cannot: {refused}");
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post(port, &headers, &note).await.0, 202);
}
