//! Whether two templates match a same URI: both are read as automata, and walked side by side.

use std::collections::{HashSet, VecDeque};

use super::{Template, uri::Part};

/// One step of a template.
#[derive(Clone, Copy)]
enum Token {
    Byte(u8),
    /// One byte or more, of one segment or of any number.
    Some {
        spans: bool,
    },
    /// Nothing, or a query.
    Query,
}

/// A position, and whether the token there has begun.
type State = (usize, bool);

impl Template {
    /// A URI that both match, if there is one.
    pub(crate) fn common(&self, other: &Self) -> Option<String> {
        let (one, other) = (tokens(self), tokens(other));
        // A letter stands for all that is no one's literal; it comes first, for a URI that reads well.
        let mut alphabet = vec![b'x'];
        let literals = [b'?'].into_iter().chain(one.iter().chain(&other).filter_map(|token| match token {
            Token::Byte(byte) => Some(*byte),
            _ => None,
        }));
        for byte in literals {
            if !alphabet.contains(&byte) {
                alphabet.push(byte);
            }
        }
        let start = ((0, false), (0, false));
        let mut seen = HashSet::from([start]);
        let mut waiting = VecDeque::from([(start, Vec::new())]);
        while let Some(((a, b), uri)) = waiting.pop_front() {
            if accepts(&one, a) && accepts(&other, b) {
                return Some(String::from_utf8_lossy(&uri).into_owned());
            }
            for byte in &alphabet {
                for a in moves(&one, a, *byte) {
                    for b in moves(&other, b, *byte) {
                        if seen.insert((a, b)) {
                            waiting.push_back(((a, b), [&uri[..], &[*byte]].concat()));
                        }
                    }
                }
            }
        }
        None
    }
}

fn tokens(template: &Template) -> Vec<Token> {
    let parts = template.parts().iter().flat_map(|part| match part {
        Part::Literal(text) => text.bytes().map(Token::Byte).collect(),
        Part::Variable { reserved, .. } => vec![Token::Some { spans: *reserved }],
        Part::Query(_) => vec![Token::Query],
    });
    parts.collect()
}

fn accepts(tokens: &[Token], (at, begun): State) -> bool {
    match tokens.get(at) {
        None | Some(Token::Query) => true,
        Some(Token::Some { .. }) => begun && accepts(tokens, (at + 1, false)),
        Some(Token::Byte(_)) => false,
    }
}

fn moves(tokens: &[Token], (at, begun): State, byte: u8) -> Vec<State> {
    match tokens.get(at) {
        None => Vec::new(),
        Some(Token::Byte(wanted)) => (*wanted == byte).then_some((at + 1, false)).into_iter().collect(),
        Some(Token::Query) => (begun || byte == b'?').then_some((at, true)).into_iter().collect(),
        Some(Token::Some { spans }) => {
            let mut next = if begun { moves(tokens, (at + 1, false), byte) } else { Vec::new() };
            if *spans || !b"/?#".contains(&byte) {
                next.push((at, true));
            }
            next
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_uri_is_found_if_there_is_one() {
        for (one, other, common) in [
            ("n://{x}", "n://{y}", Some("n://x")),
            ("n://{x}/b", "n://a/{y}", Some("n://a/b")),
            ("n://{x}/b", "n://{y}/c", None),
            ("n://a{x}", "n://b{y}", None),
            ("n://{+x}/end", "n://start/{y}", Some("n://start/end")),
            ("n://{x}{?q}", "n://{y}", Some("n://x")),
            ("n://{x}", "m://{x}", None),
            ("n://a{?q}", "n://a?b={c}", Some("n://a?b=x")),
        ] {
            let parse = |text| Template::parse(text, false).expect("a good template");
            assert_eq!(parse(one).common(&parse(other)).as_deref(), common, "{one} and {other}");
            assert_eq!(parse(other).common(&parse(one)).is_some(), common.is_some(), "{other} and {one}");
        }
    }
}
