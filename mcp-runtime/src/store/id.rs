//! Ids of what is kept.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::protocol::ErrorObject;

/// An id that nobody can guess: 144 bits from the operating system.
pub(crate) fn new_id() -> Result<String, ErrorObject> {
    let mut bytes = [0; 18];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "no random bytes");
        ErrorObject::internal("The server has no random numbers")
    })?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
