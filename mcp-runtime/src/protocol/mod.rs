//! What goes over the wire: the types of the Model Context Protocol and the revisions that shape
//! them. This module depends on serde alone and knows nothing of transports or eras.

mod cache;
mod capabilities;
mod content;
mod error;
mod jsonrpc;
mod level;
mod message;
mod meta;
mod shape;
mod tool;
mod version;

pub use cache::CacheScope;
pub use capabilities::ClientCapabilities;
pub(crate) use capabilities::{Capability, TASKS};
pub use content::{
    Annotations, Audio, Content, EmbeddedResource, Image, ResourceContents, ResourceLink, Role, Text,
};
pub use error::{ErrorCode, ErrorObject};
pub(crate) use jsonrpc::{
    Envelope, Id, Params, error_message, notification, object, raw, request, text, write, write_members,
};
pub use level::Level;
pub use message::{GetPromptResult, PromptMessage};
pub(crate) use meta::RequestMeta;
pub(crate) use shape::Shape;
pub use tool::{CallToolResult, Icon, Implementation, Meta};
pub use version::Version;
