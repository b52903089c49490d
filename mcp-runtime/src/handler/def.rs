//! What a macro tells about a function: constant, and collected by the linker.

use std::{fmt, time::Duration};

use serde_json::Value;

use super::{
    args::Fill,
    call::{Call, Outcome},
    extract::Need,
    instances::ListInstances,
    strings::FillText,
    visible::Decide,
};
use crate::{
    BoxFuture,
    protocol::{CacheScope, Role},
    schema::{Generated, Output},
};

/// Runs a function for one request.
pub type Handler = for<'a> fn(&'a Call<'a>) -> BoxFuture<'a, Outcome>;

/// Where something was written, for the start-up report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Location {
    pub(crate) file: &'static str,
    pub(crate) line: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// What tools, prompts and resources have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    pub(crate) name: &'static str,
    pub(crate) location: Location,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: Option<&'static str>,
    pub(crate) ttl: Option<Duration>,
    pub(crate) scope: Option<CacheScope>,
    /// What a caller's token has to allow.
    pub(crate) scopes: &'static [&'static str],
    pub(crate) timeout: Option<Duration>,
    pub(crate) toolset: Option<&'static str>,
    /// Icons' `src`.
    pub(crate) icons: &'static [&'static str],
    /// `_meta`, as JSON text.
    pub(crate) meta: Option<&'static str>,
    /// Who may know of it.
    pub(crate) rule: Option<&'static dyn Decide>,
    pub(crate) params: &'static [Param],
    pub(crate) resolvers: &'static [fn() -> &'static ResolverDef],
    pub(crate) handler: Handler,
}

macro_rules! common {
    ($name:ident) => {
        impl $name {
            /// A name for people.
            #[must_use]
            pub const fn title(mut self, title: &'static str) -> Self {
                self.common.title = Some(title);
                self
            }

            /// What it is, for the model.
            #[must_use]
            pub const fn description(mut self, description: &'static str) -> Self {
                self.common.description = Some(description);
                self
            }

            /// How long what it gives (a resource) or its entry in the list (a tool, a prompt) stays fresh.
            #[must_use]
            pub const fn ttl(mut self, ttl: Duration) -> Self {
                self.common.ttl = Some(ttl);
                self
            }

            /// Who may share it.
            #[must_use]
            pub const fn scope(mut self, scope: CacheScope) -> Self {
                self.common.scope = Some(scope);
                self
            }

            /// What a caller's token has to allow.
            #[must_use]
            pub const fn scopes(mut self, scopes: &'static [&'static str]) -> Self {
                self.common.scopes = scopes;
                self
            }

            /// How long a call may take.
            #[must_use]
            pub const fn timeout(mut self, timeout: Duration) -> Self {
                self.common.timeout = Some(timeout);
                self
            }

            /// The set that it belongs to.
            #[must_use]
            pub const fn toolset(mut self, toolset: &'static str) -> Self {
                self.common.toolset = Some(toolset);
                self
            }

            /// Its icons' `src`.
            #[must_use]
            pub const fn icons(mut self, icons: &'static [&'static str]) -> Self {
                self.common.icons = icons;
                self
            }

            /// Its `_meta`, as JSON text.
            #[must_use]
            pub const fn meta(mut self, meta: &'static str) -> Self {
                self.common.meta = Some(meta);
                self
            }

            /// Who may know of it: for anybody else it does not exist.
            #[must_use]
            pub const fn visible_if(mut self, rule: &'static dyn Decide) -> Self {
                self.common.rule = Some(rule);
                self
            }

            /// Its parameters.
            #[must_use]
            pub const fn params(mut self, params: &'static [Param]) -> Self {
                self.common.params = params;
                self
            }

            /// The resolvers that it names itself.
            #[must_use]
            pub const fn resolvers(mut self, resolvers: &'static [fn() -> &'static ResolverDef]) -> Self {
                self.common.resolvers = resolvers;
                self
            }
        }
    };
}

impl Common {
    const fn new(name: &'static str, file: &'static str, line: u32, handler: Handler) -> Self {
        Self {
            name,
            location: Location { file, line },
            title: None,
            description: None,
            ttl: None,
            scope: None,
            scopes: &[],
            timeout: None,
            toolset: None,
            icons: &[],
            meta: None,
            rule: None,
            params: &[],
            resolvers: &[],
            handler,
        }
    }
}

/// A `#[tool]`.
#[derive(Clone, Copy, Debug)]
pub struct ToolDef {
    pub(crate) common: Common,
    pub(crate) output: fn() -> Option<Output>,
    pub(crate) structured: bool,
    pub(crate) strict: bool,
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
    pub(crate) task: TaskSupport,
}
common!(ToolDef);

/// Whether a tool's call may become a task (extension `io.modelcontextprotocol/tasks`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskSupport {
    /// It never does.
    Never,
    /// It does where the client takes tasks.
    Optional,
    /// It does, and a client that takes no tasks cannot call it.
    Required,
}

impl ToolDef {
    /// A tool by name, with the place where it was written, what runs it and what it returns.
    #[must_use]
    pub const fn new(
        name: &'static str,
        file: &'static str,
        line: u32,
        handler: Handler,
        output: fn() -> Option<Output>,
    ) -> Self {
        Self {
            common: Common::new(name, file, line, handler),
            output,
            structured: true,
            strict: true,
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
            task: TaskSupport::Never,
        }
    }

    /// Whether its results carry data beside the text.
    #[must_use]
    pub const fn structured(mut self, structured: bool) -> Self {
        self.structured = structured;
        self
    }

    /// Whether it refuses arguments that it does not have.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// `readOnlyHint`.
    #[must_use]
    pub const fn read_only(mut self, hint: bool) -> Self {
        self.read_only = Some(hint);
        self
    }

    /// `destructiveHint`.
    #[must_use]
    pub const fn destructive(mut self, hint: bool) -> Self {
        self.destructive = Some(hint);
        self
    }

    /// `idempotentHint`.
    #[must_use]
    pub const fn idempotent(mut self, hint: bool) -> Self {
        self.idempotent = Some(hint);
        self
    }

    /// `openWorldHint`.
    #[must_use]
    pub const fn open_world(mut self, hint: bool) -> Self {
        self.open_world = Some(hint);
        self
    }

    /// Whether a call may become a task.
    #[must_use]
    pub const fn task(mut self, task: TaskSupport) -> Self {
        self.task = task;
        self
    }
}

/// A `#[prompt]`.
#[derive(Clone, Copy, Debug)]
pub struct PromptDef {
    pub(crate) common: Common,
}
common!(PromptDef);

impl PromptDef {
    /// A prompt by name, with the place where it was written and what runs it.
    #[must_use]
    pub const fn new(name: &'static str, file: &'static str, line: u32, handler: Handler) -> Self {
        Self { common: Common::new(name, file, line, handler) }
    }
}

/// A `#[resource]`, fixed or a template.
#[derive(Clone, Copy, Debug)]
pub struct ResourceDef {
    pub(crate) common: Common,
    pub(crate) uri: &'static str,
    pub(crate) mime_type: Option<&'static str>,
    pub(crate) size: Option<u64>,
    pub(crate) audience: &'static [Role],
    pub(crate) priority: Option<f64>,
    pub(crate) last_modified: Option<&'static str>,
    /// Whether its variables are taken as they come.
    pub(crate) unchecked: bool,
    pub(crate) list: Option<&'static dyn ListInstances>,
}
common!(ResourceDef);

impl ResourceDef {
    /// A resource by name and URI (or URI template), with the place where it was written and what runs it.
    #[must_use]
    pub const fn new(
        name: &'static str,
        uri: &'static str,
        file: &'static str,
        line: u32,
        handler: Handler,
    ) -> Self {
        Self {
            common: Common::new(name, file, line, handler),
            uri,
            mime_type: None,
            size: None,
            audience: &[],
            priority: None,
            last_modified: None,
            unchecked: false,
            list: None,
        }
    }

    /// Its media type.
    #[must_use]
    pub const fn mime_type(mut self, mime_type: &'static str) -> Self {
        self.mime_type = Some(mime_type);
        self
    }

    /// Its size in bytes.
    #[must_use]
    pub const fn size(mut self, size: u64) -> Self {
        self.size = Some(size);
        self
    }

    /// Whom it is for.
    #[must_use]
    pub const fn audience(mut self, audience: &'static [Role]) -> Self {
        self.audience = audience;
        self
    }

    /// How important it is, from 0 to 1.
    #[must_use]
    pub const fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority);
        self
    }

    /// When it last changed, in ISO 8601.
    #[must_use]
    pub const fn last_modified(mut self, time: &'static str) -> Self {
        self.last_modified = Some(time);
        self
    }

    /// Takes values of variables that could lead out of a folder.
    #[must_use]
    pub const fn unchecked(mut self) -> Self {
        self.unchecked = true;
        self
    }

    /// What lists the resources of a template.
    #[must_use]
    pub const fn list(mut self, list: &'static dyn ListInstances) -> Self {
        self.list = Some(list);
        self
    }
}

/// A `#[completion]`.
#[derive(Clone, Copy, Debug)]
pub struct CompletionDef {
    pub(crate) common: Common,
    pub(crate) of: Reference,
    pub(crate) argument: &'static str,
}
common!(CompletionDef);

/// What an argument belongs to.
#[derive(Clone, Copy, Debug)]
pub enum Reference {
    /// A prompt.
    Prompt(&'static PromptDef),
    /// A resource template.
    Resource(&'static ResourceDef),
}

impl CompletionDef {
    /// A completion of an argument, with the place where it was written and what runs it.
    #[must_use]
    pub const fn new(
        of: Reference,
        argument: &'static str,
        file: &'static str,
        line: u32,
        handler: Handler,
    ) -> Self {
        Self { common: Common::new(argument, file, line, handler), of, argument }
    }
}

/// A `#[resolver]`.
#[derive(Clone, Copy, Debug)]
pub struct ResolverDef {
    pub(crate) name: &'static str,
    /// The key of its question.
    pub(crate) key: &'static str,
    pub(crate) location: Location,
    pub(crate) needs: &'static [fn() -> Option<Need>],
    pub(crate) resolvers: &'static [fn() -> &'static ResolverDef],
}

impl ResolverDef {
    /// A resolver by name and key, with the place where it was written.
    #[must_use]
    pub const fn new(name: &'static str, key: &'static str, file: &'static str, line: u32) -> Self {
        Self { name, key, location: Location { file, line }, needs: &[], resolvers: &[] }
    }

    /// What its parameters need of the server.
    #[must_use]
    pub const fn needs(mut self, needs: &'static [fn() -> Option<Need>]) -> Self {
        self.needs = needs;
        self
    }

    /// The resolvers that it names itself.
    #[must_use]
    pub const fn resolvers(mut self, resolvers: &'static [fn() -> &'static ResolverDef]) -> Self {
        self.resolvers = resolvers;
        self
    }
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) argument: bool,
    pub(crate) whole: bool,
    pub(crate) need: fn() -> Option<Need>,
    pub(crate) schema: fn() -> Option<Generated>,
    pub(crate) fields: fn() -> &'static [&'static str],
    /// Whether it may be left out by its type.
    pub(crate) optional: fn() -> bool,
    pub(crate) has_default: bool,
    pub(crate) default: Option<Literal>,
    pub(crate) range: Option<(Option<Literal>, Option<Literal>)>,
    pub(crate) header: Option<&'static str>,
}

/// A constant in an attribute.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// A whole number.
    Int(i128),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Str(&'static str),
    /// A truth value.
    Bool(bool),
}

impl Literal {
    pub(crate) fn json(self) -> Value {
        match self {
            Self::Int(int) => i64::try_from(int)
                .map(Value::from)
                .or_else(|_| u64::try_from(int).map(Value::from))
                .unwrap_or_default(),
            Self::Float(float) => float.into(),
            Self::Str(text) => text.into(),
            Self::Bool(truth) => truth.into(),
        }
    }

    pub(crate) fn number(self) -> Option<f64> {
        match self {
            Self::Int(int) => Some(int as f64),
            Self::Float(float) => Some(float),
            Self::Str(_) | Self::Bool(_) => None,
        }
    }
}

/// A tool's parameter, by the slot that holds it.
#[must_use]
pub const fn param<'de, S: Fill<'de>>(name: &'static str, description: &'static str) -> Param {
    Param {
        name,
        description,
        argument: S::ARGUMENT,
        whole: S::WHOLE,
        need: S::need,
        schema: S::schema,
        fields: S::fields,
        optional: || S::default().leave_out(),
        has_default: false,
        default: None,
        range: None,
        header: None,
    }
}

/// A prompt's or a resource's parameter, by the slot that holds it.
#[must_use]
pub const fn text_param<S: FillText>(name: &'static str, description: &'static str) -> Param {
    Param {
        name,
        description,
        argument: S::ARGUMENT,
        whole: false,
        need: S::need,
        schema: || None,
        fields: || &[],
        optional: || S::default().leave_out(),
        has_default: false,
        default: None,
        range: None,
        header: None,
    }
}

impl Param {
    /// It may be left out; `literal` is the default where it is a constant.
    #[must_use]
    pub const fn default(mut self, literal: Option<Literal>) -> Self {
        self.has_default = true;
        self.default = literal;
        self
    }

    /// Its least and greatest value, both included.
    #[must_use]
    pub const fn range(mut self, min: Option<Literal>, max: Option<Literal>) -> Self {
        self.range = Some((min, max));
        self
    }

    /// Its header is `Mcp-Param-{header}`.
    #[must_use]
    pub const fn header(mut self, header: &'static str) -> Self {
        self.header = Some(header);
        self
    }
}

/// What the linker collects.
#[derive(Clone, Copy, Debug)]
pub enum Registered {
    /// A tool.
    Tool(&'static ToolDef),
    /// A prompt.
    Prompt(&'static PromptDef),
    /// A resource or a template.
    Resource(&'static ResourceDef),
    /// A completion.
    Completion(&'static CompletionDef),
    /// A resolver.
    Resolver(&'static ResolverDef),
}
inventory::collect!(Registered);

/// A function that can be named in `tools![…]`, `prompts![…]` or `resources![…]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in this list",
    label = "not a function of this kind",
    note = "`tools![…]` takes functions under `#[tool]`, `prompts![…]` under `#[prompt]`, `resources![…]` under `#[resource]`"
)]
pub trait Companion<D: 'static> {
    /// What the macro told about it.
    const DEF: &'static D;
}
