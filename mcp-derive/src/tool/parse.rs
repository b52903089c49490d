//! Reads the keys of `#[tool]`.

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::model::{HINTS, Tool};
use crate::{
    attr::Keys,
    errors::Errors,
    function::Function,
    load,
    metadata::{self, Metadata},
    param::Source,
};

pub(super) fn tool(attr: TokenStream, function: &Function, errors: &mut Errors) -> Tool {
    let allowed = [&metadata::KEYS[..], &HINTS, &["structured", "strict", "task"], &load::KEYS].concat();
    let mut keys = Keys::read(attr, "#[tool]", &allowed, errors);
    let metadata = Metadata::read(&mut keys, errors);
    check_name(&metadata, function, errors);
    let whole = function.params.iter().filter(|param| matches!(param.source, Source::Whole));
    for second in whole.skip(1) {
        errors
            .push(&second.ident, "only one parameter can be `#[args]`: it takes all the arguments together");
    }
    Tool {
        hints: HINTS.iter().filter_map(|hint| Some((*hint, keys.truth(hint, errors)?))).collect(),
        structured: keys.truth("structured", errors),
        strict: keys.truth("strict", errors),
        task: keys.flag_or("task", "required", errors),
        load: load::read(&mut keys, function, errors),
        metadata,
    }
}

/// Tool names of 2026-07-28, server/tools, "Tool Names".
fn check_name(metadata: &Metadata, function: &Function, errors: &mut Errors) {
    let allowed = |name: &str| {
        (1..=128).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    };
    let (name, at) = match &metadata.name {
        Some(name) => (name.value(), name.to_token_stream()),
        None => (function.name(), function.ident.to_token_stream()),
    };
    if !allowed(&name) {
        errors.push(
            at,
            format!("MCP does not allow the tool name `{name}`: write `name = \"…\"` with 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`"),
        );
    }
}
