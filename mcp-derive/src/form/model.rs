//! A form, or what is chosen in one.

use syn::{Ident, LitStr, Type};

use crate::{attr::Bounds, docs::Docs, literal::Literal};

/// What the derive stands on.
pub(crate) enum Shape {
    /// A struct: the form.
    Form(Vec<Field>),
    /// An enum of unit variants: one is chosen.
    Choice(Vec<Variant>),
}

/// A field of a form.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) name: LitStr,
    pub(crate) ty: Type,
    pub(crate) docs: Docs,
    pub(crate) title: Option<LitStr>,
    pub(crate) default: Option<Literal>,
    pub(crate) range: Option<Bounds>,
    /// The least and the greatest length.
    pub(crate) length: Option<(Option<u64>, Option<u64>)>,
    pub(crate) format: Option<LitStr>,
    /// Titles of choices as `enumNames`.
    pub(crate) enum_names: bool,
}

/// A variant that can be chosen.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// The value that the client sends.
    pub(crate) value: LitStr,
    pub(crate) title: Option<LitStr>,
}
