//! A server of its own: a listener, its connections, and their end.

use std::{
    convert::Infallible,
    future::Future,
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use http::{Request, Response, StatusCode};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{
        conn::auto::Builder,
        graceful::{GracefulShutdown, Watcher},
    },
};
use tokio::{
    net::{TcpListener, TcpStream, ToSocketAddrs, lookup_host},
    task::JoinSet,
    time::{sleep, timeout},
};
use tower_service::Service;

use super::{HttpBody, HttpService, respond::refuse};
use crate::{Error, Result, server::Server};

/// Time for the head of a request.
const HEAD: Duration = Duration::from_secs(30);
/// Where the server is found.
const PATH: &str = "/mcp";

impl Server {
    /// Serves Streamable HTTP at `/mcp` of this address, until the process is told to stop (Ctrl-C or
    /// `SIGTERM`): streams end then, and running calls get their [`grace`](Self::grace). Told twice, it
    /// exits at once.
    ///
    /// # Errors
    ///
    /// When the server cannot start, or the address cannot be listened on.
    pub async fn serve(self, addr: impl ToSocketAddrs) -> Result<()> {
        self.http()?.serve(addr).await
    }
}

impl HttpService {
    /// Serves as [`Server::serve`] does.
    ///
    /// # Errors
    ///
    /// When the address cannot be listened on.
    pub async fn serve(self, addr: impl ToSocketAddrs) -> Result<()> {
        let listener = bind(addr).await?;
        self.serve_on(listener, told_to_stop()).await
    }

    /// Serves at `/mcp` of a listener, over HTTP/1.1 and HTTP/2 without TLS, until `shutdown` is ready.
    /// Then streams end, and running calls get the server's [`grace`](Server::grace).
    ///
    /// # Errors
    ///
    /// When the listener has no address.
    pub async fn serve_on(mut self, listener: TcpListener, shutdown: impl Future<Output = ()>) -> Result<()> {
        let addr = listener.local_addr()?;
        self.local = addr.ip().to_canonical().is_loopback();
        self.say_where(addr);
        let mut connections = JoinSet::new();
        let graceful = GracefulShutdown::new();
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(connection(self.clone(), stream, graceful.watcher()));
                    }
                    Err(error) => {
                        // Out of file descriptors, most likely: connections that end give some back.
                        tracing::warn!(%error, "a connection could not be accepted");
                        sleep(Duration::from_millis(50)).await;
                    }
                },
                Some(_) = connections.join_next() => {}
                () = &mut shutdown => break,
            }
        }
        drop(listener);
        let (core, places) = (&self.shared.core, &self.shared.places);
        core.closing.cancel();
        let all = u32::try_from(core.limits.concurrent).unwrap_or(u32::MAX);
        let finished = timeout(core.limits.grace, async {
            graceful.shutdown().await;
            // Calls whose clients hung up run by themselves.
            _ = places.acquire_many(all).await;
        });
        if finished.await.is_err() {
            tracing::warn!("calls that still ran were stopped");
        }
        places.close();
        connections.shutdown().await;
        Ok(())
    }

    fn say_where(&self, addr: SocketAddr) {
        let name = &self.shared.core.identity.name;
        eprintln!("{name}: serving MCP at http://{addr}{PATH}");
        if !self.local && !self.shared.guard.is_told() {
            eprintln!(
                "{name}: WARNING: {addr} can be reached from other machines, and all that they ask is refused until \
                 the server says where clients find it: write `.public_url(\"https://your.host{PATH}\")` on it, or \
                 `.allow_host(\"{}\")`",
                if addr.ip().is_unspecified() { "your.host".to_owned() } else { host(addr) }
            );
        }
    }

    async fn route(mut self, request: Request<Incoming>) -> Result<Response<HttpBody>, Infallible> {
        let path = request.uri().path();
        let is = |known: &str| path.trim_end_matches('/') == known.trim_end_matches('/');
        let metadata = self.shared.door.as_ref().is_some_and(|door| door.is_metadata(path));
        if metadata || is(PATH) || self.shared.guard.public_path().is_some_and(is) {
            return self.call(request).await;
        }
        let path = path.chars().take(200).collect::<String>();
        Ok(refuse(StatusCode::NOT_FOUND, format!("There is nothing at {path}: MCP is served at {PATH}")))
    }
}

fn host(addr: SocketAddr) -> String {
    if addr.is_ipv6() { format!("[{}]", addr.ip()) } else { addr.ip().to_string() }
}

async fn bind(addr: impl ToSocketAddrs) -> Result<TcpListener> {
    let mut why = Error::new("the address names nothing to listen on");
    let addrs = lookup_host(addr)
        .await
        .map_err(|error| Error::new(format!("the address cannot be read: {error}")))?;
    for addr in addrs {
        match TcpListener::bind(addr).await {
            Ok(listener) => return Ok(listener),
            Err(error) => why = Error::new(format!("cannot listen on {addr}: {error}")),
        }
    }
    Err(why)
}

/// Serves one connection until either side ends it.
async fn connection(service: HttpService, stream: TcpStream, watcher: Watcher) {
    // Answers are small and wait for nothing.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection keeps its delay");
    }
    let streams = u32::try_from(service.shared.core.limits.concurrent).unwrap_or(u32::MAX);
    let asked = Arc::new(AtomicBool::new(false));
    let route = {
        let asked = asked.clone();
        service_fn(move |request| {
            asked.store(true, Ordering::Relaxed);
            service.clone().route(request)
        })
    };
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Duration::from_secs(30))
        .max_concurrent_streams(streams);
    let connection = builder.serve_connection(TokioIo::new(stream), route).into_owned();
    let mut connection = pin!(watcher.watch(connection));
    let mut ended = timeout(HEAD, connection.as_mut()).await;
    if ended.is_err() && asked.load(Ordering::Relaxed) {
        ended = Ok(connection.await);
    }
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a connection broke"),
        Err(_) => tracing::debug!("a connection asked nothing and was closed"),
    }
}

/// Returns when the process is told to stop. From then on, being told again ends it.
async fn told_to_stop() {
    stop_signal().await;
    eprintln!("stopping; once more stops at once");
    // On a thread of its own: the runtime may be busy with its own end.
    std::thread::spawn(|| {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(stop_signal());
        std::process::exit(130);
    });
}

#[cfg(unix)]
async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        },
        Err(_) => _ = tokio::signal::ctrl_c().await,
    }
}

#[cfg(not(unix))]
async fn stop_signal() {
    _ = tokio::signal::ctrl_c().await;
}
