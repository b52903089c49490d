//! Templates of URIs (RFC 6570): `{x}`, `{+x}`, lists of both, and `{?x,y}` at the end.

use super::model::Variable;

/// The variables of a template, in order, or what is wrong with it.
pub(super) fn variables(uri: &str) -> Result<Vec<Variable>, String> {
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    let letters =
        |scheme: &str| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !letters(scheme) {
        return Err("a resource's URI starts with a scheme, such as `stock://` or `file:///`".into());
    }
    if let Some(strange) = uri.chars().find(|c| c.is_whitespace() || c.is_control()) {
        return Err(format!("a URI cannot hold {strange:?}: write it percent-encoded"));
    }
    let mut variables: Vec<Variable> = Vec::new();
    let mut rest = uri;
    while let Some(at) = rest.find(['{', '}']) {
        let Some(expression) = rest[at..].strip_prefix('{') else {
            return Err("`}` without `{` in the template".into());
        };
        let Some((expression, after)) = expression.split_once('}') else {
            return Err("`{` without `}` in the template".into());
        };
        if at == 0 && !variables.is_empty() && !expression.starts_with('?') {
            return Err("two variables of the template touch each other: put a literal between them".into());
        }
        rest = after;
        let (names, in_query) = match expression.strip_prefix('?') {
            Some(names) => (names, true),
            None => (expression.strip_prefix('+').unwrap_or(expression), false),
        };
        for name in names.split(',') {
            let fits = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if name.is_empty() || !fits(name) {
                return Err(format!(
                    "`{{{expression}}}` is not understood: a template has `{{x}}`, `{{+x}}` and `{{?x,y}}`"
                ));
            }
            if variables.iter().any(|known| known.name == name) {
                return Err(format!("the variable `{name}` stands twice in the template"));
            }
            variables.push(Variable { name: name.to_owned(), in_query });
        }
        if in_query && !rest.is_empty() {
            return Err(format!("`{{{expression}}}` is a query: it stands at the end of the template"));
        }
    }
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_found_in_order() {
        let names = |uri| {
            let variables = variables(uri).unwrap_or_else(|error| unreachable!("{error}"));
            let name = |variable: &Variable| {
                format!("{}{}", if variable.in_query { "?" } else { "" }, variable.name)
            };
            variables.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("stock://{title}"), "title");
        assert_eq!(names("repo://{owner}/{+path}{?q,page}"), "owner path ?q ?page");
        assert_eq!(names("map://{x,y}/{+z}"), "x y z");
        assert_eq!(names("config://app"), "");
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
            "x://{a,}",
            "x://{a b}",
            "x://{a}{b}",
            "x://{a}{+b}",
            "x://{?a}/b",
            "x://{a-b}",
        ] {
            assert!(variables(bad).is_err(), "{bad}");
        }
    }
}
