//! Reads a request's body, up to the limit and within a time.

use std::{
    fmt,
    future::poll_fn,
    pin::{Pin, pin},
    time::Duration,
};

use bytes::{Bytes, BytesMut};
use http_body::Body;
use tokio::time::timeout;

/// Time for a whole body.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time, and bodies of the limit's size, that are still read of a body that is refused: many clients
/// read no answer before they have written everything.
const DRAIN: (Duration, usize) = (Duration::from_secs(5), 8);

/// Bytes that are made room for before they come.
const ROOM: usize = 256 * 1024;

/// Why there is no body.
#[derive(Debug)]
pub(super) enum Unread {
    TooLarge,
    TooSlow,
    /// The client stopped in the middle.
    Broken(String),
}

/// Reads a body. One that `waits` is not sent before it is asked for, and need not be drained.
pub(super) async fn read<B>(body: B, limit: usize, waits: bool) -> Result<Bytes, Unread>
where
    B: Body<Data = Bytes>,
    B::Error: fmt::Display,
{
    let mut body = pin!(body);
    let announced = body.size_hint().lower() > limit as u64;
    if announced && waits {
        return Err(Unread::TooLarge);
    }
    let read = async { if announced { Err(Unread::TooLarge) } else { collect(body.as_mut(), limit).await } };
    let read = timeout(PATIENCE, read).await.unwrap_or(Err(Unread::TooSlow));
    let most = limit.saturating_mul(DRAIN.1);
    if matches!(read, Err(Unread::TooLarge)) && body.size_hint().lower() <= most as u64 {
        _ = timeout(DRAIN.0, drain(body.as_mut(), most)).await;
    }
    read
}

async fn next<B: Body<Data = Bytes>>(body: &mut Pin<&mut B>) -> Option<Result<Bytes, B::Error>> {
    loop {
        return match poll_fn(|cx| body.as_mut().poll_frame(cx)).await? {
            Ok(frame) => match frame.into_data() {
                Ok(data) => Some(Ok(data)),
                // Trailers say nothing here.
                Err(_) => continue,
            },
            Err(error) => Some(Err(error)),
        };
    }
}

async fn collect<B>(mut body: Pin<&mut B>, limit: usize) -> Result<Bytes, Unread>
where
    B: Body<Data = Bytes>,
    B::Error: fmt::Display,
{
    let broken = |error: B::Error| Unread::Broken(error.to_string());
    let Some(first) = next(&mut body).await.transpose().map_err(broken)? else { return Ok(Bytes::new()) };
    if first.len() > limit {
        return Err(Unread::TooLarge);
    }
    let Some(second) = next(&mut body).await.transpose().map_err(broken)? else { return Ok(first) };
    // What is announced need not come, so not all of it is believed.
    let expected = usize::try_from(body.size_hint().lower()).unwrap_or(0).min(ROOM);
    let mut all = BytesMut::with_capacity(first.len() + second.len() + expected);
    all.extend_from_slice(&first);
    let mut more = Some(second);
    while let Some(data) = more {
        if all.len() + data.len() > limit {
            return Err(Unread::TooLarge);
        }
        all.extend_from_slice(&data);
        more = next(&mut body).await.transpose().map_err(broken)?;
    }
    Ok(all.freeze())
}

async fn drain<B: Body<Data = Bytes>>(mut body: Pin<&mut B>, most: usize) {
    let mut seen = 0;
    while let Some(Ok(data)) = next(&mut body).await {
        seen += data.len();
        if seen > most {
            return;
        }
    }
}
