//! Resources and prompts.

use mcp_runtime::{Content, EmbeddedResource, Json, PromptMessage, ResourceContents, prelude::*};
use serde_json::{Value, json};

use super::content::image;

/// A fixed text.
#[resource("test://static-text", mime_type = "text/plain")]
fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// A fixed picture.
#[resource("test://static-binary")]
fn static_binary() -> ResourceContents {
    ResourceContents {
        blob: Some(image().data),
        mime_type: Some("image/png".into()),
        ..ResourceContents::default()
    }
}

/// A text to subscribe to.
#[resource("test://watched-resource", mime_type = "text/plain")]
fn watched_resource() -> &'static str {
    "Watched resource content"
}

/// Data by id.
#[resource("test://template/{id}/data", mime_type = "application/json")]
fn template(id: String) -> Json<Value> {
    Json(json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") }))
}

/// A prompt without arguments.
#[prompt]
fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// A prompt with two arguments.
#[prompt]
fn test_prompt_with_arguments(
    /// First argument
    arg1: String,
    /// Second argument
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// What the first argument could be.
#[completion(prompt = test_prompt_with_arguments, argument = "arg1")]
fn first_arguments(value: String) -> Vec<&'static str> {
    let mut known = vec!["paris", "park", "party", "test", "testing"];
    known.retain(|argument| argument.starts_with(&value));
    known
}

/// A prompt with a resource in it.
#[prompt]
fn test_prompt_with_embedded_resource(
    /// The resource's URI
    #[arg(rename = "resourceUri")]
    resource_uri: String,
) -> Vec<PromptMessage> {
    let contents = ResourceContents::text(resource_uri, "Embedded resource content for testing.");
    vec![
        PromptMessage::user(EmbeddedResource::new(contents.mime_type("text/plain"))),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

/// A prompt with a picture in it.
#[prompt]
fn test_prompt_with_image() -> Vec<Content> {
    vec![image().into(), "Please analyze the image above.".into()]
}
