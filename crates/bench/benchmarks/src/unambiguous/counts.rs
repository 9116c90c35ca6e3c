//! Correct, wrong or inconclusive, and how many of each: rows, figures and the authors' files are made of these counts.

use epicene_core::{Finding, Gender, Outcome};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub correct: u64,
    pub wrong: u64,
    pub inconclusive: u64,
}

/// A value of the Gender feature as a tagger writes it, `_` for a word that shows none, `None` where no word stands for
/// the occupation; nothing else is a tag.
pub fn tag(word: &str) -> Option<Finding> {
    match word {
        "Masc" => Some(Finding::Masculine),
        "Fem" => Some(Finding::Feminine),
        "Neut" => Some(Finding::Neuter),
        "Com" => Some(Finding::Common),
        "_" => Some(Finding::Unmarked),
        "None" => Some(Finding::NotFound),
        _ if word.contains(',') => {
            let known = ["Masc", "Fem", "Neut", "Com"];
            let all = word.split(',').all(|part| known.contains(&part));
            all.then_some(Finding::Ambiguous)
        }
        _ => None,
    }
}

/// As the authors' adjective figures count: only `_` is inconclusive, everything else that is not the right gender is
/// wrong.
pub(crate) fn figure_outcome(expected: Gender, finding: Finding) -> Outcome {
    match finding {
        Finding::Unmarked => Outcome::Inconclusive,
        finding if finding.gender() == Some(expected) => Outcome::Correct,
        _ => Outcome::Wrong,
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
    let printed = format!("{value:.2}");
    printed.parse().expect("a printed number can be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_words() {
        assert_eq!(tag("Fem,Masc"), Some(Finding::Ambiguous));
        assert_eq!(tag("None"), Some(Finding::NotFound));
        for word in ["Femme", "masc", "", ",", "Fem,", "."] {
            assert_eq!(tag(word), None, "{word}");
        }
    }

    #[test]
    fn only_the_two_genders_decide() {
        let of = |tag| Outcome::of(Gender::Feminine, tag);
        assert_eq!(of(Finding::Feminine), Outcome::Correct);
        assert_eq!(of(Finding::Masculine), Outcome::Wrong);
        for tag in [
            Finding::Neuter,
            Finding::Common,
            Finding::Unmarked,
            Finding::NotFound,
            Finding::Ambiguous,
        ] {
            assert_eq!(of(tag), Outcome::Inconclusive);
            let wrong = figure_outcome(Gender::Feminine, tag) == Outcome::Wrong;
            assert_eq!(wrong, tag != Finding::Unmarked);
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
