//! Where expansions find the run time. Each names it `__p`; what they use of it is listed in
//! `mcp_runtime::__private`.

use proc_macro2::TokenStream;
use quote::quote;

/// The module that expansions call.
pub(crate) fn private() -> TokenStream {
    quote!(::mcp_runtime::__private)
}
