//! `requestState`: what a request knows, sealed, and carried by the client to its next try
//! (basic/patterns/mrtr). Nobody can read, change, move or keep it.

use std::{collections::BTreeMap, fmt, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use chacha20poly1305::{
    Key, KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload as Sealed},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use sha2::{Digest, Sha256};

use super::round::Pinned;
use crate::{
    clock::now,
    protocol::{ErrorObject, text},
};

const FORMAT: u8 = 1;
const KEY_ID: usize = 4;
const NONCE: usize = 24;

/// What is sealed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Payload {
    /// When it is no longer good, in seconds since 1970.
    pub(crate) expires: u64,
    /// The questions that went out with it: their pins by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) asked: BTreeMap<String, String>,
    /// Answers of earlier rounds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) answers: BTreeMap<String, Pinned>,
    /// Results of effects.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) once: BTreeMap<String, Box<RawValue>>,
}

/// What a state is bound to: it opens for the same caller with the same request to the same server,
/// and for nothing else.
pub(crate) struct Binding<'a> {
    pub(crate) audience: &'a str,
    pub(crate) principal: Option<&'a str>,
    pub(crate) method: &'a str,
    pub(crate) name: &'a str,
    pub(crate) arguments: Option<&'a RawValue>,
}

impl Binding<'_> {
    fn digest(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        let mut part = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        part(self.audience.as_bytes());
        match self.principal {
            Some(principal) => {
                part(b"principal");
                part(principal.as_bytes());
            }
            None => part(b"anyone"),
        }
        part(self.method.as_bytes());
        part(self.name.as_bytes());
        part(canonical(self.arguments).as_bytes());
        digest.finalize().into()
    }
}

/// The arguments in one spelling: a client may write the members of its retry in another order.
fn canonical(arguments: Option<&RawValue>) -> String {
    let value = arguments.map_or(Value::Null, |raw| serde_json::from_str(raw.get()).unwrap_or(Value::Null));
    let mut out = String::new();
    match value {
        // Left out and empty are the same call.
        Value::Null => out.push_str("{}"),
        value => spell(&value, &mut out),
    }
    out
}

fn spell(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, value) in members {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                spell(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                spell(item, out);
                out.push(',');
            }
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
}

/// The keys that seal and open states: the first seals, all open.
#[derive(Clone)]
pub(crate) struct KeyRing {
    keys: Vec<([u8; KEY_ID], XChaCha20Poly1305)>,
    lifetime: Duration,
}

/// Why keys cannot be used.
#[derive(Debug)]
pub(crate) struct KeyError(pub(crate) String);

impl KeyRing {
    /// A ring with one key of this process's own.
    pub(crate) fn random(lifetime: Duration) -> Result<Self, KeyError> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| KeyError(format!("no random bytes: {error}")))?;
        Ok(Self::new(&[key], lifetime))
    }

    pub(crate) fn new(keys: &[[u8; 32]], lifetime: Duration) -> Self {
        let keys = keys.iter().map(|key| {
            let mut id = [0; KEY_ID];
            id.copy_from_slice(&Sha256::digest(key)[..KEY_ID]);
            (id, XChaCha20Poly1305::new(&Key::from(*key)))
        });
        Self { keys: keys.collect(), lifetime }
    }

    /// Keys as `MCP_STATE_KEYS` holds them: 32 bytes each in Base64 or hexadecimal, separated by
    /// commas; the first seals.
    pub(crate) fn parse(text: &str) -> Result<Vec<[u8; 32]>, KeyError> {
        text.split(',').map(str::trim).filter(|key| !key.is_empty()).enumerate().map(|(index, key)| {
            let bytes = if key.len() == 64 { hex(key) } else { BASE64.decode(key.trim_end_matches('=').replace('+', "-").replace('/', "_")).ok() };
            bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
                KeyError(format!("key {} is not 32 bytes in Base64 or hexadecimal; make one with `openssl rand -base64 32`", index + 1))
            })
        }).collect()
    }

    pub(crate) fn seal(&self, mut payload: Payload, binding: &Binding<'_>) -> Result<String, ErrorObject> {
        payload.expires = now().as_secs().saturating_add(self.lifetime.as_secs());
        let failed = |why: &str| {
            tracing::error!(why, "a request state could not be sealed");
            ErrorObject::internal("The request could not be suspended")
        };
        let (id, cipher) = self.keys.first().ok_or_else(|| failed("there is no key"))?;
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|error| failed(&error.to_string()))?;
        let plain = serde_json::to_vec(&payload).map_err(|error| failed(&error.to_string()))?;
        let aad = associated(*id, binding);
        let sealed = cipher
            .encrypt(&XNonce::from(nonce), Sealed { msg: &plain, aad: &aad })
            .map_err(|_| failed("the cipher failed"))?;
        let mut bytes = Vec::with_capacity(1 + KEY_ID + NONCE + sealed.len());
        bytes.push(FORMAT);
        bytes.extend_from_slice(id);
        bytes.extend_from_slice(&nonce);
        bytes.extend_from_slice(&sealed);
        Ok(BASE64.encode(bytes))
    }

    /// Opens a state. Whatever is wrong with it, the client gets one and the same answer; the reason
    /// goes to the log.
    pub(crate) fn open(&self, state: &RawValue, binding: &Binding<'_>) -> Result<Payload, ErrorObject> {
        self.try_open(state, binding).map_err(|why| {
            tracing::warn!(why, method = binding.method, name = binding.name, "a request state was refused");
            ErrorObject::invalid_params("Invalid or expired requestState")
        })
    }

    fn try_open(&self, state: &RawValue, binding: &Binding<'_>) -> Result<Payload, &'static str> {
        let state = text(state).ok_or("it is not a string")?;
        let bytes = BASE64.decode(&*state).map_err(|_| "it is not Base64")?;
        let (&format, rest) = bytes.split_first().ok_or("it is empty")?;
        if format != FORMAT {
            return Err("its format is unknown");
        }
        let (id, rest) = rest.split_first_chunk::<KEY_ID>().ok_or("it is too short")?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE>().ok_or("it is too short")?;
        let (_, cipher) = self.keys.iter().find(|(known, _)| known == id).ok_or("its key is unknown")?;
        let aad = associated(*id, binding);
        let plain = cipher
            .decrypt(&XNonce::from(*nonce), Sealed { msg: sealed, aad: &aad })
            .map_err(|_| "it was changed, or belongs to another request or caller")?;
        let payload: Payload = serde_json::from_slice(&plain).map_err(|_| "its payload is unreadable")?;
        if payload.expires <= now().as_secs() {
            return Err("it has expired");
        }
        Ok(payload)
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyRing of {}", self.keys.len())
    }
}

fn associated(id: [u8; KEY_ID], binding: &Binding<'_>) -> Vec<u8> {
    let mut aad = vec![FORMAT];
    aad.extend_from_slice(&id);
    aad.extend_from_slice(&binding.digest());
    aad
}

fn hex(text: &str) -> Option<Vec<u8>> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::raw;

    fn ring(byte: u8) -> KeyRing {
        KeyRing::new(&[[byte; 32]], Duration::from_secs(60))
    }

    fn binding<'a>(arguments: Option<&'a RawValue>) -> Binding<'a> {
        Binding {
            audience: "Bookshop",
            principal: Some("ann"),
            method: "tools/call",
            name: "reserve",
            arguments,
        }
    }

    fn arguments(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).expect("JSON")
    }

    fn sealed(ring: &KeyRing, binding: &Binding<'_>) -> Box<RawValue> {
        let payload = Payload { asked: [("quantity".into(), "pin".into())].into(), ..Payload::default() };
        raw(&ring.seal(payload, binding).expect("sealed")).expect("JSON")
    }

    const FROZEN: &str = "Invalid or expired requestState";

    fn refused(ring: &KeyRing, state: &RawValue, binding: &Binding<'_>) -> bool {
        match ring.open(state, binding) {
            Ok(_) => false,
            Err(error) => {
                assert_eq!(
                    (error.code, &*error.message),
                    (crate::protocol::ErrorCode::InvalidParams, FROZEN)
                );
                assert!(error.data.is_none(), "the reason stays in the log");
                true
            }
        }
    }

    #[test]
    fn a_state_opens_for_the_same_request_of_the_same_caller() {
        let (ring, dune) = (ring(1), arguments(r#"{"title":"Dune","copies":[1,2]}"#));
        let state = sealed(&ring, &binding(Some(&dune)));
        let opened = ring.open(&state, &binding(Some(&dune))).expect("opened");
        assert_eq!(opened.asked["quantity"], "pin");
        let other_order = arguments(r#"{ "copies": [1, 2], "title": "Dune" }"#);
        assert!(ring.open(&state, &binding(Some(&other_order))).is_ok());
    }

    #[test]
    fn left_out_and_empty_arguments_are_the_same_call() {
        let ring = ring(1);
        let state = sealed(&ring, &binding(None));
        assert!(ring.open(&state, &binding(Some(&arguments("{}")))).is_ok());
        assert!(ring.open(&state, &binding(Some(&arguments("null")))).is_ok());
    }

    #[test]
    fn a_state_is_refused_for_another_caller_name_method_server_or_arguments() {
        let (ring, dune) = (ring(1), arguments(r#"{"title":"Dune"}"#));
        let emma = arguments(r#"{"title":"Emma"}"#);
        let state = sealed(&ring, &binding(Some(&dune)));
        let own = || binding(Some(&dune));
        assert!(refused(&ring, &state, &Binding { principal: Some("bob"), ..own() }));
        assert!(refused(&ring, &state, &Binding { principal: None, ..own() }));
        assert!(refused(&ring, &state, &Binding { name: "restock", ..own() }));
        assert!(refused(&ring, &state, &Binding { method: "prompts/get", ..own() }));
        assert!(refused(&ring, &state, &Binding { audience: "Library", ..own() }));
        assert!(refused(&ring, &state, &Binding { arguments: Some(&emma), ..own() }));
    }

    #[test]
    fn every_changed_byte_and_every_other_text_is_refused() {
        let ring = ring(1);
        let state = sealed(&ring, &binding(None));
        let bytes = BASE64.decode(text(&state).expect("a string").as_bytes()).expect("Base64");
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert!(refused(&ring, &raw(&BASE64.encode(bytes)).expect("JSON"), &binding(None)), "byte {at}");
        }
        for other in ["\"\"", "\"AQ\"", "\"not base64!\"", "5", "null", "{}"] {
            assert!(refused(&ring, &arguments(other), &binding(None)), "{other}");
        }
    }

    #[test]
    fn a_state_expires() {
        let ring = KeyRing::new(&[[1; 32]], Duration::ZERO);
        let state = sealed(&ring, &binding(None));
        assert!(refused(&ring, &state, &binding(None)));
    }

    #[test]
    fn all_keys_of_a_ring_open_and_the_first_seals() {
        let (old, new) = ([1; 32], [2; 32]);
        let rotated = KeyRing::new(&[new, old], Duration::from_secs(60));
        let state = sealed(&ring(1), &binding(None));
        assert!(rotated.open(&state, &binding(None)).is_ok());
        let state = sealed(&rotated, &binding(None));
        assert!(ring(2).open(&state, &binding(None)).is_ok());
        assert!(refused(&ring(1), &state, &binding(None)));
    }

    #[test]
    fn keys_are_read_in_base64_and_in_hexadecimal() {
        let keys = KeyRing::parse(&format!(
            "{}, {}",
            "07".repeat(32),
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        ));
        assert_eq!(keys.expect("two keys"), [[7; 32], [0; 32]]);
        assert!(KeyRing::parse("short").is_err());
    }
}
