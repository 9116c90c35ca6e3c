//! Intervals by pair of sentences, within split and kind of occupation, with t.

use super::compare::ratio;
use super::{CARD, MeanKey, splits};
use crate::convention::{CONVENTION, Convention};
use crate::{
    BenchError, Clusters, ColumnView, Contrasts, Drawn, Estimate, Judged, Measured, RowWriter,
    Sampling, Scale,
};

pub const SAMPLING: Sampling = Sampling {
    unit: "pair",
    strata: "split+occupation",
    of: |item| {
        let stratum = format!("{} {}", item.label("split")?, item.label("occupation")?);
        Some(Drawn::new(stratum, item.id))
    },
};

/// The scores of one model.
struct Sampled<'a> {
    clusters: &'a Clusters,
    places: &'a [MeanKey<'a>],
    scores: Vec<Option<f64>>,
}

impl<'a> Sampled<'a> {
    fn of(
        clusters: &'a Clusters,
        places: &'a [MeanKey<'a>],
        view: &ColumnView<'_>,
    ) -> Result<Sampled<'a>, BenchError> {
        let scores = (0..places.len()).map(|item| ratio(view, item));
        Ok(Sampled {
            clusters,
            places,
            scores: scores.collect::<Result<_, _>>()?,
        })
    }

    /// The mean log10 ratio of one side of a split.
    fn side(&self, split: &str, male: bool) -> Result<Option<Estimate>, BenchError> {
        let there = self.scores.iter().zip(self.places).enumerate();
        let parts = there.filter_map(|(item, (score, place))| {
            let ours = place.0 == split && place.1 == male;
            Some((item, (*score)?, 1.0)).filter(|_| ours)
        });
        let linear = self.clusters.ratio(parts)?;
        Ok(linear.map(|linear| Estimate::of(linear, Scale::Mean)))
    }

    fn stereotype_rate(
        &self,
        split: &str,
        convention: Convention,
    ) -> Result<Option<Estimate>, BenchError> {
        let both = self.side(split, true)?.zip(self.side(split, false)?);
        let Some((male, female)) = both else {
            return Ok(None);
        };
        let n = male.n + female.n;
        let linear = male.less(&female)?.linear;
        let value = convention.factor(linear.value);
        let slope = convention.factor(1.0).ln() * value;
        let estimate = Estimate::of(linear.transformed(value, slope), Scale::Factor);
        Ok(Some(estimate.counting(n)))
    }
}

pub fn measure(judged: &Judged<'_>, places: &[MeanKey]) -> Result<Measured, BenchError> {
    let convention = judged.options.get(&CONVENTION);
    let clusters = Clusters::of(judged)?;
    let mut how = vec![("convention", convention.to_string())];
    how.extend(clusters.how());
    how.push(("interval", "t-satterthwaite".to_owned()));
    let mut measured = Measured {
        how,
        ..Measured::default()
    };
    for (view, _) in judged.columns() {
        let sampled = Sampled::of(&clusters, places, &view)?;
        for split in splits(places) {
            let Some(rate) = sampled.stereotype_rate(split, convention)? else {
                continue;
            };
            let mut writer = RowWriter::new(&CARD, &view.system().name, split);
            writer.estimate("all", "ghat_s", &rate);
            for (group, male) in [("occupation:male", true), ("occupation:female", false)] {
                if let Some(side) = sampled.side(split, male)? {
                    writer.estimate(group, "log10_ratio", &side);
                }
            }
            measured.rows.extend(writer.rows);
        }
    }
    super::or_one_kind(measured, judged)
}

pub fn compare(
    judged: &Judged<'_>,
    places: &[MeanKey<'_>],
    first: usize,
    second: usize,
) -> Result<Measured, BenchError> {
    let convention = judged.options.get(&CONVENTION);
    let clusters = Clusters::of(judged)?;
    let mut contrasts = Contrasts::new(judged, first, second);
    for [(ours, _), (theirs, _)] in judged.pairs(first, second) {
        let mut a = Sampled::of(&clusters, places, &ours)?;
        let mut b = Sampled::of(&clusters, places, &theirs)?;
        for (ours, theirs) in a.scores.iter_mut().zip(&mut b.scores) {
            if ours.is_none() || theirs.is_none() {
                (*ours, *theirs) = (None, None);
            }
        }
        for split in splits(places) {
            let rate = |side: &Sampled<'_>| side.stereotype_rate(split, convention);
            if let (Some(a), Some(b)) = (rate(&a)?, rate(&b)?) {
                let metrics = ("delta_ghat_s", "p_value");
                contrasts.push((split, "all"), metrics, [a, b], (1.0, true));
            }
        }
    }
    contrasts.measured(&clusters, vec![("convention", convention.to_string())])
}
