//! Templates of URIs (RFC 6570): `{x}`, `{+x}` and `{?x,y}`.

/// The variables of a template, in order, or what is wrong with it.
pub(super) fn variables(uri: &str) -> Result<Vec<String>, String> {
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    let letters =
        |scheme: &str| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !letters(scheme) {
        return Err("a resource's URI starts with a scheme, such as `stock://` or `file:///`".into());
    }
    if let Some(strange) = uri.chars().find(|c| c.is_whitespace() || c.is_control()) {
        return Err(format!("a URI cannot hold {strange:?}: write it percent-encoded"));
    }
    let mut variables = Vec::new();
    let mut rest = uri;
    while let Some(at) = rest.find(['{', '}']) {
        let Some(expression) = rest[at..].strip_prefix('{') else {
            return Err("`}` without `{` in the template".into());
        };
        let Some((expression, after)) = expression.split_once('}') else {
            return Err("`{` without `}` in the template".into());
        };
        rest = after;
        let list = expression.strip_prefix('?').map(|list| (list, true)).unwrap_or((expression, false));
        let names = match list {
            (names, true) => names,
            (name, false) => name.strip_prefix('+').unwrap_or(name),
        };
        for name in names.split(',') {
            let fits =
                |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
            if name.is_empty() || !fits(name) || (!list.1 && names.contains(',')) {
                return Err(format!(
                    "`{{{expression}}}` is not understood: a template has `{{x}}`, `{{+x}}` and `{{?x,y}}`"
                ));
            }
            if variables.iter().any(|known| known == name) {
                return Err(format!("the variable `{name}` stands twice in the template"));
            }
            variables.push(name.to_owned());
        }
    }
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_found_in_order() {
        assert_eq!(variables("stock://{title}"), Ok(vec!["title".into()]));
        assert_eq!(
            variables("repo://{owner}/{+path}{?q,page}"),
            Ok(vec!["owner".into(), "path".into(), "q".into(), "page".into()])
        );
        assert_eq!(variables("config://app"), Ok(vec![]));
    }

    #[test]
    fn templates_that_cannot_be_matched_are_refused() {
        for bad in [
            "stock",
            "://x",
            "a b://x",
            "x://{",
            "x://}",
            "x://{}",
            "x://{a}{a}",
            "x://{#a}",
            "x://{a,b}",
            "x://{a b}",
        ] {
            assert!(variables(bad).is_err(), "{bad}");
        }
    }
}
