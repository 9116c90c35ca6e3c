//! How GATE's rows are laid out for people.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{CellStyle, Row, View};

use crate::labelled::by_group;

pub fn views(rows: &[Row]) -> Vec<View> {
    let labels: BTreeMap<String, String> = [
        ("all", "sentences"),
        ("occupation:male", "occupations held to be men's"),
        ("occupation:female", "occupations held to be women's"),
        ("detection", "given where needed"),
        ("variants", "equal to a variant"),
        ("structures", "[[m/f]] structures"),
    ]
    .into_iter()
    .map(|(group, words)| (group.to_owned(), words.to_owned()))
    .collect();
    let groups: BTreeSet<&str> = rows.iter().map(|row| row.group.as_str()).collect();
    let view = by_group(&labels);
    let has = |metric: &str| rows.iter().any(|row| row.metric == metric);
    if has("delta_masculine_share") {
        return vec![view(
            "Share of masculine where both decide, second less first (0 = none)",
            &["all"],
            &["delta_masculine_share", "p_value"],
        )];
    }
    if has("precision") {
        let all: Vec<&str> = groups.into_iter().collect();
        return vec![
            view(
                "Precision, recall and F0.5",
                &all,
                &["precision", "recall", "f05"],
            ),
            view(
                "Quality of the genders",
                &["all"],
                &["gap_bleu", "copy_floor"],
            ),
        ];
    }
    let counts = [
        "masculine",
        "feminine",
        "mixed",
        "neutral",
        "unmatched",
        "no_contrast",
        "weak",
    ];
    let parts: Vec<&str> = groups
        .iter()
        .copied()
        .filter(|group| group.contains(':'))
        .collect();
    vec![
        view(
            "GATE: share of masculine where the source is ambiguous (0.5 = no preference)",
            &["all", "entities"],
            &[
                "masculine_share",
                "decided_share",
                "neutral_share",
                "stereotype",
            ],
        ),
        View {
            style: CellStyle::Value,
            decimals: 0,
            ..view("Which variant was given", &["all", "entities"], &counts)
        },
        view("By kind", &parts, &["masculine_share", "decided_share"]),
    ]
}
