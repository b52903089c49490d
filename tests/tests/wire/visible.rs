//! What exists for some callers only.

use std::{collections::BTreeSet, time::Duration};

use mcp_runtime::{Cache, Server, ServerHandle, Version, prelude::*, prompts, resources, tools};
use serde_json::{Value, json};
use tests::peer::{Carrier, Peer, everything};

use crate::{ERAS, lists::apple};

/// Callers who may see secrets are told by what they can do, as that needs no login.
fn can_sample(ctx: Context) -> bool {
    ctx.capabilities().sampling.is_some()
}

/// Whether secrets are out.
struct Leaked(bool);

fn is_leaked(leaked: State<Leaked>) -> bool {
    leaked.0
}

/// For some.
#[tool(toolset = "secrets", visible_if = can_sample, scope = "public")]
fn apple_pie(#[arg(header = "Size")] size: Option<u32>) -> String {
    format!("{size:?}")
}

/// For some.
#[prompt(toolset = "secrets", visible_if = can_sample)]
fn riddle(word: String) -> String {
    word
}

/// For all.
#[prompt(toolset = "secrets")]
fn question() -> &'static str {
    "?"
}

/// For some.
#[resource("secret://plan", toolset = "secrets", visible_if = can_sample, scope = "public", ttl = "1h")]
fn plan() -> &'static str {
    "rob the bank"
}

/// For some.
#[resource("secret://by/{name}", toolset = "secrets", visible_if = can_sample)]
fn by(name: String) -> String {
    name
}

/// For all.
#[resource("secret://{+rest}", toolset = "secrets", scope = "public", ttl = "1h")]
fn rest(rest: String) -> Result<String> {
    Err(Error::resource_not_found(&format!("secret://{rest}")))
}

/// For some, and never.
#[tool(toolset = "secrets", visible_if = is_leaked)]
fn leak() {}

/// The completion of a hidden argument.
#[completion(prompt = riddle, argument = "word")]
fn words(value: String) -> Vec<String> {
    vec![value]
}

fn server() -> Server {
    Server::empty("Secrets", "1")
        .cache(Cache::public(Duration::from_secs(300)))
        .state(Leaked(false))
        .tools(tools![apple, apple_pie, leak])
        .prompts(prompts![riddle, question])
        .resources(resources![plan, by, rest])
}

/// A client that sees the secrets, and one that does not.
async fn both(carrier: Carrier, version: Version) -> (Peer, Peer) {
    let seeing = Peer::connect(server(), carrier, version).await;
    let mut blind = everything();
    blind.as_object_mut().expect("an object").remove("sampling");
    let blind = Peer::open(server(), carrier, version, blind).await.greeted().await;
    (seeing, blind)
}

fn entries<'r>(result: &'r Value, member: &str, key: &str) -> Vec<&'r str> {
    let list = result[member].as_array().expect("a list");
    list.iter().map(|entry| entry[key].as_str().expect("a name")).collect()
}

#[tokio::test]
async fn what_is_hidden_is_in_no_list_and_such_a_list_is_private() {
    // In memory, a client of the tests declares what its handlers can do.
    for version in ERAS {
        let (mut seeing, mut blind) = both(Carrier::Http, version).await;
        for (method, member, key, all, some) in [
            ("tools/list", "tools", "name", &["apple", "apple_pie"][..], &["apple"][..]),
            ("prompts/list", "prompts", "name", &["question", "riddle"], &["question"]),
            ("resources/list", "resources", "uri", &["secret://plan"], &[]),
            (
                "resources/templates/list",
                "resourceTemplates",
                "uriTemplate",
                &["secret://by/{name}", "secret://{+rest}"],
                &["secret://{+rest}"],
            ),
        ] {
            for (peer, expected) in [(&mut seeing, all), (&mut blind, some)] {
                let list = peer.request(method, json!({})).await;
                assert_eq!(entries(list.result(), member, key), expected, "{method}, {peer:?}");
                if version.is_modern() {
                    assert_eq!(list.result()["cacheScope"], "private", "{method}");
                }
            }
        }
    }
}

#[tokio::test]
async fn what_is_hidden_is_answered_with_the_bytes_of_what_does_not_exist() {
    for version in ERAS {
        let (mut seeing, mut blind) = both(Carrier::Http, version).await;
        let cases = [
            // The client sends no header for the argument, which only who sees the tool may be told.
            (
                "tools/call",
                json!({ "name": "apple_pie", "arguments": { "size": 3 } }),
                "apple_pie",
                "apple_tart",
            ),
            ("prompts/get", json!({ "name": "riddle", "arguments": { "word": "x" } }), "riddle", "riddel"),
            ("resources/read", json!({ "uri": "secret://plan" }), "secret://plan", "secret://plans"),
            ("resources/read", json!({ "uri": "secret://by/me" }), "secret://by/me", "secret://by/me/not"),
            (
                "completion/complete",
                json!({ "ref": { "type": "ref/prompt", "name": "riddle" }, "argument": { "name": "word", "value": "x" } }),
                "riddle",
                "puzzle",
            ),
        ];
        for (method, params, hidden, unknown) in cases {
            let ghost: Value =
                serde_json::from_str(&params.to_string().replace(hidden, unknown)).expect("JSON");
            let refused = blind.request(method, params.clone()).await.0["error"].to_string();
            let missing = blind.request(method, ghost).await.0["error"].to_string();
            assert_ne!(refused, "null", "{method} {hidden}");
            // A suggestion names what is near, and nothing near may be hidden.
            let same = missing.replace(unknown, hidden);
            assert_eq!(refused, same, "{method}");
            let seen = seeing.request(method, params.clone()).await;
            assert!(seen.0.get("error").is_none() || method == "tools/call", "{method} {hidden}: {}", seen.0);
        }
    }
}

#[tokio::test]
async fn no_suggestion_names_what_is_hidden() {
    let (mut seeing, mut blind) = both(Carrier::Http, Version::NEWEST).await;
    let told = seeing.call("aple_pie", json!({})).await;
    assert!(told.message().contains("did you mean `apple_pie`?"), "{}", told.message());
    let told = blind.call("aple_pie", json!({})).await;
    assert_eq!(told.message(), "Unknown tool: aple_pie");
    let told = blind.request("prompts/get", json!({ "name": "ridle" })).await;
    assert_eq!(told.message(), "Unknown prompt: ridle");
}

#[tokio::test]
async fn what_a_hidden_resource_holds_is_private_whatever_its_author_said() {
    let (mut seeing, _) = both(Carrier::Http, Version::NEWEST).await;
    let read = seeing.request("resources/read", json!({ "uri": "secret://plan" })).await;
    assert_eq!(read.result()["contents"][0]["text"], "rob the bank");
    assert_eq!(read.result()["cacheScope"], "private");
    assert_eq!(read.result()["ttlMs"], 3_600_000);
}

#[tokio::test]
async fn a_hidden_resource_cannot_be_listened_to() {
    let (mut seeing, mut blind) = both(Carrier::Http, Version::NEWEST).await;
    let asked = json!({ "resourceSubscriptions": ["secret://plan", "other://x"], "toolsListChanged": true });
    for (peer, uris) in [(&mut seeing, json!(["secret://plan"])), (&mut blind, json!(["secret://plan"]))] {
        peer.begin("subscriptions/listen", json!({ "notifications": asked })).await;
        let told = peer.heard().await;
        // The template for all matches it too.
        assert_eq!(told["params"]["notifications"]["resourceSubscriptions"], uris, "{peer:?}");
    }
    let alone = Server::empty("Secrets", "1").resources(resources![plan]);
    let mut blind = Peer::open(alone, Carrier::Http, Version::NEWEST, json!({})).await;
    blind.begin("subscriptions/listen", json!({ "notifications": asked })).await;
    let told = blind.heard().await;
    assert_eq!(told["params"]["notifications"], json!({}));
}

#[tokio::test]
async fn a_session_cannot_subscribe_to_what_is_hidden() {
    let server = || Server::empty("Secrets", "1").resources(resources![plan]);
    let version = Version::NEWEST_LEGACY;
    let mut seeing = Peer::connect(server(), Carrier::Http, version).await;
    let plan = json!({ "uri": "secret://plan" });
    assert_eq!(seeing.request("resources/subscribe", plan.clone()).await.result(), &json!({}));
    let mut blind = Peer::open(server(), Carrier::Http, version, json!({})).await.greeted().await;
    let hidden = blind.request("resources/subscribe", plan).await.0["error"].to_string();
    let unknown = blind.request("resources/subscribe", json!({ "uri": "secret://none" })).await;
    assert_eq!(unknown.code(), -32002);
    assert_eq!(hidden, unknown.0["error"].to_string().replace("none", "plan"));
}

#[tokio::test]
async fn pages_for_one_caller_have_no_gaps_and_no_end_too_many() {
    let server = || server().page_size(1);
    let mut blind = Peer::open(server(), Carrier::Http, Version::NEWEST, json!({})).await;
    let list = blind.request("tools/list", json!({})).await;
    assert_eq!(entries(list.result(), "tools", "name"), ["apple"]);
    assert!(list.result().get("nextCursor").is_none(), "a cursor would tell that there is more");
    let mut seeing = Peer::connect(server(), Carrier::Http, Version::NEWEST).await;
    let mut found = BTreeSet::new();
    let mut params = json!({});
    loop {
        let page = seeing.request("tools/list", params).await;
        found.extend(entries(page.result(), "tools", "name").into_iter().map(str::to_owned));
        match page.result().get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => break,
        }
    }
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["apple", "apple_pie"]);
}

#[tokio::test]
async fn a_list_without_rules_stays_as_public_as_the_server_says() {
    let server = Server::empty("Open", "1")
        .cache(Cache::public(Duration::from_secs(300)))
        .state(Leaked(false))
        .tools(tools![apple])
        .prompts(prompts![riddle]);
    let mut peer = Peer::connect(server, Carrier::Memory, Version::NEWEST).await;
    for (method, scope) in [("tools/list", "public"), ("prompts/list", "private")] {
        assert_eq!(peer.request(method, json!({})).await.result()["cacheScope"], scope, "{method}");
    }
}

#[test]
fn a_rule_that_needs_a_state_says_so_at_the_start() {
    let built: Result<ServerHandle, _> = Server::empty("Secrets", "1").tools(tools![leak]).build();
    let report = built.expect_err("it cannot start").to_string();
    assert!(report.contains("`leak` needs the state") && report.contains("Leaked"), "{report}");
}

/// Breaks.
fn broken(_: Context) -> bool {
    panic!("a rule that breaks")
}

/// Behind a broken rule.
#[tool(toolset = "secrets", visible_if = broken)]
fn fragile() {}

#[tokio::test]
async fn a_rule_that_breaks_hides() {
    let server = Server::empty("Secrets", "1").tools(tools![apple, fragile]);
    let mut peer = Peer::connect(server, Carrier::Memory, Version::NEWEST).await;
    let list = peer.request("tools/list", json!({})).await;
    assert_eq!(entries(list.result(), "tools", "name"), ["apple"]);
    assert_eq!(peer.call("fragile", json!({})).await.message(), "Unknown tool: fragile");
}
