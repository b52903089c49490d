//! The author's function: read, checked, and given back unchanged beside what is generated.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Ident, Item, ItemFn, ReturnType, ext::IdentExt};

use crate::{
    docs::Docs,
    errors::Errors,
    fallback,
    param::{self, Param, Side},
    paths, signature,
};

/// What is known of the function.
pub(crate) struct Function {
    pub(crate) ident: Ident,
    pub(crate) docs: Docs,
    pub(crate) is_async: bool,
    pub(crate) params: Vec<Param>,
    /// The return type; `()` where none was written.
    pub(crate) output: TokenStream,
}

impl Function {
    fn read(item: &ItemFn, side: Side, errors: &mut Errors) -> Self {
        signature::check(&item.sig, errors);
        let inputs = item.sig.inputs.iter();
        let params: Vec<_> = inputs.filter_map(|input| Param::read(input, side, errors)).collect();
        param::check_together(&params, side, errors);
        let output = match &item.sig.output {
            ReturnType::Type(_, ty) => quote!(#ty),
            ReturnType::Default => quote!(()),
        };
        Self {
            ident: item.sig.ident.clone(),
            docs: Docs::of(&item.attrs),
            is_async: item.sig.asyncness.is_some(),
            params,
            output,
        }
    }

    /// Its name without `r#`.
    pub(crate) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }
}

/// Expands an attribute on a function: `generate` checks its keys and writes what goes into the
/// anonymous constant beside the function.
pub(crate) fn expand(
    place: &str,
    side: Side,
    item: TokenStream,
    generate: impl FnOnce(&Function, &mut Errors) -> TokenStream,
) -> TokenStream {
    let item = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(function)) => function,
        Ok(other) => {
            let error = syn::Error::new_spanned(other, format!("{place} goes on a function"));
            return fallback::unread(&error, item);
        }
        Err(error) => return fallback::unread(&error, item),
    };
    let mut errors = Errors::new();
    let function = Function::read(&item, side, &mut errors);
    let generated = generate(&function, &mut errors);
    let companion = companion(&item);
    let cfgs: Vec<_> = existence(&item.attrs).into_iter().cloned().collect();
    let item = fallback::cleaned(item);
    if let Some(errors) = errors.finish() {
        return quote!(#item #companion #errors);
    }
    let private = paths::private();
    quote! {
        #item
        #companion
        #(#cfgs)*
        #[allow(deprecated, unused_mut, unused_variables, clippy::pedantic)]
        const _: () = {
            use #private as __p;
            #generated
        };
    }
}

/// The type that travels with the function under its name, for `tools![…]` and `#[resolve(…)]`.
fn companion(item: &ItemFn) -> TokenStream {
    let (vis, ident) = (&item.vis, &item.sig.ident);
    // An item cannot stand beside a method, and must not hide a primitive type.
    if item.sig.receiver().is_some() || signature::shadows_a_primitive(ident) {
        return TokenStream::new();
    }
    let cfgs = existence(&item.attrs);
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #vis enum #ident {}
    }
}

fn existence(attrs: &[Attribute]) -> Vec<&Attribute> {
    attrs.iter().filter(|attr| param::decides_existence(attr)).collect()
}
