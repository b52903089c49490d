//! The grammar inside of our attributes: `flag`, `key = value`, `key(…)`.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::time::Duration;
use syn::{
    Expr, ExprLit, Ident, Lit, LitStr, Token,
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
    token::Paren,
};

use crate::{errors::Errors, literal::Literal, spelling::nearest, time::duration};

/// One key with what was said of it.
struct Entry {
    key: Ident,
    said: Said,
}

enum Said {
    Nothing,
    Value(Expr),
    List(Group),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let said = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Said::Value(input.parse()?)
        } else if input.peek(Paren) {
            Said::List(input.parse()?)
        } else {
            Said::Nothing
        };
        Ok(Self { key, said })
    }
}

impl ToTokens for Entry {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.key.to_tokens(tokens);
        match &self.said {
            Said::Nothing => {}
            Said::Value(value) => tokens.extend(quote!(= #value)),
            Said::List(list) => list.to_tokens(tokens),
        }
    }
}

/// The keys of one attribute. Taking a key reads it; a value of the wrong kind is an error that says
/// how the key is written.
pub(crate) struct Keys(Vec<Entry>);

impl Keys {
    /// Reads `tokens`, which stand in `place` (`#[tool]`); only the keys of `allowed` may.
    pub(crate) fn read(tokens: TokenStream, place: &str, allowed: &[&str], errors: &mut Errors) -> Self {
        let read = Punctuated::<Entry, Token![,]>::parse_terminated.parse2(tokens);
        let mut keys: Vec<Entry> = Vec::new();
        for entry in errors.take(read).into_iter().flatten() {
            let name = entry.key.unraw().to_string();
            if !allowed.contains(&name.as_str()) {
                let meant = nearest(&name, allowed).map(|near| format!("; did you mean `{near}`?"));
                let list = allowed.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
                let one_of = if allowed.len() > 1 { "one of " } else { "" };
                let meant = meant.unwrap_or_default();
                errors.push(
                    &entry.key,
                    format!("unknown key `{name}` on {place}; expected {one_of}{list}{meant}"),
                );
            } else if keys.iter().any(|known| known.key == entry.key) {
                errors.push(&entry.key, format!("`{name}` is given twice"));
            } else {
                keys.push(entry);
            }
        }
        Self(keys)
    }

    fn take(&mut self, name: &str) -> Option<Entry> {
        let index = self.0.iter().position(|entry| entry.key.unraw() == name)?;
        Some(self.0.remove(index))
    }

    /// `key = expression`.
    pub(crate) fn expr(&mut self, name: &str, errors: &mut Errors) -> Option<Expr> {
        let entry = self.take(name)?;
        match entry.said {
            Said::Value(value) => Some(value),
            _ => {
                errors.push(&entry, format!("`{name}` takes a value: `{name} = …`"));
                None
            }
        }
    }

    /// `key = path::of::a::function`.
    pub(crate) fn path(&mut self, name: &str, errors: &mut Errors) -> Option<Expr> {
        let value = self.expr(name, errors)?;
        if !matches!(value, Expr::Path(_)) {
            errors.push(&value, format!("`{name}` takes the name of a function: `{name} = …`"));
        }
        Some(value)
    }

    /// `key = "text"`.
    pub(crate) fn text(&mut self, name: &str, errors: &mut Errors) -> Option<LitStr> {
        let entry = self.take(name)?;
        match entry.said {
            Said::Value(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Some(text),
            _ => {
                errors.push(&entry, format!("`{name}` takes a text: `{name} = \"…\"`"));
                None
            }
        }
    }

    /// `key = true`, or the bare key for the same.
    pub(crate) fn truth(&mut self, name: &str, errors: &mut Errors) -> Option<bool> {
        let entry = self.take(name)?;
        match entry.said {
            Said::Nothing => Some(true),
            Said::Value(Expr::Lit(ExprLit { lit: Lit::Bool(truth), .. })) => Some(truth.value()),
            _ => {
                errors.push(
                    &entry,
                    format!("`{name}` takes a truth value: `{name} = true` or `{name} = false`"),
                );
                None
            }
        }
    }

    /// The bare key.
    pub(crate) fn flag(&mut self, name: &str, errors: &mut Errors) -> Option<Ident> {
        let entry = self.take(name)?;
        if !matches!(entry.said, Said::Nothing) {
            errors.push(&entry, format!("`{name}` takes no value"));
        }
        Some(entry.key)
    }

    /// The bare key, or `key = "word"` for one special word: whether that was said.
    pub(crate) fn flag_or(&mut self, name: &str, word: &str, errors: &mut Errors) -> Option<bool> {
        let entry = self.take(name)?;
        match &entry.said {
            Said::Nothing => return Some(false),
            Said::Value(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) if text.value() == word => {
                return Some(true);
            }
            _ => {}
        }
        errors.push(&entry, format!("`{name}` stands alone, or as `{name} = \"{word}\"`"));
        None
    }

    /// `key = "30s"`.
    pub(crate) fn time(&mut self, name: &str, errors: &mut Errors) -> Option<Duration> {
        let text = self.text(name, errors)?;
        let time = duration(&text.value());
        if time.is_none() {
            errors.push(
                &text,
                format!(
                    "`{name}` takes a time with a unit, such as \"250ms\", \"30s\", \"5m\", \"2h\" or \"1d\""
                ),
            );
        }
        time
    }

    /// `key = 12`.
    pub(crate) fn size(&mut self, name: &str, errors: &mut Errors) -> Option<u64> {
        let entry = self.take(name)?;
        match &entry.said {
            Said::Value(Expr::Lit(ExprLit { lit: Lit::Int(int), .. })) => errors.take(int.base10_parse()),
            _ => {
                errors.push(&entry, format!("`{name}` takes a whole number: `{name} = 12`"));
                None
            }
        }
    }

    /// `key("a", "b")`, or `key = "a"`.
    pub(crate) fn texts(&mut self, name: &str, errors: &mut Errors) -> Vec<LitStr> {
        let Some(entry) = self.take(name) else { return Vec::new() };
        match &entry.said {
            Said::Value(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => return vec![text.clone()],
            Said::List(list) => {
                let texts = Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(list.stream());
                if let Ok(texts) = texts
                    && !texts.is_empty()
                {
                    return texts.into_iter().collect();
                }
            }
            _ => {}
        }
        errors.push(&entry, format!("`{name}` takes texts: `{name}(\"…\", \"…\")`"));
        Vec::new()
    }

    /// `key(min = 1, max = 10)`: the bounds, and the tokens to point at.
    pub(crate) fn bounds(&mut self, name: &str, errors: &mut Errors) -> Option<Bounds> {
        let entry = self.take(name)?;
        let at = entry.to_token_stream();
        let Said::List(list) = entry.said else {
            errors.push(at, format!("`{name}` takes bounds: `{name}(min = 1, max = 10)`"));
            return None;
        };
        let mut keys = Keys::read(list.stream(), &format!("`{name}`"), &["min", "max"], errors);
        let mut bound = |key| {
            let expr = keys.expr(key, errors)?;
            let number = Literal::of(&expr).filter(|literal| literal.number().is_some());
            if number.is_none() {
                errors.push(&expr, format!("`{key}` takes a number that is written out, such as `{key} = 10`: the schema holds it"));
            }
            number
        };
        let bounds = Bounds { min: bound("min"), max: bound("max"), at };
        match (&bounds.min, &bounds.max) {
            (Some(min), Some(max)) if min.number() > max.number() => {
                errors.push(&bounds.at, "`min` is greater than `max`: nothing could be given");
            }
            _ => {}
        }
        Some(bounds)
    }
}

/// A least and a greatest value, both included.
pub(crate) struct Bounds {
    pub(crate) min: Option<Literal>,
    pub(crate) max: Option<Literal>,
    /// The author's tokens.
    pub(crate) at: TokenStream,
}

/// `Some(…)` or `None`, as tokens.
pub(crate) fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// Whether tokens hold this word at any depth.
pub(crate) fn mentions(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => mentions(group.stream(), word),
        _ => false,
    })
}
