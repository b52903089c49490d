//! The entries of one kind on their way into a snapshot.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use super::{Cache, Entry, List, Pattern, Report, Section, Template, cache_hint, definition::Definition};
use crate::{
    clock::milliseconds,
    handler::{
        call::{Kind, Tail},
        def::{Common, Location},
        instances::ListInstances,
    },
    protocol::CacheScope,
};

/// Entries of one kind, by what they are sorted by.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    kind: Kind,
    entries: BTreeMap<String, Item>,
    offered: bool,
}

/// One of them.
#[derive(Clone, Debug)]
pub(super) struct Item {
    entry: Arc<Entry>,
    definition: Arc<Definition>,
    location: Location,
    hint: Hint,
    enabled: bool,
    /// Of a template: its URIs, and what lists them.
    template: Option<Arc<Template>>,
    list: Option<&'static dyn ListInstances>,
}

/// What an entry says of its freshness.
pub(super) type Hint = (Option<Duration>, Option<CacheScope>);

impl Item {
    pub(super) fn new(entry: Entry, definition: Definition, location: Location, mut hint: Hint) -> Self {
        if entry.rule.is_some() {
            // Whatever its author said: what depends on the caller is nobody else's.
            hint.1 = Some(CacheScope::Private);
        }
        let (entry, definition) = (Arc::new(entry), Arc::new(definition));
        Self { entry, definition, location, hint, enabled: true, template: None, list: None }
    }

    pub(super) fn of(entry: Entry, definition: Definition, common: &Common) -> Self {
        Self::new(entry, definition, common.location, (common.ttl, common.scope))
    }

    pub(super) fn template(mut self, template: Template, list: Option<&'static dyn ListInstances>) -> Self {
        self.template = Some(Arc::new(template));
        self.list = list;
        self
    }

    /// What the resources of a template say of the list that they stand in: it may depend on the
    /// caller, unless the author says that it does not.
    fn instances_hint(&self) -> Option<Hint> {
        self.list?;
        Some((None, Some(self.hint.1.unwrap_or(CacheScope::Private))))
    }
}

impl Draft {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, entries: BTreeMap::new(), offered: false }
    }

    pub(super) fn add(&mut self, key: &str, item: Item, report: &mut Report) {
        if let Some(Item { location: first, .. }) = self.entries.get(key) {
            report.at(
                item.location,
                format!("there is another {} `{key}`, at {first}: rename one of them", self.kind.word()),
            );
            return;
        }
        self.entries.insert(key.to_owned(), item);
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Takes an entry out; whether there was one.
    pub(super) fn remove(&mut self, key: &str) -> bool {
        self.entries.remove(key).is_some()
    }

    /// Shows or hides an entry; whether that changes anything.
    pub(super) fn enable(&mut self, key: &str, enabled: bool) -> bool {
        self.entries.get_mut(key).is_some_and(|item| std::mem::replace(&mut item.enabled, enabled) != enabled)
    }

    /// Reports templates of which none is more specific where both match.
    pub(super) fn check_ambiguity(&self, report: &mut Report) {
        let all: Vec<_> = self
            .entries
            .iter()
            .filter_map(|(key, item)| Some((key, item, item.template.as_ref()?)))
            .collect();
        for (index, (key, item, template)) in all.iter().enumerate() {
            for (other_key, other, other_template) in &all[index + 1..] {
                if template.rank() != other_template.rank() {
                    continue;
                }
                if let Some(uri) = template.common(other_template) {
                    report.at(
                        item.location,
                        format!(
                            "the templates `{key}` and `{other_key}`, at {}, match the same URIs, such as `{uri}`, and \
                             none has more literal characters than the other: change one of them",
                            other.location
                        ),
                    );
                }
            }
        }
    }

    fn shown(&self) -> impl Iterator<Item = (&String, &Item)> {
        self.entries.iter().filter(|(_, item)| item.enabled)
    }

    /// The patterns of the templates, the most specific first.
    pub(super) fn patterns(&self) -> Vec<Pattern> {
        let shown = self.shown().enumerate();
        let mut patterns: Vec<_> = shown
            .filter_map(|(index, (_, item))| {
                let (template, list) = (item.template.clone()?, item.list);
                Some(Pattern { template, index, list, definition: item.definition.clone() })
            })
            .collect();
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.template.rank()));
        patterns
    }

    /// What the resources of the templates say of the list that they stand in.
    pub(super) fn instances_hints(&self) -> Vec<Hint> {
        self.shown().filter_map(|(_, item)| item.instances_hint()).collect()
    }

    /// `also` are hints of what is listed beside the entries.
    pub(super) fn section(
        &mut self,
        member: &'static str,
        cache: Cache,
        also: Vec<Hint>,
        page: usize,
        tails: &Arc<[Tail]>,
    ) -> Section {
        let hint = cache_hint::of_list(cache, self.shown().map(|(_, item)| item.hint).chain(also));
        let default = (milliseconds(cache.ttl), cache.scope);
        let index: HashMap<_, _> =
            self.shown().enumerate().map(|(index, (key, _))| (key.clone(), index)).collect();
        let entries: Vec<_> = self.shown().map(|(_, item)| item.entry.clone()).collect();
        let definitions = self.shown().map(|(_, item)| item.definition.clone()).collect();
        self.offered |= !entries.is_empty();
        let list = List::new(member, definitions, hint, default, page, tails.clone());
        let ruled = entries.iter().any(|entry| entry.rule.is_some());
        Section { entries, index, list, ruled, offered: self.offered }
    }
}
