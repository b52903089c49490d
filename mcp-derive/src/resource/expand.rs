//! Writes what stands beside a resource's function.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::model::Resource;
use crate::{
    call::{self, Placed},
    function::Function,
    literal::Literal,
    metadata::name_or,
    param::Side,
};

pub(super) fn resource(resource: &Resource, function: &Function) -> TokenStream {
    let (output, uri) = (&function.output, &resource.uri);
    let placed = call::placed(function, Side::Text);
    let slots = call::slots(&placed);
    let arguments = call::arguments(function, &placed);
    let write = quote! {
        __p::contents::<__Ret, __RETURN, __FIT>(__call, __ret)
    };
    let handler = call::handler(
        function,
        &placed,
        &quote!(strings),
        &quote!(__p::TextSlots::inject),
        resource.load,
        None,
        &write,
    );
    let resolves = call::resolves(function, &placed);
    let checks = placed.iter().enumerate().map(|(index, place)| check(resource, index, place));
    let name = name_or(resource.metadata.name.as_ref(), &function.name());
    let said = resource.metadata.said(&function.docs);
    let mime_type = resource.mime_type.as_ref().map(|mime_type| quote!(.mime_type(#mime_type)));
    let size = resource.size.map(|size| quote!(.size(#size)));
    let roles = resource.audience.iter().map(|role| format_ident!("{role}"));
    let audience = (!resource.audience.is_empty()).then(|| quote!(.audience(&[#(__p::Role::#roles),*])));
    let priority =
        resource.priority.as_ref().and_then(Literal::number).map(|number| quote!(.priority(#number)));
    let last_modified = resource.last_modified.as_ref().map(|time| quote!(.last_modified(#time)));
    let unchecked = resource.unchecked.then(|| quote!(.unchecked()));
    let list = resource.list.as_ref().map(|list| {
        let count = resource.variables.iter().filter(|variable| !variable.in_query).count();
        let count = proc_macro2::Literal::usize_unsuffixed(count);
        quote_spanned!(list.span()=> .list(const { &__p::listing::<_, _, #count>(#list) }))
    });
    let params = call::definitions(&placed, &quote!(text_param));
    let resolvers = call::resolvers(function);
    let registered = call::registered(
        function,
        "ResourceDef",
        "Resource",
        quote! {
            __p::ResourceDef::new(#name, #uri, ::core::file!(), ::core::line!(), __handler)
                #said #mime_type #size #audience #priority #last_modified #unchecked #list #params #resolvers
        },
    );
    quote! {
        type __Ret = #output;
        const __RETURN: __p::Kind = __p::return_kind!(__Ret);
        type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
        const __FIT: bool = __p::is!(CONTENTS __Value);
        #slots
        #arguments
        #handler
        const _: () = {
            #(#checks)*
            #resolves
            __p::readable::<#output, __RETURN>();
        };
        #registered
    }
}

/// A parameter that is a variable is read from text; any other has to come from the server, and only
/// the compiler knows whether its type does.
fn check(resource: &Resource, index: usize, place: &Placed<'_>) -> TokenStream {
    let (name, ty) = (place.param.name.value(), &place.param.kept);
    if resource.variables.iter().any(|variable| variable.name == name) {
        return call::takes_text(place, true);
    }
    let ident = format_ident!("__Provided{index}");
    let message = format!(
        "`{name}` is no variable of the template `{}` and nothing that the server provides",
        resource.uri.value()
    );
    // Braces would be read as placeholders.
    let message = message.replace('{', "{{").replace('}', "}}");
    let label = format!("write `{{{{{name}}}}}` in the template, or implement `FromContext` for this type");
    quote! {
        #[diagnostic::on_unimplemented(message = #message, label = #label)]
        trait #ident {}
        #[diagnostic::do_not_recommend]
        impl<__T: __p::FromContext> #ident for __T {}
        const fn __provided<__T: #ident>() {}
        __provided::<#ty>();
    }
}
