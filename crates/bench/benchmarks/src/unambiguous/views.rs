//! Which rows people want to see side by side.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, Row, View};

use crate::labelled::labelled;

use super::figures::{MEAN, SUM};
use super::measures::{BARE, CONFIGURATIONS};

pub fn views(rows: &[Row]) -> Vec<View> {
    let metrics = |names: &[&str]| Filter::new(Field::Metric, names.iter().copied());
    let configurations: Vec<String> = CONFIGURATIONS.map(|c| format!("config:{c}")).to_vec();
    let by_configuration: Vec<String> = CONFIGURATIONS
        .map(|c| format!("correct_{}", c.to_lowercase()))
        .to_vec();
    let labels: BTreeMap<String, String> = CONFIGURATIONS
        .iter()
        .flat_map(|c| {
            [
                (format!("config:{c}"), (*c).to_owned()),
                (format!("correct_{}", c.to_lowercase()), (*c).to_owned()),
            ]
        })
        .collect();
    let view = labelled(&labels);
    let mut views = vec![
        view(
            "Table 3: translations of the occupation that are correct, wrong or inconclusive",
            vec![
                Filter::new(Field::Group, ["all"]),
                metrics(&["correct", "wrong", "na", "decided_beyond_paper"]),
            ],
            vec![Field::System, Field::Unit],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        ),
        view(
            "Table 4: what a stereotype is worth (`no-adjective` is what the paper prints)",
            vec![
                Filter::new(Field::Group, ["all", BARE]),
                metrics(&[
                    "delta_m",
                    "delta_f",
                    "delta_f_minus_delta_m",
                    "p_delta_f_greater",
                ]),
            ],
            vec![Field::System, Field::Unit, Field::Group],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        ),
        view(
            "Figure 1: accuracy by trigger and stereotype of the occupation",
            vec![
                Filter::new(Field::Group, configurations),
                metrics(&["correct"]),
            ],
            vec![Field::System, Field::Unit],
            Field::Group,
            CellStyle::ValueInterval,
            3,
        ),
    ];
    let triggers = |row: &Row| row.group == "trigger:M" && row.unit == MEAN;
    let stereotyped = rows.iter().any(|row| row.group.starts_with("config:"));
    if rows.iter().any(triggers) && !stereotyped {
        views.push(view(
            "Figure 5: invented occupations",
            vec![
                Filter::new(Field::Group, ["trigger:M", "trigger:F"]),
                metrics(&["correct", "wrong", "na"]),
            ],
            vec![Field::System, Field::Unit, Field::Group],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        ));
    }
    let mut figure = |title: &str, unit: &str, prefix: &str| {
        let mut groups: Vec<String> = Vec::new();
        for row in rows.iter().filter(|row| row.unit == unit) {
            if row.group.starts_with(prefix) && groups.last() != Some(&row.group) {
                groups.push(row.group.clone());
            }
        }
        groups.sort_unstable();
        groups.dedup();
        if !groups.is_empty() {
            views.push(view(
                title,
                vec![
                    Filter::new(Field::Unit, [unit]),
                    Filter::new(Field::Group, groups),
                    Filter::new(Field::Metric, by_configuration.clone()),
                ],
                vec![Field::System, Field::Group],
                Field::Metric,
                CellStyle::Value,
                3,
            ));
        }
    };
    figure(
        "Figure 2: accuracy by occupation, mean over languages",
        MEAN,
        "occupation:",
    );
    figure(
        "Figure 3: accuracy by adjective (only `_` counts as N/A)",
        SUM,
        "figure3:",
    );
    figure(
        "Figure 4: accuracy by position of the occupation",
        SUM,
        "position:",
    );
    figure(
        "Figure 6: the adjective modifies the occupation",
        SUM,
        "figure6:",
    );
    figure("Figure 7: the adjective stands elsewhere", SUM, "figure7:");
    views
}
