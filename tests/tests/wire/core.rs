//! The protocol's core: openings, revisions, methods.

use mcp_runtime::{Legacy, Server, Version};
use serde_json::{Value, json};
use tests::{
    fixture,
    peer::{Carrier, Peer, everything},
};

use crate::{LEGACY, connect, keys, lives, open, peers};

/// What the server says that it can do.
fn capabilities() -> Value {
    json!({
        "completions": {},
        "logging": {},
        "tools": { "listChanged": true },
        "prompts": { "listChanged": true },
        "resources": { "listChanged": true, "subscribe": true },
    })
}

#[tokio::test]
async fn discover_says_what_is_served_and_by_whom() {
    for mut peer in peers(&[Version::NEWEST]).await {
        let found = peer.request("server/discover", json!({})).await;
        let result = found.result();
        assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
        let mut expected = capabilities();
        expected["extensions"] = json!({ "io.modelcontextprotocol/tasks": {} });
        assert_eq!(result["capabilities"], expected, "{peer:?}");
        assert_eq!(result["instructions"], "Call anything.");
        let info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!((&info["name"], &info["version"]), (&json!("Fixture"), &json!("1.2.3")));
        assert_eq!(info["title"], "A fixture");
    }
}

#[tokio::test]
async fn initialize_agrees_on_each_older_revision() {
    for carrier in Carrier::ALL {
        for version in LEGACY {
            let mut peer = open(carrier, version, everything()).await;
            let opened = peer.initialize(version.as_str()).await;
            let result = opened.result();
            assert_eq!(result["protocolVersion"], version.as_str());
            assert_eq!(result["capabilities"], capabilities(), "{peer:?}");
            assert_eq!(result["instructions"], "Call anything.");
            let mut known = vec!["name", "version"];
            if version >= Version::V2025_06_18 {
                known.push("title");
            }
            if version >= Version::V2025_11_25 {
                known.extend(["description", "icons", "websiteUrl"]);
            }
            known.sort_unstable();
            assert_eq!(keys(&result["serverInfo"]).into_iter().collect::<Vec<_>>(), known, "{peer:?}");
            // The gate is open at once: some clients tell late that they are ready.
            lives(&mut peer).await;
        }
    }
}

#[tokio::test]
async fn an_unknown_or_missing_revision_is_answered_with_the_newest_that_has_a_handshake() {
    for carrier in Carrier::ALL {
        for params in [
            json!({ "protocolVersion": "2099-01-01", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } }),
            json!({ "protocolVersion": "2026-07-28", "capabilities": {} }),
            json!({ "protocolVersion": "", "capabilities": {} }),
            json!({ "protocolVersion": 7 }),
            json!({}),
        ] {
            let mut peer = open(carrier, Version::V2025_11_25, everything()).await;
            let opened = peer.request("initialize", params.clone()).await;
            assert_eq!(opened.result()["protocolVersion"], "2025-11-25", "{params}, {peer:?}");
            lives(&mut peer).await;
        }
        let mut peer = open(carrier, Version::V2025_11_25, everything()).await;
        let id = peer.fresh();
        let text = json!({ "jsonrpc": "2.0", "id": id, "method": "initialize" }).to_string();
        assert_eq!(peer.text(&id, "initialize", text).await.result()["protocolVersion"], "2025-11-25");
    }
}

#[tokio::test]
async fn a_ping_is_answered_before_the_handshake() {
    for carrier in Carrier::ALL {
        let mut peer = open(carrier, Version::V2025_11_25, everything()).await;
        assert_eq!(peer.request("ping", json!({})).await.result(), &json!({}), "{peer:?}");
        let mut peer = peer.greeted().await;
        assert_eq!(peer.request("ping", json!({})).await.result(), &json!({}), "{peer:?}");
    }
}

#[tokio::test]
async fn a_modern_request_says_what_its_client_speaks_and_can_do() {
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let cases = [
        (json!({ version: "2026-07-28" }), "clientCapabilities"),
        (json!({ version: "2026-07-28", capabilities: [] }), "clientCapabilities"),
        (json!({ version: "2026-07-28", capabilities: null }), "clientCapabilities"),
        (json!({ version: "2026-07-28", capabilities: "all" }), "clientCapabilities"),
        (json!({ version: 7, capabilities: {} }), "protocolVersion"),
    ];
    for mut peer in peers(&[Version::NEWEST]).await {
        for (meta, lacking) in &cases {
            for method in ["tools/list", "server/discover", "tools/call", "subscriptions/listen"] {
                let id = peer.fresh();
                let params = json!({ "_meta": meta, "name": "echo", "notifications": {} });
                let text =
                    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
                let reply = peer.text(&id, method, text).await;
                assert_eq!(reply.code(), -32602, "{meta}, {method}, {peer:?}");
                assert!(reply.message().contains(lacking), "{meta}: {}", reply.message());
            }
        }
        lives(&mut peer).await;
    }
    for carrier in [Carrier::Memory, Carrier::Stdio] {
        let mut peer = connect(carrier, Version::NEWEST).await;
        for params in [
            json!({}),
            json!({ "_meta": {} }),
            json!({ "_meta": { capabilities: {} } }),
            json!({ "_meta": null }),
        ] {
            let id = peer.fresh();
            let text =
                json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": params }).to_string();
            let reply = peer.text(&id, "tools/list", text).await;
            assert_eq!(reply.code(), -32602, "{params}, {peer:?}");
            assert!(reply.message().contains("protocolVersion"), "{params}: {}", reply.message());
        }
    }
}

#[tokio::test]
async fn a_revision_that_is_not_served_is_told_with_those_that_are() {
    for mut peer in peers(&[Version::NEWEST]).await {
        for requested in ["2099-01-01", "2025-11-25", "", "new"] {
            let id = peer.fresh();
            let mut params = peer.params(json!({}));
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(requested);
            let text =
                json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": params }).to_string();
            let reply = peer.text(&id, "tools/list", text).await;
            assert_eq!(reply.code(), -32022, "{requested}, {peer:?}");
            let data = json!({ "supported": ["2026-07-28"], "requested": requested });
            assert_eq!(reply.0["error"]["data"], data, "{peer:?}");
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn methods_of_the_other_era_are_unknown() {
    for mut peer in peers(&Version::ALL).await {
        let others: &[&str] = if peer.version.is_modern() {
            &["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]
        } else {
            &["server/discover", "subscriptions/listen"]
        };
        for method in others {
            let params = json!({ "uri": "note://a", "level": "info", "notifications": {} });
            let reply = peer.request(method, params).await;
            assert_eq!(reply.code(), -32601, "{method}, {peer:?}");
            assert!(reply.message().contains(method), "{}", reply.message());
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn methods_of_what_a_server_does_not_have_are_unknown() {
    for carrier in Carrier::HERE {
        for version in Version::ALL {
            let server = Server::empty("Small", "1").tools(mcp_runtime::tools![crate::lists::apple]);
            let mut peer = Peer::connect(server, carrier, version).await;
            for method in [
                "prompts/list",
                "resources/list",
                "resources/templates/list",
                "prompts/get",
                "resources/read",
                "completion/complete",
            ] {
                assert_eq!(
                    peer.request(method, json!({ "name": "x", "uri": "x://y" })).await.code(),
                    -32601,
                    "{method}, {peer:?}"
                );
            }
            if version.is_modern() {
                let found = peer.request("server/discover", json!({})).await;
                assert_eq!(
                    keys(&found.result()["capabilities"]).into_iter().collect::<Vec<_>>(),
                    ["logging", "tools"]
                );
                assert_eq!(found.result().get("instructions"), None);
            }
        }
    }
}

#[tokio::test]
async fn both_eras_are_served_on_one_connection() {
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::V2025_11_25).await;
        lives(&mut peer).await;
        peer.version = Version::NEWEST;
        assert_eq!(
            peer.request("server/discover", json!({})).await.result()["resultType"],
            "complete",
            "{peer:?}"
        );
        lives(&mut peer).await;
        peer.version = Version::V2025_11_25;
        assert_eq!(peer.request("ping", json!({})).await.result(), &json!({}), "{peer:?}");
        lives(&mut peer).await;
    }
    // A client that first looks whether the server is a modern one.
    for carrier in Carrier::ALL {
        let mut peer = open(carrier, Version::NEWEST, everything()).await;
        assert_eq!(peer.request("server/discover", json!({})).await.result()["resultType"], "complete");
        peer.version = Version::V2025_06_18;
        let mut peer = peer.greeted().await;
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn a_server_without_the_older_era_says_what_it_speaks() {
    for carrier in Carrier::HERE {
        let server = fixture::server().legacy(Legacy::Off);
        let mut peer = Peer::open(server, carrier, Version::V2025_11_25, everything()).await;
        let id = peer.fresh();
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
        let text =
            json!({ "jsonrpc": "2.0", "id": id, "method": "initialize", "params": params }).to_string();
        let refused = peer.text(&id, "initialize", text).await;
        assert_eq!(refused.code(), -32022, "{peer:?}");
        assert!(refused.message().contains("2026-07-28"), "{}", refused.message());
        assert_eq!(refused.0["error"]["data"]["supported"], json!(["2026-07-28"]));
        peer.version = Version::NEWEST;
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn an_older_client_is_served_without_a_session() {
    for carrier in Carrier::HERE {
        for version in LEGACY {
            let mut peer = Peer::connect(fixture::server().legacy(Legacy::Stateless), carrier, version).await;
            assert!(peer.request("tools/list", json!({})).await.result()["tools"].is_array());
            lives(&mut peer).await;
        }
    }
}

#[tokio::test]
async fn a_log_level_is_one_that_exists() {
    for mut peer in peers(&LEGACY).await {
        assert_eq!(
            peer.request("logging/setLevel", json!({ "level": "warning" })).await.result(),
            &json!({})
        );
        for level in [json!("loud"), json!(7), Value::Null] {
            assert_eq!(
                peer.request("logging/setLevel", json!({ "level": level })).await.code(),
                -32602,
                "{peer:?}"
            );
        }
    }
}
