//! The whole surface, in a crate that denies every warning: expansions must be clean there too.

#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub)]
#![deny(clippy::pedantic)]
#![forbid(unsafe_code)]

use std::{borrow::Cow, fmt, future::ready, str::FromStr};

use mcp_runtime::{
    Answer, Ask, CallToolResult, Content, Context, Form, FromContext, State as S, prompt, prompts, resolver,
    resource, resources, tool, tools,
};

type Ctx = Context;
type Text = String;

/// A name that everybody takes.
#[derive(Debug, Clone)]
pub struct Result;

/// What is on the shelf.
#[derive(Debug, Default)]
pub struct Shelf;

/// Whose request it is.
#[derive(Debug)]
pub struct Tenant;

impl FromContext for Tenant {
    async fn from_context(_: &Context) -> mcp_runtime::Result<Self> {
        Ok(Self)
    }
}

/// A place.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Place {
    city: String,
}

/// What may go wrong.
#[derive(Debug)]
pub struct Lost;

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("lost")
    }
}

impl std::error::Error for Lost {}

/// How it is bound.
#[derive(Debug, Clone, Copy, Form)]
pub enum Cover {
    /// Between boards.
    #[form(title = "Hardcover")]
    Hard,
    /// Between paper.
    #[form(rename = "soft", title = "Paperback")]
    Soft,
}

/// What to put aside.
#[derive(Debug, Clone, Form)]
pub struct Wish {
    /// Number of copies
    #[form(title = "Copies", range(min = 1, max = 10), default = 1)]
    copies: u32,
    /// Where to write to
    #[form(format = "email", length(max = 80))]
    r#where: Option<String>,
    /// What it may cost at most
    #[form(range(min = -0.5), rename = "most")]
    price: f64,
    covers: Vec<Cover>,
    gift: bool,
}

/// Nothing to fill in: only yes or no.
#[derive(Debug, Clone, Form)]
pub struct Nothing {}

#[resolver]
fn ask_wish(title: &str) -> Ask<Wish> {
    Ask::form(format!("How many of {title}?"))
}

#[resolver(key = "sure")]
async fn ask_sure(
    tenant: Tenant,
    #[resolve(ask_wish)] wish: Answer<Wish>,
) -> mcp_runtime::Result<Ask<Nothing>> {
    let Tenant = ready(tenant).await;
    match wish {
        Answer::Accepted(Wish { copies, r#where, price, covers, gift }) => {
            Ok(Ask::form(format!("{copies} for {price} {covers:?} {gift} {where:?}: sure?")))
        }
        Answer::Declined | Answer::Cancelled => Err(Lost.into()),
    }
}

#[resolver(inline)]
fn shelf_mark(
    #[arg(rename = "book-title")] title: Option<&str>,
    shelf: &S<Shelf>,
) -> std::result::Result<Text, Lost> {
    let _ = shelf;
    title.map(str::to_uppercase).ok_or(Lost)
}

/// Everything at once.
///
/// With a second paragraph.
///
/// # Errors
///
/// Always.
#[tool(
    name = "every.thing-1",
    title = "Everything",
    read_only,
    destructive = false,
    idempotent = true,
    open_world = false,
    ttl = "1m 30s",
    scope = "private",
    timeout = "5s",
    structured = false,
    strict = false,
    toolset = "admin",
    icons("https://example.com/a.png", "data:image/png;base64,AA=="),
    meta = r#"{"com.example/cost": 3}"#
)]
#[allow(clippy::too_many_arguments)]
pub async fn everything(
    /// Title of the book
    #[arg(header = "Title")]
    title: &str,
    #[arg(rename = "type", default = "novel")] r#type: &str,
    #[arg(default = 10, range(min = 1, max = 100))] limit: u32,
    #[arg(default = vec![1, 2])] pages: &[u32],
    note: Option<&str>,
    place: &Place,
    #[allow(unused_variables)] text: Option<Text>,
    ctx: Ctx,
    shelf: &S<Shelf>,
    tenant: Tenant,
    #[resolve(ask_wish)] wish: Answer<Wish>,
    #[resolve(self::ask_sure)] sure: &Answer<Nothing>,
) -> std::result::Result<Vec<Content>, Lost> {
    let _ = (title, r#type, limit, pages, note, place, ctx, shelf, tenant, wish, sure);
    ready(Err(Lost)).await
}

/// All arguments in one.
#[tool(blocking)]
#[must_use]
pub fn travel(#[args] place: Place) -> Place {
    place
}

/// A tool that has a number of results.
#[tool]
#[must_use]
pub fn halves(mut numbers: Vec<i64>, half: Option<f64>) -> Vec<Option<i64>> {
    let _ = half;
    numbers.reverse();
    numbers.into_iter().map(|number| (number % 2 == 0).then_some(number / 2)).collect()
}

/// Text in a plain function.
#[tool]
#[must_use]
pub fn shout(#[arg(default = "hi")] text: &str, #[arg(default = "ho")] more: &str) -> Cow<'static, str> {
    (text.to_uppercase() + more).into()
}

/// Nothing at all.
#[tool(description = concat!("Nothing", " ", "at all."))]
pub fn name() {}

#[doc = concat!("Says it ", "all.")]
#[tool]
#[must_use]
pub fn result() -> CallToolResult {
    let _ = Result;
    CallToolResult::default()
}

/// A keyword for a name.
#[tool]
pub async fn r#match(slot: u8, value: u8, reply: u8, args: u8, name: u8, param: u8) -> u8 {
    ready(slot + value + reply + args + name + param).await
}

/// Never there.
#[cfg(any())]
#[tool]
pub fn never(nothing: Nowhere) {}

/// Never there either.
#[tool]
#[cfg(any())]
pub fn never_ever(nothing: Nowhere) {}

/// Old.
#[tool]
#[deprecated]
pub fn old() {}

/// A genre as text.
#[derive(Debug)]
pub struct Genre(String);

impl FromStr for Genre {
    type Err = Lost;

    fn from_str(text: &str) -> std::result::Result<Self, Lost> {
        Ok(Self(text.to_owned()))
    }
}

/// Recommend a book.
///
/// # Errors
///
/// None.
#[prompt(title = "Recommend", toolset = "readers")]
pub async fn recommend(
    /// What kind
    genre: Genre,
    /// How many
    #[arg(default = 3)]
    count: u8,
    #[arg(rename = "book-title")] mood: Option<&str>,
    ctx: &Ctx,
    #[resolve(shelf_mark)] mark: String,
) -> mcp_runtime::Result<String> {
    let _ = ready(ctx).await;
    Ok(format!("{count} books: {} {mood:?} {mark}", genre.0))
}

/// Says hello.
#[prompt]
#[must_use]
pub fn greet() -> &'static str {
    "Say hello."
}

fn shelves(_: S<Shelf>) -> Vec<[String; 2]> {
    vec![["north".into(), "a/b".into()]]
}

/// How many copies of one book are on the shelf.
///
/// # Errors
///
/// None.
#[resource(
    "stock://{shelf}/{+path}{?page}",
    name = "stock-of",
    mime_type = "text/plain",
    audience("user"),
    priority = 0.5,
    list = shelves,
    ttl = "30s",
    scope = "public"
)]
pub async fn stock(
    shelf: &str,
    path: String,
    page: Option<u32>,
    books: S<Shelf>,
) -> mcp_runtime::Result<String> {
    let _ = ready((shelf, page, books)).await;
    Ok(path)
}

/// The catalogue.
#[resource("books://all", size = 12, last_modified = "2026-07-28")]
#[must_use]
pub fn catalogue() -> String {
    "all".into()
}

mod shelf {
    //! Tools travel with their functions.

    use mcp_runtime::tool;

    /// Puts one back.
    #[tool]
    pub(crate) fn restock(title: String) -> String {
        title
    }
}

use shelf::restock as put_back;

#[test]
fn functions_stay_functions_and_travel_with_their_definitions() {
    assert_eq!(
        tools![everything, travel, halves, shout, name, result, r#match, shelf::restock, put_back].len(),
        9
    );
    assert_eq!(tools![].len(), 0);
    assert_eq!(prompts![recommend, greet].len(), 2);
    assert_eq!(resources![stock, catalogue].len(), 2);
    assert_eq!(shout("a", "b"), "Ab");
    assert_eq!(travel(Place { city: "Ulm".into() }).city, "Ulm");
    assert_eq!(put_back("Dune".into()), "Dune");
}
