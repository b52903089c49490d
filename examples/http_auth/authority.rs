//! A small authorization server: it lets everybody in without asking, so it is good for trying things
//! out and for nothing else.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use axum::{
    Form, Json, Router,
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};
use mcp_runtime::Result;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

/// An issuer of tokens.
pub(crate) struct Authority {
    issuer: String,
    key: EncodingKey,
    pub(crate) keys: Value,
    state: Mutex<Given>,
}

/// What was given out.
#[derive(Default)]
struct Given {
    /// Where each client may be sent back to.
    clients: HashMap<String, Vec<String>>,
    codes: HashMap<String, Authorize>,
}

impl Authority {
    pub(crate) fn new(issuer: &str) -> Result<Self> {
        // An Ed25519 key, as PKCS #8 wraps it.
        let mut der = vec![0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
        let mut seed = [0; 32];
        getrandom::fill(&mut seed)?;
        der.extend(seed);
        let key = EncodingKey::from_ed_der(&der);
        let mut jwk = Jwk::from_encoding_key(&key, Algorithm::EdDSA)?;
        jwk.common.key_id = Some("1".to_owned());
        Ok(Self { issuer: issuer.to_owned(), key, keys: json!({ "keys": [jwk] }), state: Mutex::default() })
    }

    pub(crate) async fn serve(self, listener: TcpListener) {
        let router = Router::new()
            .route("/.well-known/oauth-authorization-server", get(metadata))
            .route("/keys", get(async |State(own): State<Arc<Self>>| Json(own.keys.clone())))
            .route("/register", post(register))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .with_state(Arc::new(self));
        _ = axum::serve(listener, router).await;
    }

    /// A token for this subject and server.
    pub(crate) fn issue(&self, audience: &str, scope: &str, lifetime: i64) -> Result<String> {
        let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs())?;
        let claims = json!({
            "iss": self.issuer,
            "sub": "ann",
            "name": "Ann",
            "aud": audience,
            "scope": scope,
            "iat": now,
            "exp": now + lifetime,
        });
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some("at+jwt".to_owned());
        header.kid = Some("1".to_owned());
        Ok(encode(&header, &claims, &self.key)?)
    }
}

async fn metadata(State(own): State<Arc<Authority>>) -> Json<Value> {
    let at = |path: &str| format!("{}{path}", own.issuer);
    Json(json!({
        "issuer": own.issuer,
        "jwks_uri": at("/keys"),
        "registration_endpoint": at("/register"),
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "scopes_supported": ["books:read", "books:write"],
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
    }))
}

#[derive(Deserialize)]
struct Register {
    redirect_uris: Vec<String>,
}

async fn register(State(own): State<Arc<Authority>>, Json(client): Json<Register>) -> impl IntoResponse {
    let mut given = own.state.lock().unwrap_or_else(PoisonError::into_inner);
    let id = format!("client-{}", given.clients.len() + 1);
    given.clients.insert(id.clone(), client.redirect_uris.clone());
    let answer = json!({
        "client_id": id,
        "redirect_uris": client.redirect_uris,
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code"],
        "response_types": ["code"],
    });
    (StatusCode::CREATED, Json(answer))
}

#[derive(Clone, Deserialize)]
struct Authorize {
    client_id: String,
    redirect_uri: String,
    code_challenge: String,
    resource: String,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    state: String,
}

async fn authorize(State(own): State<Arc<Authority>>, Query(asked): Query<Authorize>) -> Response {
    let mut given = own.state.lock().unwrap_or_else(PoisonError::into_inner);
    let known = given.clients.get(&asked.client_id);
    if !known.is_some_and(|uris| uris.contains(&asked.redirect_uri)) {
        return (StatusCode::BAD_REQUEST, "no such client, or it is elsewhere").into_response();
    }
    let mut code = [0; 18];
    if getrandom::fill(&mut code).is_err() {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let code = URL_SAFE_NO_PAD.encode(code);
    let back = format!("{}?code={code}&state={}&iss={}", asked.redirect_uri, asked.state, own.issuer);
    given.codes.insert(code, asked);
    Redirect::to(&back).into_response()
}

#[derive(Deserialize)]
struct Token {
    code: String,
    code_verifier: String,
    client_id: String,
    redirect_uri: String,
    resource: String,
}

async fn token(State(own): State<Arc<Authority>>, Form(asked): Form<Token>) -> Response {
    let granted = own.state.lock().unwrap_or_else(PoisonError::into_inner).codes.remove(&asked.code);
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&asked.code_verifier));
    let fits = |granted: &Authorize| {
        granted.code_challenge == challenge
            && granted.client_id == asked.client_id
            && granted.redirect_uri == asked.redirect_uri
            && granted.resource == asked.resource
    };
    let Some(granted) = granted.filter(fits) else {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))).into_response();
    };
    match own.issue(&granted.resource, &granted.scope, 600) {
        Ok(token) => Json(json!({
            "access_token": token,
            "token_type": "Bearer",
            "expires_in": 600,
            "scope": granted.scope,
        }))
        .into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
