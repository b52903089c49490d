//! Reads the URI and the keys of `#[resource]`.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    LitStr, Token,
    parse::{ParseStream, Parser},
};

use super::{model::Resource, uri};
use crate::{
    attr::Keys,
    errors::Errors,
    function::Function,
    load,
    metadata::{self, Metadata},
};

/// `None` where there is no URI to go on with.
pub(super) fn resource(attr: TokenStream, function: &Function, errors: &mut Errors) -> Option<Resource> {
    if !matches!(attr.clone().into_iter().next(), Some(TokenTree::Literal(_))) {
        let at = if attr.is_empty() { function.ident.to_token_stream() } else { attr };
        errors.push(at, "a resource needs its URI first: `#[resource(\"stock://{title}\")]`");
        return None;
    }
    let split = |input: ParseStream<'_>| {
        let uri = input.parse::<LitStr>()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok((uri, input.parse::<TokenStream>()?))
    };
    let (uri, rest) = errors.take(split.parse2(attr))?;
    let allowed = [&metadata::KEYS[..], &["mime_type", "size"], &load::KEYS].concat();
    let mut keys = Keys::read(rest, "#[resource]", &allowed, errors);
    let metadata = Metadata::read(&mut keys, errors);
    if let Some(name) = metadata.name.as_ref().filter(|name| name.value().is_empty()) {
        errors.push(name, "a resource's name cannot be empty");
    }
    let mime_type = keys.text("mime_type", errors);
    if let Some(mime_type) = mime_type.as_ref().filter(|mime_type| !mime_type.value().contains('/')) {
        errors.push(mime_type, "a media type is written like \"text/plain\"");
    }
    let size = keys.size("size", errors);
    let load = load::read(&mut keys, function, errors);
    let variables = match uri::variables(&uri.value()) {
        Ok(variables) => variables,
        Err(why) => {
            errors.push(&uri, why);
            return None;
        }
    };
    for variable in &variables {
        if !function.params.iter().any(|param| param.arg().is_some() && param.name.value() == *variable) {
            errors.push(
                &uri,
                format!("the template's variable `{variable}` needs a parameter: `{variable}: String`"),
            );
        }
    }
    Some(Resource { uri, variables, metadata, mime_type, size, load })
}
