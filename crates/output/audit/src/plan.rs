//! How many labels an interval of a wanted width needs.

use epicene_stats::{StatsError, normal_quantile};

use crate::{Cell, Corrected, LEVEL, Ratio};

/// The answer for one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Needed {
    /// So many labels.
    Labels(usize),
    /// The items themselves leave an interval of this width, whatever is labelled.
    TooFewItems { width: f64 },
}

/// From the spread that one label brings and the part that no label removes.
fn needed(of_items: f64, per_label: f64, cells: usize, width: f64) -> Result<Needed, StatsError> {
    let z = normal_quantile(LEVEL)?;
    let wanted = (width / (2.0 * z)).powi(2);
    if wanted <= of_items {
        return Ok(Needed::TooFewItems {
            width: 2.0 * z * of_items.sqrt(),
        });
    }
    // of_items + per_label (1/n - 1/N) = wanted
    let inverse = (wanted - of_items) / per_label + 1.0 / cells as f64;
    let labels = (1.0 / inverse).ceil();
    Ok(Needed::Labels(
        (labels as usize).clamp(crate::LEAST_LABELS.min(cells), cells),
    ))
}

/// From labels that are there.
pub fn from_pilot(pilot: &Corrected, width: f64) -> Result<Needed, StatsError> {
    let (n, all) = (pilot.labels as f64, pilot.cells as f64);
    let left = 1.0 / n - 1.0 / all;
    if left <= 0.0 {
        return needed(pilot.variance, 0.0, pilot.cells, width);
    }
    let per_label = (pilot.variance - pilot.of_items).max(0.0) / left;
    needed(pilot.of_items, per_label, pilot.cells, width)
}

/// From a judge known to be wrong in a share of the cases, in all of them alike.
pub fn from_error<V: Copy>(
    cells: &[Cell<V>],
    ratios: &[Ratio<'_, V>],
    others: &dyn Fn(V) -> Vec<V>,
    (error, width): (f64, f64),
) -> Result<Option<Needed>, StatsError> {
    let mut sums: Vec<[f64; 2]> = ratios.iter().map(|ratio| ratio.offset).collect();
    for (place, cell) in cells.iter().enumerate() {
        for (sum, ratio) in sums.iter_mut().zip(ratios) {
            let [part, whole] = (ratio.counts)(place, cell.judged);
            sum[0] += part;
            sum[1] += whole;
        }
    }
    if sums.iter().any(|[_, whole]| *whole <= 0.0) {
        return Ok(None);
    }
    let influence = |place: usize, verdict: V| -> f64 {
        let moved = ratios.iter().zip(&sums).map(|(ratio, [part, whole])| {
            let [own, of] = (ratio.counts)(place, verdict);
            ratio.weight * (own - part / whole * of) / whole
        });
        moved.sum()
    };
    let (mut concerned, mut square, mut shift, mut shift_square) = (0usize, 0.0, 0.0, 0.0);
    for (place, cell) in cells.iter().enumerate() {
        let judged = influence(place, cell.judged);
        let others = others(cell.judged);
        let mut moves = judged != 0.0;
        for other in &others {
            let moved = influence(place, *other) - judged;
            moves |= moved != 0.0;
            shift += error * moved / others.len() as f64;
            shift_square += error * moved * moved / others.len() as f64;
        }
        square += judged * judged;
        concerned += usize::from(moves);
    }
    let all = concerned as f64;
    // Influences are shares of a sum; one label speaks for the mean of `all` of them.
    let per_label = (shift_square - shift * shift / all) * all;
    needed(square, per_label, concerned, width).map(Some)
}
