//! Correct, wrong or inconclusive, and how many of each.

use epicene_lang::Gender;
use epicene_lang::occupation::NounGender;

/// Grammatical gender found for the occupation, as a tagger writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    Masculine,
    Feminine,
    Neuter,
    /// Common gender.
    Common,
    /// A word stands for the occupation and shows no gender: `_`.
    Unmarked,
    /// No word stands for the occupation: `None`.
    Unaligned,
    /// Several values at once, `Fem,Masc`.
    Combined,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Correct,
    Wrong,
    Inconclusive,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub correct: u64,
    pub wrong: u64,
    pub inconclusive: u64,
}

impl Tag {
    /// A value of the Gender feature, `_` or `None`; nothing else is a tag.
    pub fn parse(word: &str) -> Option<Tag> {
        match word {
            "Masc" => Some(Tag::Masculine),
            "Fem" => Some(Tag::Feminine),
            "Neut" => Some(Tag::Neuter),
            "Com" => Some(Tag::Common),
            "_" => Some(Tag::Unmarked),
            "None" => Some(Tag::Unaligned),
            _ if word.contains(',') => {
                let known = ["Masc", "Fem", "Neut", "Com"];
                let all = word.split(',').all(|part| known.contains(&part));
                all.then_some(Tag::Combined)
            }
            _ => None,
        }
    }

    pub fn of_verdict(gender: Option<NounGender>) -> Tag {
        match gender {
            Some(NounGender::Masculine) => Tag::Masculine,
            Some(NounGender::Feminine) => Tag::Feminine,
            Some(NounGender::Neuter) => Tag::Neuter,
            Some(NounGender::Common) => Tag::Common,
            None => Tag::Unmarked,
        }
    }

    pub fn gender(self) -> Option<Gender> {
        match self {
            Tag::Masculine => Some(Gender::Masculine),
            Tag::Feminine => Some(Gender::Feminine),
            _ => None,
        }
    }

    /// The verdict letter of `epicene items`.
    pub fn letter(self) -> char {
        match self {
            Tag::Masculine => 'm',
            Tag::Feminine => 'f',
            Tag::Neuter | Tag::Common => 'n',
            Tag::Unmarked | Tag::Unaligned | Tag::Combined => 'u',
        }
    }
}

impl Outcome {
    pub fn of(expected: Gender, tag: Tag) -> Outcome {
        match tag.gender() {
            Some(found) if found == expected => Outcome::Correct,
            Some(_) => Outcome::Wrong,
            None => Outcome::Inconclusive,
        }
    }

    /// As the authors' adjective figures count: only `_` is inconclusive, every other tag that is
    /// not the right gender is wrong.
    pub fn of_figure(expected: Gender, tag: Tag) -> Outcome {
        match tag {
            Tag::Unmarked => Outcome::Inconclusive,
            tag if tag.gender() == Some(expected) => Outcome::Correct,
            _ => Outcome::Wrong,
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

impl Counts {
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Correct => self.correct += 1,
            Outcome::Wrong => self.wrong += 1,
            Outcome::Inconclusive => self.inconclusive += 1,
        }
    }

    pub fn join(&mut self, other: Counts) {
        self.correct += other.correct;
        self.wrong += other.wrong;
        self.inconclusive += other.inconclusive;
    }

    pub fn total(&self) -> u64 {
        self.correct + self.wrong + self.inconclusive
    }

    /// Correct, wrong, inconclusive in this order.
    pub fn each(&self) -> [u64; 3] {
        [self.correct, self.wrong, self.inconclusive]
    }

    /// Share of correct sentences, the inconclusive ones in the denominator; none of none.
    pub fn accuracy(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.correct as f64 / self.total() as f64)
    }

    /// The authors' proportions: count / (total + 0.0001), two decimals.
    pub fn rounded(&self) -> [f64; 3] {
        self.each()
            .map(|count| two_decimals(count as f64 / (self.total() as f64 + 0.0001)))
    }

    /// A line of the authors' files, after its key.
    pub fn line(&self) -> String {
        let [p, q, r] = self.rounded();
        let [correct, wrong, na] = self.each();
        format!(
            "{p:.2} {q:.2} {r:.2} {correct} {wrong} {na} {}",
            self.total()
        )
    }
}

/// What printing with two decimals and reading back gives.
fn two_decimals(value: f64) -> f64 {
    format!("{value:.2}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_words() {
        assert_eq!(Tag::parse("Fem,Masc"), Some(Tag::Combined));
        assert_eq!(Tag::parse("None"), Some(Tag::Unaligned));
        for word in ["Femme", "masc", "", ",", "Fem,", "."] {
            assert_eq!(Tag::parse(word), None, "{word}");
        }
    }

    #[test]
    fn only_the_two_genders_decide() {
        let of = |tag| Outcome::of(Gender::Feminine, tag);
        assert_eq!(of(Tag::Feminine), Outcome::Correct);
        assert_eq!(of(Tag::Masculine), Outcome::Wrong);
        for tag in [
            Tag::Neuter,
            Tag::Common,
            Tag::Unmarked,
            Tag::Unaligned,
            Tag::Combined,
        ] {
            assert_eq!(of(tag), Outcome::Inconclusive);
            let wrong = Outcome::of_figure(Gender::Feminine, tag) == Outcome::Wrong;
            assert_eq!(wrong, tag != Tag::Unmarked);
        }
    }

    #[test]
    fn lines_are_the_authors() {
        let counts = Counts {
            correct: 34942,
            wrong: 21821,
            inconclusive: 1269,
        };
        assert_eq!(counts.line(), "0.60 0.38 0.02 34942 21821 1269 58032");
    }
}
