//! The tests of one command, corrected together (Holm 1979): what the comparison comes down to, the pooled measure of each
//! pair of systems, is one family and is tested first; every unit, stereotype and further measure is the other.

use epicene_bench::{BenchError, Measured};
use epicene_core::Row;
use epicene_stats::holm;

/// Adds a row `p_holm` after every p-value, and names the family.
pub fn correct(measured: &mut Measured) -> Result<(), BenchError> {
    if measured.tests.is_empty() {
        return Ok(());
    }
    let mut adjusted: Vec<Option<f64>> = vec![None; measured.rows.len()];
    let mut sizes = [0; 2];
    for (family, size) in [true, false].into_iter().zip(&mut sizes) {
        let of_family = measured.tests.iter().filter(|test| test.primary == family);
        let places: Vec<usize> = of_family.map(|test| test.row).collect();
        *size = places.len();
        if places.is_empty() {
            continue;
        }
        let p_values: Vec<f64> = places.iter().map(|row| measured.rows[*row].value).collect();
        for (row, p) in places.into_iter().zip(holm(&p_values)?) {
            adjusted[row] = Some(p);
        }
    }
    let rows = std::mem::take(&mut measured.rows);
    for (row, p) in rows.into_iter().zip(adjusted) {
        let corrected = p.map(|p| Row {
            metric: corrected_name(&row.metric),
            value: p,
            ..row.clone()
        });
        measured.rows.push(row);
        measured.rows.extend(corrected);
    }
    // Their places have moved, and their work is done.
    measured.tests.clear();
    let family = format!("holm-{}+{}", sizes[0], sizes[1]);
    measured.how.push(("family", family));
    Ok(())
}

/// `p_value_f_m` becomes `p_holm_f_m`, `p_delta_q` becomes `p_holm_delta_q`.
fn corrected_name(metric: &str) -> String {
    match metric.strip_prefix("p_value") {
        Some(of) => format!("p_holm{of}"),
        None => format!("p_holm_{}", metric.strip_prefix("p_").unwrap_or(metric)),
    }
}

#[cfg(test)]
mod tests {
    use epicene_bench::Tested;

    use super::*;

    #[test]
    fn the_pooled_measure_pays_for_no_stereotype() {
        let row =
            |unit: &str, group: &str, p: f64| Row::new("b", ["s - t", unit, group], "p_value", p);
        let mut measured = Measured {
            rows: vec![
                row("all", "all", 0.03),
                row("template:1", "all", 0.01),
                row("template:1", "stereotype:1", 0.02),
            ],
            tests: (0..3)
                .map(|place| Tested {
                    row: place,
                    primary: place == 0,
                })
                .collect(),
            ..Measured::default()
        };
        correct(&mut measured).unwrap();
        let found: Vec<(&str, f64)> = measured
            .rows
            .iter()
            .map(|row| (row.metric.as_str(), row.value))
            .collect();
        assert_eq!(
            found,
            [
                ("p_value", 0.03),
                ("p_holm", 0.03),
                ("p_value", 0.01),
                ("p_holm", 0.02),
                ("p_value", 0.02),
                ("p_holm", 0.02),
            ]
        );
        assert_eq!(measured.how, [("family", "holm-1+2".to_owned())]);
    }
}
