//! What a caller gets by its token.

use reqwest::{Client, Response, StatusCode, header::WWW_AUTHENTICATE};
use serde_json::{Value, json};

use super::*;

/// The server, its authority and a client.
struct Shop {
    url: String,
    issuer: String,
    authority: Authority,
    client: Client,
}

impl Shop {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let authority = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let issuer = format!("http://{}", authority.local_addr().expect("an address"));
        let own = Authority::new(&issuer).expect("an authority");
        let mut served = Authority::new(&issuer).expect("an authority");
        served.keys = own.keys.clone();
        tokio::spawn(served.serve(authority));
        let of = issuer.clone();
        tokio::spawn(async move { serve(listener, &of).await });
        _ = rustls::crypto::ring::default_provider().install_default();
        Self { url, issuer, authority: own, client: Client::new() }
    }

    fn token(&self, scope: &str) -> String {
        self.authority.issue(&self.url, scope, 60).expect("a token")
    }

    async fn call(&self, token: Option<&str>, tool: &str) -> Response {
        let message = json!({
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {
                "name": tool,
                "arguments": if tool == "add_book" { json!({ "title": "Dune" }) } else { json!({}) },
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                },
            },
        });
        let mut request = self
            .client
            .post(&self.url)
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", tool)
            .header("content-type", "application/json")
            .body(message.to_string());
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        request.send().await.expect("an answer")
    }
}

fn challenge(response: &Response) -> &str {
    response.headers()[WWW_AUTHENTICATE].to_str().expect("a text")
}

#[tokio::test]
async fn whoever_has_no_token_is_told_where_to_get_one() {
    let shop = Shop::open().await;
    let refused = shop.call(None, "list_books").await;
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    let metadata_url = shop.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
    assert_eq!(
        challenge(&refused),
        format!("Bearer resource_metadata=\"{metadata_url}\", scope=\"books:read\"")
    );
    for url in [metadata_url.as_str(), metadata_url.trim_end_matches("/mcp")] {
        let metadata = shop.client.get(url).send().await.expect("an answer").text().await.expect("a text");
        let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
        assert_eq!(metadata["resource"], shop.url);
        assert_eq!(metadata["authorization_servers"], json!([shop.issuer]));
        assert_eq!(metadata["scopes_supported"], json!(["books:read"]));
    }
}

#[tokio::test]
async fn a_token_opens_the_door_and_no_more_than_it_allows() {
    let shop = Shop::open().await;
    let token = shop.token("books:read");
    assert_eq!(shop.call(Some(&token), "list_books").await.status(), StatusCode::OK);
    let refused = shop.call(Some(&token), "add_book").await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let challenge = challenge(&refused).to_owned();
    assert!(challenge.contains("error=\"insufficient_scope\""), "{challenge}");
    assert!(challenge.contains("scope=\"books:read books:write\""), "{challenge}");
    let answer: Value = serde_json::from_str(&refused.text().await.expect("a text")).expect("JSON");
    assert_eq!(answer["id"], 1, "it answers the request: {answer}");
    // All that the call needs is named at once.
    let refused = shop.call(Some(&shop.token("other")), "add_book").await;
    assert!(self::challenge(&refused).contains("scope=\"books:read books:write\""));
    let added = shop.call(Some(&shop.token("books:read books:write")), "add_book").await;
    assert!(added.text().await.expect("a text").contains("Ann added 'Dune'."));
}

#[tokio::test]
async fn a_token_that_is_not_for_this_server_or_has_expired_is_none() {
    let shop = Shop::open().await;
    let stranger = Authority::new(&shop.issuer).expect("an authority");
    let own = &shop.authority;
    let tokens = [
        own.issue("http://elsewhere.example.com/mcp", "books:read", 60),
        own.issue(&shop.url, "books:read", -120),
        stranger.issue(&shop.url, "books:read", 60),
        Ok("nonsense".to_owned()),
    ];
    for token in tokens {
        let token = token.expect("a token");
        let refused = shop.call(Some(&token), "list_books").await;
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
        assert!(challenge(&refused).contains("error=\"invalid_token\""), "{}", challenge(&refused));
        assert!(!refused.text().await.expect("a text").contains(&token), "it is not repeated");
    }
}
