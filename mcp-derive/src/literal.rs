//! Constants in attributes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp};

/// A constant that can stand in a schema.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Int(i128),
    Float(f64),
    Str(String),
    Bool(bool),
}

impl Literal {
    /// The constant that an expression is, if it is one.
    pub(crate) fn of(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Lit(ExprLit { lit, .. }) => match lit {
                Lit::Int(int) => int.base10_parse().ok().map(Self::Int),
                Lit::Float(float) => float.base10_parse().ok().map(Self::Float),
                Lit::Str(text) => Some(Self::Str(text.value())),
                Lit::Bool(truth) => Some(Self::Bool(truth.value())),
                _ => None,
            },
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match Self::of(expr)? {
                Self::Int(int) => Some(Self::Int(-int)),
                Self::Float(float) => Some(Self::Float(-float)),
                Self::Str(_) | Self::Bool(_) => None,
            },
            Expr::Group(group) => Self::of(&group.expr),
            _ => None,
        }
    }

    /// Its value, if it is a number.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Int(int) => Some(*int as f64),
            Self::Float(float) => Some(*float),
            Self::Str(_) | Self::Bool(_) => None,
        }
    }
}

impl ToTokens for Literal {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Int(int) => {
                let int = proc_macro2::Literal::i128_unsuffixed(*int);
                quote!(__p::Literal::Int(#int))
            }
            Self::Float(float) => {
                let float = proc_macro2::Literal::f64_unsuffixed(*float);
                quote!(__p::Literal::Float(#float))
            }
            Self::Str(text) => quote!(__p::Literal::Str(#text)),
            Self::Bool(truth) => quote!(__p::Literal::Bool(#truth)),
        });
    }
}
