//! What each revision's results look like: nothing that it does not know.

use mcp_runtime::Version;
use serde_json::{Value, json};

use crate::{keys, peers};

#[tokio::test]
async fn content_is_left_out_or_turned_for_revisions_that_do_not_know_it() {
    for mut peer in peers(&Version::ALL).await {
        let version = peer.version;
        let reply = peer.call("blocks", json!({})).await;
        let blocks = reply.result()["content"].as_array().expect("blocks").clone();
        let mut annotations = json!({ "audience": ["user"], "priority": 0.5 });
        let mut text = json!({ "type": "text", "text": "a text" });
        let mut link = json!({ "type": "text", "text": "link: note://link" });
        let mut audio =
            json!({ "type": "text", "text": "[audio, audio/wav, which this client cannot take]" });
        if version >= Version::V2025_03_26 {
            audio = json!({ "type": "audio", "data": "BAU=", "mimeType": "audio/wav" });
        }
        if version >= Version::V2025_06_18 {
            annotations["lastModified"] = json!("2026-01-02T03:04:05Z");
            text["_meta"] = json!({ "com.example/cost": 3 });
            link = json!({ "type": "resource_link", "uri": "note://link", "name": "link", "title": "A note", "size": 4 });
        }
        text["annotations"] = annotations;
        let expected = [
            text,
            json!({ "type": "image", "data": "AQID", "mimeType": "image/png" }),
            audio,
            link,
            json!({ "type": "resource", "resource": { "uri": "note://inside", "mimeType": "text/plain", "text": "inside" } }),
            json!({ "type": "resource", "resource": { "uri": "note://bytes", "blob": "Bwg=" } }),
        ];
        assert_eq!(blocks, expected, "{peer:?}");
    }
}

#[tokio::test]
async fn a_result_that_says_all_itself_keeps_its_metadata() {
    for mut peer in peers(&Version::ALL).await {
        let reply = peer.call("full", json!({})).await;
        assert_eq!(reply.result()["_meta"]["com.example/cost"], 3, "{peer:?}");
        assert_eq!(peer.call("picture", json!({})).await.result()["content"][0]["type"], "image");
    }
}

fn entry<'a>(list: &'a Value, member: &str, name: &str) -> &'a Value {
    let entries = list[member].as_array().expect("a list");
    entries.iter().find(|entry| entry["name"] == name).unwrap_or_else(|| panic!("no `{name}` in {list}"))
}

#[tokio::test]
async fn a_listed_tool_says_what_the_revision_knows() {
    for mut peer in peers(&Version::ALL).await {
        let list = peer.request("tools/list", json!({})).await;
        let tool = entry(list.result(), "tools", "annotated");
        let mut known = vec!["description", "inputSchema", "name"];
        if peer.version >= Version::V2025_03_26 {
            known.push("annotations");
            let hints = json!({
                "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false,
            });
            assert_eq!(tool["annotations"], hints, "{peer:?}");
        }
        if peer.version >= Version::V2025_06_18 {
            known.extend(["_meta", "outputSchema", "title"]);
            assert_eq!(tool["title"], "Annotated");
        }
        if peer.version >= Version::V2025_11_25 {
            known.push("icons");
            assert_eq!(tool["icons"], json!([{ "src": "https://example.com/tool.png" }]));
        }
        known.sort_unstable();
        assert_eq!(keys(tool).into_iter().collect::<Vec<_>>(), known, "{peer:?}");
        assert_eq!(tool["description"], "Has everything.");
        assert_eq!(
            tool["inputSchema"],
            json!({ "type": "object", "properties": {}, "additionalProperties": false })
        );
        let bare = entry(list.result(), "tools", "bare");
        assert_eq!(bare.get("outputSchema"), None, "switched off");
    }
}

#[tokio::test]
async fn listed_resources_and_prompts_say_what_the_revision_knows() {
    for mut peer in peers(&Version::ALL).await {
        let titled = peer.version >= Version::V2025_06_18;
        let title = |title: &str| titled.then(|| json!(title));
        let list = peer.request("resources/list", json!({})).await;
        let config = entry(list.result(), "resources", "config");
        assert_eq!((&config["uri"], &config["mimeType"]), (&json!("config://app"), &json!("text/plain")));
        assert_eq!(config.get("title"), title("Settings").as_ref(), "{peer:?}");
        let list = peer.request("resources/templates/list", json!({})).await;
        let note = entry(list.result(), "resourceTemplates", "note");
        assert_eq!(
            (&note["uriTemplate"], &note["description"]),
            (&json!("note://{name}"), &json!("A note."))
        );
        let list = peer.request("prompts/list", json!({})).await;
        let greet = entry(list.result(), "prompts", "greet");
        assert_eq!(greet.get("title"), title("Greeting").as_ref(), "{peer:?}");
        let arguments = json!([
            { "name": "name", "description": "Whom to greet", "required": true },
            { "name": "greeting", "required": false },
            { "name": "end", "required": false },
        ]);
        assert_eq!(greet["arguments"], arguments, "{peer:?}");
    }
}
