//! Tokens that only their issuer can read: it is asked about each (RFC 7662).

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Principal, TokenError, TokenVerifier,
    fetch::{Fetch, checked},
    jwt::scopes,
};
use crate::{BoxFuture, clock::now};

/// Trusts the tokens that an authorization server says are active and for this server. It is asked
/// about every request.
#[must_use]
pub struct Introspection {
    issuer: String,
    url: String,
    client: (String, String),
    audiences: Vec<String>,
    fetch: Fetch,
}

#[derive(Deserialize)]
struct Answer {
    active: bool,
    #[serde(default)]
    aud: Value,
    exp: Option<u64>,
    nbf: Option<u64>,
    iss: Option<String>,
    sub: Option<String>,
    #[serde(flatten)]
    claims: Map<String, Value>,
}

impl Introspection {
    /// Asks this issuer at this `https:` URL, as the client of this id and secret (`http:` is for this
    /// machine only).
    pub fn of(
        issuer: impl Into<String>,
        url: impl Into<String>,
        client_id: impl Into<String>,
        client_secret: impl Into<String>,
    ) -> Self {
        Self {
            issuer: issuer.into(),
            url: url.into(),
            client: (client_id.into(), client_secret.into()),
            audiences: Vec::new(),
            fetch: Fetch::new(),
        }
    }

    /// Takes tokens for this audience also, beside the server's public URL.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    async fn check(&self, token: &str, audience: &str) -> Result<Principal, TokenError> {
        let form = [("token", token), ("token_type_hint", "access_token")];
        let client = (self.client.0.as_str(), self.client.1.as_str());
        let answer: Answer =
            self.fetch.post(&self.url, client, &form).await.map_err(TokenError::Unavailable)?;
        let invalid = |why: &str| TokenError::Invalid(why.to_owned());
        if !answer.active {
            return Err(invalid("its issuer says that it is not active"));
        }
        let now = now().as_secs();
        if answer.exp.is_some_and(|end| end <= now) || answer.nbf.is_some_and(|start| start > now) {
            return Err(invalid("it is not valid now"));
        }
        if answer.iss.as_ref().is_some_and(|issuer| *issuer != self.issuer) {
            return Err(invalid("it is of another issuer"));
        }
        let is_ours = |value: &Value| {
            value
                .as_str()
                .is_some_and(|named| named == audience || self.audiences.iter().any(|own| own == named))
        };
        let for_us = match &answer.aud {
            Value::Array(all) => all.iter().any(is_ours),
            one => is_ours(one),
        };
        if !for_us {
            return Err(invalid("it is for another server"));
        }
        let subject = answer.sub.ok_or_else(|| invalid("it has no subject"))?;
        let mut claims = answer.claims;
        let allowed = scopes(&claims);
        claims.insert("sub".into(), subject.clone().into());
        Ok(Principal::new(format!("{} {subject}", self.issuer)).scopes(allowed).claims(claims))
    }
}

impl TokenVerifier for Introspection {
    fn mistakes(&self) -> Vec<String> {
        [&self.issuer, &self.url].into_iter().filter_map(|url| checked(url).err()).collect()
    }

    fn authorization_servers(&self) -> Vec<String> {
        vec![self.issuer.clone()]
    }

    fn verify<'a>(
        &'a self,
        token: &'a str,
        audience: &'a str,
    ) -> BoxFuture<'a, Result<Principal, TokenError>> {
        Box::pin(self.check(token, audience))
    }
}

impl std::fmt::Debug for Introspection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Introspection").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}
