//! Where a plain `fn` runs. It may block, and must then not stall the others; or it is done in a
//! microsecond, and a trip to another thread would cost more than the work. It starts on the
//! blocking pool, and moves inline once it has shown itself quick; one slow call sends it back.

use std::{
    panic,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use super::current::carried;

/// How quick a call has to be to count as quick.
const QUICK: Duration = Duration::from_micros(100);
/// How many quick calls in a row bring a function inline.
const PROVEN: u32 = 32;

/// What is known of one function.
#[derive(Debug)]
pub struct Load {
    quick: AtomicU32,
    mode: Mode,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    Adaptive,
    Blocking,
    Inline,
}

impl Load {
    /// Learn from the calls.
    #[must_use]
    pub const fn adaptive() -> Self {
        Self { quick: AtomicU32::new(0), mode: Mode::Adaptive }
    }

    /// Always on the blocking pool.
    #[must_use]
    pub const fn blocking() -> Self {
        Self { quick: AtomicU32::new(0), mode: Mode::Blocking }
    }

    /// Always inline.
    #[must_use]
    pub const fn inline() -> Self {
        Self { quick: AtomicU32::new(0), mode: Mode::Inline }
    }

    fn runs_inline(&self) -> bool {
        match self.mode {
            Mode::Adaptive => self.quick.load(Ordering::Relaxed) >= PROVEN,
            Mode::Blocking => false,
            Mode::Inline => true,
        }
    }

    fn took(&self, time: Duration) {
        if matches!(self.mode, Mode::Adaptive) {
            if time > QUICK {
                self.quick.store(0, Ordering::Relaxed);
            } else if self.quick.load(Ordering::Relaxed) < PROVEN {
                self.quick.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// Runs a plain function where it belongs.
pub async fn offload<T: Send + 'static>(load: &'static Load, work: impl FnOnce() -> T + Send + 'static) -> T {
    let timed = move || {
        let start = Instant::now();
        let value = work();
        load.took(start.elapsed());
        value
    };
    if load.runs_inline() {
        return timed();
    }
    match tokio::task::spawn_blocking(carried(timed)).await {
        Ok(value) => value,
        Err(error) => match error.try_into_panic() {
            Ok(payload) => panic::resume_unwind(payload),
            // The runtime is shutting down and takes no more work: nobody waits for this answer.
            Err(_) => std::future::pending().await,
        },
    }
}
