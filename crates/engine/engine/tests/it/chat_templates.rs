//! Chat templates in the styles of published models, rendered as `apply_chat_template` renders them. The judge is
//! `tools/reference/chat_templates.py`.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_engine::generate::{ChatTemplate, Message, Moment};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Golden {
    special: BTreeMap<String, String>,
    conversations: Vec<Vec<Message>>,
    variables: Vec<BTreeMap<String, Value>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    template: String,
    conversation: usize,
    variables: usize,
    answering: bool,
    text: Option<String>,
    error: Option<String>,
}

#[test]
fn templates_render_as_transformers_renders_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chat_templates");
    let golden = std::fs::read_to_string(folder.join("golden.json")).unwrap();
    let golden: Golden = serde_json::from_str(&golden).unwrap();
    let moment = Moment::of_day("2024-07-26").unwrap();
    let mut templates = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in &golden.cases {
        let template = templates.entry(case.template.clone()).or_insert_with(|| {
            let path = folder.join(format!("{}.jinja", case.template));
            let source = std::fs::read_to_string(path).unwrap();
            ChatTemplate::new(&source, golden.special.clone()).unwrap()
        });
        let found = template.render_with(
            &golden.conversations[case.conversation],
            &golden.variables[case.variables],
            moment,
            case.answering,
        );
        let right = match (&found, &case.text, &case.error) {
            (Ok(found), Some(text), None) => found == text,
            (Err(found), None, Some(error)) => found.starts_with(error.as_str()),
            _ => false,
        };
        if !right {
            wrong.push(format!(
                "{} conversation {} variables {} answering {}:\n  ours   {found:?}\n  theirs {:?} {:?}",
                case.template, case.conversation, case.variables, case.answering, case.text, case.error
            ));
        }
    }
    println!(
        "{} templates, {} cases",
        templates.len(),
        golden.cases.len()
    );
    assert!(templates.len() >= 12);
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_template_that_never_ends_or_is_broken_is_an_error() {
    let render = |source: &str| {
        let template = ChatTemplate::new(source, BTreeMap::new())?;
        let messages = [Message::new("user", "Hello")];
        template.render(&messages, &BTreeMap::new(), Moment::now())
    };
    assert!(
        render("{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}")
            .is_err()
    );
    assert!(render("{% for message in messages %}").is_err());
    assert!(render("{% include '/etc/passwd' %}").is_err());
    assert!(render("{{ nobody.knows.this }}").is_err());
    assert_eq!(
        render("{{ messages[0].content.upper() }}").unwrap(),
        "HELLO"
    );
}
