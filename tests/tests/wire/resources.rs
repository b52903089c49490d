//! Resources: which one a URI names, what their list holds, and what leads nowhere.

use mcp_runtime::{Json, ResourceContents, ResourceLink, Server, Version, prelude::*, resources};
use serde_json::{Value, json};
use tests::peer::{Carrier, Peer};

use crate::{ERAS, LEGACY};

/// One shelf.
#[resource(
    "lib://main/shelf",
    toolset = "library",
    title = "The shelf",
    mime_type = "text/plain",
    size = 5,
    audience("user", "assistant"),
    priority = 0.5,
    last_modified = "2026-01-02T03:04:05Z"
)]
fn shelf() -> &'static str {
    "exact"
}

/// A shelf of a house.
#[resource("lib://{house}/shelf", toolset = "library")]
fn shelf_of(house: String) -> String {
    format!("shelf of {house}")
}

/// A room.
#[resource("lib://{house}/{room}", toolset = "library")]
fn room(house: String, room: String) -> String {
    format!("{room} in {house}")
}

/// Anything.
#[resource("lib://{+path}", toolset = "library")]
fn anything(path: String) -> String {
    format!("path {path}")
}

/// A number.
#[resource("number://{n}", toolset = "library")]
fn number(n: u8) -> Json<u8> {
    Json(n)
}

/// Several parts.
#[resource("parts://all", toolset = "library")]
fn parts() -> Vec<ResourceContents> {
    vec![
        ResourceContents::text("parts://all/a", "a").mime_type("text/markdown"),
        ResourceContents::blob("parts://all/b", [1, 2]).mime_type("image/png"),
    ]
}

/// Whatever its name.
#[resource("raw://{name}", toolset = "library", unchecked)]
fn raw(name: String) -> String {
    name
}

fn server() -> Server {
    Server::empty("Library", "1").resources(resources![shelf, shelf_of, room, anything, number, parts, raw])
}

async fn read(peer: &mut Peer, uri: &str) -> Value {
    peer.request("resources/read", json!({ "uri": uri })).await.0
}

#[tokio::test]
async fn the_most_specific_template_is_read() {
    for version in ERAS {
        let mut peer = Peer::connect(server(), Carrier::Memory, version).await;
        for (uri, text) in [
            ("lib://main/shelf", "exact"),
            ("lib://east/shelf", "shelf of east"),
            ("lib://east/kitchen", "kitchen in east"),
            ("lib://east", "path east"),
            ("lib://a/b/c", "path a/b/c"),
        ] {
            assert_eq!(read(&mut peer, uri).await["result"]["contents"][0]["text"], text, "{uri}");
        }
    }
}

#[tokio::test]
async fn a_uri_that_leads_out_of_its_folder_is_not_found() {
    for (version, code) in [(Version::NEWEST, -32602), (Version::NEWEST_LEGACY, -32002)] {
        let mut peer = Peer::connect(server(), Carrier::Memory, version).await;
        for uri in [
            "lib://../x",
            "lib://a/../../x",
            "lib://a/%2e%2e/x",
            "lib://%2E%2E%2fx",
            "lib:///etc/passwd",
            "lib://a%5c..%5cb",
            "number://1%2f2",
            "number://300",
            "number://x",
            "nothing://x",
        ] {
            let told = read(&mut peer, uri).await;
            assert_eq!(told["error"]["code"], code, "{uri}: {told}");
            assert_eq!(told["error"]["data"]["uri"], uri);
        }
        for name in ["..", "%2e%2e", "a%2fb"] {
            assert!(read(&mut peer, &format!("raw://{name}")).await.get("result").is_some(), "{name}");
        }
    }
}

#[tokio::test]
async fn several_contents_keep_their_uris_and_media_types() {
    let mut peer = Peer::connect(server(), Carrier::Memory, Version::NEWEST).await;
    let contents = json!([
        { "uri": "parts://all/a", "mimeType": "text/markdown", "text": "a" },
        { "uri": "parts://all/b", "mimeType": "image/png", "blob": "AQI=" },
    ]);
    assert_eq!(read(&mut peer, "parts://all").await["result"]["contents"], contents);
    let json = read(&mut peer, "number://7").await;
    assert_eq!(
        json["result"]["contents"],
        json!([{ "uri": "number://7", "mimeType": "application/json", "text": "7" }])
    );
}

#[tokio::test]
async fn a_list_says_what_is_known_of_a_resource() {
    for version in LEGACY.into_iter().chain([Version::NEWEST]) {
        let mut peer = Peer::connect(server(), Carrier::Memory, version).await;
        let list = peer.request("resources/list", json!({})).await;
        let first = &list.result()["resources"][0];
        assert_eq!((&first["uri"], &first["size"]), (&json!("lib://main/shelf"), &json!(5)));
        let mut annotations = json!({ "audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2026-01-02T03:04:05Z" });
        if [Version::V2024_11_05, Version::V2025_03_26].contains(&version) {
            annotations.as_object_mut().expect("an object").remove("lastModified");
        }
        assert_eq!(first["annotations"], annotations, "{version}");
    }
}

/// The same URIs as `room`.
#[resource("lib://{a}/{b}", toolset = "library")]
fn other_room(a: String, b: String) -> String {
    a + &b
}

/// As specific as `shelf_of`, and both match one URI.
#[resource("lib://main/{room}", toolset = "library", name = "main")]
fn main_room(room: String) -> String {
    room
}

/// `shelf` of another folder.
#[resource("lib://{house}/fleas", toolset = "library")]
fn fleas(house: String) -> String {
    house
}

#[test]
fn templates_of_which_none_is_more_specific_cannot_start() {
    let build = |resources: &[&'static mcp_runtime::ResourceDef]| {
        Server::empty("Library", "1").resources(resources.iter().copied()).build()
    };
    let report = build(&resources![room, other_room]).expect_err("ambiguous").to_string();
    assert!(report.contains("the templates `lib://{a}/{b}` and `lib://{house}/{room}`"), "{report}");
    assert!(
        report.matches("resources.rs:").count() == 2 && report.contains("such as `lib://x/x`"),
        "{report}"
    );
    let told = build(&resources![fleas, main_room]).map(|_| ());
    assert!(told.is_ok(), "four letters against five: {told:?}");
    let server = build(&resources![room]).expect("it starts");
    let error = server.catalog().add_resources(resources![other_room]).expect_err("ambiguous");
    assert!(error.to_string().contains("match the same URIs"), "{error}");
}

struct Books(Vec<&'static str>);

fn titles(books: State<Books>) -> Vec<String> {
    books.0.iter().map(|title| (*title).to_owned()).collect()
}

/// A book.
#[resource("book://{title}", toolset = "books", list = titles, mime_type = "text/plain", priority = 1)]
fn book(title: String) -> String {
    title
}

/// A book with a place of its own.
#[resource("book://Emma", toolset = "books", name = "emma")]
fn emma() -> &'static str {
    "the one"
}

async fn pages() -> Result<Vec<[String; 2]>> {
    Ok(vec![["Dune".into(), "2".into()], ["Dune".into(), "10".into()]])
}

/// A page.
#[resource("page://{title}/{n}{?zoom}", toolset = "books", list = pages, scope = "public")]
fn page(title: String, n: u32, zoom: Option<u32>) -> String {
    format!("{title} {n} {zoom:?}")
}

fn links() -> Vec<ResourceLink> {
    let own =
        ResourceLink { title: Some("Own".into()), size: Some(3), ..ResourceLink::new("link://own", "own") };
    vec![own, ResourceLink::new("foreign://x", "none of the template's")]
}

/// A link.
#[resource("link://{name}", toolset = "books", list = links)]
fn link(name: String) -> String {
    name
}

fn failing() -> Result<Vec<String>> {
    Err(Error::new("the disk is gone"))
}

/// Nothing.
#[resource("gone://{name}", toolset = "books", list = failing)]
fn gone(name: String) -> String {
    name
}

fn books() -> Server {
    let titles = vec!["Émile", "Dune", "AC/DC", "Emma"];
    Server::empty("Books", "1").state(Books(titles)).resources(resources![book, emma, page, link])
}

#[tokio::test]
async fn the_resources_of_a_template_are_listed_in_order_and_by_pages_and_can_be_read() {
    for version in ERAS {
        let mut whole = Peer::connect(books(), Carrier::Memory, version).await;
        let list = whole.request("resources/list", json!({})).await;
        let all = list.result()["resources"].as_array().expect("a list").clone();
        let uris: Vec<_> = all.iter().map(|entry| entry["uri"].as_str().expect("a URI")).collect();
        // "AC/DC" holds a slash, which this template does not take.
        let expected = [
            "book://%C3%89mile",
            "book://Dune",
            "book://Emma",
            "link://own",
            "page://Dune/10",
            "page://Dune/2",
        ];
        assert_eq!(uris, expected);
        assert_eq!(all[0]["name"], "Émile");
        assert_eq!(all[0]["description"], "A book.");
        assert_eq!(
            (&all[0]["mimeType"], &all[0]["annotations"]["priority"]),
            (&json!("text/plain"), &json!(1.0))
        );
        assert_eq!(all[2]["name"], "emma", "a resource of its own goes before one that a template lists");
        assert_eq!((&all[3]["title"], &all[3]["size"]), (&json!("Own"), &json!(3)));
        if version.is_modern() {
            assert_eq!(list.result()["cacheScope"], "private");
        }
        for uri in &uris {
            assert!(read(&mut whole, uri).await.get("result").is_some(), "{uri}");
        }
        let mut paged = Peer::connect(books().page_size(2), Carrier::Memory, version).await;
        let mut found = Vec::new();
        let mut params = json!({});
        loop {
            let page = paged.request("resources/list", params).await;
            found.extend(page.result()["resources"].as_array().expect("a list").iter().cloned());
            match page.result().get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => break,
            }
        }
        assert_eq!(found, all);
    }
}

#[tokio::test]
async fn a_listing_that_says_it_is_the_same_for_all_is_public() {
    let server = Server::empty("Books", "1")
        .cache(Cache::public(Duration::from_secs(300)))
        .resources(resources![page]);
    let mut peer = Peer::connect(server, Carrier::Memory, Version::NEWEST).await;
    let list = peer.request("resources/list", json!({})).await;
    assert_eq!(list.result()["cacheScope"], "public");
}

#[tokio::test]
async fn a_listing_that_fails_is_an_error_that_keeps_the_reason_to_the_log() {
    let mut peer = Peer::connect(
        Server::empty("Books", "1").resources(resources![gone]),
        Carrier::Memory,
        Version::NEWEST,
    )
    .await;
    let told = peer.request("resources/list", json!({})).await;
    assert_eq!((told.code(), told.message()), (-32603, "What there is of `gone` could not be found out"));
}

#[test]
fn a_listing_that_needs_a_state_says_so_at_the_start() {
    let built = Server::empty("Books", "1").resources(resources![book]).build();
    let report = built.expect_err("it cannot start").to_string();
    assert!(report.contains("`book` needs the state") && report.contains("Books"), "{report}");
}
