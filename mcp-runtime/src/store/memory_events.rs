//! The event log of a server of one process.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    fmt,
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;

use super::{EventLog, EventLogError, LoggedEvent, Replay};
use crate::BoxFuture;

/// What an event takes beside its bytes, about.
const OVERHEAD: usize = 256;

/// Events in this process's memory: a bounded number of each stream, of bounded size together, for a
/// while. The oldest go first.
pub struct MemoryEvents {
    log: Mutex<Log>,
    /// Events of one stream.
    most: usize,
    /// Bytes of all events.
    room: usize,
    age: Duration,
    /// Sets the ids of this log apart from those of others.
    tag: String,
}

#[derive(Default)]
struct Log {
    sessions: HashMap<Arc<str>, HashMap<Arc<str>, Stream>>,
    /// Which event is whose, from the oldest on.
    order: BTreeMap<u64, (Arc<str>, Arc<str>)>,
    /// Number of the event that was added last.
    newest: u64,
    bytes: usize,
}

#[derive(Default)]
struct Stream {
    events: VecDeque<Kept>,
    /// Number of the newest event that is no longer kept.
    dropped: u64,
}

struct Kept {
    number: u64,
    event: Bytes,
    added: Instant,
}

impl MemoryEvents {
    /// Keeps at most `events` of each stream and `bytes` of all together, none for longer than `age`.
    #[must_use]
    pub fn new(events: usize, bytes: usize, age: Duration) -> Self {
        let tag = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
        Self { log: Mutex::default(), most: events.max(1), room: bytes, age, tag }
    }

    /// How many events are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().order.len()
    }

    /// Whether none are kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets what is too old.
    fn lock(&self) -> MutexGuard<'_, Log> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        while log.oldest().is_some_and(|kept| kept.added.elapsed() >= self.age) {
            log.drop_oldest();
        }
        log
    }

    fn id(&self, stream: &str, number: u64) -> String {
        format!("{stream}.{}.{number}", self.tag)
    }

    /// The stream and the number of an event, if this log gave out its id.
    fn read<'i>(&self, id: &'i str) -> Option<(&'i str, u64)> {
        let mut parts = id.rsplitn(3, '.');
        let number = parts.next()?.parse().ok()?;
        (parts.next()? == self.tag).then_some((parts.next()?, number))
    }

    fn add(&self, session: &str, stream: &str, event: Bytes) -> Result<String, EventLogError> {
        let size = event.len() + OVERHEAD;
        if size > self.room {
            return Err(EventLogError(format!("an event of {} bytes is too large for it", event.len())));
        }
        let mut log = self.lock();
        log.newest += 1;
        let number = log.newest;
        let (session, stream): (Arc<str>, Arc<str>) = (session.into(), stream.into());
        log.order.insert(number, (session.clone(), stream.clone()));
        log.bytes += size;
        let of_stream = log.sessions.entry(session).or_default().entry(stream.clone()).or_default();
        of_stream.events.push_back(Kept { number, event, added: Instant::now() });
        if of_stream.events.len() > self.most
            && let Some(dropped) = of_stream.drop_oldest()
        {
            log.order.remove(&dropped.number);
            log.bytes -= dropped.size();
        }
        while log.bytes > self.room {
            log.drop_oldest();
        }
        Ok(self.id(&stream, number))
    }

    fn read_after(&self, session: &str, id: &str) -> Option<Replay> {
        let (name, number) = self.read(id)?;
        let log = self.lock();
        let stream = log.sessions.get(session)?.get(name)?;
        let start = match stream.events.binary_search_by_key(&number, |kept| kept.number) {
            Ok(position) => position + 1,
            Err(_) if number > 0 && number == stream.dropped => 0,
            Err(_) => return None,
        };
        let missed = stream.events.iter().skip(start);
        let events =
            missed.map(|kept| LoggedEvent { id: self.id(name, kept.number), event: kept.event.clone() });
        Some(Replay { stream: name.to_owned(), events: events.collect() })
    }
}

impl Log {
    fn oldest(&self) -> Option<&Kept> {
        let (_, (session, stream)) = self.order.first_key_value()?;
        self.sessions.get(session)?.get(stream)?.events.front()
    }

    fn drop_oldest(&mut self) {
        let Some((_, (session, stream))) = self.order.pop_first() else { return };
        let Some(streams) = self.sessions.get_mut(&session) else { return };
        let Some(of_stream) = streams.get_mut(&stream) else { return };
        if let Some(dropped) = of_stream.drop_oldest() {
            self.bytes -= dropped.size();
        }
        if of_stream.events.is_empty() {
            streams.remove(&stream);
            if streams.is_empty() {
                self.sessions.remove(&session);
            }
        }
    }
}

impl Stream {
    fn drop_oldest(&mut self) -> Option<Kept> {
        let dropped = self.events.pop_front()?;
        self.dropped = dropped.number;
        Some(dropped)
    }
}

impl Kept {
    fn size(&self) -> usize {
        self.event.len() + OVERHEAD
    }
}

impl EventLog for MemoryEvents {
    fn append<'a>(
        &'a self,
        session: &'a str,
        stream: &'a str,
        event: Bytes,
    ) -> BoxFuture<'a, Result<String, EventLogError>> {
        Box::pin(async move { self.add(session, stream, event) })
    }

    fn after<'a>(
        &'a self,
        session: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<Option<Replay>, EventLogError>> {
        Box::pin(async move { Ok(self.read_after(session, id)) })
    }

    fn last<'a>(
        &'a self,
        session: &'a str,
        stream: &'a str,
    ) -> BoxFuture<'a, Result<Option<String>, EventLogError>> {
        Box::pin(async move {
            let log = self.lock();
            let of_stream = log.sessions.get(session).and_then(|streams| streams.get(stream));
            let newest = of_stream.and_then(|of_stream| of_stream.events.back());
            Ok(newest.map(|kept| self.id(stream, kept.number)))
        })
    }

    fn forget<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), EventLogError>> {
        Box::pin(async move {
            let mut log = self.lock();
            let streams = log.sessions.remove(session).unwrap_or_default();
            for kept in streams.values().flat_map(|stream| &stream.events) {
                log.order.remove(&kept.number);
                log.bytes -= kept.size();
            }
            Ok(())
        })
    }
}

impl fmt::Debug for MemoryEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryEvents")
            .field("events", &self.most)
            .field("bytes", &self.room)
            .field("age", &self.age)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(log: &MemoryEvents, stream: &str, event: &'static [u8]) -> String {
        log.add("session", stream, Bytes::from_static(event)).expect("there is room")
    }

    #[test]
    fn of_each_stream_the_newest_events_are_kept() {
        let log = MemoryEvents::new(2, 1 << 20, Duration::MAX);
        let ids: Vec<_> = (0..4).map(|_| add(&log, "a", b"x")).collect();
        let other = add(&log, "b", b"y");
        assert_eq!(log.len(), 3);
        assert_eq!(log.read_after("session", &ids[0]), None, "what came after it is not all there");
        let missed = log.read_after("session", &ids[1]).expect("all that came after it is there");
        assert_eq!(missed.events.iter().map(|event| &event.id).collect::<Vec<_>>(), [&ids[2], &ids[3]]);
        assert_eq!(log.read_after("session", &other).map(|replay| replay.events), Some(Vec::new()));
    }

    #[test]
    fn the_oldest_events_give_way_to_new_ones() {
        let log = MemoryEvents::new(100, 3 * (OVERHEAD + 1), Duration::MAX);
        let old = add(&log, "a", b"x");
        add(&log, "a", b"x");
        for _ in 0..3 {
            add(&log, "b", b"y");
        }
        assert_eq!(log.len(), 3);
        assert_eq!(log.read_after("session", &old), None);
        assert!(log.add("session", "a", Bytes::from(vec![0; 4 * OVERHEAD])).is_err(), "larger than all");
        assert_eq!(log.len(), 3);
    }

    #[test]
    fn events_are_forgotten_when_they_are_old() {
        let log = MemoryEvents::new(100, 1 << 20, Duration::ZERO);
        let id = add(&log, "a", b"x");
        assert!(log.is_empty());
        assert_eq!(log.read_after("session", &id), None);
        assert_eq!(log.lock().bytes, 0);
        assert!(log.lock().sessions.is_empty());
    }

    #[test]
    fn an_id_that_another_log_gave_out_is_unknown() {
        let (one, two) =
            (MemoryEvents::new(9, 1 << 20, Duration::MAX), MemoryEvents::new(9, 1 << 20, Duration::MAX));
        let id = add(&one, "a", b"x");
        add(&two, "a", b"x");
        assert_eq!(two.read_after("session", &id), None);
    }
}
