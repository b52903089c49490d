//! The contract of an event log.

use std::collections::BTreeSet;

use bytes::Bytes;

use super::{Broken, done, same, unused};
use crate::{
    dispatch::all,
    store::{EventLog, LoggedEvent, Replay},
};

/// Runs the contract of an [`EventLog`], which has to keep at least a hundred events for the time of a
/// test.
///
/// # Errors
///
/// The first rule that does not hold.
pub async fn event_log(here: &dyn EventLog, there: &dyn EventLog) -> Result<(), Broken> {
    let (session, stranger) = (unused("session")?, unused("session")?);
    let (stream, other) = (unused("stream")?, unused("stream")?);
    let rule = "a stream that has no events has no last one";
    same(done(here.last(&session, &stream).await, rule)?, None, rule)?;

    // Two streams, from two workers, one event here and one there.
    let (mut added, mut beside) = (Vec::new(), Vec::new());
    let large = vec![b'x'; 64 * 1024].into();
    for event in [Bytes::from_static(b"one"), Bytes::new(), Bytes::from_static(&[0, 0xff, b'\n']), large] {
        added.push(add(here, &session, &stream, event.clone()).await?);
        beside.push(add(there, &session, &other, event.clone()).await?);
        beside.push(add(here, &stranger, &other, event).await?);
    }
    let ids = || added.iter().chain(&beside).map(|event| event.id.as_str());
    let distinct: BTreeSet<_> = ids().collect();
    same(distinct.len(), ids().count(), "no two events have one id, whatever their streams and workers")?;
    let plain =
        |id: &str| id.len() <= 300 && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic());
    let rule = "an id is visible ASCII, of a length that a header can have";
    same(ids().find(|id| !plain(id)), None, rule)?;

    let rule = "what came after an event of a stream is read back by every worker: in order, as it was added, and \
                nothing of another stream";
    for log in [here, there] {
        for (position, event) in added.iter().enumerate() {
            let expected = Replay { stream: stream.clone(), events: added[position + 1..].to_vec() };
            same(done(log.after(&session, &event.id).await, rule)?, Some(expected), rule)?;
        }
        let last = added.last().map(|event| event.id.clone());
        let rule = "the last event of a stream is known to every worker";
        same(done(log.last(&session, &stream).await, rule)?, last, rule)?;
    }
    let rule = "a session gets nothing of the streams of another";
    same(done(here.after(&stranger, &added[0].id).await, rule)?, None, rule)?;
    let rule = "an id that was never given out is unknown";
    for id in ["", "1", "no such event", &format!("{}-", added[0].id)] {
        same(done(here.after(&session, id).await, rule)?, None, rule)?;
    }

    let many: Vec<_> = (0..32).map(|number| Bytes::from(number.to_string())).collect();
    let appends = many.iter().enumerate().map(|(number, event)| {
        let log = if number % 2 == 0 { here } else { there };
        add(log, &session, &stream, event.clone())
    });
    let appended = all(appends).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let rule =
        "of events that are added at the same time none is lost, and all workers read them in one order";
    let last = &added[added.len() - 1].id;
    let read = done(here.after(&session, last).await, rule)?.map(|replay| replay.events).unwrap_or_default();
    let again = done(there.after(&session, last).await, rule)?.map(|replay| replay.events);
    same(again.as_ref(), Some(&read), rule)?;
    let sorted = |mut events: Vec<LoggedEvent>| {
        events.sort_by(|one, two| one.id.cmp(&two.id));
        events
    };
    same(sorted(read), sorted(appended), rule)?;

    let rule = "a session that is forgotten is unknown to every worker, and no other is";
    done(there.forget(&session).await, rule)?;
    for log in [here, there] {
        same(done(log.after(&session, &added[0].id).await, rule)?, None, rule)?;
        same(done(log.last(&session, &other).await, rule)?, None, rule)?;
        same(done(log.after(&stranger, &beside[1].id).await, rule)?.is_some(), true, rule)?;
    }
    let rule = "an id is not given out again";
    let anew = add(here, &session, &stream, Bytes::new()).await?;
    same(ids().find(|id| *id == anew.id), None, rule)?;
    for session in [session, stranger] {
        done(here.forget(&session).await, "a session can be forgotten")?;
    }
    Ok(())
}

async fn add(log: &dyn EventLog, session: &str, stream: &str, event: Bytes) -> Result<LoggedEvent, Broken> {
    let id = done(log.append(session, stream, event.clone()).await, "an event can be added")?;
    Ok(LoggedEvent { id, event })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::store::MemoryEvents;

    #[tokio::test]
    async fn the_events_in_memory_hold_the_contract() {
        let log = MemoryEvents::new(100, 1 << 20, Duration::from_secs(60));
        assert_eq!(event_log(&log, &log).await, Ok(()));
        assert!(log.is_empty());
    }

    #[tokio::test]
    async fn a_log_of_each_worker_breaks_it() {
        let log = || MemoryEvents::new(100, 1 << 20, Duration::from_secs(60));
        let broken = event_log(&log(), &log()).await.expect_err("they do not share");
        assert!(broken.to_string().starts_with("what came after an event"), "{broken}");
    }
}
