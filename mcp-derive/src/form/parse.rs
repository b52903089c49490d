//! Reads the struct or the enum under `derive(Form)`.

use proc_macro2::TokenStream;
use syn::{Attribute, Data, DeriveInput, Fields, LitStr, Meta, ext::IdentExt};

use super::model::{Field, Shape, Variant};
use crate::{
    attr::{Bounds, Keys},
    docs::Docs,
    errors::Errors,
    literal::Literal,
};

/// `None` where an error was found that leaves nothing to go on with.
pub(super) fn form(item: &DeriveInput, errors: &mut Errors) -> Option<Shape> {
    if !item.generics.params.is_empty() {
        errors.push(
            &item.generics,
            "a form cannot be generic: the client is shown one schema; write one struct for each type",
        );
    }
    for attr in ours(&item.attrs) {
        errors.push(attr, "`#[form(…)]` goes on the fields and variants");
    }
    match &item.data {
        Data::Struct(data) => {
            match &data.fields {
                Fields::Named(fields) => {
                    let fields: Vec<_> = fields.named.iter().filter_map(|each| field(each, errors)).collect();
                    distinct(fields.iter().map(|field| &field.name), "fields", errors);
                    Some(Shape::Form(fields))
                }
                Fields::Unnamed(fields) => {
                    errors.push(fields, "a form's fields have names, which the user reads: write `struct Name { field: Type }`");
                    None
                }
                Fields::Unit => Some(Shape::Form(Vec::new())),
            }
        }
        Data::Enum(data) => {
            if data.variants.is_empty() {
                errors.push(&item.ident, "an enum without variants leaves nothing to choose");
            }
            let variants: Vec<_> = data.variants.iter().map(|each| variant(each, errors)).collect();
            distinct(variants.iter().map(|variant| &variant.value), "variants", errors);
            Some(Shape::Choice(variants))
        }
        Data::Union(data) => {
            errors.push(data.union_token, "a form is a struct, or an enum of unit variants to choose from");
            None
        }
    }
}

fn ours(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("form"))
}

/// The keys of all `#[form(…)]` on something.
fn keys(attrs: &[Attribute], allowed: &[&str], errors: &mut Errors) -> Keys {
    let mut tokens = TokenStream::new();
    for attr in ours(attrs) {
        match &attr.meta {
            Meta::List(list) => {
                if !tokens.is_empty() {
                    tokens.extend(quote::quote!(,));
                }
                tokens.extend(list.tokens.clone());
            }
            _ => errors.push(attr, "say what holds of it: `#[form(title = \"…\")]`"),
        }
    }
    Keys::read(tokens, "#[form]", allowed, errors)
}

fn field(field: &syn::Field, errors: &mut Errors) -> Option<Field> {
    let ident = field.ident.clone()?;
    let mut keys = keys(
        &field.attrs,
        &["title", "default", "range", "length", "format", "rename", "enum_names"],
        errors,
    );
    let default = keys.expr("default", errors).and_then(|expr| {
        let literal = Literal::of(&expr);
        if literal.is_none() {
            errors.push(&expr, "a form's default is a text, a number or a truth value that is written out: the client shows it");
        }
        literal
    });
    let format = keys.text("format", errors);
    if let Some(format) = &format
        && !["email", "uri", "date", "date-time"].contains(&format.value().as_str())
    {
        errors.push(format, "`format` is \"email\", \"uri\", \"date\" or \"date-time\"");
    }
    Some(Field {
        name: keys
            .text("rename", errors)
            .unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span())),
        ty: field.ty.clone(),
        docs: Docs::of(&field.attrs),
        title: keys.text("title", errors),
        default,
        range: keys.bounds("range", errors),
        length: keys.bounds("length", errors).map(|bounds| length(&bounds, errors)),
        format,
        enum_names: keys.truth("enum_names", errors).unwrap_or(false),
        ident,
    })
}

fn length(bounds: &Bounds, errors: &mut Errors) -> (Option<u64>, Option<u64>) {
    let mut whole = |bound: &Option<Literal>| match bound {
        Some(Literal::Int(int)) if u64::try_from(*int).is_ok() => u64::try_from(*int).ok(),
        None => None,
        Some(_) => {
            errors.push(&bounds.at, "a length is a whole number from 0");
            None
        }
    };
    (whole(&bounds.min), whole(&bounds.max))
}

fn variant(variant: &syn::Variant, errors: &mut Errors) -> Variant {
    if !matches!(variant.fields, Fields::Unit) {
        errors.push(&variant.fields, "a choice holds no data: ask for it in another field of the form");
    }
    let mut keys = keys(&variant.attrs, &["title", "rename"], errors);
    let own = || LitStr::new(&variant.ident.unraw().to_string(), variant.ident.span());
    Variant {
        ident: variant.ident.clone(),
        value: keys.text("rename", errors).unwrap_or_else(own),
        title: keys.text("title", errors),
    }
}

fn distinct<'n>(names: impl Iterator<Item = &'n LitStr>, what: &str, errors: &mut Errors) {
    let mut known: Vec<String> = Vec::new();
    for name in names {
        let value = name.value();
        if known.contains(&value) {
            errors.push(name, format!("two {what} are named `{value}`"));
        }
        known.push(value);
    }
}
