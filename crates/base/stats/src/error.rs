//! What can be wrong with numbers given to this crate.

/// An argument this crate cannot compute with; the message names the argument and what was wrong with it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatsError {
    #[error("{argument} is empty")]
    Empty { argument: &'static str },

    #[error("{argument} has {got} value(s), at least {needed} are needed")]
    TooFew {
        argument: &'static str,
        needed: usize,
        got: usize,
    },

    #[error("{argument} has {got} value(s) where {expected} were expected")]
    LengthMismatch {
        argument: &'static str,
        expected: usize,
        got: usize,
    },

    #[error("{argument}[{index}] is {value}, not a finite number")]
    NotFinite {
        argument: &'static str,
        index: usize,
        value: f64,
    },

    #[error("{argument}[{index}] is {value}, not a positive number")]
    NotPositive {
        argument: &'static str,
        index: usize,
        value: f64,
    },

    #[error("{argument} is constant, so its correlation with anything is undefined")]
    Constant { argument: &'static str },

    #[error("{argument} is {value}, outside {range}")]
    OutOfRange {
        argument: &'static str,
        value: f64,
        range: &'static str,
    },

    #[error("{argument}: {successes} successes out of {trials} trials")]
    MoreSuccessesThanTrials {
        argument: &'static str,
        successes: u64,
        trials: u64,
    },

    #[error("{axis} {index} of the table sums to zero, so its expected counts are zero")]
    ZeroMargin { axis: &'static str, index: usize },

    #[error("the table has a zero cell, so its odds ratio has no Woolf interval")]
    ZeroCell,

    #[error("{result} is undefined: {reason}")]
    Degenerate {
        result: &'static str,
        reason: &'static str,
    },
}

/// Refuses NaN and infinities, naming the first one.
pub(crate) fn all_finite(argument: &'static str, values: &[f64]) -> Result<(), StatsError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(StatsError::NotFinite {
            argument,
            index,
            value: values[index],
        }),
        None => Ok(()),
    }
}

/// Refuses an empty slice and anything not finite.
pub(crate) fn some_finite(argument: &'static str, values: &[f64]) -> Result<(), StatsError> {
    if values.is_empty() {
        return Err(StatsError::Empty { argument });
    }
    all_finite(argument, values)
}

/// Refuses a confidence level that is not strictly between 0 and 1.
pub(crate) fn valid_level(level: f64) -> Result<(), StatsError> {
    // Written so that NaN is refused as well.
    if level > 0.0 && level < 1.0 {
        Ok(())
    } else {
        Err(StatsError::OutOfRange {
            argument: "level",
            value: level,
            range: "(0, 1)",
        })
    }
}
