//! A process of its own: this very executable, run again.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
};

use super::*;

/// Set in a process that is the server, to its runtime's kind.
const SERVER: &str = "MCP_LINES_SERVER";

/// Serves standard input, in the process that the test started for that.
fn serve(kind: &str) {
    let mut runtime = if kind == "one" {
        tokio::runtime::Builder::new_current_thread()
    } else {
        tokio::runtime::Builder::new_multi_thread()
    };
    let runtime = runtime.enable_all().build().expect("a runtime");
    runtime.block_on(super::super::serve(ready(server()))).expect("it ends well");
}

/// Starts this test again, as the server.
fn start(kind: &str) -> Child {
    let test = "transport::stdio::tests::process::what_a_tool_prints_goes_to_standard_error_and_the_end_of_input_is_a_good_end";
    Command::new(std::env::current_exe().expect("it runs"))
        .args(["--exact", test, "--nocapture"])
        .env(SERVER, kind)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started")
}

#[test]
fn what_a_tool_prints_goes_to_standard_error_and_the_end_of_input_is_a_good_end() {
    if let Ok(kind) = std::env::var(SERVER) {
        return serve(&kind);
    }
    for kind in ["one", "many"] {
        let mut child = start(kind);
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        // What the test's own frame prints comes before the server starts, and after it has ended.
        writeln!(input, "{}", call(1, "print", &json!({ "n": 42 }))).expect("it is read");
        let answer = output.by_ref().map(|line| line.expect("text")).find(|line| line.starts_with('{'));
        assert!(answer.expect("an answer").contains(r#""text":"printed""#));
        drop(input);
        let after: Vec<_> = output.map(|line| line.expect("text")).collect();
        assert!(after.iter().all(|line| !line.contains("by a tool")), "{after:?}");
        let ended = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(errors.contains("printed by a tool: 42\nbegun by a tool"), "{errors}");
        assert!(ended.status.success(), "{errors}");
        // Standard output was given back: the frame could say that its test went well.
        assert!(after.iter().any(|line| line.contains("1 passed")), "{after:?}");
    }
}
