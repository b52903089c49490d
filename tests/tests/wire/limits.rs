//! What a connection bears: long and broken input, many calls, clients that go.

use std::time::Duration;

use hyper::Method;
use mcp_runtime::Version;
use serde_json::{Value, json};
use tests::{
    fixture, http,
    peer::{Carrier, PATIENCE, Peer},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::{ERAS, LEGACY, connect, lives};

#[tokio::test]
async fn a_message_of_ten_megabytes_is_refused_and_the_next_is_answered() {
    for version in ERAS {
        let mut peer = connect(Carrier::Stdio, version).await;
        let long = peer.params(json!({ "name": "echo", "arguments": { "text": "x".repeat(10_000_000) } }));
        let long = json!({ "jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": long }).to_string();
        let reply = peer.malformed(long.clone()).await;
        assert!([-32600, -32700].contains(&reply.code()), "{}", reply.0);
        lives(&mut peer).await;
        let mut peer = connect(Carrier::Http, version).await;
        let response = http::send(peer.port(), Method::POST, &[], long).await;
        assert_eq!(response.status(), 413);
        let mut heard = Vec::new();
        http::messages(response, |message| heard.push(message)).await;
        assert!(heard[0]["error"]["message"].is_string(), "{heard:?}");
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn what_is_no_utf8_is_a_parse_error_and_the_next_is_answered() {
    for version in ERAS {
        let mut peer = connect(Carrier::Stdio, version).await;
        for bytes in [
            &b"\xff\xfe\n"[..],
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\x28\"}\n",
            b"\"\xed\xa0\x80\"\n",
        ] {
            peer.bytes(bytes).await;
            assert_eq!(peer.answer(&Value::Null).await.code(), -32700);
            lives(&mut peer).await;
        }
    }
}

#[tokio::test]
async fn blank_lines_crlf_and_a_byte_order_mark_are_no_mistakes() {
    for version in ERAS {
        let mut peer = crate::open(Carrier::Stdio, version, tests::peer::everything()).await;
        peer.bytes(b"\xef\xbb\xbf\n\r\n  \n").await;
        let mut peer = peer.greeted().await;
        let id = peer.fresh();
        let params = peer.params(json!({ "name": "echo", "arguments": { "text": "x" } }));
        let text = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        assert_eq!(peer.text(&id, "tools/call", format!("  {text} \r\n\n")).await.text(), "x");
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_burst_of_noise_is_answered_once() {
    let mut peer = connect(Carrier::Stdio, Version::NEWEST).await;
    peer.bytes("a log line\n".repeat(1000).as_bytes()).await;
    assert_eq!(peer.answer(&Value::Null).await.code(), -32700);
    // Everything before this answer was sent before it.
    lives(&mut peer).await;
    assert!(!peer.is_answered(&Value::Null), "noise is not answered line by line");
}

#[tokio::test]
async fn what_was_accepted_is_finished_when_the_input_ends() {
    for version in ERAS {
        let mut peer = connect(Carrier::Stdio, version).await;
        let slow = peer.begin("tools/call", json!({ "name": "nap", "arguments": { "millis": 300 } })).await;
        let quick = peer.begin("tools/call", json!({ "name": "echo", "arguments": { "text": "x" } })).await;
        let status = peer.hang_up().await;
        assert_eq!(status.code(), Some(0));
        assert_eq!(peer.answer(&slow).await.text(), "300");
        assert_eq!(peer.answer(&quick).await.text(), "x");
    }
}

#[tokio::test]
async fn half_a_message_at_the_end_of_the_input_stops_nothing() {
    let mut peer = connect(Carrier::Stdio, Version::NEWEST).await;
    lives(&mut peer).await;
    peer.bytes(br#"{"jsonrpc":"2.0","id":1,"method":"too"#).await;
    assert_eq!(peer.hang_up().await.code(), Some(0));
}

#[tokio::test]
async fn two_hundred_calls_at_once_are_all_answered() {
    for carrier in [Carrier::Stdio, Carrier::Http] {
        let mut peer = connect(carrier, Version::NEWEST).await;
        let mut ids = Vec::new();
        for _ in 0..200 {
            ids.push(
                peer.begin("tools/call", json!({ "name": "fill", "arguments": { "bytes": 65536 } })).await,
            );
        }
        for id in ids {
            assert_eq!(peer.answer(&id).await.text().len(), 65536, "{peer:?}");
        }
    }
}

#[tokio::test]
async fn a_client_that_hangs_up_in_the_middle_of_a_message_harms_nobody() {
    for version in ERAS {
        let mut peer = connect(Carrier::Http, version).await;
        for part in [
            "",
            "POST",
            "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\"jsonrpc\"",
        ] {
            let mut stream =
                TcpStream::connect(("127.0.0.1", peer.port())).await.expect("the server listens");
            stream.write_all(part.as_bytes()).await.expect("it reads");
            stream.shutdown().await.expect("it ends");
            let mut rest = Vec::new();
            timeout(PATIENCE, stream.read_to_end(&mut rest)).await.expect("it ends in time").ok();
            lives(&mut peer).await;
        }
    }
}

#[tokio::test]
async fn an_older_client_that_hangs_up_has_not_cancelled() {
    for version in LEGACY {
        let mut peer = Peer::connect(fixture::server(), Carrier::Http, version).await;
        let id = peer.begin("tools/call", json!({ "name": "late", "arguments": {} })).await;
        counted(&mut peer, "begun").await;
        peer.drop_exchange(&id);
        counted(&mut peer, "ended").await;
    }
}

/// Waits until something was counted.
async fn counted(peer: &mut Peer, name: &str) {
    for _ in 0..500 {
        if peer.call("counted", json!({ "name": name })).await.text() == "1" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("`{name}` never happened: {peer:?}");
}

#[tokio::test]
async fn a_quiet_client_is_waited_for() {
    for version in ERAS {
        let mut peer = connect(Carrier::Stdio, version).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        lives(&mut peer).await;
    }
}
