//! Moses' punctuation: full-width signs and quotation marks made plain, blanks around signs put right, characters that are not printed
//! left out. The order of the rules matters; it is that of `transformers` and sacremoses, which follow the scripts of Moses.

use super::characters::SPACE;
use super::placed::{Placed, Rule};

/// `transformers` does these first.
const WIDE: &[(&str, &str)] = &[
    ("，", ","),
    ("。SPACE*", ". "),
    ("、", ","),
    ("[”“]", "\""),
    ("[∶：]", ":"),
    ("？", "?"),
    ("[《》]", "\""),
    ("）", ")"),
    ("！", "!"),
    ("（", "("),
    ("；", ";"),
    ("[」「]", "\""),
    ("０", "0"),
    ("１", "1"),
    ("２", "2"),
    ("３", "3"),
    ("４", "4"),
    ("５", "5"),
    ("６", "6"),
    ("７", "7"),
    ("８", "8"),
    ("９", "9"),
    ("．SPACE*", ". "),
    ("～", "~"),
    ("’", "'"),
    ("…", "..."),
    ("━", "-"),
    ("〈", "<"),
    ("〉", ">"),
    ("【", "["),
    ("】", "]"),
    ("％", "%"),
];

/// What the normaliser does in every language.
const COMMON: &[(&str, &str)] = &[
    ("\r", ""),
    (r"\(", " ("),
    (r"\)", ") "),
    (" +", " "),
    (r"\) ([.!:?;,])", ")$1"),
    (r"\( ", "("),
    (r" \)", ")"),
    (r"(\d) %", "$1%"),
    (" :", ":"),
    (" ;", ";"),
    // Quotation marks of the Penn treebank.
    ("`", "'"),
    ("''", " \" "),
    // Signs beyond ASCII.
    ("[„“”]", "\""),
    ("–", "-"),
    ("—", " - "),
    (" +", " "),
    ("´", "'"),
    ("([a-zA-Z])‘([a-zA-Z])", "$1'$2"),
    ("([a-zA-Z])’([a-zA-Z])", "$1'$2"),
    ("[‘‚’]", "'"),
    ("''", "\""),
    ("…", "..."),
    // French quotation marks.
    ("\u{a0}«\u{a0}", "\""),
    ("«\u{a0}", "\""),
    ("«", "\""),
    ("\u{a0}»\u{a0}", "\""),
    ("\u{a0}»", "\""),
    ("»", "\""),
    // Blanks that do not break.
    ("\u{a0}%", "%"),
    ("nº\u{a0}", "nº "),
    ("\u{a0}:", ":"),
    ("\u{a0}ºC", " ºC"),
    ("\u{a0}cm", " cm"),
    ("\u{a0}\\?", "?"),
    ("\u{a0}!", "!"),
    ("\u{a0};", ";"),
    (",\u{a0}", ", "),
    (" +", " "),
];

/// English: the full stop stands before the closing mark.
const ENGLISH: &[(&str, &str)] = &[(r#""([,.]+)"#, "$1\"")];

/// German, Spanish, French: behind it, but not at the end of a sentence.
const BEHIND: &[(&str, &str)] = &[(",\"", "\","), (r#"(\.+)"(SPACE*[^<])"#, "\"$1$2")];

#[derive(Debug)]
pub struct Punctuation {
    rules: Vec<Rule>,
    unprinted: Rule,
}

impl Punctuation {
    pub fn new(language: &str) -> Punctuation {
        let quotes = match language {
            "en" => ENGLISH,
            "de" | "es" | "fr" => BEHIND,
            _ => &[],
        };
        let number = match language {
            "de" | "es" | "cz" | "cs" | "fr" => "$1,$2",
            _ => "$1.$2",
        };
        let numbers = [("(\\d)\u{a0}(\\d)", number)];
        let all = [WIDE, COMMON, quotes, &numbers].concat();
        let rule = |(pattern, written): &(&str, &str)| {
            Rule::new(&pattern.replace("SPACE", SPACE), written)
        };
        Punctuation {
            rules: all.iter().map(rule).collect(),
            unprinted: Rule::new(r"\p{C}", ""),
        }
    }

    pub fn normalize(&self, text: &mut Placed) {
        for rule in &self.rules {
            rule.apply(text);
        }
        text.strip();
        self.unprinted.apply(text);
    }
}
