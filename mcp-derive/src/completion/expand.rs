//! Writes what stands beside a completion's function.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Completion, Of};
use crate::{call, function::Function, param::Side};

pub(super) fn completion(completion: &Completion, function: &Function) -> TokenStream {
    let output = &function.output;
    let placed = call::placed(function, Side::Text);
    let slots = call::slots(&placed);
    let arguments = call::arguments(function, &placed);
    let write = quote! {
        __p::completion::<__Ret, __RETURN, __FIT>(__call, __ret)
    };
    let handler = call::handler(
        function,
        &placed,
        &quote!(strings),
        &quote!(__p::TextSlots::inject),
        completion.load,
        None,
        &write,
    );
    let resolves = call::resolves(function, &placed);
    let checks = placed.iter().map(|place| call::takes_text(place, place.param.is_told()));
    let of = completion.of.as_ref().map(|of| match of {
        Of::Prompt(path) => quote!(Prompt(<#path as __p::Companion<__p::PromptDef>>::DEF)),
        Of::Resource(path) => quote!(Resource(<#path as __p::Companion<__p::ResourceDef>>::DEF)),
    });
    let argument = &completion.argument;
    let params = call::definitions(&placed, &quote!(text_param));
    let resolvers = call::resolvers(function);
    let registered = call::registered(
        function,
        "CompletionDef",
        "Completion",
        quote! {
            __p::CompletionDef::new(
                __p::Reference::#of, #argument, ::core::file!(), ::core::line!(), __handler,
            ) #params #resolvers
        },
    );
    quote! {
        type __Ret = #output;
        const __RETURN: __p::Kind = __p::return_kind!(__Ret);
        type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
        const __FIT: bool = __p::is!(COMPLETES __Value);
        #slots
        #arguments
        #handler
        const _: () = {
            #(#checks)*
            #resolves
            __p::completable::<#output, __RETURN>();
        };
        #registered
    }
}
