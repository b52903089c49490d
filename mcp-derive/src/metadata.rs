//! What tools, prompts and resources can all say of themselves.

use std::time::Duration;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, LitStr, spanned::Spanned};

use crate::{attr::Keys, docs::Docs, errors::Errors, json};

/// The keys of all three.
pub(crate) const KEYS: [&str; 11] = [
    "name",
    "title",
    "description",
    "ttl",
    "scope",
    "scopes",
    "timeout",
    "toolset",
    "icons",
    "meta",
    "visible_if",
];

/// What was said.
pub(crate) struct Metadata {
    pub(crate) name: Option<LitStr>,
    title: Option<LitStr>,
    description: Option<Expr>,
    ttl: Option<Duration>,
    scope: Option<Scope>,
    scopes: Vec<LitStr>,
    timeout: Option<Duration>,
    toolset: Option<LitStr>,
    icons: Vec<LitStr>,
    meta: Option<LitStr>,
    visible_if: Option<Expr>,
}

#[derive(Clone, Copy)]
enum Scope {
    Public,
    Private,
}

impl Metadata {
    pub(crate) fn read(keys: &mut Keys, errors: &mut Errors) -> Self {
        let metadata = Self {
            name: keys.text("name", errors),
            title: keys.text("title", errors),
            description: keys.expr("description", errors),
            ttl: keys.time("ttl", errors),
            scope: keys.text("scope", errors).and_then(|text| match text.value().as_str() {
                "public" => Some(Scope::Public),
                "private" => Some(Scope::Private),
                _ => {
                    errors.push(text, "`scope` is \"public\" or \"private\"");
                    None
                }
            }),
            scopes: keys.texts("scopes", errors),
            timeout: keys.time("timeout", errors),
            toolset: keys.text("toolset", errors),
            icons: keys.texts("icons", errors),
            meta: keys.text("meta", errors),
            visible_if: keys.path("visible_if", errors),
        };
        for scope in &metadata.scopes {
            let text = scope.value();
            let plain = |byte: u8| byte.is_ascii_graphic() && !b"\"\\".contains(&byte);
            if text.is_empty() || !text.bytes().all(plain) {
                errors.push(scope, "a scope is one word, without quotes, such as \"books:write\"");
            }
        }
        for icon in &metadata.icons {
            let uri = icon.value();
            if !["https://", "http://", "data:"].iter().any(|scheme| uri.starts_with(scheme)) {
                errors.push(icon, "an icon is an `https:` or `data:` URI");
            }
        }
        if let Some(meta) = metadata.meta.as_ref().filter(|meta| !json::is_object(&meta.value())) {
            errors.push(meta, "`meta` is a JSON object, such as \"{\\\"com.example/cost\\\": 3}\"");
        }
        metadata
    }

    /// The calls on the definition that say it.
    pub(crate) fn said(&self, docs: &Docs) -> TokenStream {
        let mut said = TokenStream::new();
        let mut say = |what: TokenStream| said.extend(what);
        if let Some(title) = &self.title {
            say(quote!(.title(#title)));
        }
        match &self.description {
            Some(description) => say(quote!(.description(#description))),
            None if !docs.is_empty() => say(quote!(.description(#docs))),
            None => {}
        }
        if let Some(ttl) = self.ttl {
            let ttl = written(ttl);
            say(quote!(.ttl(#ttl)));
        }
        match self.scope {
            Some(Scope::Public) => say(quote!(.scope(__p::CacheScope::Public))),
            Some(Scope::Private) => say(quote!(.scope(__p::CacheScope::Private))),
            None => {}
        }
        if !self.scopes.is_empty() {
            let scopes = &self.scopes;
            say(quote!(.scopes(&[#(#scopes),*])));
        }
        if let Some(timeout) = self.timeout {
            let timeout = written(timeout);
            say(quote!(.timeout(#timeout)));
        }
        if let Some(toolset) = &self.toolset {
            say(quote!(.toolset(#toolset)));
        }
        if !self.icons.is_empty() {
            let icons = &self.icons;
            say(quote!(.icons(&[#(#icons),*])));
        }
        if let Some(meta) = &self.meta {
            say(quote!(.meta(#meta)));
        }
        if let Some(rule) = &self.visible_if {
            said.extend(quote_spanned!(rule.span()=> .visible_if(const { &__p::rule(#rule) })));
        }
        said
    }
}

fn written(time: Duration) -> TokenStream {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    quote!(::core::time::Duration::from_millis(#millis))
}

/// A name that was given, or the function's own.
pub(crate) fn name_or(given: Option<&LitStr>, own: &str) -> TokenStream {
    given.map_or_else(|| own.to_token_stream(), ToTokens::to_token_stream)
}
