//! How the rows are laid out for people.

use std::collections::BTreeMap;

use epicene_core::{Row, View};

use super::data;
use super::measures::groups_of;
use crate::labelled::by_group;
use crate::translations::SOURCE;

pub fn views(rows: &[Row]) -> Vec<View> {
    let labels = BTreeMap::new();
    let view = by_group(&labels);
    if rows.iter().any(|row| row.metric == "delta_accuracy") {
        return vec![view(
            "Differences, second less first (0 = none)",
            &["all", "preserved", "gap"],
            &["delta_accuracy", "delta_preserved", "delta_gap", "p_value"],
        )];
    }
    let groups = |label: &str| groups_of(rows, label);
    let table = |title: &str, label: &str| {
        let groups = groups(label);
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        view(title, &groups, &["accuracy", "preserved", "inconclusive"])
    };
    vec![
        view(
            "MiTTenS: accuracy (no wrong pronoun), preserved (right pronouns alone), gap between men and women (0 = none)",
            &["all"],
            &["accuracy", "preserved", "inconclusive", "gap"],
        ),
        view(
            "Worst language, set and cell, and the chance of so low a cell if all were alike",
            &["all"],
            &["worst_lang", "worst_set", "worst_cell", "chance"],
        ),
        table("By gender", data::GENDER),
        table("By set", data::SET),
        table("By source language", SOURCE),
        table(
            "Sources where only the name shows the gender",
            data::NAME_ONLY,
        ),
    ]
}
