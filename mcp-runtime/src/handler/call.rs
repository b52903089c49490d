//! One call of a function: its request on the way in, its result on the way out.

use std::{borrow::Cow, fmt, sync::Arc};

use bytes::Bytes;
use serde::{
    Deserializer,
    de::{Error as _, IgnoredAny, MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

use super::{
    args::Slots,
    completion::Completion,
    context::Context,
    def::Param,
    error::{Error, Stop},
    strings::TextSlots,
};
use crate::{
    BoxFuture,
    protocol::{
        CacheScope, CallToolResult, ErrorObject, GetPromptResult, Meta, ResourceContents, Shape, write,
    },
    schema::{self, Mode, Output},
};

/// What came of a call.
#[derive(Debug)]
pub enum Outcome {
    /// The message that answers the request.
    Reply(Bytes),
    /// The request itself was wrong.
    Error(ErrorObject),
    /// It waits for the client: what is asked is noted with the request.
    Open,
}

/// What a call needs to know of the function that it calls, made once.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) params: &'static [Param],
    /// The input schema, for the second look at arguments.
    pub(crate) input: Value,
    /// The names of all arguments.
    pub(crate) known: Vec<String>,
    /// Other names under which arguments are taken.
    pub(crate) aliases: Vec<&'static str>,
    pub(crate) strict: bool,
    /// Whether the schema says more than the types do.
    pub(crate) constrained: bool,
    pub(crate) output: Option<Output>,
    /// What a resource's result says of its freshness: `ttlMs` and scope.
    pub(crate) fresh: (u64, CacheScope),
    pub(crate) mime_type: Option<&'static str>,
    /// What is called, where it is no function that a macro stands on.
    #[cfg_attr(
        not(feature = "dynamic"),
        allow(dead_code, reason = "only tools with a given schema are made while it runs")
    )]
    pub(crate) given: Option<Arc<dyn Function>>,
}

/// Something to call that was made while the program runs.
#[cfg_attr(
    not(feature = "dynamic"),
    allow(dead_code, reason = "only tools with a given schema are made while it runs")
)]
pub(crate) trait Function: fmt::Debug + Send + Sync {
    /// Runs it for one call.
    fn run<'a>(&'a self, call: &'a Call<'a>) -> BoxFuture<'a, Outcome>;
}

impl Target {
    /// Something to call that has nothing yet.
    pub(crate) fn new(kind: Kind, name: String) -> Self {
        Self {
            kind,
            name,
            params: &[],
            input: Value::Null,
            known: Vec::new(),
            aliases: Vec::new(),
            strict: true,
            constrained: false,
            output: None,
            fresh: (0, CacheScope::Private),
            mime_type: None,
            given: None,
        }
    }

    /// Whether there is an argument of this name.
    fn takes(&self, name: &str) -> bool {
        self.known.iter().any(|known| known == name) || self.aliases.contains(&name)
    }
}

/// What kind of function it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tool,
    Prompt,
    Resource,
    Completion,
}

impl Kind {
    /// What kind of JSON a value is.
    fn json(value: &Value) -> &'static str {
        match value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
            Self::Completion => "completion",
        }
    }
}

/// One call.
pub struct Call<'r> {
    pub(crate) context: Context,
    /// The request's id, as it stands in the message.
    pub(crate) id: &'r str,
    pub(crate) target: &'r Target,
    /// The members that end every result of this server for this client.
    pub(crate) tail: &'r Tail,
    pub(crate) input: Input<'r>,
}

/// What the client sent for the function.
pub(crate) enum Input<'r> {
    /// A tool's arguments.
    Arguments(Option<&'r RawValue>),
    /// A prompt's arguments or a template's variables, and the resource's URI.
    Strings { values: Vec<(Cow<'r, str>, Cow<'r, str>)>, uri: &'r str },
}

/// How results end for clients of one shape: `resultType` and the server's name.
#[derive(Debug)]
pub(crate) struct Tail {
    pub(crate) shape: &'static Shape,
    /// `"name":…,"version":…`, as an object.
    pub(crate) server_info: String,
}

impl Tail {
    /// Ends a result's object and the message: `out` holds members already.
    pub(crate) fn close(&self, out: &mut Vec<u8>, meta: Option<&Meta>, result_type: &str) {
        if self.shape.result_type {
            if out.last() != Some(&b'{') {
                out.push(b',');
            }
            out.extend_from_slice(br#""resultType":""#);
            out.extend_from_slice(result_type.as_bytes());
            out.push(b'"');
        }
        let meta = meta.filter(|meta| !meta.is_empty());
        if meta.is_some() || self.shape.server_info {
            if out.last() != Some(&b'{') {
                out.push(b',');
            }
            out.extend_from_slice(br#""_meta":{"#);
            for (index, (key, value)) in meta.into_iter().flatten().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(out, key);
                out.push(b':');
                write(out, value);
            }
            if self.shape.server_info {
                if meta.is_some() {
                    out.push(b',');
                }
                out.extend_from_slice(br#""io.modelcontextprotocol/serverInfo":"#);
                out.extend_from_slice(self.server_info.as_bytes());
            }
            out.push(b'}');
        }
        out.extend_from_slice(b"}}");
    }
}

/// Starts a message with a result, up to the first member.
pub(crate) fn open_result(id: &str, room: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(room + id.len() + 200);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(br#","result":{"#);
    out
}

impl<'r> Call<'r> {
    /// The request as the function sees it.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Stands before the body of a function that may run as a task: from here on it does, where the
    /// client takes one.
    pub async fn begin(&self) {
        if let Some(gate) = &self.context.inner().gate {
            gate.pass().await;
        }
    }

    fn shape(&self) -> &'static Shape {
        self.tail.shape
    }

    /// Reads a tool's arguments into its parameters.
    pub fn arguments<S: Slots<'r>>(&self) -> Result<S, Stop> {
        let Input::Arguments(raw) = self.input else {
            return Err(Stop::Fail(Error::new("this call has no arguments")));
        };
        let mut slots = S::empty();
        let read = self.read_fast(raw, &mut slots);
        if read && !self.target.constrained {
            return Ok(slots);
        }
        self.second_look(raw, read.then_some(slots))
    }

    /// One pass over the arguments' own text; `false` when anything is amiss.
    fn read_fast<S: Slots<'r>>(&self, raw: Option<&'r RawValue>, slots: &mut S) -> bool {
        let params = self.target.params;
        if let Some(raw) = raw.filter(|raw| raw.get() != "null") {
            let mut text = serde_json::Deserializer::from_str(raw.get());
            if text.deserialize_map(Reader { slots, target: self.target }).is_err() {
                return false;
            }
        }
        params.iter().enumerate().all(|(index, param)| {
            if param.whole {
                slots
                    .own(index, &mut serde_json::Deserializer::from_str(raw.map_or("{}", RawValue::get)))
                    .is_ok()
            } else {
                !param.argument || slots.is_filled(index) || param.has_default || slots.leave_out(index)
            }
        })
    }

    /// Reads the arguments leniently, and says all that is wrong with them.
    fn second_look<S: Slots<'r>>(&self, raw: Option<&RawValue>, read: Option<S>) -> Result<S, Stop> {
        let target = self.target;
        let wrong =
            |text: String| Stop::Fail(Error::new(format!("Invalid arguments for {}: {text}", target.name)));
        let given = raw.map_or("{}", |raw| if raw.get() == "null" { "{}" } else { raw.get() });
        let value: Value = serde_json::from_str(given).map_err(|error| wrong(error.to_string()))?;
        if let Some(slots) = read {
            let problems = schema::problems(&value, &target.input, &target.input, "", Mode::ConstraintsOnly);
            if problems.is_empty() {
                return Ok(slots);
            }
            return Err(wrong(join(&problems)));
        }
        let mut value = schema::coerce(&value, &target.input, &target.input);
        let kind = Kind::json(&value);
        let Value::Object(members) = &mut value else {
            return Err(wrong(format!("expected an object, got {kind}")));
        };
        let mut texts = Members::default();
        _ = serde_json::Deserializer::from_str(given).deserialize_map(&mut texts);
        let mut problems = texts.twice.iter().map(|name| format!("{name}: given twice")).collect::<Vec<_>>();
        if target.strict {
            let known: Vec<&str> = target.known.iter().map(String::as_str).collect();
            members.retain(|name, _| {
                let takes = target.takes(name);
                if !takes {
                    problems.push(schema::unknown(name, &known));
                }
                takes
            });
        }
        // The schema does not know what an alias stands for; then serde says what is wrong.
        if !target.aliases.iter().any(|alias| value.get(alias).is_some()) {
            let found = schema::problems(&value, &target.input, &target.input, "", Mode::Full);
            problems.extend(found.iter().map(ToString::to_string));
        }
        if problems.is_empty() {
            let mut slots = S::empty();
            for (index, param) in target.params.iter().enumerate().filter(|(_, param)| param.argument) {
                let result = if param.whole {
                    slots.own(index, &value)
                } else if let Some(member) = value.get(param.name) {
                    // The text keeps what a `Value` cannot, such as integers of 128 bits.
                    let exact = texts.get(param.name).is_some_and(|text| {
                        slots.own(index, &mut serde_json::Deserializer::from_str(text.get())).is_ok()
                    });
                    if exact { Ok(()) } else { slots.own(index, member) }
                } else if param.has_default || slots.leave_out(index) {
                    Ok(())
                } else {
                    Err(serde_json::Error::custom("missing"))
                };
                if let Err(error) = result {
                    let at = if param.whole { String::new() } else { format!("{}: ", param.name) };
                    problems.push(format!("{at}{error}"));
                }
            }
            if problems.is_empty() {
                return Ok(slots);
            }
        }
        Err(wrong(problems.join("\n")))
    }

    /// Reads a prompt's arguments or a template's variables into the function's parameters.
    pub fn strings<S: TextSlots>(&self) -> Result<S, Stop> {
        let Input::Strings { values, uri } = &self.input else {
            return Err(Stop::Fail(Error::new("this call has no arguments")));
        };
        let mut slots = S::empty();
        let mut problems = Vec::new();
        for (index, param) in self.target.params.iter().enumerate().filter(|(_, param)| param.argument) {
            match values.iter().find(|(name, _)| name == param.name) {
                Some((_, text)) => {
                    if let Err(why) = slots.read(index, text) {
                        problems.push(format!("{}: {why}, got \"{text}\"", param.name));
                    }
                }
                None if param.has_default || slots.leave_out(index) => {}
                None => problems.push(format!("{}: missing", param.name)),
            }
        }
        if problems.is_empty() {
            return Ok(slots);
        }
        // A URI whose variables do not fit names nothing that exists.
        Err(Stop::Fail(match self.target.kind {
            Kind::Resource => Error::resource_not_found(uri),
            _ => Error::protocol(ErrorObject::invalid_params(format!(
                "Invalid arguments for {}: {}",
                self.target.name,
                problems.join("; ")
            ))),
        }))
    }

    /// A tool's result from content blocks.
    pub(crate) fn result(&self, result: CallToolResult) -> Outcome {
        let shape = self.shape();
        let mut out = open_result(self.id, 256);
        out.extend_from_slice(br#""content":"#);
        let blocks: Vec<_> = result.content.into_iter().map(|block| block.shaped(shape)).collect();
        write(&mut out, &blocks);
        if let Some(data) = result.structured_content.filter(|_| shape.structured) {
            out.extend_from_slice(br#","structuredContent":"#);
            write(&mut out, &data);
        }
        if result.is_error {
            out.extend_from_slice(br#","isError":true"#);
        }
        self.tail.close(&mut out, result.meta.as_ref(), "complete");
        Outcome::Reply(out.into())
    }

    /// A tool's result from data: the text says the same.
    pub(crate) fn data(&self, data: &RawValue) -> Outcome {
        let output = self.target.output.as_ref();
        let spelled;
        let text = match data.get() {
            // A value that brings its own text may have line breaks, which end a message on stdio.
            text if text.contains(['\n', '\r']) => {
                spelled =
                    serde_json::from_str::<Value>(text).map(|value| value.to_string()).unwrap_or_default();
                spelled.as_str()
            }
            text => text,
        };
        let mut out = open_result(self.id, 2 * text.len());
        out.extend_from_slice(br#""content":[{"type":"text","text":"#);
        if text.starts_with('"') {
            out.extend_from_slice(text.as_bytes());
        } else {
            write(&mut out, text);
        }
        out.extend_from_slice(b"}]");
        if let Some(output) = output.filter(|_| self.shape().structured) {
            out.extend_from_slice(br#","structuredContent":"#);
            if output.wrapped {
                out.extend_from_slice(br#"{"result":"#);
                out.extend_from_slice(text.as_bytes());
                out.push(b'}');
            } else {
                out.extend_from_slice(text.as_bytes());
            }
        }
        self.tail.close(&mut out, None, "complete");
        Outcome::Reply(out.into())
    }

    /// A prompt's result.
    pub(crate) fn messages(&self, mut result: GetPromptResult) -> Outcome {
        let shape = self.shape();
        let mut out = open_result(self.id, 256);
        if let Some(description) = &result.description {
            out.extend_from_slice(br#""description":"#);
            write(&mut out, description);
            out.push(b',');
        }
        out.extend_from_slice(br#""messages":"#);
        for message in &mut result.messages {
            message.content = message.content.clone().shaped(shape);
        }
        write(&mut out, &result.messages);
        self.tail.close(&mut out, result.meta.as_ref(), "complete");
        Outcome::Reply(out.into())
    }

    /// The values of an argument.
    pub(crate) fn completion(&self, completion: &Completion) -> Outcome {
        let mut out = open_result(self.id, 256);
        out.extend_from_slice(br#""completion":{"values":"#);
        write(&mut out, &completion.values);
        if let Some(total) = completion.total {
            out.extend_from_slice(br#","total":"#);
            write(&mut out, &total);
        }
        out.extend_from_slice(br#","hasMore":"#);
        write(&mut out, &completion.has_more);
        out.push(b'}');
        self.tail.close(&mut out, None, "complete");
        Outcome::Reply(out.into())
    }

    /// A resource's result.
    pub(crate) fn contents(&self, mut contents: Vec<ResourceContents>) -> Outcome {
        let shape = self.shape();
        let mut out = open_result(self.id, 256);
        for part in &mut contents {
            if part.uri.is_empty()
                && let Input::Strings { uri, .. } = &self.input
            {
                (*uri).clone_into(&mut part.uri);
            }
            if part.mime_type.is_none() {
                part.mime_type = self.target.mime_type.map(str::to_owned);
            }
        }
        out.extend_from_slice(br#""contents":"#);
        write(&mut out, &contents);
        if shape.cache_hints {
            // What depends on answers is no cache's to keep: they are not part of its key.
            let retry = self.context.inner().round.is_retry();
            let (ttl, scope) = if retry { (0, CacheScope::Private) } else { self.target.fresh };
            write_hints(&mut out, ttl, scope);
        }
        self.tail.close(&mut out, None, "complete");
        Outcome::Reply(out.into())
    }

    pub(crate) fn finish(&self, end: Result<Outcome, Stop>) -> Outcome {
        match end {
            Ok(outcome) => outcome,
            Err(Stop::Open) => Outcome::Open,
            Err(Stop::Fail(error)) => self.fail(&error),
        }
    }

    /// The answer to a call that failed.
    pub(crate) fn fail(&self, error: &Error) -> Outcome {
        match (error.as_protocol(), self.target.kind) {
            (None, Kind::Tool) => self.result(CallToolResult::error(error.to_string())),
            _ => Outcome::Error(error.to_protocol()),
        }
    }
}

/// `ttlMs` and `cacheScope`, after another member.
pub(crate) fn write_hints(out: &mut Vec<u8>, ttl: u64, scope: CacheScope) {
    out.extend_from_slice(br#","ttlMs":"#);
    write(out, &ttl);
    out.extend_from_slice(br#","cacheScope":""#);
    out.extend_from_slice(scope.as_str().as_bytes());
    out.push(b'"');
}

fn join(problems: &[impl ToString]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Runs a function's expansion.
pub async fn run<F>(call: &Call<'_>, function: F) -> Outcome
where
    F: Future<Output = Result<Outcome, Stop>> + Send,
{
    call.finish(function.await)
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("target", &self.target.name).finish_non_exhaustive()
    }
}

struct Reader<'s, S> {
    slots: &'s mut S,
    target: &'s Target,
}

impl<'de, S: Slots<'de>> Visitor<'de> for Reader<'_, S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key_seed(Name(self.target))? {
            match name {
                Known::Param(index) if self.slots.is_filled(index) => {
                    return Err(A::Error::custom("given twice"));
                }
                Known::Param(index) => self.slots.fill(index, &mut map)?,
                Known::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

enum Known {
    Param(usize),
    /// A member of a parameter that takes all, or one that nobody wants where that is allowed.
    Other,
}

struct Name<'t>(&'t Target);

impl<'de> serde::de::DeserializeSeed<'de> for Name<'_> {
    type Value = Known;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Known, D::Error> {
        name.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Known;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an argument's name")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Known, E> {
        let mut params = self.0.params.iter();
        if let Some(index) = params.position(|param| param.name == name && param.argument && !param.whole) {
            return Ok(Known::Param(index));
        }
        if self.0.strict && !self.0.takes(name) {
            return Err(E::custom("no such argument"));
        }
        Ok(Known::Other)
    }
}

/// The members of the arguments, each as its own text.
#[derive(Default)]
struct Members<'de> {
    members: Vec<(Cow<'de, str>, &'de RawValue)>,
    twice: Vec<String>,
}

impl<'de> Members<'de> {
    fn get(&self, name: &str) -> Option<&'de RawValue> {
        self.members.iter().find(|(known, _)| known == name).map(|(_, raw)| *raw)
    }
}

/// The names that an object has more than once.
#[cfg(feature = "dynamic")]
pub(super) fn twice(text: &str) -> Vec<String> {
    let mut members = Members::default();
    _ = serde_json::Deserializer::from_str(text).deserialize_map(&mut members);
    members.twice
}

impl<'de> Visitor<'de> for &mut Members<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            if self.get(&name).is_some() {
                self.twice.push(name.into_owned());
                map.next_value::<IgnoredAny>()?;
            } else {
                self.members.push((name, map.next_value()?));
            }
        }
        Ok(())
    }
}
