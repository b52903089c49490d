//! What belongs to one caller is no other's. A layer in front says who calls.

use std::collections::BTreeSet;

use http::Request;
use http_body_util::{BodyExt, Full};
use mcp_runtime::{HttpService, Principal, Roots, prelude::*};
use serde_json::{Value, json};
use tower_service::Service;

/// Takes its time.
#[tool(task)]
async fn brew() -> &'static str {
    std::future::pending().await
}

/// Asks where to look.
#[tool]
async fn look(ctx: Context) -> Result<usize> {
    Ok(ctx.ask("folders", Ask::roots()).await?.accepted().map_or(0, |roots: Roots| roots.roots.len()))
}

/// Sends a request of 2026-07-28 as this caller; what comes back.
async fn send(
    service: &HttpService,
    caller: Option<&str>,
    method: &str,
    name: &Value,
    mut params: Value,
) -> Result<Value> {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities":
            { "roots": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } },
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let mut request = Request::post("/mcp")
        .header("host", "127.0.0.1")
        .header("content-type", "application/json")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method)
        .header("mcp-name", name.as_str().unwrap_or_default())
        .body(Full::new(body.into()))?;
    if let Some(caller) = caller {
        request.extensions_mut().insert(Principal::new(caller));
    }
    let response = service.clone().call(request).await?;
    Ok(serde_json::from_slice(&response.into_body().collect().await?.to_bytes())?)
}

fn service() -> Result<HttpService> {
    Ok(Server::empty("Callers", "1").tools(tools![brew, look]).http()?)
}

#[tokio::test]
async fn a_task_is_its_callers_own() -> Result<()> {
    let service = service()?;
    let mut ids = BTreeSet::new();
    for _ in 0..20 {
        let call = json!({ "name": "brew", "arguments": {} });
        let created = send(&service, Some("ada"), "tools/call", &json!("brew"), call).await?;
        let id = created["result"]["taskId"].clone();
        for (caller, there) in [(Some("ada"), true), (Some("eve"), false), (None, false)] {
            for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
                // The last cancels it, and it is still there.
                let params = json!({ "taskId": id, "inputResponses": {} });
                let answer = send(&service, caller, method, &id, params).await?;
                let code = if there { Value::Null } else { json!(-32602) };
                assert_eq!(answer["error"]["code"], code, "{method} by {caller:?}: {answer}");
            }
        }
        let id = id.as_str().unwrap_or_default().to_owned();
        assert!(id.len() >= 22, "{id} can be guessed");
        assert!(ids.insert(id), "an id twice");
    }
    Ok(())
}

#[tokio::test]
async fn a_state_is_its_callers_own() -> Result<()> {
    let service = service()?;
    let call = |state: &Value| {
        let mut call = json!({ "name": "look", "arguments": {} });
        if !state.is_null() {
            call["requestState"] = state.clone();
            call["inputResponses"] = json!({ "folders": { "roots": [{ "uri": "file:///a" }] } });
        }
        call
    };
    let name = json!("look");
    let asked = send(&service, Some("ada"), "tools/call", &name, call(&Value::Null)).await?;
    let state = &asked["result"]["requestState"];
    for other in [Some("eve"), None] {
        let refused = send(&service, other, "tools/call", &name, call(state)).await?;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        assert_eq!(refused["error"]["message"], "Invalid or expired requestState");
    }
    let done = send(&service, Some("ada"), "tools/call", &name, call(state)).await?;
    assert_eq!(done["result"]["structuredContent"], json!({ "result": 1 }), "{done}");
    Ok(())
}
