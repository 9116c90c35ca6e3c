//! Predictive validity: does g_s agree with what WinoBias says of the same models? (GEST, section
//! 5.3: Pearson r between per-model g_s and ghat_s.)

use epicene_core::{Row, TextFile};
use epicene_stats::{correlation_interval, pearson};

use super::CARD;
use super::measures::LEVEL;
use super::options::Convention;
use crate::winobias::{self, SplitMeans};
use crate::{BenchError, RowWriter};

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
                // Means are known by the model's name without its organisation.
                let name = name
                    .rsplit_once('/')
                    .map_or(name.as_str(), |(_, last)| last);
                let known = means.iter().find(|m| m.split == split && m.model == name)?;
                Some((*rate, known))
            })
            .collect();
        for (_, means) in &pairs {
            let mut writer = RowWriter::new(&winobias::CARD, &means.model, split);
            writer.push("all", "ghat_s", means.stereotype_rate(convention));
            rows.extend(writer.rows);
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
        // One split that tells nothing does not take the others with it.
        let correlation = match pearson(&ours, &theirs) {
            Ok(correlation) => correlation,
            Err(error) => {
                notes.push(format!("{}: {split}: no correlation: {error}", file.name));
                continue;
            }
        };
        let interval = correlation_interval(correlation.r, correlation.n, LEVEL).ok();
        let n = Some(correlation.n as u64);
        let mut writer = RowWriter::new(&CARD, "all", split);
        let row = writer.push("all", "r_winobias", correlation.r);
        row.low = interval.map(|interval| interval.low);
        row.high = interval.map(|interval| interval.high);
        row.n = n;
        writer.push("all", "p_value", correlation.p_value).n = n;
        rows.extend(writer.rows);
    }
    Ok((rows, notes))
}
