//! What verifiers take and refuse, with an authorization server on this machine.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::{get, post},
};
use jsonwebtoken::{Algorithm as Signed, EncodingKey, Header, encode, jwk::Jwk};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle, time};

use super::{Algorithm, Introspection, Jwt, Principal, TokenError, TokenVerifier};
use crate::clock::now;

const AUDIENCE: &str = "https://books.example.com/mcp";

/// What the authorization server answers with, and how often it was asked for its keys.
#[derive(Default)]
struct Answers {
    keys: Mutex<Value>,
    issuer: Mutex<String>,
    token: Mutex<Value>,
    fetched: AtomicUsize,
    /// Whether it is out of order.
    down: Mutex<bool>,
}

struct Authority {
    issuer: String,
    answers: Arc<Answers>,
    server: JoinHandle<()>,
}

impl Drop for Authority {
    fn drop(&mut self) {
        self.server.abort();
    }
}

type Shared = State<Arc<Answers>>;

impl Authority {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let issuer = format!("http://{}", listener.local_addr().expect("an address"));
        let answers = Arc::new(Answers::default());
        issuer.clone_into(&mut answers.issuer.lock().expect("free"));
        let at = issuer.clone();
        let metadata = async move |State(own): Shared| {
            let issuer = own.issuer.lock().expect("free").clone();
            json!({ "issuer": issuer, "jwks_uri": format!("{at}/keys") }).to_string()
        };
        let keys = async |State(own): Shared| {
            own.fetched.fetch_add(1, Ordering::SeqCst);
            // Long enough for others to come.
            time::sleep(Duration::from_millis(20)).await;
            let status =
                if *own.down.lock().expect("free") { StatusCode::BAD_GATEWAY } else { StatusCode::OK };
            (status, own.keys.lock().expect("free").to_string())
        };
        let introspect = async |State(own): Shared, headers: HeaderMap, body: String| {
            assert_eq!(headers["authorization"], "Basic c2hvcDpzZWNyZXQ=", "shop:secret");
            assert!(body.starts_with("token=opaque"), "{body}");
            own.token.lock().expect("free").to_string()
        };
        let router = Router::new()
            .route("/.well-known/oauth-authorization-server", get(metadata))
            .route("/keys", get(keys))
            .route("/introspect", post(introspect))
            .with_state(answers.clone());
        let server = tokio::spawn(async move { _ = axum::serve(listener, router).await });
        Self { issuer, answers, server }
    }

    fn publish(&self, keys: &[&Key]) {
        let keys: Vec<_> = keys.iter().map(|key| &key.public).collect();
        *self.answers.keys.lock().expect("free") = json!({ "keys": keys });
    }

    fn fetched(&self) -> usize {
        self.answers.fetched.load(Ordering::SeqCst)
    }

    /// The claims of a good token.
    fn claims(&self) -> Value {
        let now = now().as_secs();
        json!({ "iss": self.issuer, "sub": "ann", "aud": AUDIENCE, "scope": "read write", "exp": now + 60 })
    }
}

struct Key {
    secret: EncodingKey,
    public: Jwk,
}

impl Key {
    fn new(id: &str, seed: u8) -> Self {
        // An Ed25519 key, as PKCS #8 wraps it.
        let mut der = vec![0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
        der.extend([seed; 32]);
        let secret = EncodingKey::from_ed_der(&der);
        let mut public = Jwk::from_encoding_key(&secret, Signed::EdDSA).expect("a key");
        public.common.key_id = Some(id.to_owned());
        Self { secret, public }
    }

    fn sign(&self, claims: &Value) -> String {
        let mut header = Header::new(Signed::EdDSA);
        header.kid.clone_from(&self.public.common.key_id);
        encode(&header, claims, &self.secret).expect("a token")
    }
}

async fn verify(verifier: &impl TokenVerifier, token: &str) -> Result<Principal, TokenError> {
    verifier.verify(token, AUDIENCE).await
}

async fn refused(verifier: &impl TokenVerifier, token: &str) -> String {
    let answer = verify(verifier, token).await;
    let Err(TokenError::Invalid(why)) = answer else { unreachable!("it was not refused: {answer:?}") };
    why
}

#[tokio::test]
async fn a_token_of_the_issuer_says_who_calls() {
    let (authority, key) = (Authority::start().await, Key::new("1", 1));
    authority.publish(&[&key]);
    let jwt = Jwt::of(&authority.issuer);
    let ann = verify(&jwt, &key.sign(&authority.claims())).await.expect("a good token");
    assert_eq!(ann.id(), format!("{} ann", authority.issuer));
    assert!(ann.has_scope("read") && ann.has_scope("write") && !ann.has_scope("read write"));
    assert_eq!(ann.claim("sub"), Some(&json!("ann")));
    assert!(!format!("{ann:?}").contains("exp"), "claims stay out of logs");
    let mut listed = authority.claims();
    listed["aud"] = json!(["https://other.example.com", AUDIENCE]);
    listed["scp"] = json!(["admin"]);
    assert!(verify(&jwt, &key.sign(&listed)).await.expect("a good token").has_scope("admin"));
}

#[tokio::test]
async fn what_is_wrong_with_a_token_is_enough_to_refuse_it() {
    let (authority, key, stranger) = (Authority::start().await, Key::new("1", 1), Key::new("1", 2));
    authority.publish(&[&key]);
    let jwt = Jwt::of(&authority.issuer);
    let now = now().as_secs();
    for (claim, value) in [
        ("iss", json!("https://evil.example.com")),
        ("aud", json!("https://other.example.com/mcp")),
        ("aud", Value::Null),
        ("exp", json!(now - 61)),
        ("exp", Value::Null),
        ("nbf", json!(now + 120)),
        ("sub", Value::Null),
    ] {
        let mut claims = authority.claims();
        claims[claim] = value;
        refused(&jwt, &key.sign(&claims)).await;
    }
    refused(&jwt, &stranger.sign(&authority.claims())).await;
    // Within the leeway a clock may differ.
    let mut late = authority.claims();
    late["exp"] = json!(now - 30);
    assert!(verify(&jwt, &key.sign(&late)).await.is_ok());
    refused(&Jwt::of(&authority.issuer).leeway(Duration::ZERO), &key.sign(&late)).await;
}

#[tokio::test]
async fn the_header_of_a_token_decides_nothing_that_the_server_has_not_allowed() {
    let (authority, key) = (Authority::start().await, Key::new("1", 1));
    authority.publish(&[&key]);
    let jwt = Jwt::of(&authority.issuer);
    let claims = authority.claims();
    // The public key as a shared secret: whoever reads the keys could sign.
    let public = serde_json::to_value(&key.public).expect("JSON")["x"].as_str().expect("x").to_owned();
    let mut shared = Header::new(Signed::HS256);
    shared.kid = Some("1".to_owned());
    let confused = encode(&shared, &claims, &EncodingKey::from_secret(public.as_bytes()).expect("a secret"));
    assert!(refused(&jwt, &confused.expect("a token")).await.contains("not allowed"));
    let good = key.sign(&claims);
    let payload = good.split('.').nth(1).expect("a payload");
    // {"alg":"none"}
    refused(&jwt, &format!("eyJhbGciOiJub25lIn0.{payload}.")).await;
    for change in [
        (|header| header.typ = Some("dpop+jwt".to_owned())) as fn(&mut Header),
        |header| header.crit = Some(vec!["exp".to_owned()]),
        |header| header.kid = Some("2".to_owned()),
    ] {
        let mut header = Header::new(Signed::EdDSA);
        header.kid = Some("1".to_owned());
        change(&mut header);
        refused(&jwt, &encode(&header, &claims, &key.secret).expect("a token")).await;
    }
    refused(&Jwt::of(&authority.issuer).algorithms([Algorithm::Es256]), &good).await;
}

#[tokio::test]
async fn keys_are_fetched_once_for_all_who_wait() {
    let (authority, key) = (Authority::start().await, Key::new("1", 1));
    authority.publish(&[&key]);
    let jwt = Arc::new(Jwt::of(&authority.issuer));
    let token = key.sign(&authority.claims());
    let all: Vec<_> = (0..50)
        .map(|_| {
            let (jwt, token) = (jwt.clone(), token.clone());
            tokio::spawn(async move { verify(&*jwt, &token).await.is_ok() })
        })
        .collect();
    for one in all {
        assert!(one.await.expect("it does not panic"));
    }
    assert_eq!(authority.fetched(), 1);
}

/// Time goes by.
async fn pass(time: Duration) {
    time::pause();
    time::advance(time).await;
    time::resume();
}

#[tokio::test]
async fn a_new_key_is_found_by_the_token_that_names_it_and_made_up_ones_ask_for_nothing() {
    let (authority, old, new) = (Authority::start().await, Key::new("1", 1), Key::new("2", 2));
    authority.publish(&[&old]);
    let jwt = Jwt::of(&authority.issuer);
    let claims = authority.claims();
    assert!(verify(&jwt, &old.sign(&claims)).await.is_ok());
    for _ in 0..20 {
        refused(&jwt, &new.sign(&claims)).await;
    }
    assert_eq!(authority.fetched(), 1, "not so soon after the last time");
    authority.publish(&[&new]);
    pass(Duration::from_secs(11)).await;
    assert!(verify(&jwt, &new.sign(&claims)).await.is_ok());
    refused(&jwt, &old.sign(&claims)).await;
    assert_eq!(authority.fetched(), 2);
}

#[tokio::test]
async fn known_keys_are_used_while_the_issuer_is_out_of_order_and_unknown_ones_are_not() {
    let (authority, key) = (Authority::start().await, Key::new("1", 1));
    authority.publish(&[&key]);
    let (jwt, late) = (Jwt::of(&authority.issuer), Jwt::of(&authority.issuer));
    let token = key.sign(&authority.claims());
    assert!(verify(&jwt, &token).await.is_ok());
    *authority.answers.down.lock().expect("free") = true;
    pass(Duration::from_secs(601)).await;
    assert!(verify(&jwt, &token).await.is_ok());
    assert!(matches!(verify(&late, &token).await, Err(TokenError::Unavailable(_))));
    pass(Duration::from_secs(25 * 60 * 60)).await;
    assert!(matches!(verify(&jwt, &token).await, Err(TokenError::Unavailable(_))));
}

#[tokio::test]
async fn metadata_of_another_issuer_brings_no_keys() {
    let (authority, key) = (Authority::start().await, Key::new("1", 1));
    authority.publish(&[&key]);
    "https://evil.example.com".clone_into(&mut authority.answers.issuer.lock().expect("free"));
    let jwt = Jwt::of(&authority.issuer);
    let answer = verify(&jwt, &key.sign(&authority.claims())).await;
    assert!(matches!(answer, Err(TokenError::Unavailable(why)) if why.contains("another issuer")));
    assert_eq!(authority.fetched(), 0);
}

#[tokio::test]
async fn an_issuer_that_is_asked_about_tokens_has_to_say_yes_and_for_us() {
    let authority = Authority::start().await;
    let asking =
        Introspection::of(&authority.issuer, format!("{}/introspect", authority.issuer), "shop", "secret");
    let answer = |change: Value| {
        let mut answer =
            json!({ "active": true, "sub": "ann", "aud": AUDIENCE, "scope": "read", "name": "Ann" });
        answer.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        *authority.answers.token.lock().expect("free") = answer;
    };
    answer(json!({}));
    let ann = verify(&asking, "opaque").await.expect("a good token");
    assert!(ann.has_scope("read") && ann.claim("name") == Some(&json!("Ann")));
    assert_eq!(ann.id(), format!("{} ann", authority.issuer));
    let now = now().as_secs();
    for wrong in [
        json!({ "active": false }),
        json!({ "aud": "https://other.example.com/mcp" }),
        json!({ "aud": null }),
        json!({ "sub": null }),
        json!({ "exp": now - 1 }),
        json!({ "nbf": now + 60 }),
        json!({ "iss": "https://evil.example.com" }),
    ] {
        answer(wrong);
        refused(&asking, "opaque").await;
    }
    answer(json!({ "aud": "shop" }));
    assert!(verify(&asking.audience("shop"), "opaque").await.is_ok());
}

#[test]
fn verifiers_that_would_speak_in_the_clear_cannot_start() {
    let mistakes = [
        Jwt::of("http://auth.example.com").mistakes(),
        Jwt::of("https://auth.example.com").keys_at("http://auth.example.com/keys").mistakes(),
        Jwt::of("https://auth.example.com").algorithms([]).mistakes(),
        Introspection::of("https://auth.example.com", "http://auth.example.com", "a", "b").mistakes(),
    ];
    for mistakes in mistakes {
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    }
    let secret = format!("{:?}", Introspection::of("https://auth.example.com", "https://x", "id", "hush"));
    assert!(!secret.contains("hush"), "{secret}");
}
