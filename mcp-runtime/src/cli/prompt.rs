//! Questions at the terminal.

use std::io::{BufRead, Write};

use serde_json::{Map, Value};

use crate::{ask::Answer, client::Elicitation};

/// Asks a question on stderr and reads the answer from stdin. The end of input is a refusal.
pub(super) async fn ask(question: Elicitation) -> Answer<Value> {
    let asked = tokio::task::spawn_blocking(move || {
        let (mut input, mut output) = (std::io::stdin().lock(), std::io::stderr().lock());
        ask_on(&question, &mut input, &mut output)
    });
    asked.await.ok().and_then(Result::ok).unwrap_or(Answer::Cancelled)
}

fn ask_on(
    question: &Elicitation,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> std::io::Result<Answer<Value>> {
    writeln!(output, "{}", question.message)?;
    if let Some(url) = &question.url {
        write!(output, "  Open {url} and press Enter; Ctrl-D declines: ")?;
        output.flush()?;
        return Ok(line(input)?.map_or(Answer::Declined, |_| Answer::Accepted(Value::Null)));
    }
    let schema = question.requested_schema.as_ref().unwrap_or(&Value::Null);
    let mut content = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let required =
            schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name));
        match ask_field(name, field, required, input, output)? {
            Some(Some(value)) => _ = content.insert(name.clone(), value),
            Some(None) => {}
            None => return Ok(Answer::Declined),
        }
    }
    Ok(Answer::Accepted(content.into()))
}

/// One field's value: `Some(None)` where it is left out, `None` where the user declines.
fn ask_field(
    name: &str,
    field: &Value,
    required: bool,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> std::io::Result<Option<Option<Value>>> {
    let what = ["title", "description"].iter().find_map(|key| field[key].as_str()).unwrap_or(name);
    loop {
        write!(output, "  {what}{}: ", hint(field, required))?;
        output.flush()?;
        let Some(text) = line(input)? else {
            writeln!(output)?;
            return Ok(None);
        };
        if text.is_empty() {
            match field.get("default") {
                Some(default) => return Ok(Some(Some(default.clone()))),
                None if !required => return Ok(Some(None)),
                None => {
                    writeln!(output, "  An answer is needed; Ctrl-D declines.")?;
                    continue;
                }
            }
        }
        match read(field, &text) {
            Some(value) => return Ok(Some(Some(value))),
            None => writeln!(output, "  That is no {}.", field["type"].as_str().unwrap_or("answer"))?,
        }
    }
}

fn line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut text = String::new();
    Ok(if input.read_line(&mut text)? == 0 { None } else { Some(text.trim().to_owned()) })
}

/// The choices of a field, with their titles.
fn choices(field: &Value) -> Vec<(&str, &str)> {
    let titled = field["oneOf"].as_array().or_else(|| field["items"]["anyOf"].as_array());
    let plain = field["enum"].as_array().or_else(|| field["items"]["enum"].as_array());
    match (titled, plain) {
        (Some(titled), _) => {
            titled.iter().filter_map(|it| Some((it["const"].as_str()?, it["title"].as_str()?))).collect()
        }
        (None, Some(plain)) => plain.iter().filter_map(Value::as_str).map(|name| (name, name)).collect(),
        (None, None) => Vec::new(),
    }
}

fn hint(field: &Value, required: bool) -> String {
    let mut notes = Vec::new();
    let choices: Vec<_> = choices(field)
        .into_iter()
        .map(|(name, title)| if name == title { name.to_owned() } else { format!("{name} = {title}") })
        .collect();
    if !choices.is_empty() {
        notes.push(choices.join(", "));
    }
    if field["type"] == "array" {
        notes.push("several, separated by commas".to_owned());
    }
    if field["type"] == "boolean" {
        notes.push("yes or no".to_owned());
    }
    match (field.get("minimum"), field.get("maximum")) {
        (Some(min), Some(max)) => notes.push(format!("{min} to {max}")),
        (Some(min), None) => notes.push(format!("at least {min}")),
        (None, Some(max)) => notes.push(format!("at most {max}")),
        (None, None) => {}
    }
    match field.get("default") {
        Some(default) => notes.push(format!("Enter for {default}")),
        None if !required => notes.push("optional".to_owned()),
        None => {}
    }
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) }
}

fn read(field: &Value, text: &str) -> Option<Value> {
    let choices = choices(field);
    let chosen = |text: &str| {
        let text = text.trim();
        choices
            .iter()
            .find(|(name, title)| *name == text || *title == text)
            .map(|(name, _)| Value::from(*name))
    };
    match field["type"].as_str() {
        Some("integer") => text.parse::<i64>().ok().map(Value::from),
        Some("number") => text.parse::<f64>().ok().map(Value::from),
        Some("boolean") => match text.to_ascii_lowercase().as_str() {
            "y" | "yes" | "true" => Some(true.into()),
            "n" | "no" | "false" => Some(false.into()),
            _ => None,
        },
        Some("array") => text.split(',').map(chosen).collect::<Option<Vec<_>>>().map(Value::from),
        _ if !choices.is_empty() => chosen(text),
        _ => Some(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(fields: &Value, required: &[&str], typed: &str) -> (Answer<Value>, String) {
        let question: Elicitation = serde_json::from_value(json!({
            "message": "How many copies?",
            "requestedSchema": { "type": "object", "properties": fields, "required": required },
        }))
        .expect("a question");
        let mut said = Vec::new();
        let answer = ask_on(&question, &mut typed.as_bytes(), &mut said).expect("no failure of input");
        (answer, String::from_utf8(said).expect("text"))
    }

    #[test]
    fn a_field_is_asked_until_its_answer_fits() {
        let copies =
            json!({ "copies": { "type": "integer", "description": "Number of copies", "minimum": 1 } });
        let (answer, said) = answer(&copies, &["copies"], "two\n\n2\n");
        assert_eq!(answer, Answer::Accepted(json!({ "copies": 2 })));
        assert!(said.starts_with("How many copies?\n  Number of copies (at least 1): "), "{said}");
        assert!(said.contains("That is no integer."), "{said}");
        assert!(said.contains("An answer is needed"), "{said}");
    }

    #[test]
    fn choices_lists_truths_and_defaults_are_understood() {
        let fields = json!({
            "a": { "type": "string", "oneOf": [{ "const": "x", "title": "The X" }] },
            "b": { "type": "array", "items": { "type": "string", "enum": ["one", "two"] } },
            "c": { "type": "boolean" },
            "d": { "type": "number", "default": 1.5 },
            "e": { "type": "string" },
        });
        let (answer, _) = answer(&fields, &["a", "b", "c", "d"], "The X\none, two\nyes\n\n\n");
        assert_eq!(answer, Answer::Accepted(json!({ "a": "x", "b": ["one", "two"], "c": true, "d": 1.5 })));
    }

    #[test]
    fn the_end_of_input_declines() {
        let (answer, _) = answer(&json!({ "copies": { "type": "integer" } }), &["copies"], "");
        assert_eq!(answer, Answer::Declined);
    }
}
