//! Writes what stands beside a prompt's function.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::Prompt;
use crate::{call, function::Function, metadata::name_or, param::Side};

pub(super) fn prompt(prompt: &Prompt, function: &Function) -> TokenStream {
    let output = &function.output;
    let placed = call::placed(function, Side::Text);
    let slots = call::slots(&placed);
    let arguments = call::arguments(function, &placed);
    let write = quote! {
        __p::messages::<__Ret, __RETURN, __FIT>(__call, __ret)
    };
    let handler = call::handler(
        function,
        &placed,
        &quote!(strings),
        &quote!(__p::TextSlots::inject),
        prompt.load,
        None,
        &write,
    );
    let resolves = call::resolves(function, &placed);
    let checks = placed.iter().map(|place| call::takes_text(place, place.param.is_told()));
    let name = name_or(prompt.metadata.name.as_ref(), &function.name());
    let said = prompt.metadata.said(&function.docs);
    let params = call::definitions(&placed, &quote!(text_param));
    let resolvers = call::resolvers(function);
    let registered = call::registered(
        function,
        "PromptDef",
        "Prompt",
        quote! {
            __p::PromptDef::new(#name, ::core::file!(), ::core::line!(), __handler) #said #params #resolvers
        },
    );
    quote! {
        type __Ret = #output;
        const __RETURN: __p::Kind = __p::return_kind!(__Ret);
        type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
        const __FIT: bool = __p::is!(MESSAGES __Value);
        #slots
        #arguments
        #handler
        const _: () = {
            #(#checks)*
            #resolves
            __p::sayable::<#output, __RETURN>();
        };
        #registered
    }
}
