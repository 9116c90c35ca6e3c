//! How the rows of occupations-chat are laid out for people.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, Row, View};

pub fn views(rows: &[Row]) -> Vec<View> {
    let labels: BTreeMap<String, String> = rows
        .iter()
        .filter_map(|row| {
            Some((
                row.group.clone(),
                row.group.strip_prefix("occupation:")?.to_owned(),
            ))
        })
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
    let has = |unit: &str, metric: &str| {
        rows.iter()
            .any(|row| row.unit == unit && row.metric == metric)
    };
    if rows.iter().any(|row| row.metric == "delta_s") {
        return vec![view(
            "Difference, second less first (0 = none)",
            vec![Filter::new(
                Field::Metric,
                ["delta_s", "delta_r", "p_value", "p_value_r"],
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
    views.push(view(
        "By wording: s (0 = none), masculine rate r (0.5 = no preference), agreement with shares of women",
        vec![
            Filter::new(Field::Group, ["all"]),
            Filter::new(
                Field::Metric,
                ["s", "r", "corr_women", "corr_words", "they", "refused", "unreadable"],
            ),
        ],
        vec![Field::System, Field::Unit],
        Field::Metric,
        CellStyle::ValueInterval,
        3,
    ));
    if has("character", "r") {
        views.push(view(
            "Character by occupation: masculine rate",
            vec![
                Filter::new(Field::Unit, ["character"]),
                Filter::new(Field::Group, labels.keys().cloned()),
                Filter::new(Field::Metric, ["r"]),
            ],
            vec![Field::Group],
            Field::System,
            CellStyle::Value,
            2,
        ));
    }
    views
}
