//! The call that runs on this thread, for what has no other way to know it: the log. Only calls whose
//! client asked for messages are kept, so that others cost nothing.

use super::context::Context;
#[cfg(feature = "log")]
use crate::protocol::Level;

#[cfg(feature = "log")]
tokio::task_local! {
    static CALL: Context;
}

/// Does something as a part of a call.
#[cfg(feature = "log")]
pub(crate) fn within<T>(ctx: &Context, work: impl FnOnce() -> T) -> T {
    match ctx.inner().log_level {
        Some(_) => CALL.sync_scope(ctx.clone(), work),
        None => work(),
    }
}

/// Does something as a part of a call.
#[cfg(not(feature = "log"))]
pub(crate) fn within<T>(_: &Context, work: impl FnOnce() -> T) -> T {
    work()
}

/// What is to be done on another thread, as a part of the call that runs here.
#[cfg(feature = "log")]
pub(super) fn carried<T>(work: impl FnOnce() -> T + Send + 'static) -> impl FnOnce() -> T + Send + 'static {
    let call = CALL.try_with(Context::clone).ok();
    move || match call {
        Some(ctx) => CALL.sync_scope(ctx, work),
        None => work(),
    }
}

/// What is to be done on another thread, as a part of the call that runs here.
#[cfg(not(feature = "log"))]
pub(super) fn carried<T>(work: impl FnOnce() -> T + Send + 'static) -> impl FnOnce() -> T + Send + 'static {
    work
}

/// Whether there is a call here whose client wants messages of this level.
#[cfg(feature = "log")]
pub(crate) fn wants(level: Level) -> bool {
    CALL.try_with(|ctx| ctx.inner().log_level.is_some_and(|least| level >= least)).unwrap_or(false)
}

/// Sends the client of the call that runs here a message, if there is room for it.
#[cfg(feature = "log")]
pub(crate) fn log(level: Level, logger: &str, data: serde_json::Value) {
    _ = CALL.try_with(|ctx| ctx.log_now(level, logger, data));
}
