//! Two systems on the same sentences, second less first.

use std::collections::BTreeMap;

use epicene_stats::mcnemar_exact;

use super::measures::{Column, GAPS};
use super::shown::{Shown, shown};
use crate::mcnemar::test_exactly;
use crate::options::INTERVAL;
use crate::{BenchError, Clusters, Contrasts, Judged, Measured};

/// An item with what it shows in both systems.
type Pair = (usize, Shown, Shown);

/// The masculine share and the stereotype gap of what both gave one gender to, and what both kept open. With `--interval
/// published` McNemar's test of masculine against feminine takes the place of the clustered one.
pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let clustered = judged.options.get(&INTERVAL).is_clustered();
    let mut contrasts = Contrasts::new(judged, first, second);
    let mut exact = None;
    for [(view, ours), (other, theirs)] in judged.pairs(first, second) {
        let unit = view.column().unit.as_str();
        let theirs: BTreeMap<usize, Shown> = shown(&other, theirs).into_iter().collect();
        let both: Vec<Pair> = shown(&view, ours)
            .into_iter()
            .filter_map(|(item, own)| Some((item, own, *theirs.get(&item)?)))
            .collect();
        let side = |of: fn(&Pair) -> (usize, Shown)| Column {
            clusters: &clusters,
            clustered: true,
            view,
            shown: both
                .iter()
                .filter(|(_, a, b)| a.is_masculine().is_some() && b.is_masculine().is_some())
                .map(of)
                .collect(),
        };
        let sides = [
            side(|(item, own, _)| (*item, *own)),
            side(|(item, _, other)| (*item, *other)),
        ];
        let shares = sides.each_ref().map(|side| {
            let masculine = side.shown.iter();
            clusters
                .share(masculine.filter_map(|(item, shown)| Some((*item, shown.is_masculine()?))))
        });
        let [one, two] = shares;
        if let (Some(one), Some(two)) = (one?, two?) {
            let only = |own: bool| {
                let differs = |(_, a, b): &&(usize, Shown, Shown)| {
                    a.is_masculine() == Some(own) && b.is_masculine() == Some(!own)
                };
                both.iter().filter(differs).count() as u64
            };
            exact = Some(mcnemar_exact(only(true), only(false)).p_value);
            let metric = ("delta_masculine_share", "p_value");
            contrasts.push((unit, "all"), metric, [one, two], (1.0, true));
        }
        let (_, lists) = GAPS[0];
        if let (Some(one), Some(two)) = (sides[0].gap("all", lists)?, sides[1].gap("all", lists)?) {
            let metric = ("delta_stereotype", "p_value");
            contrasts.push((unit, "stereotype"), metric, [one, two], (1.0, false));
        }
        let open = |which: &dyn Fn(&(usize, Shown, Shown)) -> Shown| {
            clusters.share(both.iter().map(|one| (one.0, which(one).is_open())))
        };
        if let (Some(one), Some(two)) = (open(&|(_, own, _)| *own)?, open(&|(_, _, other)| *other)?)
        {
            let metric = ("delta_kept_open", "p_value");
            contrasts.push((unit, "kept_open"), metric, [one, two], (1.0, false));
        }
    }
    let mut measured = contrasts.apart().measured(&clusters, Vec::new())?;
    if !clustered && let Some(exact) = exact {
        test_exactly(&mut measured, exact);
    }
    Ok(measured)
}
