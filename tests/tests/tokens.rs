//! Callers that are known by their tokens.

#![allow(missing_docs, clippy::panic)]

use http_body_util::BodyExt;
use hyper::{Method, Response, StatusCode, body::Incoming};
use mcp_runtime::{
    BoxFuture, Principal, Server, TokenError, TokenVerifier,
    client::{Client, Era},
    completion,
    prelude::*,
    prompts, resources,
};
use serde_json::{Value, json};
use tests::http;
use tokio::{net::TcpListener, task::JoinHandle};

/// Takes tokens like `ann.read.write`: a name, and scopes.
#[derive(Debug)]
struct Names;

impl TokenVerifier for Names {
    fn authorization_servers(&self) -> Vec<String> {
        vec!["https://auth.example.com".to_owned()]
    }

    fn verify<'a>(
        &'a self,
        token: &'a str,
        audience: &'a str,
    ) -> BoxFuture<'a, Result<Principal, TokenError>> {
        Box::pin(async move {
            assert_eq!(audience, "https://books.example.com/api/mcp");
            let mut parts = token.split('.');
            match parts.next() {
                Some("late") => Err(TokenError::Unavailable("nobody answers".to_owned())),
                Some(name @ ("ann" | "bob")) => Ok(Principal::new(name).scopes(parts)),
                _ => Err(TokenError::Invalid("a stranger".to_owned())),
            }
        })
    }
}

/// Tells who calls.
#[tool]
fn whoami(caller: Principal) -> String {
    caller.id().to_owned()
}

/// Adds a book.
#[tool(scopes("write", "admin"))]
fn add(title: String) -> String {
    title
}

/// A secret.
#[resource("secret://{name}", scopes("secret"))]
fn secret(name: String) -> String {
    name
}

/// What secrets there are.
#[completion(resource = secret, argument = "name")]
fn secrets(value: String) -> Vec<String> {
    vec![value]
}

/// A plan.
#[prompt(scopes("plan"))]
fn plan() -> &'static str {
    "a plan"
}

fn server() -> Server {
    Server::empty("Shop", "1.0.0")
        .tools(tools![whoami, add])
        .resources(resources![secret])
        .prompts(prompts![plan])
}

/// A server, and how it is called.
struct Shop {
    port: u16,
    server: JoinHandle<()>,
}

impl Drop for Shop {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Shop {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let service = server()
            .public_url("https://books.example.com/api/mcp")
            .auth(Names)
            .scopes(["read"])
            .http()
            .expect("the server starts");
        let server = tokio::spawn(async move {
            _ = service.serve_on(listener, std::future::pending()).await;
        });
        Self { port, server }
    }

    async fn send(
        &self,
        method: Method,
        authorization: Option<&str>,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Response<Incoming> {
        let mut all: Vec<_> =
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        if let Some(authorization) = authorization {
            all.push(("authorization".to_owned(), authorization.to_owned()));
        }
        http::send(self.port, method, &all, body.to_string()).await
    }

    /// Sends a request of 2026-07-28.
    async fn modern(&self, token: &str, method: &str, named: &str, mut params: Value) -> Response<Incoming> {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
        if !named.is_empty() {
            headers.push(("mcp-name", named));
        }
        self.send(Method::POST, Some(&format!("Bearer {token}")), &headers, &body).await
    }
}

fn challenge(response: &Response<Incoming>) -> String {
    response.headers()["www-authenticate"].to_str().expect("a text").to_owned()
}

async fn body(response: Response<Incoming>) -> Value {
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    serde_json::from_slice(&bytes).expect("JSON")
}

const METADATA: &str =
    "resource_metadata=\"https://books.example.com/.well-known/oauth-protected-resource/api/mcp\"";

#[tokio::test]
async fn a_request_without_a_token_is_challenged_whatever_it_asks() {
    let shop = Shop::open().await;
    for method in [Method::POST, Method::GET, Method::DELETE] {
        let refused = shop.send(method.clone(), None, &[], &json!({})).await;
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED, "{method}");
        assert_eq!(challenge(&refused), format!("Bearer {METADATA}, scope=\"read\""), "{method}");
    }
    let basic = shop.send(Method::POST, Some("Basic YTpi"), &[], &json!({})).await;
    assert_eq!(basic.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_token_that_is_not_trusted_is_refused_without_a_word_of_why() {
    let shop = Shop::open().await;
    let refused = shop.modern("eve.read", "tools/list", "", json!({})).await;
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    let challenge = challenge(&refused);
    assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
    let answer = body(refused).await.to_string();
    for secret in ["stranger", "eve"] {
        assert!(!challenge.contains(secret) && !answer.contains(secret), "{challenge} {answer}");
    }
    let broken = shop.send(Method::POST, Some("Bearer a b"), &[], &json!({})).await;
    assert_eq!(broken.status(), StatusCode::BAD_REQUEST);
    let late = shop.modern("late", "tools/list", "", json!({})).await;
    assert_eq!(late.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(late.headers().contains_key("retry-after"));
}

#[tokio::test]
async fn a_function_knows_its_caller() {
    let shop = Shop::open().await;
    for name in ["ann", "bob"] {
        let token = format!("{name}.read");
        let answer = shop.modern(&token, "tools/call", "whoami", json!({ "name": "whoami" })).await;
        assert_eq!(body(answer).await["result"]["content"][0]["text"], name);
    }
}

#[tokio::test]
async fn whoever_lacks_a_scope_is_told_all_that_the_request_needs() {
    let shop = Shop::open().await;
    let completion = json!({
        "ref": { "type": "ref/resource", "uri": "secret://{name}" },
        "argument": { "name": "name", "value": "a" },
    });
    let requests = [
        ("tools/call", "add", json!({ "name": "add", "arguments": { "title": "Dune" } }), "admin read write"),
        ("resources/read", "secret://a", json!({ "uri": "secret://a" }), "read secret"),
        ("prompts/get", "plan", json!({ "name": "plan" }), "plan read"),
        ("completion/complete", "", completion, "read secret"),
    ];
    for (method, named, params, scopes) in requests {
        // One token lacks what the function needs, the other what everything needs.
        for token in ["ann.read", "ann.other"] {
            let refused = shop.modern(token, method, named, params.clone()).await;
            assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{method} {token}");
            let challenge = challenge(&refused);
            assert!(challenge.contains(&format!("scope=\"{scopes}\"")), "{method}: {challenge}");
            assert!(challenge.contains("error=\"insufficient_scope\""), "{method}: {challenge}");
            assert!(challenge.contains(METADATA), "{method}: {challenge}");
            assert!(body(refused).await["error"]["code"].is_i64(), "{method}");
        }
        let token = format!("ann.{}", scopes.replace(' ', "."));
        let served = shop.modern(&token, method, named, params).await;
        assert_eq!(served.status(), StatusCode::OK, "{method}");
        assert!(body(served).await["error"].is_null(), "{method}");
    }
    // What it may not call it may still see: it can ask for more.
    let listed = body(shop.modern("ann.read", "tools/list", "", json!({})).await).await;
    assert_eq!(listed["result"]["tools"][0]["name"], "add");
}

#[tokio::test]
async fn a_session_is_bound_to_its_caller_and_to_the_scopes_of_each_request() {
    let shop = Shop::open().await;
    let initialize = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "client", "version": "1" },
        },
    });
    let opened = shop.send(Method::POST, Some("Bearer ann.read"), &[], &initialize).await;
    let id = opened.headers()["mcp-session-id"].to_str().expect("a text").to_owned();
    let session = [("mcp-session-id", id.as_str()), ("mcp-protocol-version", "2025-11-25")];
    let call = |tool: &str| json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": tool, "arguments": {} } });
    let own = shop.send(Method::POST, Some("Bearer ann.read"), &session, &call("whoami")).await;
    assert_eq!(body(own).await["result"]["content"][0]["text"], "ann");
    let foreign = shop.send(Method::POST, Some("Bearer bob.read"), &session, &call("whoami")).await;
    assert_eq!(foreign.status(), StatusCode::NOT_FOUND);
    let refused = shop.send(Method::POST, Some("Bearer ann.read"), &session, &call("add")).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert!(challenge(&refused).contains("scope=\"admin read write\""));
    let subscribe = json!({ "jsonrpc": "2.0", "id": 3, "method": "resources/subscribe", "params": { "uri": "secret://a" } });
    let refused = shop.send(Method::POST, Some("Bearer ann.read"), &session, &subscribe).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert!(challenge(&refused).contains("scope=\"read secret\""));
}

#[tokio::test]
async fn without_http_the_caller_is_whoever_started_the_server_and_may_do_all() {
    let server =
        server().public_url("https://books.example.com/api/mcp").auth(Names).scopes(["read"]).build();
    let server = server.expect("the server starts");
    for era in [Era::Modern, Era::Legacy] {
        let client = Client::new(&server, era).connect().await.expect("it connects");
        let added = client.call("add", json!({ "title": "Dune" })).await.expect("it may");
        assert_eq!(added.text(), Some("Dune"));
    }
}

#[tokio::test]
async fn where_nobody_knows_the_callers_what_needs_a_scope_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let service = server().http().expect("the server starts");
    let server = tokio::spawn(async move {
        _ = service.serve_on(listener, std::future::pending()).await;
    });
    let shop = Shop { port, server };
    let refused = shop.modern("x", "prompts/get", "plan", json!({ "name": "plan" })).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert!(body(refused).await["error"]["message"].as_str().is_some_and(|why| why.contains("plan")));
}

#[tokio::test]
async fn a_browser_asks_before_it_has_a_token() {
    let shop = Shop::open().await;
    let headers = [("origin", "https://books.example.com"), ("access-control-request-method", "POST")];
    let answer = shop.send(Method::OPTIONS, None, &headers, &Value::Null).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let refused = shop.send(Method::POST, None, &headers[..1], &json!({})).await;
    let exposed = refused.headers()["access-control-expose-headers"].to_str().expect("a text");
    assert!(exposed.contains("www-authenticate"), "{exposed}");
}

#[test]
fn what_is_wrong_with_the_door_is_said_at_the_start() {
    let error = |server: Server| server.http().expect_err("it is wrong").to_string();
    let without_url = error(server().auth(Names));
    assert!(without_url.contains(".public_url("), "{without_url}");
    let without_verifier = error(server().scopes(["read"]));
    assert!(without_verifier.contains(".auth("), "{without_verifier}");
    // Tokens are issued for a URL, and a server without a door would let everybody in.
    for url in ["https://example.com/mcp?tenant=1", "https://example.com/mcp#here"] {
        let queried = error(server().public_url(url).auth(Names));
        assert!(queried.contains("without a query"), "{queried}");
        let built = server().public_url(url).auth(Names).build().expect("stdio has no door");
        assert!(built.http().expect_err("it is wrong").to_string().contains("without a query"));
    }
    let quoted = error(server().public_url("https://example.com/mcp").auth(Names).scopes(["a b", "\""]));
    assert!(quoted.contains("one word"), "{quoted}");
}
