//! The examples as programs, over stdio, with clients of both eras.

#![allow(missing_docs, clippy::panic)]

use std::{path::PathBuf, process::Stdio};

use mcp_runtime::Version;
use serde_json::{Value, json};
use tests::peer::{Peer, everything};

const ERAS: [Version; 2] = [Version::NEWEST_LEGACY, Version::NEWEST];

/// Where `cargo test` has put an example.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("this program has a place");
    let folder = test.ancestors().nth(2).expect("a folder of the build");
    folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

async fn open(name: &str, version: Version, capabilities: Value) -> Peer {
    let program = program(name);
    Peer::spawn(program.to_str().expect("a path in UTF-8"), version, capabilities).greeted().await
}

fn uris(list: &Value) -> Vec<&str> {
    let list = list["resources"].as_array().expect("a list");
    list.iter().map(|entry| entry["uri"].as_str().expect("a URI")).collect()
}

#[tokio::test]
async fn files_are_listed_completed_and_read_and_nothing_beside_them() {
    for version in ERAS {
        // It runs in the folder of this package.
        let mut peer = open("files", version, json!({})).await;
        let list = peer.request("resources/list", json!({})).await;
        let uris = uris(list.result());
        assert!(
            uris.contains(&"file:///Cargo.toml") && uris.contains(&"file:///tests/programs.rs"),
            "{uris:?}"
        );
        let read = peer.request("resources/read", json!({ "uri": "file:///Cargo.toml" })).await;
        let text = read.result()["contents"][0]["text"].as_str().expect("text").to_owned();
        assert!(text.contains("name = \"examples\""), "{text}");
        for uri in
            ["file:///../Cargo.toml", "file:///%2e%2e/Cargo.toml", "file:////etc/passwd", "file:///none"]
        {
            let refused = peer.request("resources/read", json!({ "uri": uri })).await;
            assert_eq!(refused.code(), if version.is_modern() { -32602 } else { -32002 }, "{uri}");
        }
        let asked = json!({
            "ref": { "type": "ref/resource", "uri": "file:///{+path}" },
            "argument": { "name": "path", "value": "tests/" },
        });
        let completed = peer.request("completion/complete", asked).await;
        assert_eq!(completed.result()["completion"]["values"], json!(["tests/programs.rs"]));
        let found = peer.call("find", json!({ "name": "program" })).await;
        assert_eq!(found.result()["structuredContent"]["result"], json!(["tests/programs.rs"]));
    }
}

#[tokio::test]
async fn files_are_found_in_the_roots_of_a_client_that_has_some() {
    let own = format!("file://{}/tests", env!("CARGO_MANIFEST_DIR"));
    for (root, found) in [(own.as_str(), json!(["tests/programs.rs"])), ("file:///elsewhere", json!([]))] {
        let roots = json!({ "roots": [{ "uri": root }] });
        let mut legacy = open("files", Version::NEWEST_LEGACY, everything()).await;
        let answer = roots.clone();
        legacy.respond(move |method, _| {
            assert_eq!(method, "roots/list");
            answer.clone()
        });
        let told = legacy.call("find", json!({ "name": ".rs" })).await;
        assert_eq!(told.result()["structuredContent"]["result"], found, "{root}");

        let mut modern = open("files", Version::NEWEST, everything()).await;
        let asked = modern.call("find", json!({ "name": ".rs" })).await;
        assert_eq!(asked.result()["inputRequests"]["roots"]["method"], "roots/list");
        let retry = json!({
            "name": "find",
            "arguments": { "name": ".rs" },
            "inputResponses": { "roots": roots },
            "requestState": asked.result()["requestState"],
        });
        let told = modern.request("tools/call", retry).await;
        assert_eq!(told.result()["structuredContent"]["result"], found, "{root}");
    }
}

#[tokio::test]
async fn a_feed_tells_its_subscribers_of_what_nobody_asked_for() {
    for version in ERAS {
        let mut peer = open("feed", version, json!({})).await;
        if version.is_modern() {
            let filter = json!({ "resourceSubscriptions": ["feed://latest"], "resourcesListChanged": true });
            peer.begin("subscriptions/listen", json!({ "notifications": filter })).await;
            assert_eq!(peer.heard().await["params"]["notifications"], filter);
        } else {
            _ = peer.request("resources/subscribe", json!({ "uri": "feed://latest" })).await.result();
        }
        let (mut updated, mut changed) = (false, false);
        while !(updated && changed) {
            let heard = peer.heard().await;
            updated |= heard["params"]["uri"] == "feed://latest";
            changed |= heard["method"] == "notifications/resources/list_changed";
        }
        let read = peer.request("resources/read", json!({ "uri": "feed://latest" })).await;
        assert!(read.result()["contents"][0]["text"].to_string().contains("Nothing new."), "{}", read.0);
        let list = peer.request("resources/list", json!({})).await;
        let uris = uris(list.result());
        assert!(uris.contains(&"feed://items/1") && uris.contains(&"feed://items/2"), "{uris:?}");
        let published = peer.call("publish", json!({ "text": "Hello." })).await.text().to_owned();
        let read = peer.request("resources/read", json!({ "uri": published })).await;
        assert_eq!(read.result()["contents"][0]["text"], "Hello.");
        let none = peer.request("resources/read", json!({ "uri": "feed://items/0" })).await;
        assert!(none.message().contains("feed://items/0"), "{}", none.0);
    }
}

#[test]
fn the_log_goes_to_stderr_without_colours_and_nothing_but_messages_to_stdout() {
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"publish\",\
                \"arguments\":{\"text\":\"x\"},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
                \"io.modelcontextprotocol/clientCapabilities\":{}}}}\n";
    let mut child = std::process::Command::new(program("feed"))
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let input = child.stdin.take();
    std::io::Write::write_all(&mut input.expect("a pipe"), ping.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(err.contains("INFO") && err.contains("published by a client number=2"), "{err}");
    assert!(!err.contains('\u{1b}'), "{err:?}");
}
