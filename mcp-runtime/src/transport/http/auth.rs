//! The door: callers show a token, or are told where to get one (basic/authorization, RFC 6750 and
//! RFC 9728).

use std::sync::Arc;

use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, Response, StatusCode,
    header::{AUTHORIZATION, CACHE_CONTROL, RETRY_AFTER, WWW_AUTHENTICATE},
};
use serde::Serialize;

use super::{
    HttpBody,
    origin::Origin,
    respond::{json, refuse},
};
use crate::{
    auth::{Principal, TokenError, TokenVerifier},
    protocol::{Implementation, write},
    server::Web,
};

/// Where the metadata of protected resources is found, before the resource's own path.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What a server asks of its callers.
#[derive(Clone, Debug)]
pub(super) struct Door {
    verifier: Arc<dyn TokenVerifier>,
    /// The server's public URL, which is the tokens' audience.
    resource: String,
    /// Where the metadata is.
    metadata_url: String,
    metadata: Bytes,
    /// What every caller's token has to allow.
    scopes: Vec<String>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    resource: &'a str,
    authorization_servers: Vec<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    scopes_supported: &'a [String],
    bearer_methods_supported: [&'static str; 1],
    resource_name: &'a str,
}

impl Door {
    /// The door of a server that has one; what is wrong with it is noted.
    pub(super) fn of(web: &Web, identity: &Implementation, mistakes: &mut Vec<String>) -> Option<Self> {
        let plain = |scope: &String| {
            !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte))
        };
        for scope in web.scopes.iter().filter(|scope| !plain(scope)) {
            mistakes.push(format!("`scopes([{scope:?}])`: a scope is one word, without quotes"));
        }
        let Some(verifier) = web.verifier.clone() else {
            if !web.scopes.is_empty() {
                mistakes.push("`scopes(…)` needs `.auth(…)`, by which callers are known".into());
            }
            return None;
        };
        mistakes.extend(verifier.mistakes().into_iter().map(|mistake| format!("`auth(…)`: {mistake}")));
        let Some(resource) = &web.public_url else {
            mistakes.push(
                "`auth(…)` needs the URL for which tokens are issued: write `.public_url(\"https://example.com/mcp\")`"
                    .into(),
            );
            return None;
        };
        // Without a door everybody would be let in: what cannot have one must not start.
        let parts = Origin::of_url(resource).and_then(|(_, path)| Some((resource.strip_suffix(path)?, path)));
        let Some((origin, path)) = parts else {
            mistakes.push(format!(
                "`public_url({resource:?})`: tokens cannot be issued for it; write it without a query and a fragment"
            ));
            return None;
        };
        let mut metadata = Vec::new();
        write(
            &mut metadata,
            &Metadata {
                resource,
                authorization_servers: verifier.authorization_servers(),
                scopes_supported: &web.scopes,
                bearer_methods_supported: ["header"],
                resource_name: identity.title.as_deref().unwrap_or(&identity.name),
            },
        );
        Some(Self {
            verifier,
            resource: resource.clone(),
            metadata_url: format!("{origin}{WELL_KNOWN}{}", path.trim_end_matches('/')),
            metadata: metadata.into(),
            scopes: web.scopes.clone(),
        })
    }

    /// Whether the metadata is found at this path: with the path of the resource, or without.
    pub(super) fn is_metadata(&self, path: &str) -> bool {
        let Some(rest) = path.strip_prefix(WELL_KNOWN) else { return false };
        rest.is_empty() || rest == "/" || self.metadata_url.ends_with(&format!("{WELL_KNOWN}{rest}"))
    }

    /// The metadata of this resource.
    pub(super) fn metadata(&self) -> Response<HttpBody> {
        let mut response = json(StatusCode::OK, self.metadata.clone());
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
        response
    }

    /// Who calls, or what is answered instead.
    pub(super) async fn enter(&self, headers: &HeaderMap) -> Result<Principal, Box<Response<HttpBody>>> {
        let token = match bearer(headers) {
            Ok(Some(token)) => token,
            Ok(None) => {
                let why = "This server knows its callers by their tokens: send `Authorization: Bearer …`";
                return Err(Box::new(self.challenge(StatusCode::UNAUTHORIZED, None, &self.scopes, why)));
            }
            Err(why) => {
                let challenge =
                    self.challenge(StatusCode::BAD_REQUEST, Some("invalid_request"), &self.scopes, why);
                return Err(Box::new(challenge));
            }
        };
        match self.verifier.verify(token, &self.resource).await {
            Ok(principal) => Ok(principal),
            Err(TokenError::Unavailable(why)) => {
                tracing::error!(why, "tokens cannot be checked");
                let mut response = refuse(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "The token cannot be checked now; try again in a moment",
                );
                response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
                Err(Box::new(response))
            }
            Err(error) => {
                tracing::warn!(%error, "a caller was refused");
                let why = "The token is not valid: it may have expired, or is for another server";
                let challenge =
                    self.challenge(StatusCode::UNAUTHORIZED, Some("invalid_token"), &self.scopes, why);
                Err(Box::new(challenge))
            }
        }
    }

    /// Whether a caller may do anything here.
    pub(super) fn admits(&self, principal: &Principal) -> bool {
        self.scopes.iter().all(|scope| principal.has_scope(scope))
    }

    /// The answer to a caller whose token does not allow what it asks: all the scopes that it needs,
    /// these and those that every caller needs.
    pub(super) fn insufficient(&self, scopes: &[&str]) -> Response<HttpBody> {
        let mut all = self.scopes.clone();
        all.extend(scopes.iter().map(|&scope| scope.to_owned()));
        all.sort();
        all.dedup();
        let why = format!("This needs a token with the scope {}", all.join(" "));
        self.challenge(StatusCode::FORBIDDEN, Some("insufficient_scope"), &all, &why)
    }

    fn challenge(
        &self,
        status: StatusCode,
        error: Option<&str>,
        scopes: &[String],
        why: &str,
    ) -> Response<HttpBody> {
        let mut challenge = format!("Bearer resource_metadata=\"{}\"", self.metadata_url);
        if !scopes.is_empty() {
            challenge.push_str(&format!(", scope=\"{}\"", scopes.join(" ")));
        }
        if let Some(error) = error {
            challenge.push_str(&format!(", error=\"{error}\", error_description=\"{why}\""));
        }
        let mut response = refuse(status, why.to_owned());
        if let Ok(value) = HeaderValue::try_from(challenge) {
            response.headers_mut().insert(WWW_AUTHENTICATE, value);
        }
        response
    }
}

/// The one token of a request, if it brings one.
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, &'static str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return if headers.contains_key(AUTHORIZATION) {
            Err("There is more than one Authorization header")
        } else {
            Ok(None)
        };
    };
    let value = value.to_str().map_err(|_| "The Authorization header cannot be read")?;
    let Some((scheme, token)) = value.split_once(' ') else { return Ok(None) };
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Ok(None);
    }
    let token = token.trim();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    if token.is_empty() || !token.bytes().all(plain) {
        return Err("The token in the Authorization header is none");
    }
    Ok(Some(token))
}
