//! `#[resource]`.

mod expand;
mod model;
mod parse;
mod uri;

use proc_macro2::TokenStream;

use crate::{function, param::Side};

/// Expands the attribute.
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    function::expand("#[resource]", Side::Text, item, |function, errors| {
        match parse::resource(attr, function, errors) {
            Some(resource) => expand::resource(&resource, function),
            None => TokenStream::new(),
        }
    })
}
