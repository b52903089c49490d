//! Calls that may go on as tasks.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use bytes::Bytes;
use serde_json::value::RawValue;

use super::{
    Core, Reply, Request,
    drive::drive,
    route::{answer, binding, context, refuse},
};
use crate::{
    BoxFuture,
    auth::Principal,
    catalog::Entry,
    clock::{milliseconds, now},
    handler::{
        call::{Call, Input, Outcome, open_result},
        context::Context,
    },
    protocol::{ErrorObject, write_members},
    store::{StoreError, Task, TaskStatus, new_id},
    task::{Gate, Job, WireTask},
};

/// How often a client should look after its task.
const POLL: Duration = Duration::from_millis(500);

/// Calls a tool whose body runs as a task, for a client that takes one. `None` where it cancelled.
pub(super) async fn call(
    core: &Core,
    mut request: Request<'_>,
    entry: &Arc<Entry>,
    name: &str,
) -> Option<Reply> {
    let client = std::mem::take(&mut request.client);
    let binding = binding(core, &request, name);
    let context = match context(core, &request, entry, client, &binding, Some(Gate::default())) {
        Ok(context) => context,
        Err(error) => return Some(refuse(&request, &error)),
    };
    let limit = entry.timeout.unwrap_or(core.limits.task);
    let mut work = work(core, &request, entry.clone(), context.clone(), limit);
    let interrupted = async {
        match &request.link.interrupt {
            Some(interrupt) => interrupt.interrupted(request.id.text()).await,
            None => std::future::pending().await,
        }
    };
    let reached = async {
        match &context.inner().gate {
            Some(gate) => gate.reached().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        outcome = &mut work => return Some(answer(core, &request, &context, &binding, outcome?)),
        () = reached => {}
        () = interrupted => return None,
    }
    // A task outlives its time by the time for which results are kept.
    let kept = entry.timeout.unwrap_or_default().saturating_add(core.limits.task);
    let task = match create(core, request.link.principal.as_ref(), kept).await {
        Ok(task) => task,
        Err(error) => return Some(refuse(&request, &error)),
    };
    let head = open_result(request.id.text(), 0).len() - 1;
    let job = Arc::new(Job::new(task.id.clone(), core.tasks.clone(), request.shape));
    context.inner().becomes(job.clone());
    let closing = core.closing.clone();
    tokio::spawn(async move { job.run(work, head, kept, closing).await });
    let mut out = open_result(request.id.text(), 256);
    write_members(&mut out, &WireTask::created(&task));
    core.tail(request.shape).close(&mut out, None, "task");
    Some(Reply::ok(Bytes::from(out)))
}

/// The call as something that needs nothing of its request any more.
fn work(
    core: &Core,
    request: &Request<'_>,
    entry: Arc<Entry>,
    context: Context,
    limit: Duration,
) -> BoxFuture<'static, Option<Outcome>> {
    let id = request.id.text().to_owned();
    let arguments = request.params.arguments.map(RawValue::to_owned);
    let (tails, index) = (core.tails.clone(), request.shape.index);
    Box::pin(async move {
        let input = Input::Arguments(arguments.as_deref());
        let call = Call { context, id: &id, target: &entry.target, tail: &tails[index], input };
        drive(&call, entry.handler, limit, None).await
    })
}

async fn create(core: &Core, principal: Option<&Principal>, kept: Duration) -> Result<Task, ErrorObject> {
    let now = milliseconds(now());
    let task = Task {
        id: new_id()?,
        principal: principal.map(|principal| principal.id().to_owned()),
        status: TaskStatus::Working,
        message: None,
        created: now,
        updated: now,
        ttl: milliseconds(kept),
        poll_interval: milliseconds(POLL),
        requests: BTreeMap::new(),
        answers: BTreeMap::new(),
        result: None,
        error: None,
    };
    core.tasks.store.insert(task.clone()).await.map_err(|error| {
        tracing::warn!(%error, "a task could not be created");
        ErrorObject::internal(match error {
            StoreError::Full => "The server has too many tasks; try again later",
            _ => "The task could not be created",
        })
    })?;
    Ok(task)
}
