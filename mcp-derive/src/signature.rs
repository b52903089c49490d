//! What every macro demands of the function that it stands on.

use syn::{GenericParam, Ident, ReturnType, Safety, Signature, ext::IdentExt};

use crate::{errors::Errors, types};

/// Refuses what cannot be called for a request, and says what to write instead.
pub(crate) fn check(sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.constness {
        errors.push(token, "a function of a server cannot be `const`: remove it");
    }
    if let Safety::Unsafe(token) = &sig.safety {
        errors.push(
            token,
            "a function of a server cannot be `unsafe`: a client calls it, and keeps no contract",
        );
    }
    if let Some(abi) = &sig.abi {
        errors.push(
            abi,
            "a function of a server cannot be `extern`: call the foreign function from a plain one",
        );
    }
    if let Some(variadic) = &sig.variadic {
        errors.push(variadic, "a function of a server cannot be variadic: take a `Vec`");
    }
    for param in &sig.generics.params {
        match param {
            GenericParam::Type(ty) => errors.push(
                ty,
                "a function of a server cannot be generic: it is called with the types that its schema names; write one function for each type",
            ),
            GenericParam::Const(constant) => errors.push(
                constant,
                "a function of a server cannot have constant parameters: make it a parameter of the function",
            ),
            GenericParam::Lifetime(lifetime) => errors.push(
                lifetime,
                "a function of a server cannot have lifetime parameters: write `&str` without one, or own the value",
            ),
        }
    }
    if let (Some(clause), true) = (&sig.generics.where_clause, sig.generics.params.is_empty()) {
        errors.push(clause, "a function of a server has no `where` clause");
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && sig.generics.params.is_empty()
    {
        types::returned(ty, errors);
    }
    if shadows_a_primitive(&sig.ident) {
        errors.push(
            &sig.ident,
            format!("a function of a server cannot be named `{0}`: the type of that name, which it brings, would hide the primitive; write `name = \"{0}\"` and another name here", sig.ident.unraw()),
        );
    }
}

/// Whether the companion would hide a type of the language.
pub(crate) fn shadows_a_primitive(ident: &Ident) -> bool {
    const PRIMITIVES: [&str; 19] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f16", "f32", "f64", "f128",
    ];
    PRIMITIVES.iter().any(|name| ident == name)
}
