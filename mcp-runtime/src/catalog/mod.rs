//! What a server offers: entries in a stable order, kept as ready bytes.

mod build;
mod cache_hint;
mod definition;
mod list;
mod live;
mod report;
mod uri;

pub(crate) use build::{Caches, Selection};
pub use cache_hint::Cache;
use list::List;
pub use live::Catalog;
pub(crate) use report::Report;
pub use report::StartError;
use uri::Template;

use std::{collections::HashMap, sync::Arc};

use crate::{
    handler::{
        call::Target,
        def::{Handler, TaskSupport},
    },
    protocol::CacheScope,
};

/// One function of the server.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) target: Target,
    pub(crate) handler: Handler,
    pub(crate) timeout: Option<std::time::Duration>,
    pub(crate) task: TaskSupport,
    /// Headers that mirror arguments: the header's name, lower-cased, and the argument's.
    pub(crate) headers: Vec<(String, &'static str)>,
}

/// What the server offers at one time.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) tools: Section,
    pub(crate) prompts: Section,
    pub(crate) resources: Section,
    pub(crate) templates: Section,
    patterns: Vec<Arc<Template>>,
    tasks: bool,
    completions: Arc<HashMap<(Of, &'static str, &'static str), Entry>>,
}

/// What an argument that can be completed belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Of {
    Prompt,
    Template,
}

/// All entries of one kind, sorted by name, and their lists.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) entries: Vec<Arc<Entry>>,
    index: HashMap<String, usize>,
    pub(crate) list: List,
    /// Whether it has, or once had, any entry: then its methods exist.
    offered: bool,
}

impl Section {
    /// The entry of this name; of this URI, where entries are resources.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Entry>> {
        self.index.get(name).map(|index| &self.entries[*index])
    }

    pub(crate) fn is_offered(&self) -> bool {
        self.offered
    }
}

/// The variables of a template's URI, by name.
type Variables = Vec<(&'static str, String)>;

impl Snapshot {
    /// The resource of this URI and, of a template, its variables.
    pub(crate) fn resource(&self, uri: &str) -> Option<(&Arc<Entry>, Variables)> {
        if let Some(entry) = self.resources.get(uri) {
            return Some((entry, Vec::new()));
        }
        self.patterns
            .iter()
            .zip(&self.templates.entries)
            .find_map(|(pattern, entry)| Some((entry, pattern.matches(uri)?)))
    }

    /// What completes an argument of a prompt, by its name, or of a template, by its URI.
    pub(crate) fn completion(&self, of: Of, key: &str, argument: &str) -> Option<&Entry> {
        self.completions
            .iter()
            .find(|((kind, name, of_it), _)| (*kind, *name, *of_it) == (of, key, argument))
            .map(|(_, entry)| entry)
    }

    pub(crate) fn has_completions(&self) -> bool {
        !self.completions.is_empty()
    }

    /// Whether a call may become a task, or once could.
    pub(crate) fn has_tasks(&self) -> bool {
        self.tasks
    }

    pub(crate) fn has_resources(&self) -> bool {
        self.resources.is_offered() || self.templates.is_offered()
    }

    /// Whether the server has anything for this method to act on.
    pub(crate) fn serves(&self, method: &str) -> bool {
        match method {
            "tools/list" | "tools/call" => self.tools.is_offered(),
            "completion/complete" => self.has_completions(),
            "prompts/list" | "prompts/get" => self.prompts.is_offered(),
            "resources/list" | "resources/templates/list" | "resources/read" => self.has_resources(),
            _ => false,
        }
    }

    pub(crate) fn discover_cache(&self) -> (u64, CacheScope) {
        self.tools.list.default_hint()
    }
}
