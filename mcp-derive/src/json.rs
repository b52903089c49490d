//! Whether a text is a JSON object. `_meta` is written into results as it stands, so a slip in it
//! would spoil every result.

/// Whether the whole text is one JSON object.
pub(crate) fn is_object(text: &str) -> bool {
    let mut json = Json(text.trim_start_matches(SPACE));
    json.0.starts_with('{') && json.value(0).is_some() && json.0.is_empty()
}

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
/// Deeper than anybody writes, and shallow enough for the stack.
const DEPTH: usize = 64;

struct Json<'t>(&'t str);

impl Json<'_> {
    fn eat(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(token)?.trim_start_matches(SPACE);
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        match self.0.chars().next()? {
            '{' => self.items("{", "}", |json| {
                json.string()?;
                json.eat(":")?;
                json.value(depth + 1)
            }),
            '[' => self.items("[", "]", |json| json.value(depth + 1)),
            '"' => self.string(),
            't' => self.eat("true"),
            'f' => self.eat("false"),
            'n' => self.eat("null"),
            _ => self.number(),
        }
    }

    fn items(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.eat(open)?;
        if self.eat(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.eat(",").is_none() {
                return self.eat(close);
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        let mut chars = self.0.strip_prefix('"')?.chars();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => match chars.next()? {
                    '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => {}
                    'u' => {
                        for _ in 0..4 {
                            chars.next().filter(char::is_ascii_hexdigit)?;
                        }
                    }
                    _ => return None,
                },
                control if control < ' ' => return None,
                _ => {}
            }
        }
        self.0 = chars.as_str().trim_start_matches(SPACE);
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let rest = self.0.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < self.0.len()).then(|| self.0 = rest)
    }

    fn number(&mut self) -> Option<()> {
        self.0 = self.0.strip_prefix('-').unwrap_or(self.0);
        match self.0.strip_prefix('0') {
            Some(rest) => self.0 = rest,
            None => self.digits()?,
        }
        if let Some(rest) = self.0.strip_prefix('.') {
            self.0 = rest;
            self.digits()?;
        }
        if let Some(rest) = self.0.strip_prefix(['e', 'E']) {
            self.0 = rest.strip_prefix(['+', '-']).unwrap_or(rest);
            self.digits()?;
        }
        self.eat("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_told_from_everything_else() {
        for good in ["{}", r#" {"a": [1, -2.5e3, "\u00e9\n", true, null, {"b": {}}]} "#, r#"{"a":0}"#] {
            assert!(is_object(good), "{good}");
        }
        for bad in
            ["", "[]", "1", "{", "{}}", "{a: 1}", r#"{"a" 1}"#, r#"{"a": 01}"#, r#"{"a": 1,}"#, "{'a': 1}"]
        {
            assert!(!is_object(bad), "{bad}");
        }
    }
}
