//! Matching, expanding and refusing.

use super::*;

fn values(template: &'static str, uri: &str) -> Option<Vec<String>> {
    let template = Template::parse(template, false).expect("a good template");
    template.matches(uri).map(|values| values.into_iter().map(|(_, value)| value).collect())
}

#[test]
fn a_variable_is_one_segment_and_is_decoded_once() {
    assert_eq!(values("stock://{title}", "stock://Dune"), Some(vec!["Dune".into()]));
    assert_eq!(values("item://{id}", "item://%C2%A7%20141"), Some(vec!["§ 141".into()]));
    assert_eq!(values("item://{id}", "item://%2520"), Some(vec!["%20".into()]));
    assert_eq!(values("item://{id}", "item://a+b"), Some(vec!["a+b".into()]));
    assert_eq!(values("item://{id}", "item://a/b"), None);
    assert_eq!(values("item://{id}", "item://"), None);
    assert_eq!(values("item://{id}", "item://%zz"), None);
    assert_eq!(values("item://{id}", "item://%ff"), None);
}

#[test]
fn literals_are_literal_and_a_reserved_variable_spans_segments() {
    assert_eq!(values("w://a.b/{c}", "w://aXb/p"), None);
    assert_eq!(values("docs://{+path}", "docs://a/b/c"), Some(vec!["a/b/c".into()]));
    assert_eq!(values("t://{id}/data", "t://123/data"), Some(vec!["123".into()]));
    assert_eq!(values("t://{a}-{b}/x", "t://1-2-3/x"), Some(vec!["1".into(), "2-3".into()]));
}

#[test]
fn a_query_comes_in_any_order_and_may_be_left_out() {
    let found = |uri| {
        let values =
            Template::parse("find://{kind}{?q,page}", false).expect("a good template").matches(uri)?;
        Some(values.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(found("find://books").as_deref(), Some("kind=books"));
    assert_eq!(found("find://books?page=2&q=a%26b+c").as_deref(), Some("kind=books page=2 q=a&b+c"));
    assert_eq!(found("find://books?other=1&q=").as_deref(), Some("kind=books q="));
    assert_eq!(found("find://books?q=%zz"), None);
    assert_eq!(found("find://books/more?q=1"), None);
    assert_eq!(values("all://x{?q}", "all://x?q=1"), Some(vec!["1".into()]));
    assert_eq!(values("docs://{+path}{?q}", "docs://a/b?q=1"), Some(vec!["a/b".into(), "1".into()]));
}

#[test]
fn what_is_no_template_is_said() {
    for wrong in ["a://{", "a://{}", "a://{x y}", "a://{x}{y}", "a://{?q}/x", "a://{?}"] {
        assert!(Template::parse(wrong, false).is_err(), "{wrong}");
    }
}

#[test]
fn a_value_that_could_lead_out_of_a_folder_matches_nothing() {
    for uri in [
        "file:///..",
        "file:///../etc/passwd",
        "file:///a/../../etc",
        "file:///a/%2e%2e/b",
        "file:///a/%2E%2e%2fb",
        "file:///a%5c..%5cb",
        "file:///..%5cb",
        "file:////etc/passwd",
        "file:///%2fetc/passwd",
        "file:///%5c%5chost",
        "file:///C:/secret",
        "file:///a%00b",
    ] {
        assert_eq!(values("file:///{+path}", uri), None, "{uri}");
        let unchecked = Template::parse("file:///{+path}", true).expect("a good template");
        assert!(unchecked.matches(uri).is_some(), "{uri}");
    }
    for uri in ["item://..", "item://%2e%2e", "item://a%2fb", "item://a%5Cb", "item://%00"] {
        assert_eq!(values("item://{id}", uri), None, "{uri}");
    }
    assert_eq!(values("find://x{?q}", "find://x?q=../y"), None);
    for (uri, value) in [("file:///a..b/...", "a..b/..."), ("file:///.git/x", ".git/x")] {
        assert_eq!(values("file:///{+path}", uri), Some(vec![value.into()]));
    }
}

#[test]
fn several_names_in_one_expression_are_divided_by_commas() {
    assert_eq!(values("map://{x,y}", "map://1,2"), Some(vec!["1".into(), "2".into()]));
    assert_eq!(values("map://{x,y}", "map://1"), None);
    assert_eq!(values("map://{+x,y}", "map://a/b,c"), Some(vec!["a/b".into(), "c".into()]));
}

#[test]
fn what_is_expanded_is_read_back() {
    for (template, text) in [
        ("stock://{title}", "Catch-22"),
        ("stock://{title}", "100% \u{a7} & a+b?"),
        ("docs://{+path}", "a b/c#d?e/\u{e9}"),
        ("docs://{+path}{?q}", "what?/x"),
    ] {
        let template = Template::parse(template, false).expect("a good template");
        let uri = template.expand(&[text.to_owned()]).expect("one value");
        assert_eq!(template.matches(&uri).expect("its own URI")[0].1, text, "{uri}");
        assert_eq!(template.expand(&[]), None);
    }
}
