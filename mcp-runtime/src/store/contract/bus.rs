//! The contract of a bus.

use std::time::Duration;

use bytes::Bytes;

use super::{Broken, done, same, unused};
use crate::notify::{Bus, Topic};

/// Time for a message on its way.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs the contract of a [`Bus`].
///
/// # Errors
///
/// The first rule that does not hold.
pub async fn bus(here: &dyn Bus, there: &dyn Bus) -> Result<(), Broken> {
    let (topic, other) = (unused("topic")?, unused("topic")?);
    done(here.publish(&topic, "nobody".into()).await, "a message that nobody listens to is no error")?;
    let mut listeners = Vec::new();
    for bus in [here, there, here] {
        listeners.push(done(bus.subscribe(&topic).await, "a topic can be listened to")?);
    }
    let mut apart = done(there.subscribe(&other).await, "a topic can be listened to")?;
    let messages = [
        Bytes::from_static(b"one"),
        Bytes::from_static(&[0, 0xff, b'\n', b'"']),
        Bytes::new(),
        vec![b'x'; 64 * 1024].into(),
    ];
    for message in &messages {
        done(here.publish(&topic, message.clone()).await, "a message can be published")?;
    }
    let everyone = "every listener, of every worker, hears what is published from its subscription on: each once, in order";
    for listener in &mut listeners {
        for message in &messages {
            same(next(&mut **listener).await, Some(message.clone()), everyone)?;
        }
    }
    let mut left = listeners.split_off(1);
    drop(listeners);
    done(there.publish(&topic, "after".into()).await, "a message can be published from every worker")?;
    for listener in &mut left {
        let rule = "a listener goes on when another has gone";
        same(next(&mut **listener).await, Some("after".into()), rule)?;
    }
    done(here.publish(&other, "apart".into()).await, "a message can be published")?;
    same(next(&mut *apart).await, Some("apart".into()), "a topic carries nothing of another")
}

/// The next message, if one comes in time.
async fn next(listener: &mut dyn Topic) -> Option<Bytes> {
    tokio::time::timeout(PATIENCE, listener.next()).await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use crate::notify::LocalBus;

    #[tokio::test]
    async fn the_bus_of_one_process_holds_the_contract() {
        let bus = LocalBus::default();
        assert_eq!(super::bus(&bus, &bus).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn two_buses_that_do_not_meet_break_it() {
        let broken =
            super::bus(&LocalBus::default(), &LocalBus::default()).await.expect_err("they do not meet");
        assert!(broken.to_string().starts_with("every listener, of every worker"), "{broken}");
    }
}
