//! Requests that came while as many as may be are in flight.

use std::collections::VecDeque;

use bytes::Bytes;

/// Requests that may wait, and their bytes together.
const MOST: usize = 256;
const ROOM: usize = 1024 * 1024;

/// Requests that wait for others to end, so that what comes behind them is heard: a cancellation, or
/// the answer that a running one waits for.
#[derive(Default)]
pub(super) struct Parked {
    requests: VecDeque<(Option<Box<str>>, Bytes)>,
    bytes: usize,
}

impl Parked {
    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Whether another one may wait.
    pub(super) fn has_room(&self) -> bool {
        self.requests.len() < MOST && self.bytes < ROOM
    }

    pub(super) fn add(&mut self, id: Option<Box<str>>, request: Bytes) {
        self.bytes += request.len();
        self.requests.push_back((id, request));
    }

    pub(super) fn next(&mut self) -> Option<Bytes> {
        let (_, request) = self.requests.pop_front()?;
        self.bytes -= request.len();
        Some(request)
    }

    /// Forgets the request of this id: its client no longer waits for it.
    pub(super) fn cancel(&mut self, id: &str) {
        self.requests.retain(|(parked, request)| {
            let keep = parked.as_deref() != Some(id);
            if !keep {
                self.bytes -= request.len();
            }
            keep
        });
    }
}
