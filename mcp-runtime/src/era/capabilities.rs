//! What the server says that it can do, and who it is.

use serde_json::{Map, Value, json};

use crate::{
    catalog::Snapshot,
    protocol::{Implementation, Shape, TASKS},
};

/// The capabilities, as a client of this shape knows them; `notifies` where there is a way to tell the client of changes.
pub(super) fn capabilities(catalog: &Snapshot, shape: &Shape, notifies: bool) -> Value {
    let mut capabilities = Map::new();
    let list = || if notifies { json!({ "listChanged": true }) } else { json!({}) };
    // Any function may write to the client's log.
    capabilities.insert("logging".into(), json!({}));
    if catalog.has_completions() {
        capabilities.insert("completions".into(), json!({}));
    }
    if catalog.tools.is_offered() {
        capabilities.insert("tools".into(), list());
    }
    if catalog.prompts.is_offered() {
        capabilities.insert("prompts".into(), list());
    }
    if catalog.has_resources() {
        let resources = if notifies { json!({ "listChanged": true, "subscribe": true }) } else { json!({}) };
        capabilities.insert("resources".into(), resources);
    }
    if shape.tasks && catalog.has_tasks() {
        capabilities.insert("extensions".into(), json!({ TASKS: {} }));
    }
    capabilities.into()
}

/// Who the server is, as a client of this shape knows it.
pub(super) fn identity(identity: &Implementation, shape: &Shape) -> Implementation {
    let mut identity = identity.clone();
    if !shape.titles {
        identity.title = None;
    }
    if !shape.icons {
        identity.icons.clear();
        identity.website_url = None;
        identity.description = None;
    }
    identity
}
