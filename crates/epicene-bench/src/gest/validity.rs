//! Predictive validity: does g_s agree with what WinoBias says of the same models? (GEST, section
//! 5.3: Pearson r between per-model g_s and ghat_s.)

use epicene_core::{Row, TextFile};
use epicene_stats::{correlation_interval, pearson};

use super::measures::LEVEL;
use crate::winobias::{self, SplitMeans};
use crate::{BenchError, Convention};

/// One row of ghat_s for each model and split, and the correlation of each split with `rates`.
pub fn compare_with_winobias(
    file: &TextFile,
    rates: &[(String, f64)],
    convention: Convention,
) -> Result<(Vec<Row>, Vec<String>), BenchError> {
    let means = winobias::read_means(file)?;
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for split in winobias::SPLITS {
        let pairs: Vec<(f64, &SplitMeans)> = rates
            .iter()
            .filter_map(|(name, rate)| {
                let known = means
                    .iter()
                    .find(|m| m.split == split && m.model == *name)?;
                Some((*rate, known))
            })
            .collect();
        for (_, means) in &pairs {
            rows.push(winobias::row(means, convention));
        }
        if pairs.len() < 3 {
            let models = if pairs.len() == 1 { "model" } else { "models" };
            notes.push(format!(
                "{}: {split} has means for {} {models} of this run; a correlation needs 3",
                file.name,
                pairs.len()
            ));
            continue;
        }
        let ours: Vec<f64> = pairs.iter().map(|(rate, _)| *rate).collect();
        let theirs: Vec<f64> = pairs
            .iter()
            .map(|(_, m)| m.stereotype_rate(convention))
            .collect();
        let correlation = pearson(&ours, &theirs)?;
        let interval = correlation_interval(correlation.r, correlation.n, LEVEL).ok();
        let mut row = Row {
            benchmark: "gest".to_owned(),
            system: "all".to_owned(),
            unit: split.to_owned(),
            group: "all".to_owned(),
            metric: "r_winobias".to_owned(),
            value: correlation.r,
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            n: Some(correlation.n as u64),
            ideal: None,
        };
        rows.push(row.clone());
        row.metric = "p_value".to_owned();
        row.value = correlation.p_value;
        (row.low, row.high) = (None, None);
        rows.push(row);
    }
    Ok((rows, notes))
}
