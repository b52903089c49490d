//! What a caller's token has to allow for what it asks.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::message::{Message, batch, is_batch, parse};
use crate::{
    catalog::Snapshot,
    dispatch::Core,
    protocol::{Params, text},
};

/// All the scopes that the requests of a body need, beside those that every caller needs.
pub(crate) fn scopes_needed(core: &Core, body: &[u8]) -> Vec<&'static str> {
    let catalog = core.catalog.load();
    if !is_batch(body) {
        return of_message(&catalog, body).unwrap_or_default().to_vec();
    }
    let messages = batch(body).unwrap_or_default();
    let needed = messages.iter().filter_map(|message| of_message(&catalog, message.get().as_bytes()));
    needed.flatten().copied().collect()
}

fn of_message(catalog: &Snapshot, message: &[u8]) -> Option<&'static [&'static str]> {
    let Ok(Message::Request { method, params, .. }) = parse(message) else { return None };
    let params = Params::read(params).ok()?;
    let entry = match &*method {
        "tools/call" => catalog.tools.get(&text(params.name?)?)?,
        "prompts/get" => catalog.prompts.get(&text(params.name?)?)?,
        "resources/read" | "resources/subscribe" => catalog.resources(&text(params.uri?)?).next()?.0,
        "completion/complete" => match reference(params.reference?)? {
            Reference { name: Some(name), .. } => catalog.prompts.get(&name)?,
            Reference { uri, .. } => {
                let uri = uri?;
                catalog.templates.get(&uri).or_else(|| catalog.resources.get(&uri))?
            }
        },
        _ => return None,
    };
    // What exists for some callers only is not told to the others.
    entry.rule.is_none().then_some(entry.scopes)
}

#[derive(Deserialize)]
struct Reference {
    name: Option<String>,
    uri: Option<String>,
}

fn reference(raw: &RawValue) -> Option<Reference> {
    serde_json::from_str(raw.get()).ok()
}
