//! All mistakes of one item, so that its author reads them in one build.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects errors. [`Errors::finish`] must be called: an error that nobody reports would let a
/// broken item pass.
pub(crate) struct Errors {
    list: Vec<syn::Error>,
    finished: bool,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self { list: Vec::new(), finished: false }
    }

    /// A mistake at these tokens of the author.
    pub(crate) fn push(&mut self, at: impl ToTokens, message: impl Display) {
        self.list.push(syn::Error::new_spanned(at, message));
    }

    /// Keeps what was read, or the error.
    pub(crate) fn take<T>(&mut self, read: syn::Result<T>) -> Option<T> {
        read.map_err(|error| self.list.push(error)).ok()
    }

    /// The errors as tokens for the compiler, if there are any.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        self.finished = true;
        if self.list.is_empty() {
            return None;
        }
        Some(self.list.iter().map(syn::Error::to_compile_error).collect())
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.finished || std::thread::panicking(), "errors were collected and not reported");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "errors were collected and not reported")]
    fn errors_that_nobody_reports_are_noticed() {
        Errors::new().push(quote::quote!(here), "a mistake");
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let mut errors = Errors::new();
        errors.push(quote::quote!(here), "one");
        errors.push(quote::quote!(there), "two");
        let reported = errors.finish().map(|tokens| tokens.to_string()).unwrap_or_default();
        assert_eq!(reported.matches("compile_error").count(), 2);
    }
}
