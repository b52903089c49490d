//! A help desk that files tickets by asking: two questions at once, one that depends on an answer,
//! and a number that is taken once, however often the function runs.
//!
//! ```console
//! $ cargo run --example wizard -- call file_ticket                  # answer at the prompt
//! $ cargo run --example wizard -- serve --addr 127.0.0.1:8000       # Streamable HTTP, at /mcp
//! $ cargo run --example wizard                                      # stdio, as a host starts it
//! ```

use std::sync::{Mutex, MutexGuard, PoisonError};

use mcp_runtime::prelude::*;

/// The tickets on file, and the last number that was given out.
#[derive(Default)]
struct Desk(Mutex<(u32, Vec<String>)>);

impl Desk {
    fn lock(&self) -> MutexGuard<'_, (u32, Vec<String>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_number(&self) -> u32 {
        let mut desk = self.lock();
        desk.0 += 1;
        desk.0
    }

    fn file(&self, ticket: String) {
        self.lock().1.push(ticket);
    }
}

/// What is wrong.
#[derive(Form)]
struct Trouble {
    /// What is wrong, in a few words
    #[form(length(min = 3, max = 100))]
    what: String,
}

/// Where somebody has to go, and when.
#[derive(Form)]
struct Visit {
    /// The room
    room: String,
    /// How urgent it is
    urgency: Urgency,
}

/// How urgent it is.
#[derive(Form)]
enum Urgency {
    /// Somebody cannot work
    Now,
    /// It can wait
    #[form(title = "Some day")]
    SomeDay,
}

/// How to reach somebody.
#[derive(Form)]
struct Phone {
    /// A number to call
    #[form(length(min = 3, max = 20))]
    phone: String,
}

/// The last question.
#[derive(Form)]
struct Sure {
    /// Whether to file it
    file_it: bool,
}

/// File a ticket at the help desk. Asks the user for everything that it needs.
#[tool(destructive = false)]
async fn file_ticket(desk: State<Desk>, ctx: Context) -> Result<String> {
    // Side by side: the user sees both questions together.
    let (trouble, visit) = tokio::join!(
        ctx.ask("trouble", Ask::<Trouble>::form("What is the trouble?")),
        ctx.ask("visit", Ask::<Visit>::form("Where is it, and how urgent?")),
    );
    let (Answer::Accepted(trouble), Answer::Accepted(visit)) = (trouble?, visit?) else {
        return Ok("Nothing was filed.".into());
    };
    let mut ticket = format!("{} in room {}", trouble.what, visit.room);
    if matches!(visit.urgency, Urgency::Now) {
        let phone = ctx.ask("phone", Ask::<Phone>::form("Which number can we call?")).await?;
        let phone = phone.accepted().map_or_else(|| "nobody".into(), |answer| answer.phone);
        ticket.push_str(&format!(", urgent: call {phone}"));
    }
    // A client that answers by a new request runs this function again from its start: `once` keeps
    // the number from one run to the next, where each would take another.
    let number = ctx.once("number", async { desk.next_number() }).await?;
    ticket = format!("No. {number}: {ticket}");
    match ctx.ask("sure", Ask::<Sure>::form(format!("{ticket}. Is that right?"))).await? {
        Answer::Accepted(Sure { file_it: true }) => {
            // What comes after the last question happens once by itself.
            desk.file(ticket.clone());
            Ok(format!("Filed: {ticket}."))
        }
        _ => Ok("Nothing was filed.".into()),
    }
}

/// The tickets on file.
#[tool(read_only = true)]
fn tickets(desk: State<Desk>) -> Vec<String> {
    desk.lock().1.clone()
}

fn desk() -> Server {
    Server::new("Help desk", env!("CARGO_PKG_VERSION")).state(Desk::default())
}

#[tokio::main]
async fn main() -> Result<()> {
    desk().run().await // the command line chooses: stdio (default), `serve --addr …`, or `call`
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mcp_runtime::client::{Client, Connected, Era};
    use serde_json::{Value, json};

    use super::*;

    /// A client whose user gives these answers, and the questions that the user saw.
    async fn client(server: Server, era: Era, sure: Value) -> Result<(Connected, Arc<Mutex<Vec<String>>>)> {
        let seen = Arc::<Mutex<Vec<String>>>::default();
        let asked = seen.clone();
        let client = Client::new(&server.build()?, era).on_elicit(move |question| {
            let answer = match question.message.as_str() {
                "What is the trouble?" => json!({ "what": "the lamp is dark" }),
                "Where is it, and how urgent?" => json!({ "room": "7", "urgency": "Now" }),
                "Which number can we call?" => json!({ "phone": "555" }),
                _ => sure.clone(),
            };
            asked.lock().unwrap_or_else(PoisonError::into_inner).push(question.message);
            async { if answer.is_null() { Answer::Declined } else { Answer::Accepted(answer) } }
        });
        Ok((client.connect().await?, seen))
    }

    #[tokio::test]
    async fn a_ticket_is_filed_once_in_both_eras() -> Result<()> {
        for era in [Era::Modern, Era::Legacy] {
            let (client, seen) = client(desk(), era, json!({ "file_it": true })).await?;
            for number in 1..=2 {
                let filed = client.call("file_ticket", json!({})).await?;
                let text = format!("Filed: No. {number}: the lamp is dark in room 7, urgent: call 555.");
                assert_eq!(filed.text(), Some(&*text), "{era:?}");
            }
            let tickets = client.call("tickets", json!({})).await?.structured_content;
            assert_eq!(tickets.and_then(|all| all["result"].as_array().map(Vec::len)), Some(2), "{era:?}");
            let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            assert_eq!(seen.len(), 8, "each of four questions once a ticket, {era:?}: {seen:?}");
        }
        Ok(())
    }

    #[tokio::test]
    async fn nothing_is_filed_when_the_user_is_not_sure() -> Result<()> {
        for era in [Era::Modern, Era::Legacy] {
            for sure in [json!({ "file_it": false }), Value::Null] {
                let (client, _) = client(desk(), era, sure).await?;
                let filed = client.call("file_ticket", json!({})).await?;
                assert_eq!(filed.text(), Some("Nothing was filed."), "{era:?}");
                let tickets = client.call("tickets", json!({})).await?.structured_content;
                assert_eq!(tickets, Some(json!({ "result": [] })), "{era:?}");
            }
        }
        Ok(())
    }
}
