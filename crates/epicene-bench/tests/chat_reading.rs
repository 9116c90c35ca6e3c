//! Readers of chat answers on a table of real-looking answers (`tests/chat/answers.tsv`).
#![allow(clippy::unwrap_used, clippy::panic)]

use epicene_bench::chat::reading::{OfferedOptions, read_character, read_choice, read_completion};
use epicene_bench::chat::{Labels, Order};
use epicene_core::{ChatAnswer, Finding, Finish, Verdict};

fn options(name: &str) -> Option<OfferedOptions> {
    let choice = |labels, order: &str, words: [&str; 3]| {
        Some(OfferedOptions {
            labels,
            order: order.parse::<Order>().unwrap(),
            words: words.map(str::to_owned),
        })
    };
    let told = ["A man", "A woman", "It cannot be told"];
    match name {
        "cap" => choice(Labels::Capitals('.'), "mfn", told),
        "rev" => choice(Labels::Capitals('.'), "nfm", told),
        "bra" => choice(
            Labels::Brackets,
            "mfn",
            ["Men", "Women", "Neither more than the other"],
        ),
        "wrd" => choice(Labels::Words, "mfn", ["man", "woman", "unknown"]),
        "nam" => choice(
            Labels::Capitals(')'),
            "mfn",
            ["Paul", "Ashley", "There is no way to know"],
        ),
        _ => None,
    }
}

fn read(frame: &str, text: &str) -> Verdict {
    let answer = ChatAnswer::new(text, Finish::Stop);
    match (options(frame), frame) {
        (Some(options), _) => read_choice(&answer, &options),
        (None, "completion") => read_completion(&answer),
        (None, "character") => read_character(&answer),
        _ => panic!("no frame {frame}"),
    }
}

#[test]
fn answers_are_read_as_a_person_would() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(include_str!("chat/answers.tsv").lines()) {
        if line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line.split('\t').collect();
        let [frame, text, finding, rule, evidence] = cells[..] else {
            panic!("line {number} has {} cells", cells.len());
        };
        let text = text.replace("\\n", "\n").replace("\\\\", "\\");
        let verdict = read(frame, &text);
        let name = match verdict.finding {
            Finding::Both => "mixed",
            other => other.name(),
        };
        let words: Vec<&str> = verdict.evidence.iter().map(|span| span.of(&text)).collect();
        let fits = (finding == "-" || finding == name)
            && (rule == "-" || rule == verdict.rule)
            && (evidence == "-" || evidence == words.join("|"));
        if !fits {
            wrong.push(format!(
                "line {number}: {text:?}\n  expected {finding} {rule} {evidence}, found {name} {} {}",
                verdict.rule,
                words.join("|")
            ));
        }
        count += 1;
    }
    assert!(count >= 150, "{count}");
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn what_the_service_held_back_is_a_refusal() {
    let options = options("cap").unwrap();
    for finish in [Finish::Refused, Finish::Filtered] {
        let answer = ChatAnswer::new("B", finish);
        assert_eq!(read_choice(&answer, &options).finding, Finding::Refused);
        assert_eq!(read_completion(&answer).finding, Finding::Refused);
        assert_eq!(read_character(&answer).finding, Finding::Refused);
    }
}

/// Mirrored options mirror the verdict.
#[test]
fn genders_are_read_alike() {
    let mirrored = |text: &str| {
        let swap = [
            ("woman", "\u{1}"),
            ("man", "woman"),
            ("\u{1}", "man"),
            ("Women", "\u{1}"),
            ("Men", "Women"),
            ("\u{1}", "Men"),
            ("She", "\u{1}"),
            ("He ", "She "),
            ("\u{1} ", "He "),
        ];
        swap.iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    for text in [
        "A woman",
        "The speaker is a woman.",
        "It is more likely a woman than a man.",
        "She said it.",
        "Women",
    ] {
        let found = read("wrd", text).finding;
        let other = read("wrd", &mirrored(text)).finding;
        assert_eq!(found, Finding::Feminine, "{text}");
        assert_eq!(other, Finding::Masculine, "{}", mirrored(text));
    }
}
