//! `derive(Form)`.

mod expand;
mod model;
mod parse;

use proc_macro2::TokenStream;

use crate::errors::Errors;

/// Expands the derive.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let item = match syn::parse2::<syn::DeriveInput>(item) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::new();
    let shape = parse::form(&item, &mut errors);
    match (errors.finish(), shape) {
        (Some(errors), _) => errors,
        (None, shape) => shape.map(|shape| expand::form(&item.ident, &shape)).unwrap_or_default(),
    }
}
