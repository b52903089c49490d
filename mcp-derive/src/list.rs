//! `tools![…]`, `prompts![…]`, `resources![…]`: what a server offers, by name.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Path, Token, parse::Parser, punctuated::Punctuated};

use crate::paths;

/// An array of the definitions of the functions that are named.
pub(crate) fn expand(name: &str, def: &str, paths: TokenStream) -> TokenStream {
    let paths = match Punctuated::<Path, Token![,]>::parse_terminated.parse2(paths) {
        Ok(paths) => paths,
        Err(error) => {
            let error = syn::Error::new(
                error.span(),
                format!("`{name}!` takes the names of functions: `{name}![one, module::two]`"),
            );
            return error.to_compile_error();
        }
    };
    let private = paths::private();
    let def = format_ident!("{def}");
    let count = paths.len();
    let paths = paths.iter();
    quote! {{
        const __LIST: [&'static #private::#def; #count] =
            [#(<#paths as #private::Companion<#private::#def>>::DEF),*];
        __LIST
    }}
}
