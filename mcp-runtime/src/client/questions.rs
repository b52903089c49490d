//! A client before it connects: what it can be asked, and how it answers.

use std::{fmt, sync::Arc};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ClientError, Connected, Era};
use crate::{
    BoxFuture,
    ask::Answer,
    handle::ServerHandle,
    protocol::{ClientCapabilities, TASKS},
};

/// What a server asks the user.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Elicitation {
    /// What it wants to know, and why.
    pub message: String,
    /// The form to fill in; none where the user is sent to a URL.
    pub requested_schema: Option<Value>,
    /// The URL to go to.
    pub url: Option<String>,
}

type Elicit = Arc<dyn Fn(Elicitation) -> BoxFuture<'static, Answer<Value>> + Send + Sync>;
type Respond = Arc<dyn Fn(Value) -> BoxFuture<'static, Value> + Send + Sync>;

/// A client of a server in the same process, before it connects.
#[derive(Clone)]
#[must_use]
pub struct Client {
    pub(super) server: ServerHandle,
    pub(super) era: Era,
    pub(super) questions: Questions,
}

/// How a client answers the server's questions.
#[derive(Clone, Default)]
pub(super) struct Questions {
    elicit: Option<Elicit>,
    sample: Option<Respond>,
    roots: Option<Value>,
    tasks: bool,
}

impl Client {
    /// A client of this server, which speaks like one of this era.
    pub fn new(server: &ServerHandle, era: Era) -> Self {
        Self { server: server.clone(), era, questions: Questions::default() }
    }

    /// Answers what the server asks the user, in both eras. An accepted form is an object with its
    /// fields.
    pub fn on_elicit<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(Elicitation) -> A + Send + Sync + 'static,
        A: Future<Output = Answer<Value>> + Send + 'static,
    {
        self.questions.elicit = Some(Arc::new(move |question| Box::pin(answer(question))));
        self
    }

    /// Answers what the server asks the model: from the parameters of `sampling/createMessage` to its
    /// result.
    pub fn on_sample<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(Value) -> A + Send + Sync + 'static,
        A: Future<Output = Value> + Send + 'static,
    {
        self.questions.sample = Some(Arc::new(move |params| Box::pin(answer(params))));
        self
    }

    /// Works in these folders, by their `file:` URIs.
    pub fn roots(mut self, uris: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let roots: Vec<_> = uris.into_iter().map(|uri| json!({ "uri": uri.into() })).collect();
        self.questions.roots = Some(json!({ "roots": roots }));
        self
    }

    /// Takes tasks in place of results (`io.modelcontextprotocol/tasks`): a call waits for its task, and
    /// answers what it asks.
    pub fn tasks(mut self) -> Self {
        self.questions.tasks = true;
        self
    }

    /// Connects; a client of the legacy era shakes hands.
    ///
    /// # Errors
    ///
    /// When the server refuses the handshake.
    pub async fn connect(self) -> Result<Connected, ClientError> {
        Connected::open(self).await
    }
}

impl Questions {
    /// What the client declares that it can be asked.
    pub(super) fn capabilities(&self) -> ClientCapabilities {
        let mut capabilities = ClientCapabilities::default();
        let empty = || Value::Object(Map::new());
        if self.elicit.is_some() {
            let modes = [("form".to_owned(), empty()), ("url".to_owned(), empty())];
            capabilities.elicitation = Some(modes.into_iter().collect());
        }
        capabilities.sampling = self.sample.as_ref().map(|_| Map::new());
        capabilities.roots = self.roots.as_ref().map(|_| Map::new());
        capabilities.extensions = self.tasks.then(|| [(TASKS.to_owned(), empty())].into_iter().collect());
        capabilities
    }

    /// The result of one of the server's requests.
    pub(super) async fn answer(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        match (method, &self.elicit, &self.sample, &self.roots) {
            ("elicitation/create", Some(elicit), ..) => {
                let question = serde_json::from_value(params)?;
                Ok(match elicit(question).await {
                    Answer::Accepted(content) if content.is_null() => json!({ "action": "accept" }),
                    Answer::Accepted(content) => json!({ "action": "accept", "content": content }),
                    Answer::Declined => json!({ "action": "decline" }),
                    Answer::Cancelled => json!({ "action": "cancel" }),
                })
            }
            ("sampling/createMessage", _, Some(sample), _) => Ok(sample(params).await),
            ("roots/list", .., Some(roots)) => Ok(roots.clone()),
            _ => Err(ClientError::Protocol(format!(
                "the server asked for `{method}`, which this client does not have"
            ))),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("era", &self.era).finish_non_exhaustive()
    }
}
