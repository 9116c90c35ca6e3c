//! How far annotators agree with each other.

use epicene_stats::{Interval, Kappa, cohens_kappa, krippendorff_alpha};

use crate::LEVEL;

/// Two or more annotators on the cells that at least two of them labelled.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// Cells with at least two labels.
    pub shared: usize,
    /// Krippendorff's α; none where only one label is used.
    pub alpha: Option<f64>,
    /// Cohen's κ of each two annotators, with the cells they share.
    pub pairs: Vec<PairAgreement>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PairAgreement {
    pub first: String,
    pub second: String,
    pub shared: usize,
    /// Share on which both say the same.
    pub same: f64,
    /// None where both use one and the same label throughout.
    pub kappa: Option<(Kappa, Interval)>,
}

/// `labels` has, for each cell, the label of each annotator; none where fewer than two labelled anything together.
pub fn agreement(annotators: &[String], labels: &[Vec<Option<u32>>]) -> Option<Agreement> {
    let things: Vec<Vec<u32>> = labels
        .iter()
        .map(|labels| labels.iter().flatten().copied().collect::<Vec<u32>>())
        .filter(|labels| labels.len() > 1)
        .collect();
    if things.is_empty() {
        return None;
    }
    let mut pairs = Vec::new();
    for (place, first) in annotators.iter().enumerate() {
        for (other, second) in annotators.iter().enumerate().skip(place + 1) {
            let both: Vec<(u32, u32)> = labels
                .iter()
                .filter_map(|labels| labels[place].zip(labels[other]))
                .collect();
            if both.is_empty() {
                continue;
            }
            let same = both.iter().filter(|(one, other)| one == other).count();
            let kappa = cohens_kappa(&both).ok().and_then(|kappa| {
                let interval = kappa.interval(LEVEL).ok()?;
                Some((kappa, interval))
            });
            pairs.push(PairAgreement {
                first: first.clone(),
                second: second.clone(),
                shared: both.len(),
                same: same as f64 / both.len() as f64,
                kappa,
            });
        }
    }
    Some(Agreement {
        shared: things.len(),
        alpha: krippendorff_alpha(&things).ok(),
        pairs,
    })
}
