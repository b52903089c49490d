//! The catalog while the server runs: read without a lock, changed by whoever holds it.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use arc_swap::{ArcSwap, Guard};

use super::{
    Caches, Report, Selection, Snapshot, StartError, Tool, build::Offer, checks::check_resolvers,
    draft::Draft,
};
use crate::{
    handler::{
        call::Tail,
        def::{PromptDef, ResourceDef},
        extract::States,
    },
    notify::{Announcer, Change},
};

/// What a server offers, to be changed while it runs: `ctx.catalog()` or `ServerHandle::catalog()`.
///
/// Every change is told to the clients of both eras that asked to hear of it; a burst of changes is
/// told once. It is cheap to clone.
#[derive(Clone)]
pub struct Catalog(Arc<Live>);

struct Live {
    snapshot: ArcSwap<Snapshot>,
    offer: Mutex<Offer>,
    states: Arc<States>,
    announcer: Arc<Announcer>,
}

impl Catalog {
    pub(crate) fn new(
        selection: Selection,
        states: Arc<States>,
        caches: Caches,
        page: usize,
        tails: Arc<[Tail]>,
        announcer: Arc<Announcer>,
        mut report: Report,
    ) -> Result<Self, StartError> {
        let mut offer = Offer::new(caches, page, tails);
        check_resolvers(&mut report);
        offer.add(selection, &states, &mut report);
        report.finish()?;
        let snapshot = ArcSwap::from_pointee(offer.snapshot());
        Ok(Self(Arc::new(Live { snapshot, offer: Mutex::new(offer), states, announcer })))
    }

    pub(crate) fn load(&self) -> Guard<Arc<Snapshot>> {
        self.0.snapshot.load()
    }

    /// The same for what takes long: the snapshot stays what it is.
    pub(crate) fn load_full(&self) -> Arc<Snapshot> {
        self.0.snapshot.load_full()
    }

    /// Offers more tools: `catalog.add_tools(tools![order_coffee])`, or tools of the type `DynamicTool`.
    ///
    /// # Errors
    ///
    /// All that is wrong with them, as at the start of a server; none of them is offered then.
    pub fn add_tools(&self, tools: impl IntoIterator<Item = impl Into<Tool>>) -> Result<(), StartError> {
        let tools = tools.into_iter().map(Into::into).collect();
        self.add(Selection { tools, ..Selection::default() }, &[Change::Tools])
    }

    /// Offers more prompts.
    ///
    /// # Errors
    ///
    /// As [`add_tools`](Self::add_tools).
    pub fn add_prompts(
        &self,
        prompts: impl IntoIterator<Item = &'static PromptDef>,
    ) -> Result<(), StartError> {
        self.add(
            Selection { prompts: prompts.into_iter().collect(), ..Selection::default() },
            &[Change::Prompts],
        )
    }

    /// Offers more resources.
    ///
    /// # Errors
    ///
    /// As [`add_tools`](Self::add_tools).
    pub fn add_resources(
        &self,
        resources: impl IntoIterator<Item = &'static ResourceDef>,
    ) -> Result<(), StartError> {
        let selection = Selection { resources: resources.into_iter().collect(), ..Selection::default() };
        self.add(selection, &[Change::Resources])
    }

    /// No longer offers a tool; whether it was there.
    pub fn remove_tool(&self, name: &str) -> bool {
        self.change(Change::Tools, |offer| offer.tools.remove(name))
    }

    /// No longer offers a prompt; whether it was there.
    pub fn remove_prompt(&self, name: &str) -> bool {
        self.change(Change::Prompts, |offer| offer.prompts.remove(name))
    }

    /// No longer offers a resource or a template, by its URI; whether it was there.
    pub fn remove_resource(&self, uri: &str) -> bool {
        self.change(Change::Resources, |offer| offer.resources.remove(uri) || offer.templates.remove(uri))
    }

    /// Shows a tool or hides it: hidden, it is in no list, and calling it is as if it did not exist.
    /// Whether that changed anything.
    pub fn enable_tool(&self, name: &str, enabled: bool) -> bool {
        self.change(Change::Tools, |offer| offer.tools.enable(name, enabled))
    }

    /// Shows a prompt or hides it. Whether that changed anything.
    pub fn enable_prompt(&self, name: &str, enabled: bool) -> bool {
        self.change(Change::Prompts, |offer| offer.prompts.enable(name, enabled))
    }

    /// Shows a resource or a template or hides it, by its URI. Whether that changed anything.
    pub fn enable_resource(&self, uri: &str, enabled: bool) -> bool {
        let of = |draft: &mut Draft| draft.enable(uri, enabled);
        self.change(Change::Resources, |offer| of(&mut offer.resources) || of(&mut offer.templates))
    }

    fn add(&self, selection: Selection, changes: &[Change]) -> Result<(), StartError> {
        let mut report = Report::default();
        let mut offer = self.lock();
        // On a copy: either all of it is added or nothing.
        let mut next = offer.clone();
        next.add(selection, &self.0.states, &mut report);
        report.finish()?;
        *offer = next;
        self.publish(&mut offer, changes);
        Ok(())
    }

    fn change(&self, change: Change, make: impl FnOnce(&mut Offer) -> bool) -> bool {
        let mut offer = self.lock();
        let changed = make(&mut offer);
        if changed {
            self.publish(&mut offer, &[change]);
        }
        changed
    }

    fn publish(&self, offer: &mut Offer, changes: &[Change]) {
        self.0.snapshot.store(Arc::new(offer.snapshot()));
        for change in changes {
            self.0.announcer.announce_soon(change.clone());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Offer> {
        self.0.offer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let snapshot = self.load();
        f.debug_struct("Catalog")
            .field("tools", &snapshot.tools.entries.len())
            .field("prompts", &snapshot.prompts.entries.len())
            .field("resources", &snapshot.resources.entries.len())
            .finish_non_exhaustive()
    }
}
