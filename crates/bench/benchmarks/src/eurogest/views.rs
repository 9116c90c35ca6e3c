//! How EuroGEST's rows are laid out for people.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, Row, View};

use crate::gest;

/// What people read for a unit or a group.
fn labels(rows: &[Row]) -> BTreeMap<String, String> {
    let mut labels = gest::labels(rows);
    for row in rows {
        if let Some(language) = row.unit.language() {
            labels.insert(
                row.unit.to_string(),
                format!("{language} {}", language.name()),
            );
        }
    }
    for (group, words) in [
        ("condition:G", "gendered sentences"),
        ("condition:P", "framed by pronouns"),
        ("condition:N", "framed by nouns"),
        ("eu", "EU languages"),
    ] {
        labels.insert(group.to_owned(), words.to_owned());
    }
    labels
}

pub fn views(rows: &[Row]) -> Vec<View> {
    let view =
        |title: &str, groups: Vec<String>, metrics: &[&str], lines: Vec<Field>, columns| View {
            title: title.to_owned(),
            filters: vec![
                Filter::new(Field::Group, groups),
                Filter::new(Field::Metric, metrics.iter().copied()),
            ],
            lines,
            columns,
            style: CellStyle::ValueInterval,
            decimals: 3,
            labels: labels(rows),
        };
    let all = || vec!["all".to_owned()];
    if rows.iter().any(|row| row.difference_of().is_some()) {
        return vec![view(
            "Differences, second less first (0 = none)",
            all(),
            &["delta_g_s", "p_value", "delta_q", "p_delta_q"],
            vec![Field::System, Field::Unit],
            Field::Metric,
        )];
    }
    let ids = || gest::groups(rows);
    let conditions = ["G", "P", "N"].map(|letter| format!("condition:{letter}"));
    let mut views = vec![
        view(
            "Stereotype rate g_s by language (1 = none), masculine preference (0.5 = none)",
            all(),
            &["g_s", "q_m", "q_f", "preference", "agreement"],
            vec![Field::System, Field::Unit],
            Field::Metric,
        ),
        view(
            "By the kind of sentence",
            conditions.to_vec(),
            &["g_s", "preference", "ties"],
            vec![Field::System, Field::Unit, Field::Group],
            Field::Metric,
        ),
    ];
    if rows.iter().any(|row| row.group == "eu") {
        views.push(view(
            "Mean of the languages' g_s",
            vec!["all".to_owned(), "eu".to_owned()],
            &["languages"],
            vec![Field::System, Field::Group],
            Field::Metric,
        ));
        views.last_mut().expect("one was pushed").filters = vec![
            Filter::new(Field::Unit, ["all"]),
            Filter::new(Field::Metric, ["g_s", "languages"]),
        ];
    }
    views.push(View {
        style: CellStyle::Value,
        ..view(
            "Masculine preference q by stereotype (0.5 = none)",
            ids(),
            &["q"],
            vec![Field::Group],
            Field::Unit,
        )
    });
    if rows.iter().any(|row| row.metric == "q") {
        let systems: std::collections::BTreeSet<&str> =
            rows.iter().map(|row| row.system.as_str()).collect();
        if systems.len() > 1 {
            views.last_mut().expect("one was pushed").lines = vec![Field::System, Field::Group];
        }
    }
    views
}
