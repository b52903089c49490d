//! Reads the keys of `#[prompt]`.

use proc_macro2::TokenStream;

use super::model::Prompt;
use crate::{
    attr::Keys,
    errors::Errors,
    function::Function,
    load,
    metadata::{self, Metadata},
};

pub(super) fn prompt(attr: TokenStream, function: &Function, errors: &mut Errors) -> Prompt {
    let allowed = [&metadata::KEYS[..], &load::KEYS].concat();
    let mut keys = Keys::read(attr, "#[prompt]", &allowed, errors);
    let metadata = Metadata::read(&mut keys, errors);
    if let Some(name) = metadata.name.as_ref().filter(|name| name.value().is_empty()) {
        errors.push(name, "a prompt's name cannot be empty");
    }
    Prompt { metadata, load: load::read(&mut keys, function, errors) }
}
