//! What a server offers: entries in a stable order, kept as ready bytes.

mod build;
mod cache_hint;
mod checks;
mod definition;
mod draft;
#[cfg(feature = "dynamic")]
mod dynamic;
mod instances;
mod list;
mod live;
mod overlap;
mod report;
mod tool;
mod uri;

pub(crate) use build::{Caches, Selection};
pub use cache_hint::Cache;
pub(crate) use definition::Definition;
#[cfg(feature = "dynamic")]
pub use dynamic::DynamicTool;
use list::List;
pub use live::Catalog;
pub(crate) use report::Report;
pub use report::StartError;
pub use tool::Tool;
use uri::Template;

use std::{collections::HashMap, sync::Arc};

use crate::{
    handler::{
        call::Target,
        def::{Handler, TaskSupport},
        instances::ListInstances,
        visible::Rule,
    },
    protocol::CacheScope,
};

/// One function of the server.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) target: Target,
    pub(crate) handler: Handler,
    /// What a caller's token has to allow.
    pub(crate) scopes: &'static [&'static str],
    pub(crate) timeout: Option<std::time::Duration>,
    pub(crate) task: TaskSupport,
    /// Headers that mirror arguments: the header's name, lower-cased, and the argument's.
    pub(crate) headers: Vec<(String, String)>,
    /// For whom it exists; without one, for everybody.
    pub(crate) rule: Option<Rule>,
}

/// What the server offers at one time.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) tools: Section,
    pub(crate) prompts: Section,
    pub(crate) resources: Section,
    pub(crate) templates: Section,
    /// The most specific first.
    patterns: Vec<Pattern>,
    tasks: bool,
    completions: Arc<HashMap<(Of, &'static str, &'static str), Entry>>,
}

/// A template, the place of its entry, and what lists its resources.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    template: Arc<Template>,
    pub(crate) index: usize,
    pub(crate) list: Option<&'static dyn ListInstances>,
    definition: Arc<Definition>,
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
    /// Whether any entry has a rule of visibility.
    pub(crate) ruled: bool,
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
pub(crate) type Variables = Vec<(&'static str, String)>;

impl Snapshot {
    /// What this URI may name, the most specific first: the resource, or templates with their variables.
    pub(crate) fn resources(&self, uri: &str) -> impl Iterator<Item = (&Arc<Entry>, Variables)> {
        let fixed = self.resources.get(uri).map(|entry| (entry, Vec::new()));
        let matching = self.patterns.iter().filter_map(move |pattern| {
            Some((&self.templates.entries[pattern.index], pattern.template.matches(uri)?))
        });
        fixed.into_iter().chain(matching)
    }

    /// Whether the list of resources has more than was known when it was made.
    pub(crate) fn lists_instances(&self) -> bool {
        self.patterns.iter().any(|pattern| pattern.list.is_some())
    }

    /// The templates that list their resources, with their entries.
    pub(crate) fn listing(
        &self,
    ) -> impl Iterator<Item = (&Pattern, &'static dyn ListInstances, &Arc<Entry>)> {
        let entry = |pattern: &Pattern| &self.templates.entries[pattern.index];
        self.patterns.iter().filter_map(move |pattern| Some((pattern, pattern.list?, entry(pattern))))
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
