//! Posts and their answers.

use serde_json::json;

use super::kit::{Seen, call, event, legacy, modern, open, post, send, server, service, with};

#[tokio::test]
async fn a_call_that_sends_nothing_first_is_one_json_object() {
    let answer = send(&service(), call("say")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["result"]["content"][0]["text"], "said");
    assert_eq!(answer.headers.get("mcp-session-id"), None);
}

#[tokio::test]
async fn the_answer_becomes_a_stream_when_something_is_sent_first() {
    for tool in ["tell_now", "tell_later"] {
        let answer = send(&service(), call(tool)).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.header("x-accel-buffering"), "no");
        assert!(answer.text.starts_with("event: message\ndata: {"), "{answer:?}");
        let events = answer.events();
        assert_eq!(events[0]["params"]["data"], "one");
        assert_eq!(events.last().map(|last| &last["result"]["content"][0]["text"]), Some(&json!("told")));
    }
    assert_eq!(send(&service(), call("tell_now")).await.events().len(), 3);
}

#[tokio::test]
async fn the_stream_begins_at_once_and_not_with_the_result() {
    let service = service();
    let mut response = open(&service, call("tell_never")).await;
    assert_eq!(event(response.body_mut()).await["params"]["data"], "one");
}

#[tokio::test]
async fn a_client_that_takes_events_only_gets_the_answer_as_one() {
    let answer = send(&service(), with(call("say"), "accept", "text/event-stream")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.events().len(), 1);
    assert_eq!(answer.events()[0]["id"], 7);
}

#[tokio::test]
async fn a_client_that_takes_json_only_gets_the_result_and_nothing_before() {
    let answer = send(&service(), with(call("tell_later"), "accept", "application/json")).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "told");
}

#[tokio::test]
async fn a_stream_of_changes_needs_a_client_that_takes_events() {
    let listen =
        || modern("subscriptions/listen", None, json!({ "notifications": { "toolsListChanged": true } }));
    let answer = send(&service(), with(listen(), "accept", "application/json")).await;
    assert_eq!(answer.status, 400);
    assert!(answer.error().1.contains("text/event-stream"));
    let mut response = open(&service(), listen()).await;
    assert_eq!(event(response.body_mut()).await["method"], "notifications/subscriptions/acknowledged");
}

#[tokio::test]
async fn accept_is_read_as_http_says() {
    let service = service();
    for accept in ["*/*", "application/*", "text/html, */*;q=0.1", "APPLICATION/JSON"] {
        let answer = send(&service, with(call("say"), "accept", accept)).await;
        assert_eq!(answer.json()["id"], 7, "{accept}");
    }
    let mut absent = call("say");
    absent.headers_mut().remove("accept");
    assert_eq!(send(&service, absent).await.json()["id"], 7);
    let neither = send(&service, with(call("say"), "accept", "text/html")).await;
    assert_eq!(neither.status, 406);
    assert!(neither.error().1.contains("Accept"));
}

#[tokio::test]
async fn only_json_is_read() {
    let service = service();
    let answer = send(&service, with(call("say"), "content-type", "text/plain")).await;
    assert_eq!(answer.status, 415);
    assert!(answer.error().1.contains("application/json"));
    let answer = send(&service, with(call("say"), "content-type", "Application/Json; charset=utf-8")).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn what_is_no_message_is_a_parse_error_and_the_next_is_served() {
    let service = service();
    for body in
        [&b"{\"jsonrpc\""[..], b"\xff\xfe", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", b""]
    {
        let answer = send(&service, post(body)).await;
        assert_eq!(answer.status, 400, "{body:?}");
        assert_eq!(answer.error().0, -32700, "{body:?}");
        assert_eq!(answer.json().get("id"), None);
    }
    assert_eq!(send(&service, call("say")).await.status, 200);
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused_with_the_limit() {
    let service = service();
    let answer = send(&service, post(vec![b' '; 10 * 1024 * 1024])).await;
    assert_eq!(answer.status, 413);
    assert!(answer.error().1.contains("4194304"), "{answer:?}");
    let small = server(&Seen::default()).message_limit(100).http().expect("the server is right");
    assert_eq!(send(&small, call("say")).await.status, 413);
}

#[tokio::test]
async fn the_status_follows_the_error_of_a_modern_request() {
    let service = service();
    let unknown = send(&service, modern("no/such", None, json!({}))).await;
    assert_eq!((unknown.status.as_u16(), unknown.error().0), (404, -32601));
    assert_eq!(unknown.json()["id"], 7);
    let mismatch = send(&service, with(call("say"), "mcp-name", "other")).await;
    assert_eq!((mismatch.status.as_u16(), mismatch.error().0), (400, -32020));
    // An error is told by its status to those, too, who take events only.
    let events =
        send(&service, with(modern("no/such", None, json!({})), "accept", "text/event-stream")).await;
    assert_eq!((events.status.as_u16(), events.error().0), (404, -32601));
}

#[tokio::test]
async fn a_modern_question_is_answered_by_the_retry() {
    let service = service();
    let asked = send(&service, call("ask")).await.json();
    assert_eq!(asked["result"]["resultType"], "input_required");
    assert_eq!(asked["result"]["inputRequests"]["folders"]["method"], "roots/list");
    let params = json!({
        "name": "ask",
        "arguments": {},
        "inputResponses": { "folders": { "roots": [{ "uri": "file:///a" }] } },
        "requestState": asked["result"]["requestState"],
    });
    let answer = send(&service, modern("tools/call", Some("ask"), params)).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "1 folders");
}

#[tokio::test]
async fn a_notification_is_accepted_without_a_body() {
    let message = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let answer = send(&service(), legacy(None, &message)).await;
    assert_eq!((answer.status.as_u16(), answer.text.as_str()), (202, ""));
}
