//! What is left of an item when something was wrong with it: the item itself. An author who made one
//! mistake should read one error, not one for each use of the function.

use proc_macro2::TokenStream;
use syn::{FnArg, ItemFn};

/// Whether an attribute on a parameter is for us alone. The compiler would refuse it.
pub(crate) fn is_ours(attr: &syn::Attribute) -> bool {
    ["doc", "arg", "args", "resolve"].iter().any(|name| attr.path().is_ident(name))
}

/// The function as the compiler may see it.
pub(crate) fn cleaned(mut item: ItemFn) -> ItemFn {
    for input in &mut item.sig.inputs {
        let attrs = match input {
            FnArg::Typed(typed) => &mut typed.attrs,
            FnArg::Receiver(receiver) => &mut receiver.attrs,
        };
        attrs.retain(|attr| {
            !is_ours(attr) && !attr.path().is_ident("cfg") && !attr.path().is_ident("cfg_attr")
        });
    }
    item
}

/// An item that cannot be read at all, as it was written.
pub(crate) fn unread(error: &syn::Error, item: TokenStream) -> TokenStream {
    let mut out = item;
    out.extend(error.to_compile_error());
    out
}
