//! What exists for callers whom a layer in front of the service knows.

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use serde_json::json;

use super::kit::{modern, send};
use crate::{Principal, Server, tool, tools};

fn is_admin(principal: &Principal) -> bool {
    principal.id() == "admin"
}

/// Wipe the disk.
#[tool(toolset = "callers", visible_if = is_admin)]
fn wipe() -> &'static str {
    "wiped"
}

/// Look at the disk.
#[tool(toolset = "callers")]
fn look() -> &'static str {
    "full"
}

fn by(mut request: Request<Full<Bytes>>, name: Option<&str>) -> Request<Full<Bytes>> {
    if let Some(name) = name {
        request.extensions_mut().insert(Principal::new(name));
    }
    request
}

#[tokio::test]
async fn a_tool_exists_for_the_callers_that_its_rule_names() {
    let service = Server::empty("Disk", "1").tools(tools![wipe, look]).http().expect("the server is right");
    for (caller, sees) in [(Some("admin"), true), (Some("eve"), false), (None, false)] {
        let list = send(&service, by(modern("tools/list", None, json!({})), caller)).await.json();
        let names: Vec<_> =
            list["result"]["tools"].as_array().expect("a list").iter().map(|t| &t["name"]).collect();
        assert_eq!(names, if sees { vec!["look", "wipe"] } else { vec!["look"] }, "{caller:?}");
        assert_eq!(list["result"]["cacheScope"], "private");
        let call = modern("tools/call", Some("wipe"), json!({ "name": "wipe" }));
        let called = send(&service, by(call, caller)).await.json();
        if sees {
            assert_eq!(called["result"]["content"][0]["text"], "wiped");
        } else {
            assert_eq!(called["error"], json!({ "code": -32602, "message": "Unknown tool: wipe" }));
        }
    }
}
