//! Events as Server-Sent Events write them.

use std::io::Write;

use bytes::Bytes;

use crate::notify::Outbound;

/// A comment: it keeps what lies between from closing an idle connection.
pub(super) const COMMENT: &[u8] = b":\n\n";

/// Appends a message as one event, or one of no data where there is only an id to tell.
pub(super) fn write_event(out: &mut Vec<u8>, outbound: &Outbound) {
    if let Some(id) = &outbound.id {
        out.extend_from_slice(b"id: ");
        out.extend_from_slice(id.as_bytes());
        out.push(b'\n');
    }
    if let Some(retry) = outbound.retry {
        // Memory takes everything.
        _ = writeln!(out, "retry: {}", retry.as_millis());
    }
    if outbound.message.is_empty() {
        out.extend_from_slice(b"data: \n\n");
    } else {
        write_message(out, &outbound.message);
    }
}

/// Appends a message as one event, on one line.
pub(super) fn write_message(out: &mut Vec<u8>, message: &[u8]) {
    out.reserve(message.len() + 24);
    out.extend_from_slice(b"event: message\ndata: ");
    let start = out.len();
    out.extend_from_slice(message);
    // In JSON a line break is only ever space between tokens.
    for byte in &mut out[start..] {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    out.extend_from_slice(b"\n\n");
}

/// A message as the only event.
pub(super) fn event(message: &[u8]) -> Bytes {
    let mut out = Vec::new();
    write_message(&mut out, message);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_tells_where_and_when_to_go_on() {
        let mut out = Vec::new();
        write_event(&mut out, &Outbound::priming("a.1".into(), std::time::Duration::from_millis(1500)));
        assert_eq!(out, b"id: a.1\nretry: 1500\ndata: \n\n");
        out.clear();
        write_event(
            &mut out,
            &Outbound { message: "{}".into(), id: Some("a.2".into()), ..Outbound::default() },
        );
        assert_eq!(out, b"id: a.2\nevent: message\ndata: {}\n\n");
    }

    #[test]
    fn a_message_is_one_event_on_one_line() {
        assert_eq!(&event(b"{\"a\":1}")[..], b"event: message\ndata: {\"a\":1}\n\n");
        assert_eq!(&event(b"{\r\n \"a\": 1\n}")[..], b"event: message\ndata: {   \"a\": 1 }\n\n");
    }
}
