//! The lists of what has to hold name tests that exist.

#![allow(missing_docs, clippy::panic)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

const LEVELS: [&str; 4] = ["MUST", "MUST NOT", "SHOULD", "SHOULD NOT"];

/// A row of a table: its line, and its cells by the names of their columns.
struct Row {
    line: usize,
    cells: BTreeMap<String, String>,
}

impl Row {
    fn cell(&self, column: &str) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }
}

/// The rows of all tables in a text.
fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut columns: Option<Vec<String>> = None;
    for (line, text) in text.lines().enumerate() {
        let Some(inner) = text.strip_prefix('|').and_then(|text| text.trim_end().strip_suffix('|')) else {
            columns = None;
            continue;
        };
        let cells: Vec<String> = inner.split('|').map(|cell| cell.trim().to_owned()).collect();
        match &columns {
            None => columns = Some(cells),
            Some(_) if cells.iter().all(|cell| cell.trim_matches(['-', ':']).is_empty()) => {}
            Some(columns) => {
                rows.push(Row { line: line + 1, cells: columns.iter().cloned().zip(cells).collect() });
            }
        }
    }
    rows
}

/// The workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Whether a test or a document is where a reference says: `package::module::name`, of this package
/// where none is named; or the path of a file.
fn exists(reference: &str) -> bool {
    if reference.contains('/') || !reference.contains("::") {
        return root().join(reference).is_file();
    }
    let mut modules: Vec<&str> = reference.split("::").collect();
    let name = modules.pop().unwrap_or_default();
    let package =
        if root().join(modules[0]).join("Cargo.toml").is_file() { modules.remove(0) } else { "tests" };
    ["src", "tests", "."].iter().any(|folder| {
        let folder = root().join(package).join(folder);
        (0..=modules.len()).any(|outer| {
            let (files, inner) = modules.split_at(outer);
            let path = files.iter().fold(folder.clone(), |path, module| path.join(module));
            let candidates =
                [path.with_extension("rs"), path.join("mod.rs"), path.join("main.rs"), path.join("lib.rs")];
            candidates.iter().filter_map(|file| fs::read_to_string(file).ok()).any(|source| {
                inner.iter().all(|module| source.contains(&format!("mod {module} {{")))
                    && has_test(&source, name)
            })
        })
    })
}

/// Whether a source has a test of this name.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    lines.iter().enumerate().any(|(at, line)| {
        let called = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ");
        let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
        called.is_some_and(|called| called.starts_with(&format!("{name}(")))
            && attributes.into_iter().any(|line| *line == "#[test]" || line.starts_with("#[tokio::test"))
    })
}

/// What is wrong with the references of a cell.
fn wrong_references(cell: &str) -> Vec<String> {
    if cell.is_empty() {
        return vec!["no test is named".to_owned()];
    }
    let wrong = cell.split(", ").filter_map(|reference| {
        match reference.strip_prefix('`').and_then(|reference| reference.strip_suffix('`')) {
            Some(reference) => (!exists(reference)).then(|| format!("there is no `{reference}`")),
            None => Some(format!("{reference:?} is no name between backticks")),
        }
    });
    wrong.collect()
}

/// What is wrong with a list whose rows are told apart by the cells of this column.
fn wrong(text: &str, key: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in rows(text) {
        let mut problems = Vec::new();
        let own = row.cell(key);
        if own.is_empty() || !seen.insert(own.to_owned()) {
            problems.push(format!("`{key}` is missing, or there twice"));
        }
        if row.cells.contains_key("level") && !LEVELS.contains(&row.cell("level")) {
            problems.push(format!("{:?} is no level", row.cell("level")));
        }
        if row.cells.contains_key("reason") {
            if row.cell("reason").is_empty() {
                problems.push("no reason is given".to_owned());
            }
        } else {
            problems.extend(wrong_references(row.cell("test")));
        }
        wrong.extend(problems.into_iter().map(|problem| format!("line {}, {own}: {problem}", row.line)));
    }
    wrong
}

/// A list of this package.
fn list(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("the list is there")
}

#[test]
fn every_requirement_names_a_test_that_exists() {
    let text = list("requirements.md");
    assert!(rows(&text).len() > 200, "{} rows", rows(&text).len());
    let wrong = wrong(&text, "id");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_fault_that_users_met_names_a_test_that_exists() {
    let text = list("faults.md");
    assert!(rows(&text).len() > 90, "{} rows", rows(&text).len());
    let wrong = wrong(&text, "what");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_row_without_a_test_that_exists_is_noticed() {
    let text = "\
| id | level | requirement | test |
| --- | --- | --- | --- |
| a | MUST | good | `lists::a_row_without_a_test_that_exists_is_noticed`, `tests/requirements.md` |
| a | SHOULD | an id twice | `mcp-runtime::catalog::uri::tests::what_is_no_template_is_said` |
| b | MAY | no level | `mcp-derive::tests::a_resolver_says_what_it_needs` |
| c | MUST | none | |
| d | MUST | no such test | `lists::no_such_test` |
| e | MUST | no test | `lists::wrong` |
| f | MUST | no such file | `tests/nowhere.md` |
| g | MUST | no name | lists::wrong |
| id | level | requirement | reason |

| id | level | requirement | reason |
| --- | --- | --- | --- |
| h | MUST | of others | the author's |
| i | MUST | of others | |
";
    let found = wrong(text, "id");
    let lines = [4, 5, 6, 7, 8, 9, 10, 11, 11, 16];
    let at: Vec<_> =
        found.iter().map(|problem| problem.split(',').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(at, lines.map(|line| format!("line {line}")), "{found:#?}");
}
