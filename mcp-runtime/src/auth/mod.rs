//! Who makes a request.

#[cfg(feature = "auth")]
mod fetch;
#[cfg(feature = "auth")]
mod introspection;
#[cfg(feature = "auth")]
mod jwks;
#[cfg(feature = "auth")]
mod jwt;
mod principal;
#[cfg(all(test, feature = "auth"))]
mod tests;
mod verifier;

#[cfg(feature = "auth")]
pub use introspection::Introspection;
#[cfg(feature = "auth")]
pub use jwt::{Algorithm, Jwt};
pub use principal::Principal;
pub use verifier::{TokenError, TokenVerifier};
