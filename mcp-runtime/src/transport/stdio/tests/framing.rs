//! What counts as a line, whatever it is wrapped in.

use super::*;

#[tokio::test]
async fn a_bom_blank_lines_and_crlf_are_passed_over_silently() {
    let mut client = client(ready(server()), 4096);
    client.bytes(format!("\u{feff}{}\r\n\r\n\n   \n\t\r\n  {} \r\n", sum(1), sum(2))).await;
    for id in [1, 2] {
        let answer = client.answer().await;
        assert_eq!(answer["id"], id);
        assert_eq!(answer["result"]["structuredContent"]["result"], 3);
    }
    client.silence().await;
    client.hang_up().await;
    client.over().await;
}

#[tokio::test]
async fn a_line_may_come_in_pieces_and_the_last_one_needs_no_end() {
    let mut client = client(ready(server()), 7);
    client.line(sum(1)).await;
    client.bytes(sum(2)).await;
    client.hang_up().await;
    assert_eq!(client.answer().await["id"], 1);
    assert_eq!(client.answer().await["id"], 2);
    assert_eq!(client.next().await, None);
    client.over().await;
}

#[tokio::test]
async fn a_line_of_ten_megabytes_is_refused_without_being_kept_and_the_next_is_served() {
    let mut client = client(ready(server()), 64 * 1024);
    client.line(call(1, "add", &json!({ "a": "x".repeat(10_000_000) }))).await;
    client.line(sum(2)).await;
    let refused = client.answer().await;
    assert_eq!((code(&refused), refused.get("id")), (-32700, None));
    assert!(refused["error"]["message"].as_str().unwrap_or("").contains("4194304"), "{refused}");
    assert_eq!(client.answer().await["id"], 2);
    client.hang_up().await;
    client.over().await;
}

#[test]
fn what_is_too_long_takes_no_memory() {
    let mut lines = super::super::lines::Lines::new(1000);
    let mut too_long = 0;
    for _ in 0..1000 {
        let space = lines.space();
        space.fill(b'x');
        let bytes = space.len();
        assert!(bytes <= 64 * 1024);
        lines.filled(bytes);
        too_long += usize::from(lines.take().is_some());
    }
    assert_eq!(too_long, 1);
}

#[tokio::test]
async fn the_largest_line_that_may_be_is_served() {
    let line = sum(1);
    for (limit, served) in [(line.len(), true), (line.len() - 1, false)] {
        let mut server = server();
        server.limits.message = limit;
        let mut client = client(ready(server), 4096);
        client.line(&line).await;
        assert_eq!(client.answer().await.get("result").is_some(), served);
        client.hang_up().await;
        client.over().await;
    }
}

#[tokio::test]
async fn a_message_over_several_lines_leaves_as_one() {
    let mut out = super::super::outgoing::Outgoing::default();
    out.push_line(b"{\n  \"a\": 1\n}");
    let mut written = Vec::new();
    std::future::poll_fn(|cx| out.poll_write(cx, &mut written)).await.expect("memory takes it");
    assert_eq!(written, b"{   \"a\": 1 }\n");
}
