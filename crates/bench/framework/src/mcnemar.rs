//! Is a preference more than chance: McNemar's test against a coin, and the wins against one half. Measures of sentence
//! pairs and MBE share them.

use epicene_stats::{StatsError, binomial_test, draw, mcnemar_chi_square, mcnemar_exact};

use crate::options::{Choice, Spec, Stage, Values, required};
use crate::{Measured, Options};

pub static MCNEMAR: Choice<McNemarForm> = Choice {
    spec: Spec {
        name: "mcnemar",
        values: Values::OneOf(&["exact", "chi2", "chi2-corrected"]),
        default: Some("exact"),
        help: "Form of McNemar's test against a coin",
        heading: "Statistics",
        stage: Stage::numbers(&["mcnemar"]),
    },
    read: required,
};

/// The form of McNemar's test, for the signature, where it is not the exact one.
pub fn signed_mcnemar(options: &Options) -> Option<(&'static str, String)> {
    let form = options.get(&MCNEMAR);
    (form != McNemarForm::Exact).then(|| (MCNEMAR.spec.name, form.to_string()))
}

/// Puts McNemar's exact test of all items in the place of the clustered one.
pub fn test_exactly(measured: &mut Measured, p_value: f64) {
    let rows = measured.rows.iter_mut();
    rows.filter(|row| row.metric == "p_value" && row.group == "all")
        .for_each(|row| row.value = p_value);
    measured.how.retain(|(name, _)| *name != "test");
    measured.how.push(("test", "mcnemar-exact".to_owned()));
}

/// Which form of McNemar's test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum McNemarForm {
    #[default]
    Exact,
    ChiSquare,
    Corrected,
}

/// Two paired yes/no methods: the discordant counts and how surprising they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgainstRandom {
    /// b: only the model says "preferred".
    pub only_model: u64,
    /// c: only the coin does.
    pub only_random: u64,
}

impl AgainstRandom {
    /// Every item's win against a fair coin of its own.
    pub fn toss(wins: &[bool], seed: u64, stream: &str) -> AgainstRandom {
        let coins = draw::coins(seed, stream, wins.len());
        let count = |model: bool| {
            let pairs = wins.iter().zip(&coins);
            pairs
                .filter(|(win, coin)| **win == model && **coin != model)
                .count() as u64
        };
        AgainstRandom {
            only_model: count(true),
            only_random: count(false),
        }
    }

    /// (statistic, p). Where nothing differs p is 1, and the correction never makes a statistic of
    /// equal counts.
    pub fn test(&self, form: McNemarForm) -> Result<(f64, f64), StatsError> {
        let (b, c) = (self.only_model, self.only_random);
        let test = match form {
            McNemarForm::Exact => mcnemar_exact(b, c),
            _ if b == c => return Ok((0.0, 1.0)),
            McNemarForm::ChiSquare => mcnemar_chi_square(b, c, false)?,
            McNemarForm::Corrected => mcnemar_chi_square(b, c, true)?,
        };
        Ok((test.statistic, test.p_value))
    }
}

/// Two-sided binomial test of the wins against 1/2.
pub fn wins_against_half(wins: u64, trials: u64) -> Result<f64, StatsError> {
    binomial_test(wins, trials, 0.5)
}

impl std::str::FromStr for McNemarForm {
    type Err = String;

    fn from_str(given: &str) -> Result<McNemarForm, String> {
        match given {
            "exact" => Ok(McNemarForm::Exact),
            "chi2" => Ok(McNemarForm::ChiSquare),
            "chi2-corrected" => Ok(McNemarForm::Corrected),
            _ => Err(format!(
                "`{given}` is none of `exact`, `chi2`, `chi2-corrected`"
            )),
        }
    }
}

impl std::fmt::Display for McNemarForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            McNemarForm::Exact => "exact",
            McNemarForm::ChiSquare => "chi2",
            McNemarForm::Corrected => "chi2-corrected",
        })
    }
}
