//! Lists: their order, their pages, how fresh they are, and their exact bytes.

use std::{collections::BTreeSet, time::Duration};

use mcp_runtime::{Cache, Server, Version, prelude::*, tools};
use serde_json::{Value, json};
use tests::{
    fixture,
    peer::{Carrier, Peer},
};

use crate::{ERAS, connect, peers};

const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "name"),
    ("prompts/list", "prompts", "name"),
    ("resources/list", "resources", "uri"),
    ("resources/templates/list", "resourceTemplates", "uriTemplate"),
];

/// Red.
#[tool(toolset = "fruit")]
pub(crate) fn apple() -> &'static str {
    "apple"
}

/// Short-lived.
#[tool(toolset = "fruit", ttl = "10s")]
fn berry() -> &'static str {
    "berry"
}

/// For one alone.
#[tool(toolset = "fruit", ttl = "1h", scope = "private")]
fn cherry() -> &'static str {
    "cherry"
}

/// The same name as another.
#[tool(toolset = "fruit", name = "apple")]
fn other_apple() -> &'static str {
    "other"
}

struct Absent;

/// Needs a state.
#[tool(toolset = "fruit")]
fn needy(_absent: State<Absent>) {}

#[tokio::test]
async fn lists_are_sorted_and_whole_over_all_pages() {
    for carrier in Carrier::HERE {
        for version in ERAS {
            let mut whole = connect(carrier, version).await;
            let mut paged = Peer::connect(fixture::server().page_size(2), carrier, version).await;
            for (method, member, key) in LISTS {
                let all = whole.request(method, json!({})).await.result()[member]
                    .as_array()
                    .expect("a list")
                    .clone();
                let names: Vec<_> =
                    all.iter().map(|entry| entry[key].as_str().expect("a name").to_owned()).collect();
                let sorted: BTreeSet<_> = names.iter().cloned().collect();
                assert_eq!(names, sorted.into_iter().collect::<Vec<_>>(), "{method}");
                let mut found = Vec::new();
                let mut params = json!({});
                loop {
                    let page = paged.request(method, params.clone()).await;
                    let entries = page.result()[member].as_array().expect("a list");
                    assert!((1..=2).contains(&entries.len()), "{method}: {}", entries.len());
                    found.extend(entries.iter().cloned());
                    assert!(found.len() <= all.len(), "{method} has no end");
                    match page.result().get("nextCursor") {
                        Some(cursor) => params = json!({ "cursor": cursor }),
                        None => break,
                    }
                }
                assert_eq!(found, all, "{method}");
            }
        }
    }
}

#[tokio::test]
async fn a_cursor_that_is_none_of_the_list_is_refused() {
    let mut other = Peer::connect(fixture::server().page_size(2), Carrier::Memory, Version::NEWEST).await;
    let page = other.request("prompts/list", json!({})).await;
    let foreign = page.result()["nextCursor"].clone();
    for mut peer in peers(&ERAS).await {
        for cursor in [json!("x"), json!(""), json!("!!"), json!(7), json!({}), foreign.clone()] {
            let reply = peer.request("tools/list", json!({ "cursor": cursor })).await;
            assert_eq!(reply.code(), -32602, "{cursor}, {peer:?}");
            assert!(reply.message().contains("cursor"), "{}", reply.message());
        }
    }
}

/// What a list of these tools says of its freshness.
async fn freshness(server: Server) -> (Value, Value) {
    let mut peer = Peer::connect(server, Carrier::Memory, Version::NEWEST).await;
    let list = peer.request("tools/list", json!({})).await;
    (list.result()["ttlMs"].clone(), list.result()["cacheScope"].clone())
}

#[tokio::test]
async fn a_list_is_as_fresh_as_its_most_short_lived_entry_and_private_if_one_is() {
    let empty = || Server::empty("Fruit", "1");
    let public = || empty().cache(Cache::public(Duration::from_secs(300)));
    let of = |ttl: u64, scope: &str| (json!(ttl), json!(scope));
    assert_eq!(freshness(empty().tools(tools![apple])).await, of(0, "private"), "untold");
    assert_eq!(freshness(public().tools(tools![apple])).await, of(300_000, "public"));
    assert_eq!(freshness(public().tools(tools![apple, berry])).await, of(10_000, "public"));
    assert_eq!(freshness(public().tools(tools![apple, cherry])).await, of(300_000, "private"));
    assert_eq!(freshness(public().tools(tools![cherry, berry])).await, of(10_000, "private"));
    let own = public().tools_cache(Cache::private(Duration::from_secs(5))).tools(tools![apple]);
    assert_eq!(freshness(own).await, of(5_000, "private"));
}

#[tokio::test]
async fn all_pages_of_a_list_are_private_if_one_entry_is() {
    for carrier in Carrier::HERE {
        let server = Server::empty("Fruit", "1").cache(Cache::public(Duration::from_secs(300)));
        let server = server.tools(tools![apple, berry, cherry]).page_size(1);
        let mut peer = Peer::connect(server, carrier, Version::NEWEST).await;
        let mut scopes = Vec::new();
        let mut params = json!({});
        loop {
            let page = peer.request("tools/list", params).await;
            scopes.push(page.result()["cacheScope"].clone());
            let Some(cursor) = page.result().get("nextCursor") else { break };
            params = json!({ "cursor": cursor });
        }
        assert_eq!(scopes, ["private"; 3], "{peer:?}");
    }
}

#[tokio::test]
async fn a_cursor_stays_good() {
    for carrier in Carrier::HERE {
        for version in ERAS {
            let mut peer = Peer::connect(fixture::server().page_size(2), carrier, version).await;
            for (method, member, _) in LISTS {
                let first = peer.request(method, json!({})).await;
                let cursor = json!({ "cursor": first.result()["nextCursor"] });
                let second = peer.request(method, cursor.clone()).await.result()[member].clone();
                assert!(second.is_array(), "{method}");
                peer.call("echo", json!({ "text": "x" })).await;
                assert_eq!(peer.request(method, cursor).await.result()[member], second, "{method}, {peer:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_read_is_as_fresh_as_its_resource_says() {
    for mut peer in peers(&[Version::NEWEST]).await {
        for (uri, ttl, scope) in [
            ("config://app", 60_000, "public"),
            ("note://a", 30_000, "public"),
            ("logo://main", 0, "private"),
        ] {
            let read = peer.request("resources/read", json!({ "uri": uri })).await;
            let told = (&read.result()["ttlMs"], &read.result()["cacheScope"]);
            assert_eq!(told, (&json!(ttl), &json!(scope)), "{uri}");
        }
    }
}

#[tokio::test]
async fn the_order_in_which_tools_are_given_does_not_matter() {
    let one = || Server::empty("Fruit", "1").tools(tools![apple, berry, cherry]);
    let other = || Server::empty("Fruit", "1").tools(tools![cherry, apple]).tools(tools![berry]);
    for version in Version::ALL {
        let mut one = Peer::connect(one(), Carrier::Memory, version).await;
        let mut other = Peer::connect(other(), Carrier::Memory, version).await;
        let text = |peer: &Peer| {
            let params = peer.params(json!({}));
            json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/list", "params": params }).to_string()
        };
        let (one, other) = (one.raw(&text(&one)).await, other.raw(&text(&other)).await);
        assert!(one.contains("cherry"), "{one}");
        assert_eq!(one, other);
    }
}

#[tokio::test]
async fn lists_are_the_same_bytes_in_memory_and_from_two_processes() {
    for version in Version::ALL {
        for (method, ..) in LISTS {
            let mut texts = Vec::new();
            for carrier in [Carrier::Memory, Carrier::Stdio, Carrier::Stdio] {
                let mut peer = connect(carrier, version).await;
                let params = peer.params(json!({}));
                let text =
                    json!({ "jsonrpc": "2.0", "id": 9, "method": method, "params": params }).to_string();
                texts.push(peer.raw(&text).await);
            }
            assert!(texts[0].contains("\"description\""), "{}", texts[0]);
            assert_eq!(texts[0], texts[1], "{method} of {version}");
            assert_eq!(texts[1], texts[2], "{method} of {version}");
        }
    }
}

/// The bytes of `tools/list`, which hosts pay for when they change. Written anew with `UPDATE_GOLDEN=1`.
#[tokio::test]
async fn the_list_of_tools_is_pinned_to_its_bytes() {
    for version in ERAS {
        let mut peer = connect(Carrier::Memory, version).await;
        let params = peer.params(json!({}));
        let text = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params }).to_string();
        let bytes = peer.raw(&text).await + "\n";
        let path = format!("{}/golden/tools-{version}.json", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &bytes).expect("the golden file is written");
        }
        let golden = std::fs::read_to_string(&path).expect("the golden file; UPDATE_GOLDEN=1 writes it");
        assert!(bytes == golden, "`tools/list` of {version} has changed; see {path}:\n{bytes}");
    }
}

#[tokio::test]
async fn every_listed_schema_is_one_that_strict_hosts_take() {
    let mut peer = connect(Carrier::Memory, Version::NEWEST).await;
    let list = peer.request("tools/list", json!({})).await;
    for tool in list.result()["tools"].as_array().expect("tools") {
        let input = &tool["inputSchema"];
        assert_eq!(input["type"], "object", "{tool}");
        assert!(input["properties"].is_object(), "{tool}");
        for (name, property) in input["properties"].as_object().expect("properties") {
            let known = property.get("type").is_some() || property.get("oneOf").is_some();
            assert!(known || name == "payload", "`{name}` has no type: {tool}");
        }
        assert!(jsonschema::meta::is_valid(input), "{tool}");
        for word in [
            "\"$schema\"",
            "\"$ref\"",
            "\"int64\"",
            "\"uint32\"",
            "\"uint64\"",
            "\"double\"",
            "\"null\"",
            ":true,\"x",
        ] {
            assert!(!input.to_string().contains(word), "{word} in {tool}");
        }
    }
}

#[tokio::test]
async fn a_toolset_is_offered_only_where_it_is_asked_for() {
    for (server, offered) in [(fixture::server(), false), (fixture::server().toolset("admin"), true)] {
        let mut peer = Peer::connect(server, Carrier::Memory, Version::NEWEST).await;
        let list = peer.request("tools/list", json!({})).await;
        assert_eq!(list.0.to_string().contains("\"wipe\""), offered);
        let called = peer.call("wipe", json!({})).await;
        assert_eq!(called.0.get("error").is_none(), offered);
    }
}

#[test]
fn a_server_that_cannot_start_says_all_that_is_wrong_and_where() {
    let server = Server::empty("Broken", "1").tools(tools![apple, other_apple, needy]);
    let report = server.build().expect_err("it cannot start").to_string();
    assert!(report.contains("there is another tool `apple`"), "{report}");
    assert!(report.contains("`needy` needs the state"), "{report}");
    assert!(report.matches("lists.rs:").count() >= 3, "{report}");
}
