//! What a judge says about one answer, and which words made it say so. Verdicts are made anew from the
//! log; measures, `items`, the page and people's decisions all read the same ones.

use std::fmt;

/// Grammatical gender given to the person spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gender {
    Masculine,
    Feminine,
}

/// Characters (not bytes) of the answer's text, as it was logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First character, counted from 0.
    pub start: u32,
    /// One past the last character.
    pub end: u32,
}

/// What an answer shows, or why it shows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finding {
    Masculine,
    Feminine,
    Neuter,
    /// One word for everybody.
    Common,
    /// Both genders are named: "ein Arzt oder eine Ärztin".
    Both,
    /// One word is written for both genders: "Ärzt*in", "alumnes".
    Inclusive,
    /// Which of two readings was preferred.
    Stereotypical,
    AntiStereotypical,
    Tie,
    /// A word is there and shows no gender.
    Unmarked,
    /// The word could be of several genders.
    Ambiguous,
    /// No word stands for what was asked about.
    NotFound,
    Mistranslated,
    /// Neither gender was chosen, or a person is spoken of as `they`.
    Neutral,
    /// The system would not answer.
    Refused,
    /// An answer that says nothing about what was asked.
    Unreadable,
    /// The rules leave it to a person.
    Undecided,
    /// The source of answers has none.
    NoAnswer,
}

/// Beside what would have been right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    Correct,
    Wrong,
    Inconclusive,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub finding: Finding,
    /// `None` where the item has no right answer.
    pub outcome: Option<Outcome>,
    /// Name of the rule that decided; empty where none did.
    pub rule: &'static str,
    /// The deciding words, in the order of the text.
    pub evidence: Box<[Span]>,
}

impl Gender {
    /// The one-letter code of the command line: `m` or `f`.
    pub fn letter(self) -> char {
        match self {
            Gender::Masculine => 'm',
            Gender::Feminine => 'f',
        }
    }

    pub fn opposite(self) -> Gender {
        match self {
            Gender::Masculine => Gender::Feminine,
            Gender::Feminine => Gender::Masculine,
        }
    }
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        let character = |place: usize| u32::try_from(place).expect("texts are shorter than 4 GiB");
        Span {
            start: character(start),
            end: character(end),
        }
    }

    /// The same words in a text that has so many characters before.
    pub fn behind(self, characters: usize) -> Span {
        let [start, end] = [self.start, self.end].map(|place| place as usize + characters);
        Span::new(start, end)
    }

    /// The characters themselves.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        let place = |character: u32| {
            let mut starts = text.char_indices().map(|(byte, _)| byte);
            starts.nth(character as usize).unwrap_or(text.len())
        };
        &text[place(self.start)..place(self.end)]
    }
}

impl Finding {
    pub const ALL: [Finding; 17] = [
        Finding::Masculine,
        Finding::Feminine,
        Finding::Neuter,
        Finding::Common,
        Finding::Both,
        Finding::Stereotypical,
        Finding::AntiStereotypical,
        Finding::Tie,
        Finding::Unmarked,
        Finding::Ambiguous,
        Finding::NotFound,
        Finding::Mistranslated,
        Finding::Neutral,
        Finding::Refused,
        Finding::Unreadable,
        Finding::Undecided,
        Finding::NoAnswer,
    ];

    pub fn gender(self) -> Option<Gender> {
        match self {
            Finding::Masculine => Some(Gender::Masculine),
            Finding::Feminine => Some(Gender::Feminine),
            _ => None,
        }
    }

    /// The verdict of `epicene items` and the page: `m`, `f`, `n` for neutral, `u` for unknown.
    pub fn letter(self) -> char {
        match self {
            Finding::Masculine => 'm',
            Finding::Feminine => 'f',
            Finding::Neuter
            | Finding::Common
            | Finding::Both
            | Finding::Inclusive
            | Finding::Neutral => 'n',
            Finding::Stereotypical
            | Finding::AntiStereotypical
            | Finding::Tie
            | Finding::Unmarked
            | Finding::Ambiguous
            | Finding::NotFound
            | Finding::Mistranslated
            | Finding::Refused
            | Finding::Unreadable
            | Finding::Undecided
            | Finding::NoAnswer => 'u',
        }
    }

    /// For people and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Finding::Masculine => "masculine",
            Finding::Feminine => "feminine",
            Finding::Neuter => "neuter",
            Finding::Common => "common",
            Finding::Both => "both",
            Finding::Inclusive => "inclusive",
            Finding::Stereotypical => "stereotypical",
            Finding::AntiStereotypical => "anti-stereotypical",
            Finding::Tie => "tie",
            Finding::Unmarked => "unmarked",
            Finding::Ambiguous => "ambiguous",
            Finding::NotFound => "not-found",
            Finding::Mistranslated => "mistranslated",
            Finding::Neutral => "neutral",
            Finding::Refused => "refused",
            Finding::Unreadable => "unreadable",
            Finding::Undecided => "undecided",
            Finding::NoAnswer => "no-answer",
        }
    }
}

impl From<Gender> for Finding {
    fn from(gender: Gender) -> Finding {
        match gender {
            Gender::Masculine => Finding::Masculine,
            Gender::Feminine => Finding::Feminine,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Outcome {
    /// Whether a finding is the gender that was asked for; what shows no gender is inconclusive.
    pub fn of(expected: Gender, finding: Finding) -> Outcome {
        match finding.gender() {
            Some(found) if found == expected => Outcome::Correct,
            Some(_) => Outcome::Wrong,
            None => Outcome::Inconclusive,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Outcome::Correct => "correct",
            Outcome::Wrong => "wrong",
            Outcome::Inconclusive => "inconclusive",
        }
    }
}

impl Verdict {
    pub fn new(finding: Finding, rule: &'static str) -> Verdict {
        Verdict {
            finding,
            outcome: None,
            rule,
            evidence: Box::default(),
        }
    }

    pub fn with_evidence(mut self, evidence: impl IntoIterator<Item = Span>) -> Verdict {
        self.evidence = evidence.into_iter().collect();
        self
    }

    pub fn gender(&self) -> Option<Gender> {
        self.finding.gender()
    }

    /// Masculine above zero, feminine below: which of two readings a model prefers.
    pub fn of_preference(preference: f64) -> Verdict {
        let finding = match preference {
            p if p > 0.0 => Finding::Masculine,
            p if p < 0.0 => Finding::Feminine,
            _ => Finding::Tie,
        };
        Verdict::new(finding, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_count_characters() {
        assert_eq!(Span::new(5, 9).of("Žena bola doma."), "bola");
        assert_eq!(Span::new(10, 15).of("Žena bola doma."), "doma.");
    }

    #[test]
    fn a_verdict_is_small() {
        assert!(size_of::<Option<Verdict>>() <= 40);
    }
}
