//! From log-probabilities to a preference (specification, section 3): the share of the masculine text in the two, as the
//! logistic of the difference of logarithms, which never underflows.

use epicene_core::{Answer, TextPairScore, TextRelation, TextScore};

use super::options::Score;
use crate::{BenchError, ColumnView};

/// P(masculine) / (P(masculine) + P(feminine)); `None` where the answer does not hold what the score needs.
pub fn ratio(answer: &Answer, score: Score, as_published: bool) -> Option<f64> {
    match answer {
        // A file of results has the two probabilities alone.
        Answer::Log10Ratio(ratio) => Some(logistic(ratio * std::f64::consts::LN_10)),
        Answer::TextPair(pair) => of_pair(pair, score, as_published),
        _ => None,
    }
}

/// The same of an answer in a column, or why there is none.
pub(super) fn rated(
    view: &ColumnView<'_>,
    answer: &Answer,
    score: Score,
    as_published: bool,
) -> Result<f64, BenchError> {
    ratio(answer, score, as_published).ok_or_else(|| match answer {
        Answer::TextPair(_) => BenchError::NotMeasurable(
            "the model was asked without --score whole-mean, and the beginnings of the texts were not scored; \
             run it again with that option"
                .to_owned(),
        ),
        _ => view.wrong_answer(),
    })
}

fn of_pair(pair: &TextPairScore, score: Score, as_published: bool) -> Option<f64> {
    if pair.relation == TextRelation::Same {
        return Some(0.5);
    }
    // The published script looks at the last token alone where the first ones differ already.
    let last_alone = as_published && pair.relation == TextRelation::AtStart;
    let log = |text: &TextScore| {
        let scored = f64::from(text.scored);
        match score {
            Score::DivergenceMean | Score::DivergenceSum if last_alone => Some(text.last),
            Score::DivergenceMean => Some(text.region / scored),
            Score::WholeMean => Some(text.whole? / (f64::from(text.tokens) - 1.0)),
            // What the texts share cancels in the difference of sums.
            Score::DivergenceSum | Score::WholeSum => Some(text.region),
            Score::WholeSumPerN => Some(text.region - f64::from(text.tokens).ln()),
        }
    };
    Some(logistic(log(&pair.masculine)? - log(&pair.feminine)?))
}

fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tokens: u32, region: f64, scored: u32, last: f64, whole: f64) -> TextScore {
        TextScore {
            tokens,
            region,
            scored,
            last,
            whole: Some(whole),
        }
    }

    #[test]
    fn every_score_is_a_share() {
        let pair = TextPairScore {
            relation: TextRelation::Apart,
            masculine: text(5, -4.0, 2, -1.0, -9.0),
            feminine: text(6, -9.0, 3, -2.0, -14.0),
        };
        let share = |score| of_pair(&pair, score, false).unwrap();
        let near = |found: f64, log: f64| assert!((found - logistic(log)).abs() < 1e-15);
        near(share(Score::DivergenceMean), -2.0 + 3.0);
        near(share(Score::WholeMean), -9.0 / 4.0 + 14.0 / 5.0);
        near(share(Score::DivergenceSum), 5.0);
        near(share(Score::WholeSumPerN), 5.0 - 5f64.ln() + 6f64.ln());
        let start = TextPairScore {
            relation: TextRelation::AtStart,
            ..pair
        };
        near(of_pair(&start, Score::DivergenceMean, true).unwrap(), 1.0);
        let same = TextPairScore {
            relation: TextRelation::Same,
            ..pair
        };
        assert_eq!(of_pair(&same, Score::DivergenceMean, false), Some(0.5));
    }
}
