//! Who may call, how browsers ask, and where the service is mounted.

use http::Method;
use serde_json::json;

use super::kit::{
    Seen, call, initialize, of_method, post, read_until, send, serve, server, service, wire, with,
};

#[tokio::test]
async fn a_name_that_is_made_to_point_here_is_refused() {
    let request = with(call("say"), "host", "evil.example.com");
    let answer = send(&service(), with(request, "origin", "http://evil.example.com")).await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.json().get("id"), None);
    assert!(answer.error().1.contains("evil.example.com"), "{answer:?}");
}

#[tokio::test]
async fn a_page_from_elsewhere_is_refused_and_one_of_this_machine_is_not() {
    let service = service();
    for origin in ["http://evil.test", "null", "http://localhost.evil.test"] {
        let answer = send(&service, with(call("say"), "origin", origin)).await;
        assert_eq!(answer.status, 403, "{origin}");
        assert_eq!(answer.headers.get("access-control-allow-origin"), None);
    }
    for origin in ["http://localhost:6274", "http://127.0.0.1:8000"] {
        let answer = send(&service, with(call("say"), "origin", origin)).await;
        assert_eq!(answer.status, 200, "{origin}");
        assert_eq!(answer.header("access-control-allow-origin"), origin);
    }
}

#[tokio::test]
async fn the_public_url_lets_its_host_and_pages_in() {
    let service =
        server(&Seen::default()).public_url("https://example.com/mcp").http().expect("the server is right");
    let request = || with(call("say"), "host", "example.com");
    assert_eq!(send(&service, request()).await.status, 200);
    assert_eq!(send(&service, with(request(), "origin", "https://example.com")).await.status, 200);
    assert_eq!(send(&service, with(request(), "origin", "https://other.example.com")).await.status, 403);
}

#[tokio::test]
async fn a_browser_hears_which_headers_it_may_send_and_read() {
    let service =
        server(&Seen::default()).allow_origin("https://app.example.com").http().expect("it is right");
    let page = |request| with(request, "origin", "https://app.example.com");
    let question = with(of_method(page(post("")), Method::OPTIONS), "access-control-request-method", "POST");
    let answer = send(
        &service,
        with(question, "access-control-request-headers", "mcp-protocol-version, Mcp-Param-Region, x-other"),
    )
    .await;
    assert_eq!(answer.status, 204);
    assert_eq!(answer.header("access-control-allow-origin"), "https://app.example.com");
    assert_eq!(answer.header("access-control-allow-methods"), "POST, GET, DELETE");
    let headers = answer.header("access-control-allow-headers");
    assert!(headers.contains("mcp-protocol-version") && headers.contains("mcp-param-region"), "{headers}");
    assert!(!headers.contains("x-other"), "{headers}");
    // Errors are told to the page as well.
    for request in [call("say"), initialize(), with(call("say"), "content-type", "text/plain")] {
        let answer = send(&service, page(request)).await;
        assert_eq!(answer.header("access-control-allow-origin"), "https://app.example.com");
        assert_eq!(answer.header("access-control-expose-headers"), "mcp-session-id, www-authenticate");
    }
}

#[tokio::test]
async fn what_cannot_be_meant_is_said_at_the_start() {
    let error = server(&Seen::default())
        .allow_origin("*")
        .public_url("example.com")
        .http()
        .expect_err("both are wrong");
    let text = error.to_string();
    assert!(text.contains("allow_origin") && text.contains("public_url"), "{text}");
}

#[tokio::test]
async fn it_can_be_mounted_under_any_path() {
    let router = axum::Router::new().route_service("/mcp", service()).nest_service("/api/tools", service());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("there is a port");
    let addr = listener.local_addr().expect("it has an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    for path in ["/mcp", "/api/tools", "/api/tools/"] {
        let mut request = call("say");
        *request.uri_mut() = path.parse().expect("it is a path");
        let mut stream = tokio::net::TcpStream::connect(addr).await.expect("it listens");
        tokio::io::AsyncWriteExt::write_all(&mut stream, &wire(request).await).await.expect("it is taken");
        let answer = read_until(&mut stream, "said").await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("said"), "{path}: {answer}");
    }
}

#[tokio::test]
async fn another_path_of_a_server_of_its_own_says_where_to_go() {
    let served = serve(service()).await;
    let mut request = call("say");
    *request.uri_mut() = http::Uri::from_static("/sse");
    let mut stream = served.connect(request).await;
    let answer = read_until(&mut stream, "served at").await;
    assert!(answer.starts_with("HTTP/1.1 404") && answer.contains("/mcp"), "{answer}");
    for path in ["/mcp", "/mcp/"] {
        let mut request = call("say");
        *request.uri_mut() = path.parse().expect("it is a path");
        let mut stream = served.connect(request).await;
        assert!(read_until(&mut stream, "said").await.starts_with("HTTP/1.1 200"), "{path}");
    }
}

#[tokio::test]
async fn other_methods_are_refused_with_those_that_are_served() {
    let service = service();
    for method in [Method::PUT, Method::PATCH, Method::HEAD] {
        let answer = send(&service, of_method(post(json!({}).to_string()), method.clone())).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "POST, GET, DELETE"), "{method}");
    }
    let answer = send(&service, of_method(post(""), Method::OPTIONS)).await;
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (204, "POST, GET, DELETE"));
}
