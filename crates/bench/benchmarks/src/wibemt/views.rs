//! How WiBeMT's rows are laid out for people.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, Row, View};

pub fn views(rows: &[Row]) -> Vec<View> {
    let labels: BTreeMap<String, String> = [
        ("adjective:F", "feminine adjective"),
        ("adjective:M", "masculine adjective"),
        ("adjective:none", "no adjective"),
        ("verb:F", "feminine verb"),
        ("verb:M", "masculine verb"),
        ("third:F", "feminine third"),
        ("third:N", "neutral third"),
        ("third:M", "masculine third"),
        ("H1", "H1 feminine/masculine verb"),
        ("H2a", "H2a feminine adjective/none"),
        ("H2b", "H2b masculine adjective/none"),
        ("H2c", "H2c feminine/masculine adjective"),
        ("third:F-N", "feminine/neutral third"),
        ("third:F-M", "feminine/masculine third"),
    ]
    .into_iter()
    .map(|(name, shown)| (name.to_owned(), shown.to_owned()))
    .collect();
    // The paper has one language; where there are several, they are told apart.
    let several = rows.iter().any(|row| row.unit != rows[0].unit);
    let lines = if several {
        vec![Field::System, Field::Unit, Field::Group]
    } else {
        vec![Field::System, Field::Group]
    };
    let view = |title: &str, groups: &[&str], metrics: &[&str], style, decimals| View {
        title: title.to_owned(),
        filters: vec![
            Filter::new(Field::Group, groups.iter().copied()),
            Filter::new(Field::Metric, metrics.iter().copied()),
        ],
        lines: lines.clone(),
        columns: Field::Metric,
        style,
        decimals,
        labels: labels.clone(),
    };
    let has = |group: &str| rows.iter().any(|row| row.group == group);
    let mut views = Vec::new();
    if rows.iter().any(|row| row.compared().is_some()) {
        return vec![view(
            "Difference in percentage points, second less first (0 = none)",
            &["part:verb", "part:adjective"],
            &[
                "delta_tfg",
                "p_value",
                "p_holm",
                "delta_tcg",
                "p_value_tcg",
                "p_holm_tcg",
            ],
            CellStyle::ValueInterval,
            3,
        )];
    }
    if has("part:verb") {
        views.push(view(
            "Verb sentences: % translated as female (50 = no preference)",
            &[
                "part:verb",
                "verb:F",
                "verb:M",
                "third:F",
                "third:N",
                "third:M",
            ],
            &["tfg", "female", "male", "neutral", "wrong"],
            CellStyle::ValueInterval,
            1,
        ));
    }
    if has("part:adjective") {
        views.push(view(
            "Extended WinoBias: % female (tfg), % of the right gender (tcg, also by pronoun)",
            &["adjective:F", "adjective:M", "adjective:none"],
            &["tfg", "tcg", "tcg_female", "tcg_male", "neutral", "wrong"],
            CellStyle::ValueInterval,
            1,
        ));
    }
    let counted = rows.iter().any(|row| row.metric == "chi2");
    if counted || rows.iter().any(|row| row.metric == "delta_tfg") {
        views.push(view(
            if counted {
                "Hypotheses: chi-square with Yates' correction, difference of tfg in points"
            } else {
                "Hypotheses: by occupation and verb or adjective, difference of tfg in points"
            },
            &["H1", "H2a", "H2b", "H2c", "third:F-N", "third:F-M"],
            &["chi2", "p_value", "p_bonferroni", "delta_tfg", "odds_ratio"],
            CellStyle::ValueInterval,
            3,
        ));
    }
    views
}
