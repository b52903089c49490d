//! The methods of the extension `io.modelcontextprotocol/tasks`.

use std::{collections::BTreeMap, sync::Arc};

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    auth::Principal,
    dispatch::{Core, Reply, Request, Status},
    handler::call::open_result,
    notify::TASK_STATUS,
    protocol::{Capability, ErrorObject, Params, notification, write_members},
    store::{StoreError, Task, TaskChange},
    task::WireTask,
};

/// Whether a method is one of the extension's.
pub(super) fn is_method(method: &str) -> bool {
    matches!(method, "tasks/get" | "tasks/update" | "tasks/cancel")
}

/// What a client that did not declare the extension gets.
pub(super) fn undeclared() -> ErrorObject {
    Capability::Tasks.missing("because it is about tasks")
}

/// Serves one request of the extension.
pub(super) async fn serve(core: &Core, request: Request<'_>) -> Reply {
    match answer(core, &request).await {
        Ok(message) => Reply::ok(message),
        Err(error) => Reply::error(Status::of(&error), Some(request.id), &error, request.shape),
    }
}

async fn answer(core: &Core, request: &Request<'_>) -> Result<Bytes, ErrorObject> {
    if !request.takes_tasks() {
        return Err(undeclared());
    }
    let id = Params::string(request.params.task_id, "taskId")?;
    let task =
        task_of(core, &id, request.link.principal.as_ref()).await.map_err(failed)?.ok_or_else(|| {
            ErrorObject::invalid_params("There is no such task: it never was, or its time is over")
        })?;
    let mut out = open_result(request.id.text(), 256);
    match request.method {
        "tasks/get" => write_members(&mut out, &WireTask::detailed(&task)),
        "tasks/cancel" => core.tasks.change_for_client(&id, TaskChange::Cancel).await.map_err(failed)?,
        _ => {
            let change = TaskChange::Answer(responses(&request.params)?);
            core.tasks.change_for_client(&id, change).await.map_err(failed)?;
        }
    }
    core.tail(request.shape).close(&mut out, None, "complete");
    Ok(out.into())
}

/// The task of this id, if it belongs to this caller.
async fn task_of(
    core: &Core,
    id: &str,
    principal: Option<&Principal>,
) -> Result<Option<Arc<Task>>, StoreError> {
    let task = core.tasks.store.load(id).await?;
    Ok(task.filter(|task| task.principal.as_deref() == principal.map(Principal::id)))
}

fn failed(error: StoreError) -> ErrorObject {
    tracing::error!(%error, "a task could not be looked at");
    ErrorObject::internal("The task could not be looked at")
}

fn responses(params: &Params<'_>) -> Result<BTreeMap<String, Box<RawValue>>, ErrorObject> {
    let responses = params
        .input_responses
        .ok_or_else(|| ErrorObject::invalid_params("`params.inputResponses` is missing"))?;
    serde_json::from_str(responses.get())
        .map_err(|_| ErrorObject::invalid_params("`params.inputResponses` has to be an object"))
}

/// Of these tasks, those that belong to this caller.
pub(super) async fn known(core: &Core, ids: Vec<String>, principal: Option<&Principal>) -> Vec<String> {
    let mut known = Vec::new();
    for id in ids {
        if !known.contains(&id) && matches!(task_of(core, &id, principal).await, Ok(Some(_))) {
            known.push(id);
        }
    }
    known
}

#[derive(Serialize)]
struct Told<'a, M> {
    #[serde(flatten)]
    task: WireTask<'a>,
    #[serde(rename = "_meta")]
    meta: M,
}

/// The notification that tells where a task stands now.
pub(super) async fn status(core: &Core, id: &str, meta: impl Serialize) -> Option<Bytes> {
    let task = core.tasks.store.load(id).await.ok()??;
    Some(notification(TASK_STATUS, Some(Told { task: WireTask::detailed(&task), meta })))
}
