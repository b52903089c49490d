//! `#[arg(…)]` on a parameter.

use syn::{Attribute, Expr, LitStr, Meta};

use crate::{
    attr::{Bounds, Keys},
    errors::Errors,
    literal::Literal,
    param::Side,
};

/// What `#[arg(…)]` says.
#[derive(Default)]
pub(crate) struct Arg {
    pub(crate) default: Option<Expr>,
    pub(crate) range: Option<Bounds>,
    pub(crate) header: Option<LitStr>,
}

/// Reads the keys; a `rename` goes to `name`.
pub(crate) fn read(attr: &Attribute, side: Side, name: &mut Option<LitStr>, errors: &mut Errors) -> Arg {
    let tokens = match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => {
            errors.push(attr, "say what holds of the argument: `#[arg(default = 10)]`");
            return Arg::default();
        }
    };
    let mut keys = Keys::read(tokens, "#[arg]", side.keys(), errors);
    *name = keys.text("rename", errors);
    let arg = Arg {
        default: keys.expr("default", errors),
        range: keys.bounds("range", errors),
        header: keys.text("header", errors),
    };
    if let Some(name) = name.as_ref().filter(|name| name.value().is_empty()) {
        errors.push(name, "an argument's name cannot be empty");
    }
    if let Some(header) = arg.header.as_ref().filter(|header| !is_token(&header.value())) {
        errors
            .push(header, "a header's name is made of letters, digits and any of !#$%&'*+-.^_`|~ (RFC 9110)");
    }
    outside(&arg, errors);
    arg
}

/// A default that the range forbids.
fn outside(arg: &Arg, errors: &mut Errors) {
    let (Some(default), Some(range)) = (&arg.default, &arg.range) else { return };
    let Some(number) = Literal::of(default).and_then(|literal| literal.number()) else { return };
    let bound = |bound: &Option<Literal>| bound.as_ref().and_then(Literal::number);
    if bound(&range.min).is_some_and(|min| number < min) || bound(&range.max).is_some_and(|max| number > max)
    {
        errors.push(default, "the default is outside of the range");
    }
}

/// Whether it is a token of RFC 9110, section 5.6.2.
fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
