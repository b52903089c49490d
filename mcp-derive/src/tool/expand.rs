//! Writes what stands beside a tool's function.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::model::Tool;
use crate::{
    call::{self, Placed},
    function::Function,
    metadata::name_or,
    param::Side,
    types::Shape,
};

pub(super) fn tool(tool: &Tool, function: &Function) -> TokenStream {
    let output = &function.output;
    let placed = call::placed(function, Side::Tool);
    let slots = call::slots(&placed);
    let arguments = call::arguments(function, &placed);
    let write = quote! {
        __p::reply::<__Ret, __RETURN, __REPLY>(__call, __ret)
    };
    let handler = call::handler(
        function,
        &placed,
        &quote!(arguments),
        &quote!(__p::InjectAll::inject),
        tool.load,
        tool.task.map(|_| quote!(__call.begin().await;)),
        &write,
    );
    let resolves = call::resolves(function, &placed);
    let checks = placed.iter().map(check);
    let name = name_or(tool.metadata.name.as_ref(), &function.name());
    let said = tool.metadata.said(&function.docs);
    let params = call::definitions(&placed, &quote!(param));
    let resolvers = call::resolvers(function);
    let hints = tool.hints.iter().map(|(hint, value)| {
        let hint = format_ident!("{hint}");
        quote!(.#hint(#value))
    });
    let structured = tool.structured.map(|structured| quote!(.structured(#structured)));
    let strict = tool.strict.map(|strict| quote!(.strict(#strict)));
    let task = tool.task.map(|required| {
        let support = if required { quote!(Required) } else { quote!(Optional) };
        quote!(.task(__p::TaskSupport::#support))
    });
    let registered = call::registered(
        function,
        "ToolDef",
        "Tool",
        quote! {
            __p::ToolDef::new(
                #name,
                ::core::file!(),
                ::core::line!(),
                __handler,
                <__Value as __p::Reply<__REPLY>>::schema,
            )
            #said #params #resolvers #(#hints)* #structured #strict #task
        },
    );
    quote! {
        type __Ret = #output;
        const __RETURN: __p::Kind = __p::return_kind!(__Ret);
        type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
        const __REPLY: __p::Kind = __p::reply_kind!(__Value);
        #slots
        #arguments
        #handler
        const _: () = {
            #(#checks)*
            #resolves
            __p::sendable::<#output, __RETURN, __REPLY>();
        };
        #registered
    }
}

/// The checks of a parameter's type, which point at it as it is written.
fn check(place: &Placed<'_>) -> TokenStream {
    let param = place.param;
    if matches!(param.shape, Shape::Text | Shape::OptionalText) {
        return TokenStream::new();
    }
    let ty = &param.kept;
    let Some(arg) = param.arg() else { return quote!(__p::takes::<#ty, 0>();) };
    let kind = quote!({ __p::argument_kind!(#ty) });
    let told = if arg.header.is_some() {
        Some(quote!(__p::header::<#ty>();))
    } else {
        param.is_told().then(|| quote!(__p::sent::<#ty, #kind>();))
    };
    quote!(__p::takes::<#ty, #kind>(); #told)
}
