//! The sessions of a server of one process.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{Session, SessionChange, SessionStore, StoreError};
use crate::BoxFuture;

/// Sessions in this process's memory. One that nobody uses for a while is forgotten.
pub struct MemorySessions {
    sessions: Mutex<Sessions>,
    most: usize,
    idle: Duration,
}

struct Sessions {
    by_id: HashMap<String, Kept>,
    swept: Instant,
}

struct Kept {
    session: Arc<Session>,
    used: Instant,
}

impl MemorySessions {
    /// Keeps at most `most` sessions, each until nobody has used it for `idle`.
    #[must_use]
    pub fn new(most: usize, idle: Duration) -> Self {
        let sessions = Sessions { by_id: HashMap::new(), swept: Instant::now() };
        Self { sessions: Mutex::new(sessions), most, idle }
    }

    /// How many sessions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock(true).by_id.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets what is too old, now or when it is time.
    fn lock(&self, now: bool) -> MutexGuard<'_, Sessions> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if now || sessions.swept.elapsed() > self.idle / 8 {
            sessions.by_id.retain(|_, kept| kept.used.elapsed() < self.idle);
            sessions.swept = Instant::now();
        }
        sessions
    }
}

impl SessionStore for MemorySessions {
    fn insert(&self, session: Session) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let full = self.lock(false).by_id.len() >= self.most;
            let mut sessions = self.lock(full);
            if sessions.by_id.len() >= self.most {
                return Err(StoreError::Full);
            }
            let kept = Kept { session: Arc::new(session), used: Instant::now() };
            sessions.by_id.insert(kept.session.id.clone(), kept);
            Ok(())
        })
    }

    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Arc<Session>>, StoreError>> {
        Box::pin(async move {
            let mut sessions = self.lock(false);
            let Some(kept) = sessions.by_id.get_mut(id) else { return Ok(None) };
            if kept.used.elapsed() >= self.idle {
                sessions.by_id.remove(id);
                return Ok(None);
            }
            kept.used = Instant::now();
            Ok(Some(kept.session.clone()))
        })
    }

    fn change<'a>(&'a self, id: &'a str, change: SessionChange) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            if let Some(kept) = self.lock(false).by_id.get_mut(id) {
                change.apply(Arc::make_mut(&mut kept.session));
            }
            Ok(())
        })
    }

    fn remove<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.lock(false).by_id.remove(id).is_some()) })
    }
}

impl fmt::Debug for MemorySessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemorySessions")
            .field("most", &self.most)
            .field("idle", &self.idle)
            .finish_non_exhaustive()
    }
}
