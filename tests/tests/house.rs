//! What holds of the workspace itself.

#![allow(missing_docs)]

use std::{fs, path::Path};

use mcp_runtime::Server;

/// A file of the workspace.
fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path))
        .expect("the file is there")
}

/// The value of a key in a manifest.
fn value<'a>(manifest: &'a str, key: &str) -> &'a str {
    let line = manifest.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='));
    line.expect("the key is there").trim()
}

#[test]
fn the_macros_are_pinned_to_the_library() {
    let version = read("Cargo.toml");
    let version = value(&version, "version").trim_matches('"');
    for package in ["mcp-derive", "mcp-runtime"] {
        assert_eq!(value(&read(&format!("{package}/Cargo.toml")), "version.workspace"), "true");
    }
    let runtime = read("mcp-runtime/Cargo.toml");
    let pinned = format!("version = \"={version}\"");
    assert!(value(&runtime, "mcp-derive").contains(&pinned), "{pinned} is not in {runtime}");
}

/// No function is registered in this program: a crate that nothing names is left out by the linker.
#[test]
fn a_server_of_nothing_does_not_start() {
    let report = Server::new("Nothing", "1").build().expect_err("it cannot start").to_string();
    assert!(report.contains("use my_tools as _;"), "{report}");
}
