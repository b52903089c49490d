//! `initialize`.

use std::{collections::BTreeSet, sync::Arc};

use bytes::Bytes;

use super::{LiveSession, Peer};
use crate::{
    auth::Principal,
    dispatch::Core,
    era::{
        capabilities::{capabilities, identity},
        shape,
    },
    handler::call::open_result,
    notify::Bus,
    protocol::{ErrorObject, Id, Params, Version, text, write},
    store::{Session, SessionStore, StoreError, new_id},
};

/// What `initialize` led to.
pub(crate) struct Opened {
    pub(crate) peer: Peer,
    pub(crate) message: Bytes,
}

/// Where a session is to be kept.
pub(crate) type Home = (Arc<dyn SessionStore>, Arc<dyn Bus>);

/// Agrees on a revision and opens a session, if it is to be kept somewhere.
pub(crate) async fn initialize(
    core: &Core,
    id: Id<'_>,
    params: &Params<'_>,
    principal: Option<&Principal>,
    home: Option<Home>,
) -> Result<Opened, ErrorObject> {
    // What is not known is answered with the newest: the client decides whether it can go on.
    let version = params
        .protocol_version
        .and_then(text)
        .and_then(|version| Version::parse(&version))
        .filter(|version| !version.is_modern())
        .unwrap_or(Version::NEWEST_LEGACY);
    let notifies = home.is_some();
    let session = match home {
        None => None,
        Some((store, bus)) => {
            let record = Session {
                id: new_id()?,
                version: version.as_str().to_owned(),
                client: params.client_info.map(ToOwned::to_owned),
                capabilities: params.capabilities.map(ToOwned::to_owned),
                subscriptions: BTreeSet::new(),
                log_level: None,
                principal: principal.map(|principal| principal.id().to_owned()),
                listening: None,
            };
            store.insert(record.clone()).await.map_err(|error| {
                tracing::warn!(%error, "a session could not be opened");
                match error {
                    StoreError::Full => {
                        ErrorObject::internal("The server has too many sessions; try again later")
                    }
                    _ => ErrorObject::internal("The session could not be opened"),
                }
            })?;
            Some(LiveSession { record: Arc::new(record), store, bus })
        }
    };
    let shape = shape::of(version);
    let mut out = open_result(id.text(), 512);
    out.extend_from_slice(br#""protocolVersion":"#);
    write(&mut out, version.as_str());
    out.extend_from_slice(br#","capabilities":"#);
    write(&mut out, &capabilities(&core.catalog.load(), shape, notifies));
    out.extend_from_slice(br#","serverInfo":"#);
    write(&mut out, &identity(&core.identity, shape));
    if let Some(instructions) = &core.instructions {
        out.extend_from_slice(br#","instructions":"#);
        write(&mut out, instructions);
    }
    core.tail(shape).close(&mut out, None, "complete");
    Ok(Opened { peer: Peer { version, session }, message: out.into() })
}
