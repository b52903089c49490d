//! `#[resolver]`.

mod expand;
mod model;
mod parse;

use proc_macro2::TokenStream;

use crate::{function, param::Side};

/// Expands the attribute.
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    function::expand("#[resolver]", Side::Resolver, item, |function, errors| {
        let resolver = parse::resolver(attr, function, errors);
        expand::resolver(&resolver, function)
    })
}
