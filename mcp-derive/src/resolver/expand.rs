//! Writes what stands beside a resolver's function.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::model::Resolver;
use crate::{
    call,
    function::Function,
    metadata::name_or,
    param::{Param, Side},
    types::shown,
};

pub(super) fn resolver(resolver: &Resolver, function: &Function) -> TokenStream {
    let (ident, output, name) = (&function.ident, &function.output, function.name());
    let key = name_or(resolver.key.as_ref(), &name);
    let needs: Vec<_> = needs(function).collect();
    let traits = needs.iter().map(|need| need.declared(&name));
    let bounds = needs.iter().map(|need| &need.ident);
    let gets = needs.iter().map(Need::got);
    let others = function.params.iter().filter_map(|param| {
        let (path, ty) = (param.resolver()?, &param.kept);
        Some(quote! {
            #path: __p::Resolver<__A>,
            <#path as __p::Resolver<__A>>::Out: __p::Supply<#ty>,
        })
    });
    let resolved = call::resolved(function, |path, ty| quote!(__scope.get::<#path, #ty>()));
    let named = function.params.iter().filter_map(Param::resolver);
    let called = call::called(function, resolver.load);
    let places = call::placed(function, Side::Resolver);
    let slots = places.iter().map(|place| &place.slot);
    let server = (!places.is_empty()).then(|| quote!(.needs(&[#(<#slots as __p::Fill<'static>>::need),*])));
    let resolvers = call::resolvers(function);
    let registered = call::registered(
        function,
        "ResolverDef",
        "Resolver",
        quote! {
            __p::ResolverDef::new(#name, #key, ::core::file!(), ::core::line!()) #server #resolvers
        },
    );
    quote! {
        type __Ret = #output;
        const __RETURN: __p::Kind = __p::return_kind!(__Ret);
        type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
        const __OUTCOME: __p::Kind = __p::outcome_kind!(__Value);
        #(#traits)*
        impl<__A: ::core::marker::Sync #(+ #bounds)*> __p::Resolver<__A> for #ident
        where
            #(#others)*
        {
            type Out = <__Value as __p::Resolved<__OUTCOME>>::Out;
            async fn run<'s>(
                __scope: &'s __p::Scope<'s, __A>,
            ) -> ::core::result::Result<Self::Out, __p::Stop> {
                #(#gets)*
                #resolved
                let __ret: __Ret = #called;
                let __value = __p::Returned::<__RETURN>::value(__ret)?;
                __p::Resolved::<__OUTCOME>::settle(__value, __scope.call(), #key).await
            }
        }
        const _: () = {
            #(__p::is_resolver::<#named>();)*
            __p::told::<#output, __RETURN>();
        };
        #registered
    }
}

/// An argument that a resolver reads, as a trait of its own: only a trait can carry a message.
struct Need<'f> {
    ident: Ident,
    param: &'f Param,
    has: TokenStream,
}

fn needs(function: &Function) -> impl Iterator<Item = Need<'_>> {
    let params = function.params.iter().filter(|param| param.resolver().is_none());
    params.enumerate().map(|(index, param)| {
        let (name, kept) = (&param.name, &param.kept);
        Need {
            ident: format_ident!("__Needs{index}"),
            param,
            has: quote!(__p::Has<{ __p::name(#name) }, #kept, { __p::is!(INJECTED #kept) }>),
        }
    })
}

impl Need<'_> {
    fn declared(&self, resolver: &str) -> TokenStream {
        let Self { ident, param, has } = self;
        let argument = format!("{}: {}", param.name.value(), shown(&param.ty));
        let message = format!(
            "resolver `{resolver}` needs the tool argument `{argument}`, and this tool has none of that name and type"
        );
        // Braces would be read as placeholders.
        let message = message.replace('{', "{{").replace('}', "}}");
        quote! {
            #[diagnostic::on_unimplemented(
                message = #message,
                label = "add the argument to the tool, or use another resolver"
            )]
            trait #ident: #has {}
            #[diagnostic::do_not_recommend]
            impl<__A: #has> #ident for __A {}
        }
    }

    fn got(&self) -> TokenStream {
        let (local, has) = (self.param.local(), &self.has);
        quote!(let #local = <__A as #has>::get(__scope.args(), __scope.call().context()).await?;)
    }
}
