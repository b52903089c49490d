//! What the first program needs: `use mcp_runtime::prelude::*;`

pub use std::time::Duration;

pub use crate::{
    Answer, Ask, Cache, Context, Error, Form, FromContext, Result, Server, State, completion, prompt,
    resolver, resource, tool, tools,
};
