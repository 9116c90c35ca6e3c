//! Moses' tokenizer: words, numbers and signs apart. The steps are those of sacremoses (`MosesTokenizer(lang).tokenize(text,
//! return_str=False, escape=False)`), in its order.

use std::ops::Range;

use regex::Regex;

use super::characters::{HANGUL, LOWER, NUMBER, SPACE, alnum, alpha};
use super::placed::{Placed, Rule, group};
use super::prefixes::Prefixes;

#[derive(Debug)]
pub struct Words {
    clean: Vec<Rule>,
    signs: Rule,
    dots: Regex,
    commas_and_apostrophes: Vec<Rule>,
    prefixes: Prefixes,
    letter: Regex,
    lower_start: Regex,
    last_dot: Rule,
    dots_again: Regex,
}

impl Words {
    pub fn new(language: &str) -> Words {
        let more = if language == "ko" { HANGUL } else { "" };
        let (alnum, alpha, n) = (alnum(more), alpha(more), NUMBER);
        let mut rules = vec![
            Rule::new(&format!("([^{n}]),"), "$1 , "),
            Rule::new(&format!(",([^{n}])"), " , $1"),
            Rule::new(&format!("({n}),$"), "$1 , "),
        ];
        let apostrophes = match language {
            "en" => vec![
                (format!("([^{alpha}])'([^{alpha}])"), "$1 ' $2"),
                (format!("([^{alpha}{n}])'({alpha})"), "$1 ' $2"),
                (format!("({alpha})'([^{alpha}])"), "$1 ' $2"),
                (format!("({alpha})'({alpha})"), "$1 '$2"),
                (format!("({n})'(s)"), "$1 '$2"),
            ],
            "fr" | "it" => vec![
                (format!("([^{alpha}])'([^{alpha}])"), "$1 ' $2"),
                (format!("([^{alpha}])'({alpha})"), "$1 ' $2"),
                (format!("({alpha})'([^{alpha}])"), "$1 ' $2"),
                (format!("({alpha})'({alpha})"), "$1' $2"),
            ],
            _ => vec![("'".to_owned(), " ' ")],
        };
        let apostrophes = apostrophes.iter();
        rules.extend(apostrophes.map(|(pattern, written)| Rule::new(pattern, written)));
        let pattern = |pattern: &str| Regex::new(pattern).expect("written here");
        Words {
            clean: Rule::all(&[(&format!("{SPACE}+"), " "), (r"[\x{0}-\x{1F}]", "")]),
            signs: Rule::new(&format!(r"([^{alnum}{SPACE}.'`,\-])"), " $1 "),
            dots: pattern(r"\.{2,}"),
            commas_and_apostrophes: rules,
            prefixes: Prefixes::new(language),
            letter: pattern(&alpha),
            lower_start: pattern(&format!("^{LOWER}")),
            last_dot: Rule::new(r"\.' ?$", " . ' "),
            dots_again: pattern("(?:DOT)+MULTI"),
        }
    }

    /// The words of a text.
    pub fn of(&self, text: &mut Placed) -> Vec<Placed> {
        for rule in &self.clean {
            rule.apply(text);
        }
        text.strip();
        self.signs.apply(text);
        // Several dots stay together. They are hidden behind the letters that sacremoses hides them behind, since the rules see those.
        let end = text.text().len();
        text.rewrite(&self.dots, |source, found, written| {
            let range = group(found, 0);
            let place = source.place(range.clone());
            let marker = format!(" {}MULTI", "DOT".repeat(range.len()));
            let blank = if range.end < end { " " } else { "" };
            for letter in marker.chars().chain(blank.chars()) {
                written.push(letter, place);
            }
        });
        for rule in &self.commas_and_apostrophes {
            rule.apply(text);
        }
        self.split_stops(text);
        self.clean[0].apply(text);
        text.strip();
        self.last_dot.apply(text);
        text.rewrite(&self.dots_again, |source, found, written| {
            let range = group(found, 0);
            let place = source.place(range.clone());
            for _ in 0..(range.len() - "MULTI".len()) / "DOT".len() {
                written.push('.', place);
            }
        });
        text.words().map(|word| text.part(word)).collect()
    }

    /// A full stop at the end of a word is one of its own, except behind abbreviations and before small letters.
    fn split_stops(&self, text: &mut Placed) {
        let words: Vec<Range<usize>> = text.words().collect();
        let spelled = |range: &Range<usize>| &text.text()[range.clone()];
        let mut stops = Vec::new();
        for (number, range) in words.iter().enumerate() {
            let Some(word) = spelled(range).strip_suffix('.') else {
                continue;
            };
            let next = words.get(number + 1).map(spelled);
            let is_kept = word.is_empty()
                || (word.contains('.') && self.letter.is_match(word))
                || self.prefixes.keeps_stop(word, next)
                || next.is_some_and(|next| self.lower_start.is_match(next));
            if !is_kept {
                stops.push(range.end - 1);
            }
        }
        text.insert_blanks(&stops);
    }
}
