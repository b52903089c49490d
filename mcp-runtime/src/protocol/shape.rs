//! What a revision's results look like, as plain switches. The values stand in one table, in
//! `era::shape`; everything that writes a result reads the switches and never the revision.

use super::ClientCapabilities;

/// The differences between the revisions' results and errors.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Position in the table: lists are kept ready per shape.
    pub(crate) index: usize,
    /// `resultType` in every result.
    pub(crate) result_type: bool,
    /// `ttlMs` and `cacheScope` where a result may be cached.
    pub(crate) cache_hints: bool,
    /// The server's name and version in every result's `_meta`.
    pub(crate) server_info: bool,
    /// `structuredContent` and `outputSchema`.
    pub(crate) structured: bool,
    /// `title` beside `name`, and `_meta` on definitions and content.
    pub(crate) titles: bool,
    /// `annotations` of tools.
    pub(crate) tool_annotations: bool,
    /// `icons`.
    pub(crate) icons: bool,
    /// Content of the type `audio`.
    pub(crate) audio: bool,
    /// Content of the type `resource_link`.
    pub(crate) resource_links: bool,
    /// `lastModified` in the annotations of content.
    pub(crate) last_modified: bool,
    /// `message` in progress notifications.
    pub(crate) progress_message: bool,
    /// Elicitation.
    pub(crate) forms: bool,
    /// Elicitation by URL, which names its mode and, in a session, its id; and sampling with tools.
    pub(crate) url: bool,
    /// The extension `io.modelcontextprotocol/tasks`.
    pub(crate) tasks: bool,
    /// Streams over HTTP have ids, by which they can be resumed.
    pub(crate) event_ids: bool,
    /// Streams over HTTP begin with an event of no data, and the server may close them before their end.
    pub(crate) polling: bool,
    /// The code of "there is no such resource".
    pub(crate) resource_not_found: i32,
}

impl Shape {
    /// Drops what a client declared and its revision has no words for.
    pub(crate) fn forget_unknown(&self, capabilities: &mut ClientCapabilities) {
        if !self.forms {
            capabilities.elicitation = None;
        }
        if !self.url {
            if let Some(modes) = &mut capabilities.elicitation
                && modes.remove("url").is_some()
                && modes.is_empty()
            {
                // Without any mode it would mean forms.
                capabilities.elicitation = None;
            }
            if let Some(sampling) = &mut capabilities.sampling {
                sampling.remove("tools");
            }
        }
    }
}
