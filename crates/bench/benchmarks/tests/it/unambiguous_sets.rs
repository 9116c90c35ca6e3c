//! The challenge sets against the paper's counts and the stored sources.

use std::collections::{BTreeMap, HashSet};

use crate::unambiguous_support::text;
use epicene_bench::unambiguous::grammar::{Grammar, Sentence, parse};
use epicene_bench::unambiguous::nonce;
use epicene_bench::unambiguous::sets::SetName;

fn set(name: &str) -> Grammar {
    name.parse::<SetName>().unwrap().grammar().unwrap()
}

#[test]
fn counts_are_the_papers() {
    for (name, count) in [
        ("xs", 1_536),
        ("s", 59_520),
        ("s-without-nanny", 58_032),
        ("xl", 1_800_006),
    ] {
        assert_eq!(set(name).count(), count, "{name}");
    }
    // Section 4 of the specification, the dead frames left out.
    let s = [
        15_360, 15_360, 7_680, 6_400, 800, 480, 160, 160, 3_840, 160, 160, 80, 80, 7_680, 160, 160,
        400, 400,
    ];
    assert_eq!(set("s").count_by_frame(), s);
    let xl = [
        670_176, 670_176, 335_088, 69_810, 780, 468, 156, 156, 41_886, 156, 156, 78, 78, 7_488,
        741, 741, 936, 936,
    ];
    assert_eq!(set("xl").count_by_frame(), xl);
}

#[test]
fn stored_sources_are_reproduced_line_by_line() {
    for (name, stored) in [
        ("xs", "source_xs_1536.tsv.gz"),
        ("s-without-nanny", "source_s_58032.tsv.gz"),
    ] {
        let Some(expected) = text(stored) else { return };
        let grammar = set(name);
        let mut sentence = Sentence::default();
        for (number, line) in expected.lines().enumerate() {
            assert!(
                grammar.write(number as u64, &mut sentence),
                "{name} is short"
            );
            let Sentence {
                text,
                features,
                answer,
                ..
            } = &sentence;
            let written = format!("{text}\t{features}\t{answer}");
            assert_eq!(written, line, "{name}, line {}", number + 1);
        }
        assert_eq!(grammar.count(), expected.lines().count() as u64);
    }
}

#[test]
fn answers_and_positions_are_balanced() {
    let mut answers: BTreeMap<String, u64> = BTreeMap::new();
    let mut positions: BTreeMap<String, u64> = BTreeMap::new();
    for sentence in set("s").sentences() {
        *answers.entry(sentence.answer).or_default() += 1;
        let position = sentence.features.split(' ').next_back().unwrap().to_owned();
        *positions.entry(position).or_default() += 1;
    }
    assert_eq!(answers["_EXP_M_"], 29_760);
    assert_eq!(answers["_EXP_F_"], 29_760);
    let expected = [
        ("_OCC_AFTER_", 16_960),
        ("_OCC_BEFORE_", 42_240),
        ("_OCC_MIDDLE_", 320),
    ];
    let found: Vec<(&str, u64)> = positions.iter().map(|(k, n)| (k.as_str(), *n)).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_defects_of_the_published_sets_are_there() {
    let xl = set("xl");
    let texts: HashSet<String> = xl.sentences().map(|sentence| sentence.text).collect();
    assert_eq!(
        texts.len(),
        1_790_022,
        "aggressive stands in the list twice"
    );
    assert!(texts.contains("He clue_pr_m_ enjoys his own work as a designer"));
    assert!(texts.contains("He works as a analyst ."));
    let missing = set("s")
        .sentences()
        .filter(|sentence| !texts.contains(&sentence.text))
        .count();
    assert_eq!(missing, 4_764, "XL is no superset of S");
    let lint: Vec<String> = set("s").lint().iter().map(ToString::to_string).collect();
    assert_eq!(lint.len(), 3, "{lint:?}");
}

#[test]
fn the_repaired_sets_have_none_of_them() {
    for (name, count) in [
        ("repaired-xs", 1_536),
        ("repaired-s", 75_120),
        ("repaired-xl", 2_276_400),
    ] {
        let grammar = set(name);
        assert!(grammar.lint().is_empty(), "{name}");
        assert_eq!(grammar.count(), count, "{name}");
    }
    let mut texts: HashSet<String> = HashSet::new();
    for sentence in set("repaired-s").sentences() {
        assert!(sentence.text.ends_with(" ."), "{}", sentence.text);
        assert_eq!(sentence.answer.split(' ').count(), 1);
        let words: Vec<&str> = sentence.text.split(' ').collect();
        for pair in words.windows(2) {
            let vowel = pair[1].starts_with(['a', 'e', 'i', 'o', 'u']);
            match pair[0] {
                "a" => assert!(!vowel, "{}", sentence.text),
                "an" => assert!(vowel, "{}", sentence.text),
                _ => {}
            }
        }
        assert!(
            texts.insert(sentence.text.clone()),
            "{} twice",
            sentence.text
        );
    }
    assert!(texts.contains("He is a nurse who can protect himself ."));
    assert!(texts.contains("She works as an emotional analyst ."));
    assert!(!texts.iter().any(|text| text.ends_with("who can cook .")));
}

#[test]
fn invented_occupations_take_the_place_of_real_ones() {
    let words = nonce::sample(22, 0, &std::collections::BTreeSet::new());
    let grammar = "s"
        .parse::<SetName>()
        .unwrap()
        .with_occupations(&words)
        .unwrap();
    assert_eq!(grammar.count(), 59_520 / 40 * 22);
    for sentence in grammar.sentences().step_by(97) {
        assert!(!sentence.features.contains("_OCC_NO_"), "{sentence:?}");
        let has = |word: &String| sentence.text.to_lowercase().split(' ').any(|w| w == word);
        assert!(words.iter().any(has), "{}", sentence.text);
    }
}

/// Depth first, leftmost symbol outermost, by plain recursion.
fn enumerate(rules: &BTreeMap<&str, Vec<Vec<&str>>>, symbols: &[&str]) -> Vec<String> {
    let Some((first, rest)) = symbols.split_first() else {
        return vec![String::new()];
    };
    let heads: Vec<String> = match first.strip_prefix('\'') {
        Some(word) => vec![word.trim_end_matches('\'').to_owned()],
        None => rules
            .get(first)
            .into_iter()
            .flatten()
            .flat_map(|alternative| enumerate(rules, alternative))
            .collect(),
    };
    let tails = enumerate(rules, rest);
    let mut all = Vec::new();
    for head in &heads {
        for tail in &tails {
            all.push(format!("{head} {tail}").trim().to_owned());
        }
    }
    all
}

#[test]
fn sentences_by_number_are_those_of_the_recursion() {
    let rules = BTreeMap::from([
        (
            "S",
            vec![vec!["A", "'is'", "B", "A"], vec!["'so'", "DEAD"], vec!["B"]],
        ),
        ("A", vec![vec!["'a'"], vec!["C", "'b'"], vec!["DEAD"]]),
        ("B", vec![vec!["C"], vec!["'d'", "C"]]),
        ("C", vec![vec!["'e'"], vec!["'f'"], vec!["'g'"]]),
    ]);
    let mut grammar = String::new();
    for name in ["S", "A", "B", "C"] {
        for alternative in &rules[name] {
            grammar.push_str(&format!("{name} -> {}\n", alternative.join(" ")));
        }
    }
    let grammar = parse(&grammar).unwrap();
    let written: Vec<String> = grammar.sentences().map(|s| s.text.to_lowercase()).collect();
    assert_eq!(written, enumerate(&rules, &["S"]));
}
