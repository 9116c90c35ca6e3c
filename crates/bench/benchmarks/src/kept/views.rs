//! How the rows are laid out for people.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Row, View};

use crate::labelled::by_group;

/// The headline under this title, then a table for each label that the rows have; or the differences of two systems.
pub fn views(rows: &[Row], title: &str, tables: &[(&str, &str)]) -> Vec<View> {
    let labels = BTreeMap::new();
    let view = by_group(&labels);
    if rows.iter().any(|row| row.metric == "delta_accuracy") {
        return vec![view(
            "Differences, second less first (0 = none)",
            &["all", "preserved", "gap"],
            &["delta_accuracy", "delta_preserved", "delta_gap", "p_value"],
        )];
    }
    let headline = ["accuracy", "preserved", "inconclusive", "gap"];
    let mut views = vec![view(title, &["all"], &headline)];
    for (title, label) in tables {
        let groups = groups_of(rows, label);
        if !groups.is_empty() {
            views.push(view(
                title,
                &groups,
                &["accuracy", "preserved", "inconclusive"],
            ));
        }
    }
    views
}

/// The groups of one label that rows have.
fn groups_of<'a>(rows: &'a [Row], label: &str) -> Vec<&'a str> {
    let prefix = format!("{label}:");
    let own = rows
        .iter()
        .filter(|row| row.group.starts_with(&prefix) && !row.group.contains('+'));
    let groups: BTreeSet<&str> = own.map(|row| row.group.as_str()).collect();
    groups.into_iter().collect()
}
