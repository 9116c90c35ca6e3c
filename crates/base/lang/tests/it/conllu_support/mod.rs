//! Miniature CoNLL-U for the tests of the rules: `id form UPOS FEATS HEAD`, one token a line,
//! with `·` for a blank inside a form; `3-4 form` is a multi-word token.

use epicene_lang::Gender;
use epicene_lang::conllu::{
    ReadError, Rule, RuleOptions, RuleSet, Sentence, Sentences, SloveneRules, rule_set,
};

/// Ten columns from the five that matter.
pub fn conllu(rows: &str) -> String {
    let mut lines = String::new();
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let fields: Vec<&str> = row.split(' ').collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or("_");
        let form = field(1).replace('·', " ");
        let (id, upos, feats, head) = (field(0), field(2), field(3), field(4));
        lines += &format!("{id}\t{form}\t_\t{upos}\t_\t{feats}\t{head}\t_\t_\t_\n");
    }
    lines + "\n"
}

pub fn sentence(rows: &str) -> Sentence {
    let parse = conllu(rows);
    let mut sentences = read(&parse).unwrap_or_else(|error| panic!("{error} in\n{parse}"));
    assert_eq!(sentences.len(), 1);
    sentences.remove(0)
}

pub fn read(parse: &str) -> Result<Vec<Sentence>, ReadError> {
    Sentences::new(parse.as_bytes()).collect()
}

/// The rules of a language; `sl-repository` is the Slovene list with the seventh rule.
pub fn rules(language: &str) -> RuleSet {
    let (language, slovene) = match language {
        "sl-repository" => ("sl", SloveneRules::Repository),
        other => (other, SloveneRules::Published),
    };
    rule_set(language, RuleOptions { slovene }).unwrap()
}

pub fn gender(letter: &str) -> Option<Gender> {
    match letter {
        "m" => Some(Gender::Masculine),
        "f" => Some(Gender::Feminine),
        "-" => None,
        other => panic!("`{other}` is none of m, f, -"),
    }
}

pub fn rule(language: &str, name: &str) -> Rule {
    let rules = rules(language).rules_for("");
    *rules.iter().find(|rule| rule.name == name).unwrap()
}

/// What it shows, rows, gender, and the words given as evidence.
pub type Case<'a> = (&'a str, &'a str, &'a str, &'a [&'a str]);

pub fn check(language: &str, name: &str, cases: &[Case<'_>]) {
    let rule = rule(language, name);
    for (what, rows, expected, words) in cases {
        let sentence = sentence(rows);
        let verdict = rule.judge(&sentence);
        assert_eq!(verdict.gender(), gender(expected), "{name}: {what}");
        let expected_name = if *expected == "-" { "" } else { name };
        assert_eq!(verdict.rule, expected_name, "{name}: {what}");
        let found: Vec<&str> = verdict
            .evidence
            .iter()
            .map(|span| span.of(&sentence.text))
            .collect();
        assert_eq!(found, *words, "{name}: {what}");
    }
}
