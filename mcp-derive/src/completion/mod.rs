//! `#[completion]`.

mod expand;
mod model;
mod parse;

use proc_macro2::TokenStream;

use crate::{function, param::Side};

/// Expands the attribute.
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    function::expand("#[completion]", Side::Text, item, |function, errors| {
        let completion = parse::completion(attr, function, errors);
        expand::completion(&completion, function)
    })
}
