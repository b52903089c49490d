//! Real pipes, sockets and files.

use std::{
    io::{Read, Seek, Write},
    os::fd::{AsFd, OwnedFd},
};

use rustix::{
    fs::{OFlags, fcntl_getfl},
    net::{AddressFamily, SocketFlags, SocketType, socketpair},
    pipe::pipe,
};

use super::{super::streams, *};

/// The ends of a way: to write to, and to read from.
type Way = (OwnedFd, OwnedFd);

fn a_pipe() -> Way {
    let (reader, writer) = pipe().expect("a pipe");
    (writer, reader)
}

fn a_socket() -> Way {
    socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::empty(), None).expect("two sockets")
}

fn non_blocking(file: &OwnedFd) -> bool {
    fcntl_getfl(file).expect("it is open").contains(OFlags::NONBLOCK)
}

/// Two hundred answers of 64 KiB, by calls that all run at once.
async fn all_answers(to: Way, from: Way) {
    let (input, output) = (to.1, from.0);
    let reader = streams::reader(input.as_fd()).expect("it can be read");
    let writer = streams::writer(output.as_fd()).expect("it can be written");
    assert!(!non_blocking(&input) && !non_blocking(&output), "others share these");
    let server = tokio::spawn(super::super::serve_on(ready(server()), reader, writer));
    let mut requests = std::fs::File::from(to.0);
    let mut answers = std::io::BufReader::new(std::fs::File::from(from.1));
    let client = std::thread::spawn(move || {
        let sender = std::thread::spawn(move || {
            for id in 0..200 {
                writeln!(requests, "{}", call(id, "fill", &json!({ "n": 64 * 1024 }))).expect("it is read");
            }
        });
        let mut ids: Vec<_> = std::io::BufRead::lines(&mut answers)
            .take(200)
            .map(|line| {
                let answer: Value =
                    serde_json::from_str(&line.expect("a line")).expect("JSON, not two mixed up");
                assert_eq!(answer["result"]["content"][0]["text"].as_str().map(str::len), Some(64 * 1024));
                answer["id"].as_u64()
            })
            .collect();
        sender.join().expect("it was read");
        ids.sort_unstable();
        assert_eq!(ids, (0..200).map(Some).collect::<Vec<_>>());
        answers
    });
    // The sender closes its end: the server comes to its end.
    timeout(PATIENCE, server).await.expect("it ends").expect("without a panic").expect("without an error");
    drop((input, output));
    let mut answers = client.join().expect("all is well");
    assert_eq!(answers.read(&mut [0]).expect("it is closed"), 0);
}

#[tokio::test]
async fn no_answer_is_lost_in_a_pipe() {
    all_answers(a_pipe(), a_pipe()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_is_lost_in_a_pipe_on_two_threads() {
    all_answers(a_pipe(), a_pipe()).await;
}

#[tokio::test]
async fn no_answer_is_lost_between_sockets() {
    all_answers(a_socket(), a_socket()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_is_lost_between_sockets_on_two_threads() {
    all_answers(a_socket(), a_socket()).await;
}

/// Clients in TypeScript lose progress that one read brings together with the result.
#[tokio::test]
async fn over_a_socket_progress_and_the_result_never_come_in_one_read() {
    let (to, from) = (a_socket(), a_socket());
    let reader = streams::reader(to.1.as_fd()).expect("it can be read");
    let writer = streams::writer(from.0.as_fd()).expect("it can be written");
    let mut request: Value = serde_json::from_str(&call(7, "count", &json!({ "n": 2 }))).expect("JSON");
    request["params"]["_meta"]["progressToken"] = 7.into();
    std::fs::File::from(to.0).write_all(format!("{request}\n").as_bytes()).expect("there is room");
    // All is written before anything is read.
    let served = timeout(PATIENCE, super::super::serve_on(ready(server()), reader, writer)).await;
    served.expect("it ends").expect("without an error");
    let mut client = std::fs::File::from(from.1);
    let mut buffer = [0; 64 * 1024];
    for expected in [r#""progress":1"#, r#""progress":2"#, r#""result""#] {
        let bytes = client.read(&mut buffer).expect("it was written");
        let text = std::str::from_utf8(&buffer[..bytes]).expect("it is text");
        assert!(text.contains(expected) && text.lines().count() == 1 && text.ends_with('\n'), "{text}");
    }
}

#[tokio::test]
async fn files_are_read_and_written_too() {
    let name = |what| std::env::temp_dir().join(format!("mcp-lines-{}-{what}", std::process::id()));
    let create = |what| {
        let path = name(what);
        let file = std::fs::OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        std::fs::remove_file(&path).expect("it was created");
        file.expect("a file")
    };
    let (mut input, mut output) = (create("in"), create("out"));
    for id in 0..1000 {
        writeln!(input, "{}", sum(id)).expect("it takes it");
    }
    input.rewind().expect("a file can");
    let reader = streams::reader(input.as_fd()).expect("it can be read");
    let writer = streams::writer(output.as_fd()).expect("it can be written");
    let served = timeout(PATIENCE, super::super::serve_on(ready(server()), reader, writer)).await;
    served.expect("it ends").expect("without an error");
    output.rewind().expect("a file can");
    let mut answers = String::new();
    output.read_to_string(&mut answers).expect("it can be read");
    assert_eq!(answers.lines().count(), 1000);
    assert!(answers.lines().all(|line| line.contains(r#""structuredContent":{"result":3}"#)));
}

#[tokio::test]
async fn a_pipe_that_nobody_reads_ends_the_server_quietly() {
    let (to, from) = (a_pipe(), a_pipe());
    let reader = streams::reader(to.1.as_fd()).expect("it can be read");
    let writer = streams::writer(from.0.as_fd()).expect("it can be written");
    drop(from.1);
    let mut requests = std::fs::File::from(to.0);
    writeln!(requests, "{}", sum(1)).expect("there is room");
    let served = timeout(PATIENCE, super::super::serve_on(ready(server()), reader, writer)).await;
    served.expect("it ends").expect("without an error");
    drop(requests);
}
