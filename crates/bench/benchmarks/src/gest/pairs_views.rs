//! How the rows of Slavic masked models are laid out: g_s by language, Table 11, Table 7, what models and languages agree on.

use epicene_core::{CellStyle, Field, Filter, Row, Unit, View};

use crate::labelled::labelled;

use super::views;

pub fn views(rows: &[Row]) -> Vec<View> {
    let has = |metric: &str| rows.iter().any(|row| row.metric == metric);
    let labels = views::labels(rows);
    let view = labelled(&labels);
    let of = |metrics: &[&str]| Filter::new(Field::Metric, metrics.iter().copied());
    let rate = |title: &str, metrics: &[&str]| {
        view(
            title,
            vec![of(metrics), Filter::new(Field::Group, ["all"])],
            vec![Field::System, Field::Unit],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        )
    };
    if has("delta_g_s") {
        let title = "Stereotype rate g_s by language, second less first (0 = none)";
        return vec![rate(title, &["delta_g_s", "p_value"])];
    }
    let mut views = vec![rate(
        "Stereotype rate g_s by language (1 = none)",
        &["g_s", "q_m", "q_f", "q_fam", "pairs"],
    )];
    if has("q") {
        views.push(view(
            "q by stereotype: lower bound, mean, upper bound (Table 11)",
            vec![
                of(&["q"]),
                Filter::new(Field::Group, views::groups(rows)),
                Filter::new(Field::Unit, languages(rows)),
            ],
            vec![Field::System, Field::Unit],
            Field::Group,
            CellStyle::LowValueHigh,
            2,
        ));
    }
    if has("rank_median") {
        views.push(view(
            "Feminine rank over all models and languages (1 = most feminine; Figure 7)",
            vec![of(&views::RANKS)],
            vec![Field::Group],
            Field::Metric,
            CellStyle::Value,
            2,
        ));
    }
    if has("r_units") {
        views.push(view(
            "Mean Pearson r of log q: all units, models in a language, languages of a model",
            vec![of(&["r_units", "r_models", "r_languages"])],
            vec![Field::System],
            Field::Metric,
            CellStyle::ValueInterval,
            4,
        ));
        views.push(view(
            "Family topics: means over models and languages (Table 3)",
            vec![
                Filter::new(Field::System, ["all:masked"]),
                of(&["q_m", "q_f", "q_fam"]),
            ],
            vec![Field::System],
            Field::Metric,
            CellStyle::Value,
            4,
        ));
    }
    let translators = rows.iter().map(|row| row.group.as_str());
    let mut translators: Vec<&str> = translators
        .filter(|group| group.starts_with("translator:"))
        .collect();
    translators.sort_unstable();
    translators.dedup();
    for (metric, title) in [
        (
            "pairs_table7",
            "Pairs whose sentences start alike, as Table 7 counts",
        ),
        ("pairs", "Pairs whose differing words start alike"),
    ] {
        if has("pairs_table7") {
            views.push(view(
                title,
                vec![
                    of(&[metric]),
                    Filter::new(Field::Group, translators.iter().copied()),
                ],
                vec![Field::Group],
                Field::Unit,
                CellStyle::Value,
                0,
            ));
        }
    }
    views
}

/// Units that are languages.
fn languages(rows: &[Row]) -> Vec<String> {
    let own = rows
        .iter()
        .filter(|row| Unit::language_code(&row.unit).is_some());
    let mut units: Vec<String> = own.map(|row| row.unit.to_string()).collect();
    units.sort();
    units.dedup();
    units
}
