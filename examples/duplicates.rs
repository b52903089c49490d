//! A long job: looks for files that are there twice. It tells how far it is, stops when nobody waits
//! for it any more, and runs as a task where the client takes tasks.
//!
//! ```console
//! $ cargo run --example duplicates                                       # stdio, as a host starts it
//! $ cargo run --example duplicates -- call duplicates --folder examples  # by hand
//! ```

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
};

use mcp_runtime::prelude::*;
use tokio::task::spawn_blocking;

/// Find the files below a folder that have the same contents.
#[tool(read_only, task, timeout = "1h")]
async fn duplicates(
    /// The folder, as this machine writes it
    folder: String,
    ctx: Context,
) -> Result<Vec<Vec<String>>> {
    let root = PathBuf::from(folder);
    let files = spawn_blocking(move || files_below(&root)).await??;
    let total = files.len();
    let mut same: BTreeMap<(usize, u64), Vec<String>> = BTreeMap::new();
    for (done, file) in files.into_iter().enumerate() {
        // The work is cut into pieces; between two of them a cancelled call ends.
        let name = file.display().to_string();
        if let Ok(contents) = spawn_blocking(move || contents(&file)).await? {
            same.entry(contents).or_default().push(name);
        }
        ctx.progress(done + 1, total, "Files read").await;
    }
    Ok(same.into_values().filter(|files| files.len() > 1).collect())
}

/// The size of a file and a digest of what is in it.
fn contents(file: &Path) -> io::Result<(usize, u64)> {
    let bytes = fs::read(file)?;
    let mut digest = DefaultHasher::new();
    bytes.hash(&mut digest);
    Ok((bytes.len(), digest.finish()))
}

/// All files below a folder, in order; links are not followed.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            files.extend(files_below(&entry.path())?);
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

fn server() -> Server {
    Server::new("Duplicates", env!("CARGO_PKG_VERSION"))
}

#[tokio::main]
async fn main() -> Result<()> {
    server().run().await
}

#[cfg(test)]
mod tests {
    use mcp_runtime::client::{Client, Era};
    use serde_json::json;

    use super::*;

    /// A folder of its own, which goes with the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("duplicates-{name}-{}", std::process::id()));
            fs::create_dir_all(folder.join("deep")).expect("a folder");
            for (file, text) in [("a", "one"), ("b", "two"), ("deep/c", "one")] {
                fs::write(folder.join(file), text).expect("a file");
            }
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            _ = fs::remove_dir_all(&self.0);
        }
    }

    #[tokio::test]
    async fn every_client_gets_the_same_answer() -> Result<()> {
        let folder = Folder::new("same");
        let server = server().build()?;
        let expected = [["a", "deep/c"].map(|file| folder.0.join(file).display().to_string())];
        for client in [
            Client::new(&server, Era::Legacy),
            Client::new(&server, Era::Modern),
            Client::new(&server, Era::Modern).tasks(),
        ] {
            let found = client.connect().await?.call("duplicates", json!({ "folder": folder.0 })).await?;
            assert_eq!(found.structured_content, Some(json!({ "result": expected })));
        }
        Ok(())
    }

    #[tokio::test]
    async fn a_folder_that_is_not_there_is_an_error_for_the_model() -> Result<()> {
        let client = Client::new(&server().build()?, Era::Modern).tasks().connect().await?;
        let failed = client.call("duplicates", json!({ "folder": "/no/such/folder" })).await?;
        assert!(failed.is_error);
        Ok(())
    }
}
