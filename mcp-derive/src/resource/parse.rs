//! Reads the URI and the keys of `#[resource]`.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    LitStr, Token,
    parse::{ParseStream, Parser},
};

use super::{model::Resource, uri};
use crate::{
    attr::Keys,
    errors::Errors,
    function::Function,
    literal::Literal,
    load,
    metadata::{self, Metadata},
};

/// The keys that only resources have.
const OWN: [&str; 7] = ["mime_type", "size", "audience", "priority", "last_modified", "unchecked", "list"];

/// `None` where there is no URI to go on with.
pub(super) fn resource(attr: TokenStream, function: &Function, errors: &mut Errors) -> Option<Resource> {
    if !matches!(attr.clone().into_iter().next(), Some(TokenTree::Literal(_))) {
        let at = if attr.is_empty() { function.ident.to_token_stream() } else { attr };
        errors.push(at, "a resource needs its URI first: `#[resource(\"stock://{title}\")]`");
        return None;
    }
    let split = |input: ParseStream<'_>| {
        let uri = input.parse::<LitStr>()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok((uri, input.parse::<TokenStream>()?))
    };
    let (uri, rest) = errors.take(split.parse2(attr))?;
    let allowed = [&metadata::KEYS[..], &OWN, &load::KEYS].concat();
    let mut keys = Keys::read(rest, "#[resource]", &allowed, errors);
    let metadata = Metadata::read(&mut keys, errors);
    if let Some(name) = metadata.name.as_ref().filter(|name| name.value().is_empty()) {
        errors.push(name, "a resource's name cannot be empty");
    }
    let mime_type = keys.text("mime_type", errors);
    if let Some(mime_type) = mime_type.as_ref().filter(|mime_type| !mime_type.value().contains('/')) {
        errors.push(mime_type, "a media type is written like \"text/plain\"");
    }
    let size = keys.size("size", errors);
    let audience = audience(&mut keys, errors);
    let priority = priority(&mut keys, errors);
    let last_modified = keys.text("last_modified", errors);
    if let Some(time) = last_modified.as_ref().filter(|time| !is_time(&time.value())) {
        errors.push(time, "`last_modified` is a time in ISO 8601, such as \"2026-07-28T12:00:00Z\"");
    }
    let unchecked = keys.flag("unchecked", errors);
    let list = keys.path("list", errors);
    let load = load::read(&mut keys, function, errors);
    let variables = match uri::variables(&uri.value()) {
        Ok(variables) => variables,
        Err(why) => {
            errors.push(&uri, why);
            return None;
        }
    };
    for variable in &variables {
        if !function.params.iter().any(|param| param.arg().is_some() && param.name.value() == variable.name) {
            let name = &variable.name;
            errors
                .push(&uri, format!("the template's variable `{name}` needs a parameter: `{name}: String`"));
        }
    }
    if variables.is_empty() {
        if let Some(unchecked) = &unchecked {
            errors.push(unchecked, "`unchecked` is for templates: this URI has no variables");
        }
        if let Some(list) = &list {
            errors.push(list, "`list` is for templates: this URI is in the list by itself");
        }
    } else if size.is_some() {
        errors.push(&uri, "`size` is for one resource: a template has many");
    }
    let unchecked = unchecked.is_some();
    Some(Resource {
        uri,
        variables,
        metadata,
        mime_type,
        size,
        audience,
        priority,
        last_modified,
        unchecked,
        list,
        load,
    })
}

fn audience(keys: &mut Keys, errors: &mut Errors) -> Vec<&'static str> {
    let texts = keys.texts("audience", errors);
    let role = |text: &LitStr| match text.value().as_str() {
        "user" => Some("User"),
        "assistant" => Some("Assistant"),
        _ => {
            errors.push(text, "`audience` is \"user\", \"assistant\" or both");
            None
        }
    };
    texts.iter().filter_map(role).collect()
}

fn priority(keys: &mut Keys, errors: &mut Errors) -> Option<Literal> {
    let expr = keys.expr("priority", errors)?;
    let priority =
        Literal::of(&expr).filter(|number| number.number().is_some_and(|n| (0.0..=1.0).contains(&n)));
    if priority.is_none() {
        errors.push(&expr, "`priority` is a number from 0.0 (optional) to 1.0 (required)");
    }
    priority
}

/// A date, or a date and a time.
fn is_time(text: &str) -> bool {
    let shape = |text: &str, shape: &str| {
        text.len() == shape.len()
            && text.bytes().zip(shape.bytes()).all(|(byte, wanted)| match wanted {
                b'0' => byte.is_ascii_digit(),
                _ => byte == wanted,
            })
    };
    let Some((date, time)) = text.split_once('T') else { return shape(text, "0000-00-00") };
    let Some(clock) = time.get(..8) else { return false };
    let zone = time[8..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let zoned = zone == "Z" || shape(zone, "+00:00") || shape(zone, "-00:00");
    shape(date, "0000-00-00") && shape(clock, "00:00:00") && zoned
}
