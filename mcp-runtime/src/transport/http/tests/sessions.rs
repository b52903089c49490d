//! Sessions of older clients.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::kit::{
    Seen, call, event, initialize, legacy, legacy_call, of_method, open, post, send, server, service,
    session, with,
};
use crate::{Legacy, Principal, transport::http::HttpService};

fn get(session: &str) -> http::Request<http_body_util::Full<bytes::Bytes>> {
    let request = with(post(""), "accept", "text/event-stream");
    of_method(with(request, "mcp-session-id", session), Method::GET)
}

fn delete(session: &str) -> http::Request<http_body_util::Full<bytes::Bytes>> {
    of_method(with(post(""), "mcp-session-id", session), Method::DELETE)
}

fn ping() -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" })
}

async fn subscribe(service: &HttpService, session: &str) {
    let params = json!({ "uri": "stock://dune" });
    let message = json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": params });
    assert_eq!(send(service, legacy(Some(session), &message)).await.json()["result"], json!({}));
}

#[tokio::test]
async fn only_initialize_returns_a_session() {
    let service = service();
    let id = session(&service).await;
    assert!(!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
    for request in [legacy_call(&id, "say"), call("say"), legacy(Some(&id), &ping())] {
        let answer = send(&service, request).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.headers.get("mcp-session-id"), None);
    }
}

#[tokio::test]
async fn an_unknown_session_is_404_and_a_stale_one_opens_anew() {
    let service = service();
    for request in [legacy(Some("gone"), &ping()), get("gone"), delete("gone")] {
        let answer = send(&service, request).await;
        assert_eq!(answer.status, 404);
        assert!(answer.error().1.contains("initialize"));
    }
    let answer = send(&service, with(initialize(), "mcp-session-id", "gone")).await;
    assert_eq!(answer.status, 200);
    assert!(!answer.header("mcp-session-id").is_empty());
}

#[tokio::test]
async fn a_session_ends_once() {
    let service = service();
    let id = session(&service).await;
    assert_eq!(send(&service, delete(&id)).await.status, 204);
    assert_eq!(send(&service, delete(&id)).await.status, 404);
    assert_eq!(send(&service, legacy(Some(&id), &ping())).await.status, 404);
}

#[tokio::test]
async fn listening_needs_a_session_and_a_client_that_takes_events() {
    let service = service();
    let id = session(&service).await;
    let mut none = get("x");
    none.headers_mut().remove("mcp-session-id");
    assert_eq!(send(&service, none).await.status, 400);
    let answer = send(&service, with(get(&id), "accept", "application/json")).await;
    assert_eq!(answer.status, 406);
    let mut none = delete("x");
    none.headers_mut().remove("mcp-session-id");
    assert_eq!(send(&service, none).await.status, 400);
}

#[tokio::test]
async fn a_session_hears_of_what_it_subscribed_to() {
    let service = service();
    let id = session(&service).await;
    subscribe(&service, &id).await;
    let mut stream = open(&service, get(&id)).await;
    assert_eq!(
        (stream.status().as_u16(), stream.headers()["content-type"].as_bytes()),
        (200, &b"text/event-stream"[..])
    );
    // A change that a client of the other era brings about.
    assert_eq!(send(&service, call("change")).await.status, 200);
    let heard = event(stream.body_mut()).await;
    assert_eq!(heard["method"], "notifications/resources/updated");
    assert_eq!(heard["params"]["uri"], "stock://dune");
}

#[tokio::test]
async fn of_two_streams_of_a_session_the_newer_one_is_told() {
    let service = service();
    let id = session(&service).await;
    subscribe(&service, &id).await;
    let mut older = open(&service, get(&id)).await;
    let mut newer = open(&service, get(&id)).await;
    send(&service, call("change")).await;
    assert_eq!(event(newer.body_mut()).await["method"], "notifications/resources/updated");
    let silence = tokio::time::timeout(Duration::from_millis(200), event(older.body_mut())).await;
    assert!(silence.is_err(), "a message goes out once: {silence:?}");
}

#[tokio::test]
async fn a_question_goes_out_on_the_calls_own_stream_and_is_answered_by_a_post() {
    let service = service();
    let id = session(&service).await;
    let mut stream = open(&service, legacy_call(&id, "ask")).await;
    let question = event(stream.body_mut()).await;
    assert_eq!(question["method"], "roots/list");
    let result = json!({ "roots": [{ "uri": "file:///a" }, { "uri": "file:///b" }] });
    let reply = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
    assert_eq!(send(&service, legacy(Some(&id), &reply)).await.status, 202);
    assert_eq!(event(stream.body_mut()).await["result"]["content"][0]["text"], "2 folders");
}

#[tokio::test]
async fn a_question_to_a_client_that_takes_json_only_fails_and_says_why() {
    let service = service();
    let id = session(&service).await;
    let answer = send(&service, with(legacy_call(&id, "ask"), "accept", "application/json")).await;
    assert_eq!(answer.status, 200);
    assert!(answer.error().1.contains("text/event-stream"), "{answer:?}");
}

#[tokio::test]
async fn where_there_are_no_sessions_only_posts_are_served() {
    for (legacy, version) in
        [(Legacy::Sessions, "2026-07-28"), (Legacy::Stateless, "2025-11-25"), (Legacy::Off, "2025-11-25")]
    {
        let service = server(&Seen::default()).legacy(legacy).http().expect("the server is right");
        for request in [get("x"), delete("x")] {
            let answer = send(&service, with(request, "mcp-protocol-version", version)).await;
            assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "POST"), "{legacy:?}");
            assert_eq!(answer.error().0, -32600);
        }
    }
    let answer = send(&service(), with(get("x"), "mcp-protocol-version", "1999-01-01")).await;
    assert_eq!(answer.status, 400);
}

#[tokio::test]
async fn a_session_is_its_callers_own() {
    let service = service();
    let by = |mut request: http::Request<_>, name: &str| {
        request.extensions_mut().insert(Principal::new(name));
        request
    };
    let answer = send(&service, by(initialize(), "ada")).await;
    let id = answer.header("mcp-session-id");
    assert_eq!(send(&service, by(legacy(Some(id), &ping()), "ada")).await.status, 200);
    assert_eq!(send(&service, by(legacy(Some(id), &ping()), "eve")).await.status, 404);
    assert_eq!(send(&service, by(delete(id), "eve")).await.status, 404);
    assert_eq!(send(&service, legacy(Some(id), &ping())).await.status, 404);
}
