//! What a client of any revision sees, over every transport.

#![allow(missing_docs, clippy::panic)]

mod asking;
mod calls;
mod completions;
mod core;
mod dynamic;
mod headers;
mod input;
mod limits;
mod lists;
mod resources;
mod resumption;
mod sessions;
mod shapes;
mod stateless;
mod subscriptions;
mod tasks;
mod telling;
mod visible;

use std::collections::BTreeSet;

use mcp_runtime::Version;
use serde_json::Value;
use tests::{
    fixture,
    peer::{Carrier, Peer, everything},
};

/// A client of the fixture on which nothing was said yet.
async fn open(carrier: Carrier, version: Version, capabilities: Value) -> Peer {
    match carrier {
        Carrier::Stdio => Peer::spawn(env!("CARGO_BIN_EXE_fixture"), version, capabilities),
        _ => Peer::open(fixture::server(), carrier, version, capabilities).await,
    }
}

/// A client of the fixture that can be asked anything.
async fn connect(carrier: Carrier, version: Version) -> Peer {
    open(carrier, version, everything()).await.greeted().await
}

/// A client of each of these revisions over each transport.
async fn peers(versions: &[Version]) -> Vec<Peer> {
    let mut peers = Vec::new();
    for carrier in Carrier::ALL {
        for version in versions {
            peers.push(connect(carrier, *version).await);
        }
    }
    peers
}

/// A client of 2026-07-28 in memory.
async fn modern() -> Peer {
    connect(Carrier::Memory, Version::NEWEST).await
}

/// One of each era.
const ERAS: [Version; 2] = [Version::NEWEST_LEGACY, Version::NEWEST];

/// The older revisions.
const LEGACY: [Version; 4] =
    [Version::V2024_11_05, Version::V2025_03_26, Version::V2025_06_18, Version::V2025_11_25];

/// The server still answers.
async fn lives(peer: &mut Peer) {
    let said = peer.call("echo", serde_json::json!({ "text": "here" })).await;
    assert_eq!(said.text(), "here", "{peer:?}");
    assert!(peer.overheard().is_empty(), "{peer:?}");
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}
