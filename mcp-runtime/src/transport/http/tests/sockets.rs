//! Connections: who hangs up, what travels, and how a server stops.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{io::AsyncWriteExt, net::TcpStream, time::timeout};

use super::kit::{Seen, call, legacy_call, post, read_until, send, serve, server, service, session, wire};

#[tokio::test]
async fn a_modern_client_that_hangs_up_has_cancelled() {
    let seen = Seen::default();
    let served = serve(server(&seen).http().expect("the server is right")).await;
    // Before anything was answered.
    let stream = served.connect(call("never")).await;
    seen.until((1, 0, 0)).await;
    drop(stream);
    seen.until((1, 0, 1)).await;
    // In the middle of a stream.
    let mut stream = served.connect(call("tell_never")).await;
    read_until(&mut stream, "\"one\"").await;
    drop(stream);
    seen.until((2, 0, 2)).await;
}

#[tokio::test]
async fn an_older_client_that_hangs_up_has_not_cancelled() {
    let seen = Seen::default();
    let service = server(&seen).http().expect("the server is right");
    let id = session(&service).await;
    let served = serve(service).await;
    let stream = served.connect(legacy_call(&id, "moment")).await;
    seen.until((1, 0, 0)).await;
    drop(stream);
    seen.until((1, 1, 0)).await;
    let mut stream = served.connect(legacy_call(&id, "tell_later")).await;
    read_until(&mut stream, "\"one\"").await;
    drop(stream);
    seen.until((2, 2, 0)).await;
}

#[tokio::test]
async fn calls_without_a_client_have_a_bound() {
    let seen = Seen::default();
    let service = server(&seen).concurrent_requests(1).http().expect("the server is right");
    let id = session(&service).await;
    let served = serve(service).await;
    let first = served.connect(legacy_call(&id, "never")).await;
    seen.until((1, 0, 0)).await;
    drop(first);
    let second = served.connect(legacy_call(&id, "never")).await;
    seen.until((2, 0, 0)).await;
    drop(second);
    seen.until((2, 0, 1)).await;
}

#[tokio::test]
async fn a_stream_travels_as_it_comes() {
    let served = serve(service()).await;
    let mut stream = served.connect(call("tell_later")).await;
    let head = read_until(&mut stream, "\"one\"").await;
    assert!(head.contains("content-type: text/event-stream") && !head.contains("told"), "{head}");
    let rest = read_until(&mut stream, "\r\n0\r\n\r\n").await;
    assert!(rest.contains("told"), "{rest}");
}

#[tokio::test]
async fn ten_megabytes_are_refused_over_a_connection_too() {
    let served = serve(service()).await;
    let mut stream = served.connect(post(vec![b' '; 10 * 1024 * 1024])).await;
    let answer = read_until(&mut stream, "4194304").await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    // A client that asks first need not send anything.
    let mut stream = TcpStream::connect(served.addr).await.expect("it listens");
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                content-length: 10485760\r\nexpect: 100-continue\r\n\r\n";
    stream.write_all(head.as_bytes()).await.expect("it is taken");
    let answer = read_until(&mut stream, "4194304").await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

#[tokio::test]
async fn a_body_in_pieces_is_one_message() {
    let served = serve(service()).await;
    let bytes = wire(call("say")).await;
    let mut stream = TcpStream::connect(served.addr).await.expect("it listens");
    stream.set_nodelay(true).expect("it can be set");
    for piece in bytes.chunks(bytes.len() / 5) {
        stream.write_all(piece).await.expect("it is taken");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(read_until(&mut stream, "said").await.starts_with("HTTP/1.1 200"));
    // The same connection serves the next.
    stream.write_all(&bytes).await.expect("it is taken");
    assert!(read_until(&mut stream, "said").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn http2_is_spoken_without_tls() {
    let served = serve(service()).await;
    let stream = TcpStream::connect(served.addr).await.expect("it listens");
    let io = TokioIo::new(stream);
    let (mut client, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await.expect("it speaks HTTP/2");
    let driver = tokio::spawn(connection);
    for (authority, status) in [("localhost", 200), ("evil.example.com", 403)] {
        let mut request = call("tell_now");
        request.headers_mut().remove("host");
        *request.uri_mut() = format!("http://{authority}/mcp").parse().expect("it is a URI");
        let response = timeout(Duration::from_secs(10), client.send_request(request)).await;
        let response = response.expect("it answers in time").expect("it answers");
        assert_eq!(response.status(), status);
        let body: Bytes = response.into_body().collect().await.expect("it is whole").to_bytes();
        assert!(!body.is_empty());
    }
    driver.abort();
}

#[tokio::test]
async fn a_server_that_stops_ends_streams_at_once_and_lets_calls_finish() {
    let seen = Seen::default();
    let service = server(&seen).http().expect("the server is right");
    let id = session(&service).await;
    let served = serve(service.clone()).await;
    let mut get = http::Request::new(http_body_util::Full::new(Bytes::new()));
    *get.uri_mut() = http::Uri::from_static("/mcp");
    for (name, value) in [("host", "localhost"), ("accept", "text/event-stream"), ("mcp-session-id", &*id)] {
        get.headers_mut().insert(name, value.parse().expect("it is a header's value"));
    }
    let mut stream = served.connect(get).await;
    assert!(read_until(&mut stream, ":\n\n").await.starts_with("HTTP/1.1 200"));
    let listen = super::kit::modern("subscriptions/listen", None, serde_json::json!({ "notifications": {} }));
    let mut changes = served.connect(listen).await;
    read_until(&mut changes, "acknowledged").await;
    let mut running = served.connect(call("moment")).await;
    seen.until((1, 0, 0)).await;
    served.stop.send(()).expect("it runs");
    read_until(&mut stream, "\r\n0\r\n\r\n").await;
    let end = read_until(&mut changes, "\r\n0\r\n\r\n").await;
    assert!(end.contains("\"result\""), "a listener is told that it was the server: {end}");
    assert!(read_until(&mut running, "done").await.starts_with("HTTP/1.1 200"));
    let stopped = timeout(Duration::from_secs(5), served.running).await.expect("it stops");
    stopped.expect("it does not panic").expect("it stops well");
    assert!(TcpStream::connect(served.addr).await.is_err());
}

#[tokio::test]
async fn a_call_that_does_not_end_is_stopped_after_the_grace() {
    let seen = Seen::default();
    let service = server(&seen).http().expect("the server is right");
    let id = session(&service).await;
    let served = serve(service).await;
    let _modern = served.connect(call("never")).await;
    let _legacy = served.connect(legacy_call(&id, "never")).await;
    seen.until((2, 0, 0)).await;
    served.stop.send(()).expect("it runs");
    let stopped = timeout(Duration::from_secs(5), served.running).await.expect("it stops");
    stopped.expect("it does not panic").expect("it stops well");
    seen.until((2, 0, 2)).await;
}

#[tokio::test]
async fn a_request_in_the_middle_of_which_the_client_hangs_up_harms_nobody() {
    let served = serve(service()).await;
    let bytes = wire(call("say")).await;
    let mut stream = TcpStream::connect(served.addr).await.expect("it listens");
    stream.write_all(&bytes[..bytes.len() - 20]).await.expect("it is taken");
    drop(stream);
    let mut stream = served.connect(call("say")).await;
    assert!(read_until(&mut stream, "said").await.contains("said"));
}

#[tokio::test(start_paused = true)]
async fn a_quiet_stream_is_kept_alive_with_comments() {
    let mut response = super::kit::open(&service(), call("tell_never")).await;
    let mut text = String::new();
    let start = tokio::time::Instant::now();
    while !text.ends_with("\n\n:\n\n:\n\n") {
        let frame = response.body_mut().frame().await.expect("the stream goes on").expect("it never fails");
        text.push_str(std::str::from_utf8(&frame.into_data().expect("it is data")).expect("it is text"));
    }
    assert!(start.elapsed() <= Duration::from_secs(31), "{:?}", start.elapsed());
    assert_eq!(send(&service(), call("say")).await.status, 200);
}

#[tokio::test]
async fn an_address_that_is_taken_is_named() {
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("there is a port");
    let addr = taken.local_addr().expect("it has an address");
    let serving = timeout(Duration::from_secs(5), server(&Seen::default()).serve(addr)).await;
    let error = serving.expect("it fails at once").expect_err("the port is taken").to_string();
    assert!(error.contains(&addr.to_string()), "{error}");
}
