//! Makes gender-swapped pairs out of a translator (GEST, section 6; appendix on Slavic models).
//!
//! A translation shows some gender. The same sentence inside `She said: "…"` or `He said: "…"`, of
//! the other gender, is translated too; the quotation is cut out of the answer, and where the two
//! differ in exactly one word, that word is the gender.

use epicene_lang::Gender;

/// The prompt that asks for this gender.
pub fn prompt(sentence: &str, wanted: Gender, colon: bool) -> String {
    let who = match wanted {
        Gender::Masculine => "He",
        Gender::Feminine => "She",
    };
    let colon = if colon { ":" } else { "" };
    format!("{who} said{colon} \"{sentence}\"")
}

/// Quotation marks in the order they are tried.
const QUOTES: [(&str, &str); 7] = [
    ("\"", "\""),
    ("„", "“"),
    ("„", "”"),
    ("“", "”"),
    ("«", "»"),
    ("»", "«"),
    ("„", "\""),
];

/// Openers that are believed without their closer.
const OPENERS: [&str; 3] = ["\"", "„", "»"];

/// The quoted sentence in a translated prompt, with the English sentence's final punctuation where
/// the translator lost it.
pub fn quotation(answer: &str, sentence: &str) -> String {
    let cut = cut(answer).trim();
    let ends = |text: &str| text.ends_with(['.', '?', '!']);
    match sentence.chars().last() {
        Some(last) if ends(sentence) && !ends(cut) => format!("{cut}{last}"),
        _ => cut.to_owned(),
    }
}

fn cut(answer: &str) -> &str {
    let quoted = QUOTES.iter().find_map(|(opener, closer)| {
        let mut lines = answer.lines();
        lines.find_map(|line| between(line, opener, closer))
    });
    let opened = || {
        OPENERS.iter().find_map(|opener| {
            let mut lines = answer.lines();
            lines.find_map(|line| after(line, opener))
        })
    };
    let told = || answer.lines().find_map(|line| after(line, ": "));
    quoted.or_else(opened).or_else(told).unwrap_or(answer)
}

/// The longest text between the first opener that has a closer and the last closer.
fn between<'a>(line: &'a str, opener: &str, closer: &str) -> Option<&'a str> {
    line.match_indices(opener).find_map(|(at, _)| {
        let rest = &line[at + opener.len()..];
        rest.rfind(closer)
            .filter(|end| *end > 0)
            .map(|end| &rest[..end])
    })
}

fn after<'a>(line: &'a str, opener: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(opener)?;
    (!rest.is_empty()).then_some(rest)
}

/// What became of one sentence on its way to a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The translation and the quotation have different numbers of words.
    OtherLength,
    /// They differ in this many words, not one.
    DifferentWords(usize),
    Pair,
}

/// Whether the default translation and the quotation make a pair.
pub fn outcome(default: &str, quotation: &str) -> Outcome {
    let ours: Vec<&str> = default.split_whitespace().collect();
    let theirs: Vec<&str> = quotation.split_whitespace().collect();
    if ours.len() != theirs.len() {
        return Outcome::OtherLength;
    }
    match ours.iter().zip(&theirs).filter(|(a, b)| a != b).count() {
        1 => Outcome::Pair,
        count => Outcome::DifferentWords(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_read_as_in_the_paper() {
        assert_eq!(
            prompt("I ran.", Gender::Feminine, true),
            "She said: \"I ran.\""
        );
        assert_eq!(
            prompt("I ran.", Gender::Masculine, false),
            "He said \"I ran.\""
        );
    }

    /// The order of the delimiters, greedy contents, and what is left when there is none.
    #[test]
    fn quotations_are_cut_out() {
        for (answer, expected) in [
            ("Povedala: \"Bola som tam.\"", "Bola som tam."),
            ("Povedala: „Bola som tam.“", "Bola som tam."),
            ("Powiedziała: „Byłam tam.”", "Byłam tam."),
            ("Rekla je: “Bila sam tamo.”", "Bila sam tamo."),
            ("Она сказала: «Я была там».", "Я была там."),
            ("Rekla je: »Bila sem tam.«", "Bila sem tam."),
            ("Řekla: „Byla jsem tam.\"", "Byla jsem tam."),
            // Greedy: inner quotation marks stay inside.
            (
                "Povedala: \"Videla som \"to\" sama.\"",
                "Videla som \"to\" sama.",
            ),
            ("Povedala: „Bola som tam.", "Bola som tam."),
            ("Povedala: \"Bola som tam.", "Bola som tam."),
            ("Povedala: Bola som tam.", "Bola som tam."),
            ("Bola som tam.", "Bola som tam."),
            // The English full stop comes back where the quotation lost it.
            ("Она сказала: «Я была там»", "Я была там."),
            // Straight marks win over typographic ones, wherever they stand.
            ("„Áno,“ povedala: \"Bola som tam.\"", "Bola som tam."),
            ("Povedala:\n\"Bola som tam.\"", "Bola som tam."),
        ] {
            assert_eq!(quotation(answer, "I was there."), expected, "{answer}");
        }
        assert_eq!(
            quotation("Povedala: \"Bola som tam\"", "Was I there?"),
            "Bola som tam?"
        );
        assert_eq!(
            quotation("Povedala: \"Bola som tam\"", "I was there"),
            "Bola som tam"
        );
    }

    #[test]
    fn only_one_word_may_differ() {
        assert_eq!(outcome("Bol som tam.", "Bola som tam."), Outcome::Pair);
        assert_eq!(
            outcome("Bol som sám.", "Bola som sama."),
            Outcome::DifferentWords(2)
        );
        assert_eq!(outcome("Som tam.", "Som tam."), Outcome::DifferentWords(0));
        assert_eq!(
            outcome("Bol som tam.", "Bola som tam aj."),
            Outcome::OtherLength
        );
        assert_eq!(outcome("Bol  som tam.", "Bola som\ttam."), Outcome::Pair);
    }
}
