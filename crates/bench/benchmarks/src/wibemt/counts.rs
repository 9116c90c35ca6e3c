//! Counts of labels, and the rates made of them (WiBeMT, section 2.5; specification, A6).

use super::label::Label;

/// Labels of a set of translations, by the gender of the pronoun where the sentence has one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub true_feminine: u64,
    pub false_masculine: u64,
    pub true_masculine: u64,
    pub false_feminine: u64,
    /// Female and male labels of sentences without a pronoun.
    pub female: u64,
    pub male: u64,
    pub neutral: u64,
    pub wrong: u64,
}

impl Counts {
    /// `feminine_pronoun` is `None` where the sentence shows no gender.
    pub fn add(&mut self, label: Label, feminine_pronoun: Option<bool>) {
        let cell = match (label, feminine_pronoun) {
            (Label::Neutral, _) => &mut self.neutral,
            (Label::Wrong, _) => &mut self.wrong,
            (Label::Female, None) => &mut self.female,
            (Label::Male, None) => &mut self.male,
            (Label::Female, Some(true)) => &mut self.true_feminine,
            (Label::Female, Some(false)) => &mut self.false_feminine,
            (Label::Male, Some(true)) => &mut self.false_masculine,
            (Label::Male, Some(false)) => &mut self.true_masculine,
        };
        *cell += 1;
    }

    pub fn feminine(&self) -> u64 {
        self.female + self.true_feminine + self.false_feminine
    }

    pub fn masculine(&self) -> u64 {
        self.male + self.true_masculine + self.false_masculine
    }

    pub fn classified(&self) -> u64 {
        self.feminine() + self.masculine()
    }

    pub fn total(&self) -> u64 {
        self.classified() + self.neutral + self.wrong
    }

    /// Correct and all classified translations of sentences with a pronoun.
    pub fn correct(&self) -> (u64, u64) {
        let correct = self.true_feminine + self.true_masculine;
        (
            correct,
            correct + self.false_feminine + self.false_masculine,
        )
    }

    /// (female, male): a row of the tables that are tested.
    pub fn row(&self) -> [u64; 2] {
        [self.feminine(), self.masculine()]
    }

    /// The repository's further measures, with the share of female translations; undefined ones are left out.
    pub fn further(&self) -> Vec<(&'static str, f64)> {
        let ratio = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let (correct, gendered) = self.correct();
        let has_pronouns = gendered > 0;
        let with = |value: Option<f64>| value.filter(|_| has_pronouns);
        let (tf, ff) = (self.true_feminine, self.false_feminine);
        let (tm, fm) = (self.true_masculine, self.false_masculine);
        let (sensitivity_f, sensitivity_m) = (ratio(tf, tf + fm), ratio(tm, tm + ff));
        let balanced = sensitivity_f.zip(sensitivity_m).map(|(f, m)| (f + m) / 2.0);
        let margins = [(tf, ff), (tf, fm), (tm, ff), (tm, fm)];
        let margins = margins.map(|(a, b)| (a + b) as f64);
        let product: f64 = margins.iter().map(|margin| margin.sqrt()).product();
        let matthews = ((tf as f64 * tm as f64) - (ff as f64 * fm as f64)) / product;
        [
            ("classified_ratio", ratio(self.classified(), self.total())),
            ("neutral_ratio", ratio(self.neutral, self.total())),
            ("wrong_ratio", ratio(self.wrong, self.total())),
            ("sensitivity_female", with(sensitivity_f)),
            ("sensitivity_male", with(sensitivity_m)),
            ("precision_female", with(ratio(tf, tf + ff))),
            ("precision_male", with(ratio(tm, tm + fm))),
            ("accuracy", with(ratio(correct, gendered))),
            ("accuracy_all", with(ratio(correct, self.total()))),
            ("balanced_accuracy", with(balanced)),
            ("f1_female", with(ratio(2 * tf, 2 * tf + ff + fm))),
            ("mcc", with((product > 0.0).then_some(matthews))),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, epicene_stats::round_half_even(value?, 4))))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: TF 3, FM 1, TM 4, FF 2, 1 neutral, 1 wrong.
    #[test]
    fn further_measures_follow_their_definitions() {
        let mut counts = Counts::default();
        for (label, feminine, times) in [
            (Label::Female, true, 3),
            (Label::Male, true, 1),
            (Label::Male, false, 4),
            (Label::Female, false, 2),
            (Label::Neutral, true, 1),
            (Label::Wrong, false, 1),
        ] {
            for _ in 0..times {
                counts.add(label, Some(feminine));
            }
        }
        let found: std::collections::BTreeMap<_, _> = counts.further().into_iter().collect();
        for (name, expected) in [
            ("classified_ratio", 0.8333),
            ("neutral_ratio", 0.0833),
            ("sensitivity_female", 0.75),
            ("sensitivity_male", 0.6667),
            ("precision_female", 0.6),
            ("precision_male", 0.8),
            ("accuracy", 0.7),
            ("accuracy_all", 0.5833),
            ("balanced_accuracy", 0.7083),
            ("f1_female", 0.6667),
            // (3·4 - 2·1) / √(5·4·6·5)
            ("mcc", 0.4082),
        ] {
            assert_eq!(found[name], expected, "{name}");
        }
        let bare = Counts {
            female: 1,
            ..Counts::default()
        };
        assert_eq!(bare.further().len(), 3);
    }
}
