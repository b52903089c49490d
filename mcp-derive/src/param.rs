//! One parameter: an argument, something that the server provides, or what a resolver gives.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Attribute, Expr, ExprLit, FnArg, Ident, Lit, LitStr, Meta, Pat, PatType, Path, ext::IdentExt,
    spanned::Spanned,
};

use crate::{
    arg::{self, Arg},
    attr::{Bounds, mentions, option},
    docs::Docs,
    errors::Errors,
    literal::Literal,
    types::{self, Shape},
};

/// For whom a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// A tool: JSON.
    Tool,
    /// A prompt or a resource: strings.
    Text,
    /// A resolver: what the function has that names it.
    Resolver,
}

impl Side {
    pub(crate) fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Tool => &["default", "range", "rename", "header"],
            Self::Text => &["default", "rename"],
            Self::Resolver => &["rename"],
        }
    }
}

/// A parameter of the author's function.
pub(crate) struct Param {
    pub(crate) ident: Ident,
    /// The name that the client uses.
    pub(crate) name: LitStr,
    /// The type as it was written.
    pub(crate) ty: syn::Type,
    /// The type that is kept until the call.
    pub(crate) kept: TokenStream,
    pub(crate) shape: Shape,
    pub(crate) source: Source,
    pub(crate) docs: Docs,
}

/// Where a parameter's value comes from.
pub(crate) enum Source {
    /// The client or the server: the type's traits decide.
    Plain(Box<Arg>),
    /// `#[args]`: all arguments together.
    Whole,
    /// `#[resolve(path)]`.
    Resolved(Path),
}

impl Param {
    /// Reads a parameter; `None` if there is none to go on with.
    pub(crate) fn read(input: &FnArg, side: Side, errors: &mut Errors) -> Option<Self> {
        let typed = match input {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(receiver) => {
                errors.push(
                    receiver,
                    "a method cannot be offered: write a free function, and take what it needs as `State<T>`",
                );
                return None;
            }
        };
        for attr in typed.attrs.iter().filter(|attr| is_conditional(attr)) {
            errors.push(
                attr,
                "a parameter cannot be conditional: put `#[cfg]` on two versions of the whole function",
            );
        }
        let ident = ident(typed, errors)?;
        let mut name = None;
        let source = Self::source(typed, side, &mut name, errors);
        let kept = types::kept(&typed.ty, errors);
        let name = name.unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span()));
        let param = Self {
            ident,
            name,
            ty: (*typed.ty).clone(),
            kept: kept.ty,
            shape: kept.shape,
            source,
            docs: Docs::of(&typed.attrs),
        };
        if let (Source::Plain(arg), Shape::OptionalText) = (&param.source, param.shape)
            && let Some(default) = &arg.default
        {
            errors.push(default, "a parameter with a default is never left out: make it `&str`");
        }
        Some(param)
    }

    fn source(typed: &PatType, side: Side, name: &mut Option<LitStr>, errors: &mut Errors) -> Source {
        let mut source = None;
        for attr in &typed.attrs {
            let read = if attr.path().is_ident("resolve") {
                resolver(attr, errors).map(Source::Resolved)
            } else if attr.path().is_ident("args") {
                whole(attr, side, errors)
            } else if attr.path().is_ident("arg") {
                Some(Source::Plain(Box::new(arg::read(attr, side, name, errors))))
            } else {
                continue;
            };
            if source.is_some() {
                errors.push(attr, "a parameter has one of `#[arg]`, `#[args]` and `#[resolve]`, once");
            }
            source = read.or(source);
        }
        source.unwrap_or_else(|| Source::Plain(Box::default()))
    }

    /// The local variable that holds its value.
    pub(crate) fn local(&self) -> Ident {
        local(&self.ident)
    }

    /// The expression that hands it to the author's function.
    pub(crate) fn handed(&self) -> TokenStream {
        let local = self.local();
        match self.shape {
            Shape::Value => quote!(#local),
            Shape::Reference | Shape::Text => quote!(&#local),
            Shape::OptionalText => quote!(#local.as_deref()),
        }
    }

    /// What `#[arg(…)]` said, if it is an argument of its own.
    pub(crate) fn arg(&self) -> Option<&Arg> {
        match &self.source {
            Source::Plain(arg) => Some(arg),
            _ => None,
        }
    }

    /// Whether `#[arg(…)]` said anything, which only makes sense for what the client sends.
    pub(crate) fn is_told(&self) -> bool {
        self.arg().is_some_and(|arg| arg.default.is_some() || arg.range.is_some())
            || self.ident.unraw() != self.name.value()
    }

    /// The resolver that gives it.
    pub(crate) fn resolver(&self) -> Option<&Path> {
        match &self.source {
            Source::Resolved(path) => Some(path),
            _ => None,
        }
    }

    /// The author's default as an expression of the kept type; `borrowed` if that is `&str`.
    pub(crate) fn default(&self, borrowed: bool) -> Option<TokenStream> {
        let default = self.arg()?.default.as_ref()?;
        let text =
            matches!(default, Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) || self.shape == Shape::Text;
        Some(match text && !borrowed {
            true => quote_spanned!(default.span()=> __p::default_text(#default)),
            false => quote!(#default),
        })
    }

    /// The calls on the parameter's definition that say more than its type does.
    pub(crate) fn said(&self) -> TokenStream {
        let Some(arg) = self.arg() else { return TokenStream::new() };
        let mut said = TokenStream::new();
        if let Some(default) = &arg.default {
            let literal = option(Literal::of(default));
            said.extend(quote!(.default(#literal)));
        }
        if let Some(Bounds { min, max, .. }) = &arg.range {
            let (min, max) = (option(min.as_ref()), option(max.as_ref()));
            said.extend(quote!(.range(#min, #max)));
        }
        if let Some(header) = &arg.header {
            said.extend(quote!(.header(#header)));
        }
        said
    }
}

/// A local variable for what the author calls `ident`; the span keeps it apart from the author's own.
pub(crate) fn local(ident: &Ident) -> Ident {
    format_ident!("__{}", ident.unraw(), span = Span::mixed_site())
}

fn is_conditional(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")
}

fn ident(typed: &PatType, errors: &mut Errors) -> Option<Ident> {
    if let Pat::Ident(pat) = &*typed.pat
        && pat.by_ref.is_none()
        && pat.subpat.is_none()
    {
        return Some(pat.ident.clone());
    }
    errors.push(
        &typed.pat,
        "a parameter needs a name, which the client uses: write `name: Type`, and take it apart in the body",
    );
    None
}

fn resolver(attr: &Attribute, errors: &mut Errors) -> Option<Path> {
    let path = match &attr.meta {
        Meta::List(list) => list.parse_args_with(Path::parse_mod_style).ok(),
        _ => None,
    };
    if path.is_none() {
        errors.push(attr, "name one resolver: `#[resolve(ask_quantity)]`");
    }
    path
}

fn whole(attr: &Attribute, side: Side, errors: &mut Errors) -> Option<Source> {
    if side != Side::Tool {
        errors.push(attr, "`#[args]` is for tools; here, write each parameter");
        return None;
    }
    if !matches!(attr.meta, Meta::Path(_)) {
        errors.push(
            attr,
            "`#[args]` takes no keys: put serde and schemars attributes on the fields of the struct",
        );
    }
    Some(Source::Whole)
}

/// What holds between parameters.
pub(crate) fn check_together(params: &[Param], side: Side, errors: &mut Errors) {
    for (index, param) in params.iter().enumerate() {
        let before = || params[..index].iter();
        if param.arg().is_some()
            && before().any(|other| other.arg().is_some() && other.name.value() == param.name.value())
        {
            errors.push(&param.name, format!("two arguments are named `{}`", param.name.value()));
        }
        let Some(header) = param.arg().and_then(|arg| arg.header.as_ref()) else { continue };
        let same = |other: &&LitStr| other.value().eq_ignore_ascii_case(&header.value());
        if before().filter_map(|other| other.arg()?.header.as_ref()).any(|other| same(&other)) {
            errors.push(
                header,
                format!("two arguments have the header `{}`; headers ignore case", header.value()),
            );
        }
    }
    if params.len() > 16 {
        let advice = match side {
            Side::Tool => "take them as one struct: `#[args] all: MyArgs`",
            Side::Text | Side::Resolver => "let a resolver put some together",
        };
        errors.push(&params[16].ident, format!("a function has at most 16 parameters; {advice}"));
    }
}

/// Whether an attribute decides that something exists at all.
pub(crate) fn decides_existence(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg")
        || (attr.path().is_ident("cfg_attr")
            && matches!(&attr.meta, Meta::List(list) if mentions(after_comma(list.tokens.clone()), "cfg")))
}

fn after_comma(tokens: TokenStream) -> TokenStream {
    let comma = |token: &proc_macro2::TokenTree| matches!(token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ',');
    tokens.into_iter().skip_while(|token| !comma(token)).collect()
}
