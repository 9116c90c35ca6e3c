//! How WinoMT's rows are laid out for people.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, Row, View};

pub fn views(rows: &[Row]) -> Vec<View> {
    let view = |title: &str, groups: &[&str], metrics: &[&str], lines: Vec<Field>| View {
        title: title.to_owned(),
        filters: vec![
            Filter::new(Field::Group, groups.iter().copied()),
            Filter::new(Field::Metric, metrics.iter().copied()),
        ],
        lines,
        columns: Field::Metric,
        style: CellStyle::ValueInterval,
        decimals: 1,
        labels: BTreeMap::new(),
    };
    if rows.iter().any(|row| row.metric == "delta_acc") {
        return vec![View {
            decimals: 4,
            ..view(
                "Differences of accuracy, ΔG and ΔS in points, second less first (0 = none)",
                &["all"],
                &[
                    "delta_acc",
                    "p_value",
                    "delta_delta_g",
                    "p_value_delta_g",
                    "delta_delta_s",
                    "p_value_delta_s",
                ],
                vec![Field::System, Field::Unit],
            )
        }];
    }
    let matrix = ["male", "female", "neutral", "unknown"];
    let labelled = rows.iter().any(|row| row.group.starts_with("human:"));
    let people = View {
        style: CellStyle::Value,
        decimals: 0,
        ..view(
            "Human labels (down) against the detector's (across)",
            &["human:male", "human:female", "human:neutral"],
            &matrix,
            vec![Field::System, Field::Unit, Field::Group],
        )
    };
    let mut views = vec![
        view(
            "WinoMT: accuracy, F1 of each gender, delta_g (0 = none), delta_s (0 = no stereotype)",
            &["all"],
            &[
                "acc",
                "f1_male",
                "f1_female",
                "delta_g",
                "delta_s",
                "human_agreement",
            ],
            vec![Field::System, Field::Unit],
        ),
        view(
            "Accuracy on pro- and anti-stereotypical sentences",
            &["set:pro", "set:anti"],
            &["acc", "f1_male", "f1_female", "delta_g"],
            vec![Field::System, Field::Unit, Field::Group],
        ),
        View {
            style: CellStyle::Value,
            decimals: 0,
            ..view(
                "Gold gender against the translation's",
                &["gold:male", "gold:female", "gold:neutral"],
                &matrix,
                vec![Field::System, Field::Unit, Field::Group],
            )
        },
    ];
    views.extend(labelled.then_some(people));
    views
}
