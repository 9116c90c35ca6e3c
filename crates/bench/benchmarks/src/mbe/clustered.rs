//! The interval of a score over all pairs when sentences were sampled on both sides: what each sentence adds to the ratio
//! is its influence on it (Hájek's projection), and every system's are known for the same sentences.

use epicene_stats::Linearised;

use super::benchmark::CARD;
use super::measures::Sets;
use super::options::weighting;
use super::score::{MbeScore, Vectors, direct};
use super::sets::GENDER;
use super::walk::Walk;
use crate::options::Options;
use crate::{
    BenchError, Clusters, ColumnView, Contrasts, Drawn, Estimate, Judged, Measured, Sampling, Scale,
};

pub const SAMPLING: Sampling = Sampling {
    unit: "sentence",
    strata: "gender",
    of: |item| Some(Drawn::new(item.label(GENDER)?, item.id)),
};

/// The score of the sentences in `sets` by the influence of each.
pub fn estimate(
    clusters: &Clusters,
    sets: &Sets,
    options: &Options,
) -> Result<Estimate, BenchError> {
    let weighting = weighting(options);
    let (score, sums): (MbeScore, Vec<(f64, f64)>) = if weighting.needs_every_pair() {
        let (score, sums) = direct(&sets.male, &sets.female, &weighting)?;
        (score, [sums.male, sums.female].concat())
    } else {
        let vectors = Vectors::new(&sets.male, &sets.female, weighting.weight)?;
        let walk = Walk::new(&sets.male, &sets.female, vectors);
        (walk.score()?, walk.by_sentence())
    };
    let ratio = score.numerator / score.denominator;
    let mut influence = vec![0.0; clusters.len()];
    let mut present = vec![false; clusters.len()];
    for (item, (wins, weights)) in sets.items().zip(&sums) {
        let cluster = clusters.cluster(item);
        influence[cluster] += (wins - ratio * weights) / score.denominator;
        present[cluster] = true;
    }
    let n = sums.len() as f64;
    let linear = Linearised::new(ratio, n, influence, clusters.layout()).among(present);
    // With weights below zero the score may leave 0 to 100.
    let scale = if sums.iter().all(|(_, weight)| *weight >= 0.0) && (0.0..=1.0).contains(&ratio) {
        Scale::Share
    } else {
        Scale::Mean
    };
    Ok(Estimate::of(linear, scale))
}

/// Two models on the sentences both have a likelihood for, sentence by sentence.
pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let mut contrasts = Contrasts::new(judged, first, second).of(&CARD).apart();
    for [(ours, _), (theirs, _)] in judged.pairs(first, second) {
        let there = |view: &ColumnView<'_>| -> Result<Vec<bool>, BenchError> {
            let sets = Sets::of(view)?;
            let mut there = vec![false; view.items().len()];
            sets.items().for_each(|item| there[item] = true);
            Ok(there)
        };
        let (a, b) = (there(&ours)?, there(&theirs)?);
        let side = |view: &ColumnView<'_>| {
            let sets = Sets::among(view, |item| a[item] && b[item])?;
            if sets.male.is_empty() || sets.female.is_empty() {
                return Ok(None);
            }
            estimate(&clusters, &sets, judged.options).map(Some)
        };
        if let (Some(a), Some(b)) = (side(&ours)?, side(&theirs)?) {
            let unit = ours.column().unit.as_str();
            contrasts.push(
                (unit, "all"),
                ("delta_mbe", "p_value"),
                [a, b],
                (100.0, true),
            );
        }
    }
    contrasts.measured(
        &clusters,
        vec![("weight", weighting(judged.options).signed())],
    )
}
