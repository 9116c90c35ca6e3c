//! How MT-GenEval's rows are laid out for people.

use std::collections::BTreeMap;

use epicene_core::{Row, View};

use crate::labelled::by_group;

pub fn views(rows: &[Row]) -> Vec<View> {
    let labels: BTreeMap<String, String> = [
        ("counterfactual", "both of a pair"),
        ("masculine", "about men"),
        ("feminine", "about women"),
        ("contextual", "in context"),
        ("contextual:masculine", "in context: men"),
        ("contextual:feminine", "in context: women"),
        ("contextual:unknown", "in context: untold"),
    ]
    .into_iter()
    .map(|(group, words)| (group.to_owned(), words.to_owned()))
    .collect();
    let view = by_group(&labels);
    if rows.iter().any(|row| row.metric == "delta_accuracy") {
        return vec![view(
            "Difference of accuracy, second less first (0 = none)",
            &["all", "masculine", "feminine", "contextual"],
            &["delta_accuracy", "p_value"],
        )];
    }
    let parts = [
        "counterfactual",
        "masculine",
        "feminine",
        "contextual",
        "contextual:masculine",
        "contextual:feminine",
        "contextual:unknown",
    ];
    vec![
        view(
            "MT-GenEval: accuracy (1 = never a word of the wrong gender), and its floor: lines that cannot be wrong",
            &parts,
            &["accuracy", "floor"],
        ),
        view(
            "Gap between the genders: men less women (0 = none)",
            &["counterfactual"],
            &["gap", "p_gap", "gap_bleu", "gap_chrf"],
        ),
        view(
            "What the accuracy rests on (ours)",
            &parts[1..],
            &[
                "accuracy_strict",
                "accuracy_contrast",
                "no_evidence",
                "coverage",
            ],
        ),
        View {
            decimals: 1,
            ..view(
                "Quality: BLEU and chrF against the right reference",
                &["masculine", "feminine", "contextual"],
                &["bleu", "chrf"],
            )
        },
    ]
}
