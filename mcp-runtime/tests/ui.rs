//! The compiler's messages as the author of a server reads them, one mistake a file. What is right
//! is in `surface.rs`.
//!
//! `TRYBUILD=overwrite cargo test --test ui` accepts what changed.

#[test]
fn every_mistake_has_a_message_that_says_what_to_write() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
