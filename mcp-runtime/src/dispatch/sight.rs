//! What the caller of a request may know of: whatever else there is does not exist for them.

use std::{
    collections::BTreeMap,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::Arc,
    task::Poll,
};

use super::{Core, Request};
use crate::{
    ask::{Carrier, Round},
    catalog::{Definition, Entry, Section, Snapshot, Variables},
    handler::{
        context::{ClientText, Context, Inner},
        error::Error,
    },
    notify::{Cancel, Progress},
    protocol::{ErrorCode, ErrorObject, Id},
    task::Gate,
};

/// The request as functions see it.
pub(super) fn context(
    core: &Core,
    request: &Request<'_>,
    client: ClientText,
    carrier: Carrier,
    gate: Option<Gate>,
) -> Context {
    Context::new(Inner {
        states: core.states.clone(),
        announcer: core.announcer.clone(),
        catalog: core.catalog.clone(),
        shape: request.shape,
        client,
        principal: request.link.principal.clone(),
        round: Round::new(carrier),
        outbox: request.link.outbox.clone(),
        log_level: request.log_level,
        progress: request.meta.progress_token.filter(|token| Id::new(token).is_some()).map(Progress::new),
        cancel: Cancel::default(),
        gate,
    })
}

/// The request for a function that is asked about it, and cannot ask back.
fn spectator(core: &Core, request: &Request<'_>) -> Context {
    let carrier = Carrier::Nowhere("Nobody can be asked while it is found out what there is");
    context(core, request, request.client.clone(), carrier, None)
}

/// Whether an entry exists for the caller.
pub(crate) async fn sees(core: &Core, request: &Request<'_>, entry: &Entry) -> bool {
    let Some(rule) = &entry.rule else { return true };
    let name = &entry.target.name;
    guarded(core, name, async { Ok(rule.decide(spectator(core, request)).await) }).await.unwrap_or(false)
}

/// The entry of this name, if it exists for the caller.
pub(super) async fn find<'s>(
    core: &Core,
    request: &Request<'_>,
    section: &'s Section,
    name: &str,
) -> Option<&'s Arc<Entry>> {
    let entry = section.get(name)?;
    sees(core, request, entry).await.then_some(entry)
}

/// Whether the caller may do what needs these scopes.
pub(crate) fn allowed(request: &Request<'_>, scopes: &[&str]) -> Result<(), ErrorObject> {
    let link = &request.link;
    let has = |scope: &&str| link.principal.as_ref().is_some_and(|caller| caller.has_scope(scope));
    if link.owner || scopes.iter().all(has) {
        return Ok(());
    }
    let why = format!("This needs a token with the scope {}", scopes.join(" "));
    Err(ErrorObject::new(ErrorCode::InsufficientScope, why))
}

/// The resource of this URI and, of a template, its variables, if it exists for the caller.
pub(crate) async fn find_resource<'s>(
    core: &Core,
    request: &Request<'_>,
    catalog: &'s Snapshot,
    uri: &str,
) -> Option<(&'s Arc<Entry>, Variables)> {
    for (entry, variables) in catalog.resources(uri) {
        if sees(core, request, entry).await {
            return Some((entry, variables));
        }
    }
    None
}

/// The names of all entries that exist for the caller.
pub(super) async fn names<'s>(core: &Core, request: &Request<'_>, section: &'s Section) -> Vec<&'s str> {
    let mut names = Vec::with_capacity(section.entries.len());
    for entry in &section.entries {
        if sees(core, request, entry).await {
            names.push(entry.target.name.as_str());
        }
    }
    names
}

/// What a section lists for the caller.
pub(super) async fn definitions(
    core: &Core,
    request: &Request<'_>,
    section: &Section,
) -> BTreeMap<String, Arc<Definition>> {
    let mut shown = BTreeMap::new();
    for (entry, definition) in section.entries.iter().zip(section.list.definitions()) {
        if sees(core, request, entry).await {
            shown.insert(definition.key().to_owned(), definition.clone());
        }
    }
    shown
}

/// Adds the resources that templates list for the caller.
pub(super) async fn instances(
    core: &Core,
    request: &Request<'_>,
    catalog: &Snapshot,
    shown: &mut BTreeMap<String, Arc<Definition>>,
) -> Result<(), Error> {
    for (pattern, list, entry) in catalog.listing() {
        if sees(core, request, entry).await {
            let listed = guarded(core, &entry.target.name, list.list(spectator(core, request))).await?;
            pattern.definitions(listed, shown);
        }
    }
    Ok(())
}

/// Runs a function of the user's that is no call: a panic is an error, and so is a lack of end.
async fn guarded<T>(
    core: &Core,
    name: &str,
    function: impl Future<Output = Result<T, Error>> + Send,
) -> Result<T, Error> {
    let mut function = pin!(function);
    let running = poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| function.as_mut().poll(cx))) {
        Ok(poll) => poll,
        Err(_) => Poll::Ready(Err(Error::new("panicked"))),
    });
    let failed = |why: Error| {
        tracing::error!(name, %why, "it could not be found out what exists for a caller");
        Error::new(format!("What there is of `{name}` could not be found out"))
    };
    match tokio::time::timeout(core.limits.call, running).await {
        Ok(result) => result.map_err(failed),
        Err(_) => Err(failed(Error::new("took too long"))),
    }
}
