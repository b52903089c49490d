//! Doc comments as descriptions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// What the doc comments on something say.
#[derive(Default)]
pub(crate) struct Docs(Vec<Piece>);

enum Piece {
    Text(String),
    /// `#[doc = include_str!(…)]`, which only the compiler can read.
    Expr(Expr),
}

impl Docs {
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        let mut pieces = Vec::new();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
            // `#[doc(hidden)]` and its like describe nothing.
            let Meta::NameValue(pair) = &attr.meta else { continue };
            match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    pieces.push(Piece::Text(unindented(&text.value())));
                }
                other => pieces.push(Piece::Expr(other.clone())),
            }
        }
        Self(pieces)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|piece| matches!(piece, Piece::Text(text) if text.is_empty()))
    }
}

impl ToTokens for Docs {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut texts = Vec::new();
        let mut parts: Vec<TokenStream> = Vec::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => texts.push(text.as_str()),
                Piece::Expr(expr) => {
                    let text = joined(&texts);
                    if !text.is_empty() {
                        let text = text + "\n";
                        parts.push(quote!(#text));
                    }
                    texts.clear();
                    parts.push(quote!(#expr));
                }
            }
        }
        let text = joined(&texts);
        if parts.is_empty() {
            text.to_tokens(tokens);
        } else {
            if !text.is_empty() {
                let text = "\n".to_owned() + &text;
                parts.push(quote!(#text));
            }
            tokens.extend(quote!(::core::concat!(#(#parts),*)));
        }
    }
}

fn joined(lines: &[&str]) -> String {
    lines.join("\n").trim().to_owned()
}

/// A line of `///` starts with a space that is not part of the text; a block comment is one text of
/// several lines, each with its indentation and perhaps an asterisk.
fn unindented(text: &str) -> String {
    if !text.contains('\n') {
        return text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let starred = |line: &&str| line.trim_start().starts_with('*') || line.trim().is_empty();
    let all_starred = lines.iter().skip(1).all(starred);
    let cleaned = lines.iter().map(|line| {
        let line = line.trim();
        if all_starred { line.strip_prefix('*').unwrap_or(line).trim() } else { line }
    });
    cleaned.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(item: &str) -> String {
        let item: syn::ItemFn = syn::parse_str(item).unwrap_or_else(|error| unreachable!("{error}"));
        Docs::of(&item.attrs).into_token_stream().to_string()
    }

    #[test]
    fn lines_lose_their_leading_space_and_paragraphs_stay() {
        assert_eq!(said("/// One.\n///\n/// - two\n///   more\nfn f() {}"), r#""One.\n\n- two\n  more""#);
    }

    #[test]
    fn block_comments_lose_their_asterisks() {
        assert_eq!(said("/** One.\n * Two.\n */ fn f() {}"), r#""One.\nTwo.""#);
    }

    #[test]
    fn included_texts_are_left_to_the_compiler() {
        assert_eq!(
            said("/// One.\n#[doc = include_str!(\"two.md\")]\nfn f() {}"),
            r#":: core :: concat ! ("One.\n" , include_str ! ("two.md"))"#
        );
    }

    #[test]
    fn hidden_is_no_description() {
        assert_eq!(said("#[doc(hidden)] fn f() {}"), r#""""#);
    }
}
