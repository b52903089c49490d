//! A file browser: the files of a folder as resources, which a client lists, finds by completion and
//! reads, and a tool that keeps to the folders that the client works in.
//!
//! ```console
//! $ FILES=~/notes cargo run --example files -- serve --addr 127.0.0.1:8000     # Streamable HTTP, at /mcp
//! $ FILES=~/notes cargo run --example files                                    # stdio, as a host starts it
//! $ FILES=~/notes cargo run --example files -- call find --name todo           # by hand
//! ```

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use mcp_runtime::{ResourceContents, prelude::*};

/// As many files as anybody wants to page through.
const MOST: usize = 10_000;

/// The folder that is shown.
struct Folder(PathBuf);

impl Folder {
    fn open(path: &Path) -> io::Result<Self> {
        path.canonicalize().map(Self)
    }

    /// A file by its path in the folder; no symbolic link leads out of it.
    fn file(&self, path: &str) -> Option<PathBuf> {
        let file = self.0.join(path).canonicalize().ok()?;
        (file.starts_with(&self.0) && file.is_file()).then_some(file)
    }

    /// The paths of all files, but for hidden ones.
    fn paths(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                if found.len() == MOST || entry.file_name().to_string_lossy().starts_with('.') {
                    continue;
                }
                match (kind, path.strip_prefix(&self.0).ok().and_then(Path::to_str)) {
                    (Ok(kind), _) if kind.is_dir() => folders.push(path),
                    (Ok(kind), Some(inside)) if kind.is_file() => found.push(inside.replace('\\', "/")),
                    _ => {}
                }
            }
        }
        found.sort();
        found
    }
}

fn paths(folder: State<Folder>) -> Vec<String> {
    folder.paths()
}

/// A file of the folder.
#[resource("file:///{+path}", list = paths, audience("user", "assistant"))]
fn file(path: String, folder: State<Folder>) -> Result<ResourceContents> {
    let uri = format!("file:///{path}");
    let file = folder.file(&path).ok_or_else(|| Error::resource_not_found(&uri))?;
    Ok(match String::from_utf8(fs::read(file)?) {
        Ok(text) => ResourceContents::text(uri, text).mime_type("text/plain"),
        Err(bytes) => ResourceContents::blob(uri, bytes.into_bytes()).mime_type("application/octet-stream"),
    })
}

/// The paths that begin with what was typed.
#[completion(resource = file, argument = "path")]
fn complete_path(value: String, folder: State<Folder>) -> Vec<String> {
    let mut paths = folder.paths();
    paths.retain(|path| path.starts_with(&value));
    paths
}

/// Find files by a part of their name, in the folders that you work in if you have any.
#[tool(read_only = true)]
async fn find(name: String, folder: State<Folder>, ctx: Context) -> Result<Vec<String>> {
    let mut roots = None;
    if ctx.capabilities().roots.is_some()
        && let Answer::Accepted(asked) = ctx.ask("roots", Ask::roots()).await?
    {
        let folders = asked.roots.iter().filter_map(|root| root.uri.strip_prefix("file://"));
        roots = Some(folders.map(PathBuf::from).collect::<Vec<_>>());
    }
    let worked_in = |path: &str| {
        let path = folder.0.join(path);
        roots.as_ref().is_none_or(|roots| roots.iter().any(|root| path.starts_with(root)))
    };
    let mut paths = folder.paths();
    paths.retain(|path| path.rsplit('/').next().is_some_and(|last| last.contains(&name)) && worked_in(path));
    Ok(paths)
}

#[tokio::main]
async fn main() -> Result<()> {
    let folder = std::env::var_os("FILES").map_or_else(|| PathBuf::from("."), PathBuf::from);
    Server::new("Files", env!("CARGO_PKG_VERSION"))
        .instructions("The files are resources: `file:///` and the path in the folder.")
        .state(Folder::open(&folder)?)
        .run()
        .await
}
