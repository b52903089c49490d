//! From a method to what answers it.

use std::{borrow::Cow, collections::BTreeMap};

use bytes::Bytes;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{Asking, Core, Reply, Request, Status, drive::drive, sight, task};
use crate::{
    ask::{
        Carrier, Retry,
        sealed::{Binding, Payload},
    },
    auth::Principal,
    catalog::{Entry, Of, Section, Snapshot},
    handler::{
        call::{Call, Input, Outcome, open_result},
        context::{ClientText, Context},
        def::TaskSupport,
        error::Error,
    },
    protocol::{Capability, ErrorCode, ErrorObject, Params, write},
    task::Gate,
};

/// Answers a request whose method means the same in all revisions. `None` where its client cancelled.
pub(crate) async fn route(core: &Core, request: Request<'_>) -> Option<Reply> {
    let catalog = core.catalog.load();
    match request.method {
        method if !catalog.serves(method) => {
            let error = ErrorObject::new(ErrorCode::MethodNotFound, format!("There is no method `{method}`"));
            Some(Reply::error(Status::NotFound, Some(request.id), &error, request.shape))
        }
        "tools/list" => Some(list(core, &request, &catalog, &catalog.tools).await),
        "prompts/list" => Some(list(core, &request, &catalog, &catalog.prompts).await),
        "resources/list" => Some(list(core, &request, &catalog, &catalog.resources).await),
        "resources/templates/list" => Some(list(core, &request, &catalog, &catalog.templates).await),
        "tools/call" => {
            let name = match Params::string(request.params.name, "name") {
                Ok(name) => name,
                Err(error) => return Some(refuse(&request, &error)),
            };
            let Some(entry) = sight::find(core, &request, &catalog.tools, &name).await else {
                let error = unknown(core, &request, "tool", &name, &catalog.tools).await;
                return Some(refuse(&request, &error));
            };
            match entry.task {
                TaskSupport::Optional | TaskSupport::Required if request.takes_tasks() => {
                    return task::call(core, request, entry, &name).await;
                }
                TaskSupport::Required => {
                    let error = Capability::Tasks.missing("because it takes long and runs as a task");
                    return Some(refuse(&request, &error));
                }
                TaskSupport::Never | TaskSupport::Optional => {}
            }
            let input = Input::Arguments(request.params.arguments);
            call(core, request, entry, &name, input).await
        }
        "completion/complete" => complete(core, &catalog, request).await,
        "prompts/get" => {
            let name = match Params::string(request.params.name, "name") {
                Ok(name) => name,
                Err(error) => return Some(refuse(&request, &error)),
            };
            let Some(entry) = sight::find(core, &request, &catalog.prompts, &name).await else {
                let error = unknown(core, &request, "prompt", &name, &catalog.prompts).await;
                return Some(refuse(&request, &error));
            };
            let values = match strings(request.params.arguments, entry) {
                Ok(values) => values,
                Err(error) => return Some(refuse(&request, &error)),
            };
            call(core, request, entry, &name, Input::Strings { values, uri: "" }).await
        }
        _ => {
            let uri = match Params::string(request.params.uri, "uri") {
                Ok(uri) => uri,
                Err(error) => return Some(refuse(&request, &error)),
            };
            let found = sight::find_resource(core, &request, &catalog, &uri).await;
            let Some((entry, variables)) = found else {
                return Some(refuse(&request, &Error::resource_not_found(&uri).to_protocol()));
            };
            let values =
                variables.into_iter().map(|(name, value)| (Cow::Borrowed(name), Cow::Owned(value))).collect();
            call(core, request, entry, &uri, Input::Strings { values, uri: &uri }).await
        }
    }
}

pub(super) fn refuse(request: &Request<'_>, error: &ErrorObject) -> Reply {
    Reply::error(Status::of(error), Some(request.id), error, request.shape)
}

async fn unknown(
    core: &Core,
    request: &Request<'_>,
    kind: &str,
    name: &str,
    section: &Section,
) -> ErrorObject {
    let known = sight::names(core, request, section).await;
    let near = crate::schema::nearest(name, &known);
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    ErrorObject::invalid_params(format!("Unknown {kind}: {name}{hint}"))
}

/// A list: ready bytes, unless it depends on who asks.
async fn list(core: &Core, request: &Request<'_>, catalog: &Snapshot, section: &Section) -> Reply {
    let (shape, cursor) = (request.shape, request.params.cursor);
    let with_instances = std::ptr::eq(section, &raw const catalog.resources) && catalog.lists_instances();
    let page = if section.ruled || with_instances {
        let mut shown = sight::definitions(core, request, section).await;
        if with_instances && let Err(error) = sight::instances(core, request, catalog, &mut shown).await {
            return refuse(request, &error.to_protocol());
        }
        section.list.page_of(&shown.into_values().collect::<Vec<_>>(), shape.index, cursor)
    } else {
        section.list.page(shape.index, cursor)
    };
    match page {
        Ok(page) => Reply::ok(listed(request.id.text(), &page)),
        Err(error) => refuse(request, &error),
    }
}

fn listed(id: &str, page: &Bytes) -> Bytes {
    let mut out = Vec::with_capacity(page.len() + id.len() + 40);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(br#","result":"#);
    out.extend_from_slice(page);
    out.into()
}

/// What is to be completed.
#[derive(Deserialize)]
#[serde(tag = "type")]
enum Completed {
    #[serde(rename = "ref/prompt")]
    Prompt { name: String },
    #[serde(rename = "ref/resource")]
    Resource { uri: String },
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    value: String,
}

/// The arguments that were already given.
#[derive(Default, Deserialize)]
struct Given {
    #[serde(default)]
    arguments: BTreeMap<String, String>,
}

async fn complete(core: &Core, catalog: &Snapshot, mut request: Request<'_>) -> Option<Reply> {
    fn read<T: DeserializeOwned>(raw: Option<&RawValue>, member: &str) -> Result<T, ErrorObject> {
        let raw = raw.ok_or_else(|| ErrorObject::invalid_params(format!("`params.{member}` is missing")))?;
        serde_json::from_str(raw.get())
            .map_err(|error| ErrorObject::invalid_params(format!("`params.{member}`: {error}")))
    }
    // What is only being typed is no reason to ask, and its result has no place for a question.
    request.asking = Asking::Nowhere("A completion cannot ask the client");
    let params = &request.params;
    let given = params.context.map_or_else(|| Ok(Given::default()), |raw| read(Some(raw), "context"));
    let (of, argument, given) =
        match (read(params.reference, "ref"), read::<Argument>(params.argument, "argument"), given) {
            (Ok(of), Ok(argument), Ok(given)) => (of, argument, given),
            (Err(error), ..) | (_, Err(error), _) | (.., Err(error)) => {
                return Some(refuse(&request, &error));
            }
        };
    let (entry, there, key) = match &of {
        Completed::Prompt { name } => {
            let there = sight::find(core, &request, &catalog.prompts, name).await;
            (catalog.completion(Of::Prompt, name, &argument.name), there, name)
        }
        Completed::Resource { uri } => {
            let mut there = sight::find(core, &request, &catalog.templates, uri).await;
            if there.is_none() {
                there = sight::find(core, &request, &catalog.resources, uri).await;
            }
            (catalog.completion(Of::Template, uri, &argument.name), there, uri)
        }
    };
    let Some(there) = there else {
        return Some(refuse(
            &request,
            &ErrorObject::invalid_params(format!("There is no `{key}` to complete an argument of")),
        ));
    };
    if let Err(error) = sight::allowed(&request, there.scopes) {
        return Some(refuse(&request, &error));
    }
    if !there.target.params.iter().any(|param| param.argument && param.name == argument.name) {
        let error = ErrorObject::invalid_params(format!("`{key}` has no argument `{}`", argument.name));
        return Some(refuse(&request, &error));
    }
    let Some(entry) = entry else {
        let mut out = open_result(request.id.text(), 64);
        out.extend_from_slice(br#""completion":{"values":[],"total":0,"hasMore":false}"#);
        core.tail(request.shape).close(&mut out, None, "complete");
        return Some(Reply::ok(out.into()));
    };
    let mut values: Strings<'_> = vec![("value".into(), argument.value.into())];
    values.extend(given.arguments.into_iter().map(|(name, value)| (name.into(), value.into())));
    call(core, request, entry, &argument.name, Input::Strings { values, uri: "" }).await
}

type Strings<'r> = Vec<(Cow<'r, str>, Cow<'r, str>)>;

/// A prompt's arguments: strings, or what can be said as one.
fn strings<'r>(arguments: Option<&'r RawValue>, entry: &Entry) -> Result<Strings<'r>, ErrorObject> {
    let Some(arguments) = arguments.filter(|raw| raw.get() != "null") else { return Ok(Vec::new()) };
    let members: BTreeMap<Cow<'r, str>, &'r RawValue> = serde_json::from_str(arguments.get())
        .map_err(|_| ErrorObject::invalid_params("`params.arguments` has to be an object"))?;
    let known: Vec<&str> =
        entry.target.params.iter().filter(|param| param.argument).map(|param| param.name).collect();
    let mut values = Vec::with_capacity(members.len());
    for (name, raw) in members {
        if !known.contains(&&*name) {
            return Err(ErrorObject::invalid_params(format!(
                "Invalid arguments for {}: {}",
                entry.target.name,
                crate::schema::unknown(&name, &known)
            )));
        }
        if raw.get() == "null" {
            // Said to be left out.
            continue;
        }
        let text = crate::protocol::text(raw).ok_or_else(|| {
            ErrorObject::invalid_params(format!(
                "Invalid arguments for {}: {name}: expected a string, got {}",
                entry.target.name,
                raw.get().chars().take(60).collect::<String>()
            ))
        })?;
        values.push((name, text));
    }
    Ok(values)
}

/// Calls a function.
async fn call(
    core: &Core,
    mut request: Request<'_>,
    entry: &Entry,
    name: &str,
    input: Input<'_>,
) -> Option<Reply> {
    let client = std::mem::take(&mut request.client);
    let binding = binding(core, &request, name);
    let context = match context(core, &request, entry, client, &binding, None) {
        Ok(context) => context,
        Err(error) => return Some(refuse(&request, &error)),
    };
    let tail = core.tail(request.shape);
    let call = Call { context, id: request.id.text(), target: &entry.target, tail, input };
    let limit = entry.timeout.unwrap_or(core.limits.call);
    let outcome = drive(&call, entry.handler, limit, request.link.interrupt.as_deref()).await?;
    Some(answer(core, &request, &call.context, &binding, outcome))
}

/// What a sealed state of this request is bound to.
pub(super) fn binding<'r>(core: &'r Core, request: &'r Request<'_>, name: &'r str) -> Binding<'r> {
    Binding {
        audience: &core.audience,
        principal: request.link.principal.as_ref().map(Principal::id),
        method: request.method,
        name,
        arguments: request.params.arguments,
    }
}

/// The request as its function sees it.
pub(super) fn context(
    core: &Core,
    request: &Request<'_>,
    entry: &Entry,
    client: ClientText,
    binding: &Binding<'_>,
    gate: Option<Gate>,
) -> Result<Context, ErrorObject> {
    sight::allowed(request, entry.scopes)?;
    let carrier = match &request.asking {
        Asking::Live(client) => Carrier::Live(client.clone()),
        Asking::Nowhere(why) => Carrier::Nowhere(why),
        Asking::Retry => Carrier::Retry(retry(core, &request.params, binding)?),
    };
    Ok(sight::context(core, request, client, carrier, gate))
}

/// The answer to a request whose function came to this.
pub(super) fn answer(
    core: &Core,
    request: &Request<'_>,
    context: &Context,
    binding: &Binding<'_>,
    outcome: Outcome,
) -> Reply {
    let error = match outcome {
        Outcome::Reply(message) => return Reply::ok(message),
        Outcome::Error(error) => error,
        Outcome::Open => match interim(core, request, context, binding) {
            Ok(message) => return Reply::ok(message),
            Err(error) => error,
        },
    };
    refuse(request, &error)
}

/// What a retry brought: answers, and the state of the try before.
fn retry(core: &Core, params: &Params<'_>, binding: &Binding<'_>) -> Result<Retry, ErrorObject> {
    let state = match params.request_state {
        Some(state) => core.keys.open(state, binding)?,
        None => Payload::default(),
    };
    let responses = match params.input_responses.filter(|raw| raw.get() != "null") {
        Some(raw) => serde_json::from_str(raw.get())
            .map_err(|_| ErrorObject::invalid_params("`params.inputResponses` has to be an object"))?,
        None => BTreeMap::new(),
    };
    Ok(Retry { responses, state })
}

#[derive(Serialize)]
struct Asked<'a> {
    method: &'static str,
    params: &'a RawValue,
}

/// An `InputRequiredResult`: what is asked, and the sealed state of this try.
fn interim(
    core: &Core,
    request: &Request<'_>,
    context: &Context,
    binding: &Binding<'_>,
) -> Result<Bytes, ErrorObject> {
    let interim = context.inner().round.interim()?;
    let state = core.keys.seal(interim.payload, binding)?;
    let requests: BTreeMap<_, _> = interim
        .open
        .iter()
        .map(|(key, open)| (key, Asked { method: open.method, params: &open.params }))
        .collect();
    let mut out = open_result(request.id.text(), 512);
    out.extend_from_slice(br#""inputRequests":"#);
    write(&mut out, &requests);
    out.extend_from_slice(br#","requestState":"#);
    write(&mut out, &state);
    core.tail(request.shape).close(&mut out, None, "input_required");
    Ok(out.into())
}
