//! Tokens that say themselves whom they speak for (RFC 9068), under a key of their issuer.

use std::{fmt, time::Duration};

use jsonwebtoken::{Validation, crypto::rust_crypto, decode, decode_header};
use serde_json::{Map, Value};

use super::{
    Principal, TokenError, TokenVerifier,
    fetch::{Fetch, checked},
    jwks::{Jwks, Source},
};
use crate::BoxFuture;

/// Trusts JSON Web Tokens of one issuer: its keys are found by its metadata, kept for ten minutes and
/// fetched anew when a token names one that is new.
///
/// A token counts when it was signed by such a key with an algorithm that is allowed, was issued by
/// this issuer for this server (`aud`), has not expired and has a subject.
///
/// ```no_run
/// # fn example(server: mcp_runtime::Server) -> mcp_runtime::Server {
/// use mcp_runtime::Jwt;
///
/// let server = server
///     .public_url("https://books.example.com/mcp")
///     .auth(Jwt::of("https://auth.example.com"))
///     .scopes(["books:read"]);
/// # server
/// # }
/// ```
#[derive(Debug)]
#[must_use]
pub struct Jwt {
    issuer: String,
    keys: Jwks,
    algorithms: Vec<Algorithm>,
    audiences: Vec<String>,
    leeway: Duration,
    fetch: Fetch,
}

/// How a token is signed: by a key that only its issuer has. Shared secrets are not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names of RFC 7518 say all")]
pub enum Algorithm {
    Es256,
    Es384,
    EdDsa,
    Ps256,
    Ps384,
    Ps512,
    Rs256,
    Rs384,
    Rs512,
}

impl Algorithm {
    const ALL: [Self; 9] = [
        Self::Es256,
        Self::Es384,
        Self::EdDsa,
        Self::Ps256,
        Self::Ps384,
        Self::Ps512,
        Self::Rs256,
        Self::Rs384,
        Self::Rs512,
    ];

    fn known(self) -> jsonwebtoken::Algorithm {
        use jsonwebtoken::Algorithm as Known;
        match self {
            Self::Es256 => Known::ES256,
            Self::Es384 => Known::ES384,
            Self::EdDsa => Known::EdDSA,
            Self::Ps256 => Known::PS256,
            Self::Ps384 => Known::PS384,
            Self::Ps512 => Known::PS512,
            Self::Rs256 => Known::RS256,
            Self::Rs384 => Known::RS384,
            Self::Rs512 => Known::RS512,
        }
    }
}

impl Jwt {
    /// Trusts this issuer, whose `https:` URL is in its tokens as `iss` (`http:` is for this machine
    /// only).
    pub fn of(issuer: impl Into<String>) -> Self {
        let issuer = issuer.into();
        // Another library of the program may have chosen a provider already.
        _ = rust_crypto::DEFAULT_PROVIDER.install_default();
        Self {
            keys: Jwks::new(Source::Issuer(issuer.clone())),
            issuer,
            algorithms: Algorithm::ALL.to_vec(),
            audiences: Vec::new(),
            leeway: Duration::from_secs(60),
            fetch: Fetch::new(),
        }
    }

    /// Where its keys are, for an issuer without metadata.
    pub fn keys_at(mut self, url: impl Into<String>) -> Self {
        self.keys = Jwks::new(Source::Url(url.into()));
        self
    }

    /// Takes tokens of these algorithms only. Untold: all of [`Algorithm`].
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    /// Takes tokens for this audience also, beside the server's public URL: what an issuer writes that
    /// does not know of resource indicators (RFC 8707).
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// By how much the issuer's clock may differ. Untold: a minute.
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    async fn check(&self, token: &str, audience: &str) -> Result<Principal, TokenError> {
        let invalid = |why: &dyn fmt::Display| TokenError::Invalid(why.to_string());
        let header = decode_header(token).map_err(|error| invalid(&error))?;
        if header.crit.is_some() {
            return Err(invalid(&"it has extensions that have to be understood"));
        }
        let kind = header.typ.as_deref().unwrap_or("JWT").to_ascii_lowercase();
        if !["jwt", "at+jwt", "application/at+jwt"].contains(&kind.as_str()) {
            return Err(invalid(&"it is no access token"));
        }
        if !self.algorithms.iter().any(|algorithm| algorithm.known() == header.alg) {
            return Err(invalid(&format_args!("the algorithm {:?} is not allowed", header.alg)));
        }
        let keys = self.keys.find(&self.fetch, header.kid.as_deref(), header.alg).await;
        let keys = keys.map_err(TokenError::Unavailable)?;
        let mut validation = Validation::new(header.alg);
        validation.leeway = self.leeway.as_secs();
        validation.validate_nbf = true;
        validation.set_issuer(&[&self.issuer]);
        let audiences: Vec<&str> = self.audiences.iter().map(String::as_str).chain([audience]).collect();
        validation.set_audience(&audiences);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let mut why = invalid(&"no key of its issuer has signed it");
        for key in keys {
            match decode::<Map<String, Value>>(token, &key.key, &validation) {
                Ok(token) => return Ok(self.principal(token.claims)),
                Err(error) => why = invalid(&error),
            }
        }
        Err(why)
    }

    fn principal(&self, claims: Map<String, Value>) -> Principal {
        let subject = claims.get("sub").and_then(Value::as_str).unwrap_or_default();
        // A subject is unique with its issuer only.
        Principal::new(format!("{} {subject}", self.issuer)).scopes(scopes(&claims)).claims(claims)
    }
}

/// What a token allows: `scope` as one text, or `scope` or `scp` as a list.
pub(super) fn scopes(claims: &Map<String, Value>) -> Vec<String> {
    let mut scopes = Vec::new();
    for name in ["scope", "scp"] {
        match claims.get(name) {
            Some(Value::String(text)) => scopes.extend(text.split(' ').map(str::to_owned)),
            Some(Value::Array(list)) => {
                scopes.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            _ => {}
        }
    }
    scopes.retain(|scope| !scope.is_empty());
    scopes
}

impl TokenVerifier for Jwt {
    fn mistakes(&self) -> Vec<String> {
        let urls = [Some(self.issuer.as_str()), self.keys.url()];
        let mut mistakes: Vec<_> = urls.into_iter().flatten().filter_map(|url| checked(url).err()).collect();
        if self.algorithms.is_empty() {
            mistakes.push("`algorithms([])` allows no token".into());
        }
        mistakes
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
