//! `#[prompt]`.

mod expand;
mod model;
mod parse;

use proc_macro2::TokenStream;

use crate::{function, param::Side};

/// Expands the attribute.
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    function::expand("#[prompt]", Side::Text, item, |function, errors| {
        let prompt = parse::prompt(attr, function, errors);
        expand::prompt(&prompt, function)
    })
}
