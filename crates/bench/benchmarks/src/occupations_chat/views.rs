//! How the rows of occupations-chat are laid out for people.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, Row, View};

use crate::chat::Layout;

pub fn views(rows: &[Row]) -> Vec<View> {
    let labels: BTreeMap<String, String> = rows
        .iter()
        .filter_map(|row| {
            let name = row.group.strip_prefix("occupation:")?;
            Some((row.group.clone(), name.to_owned()))
        })
        .collect();
    let occupations: Vec<String> = labels.keys().cloned().collect();
    let layout = Layout::new(rows, labels);
    if let Some(view) = layout.of_differences(&["delta_s", "delta_r", "p_value", "p_value_r"]) {
        return vec![view];
    }
    let mut views = Vec::from_iter(layout.over_wordings());
    views.push(layout.of_metrics(
        "By wording: s (0 = none), masculine rate r (0.5 = no preference), agreement with shares of women",
        &[
            "s",
            "r",
            "corr_women",
            "corr_words",
            "they",
            "mixed",
            "refused",
            "unreadable",
            "s_least",
            "s_most",
        ],
        [Filter::new(Field::Group, ["all"])],
        &[Field::System, Field::Unit],
    ));
    if layout.has("character", "r") {
        let filters = [
            Filter::new(Field::Unit, ["character"]),
            Filter::new(Field::Group, occupations),
        ];
        views.push(View {
            columns: Field::System,
            style: CellStyle::Value,
            decimals: 2,
            ..layout.of_metrics(
                "Character by occupation: masculine rate",
                &["r"],
                filters,
                &[Field::Group],
            )
        });
    }
    views
}
