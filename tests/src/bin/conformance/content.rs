//! Tools of both eras: content, errors, progress, log messages.

use mcp_runtime::{Audio, Content, EmbeddedResource, Image, Level, ResourceContents, prelude::*};

/// A picture of one pixel, and one sample of sound, as Base64.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

/// The picture.
pub(super) fn image() -> Image {
    Image { data: PNG.into(), mime_type: "image/png".into(), ..Image::default() }
}

/// A text.
#[tool(structured = false)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// A picture.
#[tool]
fn test_image_content() -> Image {
    image()
}

/// A sound.
#[tool]
fn test_audio_content() -> Audio {
    Audio { data: WAV.into(), mime_type: "audio/wav".into(), ..Audio::default() }
}

/// A resource in a result.
#[tool]
fn test_embedded_resource() -> EmbeddedResource {
    let contents =
        ResourceContents::text("test://embedded-resource", "This is an embedded resource content.");
    EmbeddedResource::new(contents.mime_type("text/plain"))
}

/// A text, a picture and a resource.
#[tool]
fn test_multiple_content_types() -> Vec<Content> {
    let data = r#"{"test":"data","value":123}"#;
    let resource =
        ResourceContents::text("test://mixed-content-resource", data).mime_type("application/json");
    vec!["Multiple content types test:".into(), image().into(), EmbeddedResource::new(resource).into()]
}

/// Always fails.
#[tool]
fn test_error_handling() -> Result<String> {
    Err(Error::new("This tool intentionally returns an error for testing"))
}

/// Tells how far it is.
#[tool(structured = false)]
async fn test_tool_with_progress(ctx: Context) -> &'static str {
    for done in [0, 50, 100] {
        ctx.progress(done, 100, "").await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "Tool with progress executed successfully"
}

/// Writes to the client's log.
#[tool(structured = false)]
async fn test_tool_with_logging(ctx: Context) -> &'static str {
    for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        ctx.log(Level::Info, message).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "Tool with logging executed successfully"
}
