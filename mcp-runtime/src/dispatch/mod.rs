//! One request through its life: found, called, waited for, and answered.

mod core;
mod drive;
mod route;
mod sight;
mod task;

pub(crate) use self::{
    core::{Core, Limits},
    drive::Interrupt,
    route::route,
    sight::{allowed, find_resource, sees},
};

use std::sync::Arc;

use bytes::Bytes;

use crate::{
    ask::Backchannel,
    auth::Principal,
    handler::context::ClientText,
    notify::Outbox,
    protocol::{ErrorCode, ErrorObject, Id, Level, Params, RequestMeta, Shape, error_message},
};

/// A request that can be served: its client's revision is known and it is complete.
pub(crate) struct Request<'r> {
    pub(crate) id: Id<'r>,
    pub(crate) method: &'r str,
    pub(crate) params: Params<'r>,
    pub(crate) meta: RequestMeta<'r>,
    pub(crate) shape: &'static Shape,
    pub(crate) client: ClientText,
    pub(crate) asking: Asking,
    /// From which level on the client wants to read log messages, if at all.
    pub(crate) log_level: Option<Level>,
    pub(crate) link: Link,
}

impl Request<'_> {
    /// Whether the client takes a task in place of a result.
    pub(crate) fn takes_tasks(&self) -> bool {
        self.shape.tasks && self.client.capabilities().tasks()
    }
}

/// How this request's client is asked something.
pub(crate) enum Asking {
    /// With the result.
    Retry,
    /// In the middle of the call.
    Live(Arc<dyn Backchannel>),
    /// Not at all, and why.
    Nowhere(&'static str),
}

/// What connects a request with its client.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) principal: Option<Principal>,
    /// Whether the caller is whoever started the server.
    pub(crate) owner: bool,
    /// Where it is heard that the client cancelled, if it has a way to say so.
    pub(crate) interrupt: Option<Arc<dyn Interrupt>>,
}

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: Status,
    pub(crate) message: Bytes,
}

/// What an answer means for a transport that has statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Answered; an error of the function's own is an answer too.
    Ok,
    /// The request is malformed, or its client lacks what it needs.
    BadRequest,
    /// The caller's token does not allow it.
    Forbidden,
    /// There is no such method or session.
    NotFound,
}

impl Status {
    /// What an error means that came up while a request was served.
    pub(crate) fn of(error: &ErrorObject) -> Self {
        match error.code {
            ErrorCode::MissingClientCapability => Self::BadRequest,
            ErrorCode::InsufficientScope => Self::Forbidden,
            _ => Self::Ok,
        }
    }

    /// The same for clients up to 2025-11-25, which read the error and not the status.
    pub(crate) fn for_sessions(self) -> Self {
        if self == Self::Forbidden { self } else { Self::Ok }
    }
}

impl Reply {
    pub(crate) fn ok(message: Bytes) -> Self {
        Self { status: Status::Ok, message }
    }

    pub(crate) fn error(status: Status, id: Option<Id<'_>>, error: &ErrorObject, shape: &Shape) -> Self {
        Self { status, message: error_message(id, error, shape) }
    }
}

/// Runs futures side by side; their results in order.
pub(crate) async fn all<T>(futures: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut futures: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|cx| {
        let mut done = true;
        for (future, result) in &mut futures {
            if result.is_none() {
                match future.as_mut().poll(cx) {
                    std::task::Poll::Ready(value) => *result = Some(value),
                    std::task::Poll::Pending => done = false,
                }
            }
        }
        if done { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    futures.into_iter().filter_map(|(_, result)| result).collect()
}
