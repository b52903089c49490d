//! Tasks on the wire.

use std::{
    collections::BTreeMap,
    time::{Duration, UNIX_EPOCH},
};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::store::{InputRequest, Task, TaskStatus};

/// A task's members.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireTask<'a> {
    task_id: &'a str,
    status: TaskStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_message: Option<&'a str>,
    created_at: String,
    last_updated_at: String,
    ttl_ms: u64,
    poll_interval_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_requests: Option<&'a BTreeMap<String, InputRequest>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a RawValue>,
}

impl<'a> WireTask<'a> {
    /// A task as it is created: without what came of it.
    pub(crate) fn created(task: &'a Task) -> Self {
        Self {
            task_id: &task.id,
            status: task.status,
            status_message: task.message.as_deref(),
            created_at: time(task.created),
            last_updated_at: time(task.updated),
            ttl_ms: task.ttl,
            poll_interval_ms: task.poll_interval,
            input_requests: None,
            result: None,
            error: None,
        }
    }

    /// A task with all there is to know of it.
    pub(crate) fn detailed(task: &'a Task) -> Self {
        Self {
            input_requests: (task.status == TaskStatus::InputRequired).then_some(&task.requests),
            result: task.result.as_deref(),
            error: task.error.as_deref(),
            ..Self::created(task)
        }
    }
}

/// The last millisecond of the year 9999.
const LAST: u64 = 253_402_300_799_999;

/// A time as ISO 8601 has it.
fn time(milliseconds: u64) -> String {
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(milliseconds.min(LAST))).to_string()
}
