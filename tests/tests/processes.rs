//! Servers as programs: their command line, and the same bytes from every build.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Output, Stdio},
};

use hyper::Method;
use serde_json::{Value, json};
use tests::{http, peer::PATIENCE};

/// Runs a program with this input to its end.
fn run(program: &str, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    // A program that does not read its input may be gone by now.
    _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn fixture(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let output = run(env!("CARGO_BIN_EXE_fixture"), args, input);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn line(id: u64, method: &str, params: Value) -> String {
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

#[test]
fn two_builds_with_their_modules_in_another_order_list_the_same_bytes() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
    let modern: String = lists.iter().map(|list| line(1, list, json!({ "_meta": meta }))).collect();
    let legacy: String = lists.iter().map(|list| line(1, list, json!({}))).collect();
    for input in [modern, line(0, "initialize", hello) + &legacy] {
        let one = run(env!("CARGO_BIN_EXE_fixture"), &[], &input);
        let other = run(env!("CARGO_BIN_EXE_reordered"), &[], &input);
        let text = String::from_utf8(one.stdout.clone()).expect("text");
        assert!(text.contains("\"tools\":[{") && text.contains("\"resourceTemplates\":[{"), "{text}");
        assert!(one.stdout == other.stdout, "{text}\n{}", String::from_utf8_lossy(&other.stdout));
    }
}

#[test]
fn help_and_version_say_what_the_server_is() {
    let (code, out, _) = fixture(&["--help"], "");
    assert_eq!(code, Some(0));
    assert!(out.starts_with("Fixture 1.2.3\n") && out.contains("serve [--addr"), "{out}");
    assert_eq!(fixture(&["--version"], "").1, "Fixture 1.2.3\n");
}

#[test]
fn tools_shows_what_is_offered() {
    let (code, out, _) = fixture(&["tools"], "");
    assert_eq!(code, Some(0));
    assert!(
        out.contains("\ncounted --name string\n    How often something happened on this server.\n"),
        "{out}"
    );
}

#[test]
fn call_calls_a_tool_and_prints_its_text() {
    let (code, out, err) = fixture(&["call", "counted", "--name", "nothing"], "");
    assert_eq!((code, &*out, &*err), (Some(0), "0\n", ""));
}

#[test]
fn call_asks_at_the_prompt() {
    let (code, out, err) = fixture(&["call", "shred", "--path", "/tmp/x"], "yes\n");
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(err.contains("(yes or no): "), "{err}");
    assert!(out.contains("/tmp/x"), "{out}");
    let (code, _, err) = fixture(&["call", "shred", "--path", "/tmp/x"], "");
    assert_eq!(code, Some(1), "the end of input declines");
    assert!(err.contains("The user declined to answer"), "{err}");
}

#[test]
fn what_is_wrong_with_the_command_line_is_said_with_exit_code_2() {
    for (args, said) in [
        (&["dance"][..], "there is no command `dance`"),
        (&["call"], "`call` needs the name of a tool"),
        (&["call", "no_such_tool"], "there is no tool `no_such_tool`"),
        (&["serve", "--port", "80"], "invalid option '--port'"),
        (&["serve", "--addr", "nowhere"], "cannot serve at `nowhere` (written as HOST:PORT)"),
    ] {
        let (code, out, err) = fixture(args, "");
        assert_eq!((code, &*out), (Some(2), ""), "{args:?}: {err}");
        assert!(err.starts_with("error: ") && err.contains(said), "{args:?}: {err}");
    }
}

#[test]
fn a_call_that_the_tool_refuses_ends_with_exit_code_1_and_says_why() {
    let (code, out, err) = fixture(&["call", "counted", "--nome", "x"], "");
    assert_eq!((code, &*out), (Some(1), ""));
    assert!(err.contains("did you mean `name`?") && err.contains("name: missing"), "{err}");
}

/// A server that was started with `serve`, and its port.
fn serving() -> (Child, u16) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fixture"))
        .args(["serve", "--addr", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, address) = line.split_once("http://127.0.0.1:")?;
        address.split('/').next()?.parse().ok()
    });
    // What it writes has to go somewhere.
    std::thread::spawn(move || lines.for_each(drop));
    (child, port.expect("it says where it serves"))
}

#[tokio::test]
async fn a_server_that_is_told_to_end_answers_its_streams_and_ends() {
    let (mut child, port) = serving();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let listen = line(
        1,
        "subscriptions/listen",
        json!({ "_meta": meta, "notifications": { "toolsListChanged": true } }),
    );
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "subscriptions/listen")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let response = http::send(port, Method::POST, &headers, listen).await;
    let mut heard = Vec::new();
    let stream = http::messages(response, |message| {
        if heard.is_empty() {
            let told = Command::new("kill").arg(child.id().to_string()).status();
            assert!(told.is_ok_and(|status| status.success()));
        }
        heard.push(message);
    });
    tokio::time::timeout(PATIENCE, stream).await.expect("the stream ends in time");
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert_eq!(
        (&heard[1]["id"], &heard[1]["result"]["resultType"]),
        (&json!(1), &json!("complete")),
        "{heard:?}"
    );
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}
