//! Two systems on the same rows, second less first, paired by template.

use super::answers::{self, ByItem, OfWay, Rows, of_part};
use super::conventions::Convention;
use super::measures::SetAnswers;
use super::options::TARGETS;
use crate::{BenchError, Clusters, Contrasts, Judged, Measured};

pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let rows = Rows::of(judged)?;
    let clusters = Clusters::of(judged)?;
    let targets = judged.options.get(&TARGETS);
    let ways = answers::ways(judged, &rows, Convention::Epicene)?;
    let mut contrasts = Contrasts::new(judged, first, second).apart();
    let of = |system: usize| ways.iter().filter(move |way| way.system == system);
    for ours in of(first) {
        let alike = |theirs: &&OfWay| theirs.way == ours.way;
        let Some(theirs) = of(second).find(alike) else {
            continue;
        };
        let (mut one, mut two) = (ours.by_item(), theirs.by_item());
        one.retain(|item, _| two.contains_key(item));
        two.retain(|item, _| one.contains_key(item));
        for part in rows.parts() {
            let side = |answers: &ByItem| {
                let placed = of_part(&rows, answers, &part);
                let part = SetAnswers {
                    judged,
                    clusters: &clusters,
                    targets,
                    placed,
                };
                part.estimates()
            };
            let (one, two) = (side(&one)?, side(&two)?);
            let unit = format!("{part}/{}", ours.way);
            for (metric, both, primary) in [
                ("delta_bias_amb", (one.bias_amb, two.bias_amb), true),
                ("delta_bias_dis", (one.bias_dis, two.bias_dis), false),
                (
                    "delta_accuracy_amb",
                    (one.accuracy_amb, two.accuracy_amb),
                    false,
                ),
                (
                    "delta_accuracy_dis",
                    (one.accuracy_dis, two.accuracy_dis),
                    false,
                ),
            ] {
                if let (Some(one), Some(two)) = both {
                    let group = metric.trim_start_matches("delta_");
                    let metrics = (metric, "p_value");
                    contrasts.push((&unit, group), metrics, [one, two], (1.0, primary));
                }
            }
        }
    }
    contrasts.measured(&clusters, Vec::new())
}
