//! One request's questions: what was answered, what is open, and what was done once.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    task::Waker,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::sync::OnceCell;

use super::{
    Answer, Ask,
    question::{Dialect, pin},
    sealed::Payload,
};
use crate::{
    BoxFuture,
    handler::error::{Error, Stop},
    protocol::{ClientCapabilities, ErrorCode, ErrorObject, raw},
};

/// How often an older client is asked again when what it sends is no answer to the question.
const ATTEMPTS: usize = 3;

/// How a question reaches the client.
pub(crate) enum Carrier {
    /// With the result: the client answers by its next try.
    Retry(Retry),
    /// In the middle of the call.
    Live(Arc<dyn Backchannel>),
    /// Not at all, and why.
    Nowhere(&'static str),
}

/// What a try brought with it.
#[derive(Default)]
pub(crate) struct Retry {
    /// `inputResponses`, by key.
    pub(crate) responses: BTreeMap<String, Box<RawValue>>,
    /// What the sealed state held.
    pub(crate) state: Payload,
}

/// A way to ask in the middle of a call.
pub(crate) trait Backchannel: Send + Sync {
    /// Sends a request of the server's own, known to the function by this key, and waits for its
    /// result.
    fn request<'a>(
        &'a self,
        key: &'a str,
        method: &'static str,
        params: Box<RawValue>,
    ) -> BoxFuture<'a, Result<Box<RawValue>, Unanswered>>;

    /// How the client's revision wants to be asked.
    fn dialect(&self) -> Dialect;
}

/// Why a question in the middle of a call got no result.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// The client answered with an error.
    Refused(String),
    /// The client is gone.
    Gone,
    /// The client took too long.
    Late,
}

/// The questions of one request.
pub(crate) struct Round {
    carrier: Carrier,
    /// The task that the call has become: then it asks in its midst.
    task: OnceLock<Arc<dyn Backchannel>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What is asked with this result.
    open: BTreeMap<String, Open>,
    /// What was answered, by key: goes into the sealed state.
    answered: BTreeMap<String, Pinned>,
    once: BTreeMap<String, Box<RawValue>>,
    /// Whether the body waits for an answer that only its next try can have. A resolver does not: it
    /// ends, and those beside it may still come to their own questions.
    stopped: bool,
    /// What was asked in the middle of the call, by key.
    live: BTreeMap<String, Arc<Live>>,
    /// Effects that must not be cut off.
    busy: usize,
    /// Questions in the middle of the call that wait for their answer.
    waiting: usize,
    /// Why nothing can be asked.
    refusal: Option<ErrorObject>,
    driver: Option<Waker>,
}

/// A question that goes out.
pub(crate) struct Open {
    pub(crate) method: &'static str,
    pub(crate) params: Box<RawValue>,
    pin: String,
}

/// A question in the middle of a call, and its answer once there is one.
struct Live {
    pin: String,
    answer: OnceCell<Result<Box<RawValue>, Error>>,
}

impl Live {
    fn new(pin: String) -> Self {
        Self { pin, answer: OnceCell::new() }
    }
}

/// An answer, pinned to its question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pinned {
    pub(crate) pin: String,
    pub(crate) answer: Box<RawValue>,
}

/// What a request waits for.
pub(crate) struct Interim {
    pub(crate) open: BTreeMap<String, Open>,
    pub(crate) payload: Payload,
}

impl Round {
    pub(crate) fn new(carrier: Carrier) -> Self {
        Self { carrier, task: OnceLock::new(), state: Mutex::default() }
    }

    /// From now on questions are those of a task.
    pub(crate) fn becomes(&self, task: Arc<dyn Backchannel>) {
        _ = self.task.set(task);
    }

    /// Finds the client's result for a question, which answers it; or asks, and ends with
    /// [`Stop::Open`].
    pub(crate) async fn find<T>(
        &self,
        client: &ClientCapabilities,
        key: &str,
        ask: &Ask<T>,
    ) -> Result<Box<RawValue>, Stop> {
        let question = &ask.question;
        if !question.needs().of(client) {
            let why = format_args!("to ask: {}", question.message());
            return Err(self.refuse(question.needs().missing(why)));
        }
        if let Some(task) = self.task.get() {
            return self.live(&**task, key, ask).await.map_err(Stop::Fail);
        }
        match &self.carrier {
            Carrier::Nowhere(why) => Err(self.refuse(ErrorObject::new(ErrorCode::InvalidRequest, *why))),
            Carrier::Live(client) => self.live(&**client, key, ask).await.map_err(Stop::Fail),
            Carrier::Retry(retry) => self.look_up(retry, key, ask),
        }
    }

    /// Asks an older client, each question once.
    async fn live<T>(
        &self,
        client: &dyn Backchannel,
        key: &str,
        ask: &Ask<T>,
    ) -> Result<Box<RawValue>, Error> {
        let pin = pin(ask.question.method(), &ask.question.params(&Dialect::default())?);
        let asked = self
            .lock()
            .live
            .entry(key.to_owned())
            .or_insert_with(|| Arc::new(Live::new(pin.clone())))
            .clone();
        if asked.pin != pin {
            return Err(twice(key));
        }
        let answered = asked.answer.get_or_init(|| async {
            let _waiting = Count::new(self, |state| &mut state.waiting);
            live(client, key, ask).await
        });
        answered.await.clone()
    }

    fn look_up<T>(&self, retry: &Retry, key: &str, ask: &Ask<T>) -> Result<Box<RawValue>, Stop> {
        let method = ask.question.method();
        let params = ask.question.params(&Dialect::default()).map_err(|error| Stop::Fail(error.into()))?;
        let pin = pin(method, &params);
        let mut state = self.lock();
        let known = state.answered.get(key).or_else(|| retry.state.answers.get(key));
        if let Some(known) = known {
            if known.pin == pin {
                if (ask.read)(&known.answer).is_ok() {
                    let known = known.clone();
                    state.answered.insert(key.to_owned(), known.clone());
                    return Ok(known.answer);
                }
            } else if state.answered.contains_key(key) {
                return Err(Stop::Fail(twice(key)));
            }
        }
        // A client may answer without a state; with one, the answer is to what that state asked.
        let asked = retry.state.asked.get(key).is_none_or(|asked| *asked == pin);
        if let Some(response) = retry.responses.get(key).filter(|_| asked) {
            match (ask.read)(response) {
                Ok(_) => {
                    state.answered.insert(key.to_owned(), Pinned { pin, answer: response.clone() });
                    return Ok(response.clone());
                }
                Err(why) => {
                    tracing::debug!(key, why, "an answer does not fit its question, which is asked again");
                }
            }
        }
        if state.open.get(key).is_some_and(|open| open.pin != pin) {
            return Err(Stop::Fail(twice(key)));
        }
        state.open.insert(key.to_owned(), Open { method, params, pin });
        Err(Stop::Open)
    }

    fn refuse(&self, error: ErrorObject) -> Stop {
        let mut state = self.lock();
        state.refusal.get_or_insert_with(|| error.clone());
        wake(&mut state);
        Stop::Fail(Error::protocol(error))
    }

    /// Asks from a function's body. An open question never returns: the body is dropped, and runs
    /// again when the client has answered. So does one that cannot be asked: the body must not go on
    /// as if it had been answered.
    pub(crate) async fn ask<T>(
        &self,
        client: &ClientCapabilities,
        key: &str,
        ask: &Ask<T>,
    ) -> Result<Answer<T>, Error> {
        match self.find(client, key, ask).await {
            Ok(result) => (ask.read)(&result).map_err(Error::new),
            Err(Stop::Fail(error)) if !self.must_stop() => Err(error),
            Err(_) => {
                self.stop();
                std::future::pending().await
            }
        }
    }

    /// Whether the request says more than its parameters do: it brings answers, or a state.
    pub(crate) fn is_retry(&self) -> bool {
        match &self.carrier {
            Carrier::Retry(retry) => !retry.responses.is_empty() || retry.state.expires > 0,
            Carrier::Live(_) | Carrier::Nowhere(_) => false,
        }
    }

    fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        wake(&mut state);
    }

    /// Does something once in all the tries of a call.
    pub(crate) async fn once<T>(&self, key: &str, effect: impl Future<Output = T> + Send) -> Result<T, Error>
    where
        T: Serialize + DeserializeOwned,
    {
        let known = match &self.carrier {
            Carrier::Retry(retry) => retry.state.once.get(key).cloned(),
            _ => None,
        };
        if let Some(known) = known {
            let value = serde_json::from_str(known.get())?;
            self.lock().once.insert(key.to_owned(), known);
            return Ok(value);
        }
        let busy = Count::new(self, |state| &mut state.busy);
        let value = effect.await;
        self.lock().once.insert(key.to_owned(), raw(&value)?);
        drop(busy);
        Ok(value)
    }

    /// Whether the request has to end now although its function has not: questions are open, or one
    /// cannot be asked.
    pub(crate) fn must_stop(&self) -> bool {
        let state = self.lock();
        state.refusal.is_some() || (state.stopped && state.busy == 0)
    }

    /// Whether something was asked that cannot be asked: nothing that the function says counts then.
    pub(crate) fn is_refused(&self) -> bool {
        self.lock().refusal.is_some()
    }

    /// Whether the client is asked something and has not answered yet.
    pub(crate) fn is_waiting(&self) -> bool {
        self.lock().waiting > 0
    }

    /// Has `waker` woken when a question comes up in another task.
    pub(crate) fn watch(&self, waker: &Waker) {
        let mut state = self.lock();
        if !state.driver.as_ref().is_some_and(|known| known.will_wake(waker)) {
            state.driver = Some(waker.clone());
        }
    }

    /// What goes back to the client in place of a result.
    pub(crate) fn interim(&self) -> Result<Interim, ErrorObject> {
        let mut state = self.lock();
        if let Some(refusal) = state.refusal.take() {
            return Err(refusal);
        }
        let mut payload = Payload {
            asked: state.open.iter().map(|(key, open)| (key.clone(), open.pin.clone())).collect(),
            answers: std::mem::take(&mut state.answered),
            once: std::mem::take(&mut state.once),
            ..Payload::default()
        };
        if let Carrier::Retry(retry) = &self.carrier {
            // What this try did not come to must not be lost for the next.
            for (key, answer) in &retry.state.answers {
                if !payload.asked.contains_key(key) {
                    payload.answers.entry(key.clone()).or_insert_with(|| answer.clone());
                }
            }
            for (key, result) in &retry.state.once {
                payload.once.entry(key.clone()).or_insert_with(|| result.clone());
            }
        }
        Ok(Interim { open: std::mem::take(&mut state.open), payload })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Round").finish_non_exhaustive()
    }
}

fn wake(state: &mut State) {
    if let Some(driver) = state.driver.take() {
        driver.wake();
    }
}

/// Something under way.
struct Count<'a> {
    round: &'a Round,
    counter: fn(&mut State) -> &mut usize,
}

impl<'a> Count<'a> {
    fn new(round: &'a Round, counter: fn(&mut State) -> &mut usize) -> Self {
        *counter(&mut round.lock()) += 1;
        Self { round, counter }
    }
}

impl Drop for Count<'_> {
    fn drop(&mut self) {
        let mut state = self.round.lock();
        *(self.counter)(&mut state) -= 1;
        wake(&mut state);
    }
}

fn twice(key: &str) -> Error {
    Error::new(format!(
        "two different questions are asked under the key `{key}`: give one of them another key"
    ))
}

/// Asks an older client and waits.
async fn live<T>(client: &dyn Backchannel, key: &str, ask: &Ask<T>) -> Result<Box<RawValue>, Error> {
    let mut why = String::new();
    for _ in 0..ATTEMPTS {
        let params = ask.question.params(&client.dialect())?;
        match client.request(key, ask.question.method(), params).await {
            Ok(result) => match (ask.read)(&result) {
                Ok(_) => return Ok(result),
                Err(problem) => why = problem,
            },
            Err(Unanswered::Refused(message)) => {
                return Err(Error::new(format!("the client refused to answer: {message}")));
            }
            Err(Unanswered::Gone) => return Err(Error::new("the client is gone, nobody can be asked")),
            Err(Unanswered::Late) => return Err(Error::new("the client took too long to answer")),
        }
    }
    Err(Error::new(format!("the client's answer does not fit the question: {why}")))
}
