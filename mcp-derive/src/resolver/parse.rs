//! Reads the keys of `#[resolver]`.

use proc_macro2::TokenStream;

use super::model::Resolver;
use crate::{attr::Keys, errors::Errors, function::Function, load};

pub(super) fn resolver(attr: TokenStream, function: &Function, errors: &mut Errors) -> Resolver {
    let allowed = [&["key"][..], &load::KEYS].concat();
    let mut keys = Keys::read(attr, "#[resolver]", &allowed, errors);
    let key = keys.text("key", errors);
    if let Some(key) = key.as_ref().filter(|key| key.value().is_empty()) {
        errors.push(key, "a question's key cannot be empty");
    }
    Resolver { key, load: load::read(&mut keys, function, errors) }
}
