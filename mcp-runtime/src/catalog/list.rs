//! Lists as ready bytes: serialised once per snapshot, shape and page.

use std::sync::{Arc, OnceLock};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use bytes::Bytes;
use serde_json::value::RawValue;

use super::definition::Definition;
use crate::{
    handler::call::{Tail, write_hints},
    protocol::{CacheScope, ErrorObject, text, write},
};

/// The list of one kind of entry.
#[derive(Debug)]
pub(crate) struct List {
    /// The member that holds it: `tools`, `prompts`, …
    member: &'static str,
    definitions: Vec<Arc<Definition>>,
    hint: (u64, CacheScope),
    default_hint: (u64, CacheScope),
    page: usize,
    tails: Arc<[Tail]>,
    /// By shape, then by page.
    ready: Vec<Vec<OnceLock<Bytes>>>,
}

impl List {
    /// `definitions` are in their final order.
    pub(crate) fn new(
        member: &'static str,
        definitions: Vec<Arc<Definition>>,
        hint: (u64, CacheScope),
        default_hint: (u64, CacheScope),
        page: usize,
        tails: Arc<[Tail]>,
    ) -> Self {
        let pages = definitions.len().div_ceil(page).max(1);
        let ready = tails.iter().map(|_| (0..pages).map(|_| OnceLock::new()).collect()).collect();
        Self { member, definitions, hint, default_hint, page, tails, ready }
    }

    pub(crate) fn default_hint(&self) -> (u64, CacheScope) {
        self.default_hint
    }

    /// All that there is to list.
    pub(crate) fn definitions(&self) -> &[Arc<Definition>] {
        &self.definitions
    }

    /// The page at this cursor for clients of this shape: a result, and the end of its message.
    pub(crate) fn page(&self, shape: usize, cursor: Option<&RawValue>) -> Result<Bytes, ErrorObject> {
        let start = self.start(&self.definitions, cursor)?;
        if start % self.page == 0
            && let Some(ready) = self.ready[shape].get(start / self.page)
        {
            return Ok(ready.get_or_init(|| self.write(&self.definitions, shape, start)).clone());
        }
        Ok(self.write(&self.definitions, shape, start))
    }

    /// The same of a list that was made for one caller, in its final order.
    pub(crate) fn page_of(
        &self,
        definitions: &[Arc<Definition>],
        shape: usize,
        cursor: Option<&RawValue>,
    ) -> Result<Bytes, ErrorObject> {
        Ok(self.write(definitions, shape, self.start(definitions, cursor)?))
    }

    /// A cursor names the entry before its page, so that it stays good when the list changes.
    fn start(
        &self,
        definitions: &[Arc<Definition>],
        cursor: Option<&RawValue>,
    ) -> Result<usize, ErrorObject> {
        let Some(cursor) = cursor else { return Ok(0) };
        let after = || {
            let bytes = BASE64.decode(text(cursor)?.as_bytes()).ok()?;
            let (member, name) = std::str::from_utf8(&bytes).ok()?.split_once('\n')?;
            (member == self.member).then(|| definitions.partition_point(|known| known.key() <= name))
        };
        after().ok_or_else(|| {
            ErrorObject::invalid_params(
                "`params.cursor` is none of this list: ask for the list from its start",
            )
        })
    }

    fn write(&self, definitions: &[Arc<Definition>], shape: usize, start: usize) -> Bytes {
        let tail = &self.tails[shape];
        let end = definitions.len().min(start.saturating_add(self.page));
        let mut out = Vec::new();
        out.extend_from_slice(br#"{""#);
        out.extend_from_slice(self.member.as_bytes());
        out.extend_from_slice(br#"":["#);
        let mut first = true;
        for definition in &definitions[start.min(end)..end] {
            if !std::mem::take(&mut first) {
                out.push(b',');
            }
            definition.write(&mut out, tail.shape);
        }
        out.push(b']');
        if end < definitions.len() {
            let cursor = BASE64.encode(format!("{}\n{}", self.member, definitions[end - 1].key()));
            out.extend_from_slice(br#","nextCursor":"#);
            write(&mut out, &cursor);
        }
        if tail.shape.cache_hints {
            write_hints(&mut out, self.hint.0, self.hint.1);
        }
        tail.close(&mut out, None, "complete");
        out.into()
    }
}
