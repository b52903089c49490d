//! From Rust types to schemas that every client survives, and from arguments to what the types want.
//!
//! One schema that a strict host refuses hides all the tools of a server, without a word. So a type's
//! schema is not listed as it is generated: it is rewritten into the small part of JSON Schema
//! 2020-12 that hosts and model providers agree on, and what leaves this module is checked against
//! the same rules at start ([`verify`](mod@verify)).
//!
//! The way back is lenient, but only *toward the declared type*: models send `"5"` for a number,
//! `30.0` for an integer and JSON text for a list ([`coerce`](mod@coerce)). What still does not fit is told all
//! at once, with its place, what was expected and what came ([`check`]).
//!
//! - [`generate`]: the schema of a type, for reading it or for writing it.
//! - [`portable`]: the rewriting.
//! - [`root`](mod@root): what a tool lists: its input schema from its parameters, its output schema.
//! - `given`: schemas that an author wrote, listed as they are and enforced by a full validator.
//! - [`text`]: a schema as JSON with its keys in one fixed order, whatever map the build uses.

mod check;
mod coerce;
mod expected;
mod generate;
#[cfg(feature = "dynamic")]
mod given;
mod portable;
mod root;
mod text;
mod verify;
mod walk;

#[cfg(test)]
mod tests;

pub(crate) use check::{Mode, nearest, problems, unknown};
pub(crate) use coerce::coerce;
pub use generate::Generated;
pub(crate) use generate::input;
#[cfg(feature = "dynamic")]
pub(crate) use given::Given;
pub use root::Output;
pub(crate) use root::{Part, Property, Root, output_root, root};
pub(crate) use text::to_text;
pub(crate) use verify::verify;

/// Who reads the values that a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// The server reads them: a schema may promise less than what is accepted.
    Input,
    /// The client validates them: a schema must admit all that is written, `null` too.
    Output,
}
