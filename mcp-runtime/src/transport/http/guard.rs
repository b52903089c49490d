//! Who may call: the guard against pages that call a server behind their reader's back, and against
//! names that are made to point at it (DNS rebinding).

use http::{
    HeaderMap, HeaderName, Uri,
    header::{HOST, ORIGIN},
};

use super::origin::{Host, Origin};
use crate::server::Web;

/// The hosts and origins that a server accepts beside its own machine's.
#[derive(Debug)]
pub(super) struct Guard {
    web: Web,
}

/// A request from a page that may call, or from no page.
pub(super) struct Passed {
    /// The page's origin, if a page calls.
    pub(super) origin: Option<http::HeaderValue>,
}

impl Guard {
    /// Reads what was said of the web, and notes what cannot be meant.
    pub(super) fn new(web: Web, mistakes: &mut Vec<String>) -> Self {
        if let Some(url) = &web.public_url
            && !Origin::of_url(url).is_some_and(|(origin, _)| origin.is_web())
        {
            mistakes.push(format!(
                "`public_url({url:?})`: this is no URL of a server; write `.public_url(\"https://example.com/mcp\")`"
            ));
        }
        for origin in web.origins.iter().filter(|origin| Origin::parse(origin).is_none()) {
            mistakes.push(format!(
                "`allow_origin({origin:?})`: this is no origin; write scheme and host: \
                 `.allow_origin(\"https://app.example.com\")`"
            ));
        }
        for host in web.hosts.iter().filter(|host| Host::parse(host).is_none()) {
            mistakes.push(format!(
                "`allow_host({host:?})`: this is no host; write its name alone: `.allow_host(\"mcp.example.com\")`"
            ));
        }
        Self { web }
    }

    /// Whether it was said where clients from elsewhere find the server.
    pub(super) fn is_told(&self) -> bool {
        self.web.public_url.is_some() || !self.web.hosts.is_empty()
    }

    /// The path of the public URL.
    pub(super) fn public_path(&self) -> Option<&str> {
        Some(Origin::of_url(self.web.public_url.as_deref()?)?.1)
    }

    /// Lets a request pass, or says why not, and what to write so that it would.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap, local: bool) -> Result<Passed, String> {
        let host = self.host(uri, headers)?;
        let Some(value) =
            single(headers, ORIGIN).map_err(|()| "there is more than one Origin header".to_owned())?
        else {
            return Ok(Passed { origin: None });
        };
        let text = std::str::from_utf8(value.as_bytes()).unwrap_or_default();
        match Origin::parse(text) {
            Some(origin) if self.may_call(&origin, &host, local) => {
                Ok(Passed { origin: Some(value.clone()) })
            }
            Some(_) => Err(format!(
                "pages of the origin `{text}` may not call this server; write `.allow_origin(\"{text}\")` on the \
                 server to let them"
            )),
            None => Err("the Origin header names no page that could be allowed".to_owned()),
        }
    }

    fn may_call(&self, origin: &Origin<'_>, host: &Host<'_>, local: bool) -> bool {
        origin.is_at(host)
            || (origin.is_web() && origin.host.is_loopback() && (local || host.is_loopback()))
            || self
                .web
                .origins
                .iter()
                .filter_map(|known| Origin::parse(known))
                .any(|known| origin.is_same(&known))
            || self.public().is_some_and(|known| origin.is_same(&known))
    }

    fn public(&self) -> Option<Origin<'_>> {
        Some(Origin::of_url(self.web.public_url.as_deref()?)?.0)
    }

    /// The host that the request is for, in its target and its `Host` header: both have to be one of ours.
    fn host<'a>(&self, uri: &'a Uri, headers: &'a HeaderMap) -> Result<Host<'a>, String> {
        let header =
            match single(headers, HOST).map_err(|()| "there is more than one Host header".to_owned())? {
                None => None,
                Some(value) => {
                    let text = value.to_str().map_err(|_| "the Host header names no host".to_owned())?;
                    Some(self.known(text)?)
                }
            };
        let target = uri.authority().map(|authority| self.known(authority.as_str())).transpose()?;
        target.or(header).ok_or_else(|| "the request has no Host header".to_owned())
    }

    fn known<'a>(&self, text: &'a str) -> Result<Host<'a>, String> {
        let host = Host::parse(text).ok_or_else(|| format!("`{}` is no host", text.escape_default()))?;
        let listed =
            || {
                self.web.hosts.iter().filter_map(|known| Host::parse(known)).any(|known| {
                    host.is_named(known.name) && (known.port.is_none() || known.port == host.port)
                })
            };
        if host.is_loopback()
            || self.public().is_some_and(|public| host.is_named(public.host.name))
            || listed()
        {
            return Ok(host);
        }
        Err(format!(
            "the host `{text}` is not one of this server's; write `.public_url(\"https://{}/mcp\")` on the server if \
             clients find it there, or `.allow_host(\"{}\")`",
            host.name, host.name
        ))
    }
}

/// The one value of a header; an error if there are more.
fn single(headers: &HeaderMap, name: HeaderName) -> Result<Option<&http::HeaderValue>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        _ => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(public_url: Option<&str>, origins: &[&str], hosts: &[&str]) -> Guard {
        let own = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
        let mut mistakes = Vec::new();
        let web = Web {
            public_url: public_url.map(Into::into),
            origins: own(origins),
            hosts: own(hosts),
            ..Web::default()
        };
        let guard = Guard::new(web, &mut mistakes);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        guard
    }

    fn check(guard: &Guard, host: &'static str, origin: Option<&'static str>) -> Result<(), String> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, http::HeaderValue::from_static(host));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, http::HeaderValue::from_static(origin));
        }
        guard.check(&Uri::from_static("/mcp"), &headers, false).map(|_| ())
    }

    #[test]
    fn a_server_that_was_told_nothing_takes_its_own_machine_only() {
        let guard = guard(None, &[], &[]);
        for host in ["localhost:8000", "127.0.0.1", "[::1]:8000"] {
            assert_eq!(check(&guard, host, None), Ok(()));
        }
        let refused = check(&guard, "evil.example.com", None).expect_err("it is not its own");
        assert!(refused.contains("evil.example.com") && refused.contains(".public_url("), "{refused}");
    }

    #[test]
    fn pages_of_this_machine_and_of_the_same_host_may_call() {
        let guard = guard(Some("https://example.com/mcp"), &[], &[]);
        assert_eq!(check(&guard, "localhost:8000", Some("http://localhost:6274")), Ok(()));
        assert_eq!(check(&guard, "example.com", Some("https://example.com")), Ok(()));
        assert_eq!(check(&guard, "localhost:8000", Some("https://example.com")), Ok(()), "behind a proxy");
        assert!(check(&guard, "example.com", Some("http://localhost:6274")).is_err());
    }

    #[test]
    fn other_pages_are_refused_with_the_line_to_write() {
        let guard = guard(None, &["https://app.example.com"], &[]);
        assert_eq!(check(&guard, "localhost", Some("https://app.example.com")), Ok(()));
        let refused = check(&guard, "localhost", Some("http://evil.test")).expect_err("it is not listed");
        assert!(refused.contains(".allow_origin(\"http://evil.test\")"), "{refused}");
        assert!(check(&guard, "localhost", Some("null")).is_err());
        assert!(check(&guard, "localhost", Some("http://app.example.com")).is_err());
    }

    #[test]
    fn listed_hosts_pass_with_any_port_unless_one_is_given() {
        let guard = guard(None, &[], &["mcp.internal", "other.internal:8000"]);
        assert_eq!(check(&guard, "MCP.internal:9000", None), Ok(()));
        assert_eq!(check(&guard, "other.internal:8000", None), Ok(()));
        assert!(check(&guard, "other.internal:9000", None).is_err());
    }

    #[test]
    fn the_target_counts_as_much_as_the_header() {
        let guard = guard(None, &[], &[]);
        let mut headers = HeaderMap::new();
        assert!(guard.check(&Uri::from_static("/mcp"), &headers, false).is_err());
        assert!(guard.check(&Uri::from_static("http://localhost/mcp"), &headers, false).is_ok());
        headers.insert(HOST, http::HeaderValue::from_static("localhost"));
        assert!(guard.check(&Uri::from_static("http://evil.test/mcp"), &headers, false).is_err());
        headers.append(HOST, http::HeaderValue::from_static("localhost"));
        assert!(guard.check(&Uri::from_static("/mcp"), &headers, false).is_err());
    }

    #[test]
    fn what_cannot_be_meant_is_a_mistake_at_the_start() {
        let mut mistakes = Vec::new();
        let web = Web {
            public_url: Some("example.com".into()),
            origins: vec!["*".into()],
            hosts: vec!["https://x".into()],
            ..Web::default()
        };
        Guard::new(web, &mut mistakes);
        assert_eq!(mistakes.len(), 3, "{mistakes:?}");
    }
}
