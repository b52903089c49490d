//! From what the macros registered to what the server offers, or a report of all that is wrong.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use serde_json::value::RawValue;

use super::{
    Cache, Entry, List, Of, Report, Section, Snapshot, Template, cache_hint, definition::Definition,
};
use crate::{
    handler::{
        call::{Kind, Tail, Target},
        def::{
            Common, Location, Param, PromptDef, Reference, Registered, ResolverDef, ResourceDef, TaskSupport,
            ToolDef,
        },
        extract::States,
    },
    protocol::CacheScope,
    schema::{self, Direction, Part, Property},
};

/// Which functions a server offers.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    /// Everything that the linker collected and that belongs to one of `toolsets`.
    pub(crate) registered: bool,
    pub(crate) toolsets: Vec<String>,
    pub(crate) tools: Vec<&'static ToolDef>,
    pub(crate) prompts: Vec<&'static PromptDef>,
    pub(crate) resources: Vec<&'static ResourceDef>,
}

impl Selection {
    fn collect(&mut self, report: &mut Report) {
        if !self.registered {
            return;
        }
        let mut found = false;
        let toolsets = std::mem::take(&mut self.toolsets);
        let chosen =
            |common: &Common| common.toolset.is_none_or(|set| toolsets.iter().any(|known| known == set));
        for registered in inventory::iter::<Registered> {
            found |= !matches!(registered, Registered::Resolver(_));
            match registered {
                Registered::Tool(def) if chosen(&def.common) => self.tools.push(def),
                Registered::Prompt(def) if chosen(&def.common) => self.prompts.push(def),
                Registered::Resource(def) if chosen(&def.common) => self.resources.push(def),
                _ => {}
            }
        }
        if !found {
            report.add(
                "it offers nothing: no function with #[tool], #[resource] or #[prompt] was linked in. If they are in \
                 another crate, name it: write `use my_tools as _;` in the crate of `main`",
            );
        } else if self.tools.is_empty() && self.prompts.is_empty() && self.resources.is_empty() {
            report.add(
                "it offers nothing: all its functions belong to toolsets that it does not have; write \
                 `.toolset(\"…\")` on the server",
            );
        }
    }
}

/// Everything that a server offers, on its way into a snapshot.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) tools: Draft,
    pub(super) prompts: Draft,
    pub(super) resources: Draft,
    pub(super) templates: Draft,
    completions: Arc<HashMap<(Of, &'static str, &'static str), Entry>>,
    caches: Caches,
    page: usize,
    tails: Arc<[Tail]>,
    /// Whether it has, or once had, a tool whose call may become a task.
    tasks: bool,
}

impl Offer {
    pub(super) fn new(caches: Caches, page: usize, tails: Arc<[Tail]>) -> Self {
        Self {
            tools: Draft::new(Kind::Tool),
            prompts: Draft::new(Kind::Prompt),
            resources: Draft::new(Kind::Resource),
            templates: Draft::new(Kind::Resource),
            completions: Arc::default(),
            caches,
            page,
            tails,
            tasks: false,
        }
    }

    /// Adds what was selected, or reports why not.
    pub(super) fn add(&mut self, mut selection: Selection, states: &States, report: &mut Report) {
        selection.collect(report);
        for common in selection.commons() {
            check_needs(common, states, report);
            check_keys(common, report);
        }
        for def in &selection.tools {
            let (entry, definition) = tool(def, report);
            self.tasks |= def.task != TaskSupport::Never;
            self.tools.add(def.common.name, &def.common, (entry, definition, None), report);
        }
        for def in &selection.prompts {
            let entry = text_entry(Kind::Prompt, &def.common, None);
            self.prompts.add(def.common.name, &def.common, (entry, Definition::prompt(def), None), report);
        }
        for def in &selection.resources {
            match Template::parse(def.uri) {
                Err(problem) => {
                    report.at(def.common.location, format!("resource `{}`: {problem}", def.common.name));
                }
                Ok(template) => {
                    let fixed = template.is_fixed();
                    let entry = text_entry(Kind::Resource, &def.common, Some(def));
                    let definition = Definition::resource(def, !fixed);
                    let (draft, template) = if fixed {
                        (&mut self.resources, None)
                    } else {
                        (&mut self.templates, Some(template))
                    };
                    draft.add(def.uri, &def.common, (entry, definition, template), report);
                }
            }
        }
        self.complete(states, report);
    }

    /// Takes in the completions of what is offered; they come with it, whoever named it.
    fn complete(&mut self, states: &States, report: &mut Report) {
        let mut completions = HashMap::new();
        for registered in inventory::iter::<Registered> {
            let Registered::Completion(def) = registered else { continue };
            let (of, key, params, offered) = match def.of {
                Reference::Prompt(prompt) => {
                    (Of::Prompt, prompt.common.name, prompt.common.params, &self.prompts)
                }
                Reference::Resource(resource) => {
                    (Of::Template, resource.uri, resource.common.params, &self.templates)
                }
            };
            if !offered.entries.contains_key(key) {
                continue;
            }
            check_needs(&def.common, states, report);
            if !params.iter().any(|param| param.argument && param.name == def.argument) {
                report.at(
                    def.common.location,
                    format!("`{key}` has no argument `{}` to complete", def.argument),
                );
            }
            let entry = text_entry(Kind::Completion, &def.common, None);
            if completions.insert((of, key, def.argument), entry).is_some() {
                report.at(
                    def.common.location,
                    format!("there is another completion of `{}` of `{key}`", def.argument),
                );
            }
        }
        self.completions = Arc::new(completions);
    }

    pub(super) fn snapshot(&mut self) -> Snapshot {
        let (page, tails) = (self.page, &self.tails);
        let patterns = self.templates.entries.iter().filter(|(_, item)| item.enabled);
        Snapshot {
            tasks: self.tasks,
            completions: self.completions.clone(),
            patterns: patterns.filter_map(|(_, item)| item.template.clone()).collect(),
            tools: self.tools.section("tools", self.caches.tools, page, tails),
            prompts: self.prompts.section("prompts", self.caches.prompts, page, tails),
            resources: self.resources.section("resources", self.caches.resources, page, tails),
            templates: self.templates.section("resourceTemplates", self.caches.resources, page, tails),
        }
    }
}

/// The servers' word on each list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Caches {
    pub(crate) tools: Cache,
    pub(crate) prompts: Cache,
    pub(crate) resources: Cache,
}

impl Selection {
    fn commons(&self) -> impl Iterator<Item = &'static Common> + use<'_> {
        let tools = self.tools.iter().map(|def| &def.common);
        let prompts = self.prompts.iter().map(|def| &def.common);
        tools.chain(prompts).chain(self.resources.iter().map(|def| &def.common))
    }
}

/// Entries of one kind, by what they are sorted by.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    kind: Kind,
    entries: BTreeMap<String, Item>,
    offered: bool,
}

#[derive(Clone, Debug)]
struct Item {
    entry: Arc<Entry>,
    definition: Arc<Definition>,
    location: Location,
    hint: (Option<Duration>, Option<CacheScope>),
    enabled: bool,
    /// The pattern of a template's URIs.
    template: Option<Arc<Template>>,
}

impl Draft {
    fn new(kind: Kind) -> Self {
        Self { kind, entries: BTreeMap::new(), offered: false }
    }

    fn add(
        &mut self,
        key: &str,
        common: &Common,
        (entry, definition, template): (Entry, Definition, Option<Template>),
        report: &mut Report,
    ) {
        if let Some(Item { location: first, .. }) = self.entries.get(key) {
            report.at(
                common.location,
                format!(
                    "there is another {} `{key}`, at {}:{}: rename one of them",
                    self.kind.word(),
                    first.file,
                    first.line
                ),
            );
            return;
        }
        let item = Item {
            entry: Arc::new(entry),
            definition: Arc::new(definition),
            location: common.location,
            hint: (common.ttl, common.scope),
            enabled: true,
            template: template.map(Arc::new),
        };
        self.entries.insert(key.to_owned(), item);
    }

    /// Takes an entry out; whether there was one.
    pub(super) fn remove(&mut self, key: &str) -> bool {
        self.entries.remove(key).is_some()
    }

    /// Shows or hides an entry; whether that changes anything.
    pub(super) fn enable(&mut self, key: &str, enabled: bool) -> bool {
        self.entries.get_mut(key).is_some_and(|item| std::mem::replace(&mut item.enabled, enabled) != enabled)
    }

    fn section(&mut self, member: &'static str, cache: Cache, page: usize, tails: &Arc<[Tail]>) -> Section {
        let shown = || self.entries.iter().filter(|(_, item)| item.enabled);
        let hint = cache_hint::of_list(cache, shown().map(|(_, item)| item.hint));
        let default = (cache_hint::milliseconds(cache.ttl), cache.scope);
        let index: HashMap<_, _> =
            shown().enumerate().map(|(index, (key, _))| (key.clone(), index)).collect();
        let entries: Vec<_> = shown().map(|(_, item)| item.entry.clone()).collect();
        let definitions = shown().map(|(_, item)| item.definition.clone()).collect();
        self.offered |= !entries.is_empty();
        let list = List::new(member, definitions, hint, default, page, tails.clone());
        Section { entries, index, list, offered: self.offered }
    }
}

fn tool(def: &'static ToolDef, report: &mut Report) -> (Entry, Definition) {
    let common = &def.common;
    let at = |problem: String| format!("tool `{}`: {problem}", common.name);
    let parts = common.params.iter().filter_map(|param| {
        let generated = (param.schema)()?;
        Some(if param.whole { Part::Whole(generated) } else { Part::Property(property(param, generated)) })
    });
    let input = schema::root(parts.collect(), def.strict).unwrap_or_else(|problems| {
        problems.into_iter().for_each(|problem| report.at(common.location, at(problem)));
        schema::Root::default()
    });
    for problem in schema::verify(&input.schema, Direction::Input) {
        report.at(common.location, at(format!("its input schema: {problem}")));
    }
    let output = if def.structured { (def.output)() } else { None };
    for problem in output.iter().flat_map(|output| schema::verify(&output.schema, Direction::Output)) {
        report.at(common.location, at(format!("its output schema: {problem}")));
    }
    let raw = |text: String| RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned());
    let definition = Definition::tool(
        def,
        raw(input.to_text()),
        output.as_ref().map(|output| raw(schema::to_text(&output.schema, &[]))),
    );
    let headers = common
        .params
        .iter()
        .filter_map(|p| Some((format!("mcp-param-{}", p.header?.to_ascii_lowercase()), p.name)));
    let target = Target {
        kind: Kind::Tool,
        name: common.name.to_owned(),
        params: common.params,
        // Behind an alias, bounds would not be looked at.
        aliases: if input.constrained { Vec::new() } else { aliases(common, &input.order) },
        known: input.order,
        constrained: input.constrained,
        input: input.schema,
        strict: def.strict,
        output,
        fresh: (0, CacheScope::Private),
        mime_type: None,
    };
    (
        Entry {
            target,
            handler: common.handler,
            timeout: common.timeout,
            task: def.task,
            headers: headers.collect(),
        },
        definition,
    )
}

/// Names that serde takes for arguments and the schema lacks.
fn aliases(common: &Common, known: &[String]) -> Vec<&'static str> {
    let fields = common.params.iter().flat_map(|param| (param.fields)().iter().copied());
    fields.filter(|name| !known.iter().any(|known| known == name)).collect()
}

fn property(param: &'static Param, schema: schema::Generated) -> Property<'static> {
    let (minimum, maximum) = param.range.unwrap_or_default();
    Property {
        name: param.name,
        description: (!param.description.is_empty()).then_some(param.description),
        schema,
        required: !param.has_default && !(param.optional)(),
        default: param.default.map(crate::handler::def::Literal::json),
        minimum: minimum.map(crate::handler::def::Literal::json),
        maximum: maximum.map(crate::handler::def::Literal::json),
        header: param.header,
    }
}

fn text_entry(kind: Kind, common: &'static Common, resource: Option<&ResourceDef>) -> Entry {
    let ttl = common.ttl.unwrap_or_default();
    let target = Target {
        kind,
        name: common.name.to_owned(),
        params: common.params,
        input: serde_json::Value::Null,
        known: Vec::new(),
        aliases: Vec::new(),
        strict: true,
        constrained: false,
        output: None,
        fresh: (cache_hint::milliseconds(ttl), common.scope.unwrap_or(CacheScope::Private)),
        mime_type: resource.and_then(|def| def.mime_type),
    };
    Entry {
        target,
        handler: common.handler,
        timeout: common.timeout,
        task: TaskSupport::Never,
        headers: Vec::new(),
    }
}

/// Reports states that a function or its resolvers need and the server was not given.
fn check_needs(common: &'static Common, states: &States, report: &mut Report) {
    let mut needs: Vec<_> = common.params.iter().map(|param| param.need).collect();
    needs.extend(all_resolvers(common.resolvers).iter().flat_map(|def| def.needs.iter().copied()));
    for need in needs.into_iter().filter_map(|need| need()).filter(|need| !states.has(*need)) {
        report.at(
            common.location,
            format!(
                "`{}` needs the state `{}`: write `.state(…)` with one on the server",
                common.name, need.name
            ),
        );
    }
}

/// Reports two resolvers of one function that ask under one key.
fn check_keys(common: &'static Common, report: &mut Report) {
    let resolvers = all_resolvers(common.resolvers);
    for (index, one) in resolvers.iter().enumerate() {
        for other in &resolvers[index + 1..] {
            if one.key == other.key {
                report.at(
                    common.location,
                    format!(
                        "`{}` uses two resolvers with the key `{}`, at {}:{} and {}:{}: give one of them another \
                         (`#[resolver(key = \"…\")]`)",
                        common.name, one.key, one.location.file, one.location.line, other.location.file,
                        other.location.line
                    ),
                );
            }
        }
    }
}

/// Reports resolvers that need each other.
pub(super) fn check_resolvers(report: &mut Report) {
    for registered in inventory::iter::<Registered> {
        if let Registered::Resolver(def) = registered {
            let mut path = vec![*def];
            if cycle(def, &mut path) {
                let names: Vec<_> = path.iter().map(|def| format!("`{}`", def.name)).collect();
                report.at(def.location, format!("resolvers go in a circle: {}", names.join(" needs ")));
            }
        }
    }
}

/// Whether `start` comes back to itself; `path` is then the way. Only the first of the circle by
/// place reports it, so that one circle is one problem.
fn cycle(start: &'static ResolverDef, path: &mut Vec<&'static ResolverDef>) -> bool {
    let Some(last) = path.last().copied() else { return false };
    for next in last.resolvers {
        let next = next();
        if std::ptr::eq(next, start) {
            path.push(next);
            return path.iter().all(|def| place(start.location) <= place(def.location));
        }
        if path.iter().any(|known| std::ptr::eq(*known, next)) {
            continue;
        }
        path.push(next);
        if cycle(start, path) {
            return true;
        }
        path.pop();
    }
    false
}

fn place(location: Location) -> (&'static str, u32) {
    (location.file, location.line)
}

/// The resolvers that these need, themselves included, each once.
fn all_resolvers(direct: &[fn() -> &'static ResolverDef]) -> Vec<&'static ResolverDef> {
    let mut all: Vec<&'static ResolverDef> = Vec::new();
    let mut waiting: Vec<_> = direct.iter().map(|def| def()).collect();
    while let Some(def) = waiting.pop() {
        if !all.iter().any(|known| std::ptr::eq(*known, def)) {
            all.push(def);
            waiting.extend(def.resolvers.iter().map(|def| def()));
        }
    }
    all
}
