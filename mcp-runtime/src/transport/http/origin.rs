//! Hosts and origins, as headers name them.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A host with its port, as `Host` and `:authority` have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Host<'a> {
    /// The name; an IPv6 address stands in brackets.
    pub(super) name: &'a str,
    pub(super) port: Option<u16>,
}

impl<'a> Host<'a> {
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (name, rest) = if text.starts_with('[') {
            let end = text.find(']')? + 1;
            let (name, rest) = text.split_at(end);
            name.get(1..end - 1)?.parse::<Ipv6Addr>().ok()?;
            (name, rest)
        } else {
            let end = text.find(':').unwrap_or(text.len());
            let (name, rest) = text.split_at(end);
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
            if !name.bytes().all(plain) {
                return None;
            }
            // A name may be written as absolute.
            (name.strip_suffix('.').unwrap_or(name), rest)
        };
        if name.is_empty() {
            return None;
        }
        let port = match rest.strip_prefix(':') {
            Some("") => None,
            Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => Some(port.parse().ok()?),
            None if rest.is_empty() => None,
            Some(_) | None => return None,
        };
        Some(Self { name, port })
    }

    pub(super) fn is_loopback(&self) -> bool {
        let name = self.name;
        let local = |name: &str| name.eq_ignore_ascii_case("localhost");
        if local(name) || name.rsplit_once('.').is_some_and(|(_, last)| local(last)) {
            return true;
        }
        if let Some(name) = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            return name.parse::<Ipv6Addr>().is_ok_and(|address| address.to_canonical().is_loopback());
        }
        name.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// Where a page comes from: scheme, host and port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin<'a> {
    pub(super) scheme: &'a str,
    pub(super) host: Host<'a>,
}

impl<'a> Origin<'a> {
    /// `None` for `null` and whatever else names no place.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (scheme, host) = text.split_once("://")?;
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        if scheme.is_empty() || !scheme.bytes().all(letter) {
            return None;
        }
        let mut host = Host::parse(host)?;
        if host.port == default_port(scheme) {
            host.port = None;
        }
        Some(Self { scheme, host })
    }

    /// The origin of a URL, and the URL's path.
    pub(super) fn of_url(url: &'a str) -> Option<(Self, &'a str)> {
        let start = url.find("://")? + 3;
        let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
        let path = &url[end..];
        let path = &path[..path.find(['?', '#']).unwrap_or(path.len())];
        Some((Self::parse(&url[..end])?, path))
    }

    pub(super) fn is_web(&self) -> bool {
        default_port(self.scheme).is_some()
    }

    pub(super) fn is_same(&self, other: &Origin<'_>) -> bool {
        self.scheme.eq_ignore_ascii_case(other.scheme)
            && self.host.is_named(other.host.name)
            && self.host.port == other.host.port
    }

    /// Whether a request with this `Host` goes to where the page came from. A proxy may have taken
    /// the TLS off, so the scheme of the request is not known.
    pub(super) fn is_at(&self, host: &Host<'_>) -> bool {
        let port = host.port.filter(|port| Some(*port) != default_port(self.scheme));
        self.is_web() && self.host.is_named(host.name) && self.host.port == port
    }
}

fn default_port(scheme: &str) -> Option<u16> {
    if scheme.eq_ignore_ascii_case("https") {
        Some(443)
    } else if scheme.eq_ignore_ascii_case("http") {
        Some(80)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_with_and_without_a_port() {
        let host = |text| Host::parse(text).map(|host| (host.name, host.port));
        assert_eq!(host("example.com"), Some(("example.com", None)));
        assert_eq!(host("example.com.:80"), Some(("example.com", Some(80))));
        assert_eq!(host("[::1]:8080"), Some(("[::1]", Some(8080))));
        for bad in
            ["", ":80", "a b", "user@localhost", "localhost:http", "localhost:99999", "[::1", "[x]", "a/b"]
        {
            assert_eq!(host(bad), None, "{bad}");
        }
    }

    #[test]
    fn loopback_is_known_in_all_its_spellings_and_nothing_else_is() {
        for host in ["localhost", "LOCALHOST:1", "app.localhost", "127.0.0.1:8000", "127.8.8.8", "[::1]:8080"]
        {
            assert!(Host::parse(host).is_some_and(|host| host.is_loopback()), "{host}");
        }
        for host in
            ["0.0.0.0", "localhost.example.com", "127.0.0.1.example.com", "notlocalhost", "[::]", "10.0.0.1"]
        {
            assert!(Host::parse(host).is_some_and(|host| !host.is_loopback()), "{host}");
        }
    }

    #[test]
    fn an_origin_is_a_scheme_a_host_and_a_port() {
        let same = |a, b| Origin::parse(a).zip(Origin::parse(b)).is_some_and(|(a, b)| a.is_same(&b));
        assert!(same("https://Example.com", "https://example.com:443"));
        assert!(!same("http://example.com", "https://example.com"));
        assert!(!same("https://example.com", "https://example.com:8443"));
        assert_eq!(Origin::parse("null"), None);
        assert_eq!(Origin::parse("https://example.com/path"), None);
        assert!(Origin::parse("vscode-webview://0abc").is_some_and(|origin| !origin.is_web()));
    }

    #[test]
    fn a_url_has_an_origin_and_a_path() {
        let parts = |url| Origin::of_url(url).map(|(origin, path)| (origin.host.name, path));
        assert_eq!(parts("https://example.com/api/mcp?x=1"), Some(("example.com", "/api/mcp")));
        assert_eq!(parts("https://example.com"), Some(("example.com", "")));
        assert_eq!(parts("example.com/mcp"), None);
    }
}
