//! Calls that go on as tasks (extension `io.modelcontextprotocol/tasks`).

use std::time::Duration;

use mcp_runtime::{Server, Version};
use serde_json::{Value, json};
use tests::{
    fixture,
    peer::{Carrier, Peer, Reply, everything},
};
use tokio::time::sleep;

use crate::{LEGACY, lives, open};

const EXTENSION: &str = "io.modelcontextprotocol/tasks";
const ID: &str = "io.modelcontextprotocol/subscriptionId";

/// What a client declares that takes tasks and can be asked anything.
fn with_tasks() -> Value {
    let mut capabilities = everything();
    capabilities["extensions"] = json!({ EXTENSION: {} });
    capabilities
}

/// A client that takes tasks, over each transport.
async fn takers() -> Vec<Peer> {
    let mut peers = Vec::new();
    for carrier in Carrier::ALL {
        peers.push(open(carrier, Version::NEWEST, with_tasks()).await);
    }
    peers
}

/// The id of the task that a call has become.
#[track_caller]
fn created(reply: &Reply) -> Value {
    let task = reply.result();
    assert_eq!(task["resultType"], "task", "{task}");
    for member in ["result", "error", "inputRequests", "requestState"] {
        assert_eq!(task.get(member), None, "{task}");
    }
    task["taskId"].clone()
}

async fn get(peer: &mut Peer, id: &Value) -> Value {
    let reply = peer.request("tasks/get", json!({ "taskId": id })).await;
    let task = reply.result().clone();
    assert_eq!(task["resultType"], "complete", "{task}");
    task
}

/// The task once it stands there.
async fn reaches(peer: &mut Peer, id: &Value, status: &str) -> Value {
    for _ in 0..2000 {
        let task = get(peer, id).await;
        if task["status"] == status {
            return task;
        }
        sleep(Duration::from_millis(5)).await;
    }
    panic!("{peer:?}: the task does not become {status}: {}", get(peer, id).await);
}

async fn update(peer: &mut Peer, id: &Value, responses: Value) -> Reply {
    peer.request("tasks/update", json!({ "taskId": id, "inputResponses": responses })).await
}

async fn cancel(peer: &mut Peer, id: &Value) {
    let reply = peer.request("tasks/cancel", json!({ "taskId": id })).await;
    assert_eq!(reply.result()["resultType"], "complete", "{peer:?}");
}

fn agreed(agreed: bool) -> Value {
    json!({ "agreed": { "action": "accept", "content": { "agreed": agreed } } })
}

#[tokio::test]
async fn a_call_becomes_a_task_where_the_client_takes_one() {
    for mut peer in takers().await {
        let discovered = peer.request("server/discover", json!({})).await;
        assert_eq!(discovered.result()["capabilities"]["extensions"], json!({ EXTENSION: {} }), "{peer:?}");
        let id = created(&peer.call("print_pages", json!({ "pages": 3 })).await);
        // It is there as soon as the client knows of it.
        assert_ne!(get(&mut peer, &id).await["status"], "failed");
        let done = reaches(&mut peer, &id, "completed").await;
        assert_eq!(done["result"]["content"][0]["text"], "3 pages", "{peer:?}");
        assert_eq!(done["result"]["structuredContent"], json!({ "result": "3 pages" }), "{peer:?}");
        assert_eq!(done["result"]["_meta"].get("io.modelcontextprotocol/related-task"), None);
        assert_eq!(done.get("requestState"), None);
        assert_eq!(get(&mut peer, &id).await, done, "it stays");
        // Progress of a task is its message, and no notification.
        assert_eq!(done["statusMessage"], "Printed (3/3)", "{peer:?}");
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn the_same_function_answers_at_once_where_it_does_not() {
    for carrier in Carrier::ALL {
        for version in LEGACY.into_iter().chain([Version::NEWEST]) {
            let mut peer = open(carrier, version, everything()).await.greeted().await;
            let reply = peer.call("print_pages", json!({ "pages": 2 })).await;
            assert_eq!(reply.text(), "2 pages", "{peer:?}");
            assert_eq!(reply.result().get("taskId"), None, "{peer:?}");
        }
    }
}

#[tokio::test]
async fn a_plain_tool_never_becomes_a_task() {
    for mut peer in takers().await {
        let params =
            json!({ "name": "echo", "arguments": { "text": "a" }, "task": { "ttl": 5, "pollInterval": 1 } });
        let reply = peer.request("tools/call", params).await;
        assert_eq!(reply.text(), "a", "{peer:?}");
        assert_eq!(reply.result()["resultType"], "complete", "{peer:?}");
    }
}

#[tokio::test]
async fn resolvers_ask_before_the_task_and_the_body_asks_within_it() {
    for mut peer in takers().await {
        let first = peer.call("print_copies", json!({})).await;
        assert_eq!(first.result()["resultType"], "input_required", "{peer:?}");
        assert_eq!(first.result().get("taskId"), None, "{peer:?}");
        let params = json!({
            "name": "print_copies",
            "arguments": {},
            "inputResponses": { "ask_copies": { "action": "accept", "content": { "copies": 2 } } },
            "requestState": first.result()["requestState"],
        });
        let id = created(&peer.request("tools/call", params).await);
        let asking = reaches(&mut peer, &id, "input_required").await;
        let request = &asking["inputRequests"]["agreed"];
        assert_eq!(request["method"], "elicitation/create", "{asking}");
        assert_eq!(request["params"]["message"], "Print 2 copies?", "{asking}");
        // What it is not asked is ignored.
        assert_eq!(
            update(&mut peer, &id, json!({ "other": { "action": "accept" } })).await.result()["resultType"],
            "complete"
        );
        assert_eq!(get(&mut peer, &id).await["status"], "input_required", "{peer:?}");
        // An answer that does not fit is no answer: it asks again, under a key of its own.
        update(
            &mut peer,
            &id,
            json!({ "agreed": { "action": "accept", "content": { "agreed": "perhaps" } } }),
        )
        .await;
        let asking = reaches(&mut peer, &id, "input_required").await;
        let keys: Vec<_> =
            asking["inputRequests"].as_object().into_iter().flatten().map(|(key, _)| key).collect();
        assert_eq!(keys, ["agreed-2"], "{peer:?}");
        let acknowledged = update(&mut peer, &id, json!({ "agreed-2": agreed(true)["agreed"] })).await;
        assert_eq!(acknowledged.result().get("taskId"), None, "{peer:?}");
        let done = reaches(&mut peer, &id, "completed").await;
        assert_eq!(done["result"]["content"][0]["text"], "2 copies", "{peer:?}");
        assert_eq!(
            peer.call("counted", json!({ "name": "print_copies" })).await.text(),
            "1",
            "the body ran once"
        );
    }
}

#[tokio::test]
async fn a_cancelled_task_stops_at_once() {
    for mut peer in takers().await {
        let id = created(&peer.call("hold", json!({})).await);
        cancel(&mut peer, &id).await;
        assert_eq!(get(&mut peer, &id).await["status"], "cancelled", "{peer:?}");
        while peer.call("counted", json!({ "name": "hold ended" })).await.text() != "1" {
            sleep(Duration::from_millis(5)).await;
        }
        // Once more is no mistake.
        cancel(&mut peer, &id).await;
        assert_eq!(get(&mut peer, &id).await["status"], "cancelled", "{peer:?}");
    }
}

#[tokio::test]
async fn cancelling_the_request_does_not_cancel_the_task() {
    let mut peer = open(Carrier::Memory, Version::NEWEST, with_tasks()).await;
    let request = peer.begin("tools/call", json!({ "name": "hold", "arguments": {} })).await;
    let id = created(&peer.answer(&request).await);
    peer.notify("notifications/cancelled", json!({ "requestId": request })).await;
    lives(&mut peer).await;
    assert_eq!(get(&mut peer, &id).await["status"], "working");
    cancel(&mut peer, &id).await;
}

#[tokio::test]
async fn an_error_of_the_protocol_fails_a_task_and_any_other_completes_it() {
    for mut peer in takers().await {
        let id = created(&peer.call("break_down", json!({ "how": "protocol" })).await);
        let failed = reaches(&mut peer, &id, "failed").await;
        assert_eq!(failed["error"], json!({ "code": 7, "message": "It broke down" }), "{peer:?}");
        assert_eq!((failed["statusMessage"].as_str(), failed.get("result")), (Some("It broke down"), None));
        for (how, text) in [("error", "It failed"), ("panic", "The tool `break_down` failed unexpectedly")] {
            let id = created(&peer.call("break_down", json!({ "how": how })).await);
            let done = reaches(&mut peer, &id, "completed").await;
            assert_eq!(done["result"]["isError"], true, "{peer:?}");
            assert_eq!(done["result"]["content"][0]["text"], text, "{peer:?}");
        }
        // What is wrong before the task begins is told at once.
        let reply = peer.call("break_down", json!({})).await;
        assert!(reply.failure().contains("how: missing"), "{}", reply.failure());
    }
}

#[tokio::test]
async fn a_tool_that_has_to_be_a_task_needs_a_client_that_takes_one() {
    for carrier in Carrier::ALL {
        for version in [Version::NEWEST_LEGACY, Version::NEWEST] {
            let mut peer = open(carrier, version, everything()).await.greeted().await;
            let reply = peer.call("hold_as_task", json!({ "seconds": 0 })).await;
            assert_eq!(reply.code(), -32021, "{peer:?}");
            let needs = &reply.0["error"]["data"]["requiredCapabilities"];
            assert_eq!(needs, &json!({ "extensions": { EXTENSION: {} } }), "{peer:?}");
        }
    }
    for mut peer in takers().await {
        let id = created(&peer.call("hold_as_task", json!({ "seconds": 0 })).await);
        assert_eq!(reaches(&mut peer, &id, "completed").await["result"]["content"][0]["text"], "held");
        let id = created(&peer.call("hold_as_task", json!({ "seconds": 60 })).await);
        let done = reaches(&mut peer, &id, "completed").await;
        assert_eq!(done["result"]["isError"], true, "its time is 100 ms: {done}");
    }
}

#[tokio::test]
async fn the_methods_of_tasks_need_the_extension_and_a_task_that_is_there() {
    for carrier in Carrier::ALL {
        let mut peer = open(carrier, Version::NEWEST, with_tasks()).await;
        let id = created(&peer.call("hold", json!({})).await);
        let params = |id: &Value| json!({ "taskId": id, "inputResponses": {} });
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            assert_eq!(peer.request(method, params(&json!("gone"))).await.code(), -32602, "{peer:?}");
            assert_eq!(
                peer.request(method, json!({ "inputResponses": {} })).await.code(),
                -32602,
                "{peer:?}"
            );
            peer.capabilities = everything();
            let reply = peer.request(method, params(&id)).await;
            assert_eq!(reply.code(), -32021, "{peer:?}");
            let filter = json!({ "notifications": { "taskIds": [id] } });
            assert_eq!(peer.request("subscriptions/listen", filter).await.code(), -32021, "{peer:?}");
            peer.capabilities = with_tasks();
        }
        for broken in [json!({ "taskId": id }), json!({ "taskId": id, "inputResponses": [] })] {
            assert_eq!(peer.request("tasks/update", broken).await.code(), -32602, "{peer:?}");
        }
        for method in ["tasks/list", "tasks/result"] {
            assert_eq!(peer.request(method, params(&id)).await.code(), -32601, "{peer:?}");
        }
        assert_eq!(get(&mut peer, &id).await["status"], "working", "{peer:?}");
        cancel(&mut peer, &id).await;
    }
    for version in LEGACY {
        let mut peer = open(Carrier::Memory, version, everything()).await.greeted().await;
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            assert_eq!(peer.request(method, json!({ "taskId": "a" })).await.code(), -32601, "{peer:?}");
        }
    }
}

#[tokio::test]
async fn whoever_listens_to_a_task_is_told_all_of_it() {
    for mut peer in takers().await {
        let params = json!({
            "name": "print_copies",
            "arguments": {},
            "inputResponses": { "ask_copies": { "action": "decline" } },
        });
        let id = created(&peer.request("tools/call", params).await);
        reaches(&mut peer, &id, "input_required").await;
        let filter = json!({ "notifications": { "taskIds": [id, "gone"] } });
        let subscription = peer.begin("subscriptions/listen", filter).await;
        let first = peer.heard().await;
        assert_eq!(first["params"]["notifications"], json!({ "taskIds": [id] }), "{peer:?}");
        // Where it stands already counts too.
        let now = peer.heard().await;
        assert_eq!(now["method"], "notifications/tasks", "{peer:?}");
        assert_eq!(now["params"]["status"], "input_required", "{peer:?}");
        assert_eq!(now["params"]["_meta"][ID], subscription, "{peer:?}");
        assert!(now["params"]["inputRequests"]["agreed"].is_object(), "{peer:?}");
        update(&mut peer, &id, agreed(false)).await;
        let mut last = peer.heard().await;
        while last["params"]["status"] == "working" {
            last = peer.heard().await;
        }
        let mut told = last["params"].clone();
        told.as_object_mut().expect("an object").remove("_meta");
        let mut known = get(&mut peer, &id).await;
        for own in ["_meta", "resultType"] {
            known.as_object_mut().expect("an object").remove(own);
        }
        assert_eq!(told, known, "{peer:?}");
        assert_eq!(told["result"]["content"][0]["text"], "nothing", "{peer:?}");
    }
}

#[tokio::test]
async fn there_are_no_more_tasks_than_the_server_bears() {
    let server = fixture::server().task_limit(2, Duration::from_secs(60));
    let mut peer = Peer::open(server, Carrier::Memory, Version::NEWEST, with_tasks()).await;
    for _ in 0..2 {
        created(&peer.call("hold", json!({})).await);
    }
    let reply = peer.call("hold", json!({})).await;
    assert_eq!(reply.code(), -32603);
    assert!(reply.message().contains("too many tasks"), "{}", reply.message());
    lives(&mut peer).await;
}

#[tokio::test]
async fn a_task_whose_time_is_over_is_gone() {
    let server: Server = fixture::server().task_limit(10, Duration::from_millis(50));
    let mut peer = Peer::open(server, Carrier::Memory, Version::NEWEST, with_tasks()).await;
    let id = created(&peer.call("hold", json!({})).await);
    sleep(Duration::from_millis(60)).await;
    assert_eq!(peer.request("tasks/get", json!({ "taskId": id })).await.code(), -32602);
    while peer.call("counted", json!({ "name": "hold ended" })).await.text() != "1" {
        sleep(Duration::from_millis(5)).await;
    }
}
