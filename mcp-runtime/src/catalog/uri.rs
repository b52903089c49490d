//! URI templates (RFC 6570): `{x}` stands for one segment, `{+x}` for any number of them, and
//! `{?x,y}` at the end for a query whose members may be left out. `{x,y}` is `{x},{y}`.

use std::cmp::Reverse;

/// A template, ready to match.
#[derive(Debug)]
pub(crate) struct Template {
    parts: Vec<Part>,
    /// Whether values are taken that could lead out of a folder.
    unchecked: bool,
}

#[derive(Debug)]
pub(super) enum Part {
    Literal(&'static str),
    Variable { name: &'static str, reserved: bool },
    Query(Vec<&'static str>),
}

impl Template {
    /// Reads a template; an error says what is wrong with it.
    pub(crate) fn parse(template: &'static str, unchecked: bool) -> Result<Self, String> {
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
                return Ok(Self { parts, unchecked });
            }
            let (reserved, names) = match expression.strip_prefix('+') {
                Some(names) => (true, names),
                None => (false, expression),
            };
            if matches!(parts.last(), Some(Part::Variable { .. })) {
                return Err(format!(
                    "two variables of `{template}` touch each other: put a literal between them"
                ));
            }
            for (index, name) in names.split(',').enumerate() {
                if !is_name(name) {
                    return Err(format!(
                        "`{{{expression}}}` in `{template}` is not supported: write `{{name}}`, `{{+name}}` or `{{?name}}`"
                    ));
                }
                if index > 0 {
                    parts.push(Part::Literal(","));
                }
                parts.push(Part::Variable { name, reserved });
            }
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest));
        }
        Ok(Self { parts, unchecked })
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How specific it is: more literal characters count more, then fewer variables that span segments.
    pub(crate) fn rank(&self) -> (usize, Reverse<usize>) {
        let literal = |part: &Part| if let Part::Literal(text) = part { text.chars().count() } else { 0 };
        let spans = |part: &&Part| matches!(part, Part::Variable { reserved: true, .. });
        (self.parts.iter().map(literal).sum(), Reverse(self.parts.iter().filter(spans).count()))
    }

    /// The URI of these values, in the order of the variables; a query is left out.
    pub(crate) fn expand(&self, values: &[String]) -> Option<String> {
        let mut values = values.iter();
        let mut uri = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => uri.push_str(text),
                Part::Variable { reserved, .. } => encode(&mut uri, values.next()?, *reserved),
                Part::Query(_) => {}
            }
        }
        values.next().is_none().then_some(uri)
    }

    pub(crate) fn is_fixed(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Literal(_)))
    }

    /// The values of the variables, percent-decoded, if the URI is one of the template's. Matching is
    /// done on the encoded text, so an encoded slash ends no segment. A value that could lead out of a
    /// folder matches nothing, unless the author takes it.
    pub(crate) fn matches(&self, uri: &str) -> Option<Vec<(&'static str, String)>> {
        let mut values = Vec::new();
        (matches(&self.parts, uri, &mut values) && (self.unchecked || self.is_safe(&values)))
            .then_some(values)
    }

    fn is_safe(&self, values: &[(&'static str, String)]) -> bool {
        let segment = |name: &str| {
            self.parts
                .iter()
                .any(|part| matches!(part, Part::Variable { name: known, reserved: false } if *known == name))
        };
        values.iter().all(|(name, value)| stays_inside(value, segment(name)))
    }
}

/// Whether a value, joined to a folder, names something in it: no `..`, no absolute path, no NUL; one
/// segment, where the template has one.
fn stays_inside(value: &str, segment: bool) -> bool {
    let mut segments = value.split(['/', '\\']);
    let drive = matches!(value.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    !value.contains('\0')
        && segments.all(|segment| segment != "..")
        && if segment { !value.contains(['/', '\\']) } else { !value.starts_with(['/', '\\']) && !drive }
}

/// Percent-encodes a value so that the template reads it back.
fn encode(uri: &mut String, value: &str, reserved: bool) {
    for byte in value.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if plain || (reserved && b"/:@!$&'()*+,;=".contains(&byte)) {
            uri.push(char::from(byte));
        } else {
            uri.push('%');
            uri.extend(
                [byte >> 4, byte & 15].map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])),
            );
        }
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
mod tests;
