//! Writes the implementations that a form or a choice needs.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Index};

use super::model::{Field, Shape, Variant};
use crate::{attr::option, param::local, paths};

pub(super) fn form(ident: &Ident, shape: &Shape) -> TokenStream {
    let implemented = match shape {
        Shape::Form(fields) => fields_of(ident, fields),
        Shape::Choice(variants) => choice(ident, variants),
    };
    let private = paths::private();
    quote! {
        #[allow(deprecated, clippy::pedantic)]
        const _: () = {
            use #private as __p;
            #implemented
        };
    }
}

fn fields_of(ident: &Ident, fields: &[Field]) -> TokenStream {
    let definitions = fields.iter().map(definition);
    let locals: Vec<_> = fields.iter().map(|field| local(&field.ident)).collect();
    let idents = fields.iter().map(|field| &field.ident);
    let reads = fields.iter().zip(&locals).enumerate().map(|(index, (field, local))| {
        let (ty, index) = (&field.ty, Index::from(index));
        quote! {
            let #local = <#ty as __p::ReadField<{ __p::is!(FIELD #ty) }>>::read_field(
                __reader,
                &<Self as __p::Form>::FIELDS[#index],
            );
        }
    });
    quote! {
        #[automatically_derived]
        impl __p::Form for #ident {
            const FIELDS: &'static [__p::FieldDef] = &[#(#definitions),*];
            fn read_form(__reader: &mut __p::FormReader) -> ::core::option::Option<Self> {
                #(#reads)*
                ::core::option::Option::Some(Self { #(#idents: #locals?),* })
            }
        }
    }
}

fn definition(field: &Field) -> TokenStream {
    let Field { name, ty, docs, title, default, range, length, format, enum_names, .. } = field;
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    let default = default.as_ref().map(|default| quote!(.default(#default)));
    let range = range.as_ref().map(|range| {
        let (min, max) = (option(range.min.as_ref()), option(range.max.as_ref()));
        quote!(.range(#min, #max))
    });
    let length = length.map(|(min, max)| {
        let (min, max) = (option(min), option(max));
        quote!(.length(#min, #max))
    });
    let format = format.as_ref().map(|format| quote!(.format(#format)));
    let enum_names = enum_names.then(|| quote!(.enum_names()));
    quote!(__p::field::<#ty>(#name, #docs) #title #default #range #length #format #enum_names)
}

fn choice(ident: &Ident, variants: &[Variant]) -> TokenStream {
    let values = variants.iter().map(|Variant { value, title, .. }| {
        let title = option(title.as_ref());
        quote!((#value, #title))
    });
    let arms = variants
        .iter()
        .enumerate()
        .map(|(index, Variant { ident, .. })| quote!(#index => ::core::option::Option::Some(Self::#ident)));
    quote! {
        #[automatically_derived]
        impl __p::Choice for #ident {
            const VARIANTS: &'static [(&'static str, ::core::option::Option<&'static str>)] = &[#(#values),*];
            fn variant(__index: ::core::primitive::usize) -> ::core::option::Option<Self> {
                match __index {
                    #(#arms,)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}
