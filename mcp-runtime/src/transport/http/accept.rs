//! Media types: which the client takes, and which it sends.

use http::{
    HeaderMap,
    header::{ACCEPT, CONTENT_TYPE},
};

/// What a client takes as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    pub(super) json: bool,
    pub(super) events: bool,
}

/// How exactly a range names a type; the most exact one counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Exactness {
    Nothing,
    Any,
    Kind,
    Type,
}

impl Accepted {
    /// Reads `Accept` as HTTP says: absent means anything, `q=0` means never.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut json = (Exactness::Nothing, false);
        let mut events = (Exactness::Nothing, false);
        let mut said = false;
        for value in headers.get_all(ACCEPT) {
            let Ok(value) = std::str::from_utf8(value.as_bytes()) else { continue };
            for range in value.split(',').map(str::trim).filter(|range| !range.is_empty()) {
                said = true;
                let mut parts = range.split(';').map(str::trim);
                let name = parts.next().unwrap_or_default();
                let wanted = !parts.any(is_never);
                for (known, best) in [("application/json", &mut json), ("text/event-stream", &mut events)] {
                    let exactness = exactness(name, known);
                    if exactness > best.0 || (exactness == best.0 && exactness > Exactness::Nothing && wanted)
                    {
                        *best = (exactness, wanted);
                    }
                }
            }
        }
        if said { Self { json: json.1, events: events.1 } } else { Self { json: true, events: true } }
    }
}

fn exactness(range: &str, known: &str) -> Exactness {
    let kind = known.split('/').next().unwrap_or_default();
    if range.eq_ignore_ascii_case(known) {
        Exactness::Type
    } else if range == "*/*" || range == "*" {
        Exactness::Any
    } else if range.strip_suffix("/*").is_some_and(|range| range.eq_ignore_ascii_case(kind)) {
        Exactness::Kind
    } else {
        Exactness::Nothing
    }
}

/// Whether a parameter of a range is a weight of zero.
fn is_never(parameter: &str) -> bool {
    let Some((name, weight)) = parameter.split_once('=') else { return false };
    name.trim().eq_ignore_ascii_case("q") && weight.trim().parse::<f32>().is_ok_and(|weight| weight <= 0.0)
}

/// Whether the body is said to be JSON.
pub(super) fn sends_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let name = value.as_bytes().split(|&byte| byte == b';').next().unwrap_or_default();
    name.trim_ascii().eq_ignore_ascii_case(b"application/json")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(values: &[&'static str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT, http::HeaderValue::from_static(value));
        }
        let accepted = Accepted::of(&headers);
        (accepted.json, accepted.events)
    }

    #[test]
    fn no_accept_header_means_anything() {
        assert_eq!(accepted(&[]), (true, true));
        assert_eq!(accepted(&[""]), (true, true));
    }

    #[test]
    fn ranges_cases_and_repeated_headers_are_read_as_http_says() {
        assert_eq!(accepted(&["*/*"]), (true, true));
        assert_eq!(accepted(&["application/*"]), (true, false));
        assert_eq!(accepted(&["APPLICATION/JSON; charset=utf-8"]), (true, false));
        assert_eq!(accepted(&["text/event-stream"]), (false, true));
        assert_eq!(accepted(&["text/event-stream", "application/json"]), (true, true));
        assert_eq!(accepted(&["text/html, image/png"]), (false, false));
    }

    #[test]
    fn a_weight_of_zero_excludes_and_the_most_exact_range_counts() {
        assert_eq!(accepted(&["application/json;q=0, */*;q=0.5"]), (false, true));
        assert_eq!(accepted(&["*/*;q=0, application/json;q=0.1"]), (true, false));
        assert_eq!(accepted(&["text/event-stream ; Q = 0.000, application/json"]), (true, false));
    }

    #[test]
    fn only_json_is_json() {
        let sends = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, http::HeaderValue::from_static(value));
            sends_json(&headers)
        };
        assert!(sends("application/json"));
        assert!(sends("Application/JSON ; charset=utf-8"));
        assert!(!sends("text/plain"));
        assert!(!sends("application/jsonx"));
        assert!(!sends_json(&HeaderMap::new()));
    }
}
