//! Requests of the server's own, to the authorization servers that its author named: over TLS (or to
//! this machine), without redirects, bounded in time and size.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, Url, redirect::Policy};
use serde::de::DeserializeOwned;

/// Time for one request.
const TIME: Duration = Duration::from_secs(10);
/// Bytes of an answer.
const MOST: usize = 256 * 1024;

/// Asks authorization servers.
#[derive(Clone, Debug)]
pub(super) struct Fetch(Result<Client, String>);

impl Fetch {
    pub(super) fn new() -> Self {
        // The first to install one wins; any provider does.
        _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().redirect(Policy::none()).timeout(TIME).build();
        Self(client.map_err(|error| error.to_string()))
    }

    fn client(&self) -> Result<&Client, String> {
        self.0.as_ref().map_err(Clone::clone)
    }

    /// The JSON at a URL.
    pub(super) async fn get<T: DeserializeOwned>(&self, url: &str) -> Result<T, String> {
        self.send(self.client()?.get(checked(url)?)).await
    }

    /// The JSON that comes back for a form, posted with these credentials.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        url: &str,
        (id, secret): (&str, &str),
        form: &[(&str, &str)],
    ) -> Result<T, String> {
        self.send(self.client()?.post(checked(url)?).basic_auth(id, Some(secret)).form(form)).await
    }

    async fn send<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, String> {
        let request = request.header("accept", "application/json");
        let response = request.send().await.map_err(|error| error.without_url().to_string())?;
        if !response.status().is_success() {
            return Err(format!("the status {}", response.status()));
        }
        let body = read(response).await?;
        serde_json::from_slice(&body).map_err(|error| format!("no such JSON: {error}"))
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| error.without_url().to_string())? {
        if body.len() + chunk.len() > MOST {
            return Err(format!("more than {MOST} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// A URL that may be asked: `https`, or this machine.
pub(super) fn checked(url: &str) -> Result<Url, String> {
    let parsed = Url::parse(url).map_err(|error| format!("`{url}` is no URL: {error}"))?;
    let local = parsed.host_str().is_some_and(|host| {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    });
    match parsed.scheme() {
        "https" => Ok(parsed),
        "http" if local => Ok(parsed),
        _ => Err(format!("`{url}` is not an `https:` URL")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tls_and_this_machine_are_asked() {
        for url in
            ["https://auth.example.com/keys", "http://127.0.0.1:9/keys", "http://[::1]/", "http://localhost"]
        {
            assert!(checked(url).is_ok(), "{url}");
        }
        for url in
            ["http://auth.example.com/keys", "http://localhost.example.com", "file:///etc/passwd", "keys"]
        {
            assert!(checked(url).is_err(), "{url}");
        }
    }
}
