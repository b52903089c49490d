//! Reads the keys of `#[completion]`.

use proc_macro2::TokenStream;

use super::model::{Completion, Of};
use crate::{attr::Keys, errors::Errors, function::Function, load};

pub(super) fn completion(attr: TokenStream, function: &Function, errors: &mut Errors) -> Completion {
    let allowed = [&["prompt", "resource", "argument"][..], &load::KEYS].concat();
    let mut keys = Keys::read(attr, "#[completion]", &allowed, errors);
    let (prompt, resource) = (keys.path("prompt", errors), keys.path("resource", errors));
    let of = match (prompt, resource) {
        (Some(prompt), None) => Some(Of::Prompt(prompt)),
        (None, Some(resource)) => Some(Of::Resource(resource)),
        _ => {
            errors.push(
                &function.ident,
                "a completion names whose argument it completes: `prompt = recommend` or `resource = stock`",
            );
            None
        }
    };
    let argument = keys.text("argument", errors);
    if argument.is_none() {
        errors.push(
            &function.ident,
            "a completion names the argument that it completes: `argument = \"genre\"`",
        );
    }
    if !function.params.iter().any(|param| param.name.value() == "value") {
        errors.push(&function.ident, "a completion has a parameter `value: String`, what was typed so far");
    }
    Completion { of, argument, load: load::read(&mut keys, function, errors) }
}
