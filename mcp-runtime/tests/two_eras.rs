//! Two clients, one server, two equal lines.

use mcp_runtime::{
    client::{Client, Era},
    prelude::*,
};
use serde_json::json;

/// How many copies to put aside.
#[derive(Form)]
struct Quantity {
    /// Number of copies
    #[form(range(min = 1, max = 10))]
    copies: u32,
}

/// Asks the user how many copies to put aside.
#[resolver]
fn ask_quantity() -> Ask<Quantity> {
    Ask::form("How many copies?")
}

/// Reserve copies of a book, asking the user how many.
#[tool]
async fn reserve(
    /// Title of the book
    title: String,
    #[resolve(ask_quantity)] quantity: Answer<Quantity>,
) -> String {
    match quantity {
        Answer::Accepted(q) => format!("Reserved {} of '{title}'.", q.copies),
        Answer::Declined | Answer::Cancelled => "Nothing reserved.".into(),
    }
}

#[tokio::test]
async fn clients_of_both_eras_read_the_same_line() -> Result<()> {
    let server = Server::new("Bookshop", "1.0.0").build()?;
    for era in [Era::Modern, Era::Legacy] {
        let client = Client::new(&server, era)
            .on_elicit(|question| async move {
                assert_eq!(question.message, "How many copies?");
                Answer::Accepted(json!({ "copies": 2 }))
            })
            .connect()
            .await?;
        let result = client.call("reserve", json!({ "title": "Dune" })).await?;
        assert_eq!(result.text(), Some("Reserved 2 of 'Dune'."), "{era:?}");
        assert_eq!(result.structured_content, Some(json!({ "result": "Reserved 2 of 'Dune'." })), "{era:?}");
    }
    Ok(())
}

#[tokio::test]
async fn the_function_stays_a_function() {
    let said = reserve("Dune".into(), Answer::Accepted(Quantity { copies: 3 })).await;
    assert_eq!(said, "Reserved 3 of 'Dune'.");
}

/// Ask for a recommendation.
#[prompt]
fn recommend(genre: String, mood: Option<String>) -> String {
    format!("Recommend one {genre} book, {}.", mood.unwrap_or_default())
}

/// Genres, by what was typed and by the mood.
#[completion(prompt = recommend, argument = "genre")]
fn genres(value: String, mood: Option<String>) -> Vec<String> {
    match mood.as_deref() {
        Some("many") => (0..150).map(|number| format!("{value}{number}")).collect(),
        _ => ["crime", "fantasy"]
            .into_iter()
            .filter(|genre| genre.starts_with(&value))
            .map(String::from)
            .collect(),
    }
}

#[tokio::test]
async fn an_argument_of_a_prompt_is_completed_in_both_eras() -> Result<()> {
    let server = Server::new("Bookshop", "1.0.0").build()?;
    for era in [Era::Modern, Era::Legacy] {
        let client = Client::new(&server, era).connect().await?;
        let complete = |name: &str, argument: &str, mood: &str| {
            json!({
                "ref": { "type": "ref/prompt", "name": name },
                "argument": { "name": argument, "value": "f" },
                "context": { "arguments": { "mood": mood } },
            })
        };
        assert!(client.server().await?["capabilities"]["completions"].is_object(), "{era:?}");
        let few = client.request("completion/complete", complete("recommend", "genre", "any")).await?;
        assert_eq!(
            few["completion"],
            json!({ "values": ["fantasy"], "total": 1, "hasMore": false }),
            "{era:?}"
        );
        let many = client.request("completion/complete", complete("recommend", "genre", "many")).await?;
        assert_eq!(many["completion"]["values"].as_array().map(Vec::len), Some(100), "{era:?}");
        assert_eq!(
            (&many["completion"]["total"], &many["completion"]["hasMore"]),
            (&json!(150), &json!(true))
        );
        let none = client.request("completion/complete", complete("recommend", "mood", "any")).await?;
        assert_eq!(none["completion"]["values"], json!([]), "{era:?}");
        for (name, argument) in [("recommend", "gender"), ("recommand", "genre")] {
            let error = client.request("completion/complete", complete(name, argument, "any")).await;
            assert_eq!(error.err().and_then(|error| error.code()), Some(-32602), "{era:?} {name} {argument}");
        }
    }
    Ok(())
}

/// Comes and goes.
#[tool(toolset = "passing")]
fn passing() -> &'static str {
    "here"
}

#[tokio::test]
async fn a_tool_that_comes_and_goes_is_heard_of_once_a_burst_in_both_eras() -> Result<()> {
    let server = Server::new("Bookshop", "1.0.0").build()?;
    let names = async |client: &mcp_runtime::client::Connected| -> Result<Vec<String>> {
        Ok(client.list_tools().await?.into_iter().map(|tool| tool.name).collect())
    };
    for era in [Era::Modern, Era::Legacy] {
        let client = std::sync::Arc::new(Client::new(&server, era).connect().await?);
        let listening = match era {
            Era::Modern => Some(client.listen(json!({ "toolsListChanged": true })).await?),
            Era::Legacy => None,
        };
        if listening.is_some() {
            let first = client.notification().await.expect("an acknowledgement");
            assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
        } else {
            // The session listens from a task of its own, which has to come to its turn.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(server.catalog().add_tools(tools![reserve]).is_err(), "there is one already");
        server.catalog().add_tools(tools![passing])?;
        assert!(names(&client).await?.contains(&"passing".into()));
        assert!(server.catalog().enable_tool("passing", false));
        assert!(!names(&client).await?.contains(&"passing".into()));
        let hidden = client.call("passing", json!({})).await;
        assert_eq!(hidden.err().and_then(|error| error.code()), Some(-32602), "{era:?}");
        assert!(server.catalog().enable_tool("passing", true));
        assert_eq!(client.call("passing", json!({})).await?.text(), Some("here"));
        assert!(server.catalog().remove_tool("passing"));
        assert!(!server.catalog().remove_tool("passing"));
        let told = client.notification().await.expect("a notification");
        assert_eq!(told["method"], "notifications/tools/list_changed", "{era:?}");
        let more = tokio::time::timeout(Duration::from_millis(100), client.notification()).await;
        assert!(more.is_err(), "{era:?}: told twice: {more:?}");
        listening.inspect(tokio::task::JoinHandle::abort);
    }
    Ok(())
}
