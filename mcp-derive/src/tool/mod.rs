//! `#[tool]`.

mod expand;
mod model;
mod parse;

use proc_macro2::TokenStream;

use crate::{function, param::Side};

/// Expands the attribute.
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    function::expand("#[tool]", Side::Tool, item, |function, errors| {
        let tool = parse::tool(attr, function, errors);
        expand::tool(&tool, function)
    })
}
