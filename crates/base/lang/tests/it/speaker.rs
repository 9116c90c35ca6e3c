//! The strict first-person detector on what people really write: traps, inclusive spelling, damaged script, letters.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::shared;
use epicene_core::Language;
use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Mode, Vote};

fn detector(code: &str, mode: Mode) -> Detector {
    Detector::of(Language::find(code).unwrap(), mode).unwrap()
}

fn letter(gender: Option<Gender>) -> char {
    gender.map_or('u', Gender::letter)
}

#[test]
fn traps_are_hardly_ever_misread() {
    let Some(folder) = shared::shared("gold/traps") else {
        return;
    };
    let table = fs::read_to_string(folder.join("first_person.tsv")).unwrap();
    // Items, gendered, right, wrong.
    let mut counts: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let found = letter(detector(fields[1], Mode::Strict).judge(fields[4]).gender());
        let gold = fields[5].chars().next().unwrap();
        for key in [fields[1], "all"] {
            let count = counts.entry(key.to_owned()).or_default();
            count[0] += 1;
            count[1] += usize::from(gold != 'u');
            count[2] += usize::from(gold != 'u' && gold == found);
            count[3] += usize::from(found != 'u' && gold != found);
        }
    }
    for (language, [items, gendered, right, wrong]) in counts {
        let rate = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let most = if language == "all" { 0.015 } else { 0.04 };
        assert!(
            rate(wrong, items) <= most,
            "{language}: {wrong} of {items} wrong"
        );
        if language == "all" {
            assert!(rate(right, gendered) >= 0.9, "{right} of {gendered} right");
        }
    }
}

/// Sentences of which every gendered word is written for both: `{}` stands for the separator, what follows it for the ending.
const INCLUSIVE: [(&str, &str); 10] = [
    ("pl", "Miałem{am} dużo pracy."),
    ("hr", "Dopustio{la} sam to."),
    ("cs", "Unavený{á} jsem byl{a} doma."),
    ("sk", "Bol{a} som doma."),
    ("sl", "Utrujen{a} sem bil{a} tam."),
    ("ru", "Я сегодня устал{а}."),
    ("uk", "Я сьогодні втомився{лася}."),
    ("fr", "Je suis fatigué{e} ce soir."),
    ("es", "Estoy cansado{a} hoy."),
    ("it", "Sono stanco{a} oggi."),
];

#[test]
fn inclusive_spelling_never_shows_one_gender() {
    let separators = [
        ["/", ""],
        ["(", ")"],
        ["*", ""],
        ["_", ""],
        [":", ""],
        ["·", ""],
        ["-", ""],
        ["/-", ""],
    ];
    let mut faults = Vec::new();
    for (code, template) in INCLUSIVE {
        for [open, close] in separators {
            let text = template.replace('{', open).replace('}', close);
            for mode in [Mode::Published, Mode::Extended, Mode::Strict] {
                let verdict = detector(code, mode).judge(&text);
                if verdict.gender().is_some() {
                    faults.push(format!("{code} {mode:?} {}: {text}", verdict.rule));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The mirrored sentences of a language, in their masculine and feminine wording, with their verdicts.
fn mirrored(code: &str) -> Vec<(char, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mirrored/first_person");
    let table = fs::read_to_string(folder.join(format!("{code}.txt"))).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(wordings).collect()
}

fn wordings(line: &str) -> [(char, String); 2] {
    let (golds, text) = line.split_once('\t').unwrap();
    let golds: Vec<char> = golds.chars().collect();
    [0, 1].map(|at| {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (choice, behind) = after.split_once('}').expect("a closing brace");
            out.push_str(before);
            out.push_str(choice.split('|').nth(at).expect("two wordings"));
            rest = behind;
        }
        (golds[at], out + rest)
    })
}

/// Cyrillic letters with a Latin twin, written as that.
fn with_latin_letters(text: &str) -> String {
    let twin = |letter: char| match letter {
        'а' => 'a',
        'е' => 'e',
        'о' => 'o',
        'с' => 'c',
        'р' => 'p',
        _ => letter,
    };
    let word = |word: &str| match word.chars().count() {
        // A word of lookalikes alone cannot be told from a Latin one.
        0..=3 => word.to_owned(),
        _ => word.chars().map(twin).collect(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn latin_letters_in_cyrillic_words_change_no_gender() {
    let mut faults = Vec::new();
    for code in ["ru", "uk", "be", "bg", "mk"] {
        let strict = detector(code, Mode::Strict);
        for (_, text) in mirrored(code) {
            let damaged = with_latin_letters(&text);
            let (whole, found) = (
                strict.judge(&text).gender(),
                strict.judge(&damaged).gender(),
            );
            // Unknown is honest; the other gender is not.
            if found.is_some() && found != whole {
                faults.push(format!("{code}: {damaged}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn arabic_without_its_dots_shows_the_same_gender() {
    let strict = detector("ar", Mode::Strict);
    for (text, wanted) in [
        ("أنا متعبه جدا", 'f'),
        ("انا سعيده اليوم", 'f'),
        ("كنت مريضه امس", 'f'),
        ("أنا صديقه", 'u'),
    ] {
        let found = letter(strict.judge(text).gender());
        assert!(
            found == wanted || wanted == 'u' && found == 'm',
            "{text}: {found}"
        );
    }
}

#[test]
fn letters_are_judged_as_documents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mirrored/documents");
    let (mut gendered, mut judged) = (0, 0);
    let mut faults = Vec::new();
    for code in ["fr", "it"] {
        let strict = detector(code, Mode::Strict);
        let table = fs::read_to_string(folder.join(format!("{code}.txt"))).unwrap();
        for (wanted, text) in table.lines().flat_map(wordings) {
            let text = text.replace("\\n", "\n");
            let document = strict.judge_document(&text, Vote::Majority);
            let found = letter(document.verdict.gender());
            gendered += usize::from(wanted != 'u');
            judged += usize::from(wanted != 'u' && found == wanted);
            if found != 'u' && found != wanted {
                faults.push(format!("{code} {found} not {wanted}: {text}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(
        judged as f64 >= 0.94 * gendered as f64,
        "{judged} of {gendered}"
    );
}
