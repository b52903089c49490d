//! Changes: who hears of what.

use hyper::Method;
use mcp_runtime::{Server, Version, tools};
use serde_json::{Value, json};
use tests::{
    fixture, http,
    peer::{Carrier, PATIENCE, Peer},
};
use tokio::{net::TcpListener, sync::oneshot, time::timeout};

use crate::{LEGACY, connect, lives, peers};

const ID: &str = "io.modelcontextprotocol/subscriptionId";

/// Opens a subscription; its id, after it was acknowledged with this filter.
async fn listen(peer: &mut Peer, filter: Value, honoured: Value) -> Value {
    let id = peer.begin("subscriptions/listen", json!({ "notifications": filter })).await;
    let first = peer.heard().await;
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged", "{peer:?}");
    assert_eq!(first["params"]["_meta"][ID], id, "{peer:?}");
    assert_eq!(first["params"]["notifications"], honoured, "{peer:?}");
    id
}

#[tokio::test]
async fn a_listener_hears_what_it_asked_for_under_its_subscription() {
    for mut peer in peers(&[Version::NEWEST]).await {
        let filter = json!({ "toolsListChanged": true, "resourceSubscriptions": ["note://a"], "promptsListChanged": false });
        let honoured = json!({ "toolsListChanged": true, "resourceSubscriptions": ["note://a"] });
        let id = listen(&mut peer, filter, honoured).await;
        peer.call("touch", json!({ "uri": "note://b" })).await;
        peer.call("touch", json!({ "uri": "note://a" })).await;
        peer.call("shake", json!({})).await;
        let updated = peer.heard().await;
        assert_eq!(updated["method"], "notifications/resources/updated", "{peer:?}");
        assert_eq!(updated["params"], json!({ "_meta": { ID: id }, "uri": "note://a" }), "{peer:?}");
        let changed = peer.heard().await;
        assert_eq!(changed["method"], "notifications/tools/list_changed", "{peer:?}");
        assert_eq!(changed["params"]["_meta"][ID], id, "{peer:?}");
        peer.call("touch", json!({ "uri": "note://a" })).await;
        assert_eq!(peer.heard().await["params"]["uri"], "note://a", "and no other list");
        assert!(!peer.is_answered(&id), "{peer:?}");
    }
}

#[tokio::test]
async fn two_subscriptions_are_told_apart_and_end_one_by_one() {
    for mut peer in peers(&[Version::NEWEST]).await {
        let filter = json!({ "resourceSubscriptions": ["note://a"] });
        let one = listen(&mut peer, filter.clone(), filter.clone()).await;
        let other = listen(&mut peer, filter.clone(), filter).await;
        peer.call("touch", json!({ "uri": "note://a" })).await;
        let mut ids = vec![
            peer.heard().await["params"]["_meta"][ID].clone(),
            peer.heard().await["params"]["_meta"][ID].clone(),
        ];
        ids.sort_by_key(Value::to_string);
        assert_eq!(ids, [one.clone(), other.clone()], "{peer:?}");
        peer.cancel(&one).await;
        lives(&mut peer).await;
        peer.call("touch", json!({ "uri": "note://a" })).await;
        assert_eq!(peer.heard().await["params"]["_meta"][ID], other, "{peer:?}");
        lives(&mut peer).await;
        assert!(!peer.is_answered(&one), "{peer:?}");
    }
}

#[tokio::test]
async fn a_filter_is_an_object_of_known_kinds() {
    for mut peer in peers(&[Version::NEWEST]).await {
        for params in [
            json!({}),
            json!({ "notifications": "all" }),
            json!({ "notifications": [] }),
            json!({ "notifications": { "toolsListChanged": "yes" } }),
            json!({ "notifications": { "resourceSubscriptions": "note://a" } }),
        ] {
            let reply = peer.request("subscriptions/listen", params.clone()).await;
            assert_eq!(reply.code(), -32602, "{params}, {peer:?}");
            assert!(reply.message().contains("notifications"), "{}", reply.message());
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_session_hears_of_resources_while_it_is_subscribed() {
    for mut peer in peers(&LEGACY).await {
        assert_eq!(
            peer.request("resources/subscribe", json!({ "uri": "note://a" })).await.result(),
            &json!({})
        );
        peer.call("touch", json!({ "uri": "note://b" })).await;
        peer.call("touch", json!({ "uri": "note://a" })).await;
        let updated = peer.heard().await;
        let expected = json!({ "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": { "uri": "note://a" } });
        assert_eq!(updated, expected, "{peer:?}");
        assert_eq!(
            peer.request("resources/unsubscribe", json!({ "uri": "note://a" })).await.result(),
            &json!({})
        );
        peer.call("touch", json!({ "uri": "note://a" })).await;
        peer.call("shake", json!({})).await;
        let mut methods = Vec::new();
        for _ in 0..3 {
            let changed = peer.heard().await;
            assert_eq!(changed.get("params"), None, "{changed}");
            methods.push(changed["method"].as_str().unwrap_or_default().to_owned());
        }
        methods.sort();
        let all = [
            "notifications/prompts/list_changed",
            "notifications/resources/list_changed",
            "notifications/tools/list_changed",
        ];
        assert_eq!(methods, all, "{peer:?}");
        for params in [json!({}), json!({ "uri": 7 })] {
            assert_eq!(peer.request("resources/subscribe", params).await.code(), -32602);
        }
    }
}

#[tokio::test]
async fn one_word_of_a_function_reaches_clients_of_both_eras() {
    for carrier in Carrier::HERE {
        let mut modern = connect(carrier, Version::NEWEST).await;
        let mut legacy = modern.beside(Version::V2025_11_25).await.greeted().await;
        let filter = json!({ "resourceSubscriptions": ["note://a"] });
        listen(&mut modern, filter.clone(), filter).await;
        legacy.request("resources/subscribe", json!({ "uri": "note://a" })).await;
        for from_modern in [true, false] {
            let caller = if from_modern { &mut modern } else { &mut legacy };
            assert_eq!(caller.call("touch", json!({ "uri": "note://a" })).await.text(), "touched");
            for hearer in [&mut modern, &mut legacy] {
                assert_eq!(hearer.heard().await["params"]["uri"], "note://a", "{hearer:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_a_server_does_not_have_is_not_promised() {
    for carrier in Carrier::HERE {
        let server = Server::empty("Small", "1").tools(tools![crate::lists::apple]);
        let mut peer = Peer::connect(server, carrier, Version::NEWEST).await;
        let filter = json!({
            "toolsListChanged": true,
            "promptsListChanged": true,
            "resourcesListChanged": true,
            "resourceSubscriptions": ["note://a"],
            "io.example/unheardOf": true,
        });
        listen(&mut peer, filter, json!({ "toolsListChanged": true })).await;
    }
}

#[tokio::test]
async fn a_subscription_begins_with_its_acknowledgement_whatever_happens_meanwhile() {
    for mut peer in peers(&[Version::NEWEST]).await {
        let mut calls = Vec::new();
        for call in 0..20 {
            if call == 10 {
                let filter = json!({ "toolsListChanged": true, "promptsListChanged": true });
                peer.begin("subscriptions/listen", json!({ "notifications": filter })).await;
            }
            calls.push(peer.begin("tools/call", json!({ "name": "shake", "arguments": {} })).await);
        }
        for call in calls {
            assert!(peer.answer(&call).await.result()["content"].is_array());
        }
        assert_eq!(peer.heard().await["method"], "notifications/subscriptions/acknowledged", "{peer:?}");
    }
}

#[tokio::test]
async fn at_the_end_of_the_input_every_subscription_is_answered() {
    let mut peer = connect(Carrier::Stdio, Version::NEWEST).await;
    let filter = json!({ "resourceSubscriptions": ["note://a"] });
    let one = listen(&mut peer, filter.clone(), filter.clone()).await;
    let other = listen(&mut peer, filter.clone(), filter).await;
    assert_eq!(peer.hang_up().await.code(), Some(0));
    for id in [one, other] {
        assert_eq!(peer.answer(&id).await.result()["_meta"][ID], id);
    }
}

#[tokio::test]
async fn a_server_that_stops_answers_its_subscriptions_and_ends_their_streams() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let (stop, stopped) = oneshot::channel();
    let service = fixture::server().http().expect("the server starts");
    let server = tokio::spawn(service.serve_on(listener, async {
        _ = stopped.await;
    }));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "_meta": meta, "notifications": { "toolsListChanged": true } });
    let body = json!({ "jsonrpc": "2.0", "id": "mine", "method": "subscriptions/listen", "params": params });
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "subscriptions/listen")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let response = http::send(port, Method::POST, &headers, body.to_string()).await;
    let mut stop = Some(stop);
    let mut heard = Vec::new();
    let stream = http::messages(response, |message| {
        heard.push(message);
        _ = stop.take().map(|stop| stop.send(()));
    });
    timeout(PATIENCE, stream).await.expect("it ends in time");
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert_eq!(heard[0]["method"], "notifications/subscriptions/acknowledged");
    assert_eq!((&heard[1]["id"], &heard[1]["result"]["_meta"][ID]), (&json!("mine"), &json!("mine")));
    tests::spec::check_response(Version::NEWEST, "subscriptions/listen", &heard[1]);
    _ = timeout(PATIENCE, server).await.expect("the server ends in time");
}
