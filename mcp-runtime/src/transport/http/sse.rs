//! Events as Server-Sent Events write them.

use bytes::Bytes;

/// A comment: it keeps what lies between from closing an idle connection.
pub(super) const COMMENT: &[u8] = b":\n\n";

/// Appends a message as one event, on one line.
pub(super) fn write_event(out: &mut Vec<u8>, message: &[u8]) {
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
    write_event(&mut out, message);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_event_on_one_line() {
        assert_eq!(&event(b"{\"a\":1}")[..], b"event: message\ndata: {\"a\":1}\n\n");
        assert_eq!(&event(b"{\r\n \"a\": 1\n}")[..], b"event: message\ndata: {   \"a\": 1 }\n\n");
    }
}
