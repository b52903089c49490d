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

/// The least version of a dependency that is promised is the one that all of this was built with: older
/// ones, which a user's lock file may hold, were never tried.
#[test]
fn no_version_of_a_dependency_is_promised_that_was_not_built() {
    let lock = read("Cargo.lock");
    for package in ["mcp-derive", "mcp-runtime"] {
        let manifest = read(&format!("{package}/Cargo.toml"));
        let mut section = "";
        let mut seen = 0;
        for line in manifest.lines() {
            if line.starts_with('[') {
                section = line;
            }
            let Some((name, wanted)) = line.split_once(" = ") else { continue };
            if !section.ends_with("dependencies]") || section.contains("dev-") || wanted.contains("path =") {
                continue;
            }
            let version = wanted.split('"').nth(1).expect("a version");
            let locked = format!("name = \"{name}\"\nversion = \"{version}\"\n");
            assert!(lock.contains(&locked), "{package} promises {name} {version}, which was not built");
            seen += 1;
        }
        assert!(seen >= 3, "{package}: {seen}");
    }
}

/// No function is registered in this program: a crate that nothing names is left out by the linker.
#[test]
fn a_server_of_nothing_does_not_start() {
    let report = Server::new("Nothing", "1").build().expect_err("it cannot start").to_string();
    assert!(report.contains("use my_tools as _;"), "{report}");
}
