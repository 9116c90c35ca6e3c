//! Two systems on the same lines.

use std::collections::BTreeMap;

use epicene_stats::mcnemar_exact;

use super::lines::{GROUPS, JudgedLine, lines, of_group, pairs};
use crate::options::INTERVAL;
use crate::{BenchError, Clusters, Contrasts, Judged, Measured};

/// Two systems on the same lines, second less first: McNemar's test of what is correct, or by pairs with `--interval clustered`.
pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let clustered = judged.options.get(&INTERVAL).is_clustered();
    let mut contrasts = Contrasts::new(judged, first, second);
    let mut exact: BTreeMap<String, f64> = BTreeMap::new();
    for [(view, ours), (other, theirs)] in judged.pairs(first, second) {
        let (ours, theirs) = (lines(&view, ours)?, lines(&other, theirs)?);
        for (group, primary) in [
            ("counterfactual", true),
            ("masculine", false),
            ("feminine", false),
            ("contextual", false),
        ] {
            let rights = |lines: &[JudgedLine<'_>]| -> BTreeMap<usize, bool> {
                let right = |line: &JudgedLine<'_>| line.shown.is_correct();
                match GROUPS.iter().find(|(name, ..)| *name == group) {
                    Some(found) => of_group(lines, *found)
                        .iter()
                        .map(|line| (line.item, right(line)))
                        .collect(),
                    None => pairs(lines)
                        .iter()
                        .map(|[m, f]| (m.item, right(m) && right(f)))
                        .collect(),
                }
            };
            let (ours, theirs) = (rights(&ours), rights(&theirs));
            let shared: Vec<(usize, bool, bool)> = ours
                .iter()
                .filter_map(|(item, own)| Some((*item, *own, *theirs.get(item)?)))
                .collect();
            let one = clusters.share(shared.iter().map(|(item, own, _)| (*item, *own)))?;
            let two = clusters.share(shared.iter().map(|(item, _, other)| (*item, *other)))?;
            let (Some(one), Some(two)) = (one, two) else {
                continue;
            };
            let only = |own: bool| {
                shared
                    .iter()
                    .filter(|(_, a, b)| *a == own && *b != own)
                    .count() as u64
            };
            let unit = view.column().unit.as_str();
            let p = mcnemar_exact(only(true), only(false)).p_value;
            exact.insert(format!("{unit} {group}"), p);
            let name = if primary { "all" } else { group };
            let metric = ("delta_accuracy", "p_value");
            contrasts.push((unit, name), metric, [one, two], (1.0, primary));
        }
    }
    let mut measured = contrasts.apart().measured(&clusters, Vec::new())?;
    if !clustered {
        for row in measured
            .rows
            .iter_mut()
            .filter(|row| row.metric == "p_value")
        {
            let group = if row.group == "all" {
                "counterfactual"
            } else {
                row.group.as_str()
            };
            if let Some(p) = exact.get(&format!("{} {group}", row.unit)) {
                row.value = *p;
            }
        }
        measured.how.retain(|(name, _)| *name != "test");
        measured.how.push(("test", "mcnemar-exact".to_owned()));
    }
    Ok(measured)
}
