//! Chat templates and tokenizers made to end the process: by stack, by memory, by time. Each is an error with a message,
//! and the process goes on. The Python package calls the same code.

use std::collections::BTreeMap;

use epicene_io::bounded::BoundedAllocator;
use epicene_lm::generate::{ChatTemplate, Message, Moment};
use epicene_lm::{CheckpointError, Config, TextTokenizer};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: BoundedAllocator = BoundedAllocator;

fn render(source: &str) -> Result<String, String> {
    let template = ChatTemplate::new(source, BTreeMap::new())?;
    let messages = [Message::new("user", "Hello. How are you?\nFine.")];
    template.render(
        &messages,
        &BTreeMap::new(),
        Moment::of_day("2024-07-26").unwrap(),
    )
}

/// A value that grows: `step` makes the next of `ns.x`.
fn growing(start: &str, step: &str, times: u32) -> String {
    format!(
        "{{% set ns = namespace(x={start}) %}}{{% for i in range({times}) %}}{{% set ns.x = {step} %}}{{% endfor %}}{{{{ ns.x|length }}}}"
    )
}

fn hostile_templates() -> Vec<String> {
    let mut all: Vec<String> = vec![
        // Memory: what is doubled, repeated, replaced, joined, indented, formatted.
        growing("'ab'", "ns.x ~ ns.x", 60),
        growing("'ab'", "ns.x + ns.x", 60),
        growing("'ab'", "ns.x ~ ns.x ~ ns.x", 40),
        growing("'ab'", "(ns.x ~ 'c').replace('c', ns.x ~ ns.x)", 50),
        growing("'ab'", "ns.x|replace('a', ns.x)", 40),
        growing("'ab'", "ns.x.replace('', ns.x)", 40),
        growing("'ab'", "ns.x * 100", 40),
        growing("'ab'", "[ns.x, ns.x]|join", 60),
        growing("'ab'", "ns.x.join([ns.x, ns.x, ns.x])", 40),
        growing("'ab'", "ns.x|list|join(ns.x)", 40),
        growing("'a\\nb'", "ns.x|indent(1000) ~ ns.x", 60),
        growing("'ab'", "ns.x|upper ~ ns.x|lower", 60),
        growing("'<&>'", "(ns.x ~ ns.x)|e", 60),
        growing("'ab'", "(ns.x ~ ns.x)|tojson", 60),
        growing("[1]", "(ns.x + ns.x)|list", 60),
        growing("[1]", "[ns.x, ns.x]|tojson|list", 60),
        growing("[1]", "(ns.x * 1000)|list", 40),
        growing("'ab'", "ns.x|format(ns.x) ~ ns.x", 60),
        growing("'a b'", "ns.x.split()|join(ns.x ~ ns.x) ~ ns.x", 60),
        growing("'ab'", "(ns.x ~ ns.x)|reverse", 60),
        growing("'ab'", "(ns.x ~ ns.x)[0:]", 60),
        growing("'ab'", "(ns.x ~ ns.x)|title|trim", 60),
        growing("{'a': 1}", "dict(a=ns.x, b=ns.x)|tojson|list|join('ab')|list", 60),
        "{{ 'x' * 9000000000000000000 }}".to_owned(),
        "{{ 'x' * 4000000000 }}".to_owned(),
        "{% set a = 'x' * 100000000 %}{% set b = a ~ a ~ a ~ a %}{{ b ~ b ~ b }}".to_owned(),
        "{{ messages|tojson(indent=9000000000000000000) }}".to_owned(),
        "{{ messages|tojson(indent=1000000000) }}".to_owned(),
        "{{ messages|tojson(indent=65) }}".to_owned(),
        "{{ 'a\\nb'|indent(9000000000) }}".to_owned(),
        "{{ 'a\\nb'|indent(width=4000000000, first=true) }}".to_owned(),
        "{{ (range(100000)|list * 100000)|list|length }}".to_owned(),
        "{{ (range(100000)|list * 100000)|join('x')|length }}".to_owned(),
        "{{ (range(100000)|list * 100000)|tojson }}".to_owned(),
        "{{ (range(100000)|list * 100000)|sort|length }}".to_owned(),
        "{{ ([[1]] * 9000000000000000000)|list }}".to_owned(),
        "{{ range(9000000000000000000)|list }}".to_owned(),
        "{% set x %}ab{% endset %}".to_owned()
            + &"{% set x %}{{ x }}{{ x }}{% endset %}".repeat(60)
            + "{{ x }}",
        "{% macro m(x) %}{{ x }}{{ x }}{% endmacro %}{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = m(ns.x) %}{% endfor %}{{ ns.x }}".to_owned(),
        "{% set big = 'x' * 1000000 %}{% set ns = namespace(l=[]) %}{% for i in range(100000) %}{% set ns.l = [big[1:], ns.l] %}{% endfor %}ok".to_owned(),
        "{% set ns = namespace(l=[]) %}{% for i in range(100000) %}{% set ns.l = [range(100000)|list, ns.l] %}{% endfor %}ok".to_owned(),
        "{% for i in range(100000) %}{{ 'x' * 100000 }}{% endfor %}".to_owned(),
        // Time: loops, and what iterates without an instruction.
        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}".to_owned(),
        "{% for a in range(99999) %}{% for b in range(99999) %}{{ a * b }}{% endfor %}{% endfor %}".to_owned(),
        "{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}".to_owned(),
        "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}".to_owned(),
        "{% macro m(n) %}{{ m(n) }}{{ m(n) }}{% endmacro %}{{ m(0) }}".to_owned(),
        "{% for x in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}".to_owned(),
        "{% include 'chat template' %}".to_owned(),
        "{% extends 'chat template' %}".to_owned(),
        "{% import 'chat template' as t %}{{ t.x() }}".to_owned(),
        "{% include '/etc/passwd' %}".to_owned(),
        "{% block a %}{{ self.a() }}{% endblock %}".to_owned(),
        // Stack: what is nested, by the parser and by a value.
        format!("{{{{ {}1{} }}}}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{{{{ {}1{} }}}}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{{{{ {}1 }}}}", "-".repeat(250_000)),
        format!("{{{{ {}true }}}}", "not ".repeat(60_000)),
        format!("{{{{ 1{} }}}}", "|abs".repeat(60_000)) + "{{ nothing() }}",
        format!("{{{{ a{} }}}}", ".a".repeat(125_000)),
        "{% if true %}".repeat(9_000) + &"{% endif %}".repeat(9_000),
        "{% for a in [1] %}".repeat(8_000) + &"{% endfor %}".repeat(8_000),
        "{% set ns = namespace(x=[]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x|tojson }}".to_owned(),
        "{% set ns = namespace(x={}) %}{% for i in range(100000) %}{% set ns.x = {'a': ns.x} %}{% endfor %}{{ ns.x|tojson }}".to_owned(),
        // Too long, broken, or saying no.
        "x".repeat((256 << 10) + 1),
        "{{ ".to_owned(),
        "{% for %}".to_owned(),
        "{{ raise_exception('no') }}".to_owned(),
        "{{ strftime_now('%Q' * 1000) }}".to_owned(),
        "{{ nothing.at.all.there }}".to_owned(),
        "{{ messages[0].content.format(10) ~ undefined_function() }}".to_owned(),
    ];
    // A value as deep as the fuel allows: printed, compared, dropped.
    for last in [
        "{{ ns.x|string|length / 0 }}",
        "{{ (ns.x == [ns.x]) ~ nothing() }}",
        "{{ nothing() }}",
    ] {
        let nested = "[".repeat(100) + "ns.x" + &"]".repeat(100);
        all.push(format!(
            "{{% set ns = namespace(x=[]) %}}{{% for i in range(2600) %}}{{% set ns.x = {nested} %}}{{% endfor %}}{last}"
        ));
    }
    all
}

#[test]
fn hostile_templates_are_errors_and_the_process_goes_on() {
    let all = hostile_templates();
    assert!(all.len() >= 60, "{}", all.len());
    let mut refused = 0;
    for source in &all {
        let start: String = source.chars().take(120).collect();
        match render(source) {
            Err(problem) => {
                refused += 1;
                assert!(
                    !problem.is_empty() && problem.len() < 2000,
                    "{start}: {problem}"
                );
            }
            // The parser may fold what is nested: a short text does no harm.
            Ok(text) => assert!(text.len() < 100, "{start}: {} bytes", text.len()),
        }
    }
    assert!(refused >= 60, "{refused}");
    assert_eq!(
        render("{{ messages[0].content }}!").unwrap(),
        "Hello. How are you?\nFine.!"
    );
    assert_eq!(render("{{ [1]|tojson(indent=2) }}").unwrap(), "[\n  1\n]");
}

/// A small tokenizer with some of its parts replaced.
fn tokenizer(parts: Value) -> Vec<u8> {
    let mut json = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "[UNK]": 2}, "unk_token": "[UNK]"},
    });
    for (name, part) in parts.as_object().unwrap() {
        json[name] = part.clone();
    }
    serde_json::to_vec(&json).unwrap()
}

fn open(json: &[u8]) -> Result<TextTokenizer, CheckpointError> {
    let config = Config::parse(r#"{"model_type": "bert"}"#).unwrap();
    TextTokenizer::parse(json, None, None, &config, &[])
}

fn replace(pattern: Value, content: &str) -> Value {
    json!({"type": "Replace", "pattern": pattern, "content": content})
}

fn sequence(kind: &str, list: &str, steps: Vec<Value>) -> Value {
    json!({"type": kind, list: steps})
}

fn charsmap(trie: u32, rest: &[u8]) -> Value {
    use base64::Engine;
    let bytes = [&trie.to_le_bytes()[..], rest].concat();
    let map = base64::engine::general_purpose::STANDARD.encode(bytes);
    json!({"normalizer": {"type": "Precompiled", "precompiled_charsmap": map}})
}

fn nested(kind: &str, list: &str, depth: usize) -> Value {
    let mut step = json!({"type": "Lowercase"});
    for _ in 0..depth {
        step = sequence(kind, list, vec![step]);
    }
    step
}

fn hostile_tokenizers() -> Vec<Vec<u8>> {
    let normalizers =
        |steps: Vec<Value>| json!({"normalizer": sequence("Sequence", "normalizers", steps)});
    let a = || json!({"String": "a"});
    let ten = "a".repeat(10);
    let thousand = "a".repeat(1000);
    let template = |pieces: Vec<Value>, ids: usize| {
        json!({"post_processor": {
            "type": "TemplateProcessing", "single": pieces, "pair": [{"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {"x": {"id": "x", "ids": vec![0; ids], "tokens": vec!["x"; ids]}},
        }})
    };
    let copy = json!({"Sequence": {"id": "A", "type_id": 0}});
    let special = json!({"SpecialToken": {"id": "x", "type_id": 0}});
    let mut all: Vec<Value> = vec![
        // Texts that grow.
        normalizers(vec![replace(a(), &ten); 30]),
        normalizers(vec![replace(a(), &thousand); 3]),
        normalizers(vec![replace(json!({"Regex": "."}), &thousand); 2]),
        normalizers(vec![replace(json!({"Regex": ""}), &ten); 8]),
        normalizers(vec![replace(json!({"Regex": "x*"}), &ten); 8]),
        normalizers(vec![replace(json!({"String": ""}), &ten); 8]),
        normalizers(vec![replace(json!({"Regex": "$"}), &thousand); 12]),
        normalizers(vec![json!({"type": "Prepend", "prepend": thousand}); 5]),
        normalizers(vec![json!({"type": "NFKD"}); 30]),
        normalizers(vec![json!({"type": "ByteLevel"}); 60]),
        normalizers(vec![json!({"type": "Lowercase"}); 2000]),
        normalizers(vec![
            sequence(
                "Sequence",
                "normalizers",
                vec![replace(a(), &ten); 10]
            );
            3
        ]),
        json!({"decoder": sequence("Sequence", "decoders", vec![replace(a(), &ten); 30])}),
        json!({"decoder": sequence("Sequence", "decoders", vec![replace(json!({"Regex": ""}), &thousand); 3])}),
        json!({"pre_tokenizer": sequence("Sequence", "pretokenizers", vec![json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false}); 60])}),
        template(vec![copy.clone(); 100_000], 1),
        template(vec![copy.clone(); 9], 1),
        template(vec![special.clone(); 3000], 1000),
        template(vec![special; 1], 100_000),
        json!({"post_processor": sequence("Sequence", "processors", vec![template(vec![copy; 50], 1)["post_processor"].clone(); 4])}),
        // Steps inside steps.
        json!({"normalizer": nested("Sequence", "normalizers", 60)}),
        json!({"pre_tokenizer": nested("Sequence", "pretokenizers", 60)}),
        json!({"post_processor": nested("Sequence", "processors", 60)}),
        json!({"decoder": nested("Sequence", "decoders", 60)}),
        json!({"normalizer": nested("Sequence", "normalizers", 9)}),
        // Tables of rewritings.
        charsmap(u32::MAX, b""),
        charsmap(0x7fff_ff00, b"abc\0"),
        charsmap(4, b"\x00\x01\x00\x00"),
        charsmap(0, &[b'a'; 200_000]),
        json!({"normalizer": {"type": "Precompiled", "precompiled_charsmap": "@@@@"}}),
        json!({"normalizer": {"type": "Precompiled", "precompiled_charsmap": ""}}),
        // Patterns.
        json!({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a+)+(?!b)"}, "behavior": "Isolated", "invert": false}}),
        json!({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(?:a|a)*(?=x)"}, "behavior": "Isolated", "invert": false}}),
        json!({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(x+x+)+\\1y"}, "behavior": "Isolated", "invert": false}}),
        normalizers(vec![replace(json!({"Regex": "(?:.*)*(?<!q)"}), "b")]),
        json!({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(?:a{1000}){1000}"}, "behavior": "Isolated", "invert": false}}),
        json!({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "("}, "behavior": "Isolated", "invert": false}}),
        // What is not a tokenizer at all.
        json!({"model": {"type": "WordLevel", "vocab": {"a": -1}, "unk_token": "[UNK]"}}),
        json!({"model": {"type": "Unigram", "vocab": [["a", 0.0]], "unk_id": 7}}),
        json!({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "q"]]}}),
        json!({"model": {"type": "BPE", "vocab": {"a": 0, "b".repeat(5000): 1}, "merges": []}}),
        json!({"normalizer": {"type": "Cycle", "normalizers": "$ref:#/normalizer"}}),
    ];
    let mut bytes: Vec<Vec<u8>> = all.drain(..).map(tokenizer).collect();
    // Nested deeper than a value can be written here.
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = open.repeat(1_000_000) + "1" + &close.repeat(1_000_000);
        bytes.push(deep.clone().into_bytes());
        bytes.push(format!("{{\"normalizer\": {deep}}}").into_bytes());
    }
    bytes.push(b"\xff\xfe{}".to_vec());
    bytes.push(Vec::new());
    bytes
}

#[test]
fn hostile_tokenizers_are_errors_and_the_process_goes_on() {
    let all = hostile_tokenizers();
    assert!(all.len() >= 40, "{}", all.len());
    for (number, json) in all.iter().enumerate() {
        let start = String::from_utf8_lossy(&json[..json.len().min(300)]).into_owned();
        let error = open(json).and_then(|tokenizer| tokenizer.encode("a b a".repeat(20).as_str()));
        let error = error.expect_err(&format!("{number}: {start}")).to_string();
        assert!(error.len() < 3000, "{number}: {error}");
    }
    let plain = open(&tokenizer(json!({}))).unwrap();
    assert_eq!(plain.encode("a b c").unwrap(), [0, 1, 2]);
}

#[test]
fn a_long_text_that_grows_is_given_up() {
    // Allowed for what it may do, refused for what it does with this text.
    let grows =
        tokenizer(json!({"normalizer": replace(json!({"String": "a"}), &"a ".repeat(1000))}));
    let tokenizer = open(&grows).unwrap();
    assert_eq!(tokenizer.encode("a").unwrap().len(), 1000);
    let error = tokenizer
        .encode(&"a".repeat(1_000_000))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("memory") || error.contains("takes more"),
        "{error}"
    );
}
