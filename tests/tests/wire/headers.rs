//! What a message of 2026-07-28 says in its HTTP headers, and how it is refused.

use hyper::{Method, Response, body::Incoming};
use mcp_runtime::{Legacy, Version};
use serde_json::{Value, json};
use tests::{
    fixture, http,
    peer::{Carrier, PATIENCE, Peer},
    spec,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::{connect, lives};

/// A request as it is sent.
#[derive(Clone)]
struct Sent {
    headers: Vec<(String, String)>,
    body: Value,
}

impl Sent {
    /// A request that says the same in its headers and its body.
    fn new(method: &str, name: Option<&str>, mut params: Value) -> Self {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let mut headers = vec![
            ("mcp-protocol-version".to_owned(), "2026-07-28".to_owned()),
            ("mcp-method".to_owned(), method.to_owned()),
        ];
        headers.extend(name.map(|name| ("mcp-name".to_owned(), name.to_owned())));
        Self { headers, body: json!({ "jsonrpc": "2.0", "id": "seven", "method": method, "params": params }) }
    }

    fn call(tool: &str, arguments: Value) -> Self {
        Self::new("tools/call", Some(tool), json!({ "name": tool, "arguments": arguments }))
    }

    fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(own, _)| own != name);
        self
    }

    fn and(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn with(self, name: &str, value: &str) -> Self {
        self.without(name).and(name, value)
    }

    async fn response(&self, port: u16) -> Response<Incoming> {
        http::send(port, Method::POST, &self.headers, self.body.to_string()).await
    }

    /// The status and the one message that came back.
    async fn to(&self, port: u16) -> (u16, Value) {
        let response = self.response(port).await;
        let status = response.status().as_u16();
        assert_eq!(response.headers()["content-type"], "application/json", "{}", self.body);
        let mut heard = Vec::new();
        http::messages(response, |message| heard.push(message)).await;
        assert_eq!(heard.len(), 1, "{heard:?}");
        (status, heard.remove(0))
    }

    /// Refused with this status and code, under its own id.
    async fn refused(&self, port: u16, status: u16, code: i64) -> String {
        let (got, message) = self.to(port).await;
        let said = format!("{:?} {}: {message}", self.headers, self.body);
        assert_eq!((got, &message["error"]["code"]), (status, &json!(code)), "{said}");
        assert_eq!(message["id"], "seven", "{said}");
        spec::check_response(Version::NEWEST, "", &message);
        message["error"]["message"].as_str().unwrap_or_default().to_owned()
    }

    async fn served(&self, port: u16, text: &str) {
        let (status, message) = self.to(port).await;
        let said = format!("{:?} {}: {message}", self.headers, self.body);
        assert_eq!((status, &message["result"]["content"][0]["text"]), (200, &json!(text)), "{said}");
    }
}

/// Sends a request as this text, as no client library would; the status and the message.
async fn raw(port: u16, head: &[u8], body: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the server listens");
    let mut text = b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n".to_vec();
    text.extend_from_slice(head);
    text.extend_from_slice(format!("content-length: {}\r\n\r\n{body}", body.len()).as_bytes());
    stream.write_all(&text).await.expect("it reads");
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("in time").expect("an answer");
    let answer = String::from_utf8(answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, serde_json::from_str(body).unwrap_or_default())
}

#[tokio::test]
async fn headers_say_what_the_body_says() {
    let mut peer = connect(Carrier::Http, Version::NEWEST).await;
    let port = peer.port();
    let call = || Sent::call("echo", json!({ "text": "x" }));
    call().served(port, "x").await;
    for header in ["mcp-protocol-version", "mcp-method", "mcp-name"] {
        let said = call().without(header).refused(port, 400, -32020).await;
        assert!(said.to_ascii_lowercase().contains(header), "{said}");
        assert!(said.starts_with("Header mismatch: "), "{said}");
        let own = call().headers.iter().find(|(name, _)| name == header).expect("there").1.clone();
        for other in ["", "other", &own.to_ascii_uppercase(), &format!("{own}x")] {
            if *other != own {
                call().with(header, other).refused(port, 400, -32020).await;
            }
        }
        call().and(header, &own).refused(port, 400, -32020).await;
        call().with(header, &format!("  {own} ")).served(port, "x").await;
    }
    for (method, name, params) in [
        ("prompts/get", "greet", json!({ "name": "greet", "arguments": { "name": "Ann" } })),
        ("resources/read", "config://app", json!({ "uri": "config://app" })),
    ] {
        let request = || Sent::new(method, Some(name), params.clone());
        assert_eq!(request().to(port).await.0, 200, "{method}");
        request().without("mcp-name").refused(port, 400, -32020).await;
        request().with("mcp-name", "other").refused(port, 400, -32020).await;
    }
    lives(&mut peer).await;
}

#[tokio::test]
async fn what_a_request_has_to_say_is_asked_for_before_anything_runs() {
    let mut peer = connect(Carrier::Http, Version::NEWEST).await;
    let port = peer.port();
    for key in ["protocolVersion", "clientCapabilities"] {
        for method in ["tools/list", "server/discover", "no/such"] {
            let mut request = Sent::new(method, None, json!({}));
            let meta = request.body["params"]["_meta"].as_object_mut().expect("an object");
            meta.remove(&format!("io.modelcontextprotocol/{key}"));
            let said = request.refused(port, 400, -32602).await;
            assert!(said.contains(key), "{said}");
        }
    }
    let mut bare = Sent::new("tools/list", None, json!({}));
    bare.body["params"] = json!({});
    bare.refused(port, 400, -32602).await;
    let mut other = Sent::new("tools/list", None, json!({})).with("mcp-protocol-version", "2031-01-01");
    other.body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    other.refused(port, 400, -32022).await;
    Sent::new("no/such", None, json!({})).refused(port, 404, -32601).await;
    Sent::new("tasks/result", None, json!({ "taskId": "x" })).refused(port, 404, -32601).await;
    Sent::call("remove", json!({ "path": "x" })).refused(port, 400, -32021).await;
    let mut nameless = Sent::new("tools/call", Some("echo"), json!({ "name": 5 }));
    nameless.body["id"] = json!("seven");
    let (_, message) = nameless.to(port).await;
    assert_eq!(message["error"]["code"], -32602, "{message}");
    lives(&mut peer).await;
}

#[tokio::test]
async fn an_argument_with_a_header_is_said_by_both_or_by_neither() {
    let peer = connect(Carrier::Http, Version::NEWEST).await;
    let port = peer.port();
    let call = |arguments| Sent::call("mirrored", arguments);
    call(json!({})).served(port, "None None").await;
    call(json!({ "shard": null, "dry": null })).served(port, "None None").await;
    let both = || call(json!({ "shard": 42, "dry": true }));
    both()
        .and("mcp-param-shard", "42")
        .and("mcp-param-dry-run", "true")
        .served(port, "Some(42) Some(true)")
        .await;
    // Numbers are compared as numbers; truths are not read from other words.
    both()
        .and("mcp-param-shard", "42.0")
        .and("mcp-param-dry-run", "true")
        .served(port, "Some(42) Some(true)")
        .await;
    for (shard, dry) in [("43", "true"), ("4 2", "true"), ("", "true"), ("42", "True"), ("42", "1")] {
        both().and("mcp-param-shard", shard).and("mcp-param-dry-run", dry).refused(port, 400, -32020).await;
    }
    both().and("mcp-param-shard", "42").refused(port, 400, -32020).await;
    both().refused(port, 400, -32020).await;
    call(json!({ "shard": null })).and("mcp-param-shard", "42").refused(port, 400, -32020).await;
    let twice = call(json!({ "shard": 42 })).and("mcp-param-shard", "42").and("mcp-param-shard", "42");
    twice.refused(port, 400, -32020).await;
    // A header that the tool does not have is nobody's.
    call(json!({})).and("mcp-param-other", "x").served(port, "None None").await;
    // Other integers than these are the same float.
    let far = call(json!({ "shard": 9_007_199_254_740_993_i64 }));
    far.clone().and("mcp-param-shard", "9007199254740993").served(port, "Some(9007199254740993) None").await;
    far.and("mcp-param-shard", "9007199254740992").refused(port, 400, -32020).await;
}

#[tokio::test]
async fn an_encoded_header_is_decoded_before_it_is_compared() {
    let peer = connect(Carrier::Http, Version::NEWEST).await;
    let port = peer.port();
    let region = |text: &str, header: &str| {
        Sent::call("regional", json!({ "region": text })).and("mcp-param-region", header)
    };
    for (text, header) in [
        ("north", "north"),
        ("north", "=?base64?bm9ydGg=?="),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("=?BASE64?bm9ydGg=?=", "=?BASE64?bm9ydGg=?="),
    ] {
        region(text, header).served(port, text).await;
    }
    for header in [
        "=?base64?!!?=",
        "=?base64?//8=?=",
        "=?base64?bm9ydGg=",
        "=?BASE64?bm9ydGg=?=",
        "=?base64?c291dGg=?=",
    ] {
        region("north", header).refused(port, 400, -32020).await;
    }
    let echo = Sent::call("echo", json!({ "text": "x" }));
    echo.clone().with("mcp-name", "=?base64?ZWNobw==?=").served(port, "x").await;
    echo.with("mcp-name", "=?base64?b3RoZXI=?=").refused(port, 400, -32020).await;
    let uri = "note://§";
    let read = Sent::new("resources/read", Some("=?base64?bm90ZTovL8Kn?="), json!({ "uri": uri }));
    assert_eq!(read.to(port).await.1["result"]["contents"][0]["text"], "note §");
}

#[tokio::test]
async fn names_of_headers_have_no_case_and_their_values_have_plain_characters() {
    let peer = connect(Carrier::Http, Version::NEWEST).await;
    let body = Sent::call("echo", json!({ "text": "x" })).body.to_string();
    let head = b"MCP-PROTOCOL-VERSION: 2026-07-28\r\nmCp-MeThOd: tools/call\r\nMCP-NAME: echo\r\n";
    let (status, message) = raw(peer.port(), head, &body).await;
    assert_eq!((status, &message["result"]["content"][0]["text"]), (200, &json!("x")), "{message}");
    let region = Sent::call("regional", json!({ "region": "§" })).body.to_string();
    let lines = b"mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\n";
    for (head, body) in [
        (&b"mcp-name: echo\xff\r\n"[..], &body),
        ("mcp-name: regional\r\nmcp-param-region: §\r\n".as_bytes(), &region),
    ] {
        let (status, message) = raw(peer.port(), &[lines, head].concat(), body).await;
        assert_eq!((status, &message["error"]["code"]), (400, &json!(-32020)), "{message}");
    }
}

#[tokio::test]
async fn an_endpoint_of_2026_07_28_has_posts_only_and_no_sessions() {
    let peer = connect(Carrier::Http, Version::NEWEST).await;
    let port = peer.port();
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let headers = [("mcp-protocol-version".to_owned(), "2026-07-28".to_owned())];
        let response = http::send(port, method.clone(), &headers, String::new()).await;
        assert_eq!(
            (response.status().as_u16(), &response.headers()["allow"]),
            (405, &"POST".parse().expect("a value"))
        );
        let mut heard = Vec::new();
        http::messages(response, |message| heard.push(message)).await;
        assert!(
            heard[0]["error"]["message"].is_string() && heard[0].get("id").is_none(),
            "{method}: {heard:?}"
        );
    }
    // What belongs to the sessions of older revisions says nothing here.
    let stale = Sent::call("echo", json!({ "text": "x" }));
    let stale = stale.and("mcp-session-id", "gone").and("last-event-id", "7");
    let response = stale.response(port).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers().get("mcp-session-id"), None);
    stale.served(port, "x").await;
}

#[tokio::test]
async fn a_notification_gets_no_answer_and_a_broken_one_an_error_without_an_id() {
    let peer = connect(Carrier::Http, Version::NEWEST).await;
    let headers: Vec<_> = Sent::new("notifications/x", None, json!({})).headers;
    for (message, status) in [
        (json!({ "jsonrpc": "2.0", "method": "notifications/x" }), 202),
        (json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }), 202),
        (json!({ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "echo" } }), 202),
        (json!({ "jsonrpc": "1.0", "method": "notifications/x" }), 400),
        (json!({ "jsonrpc": "2.0", "method": 7 }), 400),
    ] {
        let response = http::send(peer.port(), Method::POST, &headers, message.to_string()).await;
        assert_eq!(response.status(), status, "{message}");
        let mut heard = Vec::new();
        http::messages(response, |message| heard.push(message)).await;
        match status {
            202 => assert!(heard.is_empty(), "{heard:?}"),
            _ => assert!(heard[0]["error"]["code"] == -32600 && heard[0].get("id").is_none(), "{heard:?}"),
        }
    }
}

#[tokio::test]
async fn a_bare_request_is_of_an_older_revision_or_refused() {
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    let peer = connect(Carrier::Http, Version::NEWEST).await;
    let response = http::send(peer.port(), Method::POST, &[], list.clone()).await;
    assert_eq!(response.status(), 200);
    let mut heard = Vec::new();
    http::messages(response, |message| heard.push(message)).await;
    spec::check_response(Version::V2025_03_26, "tools/list", &heard[0]);
    let unknown = [("mcp-protocol-version".to_owned(), "1999-01-01".to_owned())];
    assert_eq!(http::send(peer.port(), Method::POST, &unknown, list.clone()).await.status(), 400);
    let modern_only = fixture::server().legacy(Legacy::Off);
    let peer = Peer::open(modern_only, Carrier::Http, Version::NEWEST, json!({})).await;
    assert_eq!(http::send(peer.port(), Method::POST, &[], list).await.status(), 400);
}

#[tokio::test]
async fn what_is_told_of_a_call_travels_on_its_own_stream_which_ends_with_the_answer() {
    let peer = connect(Carrier::Http, Version::NEWEST).await;
    let port = peer.port();
    let exchange = |token: &'static str| async move {
        let mut call = Sent::call("steps", json!({ "count": 3 }));
        call.body["params"]["_meta"]["progressToken"] = json!(token);
        let response = call.response(port).await;
        assert!(http::is_events(&response));
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        let mut heard = Vec::new();
        // It comes to its end: nothing follows the answer.
        timeout(PATIENCE, http::messages(response, |message| heard.push(message))).await.expect("it ends");
        let last = heard.pop().expect("an answer");
        assert_eq!(
            (&last["id"], &last["result"]["structuredContent"]["result"]),
            (&json!("seven"), &json!(3))
        );
        let told: Vec<_> = heard.iter().map(|message| message["params"]["progressToken"].clone()).collect();
        assert_eq!(told, [token; 3]);
    };
    tokio::join!(exchange("one"), exchange("other"));
}
