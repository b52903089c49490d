//! What reaches clients beside results: changes, and the way out.

mod announcer;
mod bus;
mod cancel;
mod outbox;
mod progress;

pub(crate) use announcer::{Announced, Announcer, CHANGES, Change, History, TASK_STATUS};
pub use bus::{Bus, BusError, LocalBus, Topic};
pub(crate) use cancel::Cancel;
pub(crate) use outbox::{Outbound, Outbox, Record};
pub(crate) use progress::Progress;
pub use progress::{Amount, Total};
