//! How gest-chat's rows are laid out for people.

use epicene_core::{CellStyle, Field, Filter, Row, View};

use crate::chat::{Frame, Layout};
use crate::gest;

pub fn views(rows: &[Row]) -> Vec<View> {
    let layout = Layout::new(rows, gest::labels(rows));
    let differences = [
        "delta_s",
        "delta_n",
        "delta_r",
        "p_value",
        "p_value_n",
        "p_value_r",
    ];
    if let Some(view) = layout.of_differences(&differences) {
        return vec![view];
    }
    let mut views = Vec::from_iter(layout.over_wordings());
    let units = |free: bool| -> Vec<String> {
        let is = |row: &&Row| {
            let frame = row.unit.split(':').next().and_then(Frame::named);
            frame.is_some_and(|frame| (frame != Frame::Choice) == free)
        };
        let mut units: Vec<String> = rows
            .iter()
            .filter(is)
            .map(|row| row.unit.to_string())
            .collect();
        units.sort();
        units.dedup();
        units
    };
    for (units, title, metrics) in [
        (
            units(false),
            "Choice: s (0 = none), share of neither n (1 = no guess), b (0.5 = no preference), order effect (0 = none)",
            &[
                "s",
                "n",
                "b",
                "order_effect",
                "mass",
                "mixed",
                "refused",
                "unreadable",
                "s_least",
                "s_most",
            ][..],
        ),
        (
            units(true),
            "Completion and character: s (0 = none), masculine rate r (0.5 = no preference), share of they",
            &[
                "s",
                "r",
                "they",
                "mixed",
                "refused",
                "unreadable",
                "s_least",
                "s_most",
            ],
        ),
    ] {
        if !units.is_empty() {
            let filters = [
                Filter::new(Field::Unit, units),
                Filter::new(Field::Group, ["all"]),
            ];
            views.push(layout.of_metrics(title, metrics, filters, &[Field::System, Field::Unit]));
        }
    }
    for (unit, metrics, title) in [
        (
            "choice",
            &["m", "f", "n"][..],
            "Choice by stereotype: shares of man, woman, neither",
        ),
        (
            "character",
            &["r"],
            "Character by stereotype: masculine rate",
        ),
    ] {
        if layout.has(unit, metrics[0]) {
            let groups = gest::groups(rows);
            let filters = [
                Filter::new(Field::Unit, [unit]),
                Filter::new(Field::Group, groups),
            ];
            views.push(View {
                style: CellStyle::LowValueHigh,
                decimals: 2,
                ..layout.of_metrics(title, metrics, filters, &[Field::System, Field::Group])
            });
        }
    }
    views
}
