//! The difference of two scores, second less first, over the same resamples of the sentences.

use epicene_stats::{draw, percentile_interval};

use super::benchmark::CARD;
use super::clustered;
use super::measures::Sets;
use super::options::weighting;
use super::score::Vectors;
use super::walk::{Multiplicity, Walk};
use crate::options::INTERVAL;
use crate::{BenchError, ColumnView, Judged, Measured, RowWriter};

pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let (options, weighting) = (judged.options, weighting(judged.options));
    if options.get(&INTERVAL).is_clustered() {
        return clustered::compare(judged, first, second);
    }
    if weighting.needs_every_pair() {
        let message = "clipped and thresholded weights are not resampled";
        return Err(judged.incomparable(first, second, message));
    }
    let interval = format!("paired-bootstrap-percentile-{}", options.replicates);
    let mut measured = Measured {
        how: vec![("weight", weighting.signed()), ("interval", interval)],
        ..Measured::default()
    };
    let system = judged.difference(first, second);
    for [(ours, _), (theirs, _)] in judged.pairs(first, second) {
        let unit = ours.column().unit.as_str();
        let walk = |view: &ColumnView<'_>| -> Result<Walk, BenchError> {
            let sets = Sets::of(view)?;
            let vectors = Vectors::new(&sets.male, &sets.female, weighting.weight)?;
            Ok(Walk::new(&sets.male, &sets.female, vectors))
        };
        let (ours, theirs) = (walk(&ours)?, walk(&theirs)?);
        if (ours.males(), ours.females()) != (theirs.males(), theirs.females()) {
            let message = format!("they did not answer the same sentences in {unit}");
            return Err(judged.incomparable(first, second, &message));
        }
        let resample = |replicate: u64| -> Vec<Multiplicity> {
            let counts =
                |stream: &str, n: usize| draw::resample_counts(options.seed, stream, replicate, n);
            let male = counts("mbe/bootstrap/male", ours.males())
                .into_iter()
                .map(|times| (times, 0));
            let female = counts("mbe/bootstrap/female", ours.females());
            male.chain(female.into_iter().map(|times| (0, times)))
                .collect()
        };
        let replicates = options.replicates;
        let scores = ours.scores(replicates, resample);
        let differences: Vec<f64> = scores
            .iter()
            .zip(theirs.scores(replicates, resample))
            .map(|(ours, theirs)| theirs - ours)
            .collect();
        let interval = percentile_interval(&differences, 0.95)?;
        let difference = theirs.score()?.score - ours.score()?.score;
        let mut writer = RowWriter::new(&CARD, &system, unit);
        let row = writer.push("all", "delta_mbe", difference);
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
        row.n = Some((ours.males() + ours.females()) as u64);
        measured.rows.extend(writer.rows);
    }
    measured.or_nothing()
}
