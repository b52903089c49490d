//! The official schemas: what a server sends has to be valid against the one of the revision spoken.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use jsonschema::Validator;
use mcp_runtime::Version;
use serde_json::{Map, Value, json};

static SCHEMAS: LazyLock<HashMap<Version, Value>> = LazyLock::new(|| {
    [
        (Version::V2024_11_05, include_str!("../spec/2024-11-05/schema.json")),
        (Version::V2025_03_26, include_str!("../spec/2025-03-26/schema.json")),
        (Version::V2025_06_18, include_str!("../spec/2025-06-18/schema.json")),
        (Version::V2025_11_25, include_str!("../spec/2025-11-25/schema.json")),
        (Version::V2026_07_28, include_str!("../spec/2026-07-28/schema.json")),
    ]
    .into_iter()
    .map(|(version, text)| (version, serde_json::from_str(text).expect("the official schema is JSON")))
    .collect()
});

/// The schema of the extension of tasks, which brings the definitions of 2026-07-28 that it needs.
static TASKS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../spec/tasks/schema.json")).expect("the official schema is JSON")
});

type Compiled = Mutex<HashMap<(Version, String), Arc<Validator>>>;

static COMPILED: LazyLock<Compiled> = LazyLock::new(Compiled::default);

/// Where a schema keeps its definitions: the word changed between drafts.
fn definitions(version: Version) -> (&'static str, &'static Map<String, Value>) {
    let schema = &SCHEMAS[&version];
    let member = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    (member, schema[member].as_object().expect("the official schema has definitions"))
}

/// Whether a revision has a definition of this name.
#[must_use]
pub fn defines(version: Version, name: &str) -> bool {
    definitions(version).1.contains_key(name)
}

/// What is wrong with a value, read as this definition of a revision; nothing if it is valid.
#[must_use]
pub fn problems(version: Version, name: &str, value: &Value) -> Vec<String> {
    let validator = {
        let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        compiled.entry((version, name.to_owned())).or_insert_with(|| Arc::new(compile(version, name))).clone()
    };
    if validator.is_valid(value) {
        // To collect no errors takes much longer.
        return Vec::new();
    }
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn compile(version: Version, name: &str) -> Validator {
    let (member, known) = definitions(version);
    let (schema, member, known) = match TASKS["$defs"].as_object() {
        Some(tasks) if version.is_modern() && !known.contains_key(name) => (&*TASKS, "$defs", tasks),
        _ => (&SCHEMAS[&version], member, known),
    };
    assert!(known.contains_key(name), "{version} has no `{name}`");
    let mut root = json!({ "$ref": format!("#/{member}/{name}") });
    root["$schema"] = schema["$schema"].clone();
    root[member] = known.clone().into();
    jsonschema::validator_for(&root).unwrap_or_else(|error| panic!("{version}: {error}"))
}

/// Panics unless a value is valid as this definition of a revision.
#[track_caller]
pub fn check(version: Version, name: &str, value: &Value) {
    let problems = problems(version, name, value);
    assert!(problems.is_empty(), "not a {name} of {version}: {problems:#?}\n{value:#}");
}

/// The definition of the result of a method.
fn result_of(version: Version, method: &str, result: &Value) -> &'static str {
    if version.is_modern() && result["resultType"] == "input_required" {
        return "InputRequiredResult";
    }
    if version.is_modern() && result["resultType"] == "task" {
        assert_eq!(method, "tools/call", "{result}");
        return "CreateTaskResult";
    }
    match method {
        "initialize" => "InitializeResult",
        "server/discover" => "DiscoverResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "subscriptions/listen" => "SubscriptionsListenResult",
        "completion/complete" => "CompleteResult",
        "tasks/get" => "GetTaskResult",
        "tasks/update" => "UpdateTaskResult",
        "tasks/cancel" => "CancelTaskResult",
        "ping" | "resources/subscribe" | "resources/unsubscribe" | "logging/setLevel" => "EmptyResult",
        other => panic!("no result of `{other}` is known"),
    }
}

/// Checks an answer to a request of this method: its envelope, and its result or error. `id` is the
/// request's, if the server could read it.
#[track_caller]
pub fn check_response(version: Version, method: &str, response: &Value) {
    let members: Vec<_> = response.as_object().expect("an answer is an object").keys().collect();
    assert!(
        members.iter().all(|member| ["jsonrpc", "id", "result", "error"].contains(&member.as_str())),
        "{response}"
    );
    assert_eq!(response["jsonrpc"], "2.0", "{response}");
    let Some(error) = response.get("error") else {
        let result = &response["result"];
        check(version, result_of(version, method, result), result);
        check_shape(version, method, result);
        return;
    };
    assert!(response.get("result").is_none(), "a result and an error: {response}");
    // Before 2025-11-25 an error had to have an id, which a message that is no request does not have.
    let envelope = if response.get("id").is_none() { Version::NEWEST } else { version };
    let name =
        if defines(envelope, "JSONRPCErrorResponse") { "JSONRPCErrorResponse" } else { "JSONRPCError" };
    check(envelope, name, response);
    let code = error["code"].as_i64().expect("a code is an integer");
    assert!(!version.is_modern() || is_defined(code), "{code} is reserved, and not defined: {response}");
    let own = match Some(code) {
        Some(-32700) => "ParseError",
        Some(-32600) => "InvalidRequestError",
        Some(-32601) => "MethodNotFoundError",
        Some(-32602) => "InvalidParamsError",
        Some(-32603) => "InternalError",
        Some(-32020) => "HeaderMismatchError",
        Some(-32021) => "MissingRequiredClientCapabilityError",
        Some(-32022) => "UnsupportedProtocolVersionError",
        _ => return,
    };
    // The older schemas have no definitions of single errors; what they mean has not changed.
    let whole =
        ["HeaderMismatchError", "MissingRequiredClientCapabilityError", "UnsupportedProtocolVersionError"];
    check(Version::NEWEST, own, if whole.contains(&own) { response } else { error });
}

/// Whether 2026-07-28 lets a server use a code: it is defined there, or not reserved.
fn is_defined(code: i64) -> bool {
    let reserved = (-32768..=-32000).contains(&code);
    let defined = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022];
    !reserved || defined.contains(&code)
}

/// What the schemas leave open, and the revisions' texts do not.
#[track_caller]
fn check_shape(version: Version, method: &str, result: &Value) {
    let modern = version.is_modern();
    let info = result["_meta"].get("io.modelcontextprotocol/serverInfo");
    assert_eq!(result.get("resultType").is_some(), modern, "resultType in {version}: {result}");
    if method != "subscriptions/listen" {
        assert_eq!(info.is_some(), modern, "serverInfo in {version}: {result}");
    }
    let cacheable = [
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    ];
    let timed = method == "tasks/get" || result["resultType"] == "task";
    let cached = modern && cacheable.contains(&method) && result["resultType"] == "complete";
    assert_eq!(result.get("ttlMs").is_some(), cached || timed, "ttlMs in {version}, {method}: {result}");
    assert_eq!(result.get("cacheScope").is_some(), cached, "cacheScope in {version}, {method}: {result}");
    if let Some(info) = info {
        check(version, "Implementation", info);
    }
    let allowed = allowed(method, version);
    let own = result.as_object().into_iter().flatten().map(|(key, _)| key.as_str());
    let strange: Vec<_> = own.filter(|key| !allowed.contains(key)).collect();
    assert!(
        strange.is_empty() || result["resultType"] == "input_required" || timed,
        "{strange:?} in {method} of {version}: {result}"
    );
}

/// The members that a result of a method may have.
fn allowed(method: &str, version: Version) -> Vec<&'static str> {
    let mut allowed = vec!["_meta"];
    if version.is_modern() {
        allowed.extend(["resultType", "ttlMs", "cacheScope"]);
    }
    allowed.extend_from_slice(match method {
        "initialize" => &["protocolVersion", "capabilities", "serverInfo", "instructions"],
        "server/discover" => &["supportedVersions", "capabilities", "instructions"],
        "tools/list" => &["tools", "nextCursor"],
        "prompts/list" => &["prompts", "nextCursor"],
        "resources/list" => &["resources", "nextCursor"],
        "resources/templates/list" => &["resourceTemplates", "nextCursor"],
        "resources/read" => &["contents"],
        "completion/complete" => &["completion"],
        "prompts/get" => &["description", "messages"],
        "tools/call" if version < Version::V2025_06_18 => &["content", "isError"],
        "tools/call" => &["content", "isError", "structuredContent"],
        _ => &[],
    });
    allowed
}

/// Checks a notification of the server's.
#[track_caller]
pub fn check_notification(version: Version, message: &Value) {
    let method = message["method"].as_str().unwrap_or_default();
    let name = match method {
        "notifications/progress" => "ProgressNotification",
        "notifications/tasks" => "TaskStatusNotification",
        "notifications/message" => "LoggingMessageNotification",
        "notifications/cancelled" => "CancelledNotification",
        "notifications/resources/updated" => "ResourceUpdatedNotification",
        "notifications/resources/list_changed" => "ResourceListChangedNotification",
        "notifications/tools/list_changed" => "ToolListChangedNotification",
        "notifications/prompts/list_changed" => "PromptListChangedNotification",
        "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
        other => panic!("no notification `{other}` is known"),
    };
    check(version, "JSONRPCNotification", message);
    check(version, name, message);
}

/// Checks a request of the server's own, which only revisions with a session have.
#[track_caller]
pub fn check_request(version: Version, message: &Value) {
    assert!(!version.is_modern(), "a server of {version} sends no requests: {message}");
    check(version, "JSONRPCRequest", message);
    check_question(version, message);
}

/// Checks a question to the client: a request of the server's, or an entry of `inputRequests`.
#[track_caller]
pub fn check_question(version: Version, question: &Value) {
    let name = match question["method"].as_str().unwrap_or_default() {
        "elicitation/create" => "ElicitRequest",
        "sampling/createMessage" => "CreateMessageRequest",
        "roots/list" => "ListRootsRequest",
        other => panic!("the server asked `{other}`"),
    };
    check(version, name, question);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_defined_or_not_reserved() {
        for code in [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -40, 1, -31999, -32769] {
            assert!(is_defined(code), "{code}");
        }
        for code in [-32000, -32002, -32019, -32023, -32042, -32099, -32100, -32768] {
            assert!(!is_defined(code), "{code}");
        }
    }

    #[test]
    fn what_a_schema_forbids_is_found() {
        for version in Version::ALL {
            let tool = json!({ "name": "add", "inputSchema": { "type": "object" } });
            let good =
                json!({ "tools": [tool], "resultType": "complete", "ttlMs": 0, "cacheScope": "private" });
            assert_eq!(problems(version, "ListToolsResult", &good), Vec::<String>::new(), "{version}");
            let nameless = json!({ "tools": [{ "inputSchema": { "type": "object" } }], "resultType": "complete", "ttlMs": 0, "cacheScope": "private" });
            assert!(!problems(version, "ListToolsResult", &nameless).is_empty(), "{version}");
        }
    }
}
