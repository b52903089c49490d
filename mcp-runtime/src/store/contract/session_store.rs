//! The contract of a session store.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use super::{Broken, done, same, unused};
use crate::{
    dispatch::all,
    protocol::Level,
    store::{Session, SessionChange, SessionStore},
};

/// Runs the contract of a [`SessionStore`].
///
/// # Errors
///
/// The first rule that does not hold.
pub async fn session_store(here: &dyn SessionStore, there: &dyn SessionStore) -> Result<(), Broken> {
    let id = unused("session")?;
    same(load(here, &id).await?, None, "a session that nobody opened is not there")?;
    let json = |text| done(serde_json::from_str::<Box<RawValue>>(text), "JSON can be read");
    let session = Session {
        id: id.clone(),
        version: "2025-11-25".to_owned(),
        client: Some(json(r#"{"name":"Ada \"é\"","version":"1"}"#)?),
        capabilities: Some(json(r#"{ "roots": {} }"#)?),
        subscriptions: BTreeSet::new(),
        log_level: None,
        principal: Some("ada".to_owned()),
        listening: None,
    };
    let mut expected = text(&session)?;
    done(here.insert(session.clone()).await, "a session can be opened")?;
    same(load(there, &id).await?, Some(expected), "every worker loads a session as it was opened")?;

    let rule = "changes are made one after the other, and every worker sees them";
    let mut changed = session;
    for change in [
        SessionChange::Subscribe("a://b".to_owned()),
        SessionChange::Subscribe("c://d".to_owned()),
        SessionChange::Unsubscribe("a://b".to_owned()),
        SessionChange::LogLevel(Level::Warning),
        SessionChange::Listen("first".to_owned()),
        SessionChange::Listen("second".to_owned()),
    ] {
        change.clone().apply(&mut changed);
        done(there.change(&id, change).await, rule)?;
    }
    expected = text(&changed)?;
    same(load(here, &id).await?, Some(expected), rule)?;

    let uris: Vec<_> = (0..32).map(|number| format!("many://{number}")).collect();
    let changes = uris.iter().enumerate().map(|(number, uri)| {
        let store = if number % 2 == 0 { here } else { there };
        store.change(&id, SessionChange::Subscribe(uri.clone()))
    });
    for change in all(changes).await {
        done(change, rule)?;
    }
    changed.subscriptions.extend(uris);
    expected = text(&changed)?;
    same(load(there, &id).await?, Some(expected), "of changes at the same time none is lost")?;

    let rule = "a session ends once, for every worker";
    same(done(there.remove(&id).await, rule)?, true, rule)?;
    same(done(here.remove(&id).await, rule)?, false, rule)?;
    let rule = "a change does not bring back a session that has ended";
    done(here.change(&id, SessionChange::Subscribe("a://b".to_owned())).await, rule)?;
    for store in [here, there] {
        same(load(store, &id).await?, None, rule)?;
    }
    Ok(())
}

/// A session as JSON.
fn text(session: &Session) -> Result<String, Broken> {
    done(serde_json::to_string(session), "a session can be written")
}

async fn load(store: &dyn SessionStore, id: &str) -> Result<Option<String>, Broken> {
    let session = done(store.load(id).await, "a session can be asked for")?;
    session.map(|session| text(&session)).transpose()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::store::MemorySessions;

    #[tokio::test]
    async fn the_sessions_in_memory_hold_the_contract() {
        let sessions = MemorySessions::new(10, Duration::from_secs(60));
        assert_eq!(session_store(&sessions, &sessions).await, Ok(()));
        assert!(sessions.is_empty());
    }

    #[tokio::test]
    async fn a_store_of_each_worker_breaks_it() {
        let store = || MemorySessions::new(10, Duration::from_secs(60));
        let broken = session_store(&store(), &store()).await.expect_err("they do not share");
        assert!(broken.to_string().starts_with("every worker loads a session"), "{broken}");
    }
}
