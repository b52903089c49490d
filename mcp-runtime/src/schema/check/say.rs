//! The words of a problem: places, values that came, and names that nobody knows.

use std::io;

use serde_json::Value;

/// So much of a value that came is shown.
const SHOWN: usize = 60;

/// A place inside the place `path`: `items.qty`, `items["a b"]`.
pub(in crate::schema) fn at_key(path: &str, key: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let short = key.chars().count() <= SHOWN;
    match (short && !key.is_empty() && key.chars().all(plain), path) {
        (true, "") => key.to_owned(),
        (true, path) => format!("{path}.{key}"),
        (false, path) => format!("{path}[{}]", shown(&Value::from(key))),
    }
}

/// An item of the list at `path`: `items[0]`.
pub(in crate::schema) fn at_index(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// A value as JSON, cut when it is long.
pub(in crate::schema) fn shown(value: &Value) -> String {
    // Four bytes a character at most: enough to see that there is more.
    let mut beginning = Beginning { bytes: Vec::new(), most: 4 * (SHOWN + 1) };
    let whole = serde_json::to_writer(&mut beginning, value).is_ok();
    let text = String::from_utf8_lossy(&beginning.bytes);
    if whole && text.chars().count() <= SHOWN {
        return text.into_owned();
    }
    text.chars().take(SHOWN - 1).chain(['…']).collect()
}

/// Takes what is written up to a length, and refuses the rest.
struct Beginning {
    bytes: Vec<u8>,
    most: usize,
}

impl io::Write for Beginning {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        let room = self.most - self.bytes.len();
        self.bytes.extend_from_slice(&more[..more.len().min(room)]);
        if more.len() > room { Err(io::ErrorKind::WriteZero.into()) } else { Ok(more.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Says that a tool has no argument `name`, which one may be meant, and which there are.
pub(crate) fn unknown(name: &str, known: &[&str]) -> String {
    format!("{}: {}", at_key("", name), no_such(name, known, true))
}

/// The same without the name, for the tool itself or for an object inside its arguments.
pub(in crate::schema) fn no_such(name: &str, known: &[&str], tool: bool) -> String {
    let what = if tool { "no such argument" } else { "no such field" };
    let whose = if tool { "This tool takes" } else { "This object takes" };
    let meant = match nearest(name, known) {
        Some(meant) => format!("; did you mean `{meant}`? "),
        None => ". ".into(),
    };
    let all = if known.is_empty() {
        format!("{whose} {}.", if tool { "no arguments" } else { "no fields" })
    } else {
        format!("{whose}: {}", known.join(", "))
    };
    format!("{what}{meant}{all}")
}

/// The name that is meant most likely, if one is near.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    if name.chars().count() > SHOWN {
        return None;
    }
    let bare = |name: &str| -> Vec<char> {
        let kept = name.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let name = bare(name);
    let near = |other: &&'a str| {
        let candidate = bare(other);
        let (short, long) =
            if name.len() < candidate.len() { (&name, &candidate) } else { (&candidate, &name) };
        // `depth` for `maxDepth`: one name is a part of the other.
        if short.len() >= 3 && long.windows(short.len()).any(|part| part == short.as_slice()) {
            return Some((long.len().abs_diff(short.len()).min(1), *other));
        }
        let distance = distance(&name, &candidate);
        (distance <= (long.len() / 3).max(1) && distance < long.len()).then_some((distance, *other))
    };
    known.iter().filter_map(near).min_by_key(|(distance, _)| *distance).map(|one| one.1)
}

/// How many letters are inserted, left out, replaced or swapped with the next.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut best = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}
