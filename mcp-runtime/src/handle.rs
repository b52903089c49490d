//! A server that is ready: serve it, connect to it, tell its clients of changes.

use std::sync::Arc;

use crate::{
    catalog::{Catalog, StartError},
    dispatch::Core,
    notify::Change,
    server::Server,
};

/// A server that was checked and is ready. It is cheap to clone.
#[derive(Clone, Debug)]
pub struct ServerHandle {
    pub(crate) core: Arc<Core>,
}

impl Server {
    /// Checks everything and makes the server ready.
    ///
    /// # Errors
    ///
    /// All that is wrong with the server, in one report with file and line: two tools of one name, a
    /// state that nobody gave, a schema that clients would refuse, resolvers that go in a circle.
    pub fn build(self) -> Result<ServerHandle, StartError> {
        Ok(ServerHandle { core: self.ready()? })
    }
}

impl ServerHandle {
    /// What the server offers, to change it: clients that asked to hear of it are told.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.core.catalog
    }

    /// Serves the host that started this process, on stdin and stdout, until it ends its side. What
    /// the program prints meanwhile goes to stderr.
    ///
    /// # Errors
    ///
    /// When stdin or stdout fails.
    pub async fn serve_stdio(&self) -> std::io::Result<()> {
        crate::transport::stdio::serve(self.core.clone()).await
    }

    /// Tells every client that asked to hear of it that this resource has changed.
    pub async fn resource_updated(&self, uri: impl Into<String>) {
        self.core.announcer.announce(Change::ResourceUpdated(uri.into())).await;
    }

    /// Tells every client that asked to hear of it that the list of tools has changed.
    pub async fn tools_changed(&self) {
        self.core.announcer.announce(Change::Tools).await;
    }

    /// Tells every client that asked to hear of it that the list of prompts has changed.
    pub async fn prompts_changed(&self) {
        self.core.announcer.announce(Change::Prompts).await;
    }

    /// Tells every client that asked to hear of it that the list of resources has changed.
    pub async fn resources_changed(&self) {
        self.core.announcer.announce(Change::Resources).await;
    }
}
