//! A server: what it offers, what it shares, how it serves.

use std::{fmt, sync::Arc, time::Duration};

use crate::{
    ask::sealed::KeyRing,
    auth::TokenVerifier,
    catalog::{Cache, Caches, Catalog, Report, Selection, StartError, Tool},
    dispatch::{Core, Limits},
    era::shape,
    handler::{
        call::Tail,
        def::{PromptDef, ResourceDef},
        extract::States,
    },
    notify::{Announcer, Bus, Cancel, LocalBus},
    protocol::{Icon, Implementation, Version},
    store::{EventLog, MemoryEvents, MemorySessions, MemoryTasks, SessionStore, TaskStore},
    task::Seams,
};

/// What becomes of clients up to 2025-11-25, which open with `initialize`. Clients of 2026-07-28 are
/// always served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legacy {
    /// They get sessions: they can be asked in the middle of a call, subscribe, and hear of changes.
    #[default]
    Sessions,
    /// They are served, and nothing is remembered of them: what would have to ask them is an error.
    Stateless,
    /// They are refused, with a message that names the revision that is served.
    Off,
}

/// A server for the Model Context Protocol.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # async fn example() -> Result<()> {
/// Server::new("Calculator", env!("CARGO_PKG_VERSION")).run().await
/// # }
/// ```
#[must_use]
pub struct Server {
    pub(crate) identity: Implementation,
    instructions: Option<String>,
    selection: Selection,
    states: States,
    cache: Cache,
    tools_cache: Option<Cache>,
    prompts_cache: Option<Cache>,
    resources_cache: Option<Cache>,
    legacy: Legacy,
    pub(crate) limits: Limits,
    keys: Vec<[u8; 32]>,
    lifetime: Duration,
    audience: Option<String>,
    bus: Option<Arc<dyn Bus>>,
    sessions: Option<Arc<dyn SessionStore>>,
    tasks: Option<Arc<dyn TaskStore>>,
    events: Option<Arc<dyn EventLog>>,
    pub(crate) web: Web,
    pub(crate) mistakes: Vec<String>,
}

/// What a server says of its place on the web.
#[derive(Clone, Debug, Default)]
pub(crate) struct Web {
    /// Where clients find it.
    pub(crate) public_url: Option<String>,
    /// Pages whose scripts may call it.
    pub(crate) origins: Vec<String>,
    /// Further names of its host.
    pub(crate) hosts: Vec<String>,
    /// Who knows its callers.
    pub(crate) verifier: Option<Arc<dyn TokenVerifier>>,
    /// What every caller's token has to allow.
    pub(crate) scopes: Vec<String>,
}

impl Server {
    /// A server of everything that was registered: all functions with `#[tool]`, `#[resource]` and
    /// `#[prompt]` in the crates that were linked in, but for those of a toolset.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self::with(name, version, Selection { registered: true, ..Selection::default() })
    }

    /// A server of nothing but what it is given with [`tools`](Self::tools),
    /// [`prompts`](Self::prompts) and [`resources`](Self::resources).
    pub fn empty(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self::with(name, version, Selection::default())
    }

    fn with(name: impl Into<String>, version: impl Into<String>, selection: Selection) -> Self {
        Self {
            identity: Implementation::new(name, version),
            instructions: None,
            selection,
            states: States::default(),
            cache: Cache::default(),
            tools_cache: None,
            prompts_cache: None,
            resources_cache: None,
            legacy: Legacy::default(),
            limits: Limits::default(),
            keys: Vec::new(),
            lifetime: Duration::from_secs(600),
            audience: None,
            bus: None,
            sessions: None,
            tasks: None,
            events: None,
            web: Web::default(),
            mistakes: Vec::new(),
        }
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.identity.title = Some(title.into());
        self
    }

    /// What it is.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.identity.description = Some(description.into());
        self
    }

    /// Its home page.
    pub fn website(mut self, url: impl Into<String>) -> Self {
        self.identity.website_url = Some(url.into());
        self
    }

    /// A picture for it.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.identity.icons.push(icon);
        self
    }

    /// How a model uses it best.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Offers these tools: `.tools(tools![reserve, shelf::restock])`, or tools of the type `DynamicTool`.
    pub fn tools(mut self, tools: impl IntoIterator<Item = impl Into<Tool>>) -> Self {
        self.selection.tools.extend(tools.into_iter().map(Into::into));
        self
    }

    /// Offers these prompts.
    pub fn prompts(mut self, prompts: impl IntoIterator<Item = &'static PromptDef>) -> Self {
        self.selection.prompts.extend(prompts);
        self
    }

    /// Offers these resources.
    pub fn resources(mut self, resources: impl IntoIterator<Item = &'static ResourceDef>) -> Self {
        self.selection.resources.extend(resources);
        self
    }

    /// Offers also what was registered with `toolset = "…"` of this name.
    pub fn toolset(mut self, name: impl Into<String>) -> Self {
        self.selection.toolsets.push(name.into());
        self
    }

    /// Gives the functions a value for their parameters `State<T>`.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }

    /// How fresh its lists stay. Untold: private, and stale at once.
    pub fn cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// How fresh its list of tools stays.
    pub fn tools_cache(mut self, cache: Cache) -> Self {
        self.tools_cache = Some(cache);
        self
    }

    /// How fresh its list of prompts stays.
    pub fn prompts_cache(mut self, cache: Cache) -> Self {
        self.prompts_cache = Some(cache);
        self
    }

    /// How fresh its lists of resources and templates stay.
    pub fn resources_cache(mut self, cache: Cache) -> Self {
        self.resources_cache = Some(cache);
        self
    }

    /// How it serves clients up to 2025-11-25.
    pub fn legacy(mut self, legacy: Legacy) -> Self {
        self.legacy = legacy;
        self
    }

    /// Keys for sealed request states, for a fleet whose workers must open each other's: the first
    /// seals, all open. Without any, `MCP_STATE_KEYS` is read (32 bytes each in Base64, separated by
    /// commas), and without that the process makes one of its own.
    pub fn state_keys(mut self, keys: impl IntoIterator<Item = [u8; 32]>) -> Self {
        self.keys.extend(keys);
        self
    }

    /// How long a client may take between a question and the retry with its answer. Untold: 10 minutes.
    pub fn state_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// For whom sealed request states are. Untold: the public URL, or the server's name.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = Some(audience.into());
        self
    }

    /// Carries messages between the workers of a fleet. Untold: within this process.
    pub fn bus(mut self, bus: impl Bus) -> Self {
        self.bus = Some(Arc::new(bus));
        self
    }

    /// Keeps the sessions of older clients. Untold: in this process's memory.
    pub fn sessions(mut self, store: impl SessionStore) -> Self {
        self.sessions = Some(Arc::new(store));
        self
    }

    /// Keeps the calls that go on as tasks (`#[tool(task)]`). Untold: in this process's memory.
    pub fn tasks(mut self, store: impl TaskStore) -> Self {
        self.tasks = Some(Arc::new(store));
        self
    }

    /// Keeps what was sent to older clients over HTTP, so that one whose connection broke can go on where
    /// it was. Untold: in this process's memory, 1,000 events of each stream, 16 MiB of all, for 15 minutes.
    pub fn event_log(mut self, log: impl EventLog) -> Self {
        self.events = Some(Arc::new(log));
        self
    }

    /// The size of a message, in bytes. Untold: 4 MiB.
    pub fn message_limit(mut self, bytes: usize) -> Self {
        self.limits.message = bytes;
        self
    }

    /// How long a call may take whose function says nothing. Untold: 5 minutes. It does not run out
    /// while an older client is asked.
    pub fn call_timeout(mut self, limit: Duration) -> Self {
        self.limits.call = limit;
        self
    }

    /// How long an older client may take to answer in the middle of a call. Untold: 10 minutes.
    pub fn answer_timeout(mut self, limit: Duration) -> Self {
        self.limits.answer = limit;
        self
    }

    /// How many entries a page of a list has. Untold: 500.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.limits.page = entries.max(1);
        self
    }

    /// How many sessions of older clients there may be, and after which time one that nobody uses is
    /// forgotten. Untold: 10,000 and a day.
    pub fn session_limit(mut self, most: usize, idle: Duration) -> Self {
        self.limits.sessions = most;
        self.limits.idle = idle;
        self
    }

    /// How many tasks there may be, finished ones included; and how long one may run whose function
    /// says no `timeout`, and its result is kept. Untold: 10,000 and an hour.
    pub fn task_limit(mut self, most: usize, lifetime: Duration) -> Self {
        self.limits.tasks = most;
        self.limits.task = lifetime;
        self
    }

    /// How many requests of one connection run at once. Untold: 256; the next waits.
    pub fn concurrent_requests(mut self, most: usize) -> Self {
        self.limits.concurrent = most.max(1);
        self
    }

    /// How long running calls may go on when the server stops. Untold: 10 seconds.
    pub fn grace(mut self, time: Duration) -> Self {
        self.limits.grace = time;
        self
    }

    /// Where clients find the server: `https://example.com/mcp`. The hosts and origins that it accepts
    /// follow from it.
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        self.web.public_url = Some(url.into());
        self
    }

    /// Knows its callers over HTTP by their access tokens: see [`TokenVerifier`]. It needs the
    /// [`public_url`](Self::public_url), for which the tokens are issued. Over stdio the caller is
    /// whoever started the process, and may do all.
    ///
    /// [`serve`](Self::serve) answers at `/.well-known/oauth-protected-resource` too, with the path of the
    /// URL after it and without. Where the service is mounted in a router, that path has to lead to it as
    /// well: `.route_service("/.well-known/oauth-protected-resource/api/mcp", service.clone())`.
    pub fn auth(mut self, verifier: impl TokenVerifier) -> Self {
        self.web.verifier = Some(Arc::new(verifier));
        self
    }

    /// What every caller's token has to allow. Untold: nothing.
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.web.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Lets scripts of pages of this origin call the server: `https://app.example.com`.
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.web.origins.push(origin.into());
        self
    }

    /// Takes requests for this host also: a further name of the server, `mcp.internal`, or one name with
    /// one port, `mcp.internal:8000`. This machine's own and that of the public URL need not be said.
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.web.hosts.push(host.into());
        self
    }

    /// Checks everything and makes the server ready, or says all that is wrong.
    ///
    /// # Errors
    ///
    /// All that is wrong with what it offers: two tools of one name, a state that nobody gave, a
    /// schema that clients would refuse, resolvers that go in a circle, keys that are none.
    pub(crate) fn ready(mut self) -> Result<Arc<Core>, StartError> {
        let mut report = Report::default();
        self.mistakes.drain(..).for_each(|mistake| report.add(mistake));
        if self.keys.is_empty()
            && let Ok(text) = std::env::var("MCP_STATE_KEYS")
        {
            match KeyRing::parse(&text) {
                Ok(keys) => self.keys = keys,
                Err(error) => report.add(format!("MCP_STATE_KEYS: {}", error.0)),
            }
        }
        let keys = if self.keys.is_empty() {
            KeyRing::random(self.lifetime).unwrap_or_else(|error| {
                report.add(error.0);
                KeyRing::new(&[], self.lifetime)
            })
        } else {
            KeyRing::new(&self.keys, self.lifetime)
        };
        let server_info = serde_json::to_string(&self.identity).unwrap_or_default();
        let tails: Arc<[Tail]> = Version::ALL
            .into_iter()
            .map(|version| Tail { shape: shape::of(version), server_info: server_info.clone() })
            .collect();
        let caches = Caches {
            tools: self.tools_cache.unwrap_or(self.cache),
            prompts: self.prompts_cache.unwrap_or(self.cache),
            resources: self.resources_cache.unwrap_or(self.cache),
        };
        let bus = self.bus.unwrap_or_else(|| Arc::new(LocalBus::default()));
        let events = self
            .events
            .unwrap_or_else(|| Arc::new(MemoryEvents::new(1_000, 16 << 20, Duration::from_secs(15 * 60))));
        let resumable = (self.legacy == Legacy::Sessions).then(|| events.clone());
        let announcer = Announcer::new(bus.clone(), resumable);
        let states = Arc::new(self.states);
        let page = self.limits.page;
        let catalog = Catalog::new(
            self.selection,
            states.clone(),
            caches,
            page,
            tails.clone(),
            announcer.clone(),
            report,
        )?;
        let sessions = self
            .sessions
            .unwrap_or_else(|| Arc::new(MemorySessions::new(self.limits.sessions, self.limits.idle)));
        let tasks = Seams {
            store: self.tasks.unwrap_or_else(|| Arc::new(MemoryTasks::new(self.limits.tasks))),
            bus: bus.clone(),
            announcer: announcer.clone(),
        };
        let audience = self.audience.or_else(|| self.web.public_url.clone());
        Ok(Arc::new(Core {
            audience: audience.unwrap_or_else(|| self.identity.name.clone()),
            identity: self.identity,
            instructions: self.instructions,
            catalog,
            states,
            announcer,
            bus,
            sessions,
            tasks,
            events,
            keys,
            legacy: self.legacy,
            limits: self.limits,
            web: self.web,
            closing: Cancel::default(),
            tails,
        }))
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("identity", &self.identity).finish_non_exhaustive()
    }
}
