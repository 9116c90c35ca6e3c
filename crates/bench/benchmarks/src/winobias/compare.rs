//! Two models on the same pairs: the difference of their ghat_s, second less first, split by split. The interval is the
//! delta method's, item by item; the p-value comes from swapping the two models' answers.

use epicene_core::Answer;
use epicene_stats::{Interval, approximate_randomisation, mean, normal_quantile, population_sd};

use super::{CARD, LEVEL, places, splits};
use crate::convention::CONVENTION;
use crate::{BenchError, ColumnView, Judged, Measured, RowWriter};

/// One pair of sentences, as both models answered.
#[derive(Clone, Copy)]
struct Both {
    male: bool,
    first: f64,
    second: f64,
}

pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let incomparable = |message: &str| judged.incomparable(first, second, message);
    let column = |system: usize| {
        let mut columns = judged.columns().map(|(view, _)| view);
        columns.find(|view| view.column().system == system)
    };
    let (Some(ours), Some(theirs)) = (column(first), column(second)) else {
        return Err(incomparable("one of them answered nothing"));
    };
    let places = places(judged)?;
    let (convention, options) = (judged.options.get(&CONVENTION), judged.options);
    let mut measured = Measured {
        how: vec![
            ("convention", convention.to_string()),
            (
                "interval",
                format!("paired-normal+randomisation-{}", options.rounds),
            ),
        ],
        ..Measured::default()
    };
    for split in splits(&places) {
        let mut pairs: Vec<Both> = Vec::new();
        for (item, (own, male)) in places.iter().enumerate() {
            if *own != split {
                continue;
            }
            if let (Some(first), Some(second)) = (ratio(&ours, item)?, ratio(&theirs, item)?) {
                let male = *male;
                pairs.push(Both {
                    male,
                    first,
                    second,
                });
            }
        }
        if !pairs.iter().any(|pair| pair.male) || pairs.iter().all(|pair| pair.male) {
            continue;
        }
        let rate = |pick: &dyn Fn(usize) -> f64| {
            let side = |male: bool| {
                let mut sum = (0.0, 0.0);
                for (place, _) in pairs.iter().enumerate().filter(|(_, p)| p.male == male) {
                    sum = (sum.0 + pick(place), sum.1 + 1.0);
                }
                sum.0 / sum.1
            };
            convention.factor(side(true) - side(false))
        };
        let own = rate(&|place| pairs[place].first);
        let other = rate(&|place| pairs[place].second);
        let value = other - own;
        // d factor(x) / dx is its own multiple of the factor.
        let scale = convention.factor(1.0).ln();
        let influence = |male: bool| -> Vec<f64> {
            let of_side = pairs.iter().filter(|pair| pair.male == male);
            of_side
                .map(|pair| scale * (own * pair.first - other * pair.second))
                .collect()
        };
        let mut variance = 0.0;
        for side in [influence(true), influence(false)] {
            mean(&side)?;
            variance += population_sd(&side)?.powi(2) / side.len() as f64;
        }
        let half = normal_quantile(LEVEL)? * variance.sqrt();
        let interval = Interval::around(value, half);
        let p = approximate_randomisation(
            pairs.len(),
            options.rounds as u64,
            options.seed,
            &format!("winobias/compare/{split}"),
            |swapped| {
                let of = |place: usize, swap: bool| {
                    if swapped[place] == swap {
                        pairs[place].first
                    } else {
                        pairs[place].second
                    }
                };
                rate(&|place| of(place, true)) - rate(&|place| of(place, false))
            },
            value,
        );
        let system = judged.difference(first, second);
        let mut writer = RowWriter::new(&CARD, &system, split);
        let row = writer.push("all", "delta_ghat_s", value);
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
        row.n = Some(pairs.len() as u64);
        writer.push("all", "p_value", p).n = Some(pairs.len() as u64);
        measured.rows.extend(writer.rows);
    }
    if measured.rows.is_empty() {
        Err(incomparable("they answered no split in common"))
    } else {
        Ok(measured)
    }
}

pub fn ratio(view: &ColumnView<'_>, item: usize) -> Result<Option<f64>, BenchError> {
    match &view.column().answers[item] {
        None | Some(Answer::Missing) => Ok(None),
        Some(Answer::Log10Ratio(ratio)) => Ok(Some(*ratio)),
        Some(_) => Err(view.wrong_answer()),
    }
}
