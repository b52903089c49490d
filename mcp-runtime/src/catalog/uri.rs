//! URI templates (RFC 6570): `{x}` stands for one segment, `{+x}` for any number of them, and
//! `{?x,y}` at the end for a query whose members may be left out.

/// A template, ready to match.
#[derive(Debug)]
pub(crate) struct Template {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Literal(&'static str),
    Variable { name: &'static str, reserved: bool },
    Query(Vec<&'static str>),
}

impl Template {
    /// Reads a template; an error says what is wrong with it.
    pub(crate) fn parse(template: &'static str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            if open > 0 {
                parts.push(Part::Literal(&rest[..open]));
            }
            let close =
                rest[open..].find('}').ok_or_else(|| format!("`{template}` has a `{{` without its `}}`"))?;
            let expression = &rest[open + 1..open + close];
            let after = &rest[open + close + 1..];
            if let Some(names) = expression.strip_prefix('?') {
                let names: Vec<_> = names.split(',').collect();
                if !after.is_empty() || !names.iter().all(|name| is_name(name)) {
                    return Err(format!(
                        "`{{{expression}}}` in `{template}` has to be a list of names, at the end"
                    ));
                }
                parts.push(Part::Query(names));
                return Ok(Self { parts });
            }
            let (reserved, name) = match expression.strip_prefix('+') {
                Some(name) => (true, name),
                None => (false, expression),
            };
            if !is_name(name) {
                return Err(format!(
                    "`{{{expression}}}` in `{template}` is not supported: write `{{name}}`, `{{+name}}` or `{{?name}}`"
                ));
            }
            if matches!(parts.last(), Some(Part::Variable { .. })) {
                return Err(format!(
                    "two variables of `{template}` touch each other: put a literal between them"
                ));
            }
            parts.push(Part::Variable { name, reserved });
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest));
        }
        Ok(Self { parts })
    }

    pub(crate) fn is_fixed(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Literal(_)))
    }

    /// The values of the variables, percent-decoded, if the URI is one of the template's. Matching is
    /// done on the encoded text, so an encoded slash ends no segment.
    pub(crate) fn matches(&self, uri: &str) -> Option<Vec<(&'static str, String)>> {
        let mut values = Vec::new();
        matches(&self.parts, uri, &mut values).then_some(values)
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn matches(parts: &[Part], uri: &str, values: &mut Vec<(&'static str, String)>) -> bool {
    let Some((part, parts)) = parts.split_first() else { return uri.is_empty() };
    match *part {
        Part::Query(ref names) => {
            uri.is_empty() || uri.strip_prefix('?').is_some_and(|query| asks(names, query, values))
        }
        Part::Literal(literal) => uri.strip_prefix(literal).is_some_and(|rest| matches(parts, rest, values)),
        Part::Variable { name, reserved } => {
            let most = if reserved { uri.len() } else { uri.find(['/', '?', '#']).unwrap_or(uri.len()) };
            let Some(Part::Literal(next)) = parts.first() else {
                // At the end of the path: what is left is a query, or nothing.
                let end =
                    if reserved { uri.find('?').filter(|_| !parts.is_empty()).unwrap_or(most) } else { most };
                return take(name, &uri[..end], values) && matches(parts, &uri[end..], values);
            };
            // The shortest value that lets the rest match.
            for (at, _) in uri.match_indices(next).take_while(|(at, _)| *at <= most) {
                let kept = values.len();
                if take(name, &uri[..at], values) && matches(parts, &uri[at..], values) {
                    return true;
                }
                values.truncate(kept);
            }
            false
        }
    }
}

/// Reads a query; members that the template does not have are nobody's.
fn asks(names: &[&'static str], query: &str, values: &mut Vec<(&'static str, String)>) -> bool {
    query.split('&').filter(|member| !member.is_empty()).all(|member| {
        let (key, value) = member.split_once('=').unwrap_or((member, ""));
        match (names.iter().find(|name| **name == key), decode(value)) {
            (Some(name), Some(value)) => {
                values.push((name, value));
                true
            }
            (None, _) => true,
            (Some(_), None) => false,
        }
    })
}

fn take(name: &'static str, text: &str, values: &mut Vec<(&'static str, String)>) -> bool {
    match decode(text) {
        Some(value) if !value.is_empty() => {
            values.push((name, value));
            true
        }
        _ => false,
    }
}

/// Percent-decodes; `None` for a broken escape or what is not UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let (high, low) = (*rest.first()?, *rest.get(1)?);
            let digit = |b: u8| char::from(b).to_digit(16);
            bytes.push(u8::try_from(digit(high)? * 16 + digit(low)?).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(template: &'static str, uri: &str) -> Option<Vec<String>> {
        let template = Template::parse(template).expect("a good template");
        template.matches(uri).map(|values| values.into_iter().map(|(_, value)| value).collect())
    }

    #[test]
    fn a_variable_is_one_segment_and_is_decoded_once() {
        assert_eq!(values("stock://{title}", "stock://Dune"), Some(vec!["Dune".into()]));
        assert_eq!(values("item://{id}", "item://%C2%A7%20141"), Some(vec!["§ 141".into()]));
        assert_eq!(values("item://{id}", "item://%2520"), Some(vec!["%20".into()]));
        assert_eq!(values("item://{id}", "item://a+b"), Some(vec!["a+b".into()]));
        assert_eq!(values("item://{id}", "item://a/b"), None);
        assert_eq!(values("item://{id}", "item://"), None);
        assert_eq!(values("item://{id}", "item://%zz"), None);
        assert_eq!(values("item://{id}", "item://%ff"), None);
    }

    #[test]
    fn literals_are_literal_and_a_reserved_variable_spans_segments() {
        assert_eq!(values("w://a.b/{c}", "w://aXb/p"), None);
        assert_eq!(values("docs://{+path}", "docs://a/b/c"), Some(vec!["a/b/c".into()]));
        assert_eq!(values("t://{id}/data", "t://123/data"), Some(vec!["123".into()]));
        assert_eq!(values("t://{a}-{b}/x", "t://1-2-3/x"), Some(vec!["1".into(), "2-3".into()]));
    }

    #[test]
    fn a_query_comes_in_any_order_and_may_be_left_out() {
        let found = |uri| {
            let values = Template::parse("find://{kind}{?q,page}").expect("a good template").matches(uri)?;
            Some(
                values
                    .into_iter()
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        };
        assert_eq!(found("find://books").as_deref(), Some("kind=books"));
        assert_eq!(found("find://books?page=2&q=a%26b+c").as_deref(), Some("kind=books page=2 q=a&b+c"));
        assert_eq!(found("find://books?other=1&q=").as_deref(), Some("kind=books q="));
        assert_eq!(found("find://books?q=%zz"), None);
        assert_eq!(found("find://books/more?q=1"), None);
        assert_eq!(values("all://x{?q}", "all://x?q=1"), Some(vec!["1".into()]));
        assert_eq!(values("docs://{+path}{?q}", "docs://a/b?q=1"), Some(vec!["a/b".into(), "1".into()]));
    }

    #[test]
    fn what_is_no_template_is_said() {
        for wrong in ["a://{", "a://{}", "a://{x y}", "a://{x}{y}", "a://{?q}/x", "a://{?}"] {
            assert!(Template::parse(wrong).is_err(), "{wrong}");
        }
    }
}
