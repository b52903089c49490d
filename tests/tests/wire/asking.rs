//! Questions to the client, in both eras.

use mcp_runtime::{Context, Legacy, Sample, Version, prelude::*, tools};
use serde_json::{Value, json};
use tests::{
    fixture,
    peer::{Carrier, Peer, Reply},
};

use crate::{ERAS, connect, keys, lives, modern, open, peers};

/// Revisions of both eras in which a form can be asked.
const FORMS: [Version; 3] = [Version::V2025_06_18, Version::V2025_11_25, Version::NEWEST];
/// Revisions of the older era in which a form can be asked.
const OLD_FORMS: [Version; 2] = [Version::V2025_06_18, Version::V2025_11_25];

const FROZEN: &str = "Invalid or expired requestState";

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// What an obliging user answers, by what is asked.
fn oblige(method: &str, params: &Value) -> Value {
    let message = params["message"].as_str().unwrap_or_default();
    match (method, message) {
        ("sampling/createMessage", _) => {
            json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "a thought" } })
        }
        ("roots/list", _) => json!({ "roots": [{ "uri": "file:///shelf" }] }),
        (_, "What is your name?" | "Who signs?") => accept(json!({ "name": "Ann" })),
        (_, "Which colour?") => accept(json!({ "colour": "Blue", "strength": 1 })),
        (_, "The first number?") => accept(json!({ "number": 3 })),
        (_, "The second number?" | "A number?" | "And after 3?") => accept(json!({ "number": 4 })),
        (_, "Sign in") => json!({ "action": "accept" }),
        (_, "The key of a?") => accept(json!({ "key": "k" })),
        (_, remove) if remove.starts_with("Remove ") => accept(json!({ "sure": true })),
        other => panic!("asked {other:?}"),
    }
}

/// The next try of a request: with these answers, and the state that came back.
fn retry(params: &Value, asked: &Reply, responses: Value) -> Value {
    let mut params = params.clone();
    params["inputResponses"] = responses;
    params["requestState"] = asked.result()["requestState"].clone();
    params
}

/// Sends a request and answers all that is asked; the last answer, and what was asked in each round.
async fn converse(
    peer: &mut Peer,
    method: &str,
    params: Value,
    answer: impl Fn(&str, &Value) -> Value + Send + Sync + Clone + 'static,
) -> (Reply, Vec<Vec<Value>>) {
    let (asked, told) = std::sync::mpsc::channel();
    let answers = answer.clone();
    peer.respond(move |method, params| {
        _ = asked.send(json!({ "method": method, "params": params }));
        answers(method, params)
    });
    let mut rounds = Vec::new();
    let mut reply = peer.request(method, params.clone()).await;
    while reply.0["result"]["resultType"] == "input_required" {
        let requests = reply.result()["inputRequests"].as_object().expect("requests").clone();
        let responses = requests.iter().map(|(key, asked)| {
            (key.clone(), answer(asked["method"].as_str().unwrap_or_default(), &asked["params"]))
        });
        let responses: serde_json::Map<_, _> = responses.collect();
        rounds.push(requests.values().cloned().collect());
        assert!(rounds.len() < 9, "asked without end: {}", reply.0);
        reply = peer.request(method, retry(&params, &reply, responses.into())).await;
    }
    rounds.extend(told.try_iter().map(|question| vec![question]));
    (reply, rounds)
}

async fn call(peer: &mut Peer, tool: &str, arguments: Value) -> (Reply, Vec<Vec<Value>>) {
    converse(peer, "tools/call", json!({ "name": tool, "arguments": arguments }), oblige).await
}

async fn counted(peer: &mut Peer, name: &str) -> String {
    peer.call("counted", json!({ "name": name })).await.text().to_owned()
}

#[tokio::test]
async fn both_eras_reach_the_same_result() {
    let cases = [
        ("introduce", json!({}), "Ann Some(\"Blue 1\")"),
        ("both", json!({}), "Some(3) Some(4)"),
        ("rounds", json!({}), "3 4"),
        ("careful", json!({}), "1 Some(4)"),
        ("remove", json!({ "path": "/tmp/x" }), "/tmp/x removed"),
    ];
    for mut peer in peers(&FORMS).await {
        for (tool, arguments, text) in &cases {
            let (reply, _) = call(&mut peer, tool, arguments.clone()).await;
            assert_eq!(reply.text(), *text, "{tool}, {peer:?}");
            assert_eq!(reply.result()["structuredContent"], json!({ "result": text }), "{tool}, {peer:?}");
        }
    }
    for mut peer in peers(&ERAS).await {
        assert_eq!(call(&mut peer, "sign_in", json!({})).await.0.text(), "Accepted(Consent)", "{peer:?}");
    }
    for mut peer in peers(&Version::ALL).await {
        let (reply, asked) = call(&mut peer, "ponder", json!({ "about": "life" })).await;
        assert_eq!(reply.text(), "life: a thought", "{peer:?}");
        let params = json!({
            "messages": [{ "role": "user", "content": { "type": "text", "text": "Think about life" } }],
            "maxTokens": 50,
            "systemPrompt": "Be brief",
        });
        assert_eq!(asked, [[json!({ "method": "sampling/createMessage", "params": params })]]);
        assert_eq!(call(&mut peer, "folders", json!({})).await.0.text(), "[\"file:///shelf\"]", "{peer:?}");
    }
}

#[tokio::test]
async fn a_prompt_can_ask_too() {
    for mut peer in peers(&FORMS).await {
        let (reply, asked) = converse(&mut peer, "prompts/get", json!({ "name": "sign" }), oblige).await;
        assert_eq!(reply.result()["messages"][0]["content"]["text"], "Signed: Ann", "{peer:?}");
        assert_eq!(asked.len(), 1);
    }
}

#[tokio::test]
async fn a_resource_can_ask_too() {
    for mut peer in peers(&FORMS).await {
        let (reply, asked) =
            converse(&mut peer, "resources/read", json!({ "uri": "vault://a" }), oblige).await;
        assert_eq!(reply.result()["contents"][0]["text"], "a opened with k", "{peer:?}");
        assert_eq!(asked.len(), 1);
        let (reply, _) = converse(
            &mut peer,
            "resources/read",
            json!({ "uri": "vault://a" }),
            |_, _| json!({ "action": "decline" }),
        )
        .await;
        assert!(reply.code() < 0, "{}", reply.0);
    }
}

#[tokio::test]
async fn what_depends_on_an_answer_is_not_kept() {
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::NEWEST).await;
        let params = json!({ "uri": "vault://a" });
        let key = json!({ "ask_key": accept(json!({ "key": "k" })) });
        let asked = peer.request("resources/read", params.clone()).await;
        let mut bare = params.clone();
        bare["inputResponses"] = key.clone();
        for request in [retry(&params, &asked, key), bare] {
            let read = peer.request("resources/read", request).await;
            assert_eq!(read.result()["contents"][0]["text"], "a opened with k", "{peer:?}");
            let told = (&read.result()["ttlMs"], &read.result()["cacheScope"]);
            assert_eq!(told, (&json!(0), &json!("private")), "{peer:?}");
        }
    }
}

#[tokio::test]
async fn a_question_that_comes_late_goes_out_with_the_others() {
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::NEWEST).await;
        let (reply, rounds) = call(&mut peer, "late_question", json!({})).await;
        assert_eq!(reply.text(), "4 Ann", "{peer:?}");
        assert_eq!(rounds.iter().map(Vec::len).collect::<Vec<_>>(), [2], "{peer:?}");
        assert_eq!(counted(&mut peer, "ask_late").await, "2", "once in each round");
    }
}

#[tokio::test]
async fn a_calls_time_does_not_run_out_while_an_older_client_is_asked() {
    for mut peer in peers(&OLD_FORMS).await {
        let id = peer.begin("tools/call", json!({ "name": "hasty" })).await;
        let question = peer.heard().await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(!peer.is_answered(&id), "{peer:?}");
        peer.reply(&question, accept(json!({ "number": 4 }))).await;
        assert_eq!(peer.answer(&id).await.text(), "Some(4)", "{peer:?}");
    }
}

#[tokio::test]
async fn an_older_client_that_never_answers_is_given_up() {
    for carrier in Carrier::HERE {
        let server = fixture::server().answer_timeout(Duration::from_millis(100));
        let mut peer = Peer::connect(server, carrier, Version::V2025_11_25).await;
        let id = peer.begin("tools/call", json!({ "name": "remove", "arguments": { "path": "x" } })).await;
        let question = peer.heard().await;
        assert_eq!(peer.answer(&id).await.failure(), "the client took too long to answer", "{peer:?}");
        assert_eq!(counted(&mut peer, "removed").await, "0");
        // Too late.
        peer.reply(&question, accept(json!({ "sure": true }))).await;
        lives(&mut peer).await;
        assert_eq!(counted(&mut peer, "removed").await, "0");
    }
}

#[tokio::test]
async fn a_call_can_be_cancelled_while_its_question_is_open() {
    for mut peer in peers(&OLD_FORMS).await {
        let id = peer.begin("tools/call", json!({ "name": "remove", "arguments": { "path": "x" } })).await;
        let question = peer.heard().await;
        peer.cancel(&id).await;
        lives(&mut peer).await;
        peer.reply(&question, accept(json!({ "sure": true }))).await;
        lives(&mut peer).await;
        assert!(!peer.is_answered(&id), "{peer:?}");
        assert_eq!(counted(&mut peer, "removed").await, "0", "{peer:?}");
    }
}

#[tokio::test]
async fn a_form_is_shown_with_the_schema_of_its_fields() {
    let colour = json!({
        "type": "object",
        "properties": {
            "colour": {
                "type": "string",
                "description": "Which one",
                "oneOf": [{ "const": "Red", "title": "Red" }, { "const": "Blue", "title": "Blue" }],
            },
            "strength": { "type": "number", "description": "How strong", "minimum": 0.0, "maximum": 1.0, "default": 0.5 },
        },
        "required": ["colour", "strength"],
    });
    let name = json!({
        "type": "object",
        "properties": { "name": { "type": "string", "description": "What to call you", "minLength": 1, "maxLength": 20 } },
        "required": ["name"],
    });
    let mut peer = modern().await;
    let asked = peer.call("introduce", json!({})).await;
    let requests = &asked.result()["inputRequests"];
    assert_eq!(keys(requests).into_iter().collect::<Vec<_>>(), ["ask_name", "colour"]);
    let params = json!({ "message": "What is your name?", "requestedSchema": name });
    assert_eq!(requests["ask_name"], json!({ "method": "elicitation/create", "params": params }));
    let params = json!({ "message": "Which colour?", "requestedSchema": colour });
    assert_eq!(requests["colour"], json!({ "method": "elicitation/create", "params": params }));
}

#[tokio::test]
async fn questions_that_are_open_together_go_out_in_one_round() {
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::NEWEST).await;
        for (tool, sizes) in
            [("introduce", vec![2]), ("both", vec![2]), ("rounds", vec![1, 1]), ("careful", vec![1])]
        {
            let (_, rounds) = call(&mut peer, tool, json!({})).await;
            assert_eq!(rounds.iter().map(Vec::len).collect::<Vec<_>>(), sizes, "{tool}, {peer:?}");
        }
        assert_eq!(counted(&mut peer, "ask_name").await, "2", "the resolver runs once in each of two rounds");
    }
}

#[tokio::test]
async fn a_question_is_asked_once_in_a_call_of_the_older_era() {
    for mut peer in peers(&OLD_FORMS).await {
        for (tool, questions) in [("introduce", 2), ("both", 2), ("rounds", 2), ("careful", 1)] {
            let (_, rounds) = call(&mut peer, tool, json!({})).await;
            assert_eq!(rounds.len(), questions, "{tool}, {peer:?}");
        }
        assert_eq!(counted(&mut peer, "ask_name").await, "1", "{peer:?}");
    }
}

#[tokio::test]
async fn a_resolver_runs_once_however_often_it_is_needed() {
    for mut peer in peers(&ERAS).await {
        assert_eq!(peer.call("graph", json!({})).await.text(), "true true", "{peer:?}");
        assert_eq!(counted(&mut peer, "base").await, "1", "{peer:?}");
    }
}

#[tokio::test]
async fn an_effect_is_not_repeated_by_the_next_try() {
    for mut peer in peers(&FORMS).await {
        let (reply, _) = call(&mut peer, "careful", json!({})).await;
        assert_eq!(reply.text(), "1 Some(4)", "{peer:?}");
        assert_eq!(counted(&mut peer, "effects").await, "2", "{peer:?}");
        let tries = if peer.version.is_modern() { "2" } else { "1" };
        assert_eq!(counted(&mut peer, "tries").await, tries, "{peer:?}");
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_told_what_it_lacks_and_the_body_does_not_run() {
    let form = json!({ "elicitation": { "form": {} } });
    let url = json!({ "elicitation": { "url": {} } });
    let cases = [
        ("remove", json!({ "path": "x" }), json!({}), form.clone()),
        (
            "remove",
            json!({ "path": "x" }),
            json!({ "elicitation": { "url": {} }, "sampling": {}, "roots": {} }),
            form.clone(),
        ),
        ("introduce", json!({}), json!({}), form.clone()),
        ("both", json!({}), json!({}), form.clone()),
        ("careful", json!({}), json!({}), form),
        ("sign_in", json!({}), json!({ "elicitation": {} }), url),
        ("ponder", json!({ "about": "x" }), json!({ "elicitation": {} }), json!({ "sampling": {} })),
        ("folders", json!({}), json!({ "sampling": {} }), json!({ "roots": {} })),
    ];
    for carrier in Carrier::ALL {
        let versions = if carrier == Carrier::Memory { &Version::ALL[..] } else { &ERAS };
        for version in versions.iter().copied() {
            for (tool, arguments, declared, needed) in &cases {
                let mut peer = open(carrier, version, declared.clone()).await.greeted().await;
                let reply = peer.call(tool, arguments.clone()).await;
                assert_eq!(reply.code(), -32021, "{tool}, {peer:?}");
                assert_eq!(
                    reply.0["error"]["data"],
                    json!({ "requiredCapabilities": needed }),
                    "{tool}, {peer:?}"
                );
                assert_eq!(counted(&mut peer, "removed").await, "0", "{peer:?}");
                lives(&mut peer).await;
            }
        }
    }
}

#[tokio::test]
async fn a_capability_that_is_no_object_is_none_and_takes_no_other_with_it() {
    let declared = json!({ "elicitation": {}, "sampling": true, "roots": 7, "experimental": [] });
    for carrier in Carrier::ALL {
        for version in FORMS {
            let mut peer = open(carrier, version, declared.clone()).await.greeted().await;
            assert_eq!(
                call(&mut peer, "remove", json!({ "path": "x" })).await.0.text(),
                "x removed",
                "{peer:?}"
            );
            for (tool, arguments) in [("ponder", json!({ "about": "x" })), ("folders", json!({}))] {
                assert_eq!(peer.call(tool, arguments).await.code(), -32021, "{tool}, {peer:?}");
            }
        }
    }
}

#[tokio::test]
async fn elicitation_without_modes_means_forms() {
    for carrier in Carrier::ALL {
        for version in FORMS {
            let mut peer = open(carrier, version, json!({ "elicitation": {} })).await.greeted().await;
            let (reply, _) = call(&mut peer, "remove", json!({ "path": "x" })).await;
            assert_eq!(reply.text(), "x removed", "{peer:?}");
        }
    }
}

#[tokio::test]
async fn a_refusal_carries_no_data_and_stops_what_needs_the_answer() {
    for (action, word, how) in
        [("decline", "declined", "declined to answer"), ("cancel", "cancelled", "dismissed the question")]
    {
        for mut peer in peers(&FORMS).await {
            // Content beside a refusal is not read.
            let answer = move |_: &str, _: &Value| json!({ "action": action, "content": { "name": "Eve", "sure": true } });
            let introduce = json!({ "name": "introduce" });
            let (reply, _) = converse(&mut peer, "tools/call", introduce, answer).await;
            assert_eq!(reply.text(), format!("{word} None"), "{peer:?}");
            let remove = json!({ "name": "remove", "arguments": { "path": "x" } });
            let (reply, _) = converse(&mut peer, "tools/call", remove, answer).await;
            assert_eq!(reply.failure(), format!("The user {how}: Remove x?"), "{peer:?}");
            assert_eq!(counted(&mut peer, "removed").await, "0", "{peer:?}");
        }
    }
}

#[tokio::test]
async fn wrong_arguments_are_told_before_anything_is_asked() {
    for mut peer in peers(&FORMS).await {
        let (reply, asked) = call(&mut peer, "remove", json!({ "path": 7 })).await;
        assert_eq!(
            reply.failure(),
            "Invalid arguments for remove: path: expected a string, got 7",
            "{peer:?}"
        );
        assert!(asked.is_empty(), "{peer:?}");
    }
}

/// What is no answer to "What is your name?".
fn no_answers() -> Vec<Value> {
    vec![
        accept(json!({ "name": "" })),
        accept(json!({ "name": "n".repeat(21) })),
        accept(json!({ "name": 7 })),
        accept(json!({})),
        accept(json!([])),
        accept(Value::Null),
        json!({ "action": "accept" }),
        json!(["accept", { "name": "Ann" }]),
        json!({ "action": "maybe", "content": { "name": "Ann" } }),
        json!({ "content": { "name": "Ann" } }),
        json!({}),
        json!("Ann"),
        Value::Null,
    ]
}

#[tokio::test]
async fn what_is_no_answer_is_asked_again_and_what_was_answered_is_not() {
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::NEWEST).await;
        let params = json!({ "name": "introduce", "arguments": {} });
        for bad in no_answers() {
            let asked = peer.request("tools/call", params.clone()).await;
            let responses =
                json!({ "ask_name": bad, "colour": accept(json!({ "colour": "Red", "strength": 0.5 })) });
            let again = peer.request("tools/call", retry(&params, &asked, responses)).await;
            assert_eq!(again.result()["resultType"], "input_required", "{bad}");
            assert_eq!(
                keys(&again.result()["inputRequests"]).into_iter().collect::<Vec<_>>(),
                ["ask_name"],
                "{bad}"
            );
            let responses = json!({ "ask_name": accept(json!({ "name": "Ann" })) });
            let done = peer.request("tools/call", retry(&params, &again, responses)).await;
            assert_eq!(done.text(), "Ann Some(\"Red 0.5\")", "{bad}");
        }
    }
}

#[tokio::test]
async fn an_older_client_is_asked_again_a_few_times_and_not_for_ever() {
    for mut peer in peers(&OLD_FORMS).await {
        let answer = |_: &str, params: &Value| {
            if params["message"] == "Which colour?" {
                accept(json!({ "colour": "Red", "strength": 0.5 }))
            } else {
                accept(json!({ "name": 7 }))
            }
        };
        let (reply, asked) = converse(&mut peer, "tools/call", json!({ "name": "introduce" }), answer).await;
        assert!(
            reply.failure().starts_with("the client's answer does not fit the question: "),
            "{}",
            reply.failure()
        );
        assert!((2..=4).contains(&asked.len()), "asked {} times", asked.len());
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn an_older_client_can_refuse_with_an_error() {
    for carrier in Carrier::ALL.into_iter().filter(|carrier| *carrier != Carrier::Memory) {
        let mut peer = connect(carrier, Version::V2025_11_25).await;
        let id = peer.begin("tools/call", json!({ "name": "remove", "arguments": { "path": "x" } })).await;
        let question = peer.heard().await;
        let error = json!({ "code": -1, "message": "not now" });
        peer.send(json!({ "jsonrpc": "2.0", "id": question["id"], "error": error }).to_string()).await;
        assert_eq!(peer.answer(&id).await.failure(), "the client refused to answer: not now");
        assert_eq!(counted(&mut peer, "removed").await, "0");
    }
}

#[tokio::test]
async fn an_answer_that_nobody_waits_for_is_ignored() {
    for mut peer in peers(&OLD_FORMS).await {
        for id in [json!(1), json!("unheard-of")] {
            peer.send(json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "accept" } }).to_string())
                .await;
            peer.send(
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": 1, "message": "x" } }).to_string(),
            )
            .await;
        }
        lives(&mut peer).await;
    }
}

#[tokio::test]
async fn an_answer_counts_without_a_state() {
    let mut peer = modern().await;
    let responses =
        json!({ "ask_name": accept(json!({ "name": "Ann" })), "colour": { "action": "decline" } });
    let reply = peer.request("tools/call", json!({ "name": "introduce", "inputResponses": responses })).await;
    assert_eq!(reply.text(), "Ann None");
}

#[tokio::test]
async fn answers_that_were_never_asked_for_are_ignored() {
    let mut peer = modern().await;
    let stray = json!({
        "base": accept(json!({ "value": 100 })),
        "doubled": 7,
        "unheard of": { "action": "accept", "content": {} },
        "": null,
    });
    let reply = peer.request("tools/call", json!({ "name": "graph", "inputResponses": stray })).await;
    assert_eq!(reply.text(), "true true", "what a resolver computes is not the client's to say");
    assert_eq!(counted(&mut peer, "base").await, "1");
    let reply = peer
        .request(
            "tools/call",
            json!({ "name": "echo", "arguments": { "text": "x" }, "inputResponses": stray }),
        )
        .await;
    assert_eq!(reply.text(), "x");
    for none in [json!([]), json!("text"), json!(7)] {
        let reply = peer.request("tools/call", json!({ "name": "graph", "inputResponses": none })).await;
        assert_eq!(reply.code(), -32602, "{none}");
    }
}

#[tokio::test]
async fn an_answer_to_another_wording_of_the_question_is_no_answer() {
    let mut peer = modern().await;
    let params = json!({ "name": "rounds" });
    let asked = peer.request("tools/call", params.clone()).await;
    // Both answers at once: the second question depends on the first answer.
    let responses =
        json!({ "first": accept(json!({ "number": 3 })), "second": accept(json!({ "number": 4 })) });
    let reply = peer.request("tools/call", retry(&params, &asked, responses)).await;
    if reply.result()["resultType"] == "input_required" {
        let responses = json!({ "second": accept(json!({ "number": 4 })) });
        let reply = peer.request("tools/call", retry(&params, &reply, responses)).await;
        assert_eq!(reply.text(), "3 4");
    } else {
        assert_eq!(reply.text(), "3 4");
    }
}

#[tokio::test]
async fn two_different_questions_under_one_key_are_an_error() {
    for mut peer in peers(&FORMS).await {
        let answer = |_: &str, _: &Value| accept(json!({ "number": 3 }));
        let (reply, _) = converse(&mut peer, "tools/call", json!({ "name": "clash" }), answer).await;
        let text = "two different questions are asked under the key `key`: give one of them another key";
        assert_eq!(reply.failure(), text, "{peer:?}");
    }
}

#[track_caller]
fn frozen(reply: &Reply) {
    assert_eq!((reply.code(), reply.message()), (-32602, FROZEN), "{}", reply.0);
    assert_eq!(reply.0["error"].get("data"), None, "the reason stays in the log");
}

#[tokio::test]
async fn a_state_is_good_for_its_own_request_only() {
    let answer = || json!({ "confirm": accept(json!({ "sure": true })) });
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::NEWEST).await;
        let params = json!({ "name": "remove", "arguments": { "path": "x" } });
        let asked = peer.request("tools/call", params.clone()).await;
        for other in [
            json!({ "name": "shred", "arguments": { "path": "x" } }),
            json!({ "name": "remove", "arguments": { "path": "y" } }),
            json!({ "name": "remove", "arguments": { "path": "x", "more": 1 } }),
            json!({ "name": "remove" }),
            json!({ "name": "echo", "arguments": { "text": "x" } }),
        ] {
            frozen(&peer.request("tools/call", retry(&other, &asked, answer())).await);
        }
        frozen(&peer.request("prompts/get", retry(&json!({ "name": "sign" }), &asked, json!({}))).await);
        frozen(
            &peer
                .request("resources/read", retry(&json!({ "uri": "config://app" }), &asked, json!({})))
                .await,
        );
        assert_eq!(counted(&mut peer, "removed").await, "0");
        let done = peer.request("tools/call", retry(&params, &asked, answer())).await;
        assert_eq!(done.text(), "x removed");
    }
}

#[tokio::test]
async fn a_forged_state_is_refused() {
    let mut peer = modern().await;
    let params = json!({ "name": "remove", "arguments": { "path": "x" } });
    let asked = peer.request("tools/call", params.clone()).await;
    let state = asked.result()["requestState"].as_str().expect("a state").to_owned();
    let mut forged = vec![
        json!(""),
        json!("AAAA"),
        json!("nonsense!"),
        json!(7),
        json!({}),
        json!(state[1..]),
        json!(format!("{state}A")),
    ];
    for at in [0, 5, 20, state.len() / 2, state.len() - 2] {
        let mut text = state.clone().into_bytes();
        text[at] = if text[at] == b'A' { b'B' } else { b'A' };
        forged.push(json!(String::from_utf8(text).expect("ASCII")));
    }
    for state in forged {
        let mut again = params.clone();
        again["requestState"] = state;
        again["inputResponses"] = json!({ "confirm": accept(json!({ "sure": true })) });
        frozen(&peer.request("tools/call", again).await);
    }
    assert_eq!(counted(&mut peer, "removed").await, "0");
    lives(&mut peer).await;
}

#[tokio::test]
async fn a_state_of_another_server_is_refused_unless_they_share_their_keys() {
    let params = json!({ "name": "remove", "arguments": { "path": "x" } });
    let answer = json!({ "confirm": accept(json!({ "sure": true })) });
    let keyed = || fixture::server().state_keys([[7; 32]]);
    let mut one = Peer::connect(keyed(), Carrier::Memory, Version::NEWEST).await;
    let asked = one.request("tools/call", params.clone()).await;
    let again = retry(&params, &asked, answer);
    let mut same = Peer::connect(keyed(), Carrier::Http, Version::NEWEST).await;
    assert_eq!(same.request("tools/call", again.clone()).await.text(), "x removed");
    let rotated = fixture::server().state_keys([[8; 32], [7; 32]]);
    let mut rotated = Peer::connect(rotated, Carrier::Memory, Version::NEWEST).await;
    assert_eq!(rotated.request("tools/call", again.clone()).await.text(), "x removed");
    for other in [fixture::server(), fixture::server().state_keys([[8; 32]]), keyed().audience("another")] {
        let mut other = Peer::connect(other, Carrier::Memory, Version::NEWEST).await;
        frozen(&other.request("tools/call", again.clone()).await);
    }
}

#[tokio::test]
async fn a_state_that_comes_back_twice_repeats_the_call_but_not_what_was_done_once() {
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::NEWEST).await;
        let params = json!({ "name": "careful", "arguments": {} });
        let asked = peer.request("tools/call", params.clone()).await;
        assert_eq!(counted(&mut peer, "effects").await, "1", "{peer:?}");
        let again = retry(&params, &asked, json!({ "number": accept(json!({ "number": 4 })) }));
        for effects in ["2", "3"] {
            assert!(peer.request("tools/call", again.clone()).await.text().ends_with("Some(4)"), "{peer:?}");
            assert_eq!(counted(&mut peer, "effects").await, effects, "the first is done once, {peer:?}");
        }
    }
}

#[tokio::test]
async fn what_a_retry_leaves_out_is_asked_again() {
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::NEWEST).await;
        let params = json!({ "name": "both", "arguments": {} });
        let asked = peer.request("tools/call", params.clone()).await;
        let answer = |number: u32| accept(json!({ "number": number }));
        let again = peer.request("tools/call", retry(&params, &asked, json!({ "first": answer(3) }))).await;
        assert_eq!(keys(&again.result()["inputRequests"]).into_iter().collect::<Vec<_>>(), ["second"]);
        // And again, however often; what was answered stays so.
        let again = peer.request("tools/call", retry(&params, &again, json!({}))).await;
        assert_eq!(keys(&again.result()["inputRequests"]).into_iter().collect::<Vec<_>>(), ["second"]);
        let done = peer.request("tools/call", retry(&params, &again, json!({ "second": answer(4) }))).await;
        assert_eq!(done.text(), "Some(3) Some(4)", "{peer:?}");
    }
}

#[tokio::test]
async fn only_the_client_that_was_asked_can_answer() {
    let mut asked = connect(Carrier::Http, Version::V2025_11_25).await;
    let mut other = asked.beside(Version::V2025_11_25).await.greeted().await;
    let id = asked.begin("tools/call", json!({ "name": "remove", "arguments": { "path": "x" } })).await;
    let question = asked.heard().await;
    other.reply(&question, accept(json!({ "sure": true }))).await;
    let none = json!({ "jsonrpc": "2.0", "id": question["id"], "error": { "code": 1, "message": "no" } });
    other.send(none.to_string()).await;
    lives(&mut other).await;
    lives(&mut asked).await;
    assert!(!asked.is_answered(&id));
    asked.reply(&question, accept(json!({ "sure": false }))).await;
    assert_eq!(asked.answer(&id).await.text(), "x kept");
}

#[tokio::test]
async fn a_revision_is_not_asked_what_it_does_not_know() {
    for mut peer in peers(&[Version::V2024_11_05, Version::V2025_03_26]).await {
        for (tool, arguments) in
            [("remove", json!({ "path": "x" })), ("both", json!({})), ("sign_in", json!({}))]
        {
            let reply = peer.call(tool, arguments).await;
            assert_eq!(reply.code(), -32021, "{tool}, {peer:?}");
        }
        assert_eq!(counted(&mut peer, "removed").await, "0", "{peer:?}");
    }
}

/// Lets the model use a tool.
#[tool(toolset = "odd")]
async fn delegate(ctx: Context) -> Result<String> {
    let tool = json!({ "name": "look", "inputSchema": { "type": "object" } });
    let sample = Sample { tools: vec![tool], ..Sample::new("Look", 10) };
    Ok(ctx.ask("look", Ask::sample(sample)).await?.accepted().map(|said| said.text()).unwrap_or_default())
}

#[tokio::test]
async fn tools_are_not_offered_to_a_model_whose_client_does_not_take_them() {
    let server = || Server::empty("Odd", "1").tools(tools![delegate]);
    for carrier in Carrier::HERE {
        for version in Version::ALL {
            let mut peer =
                Peer::open(server(), carrier, version, json!({ "sampling": {} })).await.greeted().await;
            let reply = peer.call("delegate", json!({})).await;
            let needed = json!({ "requiredCapabilities": { "sampling": { "tools": {} } } });
            assert_eq!((reply.code(), &reply.0["error"]["data"]), (-32021, &needed), "{peer:?}");
        }
        for version in ERAS {
            let tools = json!({ "sampling": { "tools": {} } });
            let mut peer = Peer::open(server(), carrier, version, tools).await.greeted().await;
            assert_eq!(call(&mut peer, "delegate", json!({})).await.0.text(), "a thought", "{peer:?}");
        }
    }
}

#[tokio::test]
async fn what_the_model_said_is_checked() {
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::NEWEST).await;
        let params = json!({ "name": "ponder", "arguments": { "about": "life" } });
        for said in [
            json!({}),
            json!({ "role": "assistant", "model": "m" }),
            json!({ "role": "robot", "model": "m", "content": { "type": "text", "text": "x" } }),
            json!({ "role": "assistant", "content": { "type": "text", "text": "x" } }),
            json!("x"),
        ] {
            let asked = peer.request("tools/call", params.clone()).await;
            let again = peer.request("tools/call", retry(&params, &asked, json!({ "think": said }))).await;
            assert_eq!(again.result()["resultType"], "input_required", "{said}, {peer:?}");
        }
    }
}

#[tokio::test]
async fn roots_that_are_gone_are_borne() {
    for carrier in Carrier::ALL {
        let mut peer = connect(carrier, Version::NEWEST).await;
        let params = json!({ "name": "folders" });
        let asked = peer.request("tools/call", params.clone()).await;
        for none in [json!({}), json!({ "roots": "none" }), json!({ "roots": [{ "name": "x" }] })] {
            let again = peer.request("tools/call", retry(&params, &asked, json!({ "roots": none }))).await;
            assert_eq!(again.result()["resultType"], "input_required", "{peer:?}");
        }
        let gone = json!({ "roots": { "roots": [] } });
        assert_eq!(peer.request("tools/call", retry(&params, &asked, gone)).await.text(), "[]", "{peer:?}");
    }
}

#[tokio::test]
async fn a_state_expires() {
    let server = fixture::server().state_lifetime(Duration::ZERO);
    let mut peer = Peer::connect(server, Carrier::Memory, Version::NEWEST).await;
    let params = json!({ "name": "remove", "arguments": { "path": "x" } });
    let asked = peer.request("tools/call", params.clone()).await;
    let answer = json!({ "confirm": accept(json!({ "sure": true })) });
    frozen(&peer.request("tools/call", retry(&params, &asked, answer)).await);
}

#[tokio::test]
async fn without_a_session_an_older_client_cannot_be_asked_and_is_told_why() {
    for carrier in Carrier::HERE {
        let server = fixture::server().legacy(Legacy::Stateless);
        let mut peer = Peer::connect(server, carrier, Version::V2025_11_25).await;
        for (tool, arguments) in [("remove", json!({ "path": "x" })), ("both", json!({}))] {
            let reply = peer.call(tool, arguments).await;
            assert!(reply.code() < 0, "{peer:?}");
        }
        assert_eq!(counted(&mut peer, "removed").await, "0");
        lives(&mut peer).await;
    }
}
