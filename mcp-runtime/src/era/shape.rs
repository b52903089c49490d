//! The one table of what each revision's results look like.

use crate::protocol::{Shape, Version};

const fn oldest() -> Shape {
    Shape {
        index: 0,
        result_type: false,
        cache_hints: false,
        server_info: false,
        structured: false,
        titles: false,
        tool_annotations: false,
        icons: false,
        audio: false,
        resource_links: false,
        last_modified: false,
        progress_message: false,
        forms: false,
        url: false,
        tasks: false,
        event_ids: false,
        polling: false,
        resource_not_found: -32002,
    }
}

static V2024_11_05: Shape = oldest();

static V2025_03_26: Shape = Shape {
    index: 1,
    tool_annotations: true,
    audio: true,
    progress_message: true,
    event_ids: true,
    ..oldest()
};

static V2025_06_18: Shape = Shape {
    index: 2,
    tool_annotations: true,
    audio: true,
    progress_message: true,
    structured: true,
    titles: true,
    resource_links: true,
    forms: true,
    last_modified: true,
    event_ids: true,
    ..oldest()
};

static V2025_11_25: Shape = Shape {
    index: 3,
    tool_annotations: true,
    audio: true,
    progress_message: true,
    structured: true,
    titles: true,
    resource_links: true,
    forms: true,
    last_modified: true,
    icons: true,
    url: true,
    event_ids: true,
    polling: true,
    ..oldest()
};

static V2026_07_28: Shape = Shape {
    index: 4,
    result_type: true,
    cache_hints: true,
    server_info: true,
    structured: true,
    titles: true,
    tool_annotations: true,
    icons: true,
    audio: true,
    resource_links: true,
    forms: true,
    last_modified: true,
    progress_message: true,
    url: true,
    tasks: true,
    event_ids: false,
    polling: false,
    resource_not_found: -32602,
};

/// The shape of a revision's results.
pub(crate) fn of(version: Version) -> &'static Shape {
    match version {
        Version::V2024_11_05 => &V2024_11_05,
        Version::V2025_03_26 => &V2025_03_26,
        Version::V2025_06_18 => &V2025_06_18,
        Version::V2025_11_25 => &V2025_11_25,
        Version::V2026_07_28 => &V2026_07_28,
    }
}
