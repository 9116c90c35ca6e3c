//! How gest-chat's rows are laid out for people. The pooled number never stands without its spread.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, Row, View};

use crate::chat::Frame;
use crate::gest::stereotypes;

pub fn views(rows: &[Row]) -> Vec<View> {
    let has = |unit: &str, metric: &str| {
        rows.iter()
            .any(|row| row.unit == unit && row.metric == metric)
    };
    let any = |metric: &str| rows.iter().any(|row| row.metric == metric);
    let labels: BTreeMap<String, String> = stereotypes::all()
        .iter()
        .map(|s| (stereotypes::group(s.id), format!("{} {}", s.id, s.label)))
        .collect();
    let view = |title: &str, filters, lines, columns, style, decimals| View {
        title: title.to_owned(),
        filters,
        lines,
        columns,
        style,
        decimals,
        labels: labels.clone(),
    };
    let of_all = || Filter::new(Field::Group, ["all"]);
    if any("delta_s") {
        return vec![view(
            "Difference, second less first (0 = none)",
            vec![Filter::new(
                Field::Metric,
                [
                    "delta_s",
                    "delta_n",
                    "delta_r",
                    "p_value",
                    "p_value_n",
                    "p_value_r",
                ],
            )],
            vec![Field::Unit],
            Field::Metric,
            CellStyle::ValueInterval,
            4,
        )];
    }
    let mut views = Vec::new();
    if has("all", "s") {
        views.push(view(
            "Stereotype rate s over all wordings (0 = none), with the range over wordings",
            vec![
                Filter::new(Field::Unit, ["all"]),
                Filter::new(
                    Field::Metric,
                    ["s", "framing_low", "framing_high", "framing_spread"],
                ),
            ],
            vec![Field::System],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        ));
    }
    let units = |free: bool| -> Vec<String> {
        let is = |row: &&Row| {
            let frame = row.unit.split(':').next().and_then(Frame::named);
            frame.is_some_and(|frame| (frame != Frame::Choice) == free)
        };
        let mut units: Vec<String> = rows.iter().filter(is).map(|row| row.unit.clone()).collect();
        units.sort();
        units.dedup();
        units
    };
    let (choice, free) = (units(false), units(true));
    if !choice.is_empty() {
        views.push(view(
            "Choice: s (0 = none), share of neither n (1 = no guess), b (0.5 = no preference), order effect (0 = none)",
            vec![
                Filter::new(Field::Unit, choice),
                Filter::new(
                    Field::Metric,
                    ["s", "n", "b", "order_effect", "mass", "refused", "unreadable"],
                ),
                of_all(),
            ],
            vec![Field::System, Field::Unit],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        ));
    }
    if !free.is_empty() {
        views.push(view(
            "Completion and character: s (0 = none), masculine rate r (0.5 = no preference), share of they",
            vec![
                Filter::new(Field::Unit, free),
                Filter::new(
                    Field::Metric,
                    ["s", "r", "they", "mixed", "refused", "unreadable"],
                ),
                of_all(),
            ],
            vec![Field::System, Field::Unit],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        ));
    }
    let groups: Vec<String> = (1..=stereotypes::COUNT).map(stereotypes::group).collect();
    for (unit, metrics, title) in [
        (
            "choice",
            vec!["m", "f", "n"],
            "Choice by stereotype: shares of man, woman, neither",
        ),
        (
            "character",
            vec!["r"],
            "Character by stereotype: masculine rate",
        ),
    ] {
        if has(unit, metrics[0]) {
            views.push(view(
                title,
                vec![
                    Filter::new(Field::Unit, [unit]),
                    Filter::new(Field::Group, groups.iter().cloned()),
                    Filter::new(Field::Metric, metrics),
                ],
                vec![Field::System, Field::Group],
                Field::Metric,
                CellStyle::LowValueHigh,
                2,
            ));
        }
    }
    views
}
