//! From what the macros registered to what the server offers, or a report of all that is wrong.

use std::{collections::HashMap, sync::Arc};

use serde_json::value::RawValue;

use super::{
    Cache, Entry, Of, Report, Snapshot, Template, Tool,
    checks::{check_keys, check_needs, check_states},
    definition::Definition,
    draft::{Draft, Item},
};
use crate::{
    clock::milliseconds,
    handler::{
        call::{Kind, Tail, Target},
        def::{Common, Param, PromptDef, Reference, Registered, ResourceDef, TaskSupport, ToolDef},
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
    pub(crate) tools: Vec<Tool>,
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
                Registered::Tool(def) if chosen(&def.common) => self.tools.push(Tool::Function(def)),
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
        for tool in std::mem::take(&mut selection.tools) {
            match tool {
                Tool::Function(def) => {
                    let (entry, definition) = function_tool(def, report);
                    self.tasks |= def.task != TaskSupport::Never;
                    self.tools.add(def.common.name, Item::of(entry, definition, &def.common), report);
                }
                #[cfg(feature = "dynamic")]
                Tool::Dynamic(tool) => tool.offer(&mut self.tools, states, report),
            }
        }
        for def in &selection.prompts {
            let item =
                Item::of(text_entry(Kind::Prompt, &def.common, None), Definition::prompt(def), &def.common);
            self.prompts.add(def.common.name, item, report);
        }
        for def in &selection.resources {
            self.add_resource(def, states, report);
        }
        self.templates.check_ambiguity(report);
        self.complete(states, report);
    }

    fn add_resource(&mut self, def: &'static ResourceDef, states: &States, report: &mut Report) {
        let common = &def.common;
        let template = match Template::parse(def.uri, def.unchecked) {
            Ok(template) => template,
            Err(problem) => {
                return report.at(common.location, format!("resource `{}`: {problem}", common.name));
            }
        };
        if let Some(list) = def.list {
            check_states(common.name, common.location, &list.needs(), states, report);
        }
        let fixed = template.is_fixed();
        let definition = Definition::resource(def, !fixed);
        let item = Item::of(text_entry(Kind::Resource, common, Some(def)), definition, common);
        if fixed {
            self.resources.add(def.uri, item, report);
        } else {
            self.templates.add(def.uri, item.template(template, def.list), report);
        }
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
            if !offered.has(key) {
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
        let instances = self.templates.instances_hints();
        let caches = self.caches;
        Snapshot {
            tasks: self.tasks,
            completions: self.completions.clone(),
            patterns: self.templates.patterns(),
            tools: self.tools.section("tools", caches.tools, Vec::new(), page, tails),
            prompts: self.prompts.section("prompts", caches.prompts, Vec::new(), page, tails),
            resources: self.resources.section("resources", caches.resources, instances, page, tails),
            templates: self.templates.section("resourceTemplates", caches.resources, Vec::new(), page, tails),
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
        let tools = self.tools.iter().filter_map(Tool::def).map(|def| &def.common);
        let prompts = self.prompts.iter().map(|def| &def.common);
        tools.chain(prompts).chain(self.resources.iter().map(|def| &def.common))
    }
}

fn function_tool(def: &'static ToolDef, report: &mut Report) -> (Entry, Definition) {
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
        .filter_map(|p| Some((format!("mcp-param-{}", p.header?.to_ascii_lowercase()), p.name.to_owned())));
    let target = Target {
        params: common.params,
        // Behind an alias, bounds would not be looked at.
        aliases: if input.constrained { Vec::new() } else { aliases(common, &input.order) },
        known: input.order,
        constrained: input.constrained,
        input: input.schema,
        strict: def.strict,
        output,
        ..Target::new(Kind::Tool, common.name.to_owned())
    };
    (Entry { task: def.task, headers: headers.collect(), ..entry(target, common) }, definition)
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
    // What only some may read is kept for nobody else, whatever its author said.
    let scope = common.scope.filter(|_| common.rule.is_none()).unwrap_or(CacheScope::Private);
    let target = Target {
        params: common.params,
        fresh: (milliseconds(ttl), scope),
        mime_type: resource.and_then(|def| def.mime_type),
        ..Target::new(kind, common.name.to_owned())
    };
    entry(target, common)
}

/// A function that was told of by a macro.
fn entry(target: Target, common: &'static Common) -> Entry {
    Entry {
        target,
        handler: common.handler,
        scopes: common.scopes,
        timeout: common.timeout,
        task: TaskSupport::Never,
        headers: Vec::new(),
        rule: common.rule.map(Into::into),
    }
}
