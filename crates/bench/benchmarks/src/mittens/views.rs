//! How the rows are laid out for people.

use std::collections::BTreeMap;

use epicene_core::{Row, View};

use super::data;
use crate::kept::{self, GENDER};
use crate::labelled::by_group;
use crate::translations::SOURCE;

pub fn views(rows: &[Row]) -> Vec<View> {
    let mut views = kept::views(
        rows,
        "MiTTenS: accuracy (no wrong pronoun), preserved (right pronouns alone), gap between men and women (0 = none)",
        &[
            ("By gender", GENDER),
            ("By set", data::SET),
            ("By source language", SOURCE),
            (
                "Sources where only the name shows the gender",
                data::NAME_ONLY,
            ),
        ],
    );
    if rows.iter().any(|row| row.metric == "worst_cell") {
        let labels = BTreeMap::new();
        let worst = by_group(&labels)(
            "Worst language, set and cell, and the chance of so low a cell if all were alike",
            &["all"],
            &["worst_lang", "worst_set", "worst_cell", "chance"],
        );
        views.insert(1, worst);
    }
    views
}
