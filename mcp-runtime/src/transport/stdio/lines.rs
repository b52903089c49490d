//! From bytes to lines, each a message.

use std::io::BufRead;

use bytes::Bytes;

/// Bytes that one read may bring.
const CHUNK: usize = 64 * 1024;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// What a line holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Text, without the space around it.
    Text(Bytes),
    /// Bytes that are no text.
    NotText,
    /// More than may be; what it was is gone.
    TooLong,
}

/// Bytes on their way to be lines.
pub(super) struct Lines {
    /// All of it is initialised, so that reading into it costs no more than the read.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Up to here there is no end of a line.
    scanned: usize,
    limit: usize,
    /// The rest of a line that is too long is passed over.
    skipping: bool,
    at_first: bool,
}

impl Lines {
    /// `limit`: the most bytes of a line.
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: vec![0; CHUNK], start: 0, end: 0, scanned: 0, limit, skipping: false, at_first: true }
    }

    /// Where the next bytes go; never empty once [`Self::take`] has found no more lines.
    pub(super) fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end, self.scanned) = (0, 0, 0);
            if self.buffer.len() > 4 * CHUNK {
                self.buffer = vec![0; CHUNK];
            }
        }
        if self.buffer.len() - self.end < CHUNK / 4 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.scanned -= self.start;
            self.end -= self.start;
            self.start = 0;
            if self.buffer.len() - self.end < CHUNK / 4 {
                let most = self.limit.saturating_add(2 * CHUNK);
                self.buffer.resize((2 * self.buffer.len()).min(most), 0);
            }
        }
        &mut self.buffer[self.end..]
    }

    /// This many bytes were put into the space.
    pub(super) fn filled(&mut self, bytes: usize) {
        self.end += bytes;
    }

    /// The next line that holds something.
    pub(super) fn take(&mut self) -> Option<Line> {
        while self.start < self.end {
            let mut rest = &self.buffer[self.scanned..self.end];
            // The standard library's own fast search; it cannot fail on bytes in memory.
            let passed = rest.skip_until(b'\n').unwrap_or(0);
            let found = passed > 0 && self.buffer[self.scanned + passed - 1] == b'\n';
            self.scanned += passed;
            if !found {
                return self.pause();
            }
            let line = (self.start, self.scanned - 1);
            self.start = self.scanned;
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            if let Some(line) = self.line(line) {
                return Some(line);
            }
        }
        None
    }

    /// There is no end of a line yet.
    fn pause(&mut self) -> Option<Line> {
        let too_long = !self.skipping && self.end - self.start > self.limit;
        self.skipping |= too_long;
        if self.skipping {
            self.start = self.end;
        }
        too_long.then_some(Line::TooLong)
    }

    /// What is left when there are no more bytes: a line that nobody ended.
    pub(super) fn rest(&mut self) -> Option<Line> {
        let line = (self.start, self.end);
        self.start = self.end;
        if self.skipping { None } else { self.line(line) }
    }

    fn line(&mut self, (start, end): (usize, usize)) -> Option<Line> {
        let mut line = &self.buffer[start..end];
        if std::mem::take(&mut self.at_first) {
            line = line.strip_prefix(BOM).unwrap_or(line);
        }
        if line.len() > self.limit {
            return Some(Line::TooLong);
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            return None;
        }
        Some(if std::str::from_utf8(line).is_ok() {
            Line::Text(Bytes::copy_from_slice(line))
        } else {
            Line::NotText
        })
    }
}
