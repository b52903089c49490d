//! The macros, and what they mean. Their code is in `mcp-derive`; it is documented here, where the
//! examples can use the run time.

/// Offers a function as a tool.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Repeat a text.
/// #[tool(read_only)]
/// async fn repeat(
///     /// What to repeat
///     text: &str,
///     /// How often
///     #[arg(default = 2, range(min = 1, max = 10))]
///     times: u32,
/// ) -> String {
///     text.repeat(times as usize)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// // It stays a function, and a test calls it as one.
/// assert_eq!(repeat("na", 2).await, "nana");
/// # }
/// ```
///
/// The function is the whole declaration: its name is the tool's name, its doc comment the
/// description, the parameters (with their doc comments) make the input schema, the return type the
/// output schema. `async fn` and plain `fn` both work; a plain one runs on the blocking pool until it
/// has shown itself quick.
///
/// Beside the function stands a type of the same name and visibility, which `use` carries along and
/// [`tools!`](crate::tools) reads. So the name cannot be that of a primitive type or of a module in
/// the same scope.
///
/// # Parameters
///
/// A parameter whose type is `Deserialize` and `JsonSchema` is an **argument** that the client sends.
/// `&str`, `Option<&str>`, `&T` and `&[T]` are lent for the call. An `Option` may be left out.
///
/// A parameter whose type is [`FromContext`](crate::FromContext) comes from the server, and the model
/// never sees it: [`Context`](crate::Context), [`State`](crate::State),
/// [`Principal`](crate::Principal), types of your own. How the type is spelled does not matter.
///
/// | attribute | meaning |
/// | --- | --- |
/// | `#[arg(default = 10)]` | it may be left out, and is then the value of this expression |
/// | `#[arg(range(min = 1, max = 10))]` | the least and the greatest number, both included |
/// | `#[arg(rename = "type")]` | the name that the client uses |
/// | `#[arg(header = "Region")]` | clients mirror it into the HTTP header `Mcp-Param-Region`; for text, integers and booleans |
/// | `#[args]` | a struct whose fields are the tool's arguments |
/// | `#[resolve(f)]` | what the [`resolver`](macro@crate::resolver) `f` gives |
///
/// There are at most 16 parameters, none of them conditional, generic or a pattern. The function
/// stands free: in an `impl` block there is no room for what goes with it.
///
/// # Results
///
/// Text, numbers, truth values and anything that is `Serialize` and `JsonSchema` goes out as
/// structured data with a schema, and as text; content blocks and
/// [`CallToolResult`](crate::CallToolResult) as they are; `()` as nothing. With
/// `Result<T, E>`, `E` is [`Error`](crate::Error) or any `std::error::Error`: the model reads it.
///
/// # Tasks
///
/// With `task`, a client that takes tasks (the extension `io.modelcontextprotocol/tasks` of
/// 2026-07-28) gets its answer at once, and the result when it comes back for it. Nothing changes for
/// the function, and nothing for any other client. What the resolvers ask is asked before the task
/// begins, what the body asks ([`Context::ask`](crate::Context::ask)) is asked within it; what it
/// tells of its progress is the task's status message. A cancelled task is dropped as a cancelled call
/// is. An error is a completed task whose result has `isError`; a JSON-RPC error
/// ([`Error::protocol`](crate::Error::protocol)) is a failed one.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Counts the books on all shelves.
/// #[tool(task, timeout = "2h")]
/// async fn count_books(shelves: u32, ctx: Context) -> u32 {
///     let mut books = 0;
///     for shelf in 1..=shelves {
///         books += 40; // somebody goes and looks
///         ctx.progress(shelf, shelves, "Counted").await;
///     }
///     books
/// }
/// ```
///
/// # Keys
///
/// | key | meaning |
/// | --- | --- |
/// | `name = "…"` | the tool's name: 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.` |
/// | `title = "…"` | a name for people |
/// | `description = …` | instead of the doc comment; any constant `&str` |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | the hints of the protocol; `= false` denies one |
/// | `structured = false` | results are text alone, without a schema |
/// | `strict = false` | arguments that the tool does not have are ignored, and not refused |
/// | `ttl = "5m"`, `scope = "public"` | how long its entry in the list stays fresh, and for whom |
/// | `timeout = "30s"` | how long a call may take |
/// | `task` | where the client takes tasks, a call runs as one |
/// | `task = "required"` | the same, and a client that takes none cannot call it |
/// | `toolset = "admin"` | the set that it belongs to |
/// | `icons("https://…")` | pictures |
/// | `meta = "{…}"` | its `_meta`, a JSON object |
/// | `visible_if = path` | for whom it exists, see below |
/// | `scopes("books:write")` | what a caller's token has to allow over HTTP ([`Server::auth`](crate::Server::auth)); on stdio the caller may do all |
/// | `blocking`, `inline` | a plain `fn` always runs on the blocking pool, or never |
///
/// Times are written with `ms`, `s`, `m`, `h` and `d`.
///
/// # Tools for some callers
///
/// ```
/// use mcp_runtime::{Principal, prelude::*};
///
/// fn is_admin(principal: &Principal) -> bool {
///     principal.id() == "admin"
/// }
///
/// /// Wipe the disk.
/// #[tool(visible_if = is_admin)]
/// fn wipe() {}
/// # fn main() {}
/// ```
///
/// The rule is a plain function of what the server provides
/// ([`FromContext`](crate::FromContext)): `&Principal`, or up to four by value, such as a `Context`
/// and a `State<T>`. Where one of them is missing, as a `Principal` is when nobody is logged in, the
/// rule does not hold. It is asked for every list and every call, so it has to be quick.
///
/// A tool that a caller may not see does not exist for them: it is in no list, calling it is answered as
/// an unknown name is, and nothing suggests it. A list with rules is private, whatever else says
/// public. The same holds of prompts, resources and templates.
#[doc(inline)]
pub use mcp_derive::tool;

/// Makes a function a resolver: it gives a parameter its value, from the arguments, from the server,
/// from other resolvers, or by asking the user.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// How many copies to put aside.
/// #[derive(Form)]
/// struct Quantity {
///     /// Number of copies
///     #[form(range(min = 1, max = 10))]
///     copies: u32,
/// }
///
/// #[resolver]
/// fn ask_quantity(title: &str) -> Ask<Quantity> {
///     Ask::form(format!("How many copies of {title}?"))
/// }
///
/// /// Reserve copies of a book.
/// #[tool]
/// fn reserve(title: String, #[resolve(ask_quantity)] quantity: Answer<Quantity>) -> String {
///     match quantity {
///         Answer::Accepted(q) => format!("Reserved {} of '{title}'.", q.copies),
///         Answer::Declined | Answer::Cancelled => "Nothing reserved.".into(),
///     }
/// }
///
/// assert_eq!(reserve("Dune".into(), Answer::Declined), "Nothing reserved.");
/// ```
///
/// A resolver names the arguments that it reads, by name and type, and the compiler proves that each
/// tool, prompt or resource that uses it has them, through resolvers of resolvers too. An argument
/// that is read by a resolver is `Clone`. What the server provides ([`State`](crate::State) and its
/// like), and `#[resolve(…)]`, work as in a tool; `#[arg(rename = "…")]` reads an argument of another
/// name.
///
/// What it returns (or the `Ok` of what it returns) is what it gives: a function takes a `T` as it is,
/// and of an [`Ask<T>`](crate::Ask) either [`Answer<T>`](crate::Answer), and decides itself what a
/// refusal means, or `T`, and is then not called without an answer. It runs at most once per round of
/// a call, and those that do not depend on each other run at once.
///
/// # Keys
///
/// | key | meaning |
/// | --- | --- |
/// | `key = "…"` | the key of its question; without it, the function's name |
/// | `blocking`, `inline` | a plain `fn` always runs on the blocking pool, or never |
#[doc(inline)]
pub use mcp_derive::resolver;

/// Offers a function as a resource, or as a template of resources.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// How many copies of one book are on the shelf.
/// #[resource("stock://{title}", ttl = "30s", scope = "public", mime_type = "text/plain")]
/// async fn stock(title: String) -> Result<String> {
///     match title.as_str() {
///         "Dune" => Ok("7".into()),
///         _ => Err(Error::resource_not_found(&format!("stock://{title}"))),
///     }
/// }
/// # fn main() {}
/// ```
///
/// The URI may have variables (RFC 6570): `{x}` for one segment, `{+x}` for a path with slashes,
/// `{?x,y}` for a query. Each is a parameter of that name, of any type that is `FromStr`; an `Option`
/// may be missing. All other parameters come from the server or from resolvers.
///
/// It returns text, bytes (`Vec<u8>`), [`Json`](crate::Json),
/// [`ResourceContents`](crate::ResourceContents) or several of these, or a `Result` of one.
///
/// # Keys
///
/// After the URI: `name` (without it, the function's name), `title`, `description`, `mime_type`,
/// `size` (in bytes), `ttl` and `scope` (how long the contents stay fresh, and for whom), `timeout`,
/// `toolset`, `icons`, `meta`, `visible_if`, `scopes`, `blocking`, `inline`, as in [`tool`](macro@crate::tool); and
///
/// | key | meaning |
/// | --- | --- |
/// | `audience("user", "assistant")` | whom it is for |
/// | `priority = 0.5` | how important it is, from 0.0 (optional) to 1.0 (required) |
/// | `last_modified = "2026-07-28T12:00:00Z"` | when it last changed |
/// | `list = path` | a function that lists the resources of the template: they stand in `resources/list` |
/// | `unchecked` | takes the values of variables as they come |
///
/// # Listing the resources of a template
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// struct Shelf(Vec<&'static str>);
///
/// fn titles(shelf: State<Shelf>) -> Vec<String> {
///     shelf.0.iter().map(|title| title.to_string()).collect()
/// }
///
/// /// A book.
/// #[resource("book://{title}", list = titles)]
/// fn book(title: String) -> String {
///     title
/// }
/// # fn main() {}
/// ```
///
/// The function, plain or `async`, takes what the server provides and returns the values of the
/// variable (`Vec<String>`), of several (`Vec<[String; 2]>`), or a
/// [`ResourceLink`](crate::ResourceLink) for each resource, which says more of it; or a `Result` of
/// one. The list is then for its caller alone, unless the template says `scope = "public"`.
///
/// # Which resource a URI names
///
/// The one of exactly this URI; else the template with the most literal characters, and of two with as
/// many the one with fewer `{+x}`. Two templates between which that does not decide, and which match a
/// same URI, are an error at the start.
///
/// A value that could lead out of a folder names nothing: one with a segment `..`, with a NUL, with a
/// slash or backslash inside of an `{x}`, or an absolute path as `{+x}`; percent-encoded or not.
/// `unchecked` takes them all, for what is no path.
#[doc(inline)]
pub use mcp_derive::resource;

/// Offers a function as a prompt.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Recommend a book.
/// #[prompt(title = "Recommend a book")]
/// fn recommend(
///     /// What kind of book
///     genre: &str,
///     #[arg(default = 3)] count: u8,
/// ) -> String {
///     format!("Recommend {count} books: {genre}.")
/// }
///
/// assert_eq!(recommend("crime", 1), "Recommend 1 books: crime.");
/// ```
///
/// The client sends its arguments as strings; a parameter is of any type that is `FromStr`, and an
/// `Option` may be left out. `#[arg(default = …)]`, `#[arg(rename = "…")]`, `#[resolve(…)]` and what
/// the server provides work as in [`tool`](macro@crate::tool).
///
/// It returns text, content, a [`PromptMessage`](crate::PromptMessage) or several of these, a
/// [`GetPromptResult`](crate::GetPromptResult), or a `Result` of one.
///
/// # Keys
///
/// `name`, `title`, `description`, `ttl`, `scope`, `timeout`, `toolset`, `icons`, `meta`, `visible_if`, `scopes`,
/// `blocking`, `inline`, as in [`tool`](macro@crate::tool).
#[doc(inline)]
pub use mcp_derive::prompt;

/// Makes a struct a form that the user fills in, or an enum a choice in one.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[derive(Form)]
/// struct Order {
///     /// Number of copies
///     #[form(title = "Copies", range(min = 1, max = 10), default = 1)]
///     copies: u32,
///     /// Where to write to when they are there
///     #[form(format = "email", length(max = 100))]
///     address: Option<String>,
///     cover: Cover,
/// }
///
/// #[derive(Form)]
/// enum Cover {
///     #[form(title = "Hardcover")]
///     Hard,
///     #[form(rename = "soft", title = "Paperback")]
///     Soft,
/// }
/// # fn main() { let _ = Order { copies: 1, address: None, cover: Cover::Soft }; let _ = Cover::Hard; }
/// ```
///
/// A form is flat, as the protocol wants it (client/elicitation): its fields are text, integers,
/// numbers, truth values, choices, lists of choices, or `Option` of one, which the user may leave out.
/// A field's doc comment is its description.
///
/// # Keys
///
/// | key | on | meaning |
/// | --- | --- | --- |
/// | `title = "…"` | fields, variants | a name for people |
/// | `rename = "…"` | fields, variants | the name on the wire; without it, the Rust name as it is written |
/// | `default = …` | fields | what the form shows at first: a text, a number or a truth value |
/// | `range(min = 1, max = 10)` | numbers | the least and the greatest, both included |
/// | `length(min = 1, max = 80)` | text, lists | the least and the greatest length, in characters or items |
/// | `format = "…"` | text | `email`, `uri`, `date` or `date-time` |
/// | `enum_names` | enum | titles of choices as `enumNames`, as clients before 2025-11-25 read them |
#[doc(inline)]
pub use mcp_derive::Form;

/// The tools that are named, for a server that offers exactly these: `tools![reserve, shelf::restock]`.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// mod shelf {
///     use mcp_runtime::prelude::*;
///
///     /// Put a book back.
///     #[tool]
///     pub fn restock(title: String) -> String {
///         format!("{title} is back.")
///     }
/// }
///
/// let tools = tools![shelf::restock];
/// assert_eq!(tools.len(), 1);
/// ```
#[doc(inline)]
pub use mcp_derive::tools;

/// The prompts that are named, for a server that offers exactly these.
#[doc(inline)]
pub use mcp_derive::prompts;

/// The resources that are named, for a server that offers exactly these.
#[doc(inline)]
pub use mcp_derive::resources;

/// Makes a function complete an argument of a prompt or of a resource template, while the user types.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Ask for a recommendation.
/// #[prompt]
/// fn recommend(genre: String) -> String {
///     format!("Recommend one {genre} book.")
/// }
///
/// /// The genres that begin with what was typed.
/// #[completion(prompt = recommend, argument = "genre")]
/// fn genres(value: String) -> Vec<&'static str> {
///     let mut genres = vec!["crime", "fantasy", "romance"];
///     genres.retain(|genre| genre.starts_with(&value));
///     genres
/// }
/// # fn main() {}
/// ```
///
/// Its parameter `value` is what was typed so far. Others, as `Option<T>`, are the arguments of the
/// same prompt or template that were already given, or come from the server. It returns a list of
/// texts, of which at most 100 are sent, or a [`Completion`](crate::Completion), or a `Result` of one.
///
/// | key | meaning |
/// | --- | --- |
/// | `prompt = path` or `resource = path` | the function whose argument it completes |
/// | `argument = "…"` | the argument |
/// | `blocking`, `inline` | a plain `fn` always runs on the blocking pool, or never |
#[doc(inline)]
pub use mcp_derive::completion;
