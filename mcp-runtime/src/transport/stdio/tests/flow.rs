//! Requests side by side, within bounds, to the end.

use super::*;
use std::time::Instant;

fn sleep(id: u64, ms: u64) -> String {
    call(id, "sleep", &json!({ "n": ms }))
}

#[tokio::test]
async fn a_slow_call_keeps_nobody_waiting() {
    let mut client = client(ready(server()), 4096);
    client.line(sleep(1, 400)).await;
    client.line(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#).await;
    client.line(sum(3)).await;
    for id in [2, 3, 1] {
        assert_eq!(client.answer().await["id"], id);
    }
    client.hang_up().await;
    client.over().await;
}

#[tokio::test]
async fn what_is_in_flight_at_the_end_of_input_is_answered() {
    let mut client = client(ready(server()), 4096);
    client.line(sleep(1, 200)).await;
    client.hang_up().await;
    assert_eq!(client.answer().await["id"], 1);
    assert_eq!(client.next().await, None);
    client.over().await;
}

#[tokio::test]
async fn the_grace_at_the_end_of_input_is_bounded() {
    let mut client = client(ready(server().grace(Duration::from_millis(100))), 4096);
    client.line(sleep(1, 60_000)).await;
    client.line(sum(2)).await;
    client.hang_up().await;
    assert_eq!(client.answer().await["id"], 2);
    assert_eq!(client.next().await, None);
    client.over().await;
}

#[tokio::test]
async fn a_subscription_ends_with_the_input_and_with_the_server() {
    let listen = json!({
        "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": {
            "notifications": { "toolsListChanged": true },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    })
    .to_string();
    for server_stops in [false, true] {
        // Neither waits for the grace.
        let core = ready(server().grace(Duration::from_secs(3600)));
        let mut client = client(core.clone(), 4096);
        client.line(&listen).await;
        assert_eq!(client.answer().await["method"], "notifications/subscriptions/acknowledged");
        if server_stops {
            core.closing.cancel();
        } else {
            client.hang_up().await;
        }
        assert_eq!(client.answer().await["result"]["resultType"], "complete");
        assert_eq!(client.next().await, None);
        client.over().await;
    }
}

#[tokio::test]
async fn a_client_that_is_gone_ends_the_server_quietly() {
    let (server_end, client_end) = tokio::io::duplex(64);
    let (reader, mut writer) = tokio::io::split(client_end);
    // Input stays open; only nobody reads the output any more.
    let (output, nobody) = tokio::io::duplex(64);
    drop(nobody);
    let (input, _unused) = tokio::io::split(server_end);
    let server = tokio::spawn(super::super::serve_on(ready(server()), input, output));
    writer.write_all(format!("{}\n", sum(1)).as_bytes()).await.expect("it is open");
    timeout(PATIENCE, server).await.expect("it ends").expect("without a panic").expect("without an error");
    drop((reader, writer));
}

#[tokio::test]
async fn what_a_function_sends_comes_before_its_answer() {
    // Below and above what waits without a pause.
    for steps in [3_u64, 20_000] {
        let mut client = client(ready(server()), 4096);
        client.line(call(1, "tell", &json!({ "n": steps }))).await;
        for step in 0..steps {
            assert_eq!(client.answer().await["params"]["progress"], step);
        }
        assert_eq!(client.answer().await["id"], 1);
        client.hang_up().await;
        client.over().await;
    }
}

#[tokio::test]
async fn no_more_run_at_once_than_may_and_the_others_follow() {
    let mut client = client(ready(server().concurrent_requests(4)), 1 << 16);
    let start = Instant::now();
    for id in 0..12 {
        client.line(sleep(id, 100)).await;
    }
    let mut ids = Vec::new();
    for _ in 0..12 {
        ids.push(client.answer().await["id"].as_u64());
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..12).map(Some).collect::<Vec<_>>());
    assert!(start.elapsed() >= Duration::from_millis(300), "three rounds of four");
    client.hang_up().await;
    client.over().await;
}

#[tokio::test]
async fn at_the_limit_requests_can_still_be_cancelled_running_or_waiting() {
    let mut client = client(ready(server().concurrent_requests(2)), 1 << 16);
    client.line(sleep(1, 60_000)).await;
    client.line(sleep(2, 60_000)).await;
    client.line(sleep(3, 60_000)).await;
    client.line(sum(4)).await;
    client.silence().await;
    client.line(cancelled(3)).await;
    client.line(cancelled(1)).await;
    // The place of the first one is the fourth's: the third, which waited before it, is forgotten.
    assert_eq!(client.answer().await["id"], 4);
    client.line(cancelled(2)).await;
    client.hang_up().await;
    assert_eq!(client.next().await, None);
    client.over().await;
}

#[tokio::test]
async fn at_the_limit_no_more_is_read_than_may_wait() {
    let mut client = client(ready(server().concurrent_requests(2)), 1024);
    let line = format!("{}\n", sleep(1, 60_000));
    let mut accepted = 0;
    let writer = client.writer.as_mut().expect("it is open");
    while let Ok(written) = timeout(Duration::from_millis(200), writer.write(line.as_bytes())).await {
        accepted += written.expect("it is open");
        assert!(accepted < 1 << 20);
    }
    // Two that run, 256 that wait, and the buffers in between.
    assert!(accepted >= 258 * line.len());
    assert!(accepted < 258 * line.len() + 64 * 1024 + 2048, "{accepted}");
    client.server.abort();
}

#[tokio::test]
async fn a_client_that_does_not_read_is_not_read_from() {
    let mut client = client(ready(server()), 64 * 1024);
    let line = format!("{}\n", call(1, "fill", &json!({ "n": 64 * 1024 })));
    let mut accepted = 0;
    let writer = client.writer.as_mut().expect("it is open");
    while let Ok(written) = timeout(Duration::from_millis(300), writer.write(line.as_bytes())).await {
        accepted += written.expect("it is open");
        assert!(accepted < 10 << 20, "a client that does not read made it grow");
    }
    // What was accepted is answered, all of it, as soon as somebody reads.
    let most = accepted / line.len();
    assert!(most < 3000, "{most}");
    let rest = line.len() - accepted % line.len();
    let mut writer = client.writer.take().expect("it is open");
    let tail = line[line.len() - rest..].to_owned();
    let wrote = tokio::spawn(async move {
        writer.write_all(tail.as_bytes()).await.expect("it is open");
        writer.shutdown().await.expect("it can be closed");
    });
    let mut answers = 0;
    while let Some(answer) = client.next().await {
        assert_eq!(answer["result"]["content"][0]["text"].as_str().map(str::len), Some(64 * 1024));
        answers += 1;
    }
    assert_eq!(answers, most + 1);
    wrote.await.expect("it was read");
    client.over().await;
}

fn initialize(id: u64) -> String {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "roots": {} },
        "clientInfo": { "name": "lines", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": "initialize", "params": params }).to_string()
}

fn ask(id: u64) -> String {
    let params = json!({ "name": "roots", "arguments": { "n": id } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

#[tokio::test]
async fn at_the_limit_a_client_can_still_answer_what_it_is_asked() {
    let mut client = client(ready(server().concurrent_requests(1)), 1 << 16);
    client.line(initialize(0)).await;
    assert_eq!(client.answer().await["id"], 0);
    for id in [1, 2] {
        client.line(ask(id)).await;
    }
    for id in [1, 2] {
        let question = client.answer().await;
        assert_eq!(question["method"], "roots/list");
        client
            .line(json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "roots": [] } }).to_string())
            .await;
        let answer = client.answer().await;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &Value::Null), "{answer}");
    }
    client.hang_up().await;
    client.over().await;
}

#[tokio::test]
async fn a_question_that_nobody_will_answer_ends_with_the_input() {
    let mut client = client(ready(server().grace(Duration::from_secs(3600))), 1 << 16);
    client.line(initialize(0)).await;
    assert_eq!(client.answer().await["id"], 0);
    client.line(ask(1)).await;
    assert_eq!(client.answer().await["method"], "roots/list");
    client.hang_up().await;
    let answer = client.answer().await;
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(1), &json!(true)), "{answer}");
    assert_eq!(client.next().await, None);
    client.over().await;
}
