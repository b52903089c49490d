//! Garbage, and what is said of it.

use super::*;

#[tokio::test]
async fn garbage_is_answered_once_in_a_row_and_the_stream_goes_on() {
    let mut client = client(ready(server()), 4096);
    for _ in 0..2 {
        client.bytes(b"[INFO] starting\n{\"level\":\"info\"}\nnot json\n\xff\xfe\n{\n{}\n").await;
        client.line(sum(1)).await;
        let refused = client.answer().await;
        assert_eq!((code(&refused), refused.get("id")), (-32700, None));
        assert_eq!(client.answer().await["id"], 1);
    }
    client.silence().await;
    client.hang_up().await;
    client.over().await;
}

#[tokio::test]
async fn bytes_that_are_no_text_are_garbage_even_inside_of_a_message() {
    let mut client = client(ready(server()), 4096);
    let mut line = call(1, "add", &json!({ "a": 1, "b": 2, "c": "?" })).into_bytes();
    let at = line.iter().position(|byte| *byte == b'?').expect("it is there");
    line[at] = 0xff;
    line.push(b'\n');
    client.bytes(line).await;
    assert_eq!(code(&client.answer().await), -32700);
    client.line(sum(2)).await;
    assert_eq!(client.answer().await["id"], 2);
    client.hang_up().await;
    client.over().await;
}

#[tokio::test]
async fn what_was_meant_as_a_response_is_never_answered() {
    let mut client = client(ready(server()), 4096);
    client.line(r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#).await;
    client.line(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#).await;
    client.line(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#).await;
    client.line(sum(1)).await;
    assert_eq!(client.answer().await["id"], 1);
    client.hang_up().await;
    client.over().await;
}

#[tokio::test]
async fn a_broken_message_with_an_id_is_answered_each_time() {
    let mut client = client(ready(server()), 4096);
    for id in [1, 2] {
        client.line(format!(r#"{{"id":{id},"method":"ping"}}"#)).await;
        let refused = client.answer().await;
        assert_eq!((code(&refused), &refused["id"]), (-32600, &json!(id)));
    }
    client.hang_up().await;
    client.over().await;
}

#[tokio::test]
async fn a_batch_is_refused_by_name_and_the_stream_goes_on() {
    let mut client = client(ready(server()), 4096);
    client.line(format!("[{},{}]", sum(1), sum(2))).await;
    assert_eq!(code(&client.answer().await), -32600);
    client.line(sum(3)).await;
    assert_eq!(client.answer().await["id"], 3);
    client.hang_up().await;
    client.over().await;
}
