//! How a server knows its callers by their tokens (basic/authorization).

use std::fmt;

use super::Principal;
use crate::BoxFuture;

/// Finds out whom an access token speaks for. The server is an OAuth 2.1 resource server then:
/// requests without a token that this trusts get a challenge that says where to get one.
///
/// A verifier trusts a token only that was issued by one of its authorization servers, for this
/// server, and is valid now. It keeps the token to itself: not in a log, an error or a request to
/// anyone else than its authorization server.
pub trait TokenVerifier: Send + Sync + fmt::Debug + 'static {
    /// What is wrong with the way it was set up, for the start-up report. Untold: nothing.
    fn mistakes(&self) -> Vec<String> {
        Vec::new()
    }

    /// The issuers of the tokens, as URLs: `authorization_servers` of the protected resource metadata.
    fn authorization_servers(&self) -> Vec<String>;

    /// Whom this token speaks for. `audience` is this server's public URL, for which the token has to
    /// be issued.
    fn verify<'a>(
        &'a self,
        token: &'a str,
        audience: &'a str,
    ) -> BoxFuture<'a, Result<Principal, TokenError>>;
}

/// Why a token is not taken.
#[derive(Debug)]
#[non_exhaustive]
pub enum TokenError {
    /// It is not to be trusted. The reason is for the log; the caller reads only that it is invalid.
    Invalid(String),
    /// It cannot be told now: the authorization server does not answer.
    Unavailable(String),
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) => write!(f, "the token is not valid: {why}"),
            Self::Unavailable(why) => write!(f, "the token cannot be checked now: {why}"),
        }
    }
}

impl std::error::Error for TokenError {}
