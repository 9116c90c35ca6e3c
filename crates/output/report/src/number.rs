//! Numbers for people: fixed decimals, and small p-values in a form that does not say zero.

use epicene_core::{CellStyle, Row};

/// A value with `decimals` places; tiny values that would print as zero are written as powers.
pub fn fixed(value: f64, decimals: usize) -> String {
    let smallest = 0.5 * 10f64.powi(-(decimals as i32));
    if value != 0.0 && value.abs() < smallest {
        return format!("{value:.1e}");
    }
    format!("{value:.decimals$}")
}

/// Whether a metric is a count or a rank, for which decimals would pretend to more: none of its rows, wherever they are shown,
/// has a fraction, an interval or an ideal. A rate may be 100 in one table, and a p-value 1.
pub fn is_whole(rows: &[Row], metric: &str) -> bool {
    let whole = |row: &Row| row.value.fract() == 0.0 && row.low.is_none() && row.ideal.is_none();
    let mut of_metric = rows.iter().filter(|row| row.metric == metric);
    !metric.starts_with("p_") && of_metric.all(whole)
}

/// An end or the middle of a row's interval: what rounding left of a zero is zero. A bare number, such as a
/// p-value, is as small as it says.
pub fn part(row: &Row, value: f64, decimals: usize) -> String {
    if row.low.is_some() && value.abs() < 1e-12 {
        fixed(0.0, decimals)
    } else {
        fixed(value, decimals)
    }
}

/// A row as the view wants its cells.
pub fn cell(row: &Row, style: CellStyle, decimals: usize) -> String {
    let show = |value: f64| part(row, value, decimals);
    match (style, row.low, row.high) {
        (CellStyle::LowValueHigh, Some(low), Some(high)) => {
            format!("{} {} {}", show(low), show(row.value), show(high))
        }
        (CellStyle::ValueInterval, Some(low), Some(high)) => {
            format!("{} [{}, {}]", show(row.value), show(low), show(high))
        }
        _ => show(row.value),
    }
}

/// The usual stars of a p-value.
pub fn stars(p: f64) -> &'static str {
    match p {
        p if p < 0.001 => "***",
        p if p < 0.01 => "**",
        p if p < 0.05 => "*",
        _ => "",
    }
}

/// A tick's number without needless digits, and a large one with its unit.
pub fn tick_label(value: f64) -> String {
    let plain = |value: f64| {
        let text = format!("{value:.4}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        match text {
            "-0" | "" => "0".to_owned(),
            text => text.replace('-', "−"),
        }
    };
    match value.abs() {
        large if large >= 1e9 => plain(value / 1e9) + " B",
        large if large >= 1e6 => plain(value / 1e6) + " M",
        small if small > 0.0 && small < 5e-5 => format!("{value:e}"),
        _ => plain(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_of_exactly_one_hundred_is_no_count() {
        let row = |metric: &str, value: f64| Row::new("b", ["s", "u", "g"], metric, value);
        let rows = [
            row("f1", 100.0),
            row("missing", 100.0),
            row("f1", 62.5),
            row("p_value", 1.0),
        ];
        assert!(is_whole(&rows, "missing"));
        assert!(!is_whole(&rows, "f1"));
        assert!(!is_whole(&rows, "p_value"));
    }

    #[test]
    fn nothing_small_is_called_zero() {
        assert_eq!(fixed(0.0, 2), "0.00");
        assert_eq!(fixed(1.0561e-5, 3), "1.1e-5");
        assert_eq!(fixed(-0.004, 2), "-4.0e-3");
        assert_eq!(fixed(1.238, 2), "1.24");
        let mut row = Row::new("b", ["s", "u", "g"], "m", -1.1e-16);
        assert_eq!(cell(&row, CellStyle::Value, 3), "-1.1e-16");
        (row.low, row.high) = (Some(-0.2), Some(0.2));
        assert_eq!(cell(&row, CellStyle::Value, 3), "0.000");
    }
}
