//! What the macros write, as files that can be reviewed; and whether each message has its test.
//!
//! `UPDATE_EXPECT=1 cargo test -p mcp-derive` accepts what changed.

use std::{fs, path::Path};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, Meta};

/// Expands the items of a file that our macros stand on.
fn expanded(source: &str) -> String {
    let mut file = syn::parse_file(source).unwrap_or_else(|error| unreachable!("{error}"));
    let items = std::mem::take(&mut file.items);
    let tokens: TokenStream = items.into_iter().map(expanded_item).collect();
    let file = syn::parse2(tokens).unwrap_or_else(|error| unreachable!("an expansion is no file: {error}"));
    prettyplease::unparse(&file)
}

fn expanded_item(mut item: Item) -> TokenStream {
    match &mut item {
        Item::Fn(function) => {
            let Some(attr) = (!function.attrs.is_empty()).then(|| function.attrs.pop()).flatten() else {
                return item.to_token_stream();
            };
            let tokens = arguments(&attr);
            match attr.path().to_token_stream().to_string().as_str() {
                "tool" => crate::tool::expand(tokens, item.to_token_stream()),
                "resolver" => crate::resolver::expand(tokens, item.to_token_stream()),
                "resource" => crate::resource::expand(tokens, item.to_token_stream()),
                "prompt" => crate::prompt::expand(tokens, item.to_token_stream()),
                other => unreachable!("{other} is not ours"),
            }
        }
        Item::Struct(_) | Item::Enum(_) => crate::form::expand(item.to_token_stream()),
        _ => item.to_token_stream(),
    }
}

fn arguments(attr: &Attribute) -> TokenStream {
    match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// Compares the expansion of `tests/expand/{name}.in.rs` with the file beside it.
fn compare(name: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let source = fs::read_to_string(folder.join(format!("{name}.in.rs")))
        .unwrap_or_else(|error| unreachable!("{error}"));
    let actual = expanded(&source);
    let path = folder.join(format!("{name}.out.rs"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &actual).unwrap_or_else(|error| unreachable!("{error}"));
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "the expansion of {name}.in.rs changed; accept it with UPDATE_EXPECT=1");
    (source, actual)
}

fn formatted(source: &str) -> usize {
    let file = syn::parse_file(source).unwrap_or_else(|error| unreachable!("{error}"));
    prettyplease::unparse(&file).lines().count()
}

#[test]
fn a_tool_with_four_parameters_expands_to_fewer_than_80_lines() {
    let (source, expansion) = compare("tool");
    let added = expansion.lines().count() - formatted(&source);
    assert!(added < 80, "{added} lines beyond the author's own function");
}

#[test]
fn a_plain_tool_is_offloaded_with_its_values() {
    compare("plain_tool");
}

#[test]
fn a_resolver_says_what_it_needs() {
    compare("resolver");
}

#[test]
fn a_resource_is_a_template_of_its_parameters() {
    compare("resource");
}

#[test]
fn a_prompt_reads_strings() {
    compare("prompt");
}

#[test]
fn a_form_lists_its_fields_and_a_choice_its_variants() {
    compare("form");
}

#[test]
fn a_conditional_function_takes_all_that_is_generated_with_it() {
    let (_, expansion) = compare("conditional");
    assert_eq!(expansion.matches("#[cfg(unix)]").count(), 3);
}

#[test]
fn a_function_with_a_mistake_is_given_back_clean() {
    let (_, expansion) = compare("mistake");
    assert!(expansion.contains("fn broken(title: String)") && expansion.contains("compile_error!"));
}

/// Every text that `Errors::push` is called with has to occur in a `.stderr` file.
#[test]
fn every_message_has_a_test_that_shows_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut shown = String::new();
    texts(&root.join("../mcp-runtime/tests/ui"), "stderr", &mut |_, text| shown.push_str(text));
    let mut untested = Vec::new();
    let mut count = 0;
    texts(&root.join("src"), "rs", &mut |path, text| {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| unreachable!("{error}"));
        for message in pushed(tokens) {
            count += 1;
            // The longest part without placeholders stands for the message.
            let parts = message.split(['{', '}']).map(|part| part.replace("\\\"", "\""));
            let longest = parts.max_by_key(String::len).unwrap_or_default();
            if !shown.contains(longest.trim()) {
                untested.push(format!("{}: {message}", path.display()));
            }
        }
    });
    assert!(count > 40, "only {count} messages were found in the source");
    assert!(untested.is_empty(), "no UI test shows:\n{}", untested.join("\n"));
}

fn texts(folder: &Path, extension: &str, visit: &mut dyn FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| unreachable!("{error}")).flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts(&path, extension, visit);
        } else if path.extension().is_some_and(|found| found == extension) {
            visit(&path, &fs::read_to_string(&path).unwrap_or_else(|error| unreachable!("{error}")));
        }
    }
}

/// The string literals in the message of each `errors.push(at, message)`, and in each `Err(…)`.
fn pushed(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let before = |back: usize| index.checked_sub(back).map(|at| tokens[at].to_string());
        let is_push = before(1).as_deref() == Some("push")
            && before(3).is_some_and(|whose| whose == "errors")
            || before(1).as_deref() == Some("Err");
        if is_push {
            literal(group.stream(), &mut found);
        } else {
            found.extend(pushed(group.stream()));
        }
    }
    found
}

/// The first string literal, at any depth.
fn literal(tokens: TokenStream, found: &mut Vec<String>) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Literal(literal) if literal.to_string().starts_with('"') => {
            let text = literal.to_string();
            found.push(text[1..text.len() - 1].to_owned());
            true
        }
        TokenTree::Group(group) => literal(group.stream(), found),
        _ => false,
    })
}
