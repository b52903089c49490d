//! The service: a request comes in, passes the guard, and is answered by its method.

use std::{
    convert::Infallible,
    fmt,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{
    HeaderMap, Method, Request, Response, StatusCode, header::ACCESS_CONTROL_REQUEST_METHOD, request::Parts,
};
use http_body::Body;
use tokio::sync::Semaphore;
use tower_service::Service;

use super::{
    HttpBody,
    auth::Door,
    cors,
    guard::Guard,
    post::post,
    respond::{empty, not_allowed, refuse},
    session,
};
use crate::{
    BoxFuture,
    catalog::{Report, StartError},
    dispatch::Core,
    era::{self, Header, Mirror},
    handle::ServerHandle,
    server::Server,
};

/// A server as an HTTP service, for any router and any path.
///
/// Who calls, the server's [`auth`](Server::auth) says; or a layer in front of it that knows its callers
/// puts a [`Principal`](crate::Principal) into the request's extensions. Requests for other hosts than this
/// machine and the server's [`public_url`](Server::public_url), and of pages of other origins, are
/// refused.
///
/// ```
/// # fn example(server: mcp_runtime::Server) -> Result<axum::Router, mcp_runtime::StartError> {
/// Ok(axum::Router::new().route_service("/api/mcp", server.http()?))
/// # }
/// ```
#[derive(Clone)]
pub struct HttpService {
    pub(super) shared: Arc<Shared>,
    /// Whether only this machine can reach it.
    pub(super) local: bool,
}

/// What all requests share.
pub(super) struct Shared {
    pub(super) core: Arc<Core>,
    pub(super) guard: Guard,
    /// Where callers have to show a token.
    pub(super) door: Option<Door>,
    /// Places for calls that go on although their client hung up.
    pub(super) places: Arc<Semaphore>,
}

impl Server {
    /// Makes the server ready to be mounted in a router: see [`HttpService`].
    ///
    /// # Errors
    ///
    /// All that is wrong with what the server offers, and with its URL, hosts and origins.
    pub fn http(mut self) -> Result<HttpService, StartError> {
        let guard = Guard::new(self.web.clone(), &mut self.mistakes);
        let door = Door::of(&self.web, &self.identity, &mut self.mistakes);
        let places = Arc::new(Semaphore::new(self.limits.concurrent));
        Ok(HttpService {
            shared: Arc::new(Shared { core: self.ready()?, guard, door, places }),
            local: false,
        })
    }
}

impl ServerHandle {
    /// The server as a service for a router: see [`HttpService`].
    ///
    /// # Errors
    ///
    /// All that is wrong with the server's URL, hosts and origins.
    pub fn http(&self) -> Result<HttpService, StartError> {
        let (core, mut report, mut mistakes) = (self.core.clone(), Report::default(), Vec::new());
        let guard = Guard::new(core.web.clone(), &mut mistakes);
        let door = Door::of(&core.web, &core.identity, &mut mistakes);
        mistakes.into_iter().for_each(|mistake| report.add(mistake));
        report.finish()?;
        let places = Arc::new(Semaphore::new(core.limits.concurrent));
        Ok(HttpService { shared: Arc::new(Shared { core, guard, door, places }), local: false })
    }
}

impl HttpService {
    async fn answer<B>(self, request: Request<B>) -> Response<HttpBody>
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: fmt::Display,
    {
        let (mut parts, body) = request.into_parts();
        let passed = match self.shared.guard.check(&parts.uri, &parts.headers, self.local) {
            Ok(passed) => passed,
            Err(why) => {
                tracing::warn!("a request was refused: {why}");
                return refuse(StatusCode::FORBIDDEN, format!("Forbidden: {why}"));
            }
        };
        let mut response = match (self.admit(&mut parts).await, &parts.method) {
            (Err(refused), _) => *refused,
            (Ok(()), &Method::POST) => post(&self.shared, parts, body).await,
            (Ok(()), _) => self.other(parts, passed.origin.is_some()).await,
        };
        if let Some(origin) = passed.origin {
            cors::expose(&mut response, origin);
        }
        response
    }

    /// Notes who calls. What a browser asks before its page may call comes without a token.
    async fn admit(&self, parts: &mut Parts) -> Result<(), Box<Response<HttpBody>>> {
        let Some(door) = &self.shared.door else { return Ok(()) };
        if parts.method == Method::GET && door.is_metadata(parts.uri.path()) {
            return Err(Box::new(door.metadata()));
        }
        if parts.method != Method::OPTIONS {
            let principal = door.enter(&parts.headers).await?;
            // Of a message it is told once it was read what it needs beside.
            if parts.method != Method::POST && !door.admits(&principal) {
                return Err(Box::new(door.insufficient(&[])));
            }
            parts.extensions.insert(principal);
        }
        Ok(())
    }

    async fn other(&self, parts: Parts, from_page: bool) -> Response<HttpBody> {
        if parts.method == Method::OPTIONS
            && from_page
            && parts.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
        {
            return cors::preflight(&parts.headers);
        }
        let headers = Headers(parts.headers);
        let allowed = match era::keeps_sessions(&self.shared.core, &headers) {
            Ok(true) => "POST, GET, DELETE",
            Ok(false) => "POST",
            Err(reply) => return super::respond::reply(reply),
        };
        match parts.method {
            Method::GET if allowed != "POST" => {
                session::listen(&self.shared, &headers.0, &parts.extensions).await
            }
            Method::DELETE if allowed != "POST" => {
                session::end(&self.shared, &headers.0, &parts.extensions).await
            }
            Method::OPTIONS => {
                let mut response = empty(StatusCode::NO_CONTENT);
                response.headers_mut().insert(http::header::ALLOW, http::HeaderValue::from_static(allowed));
                response
            }
            method => not_allowed(&method, allowed),
        }
    }
}

impl<B> Service<Request<B>> for HttpService
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: fmt::Display,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<HttpBody>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.answer(request).await) })
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").field("core", &self.shared.core).finish_non_exhaustive()
    }
}

/// A request's headers, as what comes above looks into them.
pub(super) struct Headers(pub(super) HeaderMap);

impl Mirror for Headers {
    fn header(&self, name: &str) -> Header<'_> {
        let mut values = self.0.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Header::Absent,
            (Some(value), None) => Header::One(value.as_bytes()),
            _ => Header::Many,
        }
    }
}
