//! From a request to the author's function: the parts that the macros have in common.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Path, spanned::Spanned};

use crate::{
    function::Function,
    param::{Param, Side, Source},
    types::Shape,
};

/// How the function runs where it is not asynchronous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    Adaptive,
    Blocking,
    Inline,
}

/// A parameter that has a place: an argument, or what the server provides.
pub(crate) struct Placed<'f> {
    pub(crate) param: &'f Param,
    index: syn::Index,
    /// The type of its place.
    pub(crate) slot: TokenStream,
    /// Whether it is text that is borrowed from the request.
    borrows: bool,
}

/// The places of a function's parameters.
pub(crate) fn placed(function: &Function, side: Side) -> Vec<Placed<'_>> {
    let params = function.params.iter().filter(|param| param.resolver().is_none());
    let slots = params.enumerate().map(|(index, param)| {
        let kept = &param.kept;
        // A plain function may run on another thread, which outlives nothing that is borrowed.
        let borrows = side == Side::Tool && function.is_async && param.shape == Shape::Text;
        let slot = match (side, &param.source) {
            (_, Source::Whole) => quote!(__p::whole!(#kept)),
            (Side::Tool, _) if borrows => quote!(__p::TextSlot<'a>),
            (Side::Tool | Side::Resolver, _) => quote!(__p::slot!(#kept)),
            (Side::Text, _) => quote!(__p::parsed!(#kept)),
        };
        Placed { param, index: syn::Index::from(index), slot, borrows }
    });
    slots.collect()
}

/// The type of all places together.
pub(crate) fn slots(placed: &[Placed<'_>]) -> TokenStream {
    let slots = placed.iter().map(|place| &place.slot);
    let lifetime = placed.iter().any(|place| place.borrows).then(|| quote!(<'a>));
    quote!(type __Slots #lifetime = (#(#slots,)*);)
}

/// The same type where it is used.
fn slots_used(placed: &[Placed<'_>]) -> TokenStream {
    if placed.iter().any(|place| place.borrows) { quote!(__Slots<'a>) } else { quote!(__Slots) }
}

/// The arguments as resolvers see them, if there are any resolvers.
pub(crate) fn arguments(function: &Function, placed: &[Placed<'_>]) -> Option<TokenStream> {
    function.params.iter().find_map(Param::resolver)?;
    let borrows = placed.iter().any(|place| place.borrows);
    let (lifetimes, used) = if borrows { (quote!('s, 'a), quote!('a)) } else { (quote!('s), quote!()) };
    let all = slots_used(placed);
    let args = placed.iter().map(|Placed { param, index, slot, .. }| {
        let name = &param.name;
        let lifetimes = if borrows { quote!(<'_, 'a>) } else { quote!(<'_>) };
        quote! {
            __p::arg!(<#used> __Args #lifetimes, #name, #index, #slot);
        }
    });
    Some(quote! {
        struct __Args<#lifetimes>(&'s #all);
        #(#args)*
    })
}

/// The type of the arguments, as long as no lifetime matters.
fn args_static(placed: &[Placed<'_>]) -> TokenStream {
    if placed.iter().any(|place| place.borrows) {
        quote!(__Args<'static, 'static>)
    } else {
        quote!(__Args<'static>)
    }
}

/// The same tokens at another place of the source.
fn respanned(tokens: &TokenStream, span: Span) -> TokenStream {
    let tokens = tokens.clone().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    tokens.collect()
}

/// The checks of the resolvers, which point at their paths.
pub(crate) fn resolves(function: &Function, placed: &[Placed<'_>]) -> TokenStream {
    let args = args_static(placed);
    let checks = function.params.iter().filter_map(|param| {
        let (path, ty) = (param.resolver()?, &param.kept);
        // All of the check stands at the resolver's name: a message may point at any part of it.
        let span = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        let args = respanned(&args, span);
        Some(quote_spanned!(span=> __p::resolves::<#args, #path, #ty>();))
    });
    checks.collect()
}

/// The handler: reads the places by `read` (`arguments` or `strings`), calls the author's function
/// and passes what it returned to `write`; `begin` stands before that call.
pub(crate) fn handler(
    function: &Function,
    placed: &[Placed<'_>],
    read: &TokenStream,
    inject: &TokenStream,
    load: Load,
    begin: Option<TokenStream>,
    write: &TokenStream,
) -> TokenStream {
    let all = slots_used(placed);
    let defaults = placed.iter().filter_map(|place| {
        let default = place.param.default(place.borrows)?;
        let index = &place.index;
        Some(quote_spanned!(default.span()=> __slots.#index.or(|| #default);))
    });
    let args = args_static(placed);
    let resolved =
        resolved(function, |path, ty| quote!(__p::get!(__scope, #path, #args, #ty))).map(|resolved| {
            quote! {
                let __args = __Args(&__slots);
                let __scope = __p::Scope::new(__call, &__args);
                #resolved
            }
        });
    let taken = placed.iter().map(|Placed { param, index, .. }| {
        let local = param.local();
        quote!(let #local = __slots.#index.take()?;)
    });
    let called = called(function, load);
    quote! {
        fn __handler<'a>(__call: &'a __p::Call<'a>) -> __p::BoxFuture<'a, __p::Outcome> {
            ::std::boxed::Box::pin(__p::run(__call, async move {
                let mut __slots: #all = __call.#read()?;
                #inject(&mut __slots, __call.context()).await?;
                #(#defaults)*
                #resolved
                #(#taken)*
                #begin
                let __ret: __Ret = #called;
                #write
            }))
        }
    }
}

/// What the resolvers give, all asked for at once, so that all questions go out together.
pub(crate) fn resolved(
    function: &Function,
    get: impl Fn(&Path, &TokenStream) -> TokenStream,
) -> Option<TokenStream> {
    let params: Vec<_> = function.params.iter().filter(|param| param.resolver().is_some()).collect();
    if params.is_empty() {
        return None;
    }
    let locals: Vec<_> = params.iter().map(|param| param.local()).collect();
    let gets = params.iter().filter_map(|param| Some(get(param.resolver()?, &param.kept)));
    Some(quote! {
        let (#(#locals,)*) = __p::join!(#(#gets),*);
        let (#(#locals,)*) = (#(#locals?,)*);
    })
}

/// The call of the author's function.
pub(crate) fn called(function: &Function, load: Load) -> TokenStream {
    let ident = &function.ident;
    let handed = function.params.iter().map(Param::handed);
    let call = quote!(#ident(#(#handed),*));
    if function.is_async {
        return quote!(#call.await);
    }
    let load = match load {
        Load::Adaptive => quote!(adaptive),
        Load::Blocking => quote!(blocking),
        Load::Inline => quote!(inline),
    };
    quote! {{
        static __LOAD: __p::Load = __p::Load::#load();
        __p::offload(&__LOAD, move || #call).await
    }}
}

/// The definitions of the resolvers that the function names.
pub(crate) fn resolvers(function: &Function) -> Option<TokenStream> {
    let paths: Vec<&Path> = function.params.iter().filter_map(Param::resolver).collect();
    if paths.is_empty() {
        return None;
    }
    Some(quote!(.resolvers(&[#(__p::resolver!(#paths)),*])))
}

/// The definitions of the parameters, by the function `define` of the run time.
pub(crate) fn definitions(placed: &[Placed<'_>], define: &TokenStream) -> Option<TokenStream> {
    if placed.is_empty() {
        return None;
    }
    let params = placed.iter().map(|Placed { param, slot, borrows, .. }| {
        let slot = if *borrows { quote!(__p::TextSlot<'static>) } else { slot.clone() };
        let (name, docs, said) = (&param.name, &param.docs, param.said());
        quote!(__p::#define::<#slot>(#name, #docs) #said)
    });
    Some(quote!(.params(&[#(#params),*])))
}

/// The companion's definition, and its entry in what the linker collects.
pub(crate) fn registered(function: &Function, def: &str, kind: &str, value: impl ToTokens) -> TokenStream {
    let ident = &function.ident;
    let def = quote::format_ident!("{def}");
    let kind = quote::format_ident!("{kind}");
    quote! {
        static __DEF: __p::#def = #value;
        impl __p::Companion<__p::#def> for #ident {
            const DEF: &'static __p::#def = &__DEF;
        }
        __p::inventory::submit! { __p::Registered::#kind(&__DEF) }
    }
}

/// The checks of the type of a prompt's or a resource's parameter, which point at it as it is
/// written; `sent` if the client has to send it.
pub(crate) fn takes_text(place: &Placed<'_>, sent: bool) -> TokenStream {
    if matches!(place.param.shape, Shape::Text | Shape::OptionalText) {
        return TokenStream::new();
    }
    let ty = &place.param.kept;
    let kind = quote!({ __p::text_kind!(#ty) });
    let sent = sent.then(|| quote!(__p::sent::<#ty, #kind>();));
    quote!(__p::takes_text::<#ty, #kind>(); #sent)
}
