//! The macros of `mcp-runtime`, which documents them where it re-exports them.
//!
//! A macro goes four steps: *parse* the attribute, *model* what was read, check it (all mistakes at
//! once, each at the author's own token), *expand*. Expansions hold no logic: they name the author's
//! types and call `mcp_runtime::__private`.

use proc_macro::TokenStream;

mod arg;
mod attr;
mod call;
mod completion;
mod docs;
mod errors;
mod fallback;
mod form;
mod function;
mod json;
mod list;
mod literal;
mod load;
mod metadata;
mod param;
mod paths;
mod prompt;
mod resolver;
mod resource;
mod signature;
mod spelling;
mod time;
mod tool;
mod types;

#[cfg(test)]
mod tests;

#[proc_macro_attribute]
#[allow(missing_docs)]
pub fn tool(attr: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attr.into(), item.into()).into()
}

#[proc_macro_attribute]
#[allow(missing_docs)]
pub fn resolver(attr: TokenStream, item: TokenStream) -> TokenStream {
    resolver::expand(attr.into(), item.into()).into()
}

#[proc_macro_attribute]
#[allow(missing_docs)]
pub fn resource(attr: TokenStream, item: TokenStream) -> TokenStream {
    resource::expand(attr.into(), item.into()).into()
}

#[proc_macro_attribute]
#[allow(missing_docs)]
pub fn prompt(attr: TokenStream, item: TokenStream) -> TokenStream {
    prompt::expand(attr.into(), item.into()).into()
}

#[proc_macro_attribute]
#[allow(missing_docs)]
pub fn completion(attr: TokenStream, item: TokenStream) -> TokenStream {
    completion::expand(attr.into(), item.into()).into()
}

#[proc_macro_derive(Form, attributes(form))]
#[allow(missing_docs)]
pub fn form(item: TokenStream) -> TokenStream {
    form::expand(item.into()).into()
}

#[proc_macro]
#[allow(missing_docs)]
pub fn tools(paths: TokenStream) -> TokenStream {
    list::expand("tools", "ToolDef", paths.into()).into()
}

#[proc_macro]
#[allow(missing_docs)]
pub fn prompts(paths: TokenStream) -> TokenStream {
    list::expand("prompts", "PromptDef", paths.into()).into()
}

#[proc_macro]
#[allow(missing_docs)]
pub fn resources(paths: TokenStream) -> TokenStream {
    list::expand("resources", "ResourceDef", paths.into()).into()
}
