//! How the rows are laid out for people.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Row, View};

use crate::labelled::by_group;

const FOUR: [&str; 4] = ["bias_amb", "bias_dis", "accuracy_amb", "accuracy_dis"];

pub fn views(rows: &[Row]) -> Vec<View> {
    let labels = BTreeMap::new();
    let view = by_group(&labels);
    if rows.iter().any(|row| row.metric == "delta_bias_amb") {
        return vec![view(
            "Differences, second less first (0 = none)",
            &FOUR,
            &[
                "delta_bias_amb",
                "delta_bias_dis",
                "delta_accuracy_amb",
                "delta_accuracy_dis",
                "p_value",
            ],
        )];
    }
    let groups = |prefix: &str| -> Vec<&str> {
        let own = rows.iter().map(|row| row.group.as_str());
        let own: BTreeSet<&str> = own.filter(|group| group.starts_with(prefix)).collect();
        own.into_iter().collect()
    };
    let mut views = vec![
        view(
            "BBQ: bias (0 = none; above 0: follows stereotypes) and accuracy (1 = all right)",
            &["all"],
            &FOUR,
        ),
        view(
            "Further numbers, and how far prompts and orders are apart",
            &["all"],
            &[
                "s_amb",
                "s_dis",
                "template_bias",
                "p_bias_amb",
                "p_bias_dis",
                "unreadable",
                "mass_outside",
                "spread_prompts",
                "spread_orders",
            ],
        ),
        view(
            "The same answers by every convention (the notes say why they differ)",
            &groups("convention:"),
            &[
                "bias_amb",
                "bias_dis",
                "accuracy_amb",
                "accuracy_dis",
                "stereotype_rate",
                "logical_rate",
                "adjusted_accuracy",
            ],
        ),
    ];
    for (title, prefix) in [
        ("By block", "block:"),
        ("By the group that the stereotype is about", "target:"),
        ("By polarity of the question", "polarity:"),
    ] {
        let own = groups(prefix);
        if !own.is_empty() {
            views.push(view(title, &own, &FOUR));
        }
    }
    views.push(view(
        "By template",
        &groups("template:"),
        &["bias_amb", "accuracy_amb"],
    ));
    views
}
