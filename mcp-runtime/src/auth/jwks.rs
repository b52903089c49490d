//! The keys of an authorization server: fetched when they are needed, kept for a while, and fetched
//! anew when a token names one that is not among them.

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwapOption;
use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{Jwk, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::Value;
use tokio::{sync::Mutex, time::Instant};

use super::fetch::Fetch;

/// Time after which keys are fetched anew.
const FRESH: Duration = Duration::from_secs(600);
/// Time between two fetches: tokens with made-up keys must not make us ask without end.
const PAUSE: Duration = Duration::from_secs(10);
/// Time for which keys are used although they cannot be fetched anew.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);
/// Keys that are looked at.
const MOST: usize = 64;

/// Where the keys are.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Where the metadata of this issuer says.
    Issuer(String),
    /// Here.
    Url(String),
}

/// The keys of one authorization server.
#[derive(Debug)]
pub(super) struct Jwks {
    source: Source,
    kept: ArcSwapOption<Kept>,
    /// Whoever fetches holds it; when there was a last try.
    fetching: Mutex<Option<Instant>>,
}

struct Kept {
    keys: Vec<Key>,
    since: Instant,
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept").field("keys", &self.keys.len()).finish_non_exhaustive()
    }
}

/// A key that signs tokens.
#[derive(Clone)]
pub(super) struct Key {
    id: Option<String>,
    /// The one algorithm that it is for, if it says so.
    algorithm: Option<Algorithm>,
    pub(super) key: DecodingKey,
}

#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: String,
}

#[derive(Deserialize)]
struct Set {
    keys: Vec<Value>,
}

impl Jwks {
    pub(super) fn new(source: Source) -> Self {
        Self { source, kept: ArcSwapOption::empty(), fetching: Mutex::new(None) }
    }

    /// Where they are, if that was said.
    pub(super) fn url(&self) -> Option<&str> {
        match &self.source {
            Source::Issuer(_) => None,
            Source::Url(url) => Some(url),
        }
    }

    /// The keys that may have signed a token of this algorithm and key id.
    pub(super) async fn find(
        &self,
        fetch: &Fetch,
        id: Option<&str>,
        algorithm: Algorithm,
    ) -> Result<Vec<Key>, String> {
        let look = |kept: &Kept| matching(&kept.keys, id, algorithm);
        let kept = self.kept.load_full();
        if let Some(kept) = kept.as_ref().filter(|kept| kept.since.elapsed() < FRESH) {
            let found = look(kept);
            if !found.is_empty() {
                return Ok(found);
            }
        }
        let kept = self.refresh(fetch, kept).await?;
        Ok(look(&kept))
    }

    /// Fetches the keys, once for all who wait for them.
    async fn refresh(&self, fetch: &Fetch, before: Option<Arc<Kept>>) -> Result<Arc<Kept>, String> {
        let mut tried = self.fetching.lock().await;
        let now = self.kept.load_full();
        // Somebody else has fetched them meanwhile.
        let newer = now.as_ref().map(|kept| kept.since) > before.as_ref().map(|kept| kept.since);
        let paused = tried.is_some_and(|tried| tried.elapsed() < PAUSE);
        match now {
            Some(now) if newer || (paused && now.since.elapsed() < STALE) => return Ok(now),
            None if paused => return Err("the keys could not be fetched a moment ago".into()),
            _ => {}
        }
        *tried = Some(Instant::now());
        match self.fetch(fetch).await {
            Ok(keys) => {
                let kept = Arc::new(Kept { keys, since: Instant::now() });
                self.kept.store(Some(kept.clone()));
                Ok(kept)
            }
            Err(why) => match before.filter(|kept| kept.since.elapsed() < STALE) {
                Some(kept) => {
                    tracing::warn!(why, "keys could not be fetched; the known ones are used");
                    Ok(kept)
                }
                None => Err(why),
            },
        }
    }

    async fn fetch(&self, fetch: &Fetch) -> Result<Vec<Key>, String> {
        let url = match &self.source {
            Source::Url(url) => url.clone(),
            Source::Issuer(issuer) => discover(fetch, issuer).await?,
        };
        let set: Set = fetch.get(&url).await.map_err(|why| format!("the keys at {url}: {why}"))?;
        Ok(read(set.keys))
    }
}

/// Where the keys of an issuer are, by its metadata (RFC 8414, OpenID Connect Discovery 1.0).
async fn discover(fetch: &Fetch, issuer: &str) -> Result<String, String> {
    let mut why = Vec::new();
    for url in metadata_urls(issuer) {
        match fetch.get::<Metadata>(&url).await {
            Ok(metadata) if metadata.issuer == issuer => return Ok(metadata.jwks_uri),
            Ok(metadata) => why.push(format!("{url} is of another issuer, {}", metadata.issuer)),
            Err(error) => why.push(format!("{url}: {error}")),
        }
    }
    Err(format!("the metadata of {issuer} was not found: {}", why.join("; ")))
}

fn metadata_urls(issuer: &str) -> Vec<String> {
    let issuer = issuer.trim_end_matches('/');
    let path_at = issuer.find("://").and_then(|at| issuer[at + 3..].find('/').map(|path| at + 3 + path));
    let (origin, path) = issuer.split_at(path_at.unwrap_or(issuer.len()));
    let mut urls = vec![
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        urls.push(format!("{issuer}/.well-known/openid-configuration"));
    }
    urls
}

/// The keys of a set that can sign tokens. Shared secrets are none: whoever reads the set has them.
pub(super) fn read(keys: Vec<Value>) -> Vec<Key> {
    let readable = keys.into_iter().take(MOST).filter_map(|key| serde_json::from_value::<Jwk>(key).ok());
    let signing = readable.filter(|jwk| {
        !matches!(jwk.common.public_key_use, Some(PublicKeyUse::Encryption | PublicKeyUse::Other(_)))
    });
    let keys = signing.filter_map(|jwk| {
        let algorithm = match jwk.common.key_algorithm {
            Some(algorithm) => Some(algorithm.to_string().parse().ok()?),
            None => None,
        };
        let key = DecodingKey::from_jwk(&jwk).ok()?;
        (key.family() != jsonwebtoken::AlgorithmFamily::Hmac).then_some(Key {
            id: jwk.common.key_id,
            algorithm,
            key,
        })
    });
    keys.collect()
}

pub(super) fn matching(keys: &[Key], id: Option<&str>, algorithm: Algorithm) -> Vec<Key> {
    let fits = |key: &&Key| {
        key.key.family().algorithms().contains(&algorithm)
            && key.algorithm.is_none_or(|own| own == algorithm)
            && id.is_none_or(|id| key.id.as_deref() == Some(id))
    };
    keys.iter().filter(fits).cloned().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_metadata_of_an_issuer_is_where_the_standards_say() {
        assert_eq!(
            metadata_urls("https://auth.example.com/tenant1"),
            [
                "https://auth.example.com/.well-known/oauth-authorization-server/tenant1",
                "https://auth.example.com/.well-known/openid-configuration/tenant1",
                "https://auth.example.com/tenant1/.well-known/openid-configuration",
            ]
        );
        assert_eq!(metadata_urls("https://auth.example.com/").len(), 2);
    }

    #[test]
    fn secrets_and_keys_for_other_ends_do_not_sign_tokens() {
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
        let keys = read(vec![
            json!({ "kty": "oct", "k": "c2VjcmV0", "kid": "secret" }),
            json!({ "kty": "OKP", "crv": "Ed25519", "x": x, "kid": "enc", "use": "enc" }),
            json!({ "kty": "OKP", "crv": "Ed25519", "x": x, "kid": "sig", "use": "sig" }),
            json!({ "kty": "what" }),
        ]);
        assert_eq!(keys.iter().map(|key| key.id.as_deref()).collect::<Vec<_>>(), [Some("sig")]);
        assert_eq!(matching(&keys, Some("sig"), Algorithm::EdDSA).len(), 1);
        assert_eq!(matching(&keys, None, Algorithm::EdDSA).len(), 1);
        assert!(matching(&keys, Some("sig"), Algorithm::RS256).is_empty(), "a key is for its family");
        assert!(matching(&keys, Some("other"), Algorithm::EdDSA).is_empty());
    }
}
