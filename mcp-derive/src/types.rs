//! How a parameter's type is written. Only its outermost spelling matters, and only for references:
//! what the type *is*, traits decide in the generated code.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    GenericArgument, Lifetime, PathArguments, Type, TypeImplTrait, TypeReference,
    visit::{self, Visit},
};

use crate::errors::Errors;

/// How a value is handed to the author's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As it is.
    Value,
    /// `&T` or `&[T]`, from a `T` or a `Vec<T>`.
    Reference,
    /// `&str`, from text that may be borrowed from the request.
    Text,
    /// `Option<&str>`, from an `Option<String>`.
    OptionalText,
}

/// A type as it is kept, and how it is handed over.
pub(crate) struct Kept {
    pub(crate) shape: Shape,
    /// The owned type; `String` for `&str`.
    pub(crate) ty: TokenStream,
}

/// Reads the type of a parameter.
pub(crate) fn kept(ty: &Type, errors: &mut Errors) -> Kept {
    let string = || quote!(::std::string::String);
    match bare(ty) {
        Type::Reference(reference)
            if reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static") =>
        {
            if let Some(mutability) = &reference.mutability {
                errors.push(mutability, "a parameter cannot be `&mut`: take the value itself");
            }
            // Any other has to be declared, which is an error of its own.
            if let Some(lifetime) = reference.lifetime.as_ref().filter(|lifetime| lifetime.ident == "_") {
                errors.push(lifetime, "a parameter cannot name a lifetime: write `&` without one");
            }
            let inner = bare(&reference.elem);
            match inner {
                Type::Path(path) if path.path.is_ident("str") => Kept { shape: Shape::Text, ty: string() },
                Type::Slice(slice) => {
                    owned(&slice.elem, errors);
                    let item = &slice.elem;
                    Kept { shape: Shape::Reference, ty: quote!(::std::vec::Vec<#item>) }
                }
                inner => {
                    owned(inner, errors);
                    Kept { shape: Shape::Reference, ty: inner.to_token_stream() }
                }
            }
        }
        ty if is_optional_text(ty) => {
            Kept { shape: Shape::OptionalText, ty: quote!(::core::option::Option<::std::string::String>) }
        }
        ty => {
            owned(ty, errors);
            Kept { shape: Shape::Value, ty: ty.to_token_stream() }
        }
    }
}

/// Without the parentheses and groups around it.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Paren(paren) => bare(&paren.elem),
        Type::Group(group) => bare(&group.elem),
        ty => ty,
    }
}

/// Whether it is `Option<&str>`.
fn is_optional_text(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last().filter(|last| last.ident == "Option") else { return false };
    let PathArguments::AngleBracketed(args) = &last.arguments else { return false };
    let Some(GenericArgument::Type(inner)) = args.args.first() else { return false };
    matches!(bare(inner), Type::Reference(TypeReference { elem, lifetime: None, mutability: None, .. })
        if matches!(bare(elem), Type::Path(path) if path.path.is_ident("str")))
}

/// Checks that a type can be named outside of the function's signature and outlives the call.
fn owned(ty: &Type, errors: &mut Errors) {
    Check { errors, whose: "a parameter" }.visit_type(ty);
}

/// The same for what a function returns.
pub(crate) fn returned(ty: &Type, errors: &mut Errors) {
    Check { errors, whose: "the return type" }.visit_type(ty);
}

struct Check<'e> {
    errors: &'e mut Errors,
    whose: &'static str,
}

impl<'ast> Visit<'ast> for Check<'_> {
    fn visit_type_impl_trait(&mut self, ty: &'ast TypeImplTrait) {
        self.errors.push(ty, format!("{} cannot be `impl Trait`: name the type", self.whose));
    }

    fn visit_type_reference(&mut self, ty: &'ast TypeReference) {
        if ty.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static") {
            self.errors.push(
                ty,
                format!("{} cannot hold a reference: own the value, such as `String` for `&str`", self.whose),
            );
        } else {
            visit::visit_type_reference(self, ty);
        }
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident == "_" {
            self.errors.push(lifetime, format!("{} cannot borrow: use an owned type", self.whose));
        }
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        match ty {
            Type::Infer(_) => self.errors.push(ty, format!("{} cannot be `_`: name the type", self.whose)),
            // Their lifetimes are their own.
            Type::FnPtr(_) | Type::TraitObject(_) => {}
            ty => visit::visit_type(self, ty),
        }
    }
}

/// A type in a message, as a person would write it.
pub(crate) fn shown(ty: &impl ToTokens) -> String {
    let mut text = ty.to_token_stream().to_string();
    for (spaced, tight) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        ("[ ", "["),
        (" ]", "]"),
        ("( ", "("),
        (" )", ")"),
        (" ;", ";"),
    ] {
        text = text.replace(spaced, tight);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Shape, String) {
        let ty: Type = syn::parse_str(text).unwrap_or_else(|error| unreachable!("{error}"));
        let mut errors = Errors::new();
        let kept = kept(&ty, &mut errors);
        assert!(errors.finish().is_none(), "{text}");
        (kept.shape, shown(&kept.ty))
    }

    #[test]
    fn references_are_kept_as_what_they_refer_to() {
        assert_eq!(read("&str").0, Shape::Text);
        assert_eq!(
            read("Option<&str>"),
            (Shape::OptionalText, "::core::option::Option<::std::string::String>".into())
        );
        assert_eq!(read("&[u8]"), (Shape::Reference, "::std::vec::Vec<u8>".into()));
        assert_eq!(read("&State<Shelf>"), (Shape::Reference, "State<Shelf>".into()));
        assert_eq!(read("&'static str").0, Shape::Value);
        assert_eq!(read("HashMap<String, Vec<u8>>"), (Shape::Value, "HashMap<String, Vec<u8>>".into()));
    }
}
