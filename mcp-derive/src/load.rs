//! `blocking` and `inline`: where a plain function runs.

use crate::{attr::Keys, call::Load, errors::Errors, function::Function};

/// The flags.
pub(crate) const KEYS: [&str; 2] = ["blocking", "inline"];

/// Reads the flags, which an asynchronous function cannot have.
pub(crate) fn read(keys: &mut Keys, function: &Function, errors: &mut Errors) -> Load {
    let [blocking, inline] = KEYS.map(|key| keys.flag(key, errors));
    for flag in [&blocking, &inline].into_iter().flatten().filter(|_| function.is_async) {
        errors.push(
            flag,
            format!("`{flag}` is for a plain `fn`: an `async fn` runs where its future is polled"),
        );
    }
    match (blocking, inline) {
        (Some(_), Some(inline)) => {
            errors.push(inline, "`blocking` and `inline` exclude each other");
            Load::Adaptive
        }
        (Some(_), None) => Load::Blocking,
        (None, Some(_)) => Load::Inline,
        (None, None) => Load::Adaptive,
    }
}
