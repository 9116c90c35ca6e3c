//! Two systems on the same sources, second less first.

use std::collections::BTreeMap;

use epicene_core::Outcome;
use epicene_stats::mcnemar_exact;

use super::{Column, is_not_wrong, is_right, outcomes};
use crate::mcnemar::test_exactly;
use crate::options::INTERVAL;
use crate::{BenchError, Clusters, Contrasts, Judged, Measured};

/// Accuracy, what is preserved, and the gap. With `--interval published` McNemar's test takes the place of the clustered one
/// for accuracy.
pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let clustered = judged.options.get(&INTERVAL).is_clustered();
    let mut contrasts = Contrasts::new(judged, first, second);
    let mut exact = None;
    for [(view, ours), (other, theirs)] in judged.pairs(first, second) {
        let unit = view.column().unit.as_str();
        let mut ours: BTreeMap<usize, Outcome> = outcomes(&view, ours).into_iter().collect();
        let mut theirs: BTreeMap<usize, Outcome> = outcomes(&other, theirs).into_iter().collect();
        ours.retain(|item, _| theirs.contains_key(item));
        theirs.retain(|item, _| ours.contains_key(item));
        let sides = [&ours, &theirs].map(|outcomes| Column {
            clusters: &clusters,
            view,
            outcomes: outcomes
                .iter()
                .map(|(item, outcome)| (*item, *outcome))
                .collect(),
        });
        let share = |side: &Column<'_>, test: fn(Outcome) -> bool| {
            let items = side.outcomes.iter();
            clusters.share(items.map(|(item, outcome)| (*item, test(*outcome))))
        };
        for (group, metric, test) in [
            ("all", "delta_accuracy", is_not_wrong as fn(Outcome) -> bool),
            ("preserved", "delta_preserved", is_right),
        ] {
            if let (Some(one), Some(two)) = (share(&sides[0], test)?, share(&sides[1], test)?) {
                let primary = group == "all";
                contrasts.push(
                    (unit, group),
                    (metric, "p_value"),
                    [one, two],
                    (1.0, primary),
                );
            }
        }
        let gap = |side: &Column<'_>| side.gap(&side.outcomes, &is_not_wrong);
        if let (Some(one), Some(two)) = (gap(&sides[0])?, gap(&sides[1])?) {
            contrasts.push(
                (unit, "gap"),
                ("delta_gap", "p_value"),
                [one, two],
                (1.0, false),
            );
        }
        let only = |wanted: bool| {
            let differs = |(item, own): &(&usize, &Outcome)| {
                is_not_wrong(**own) == wanted && is_not_wrong(theirs[*item]) != wanted
            };
            ours.iter().filter(differs).count() as u64
        };
        exact = Some(mcnemar_exact(only(true), only(false)).p_value);
    }
    let mut measured = contrasts.apart().measured(&clusters, Vec::new())?;
    if !clustered && let Some(exact) = exact {
        test_exactly(&mut measured, exact);
    }
    Ok(measured)
}
