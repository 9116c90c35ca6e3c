//! How GEST's rows are laid out for people.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{CellStyle, Field, Filter, Row, View};

use crate::labelled::labelled;

use super::stereotypes;

/// The numbers of a rank box.
pub const RANKS: [&str; 6] = [
    "rank_low",
    "rank_q1",
    "rank_median",
    "rank_q3",
    "rank_high",
    "rank_mean",
];

/// More columns than this do not fit a screen or a page.
const WIDE: usize = 6;

pub fn views(rows: &[Row]) -> Vec<View> {
    let has = |metric: &str| rows.iter().any(|row| row.metric == metric);
    let labels = labels(rows);
    let view = labelled(&labels);
    let summary = ["g_s", "q_m", "q_f", "q_fam"];
    let systems = names(rows, |row| row.metric == "g_s" || row.metric == "q");
    let units = names_of_units(rows);
    let mut views = Vec::new();
    if has("p") || has("yield") {
        views.push(view(
            "Machine translation: f_s (0 = no stereotype), f_m (0.5 = no preference)",
            vec![
                Filter::new(
                    Field::Metric,
                    ["f_s", "f_m", "p_m", "p_f", "p_fam", "yield"],
                ),
                Filter::new(Field::Group, ["all"]),
            ],
            vec![Field::System, Field::Unit],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        ));
    }
    if has("p") {
        let pairs = rows.iter().filter(|row| row.metric == "f_s").count();
        let languages: BTreeSet<&str> = rows
            .iter()
            .filter(|row| row.metric == "p")
            .map(|row| row.unit.as_str())
            .collect();
        // Few pairs: stereotypes down, pairs across. Many: the other way round.
        let narrow = pairs <= WIDE && languages.len() == pairs;
        views.push(view(
            "Masculine rate p by stereotype",
            vec![Filter::new(Field::Metric, ["p"])],
            if narrow {
                vec![Field::Group]
            } else {
                vec![Field::System, Field::Unit]
            },
            if narrow { Field::Unit } else { Field::Group },
            if narrow {
                CellStyle::LowValueHigh
            } else {
                CellStyle::Value
            },
            2,
        ));
    }
    if has("g_s") {
        views.push(view(
            "Stereotype rate g_s (1 = none), mean over templates",
            vec![
                Filter::new(Field::Unit, ["all"]),
                Filter::new(Field::System, systems.iter().cloned()),
                Filter::new(Field::Metric, summary),
            ],
            vec![Field::System],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        ));
    }
    if units.len() > 1 {
        views.push(view(
            "g_s by template",
            vec![
                Filter::new(Field::Metric, ["g_s"]),
                Filter::new(Field::Unit, units.iter().cloned()),
            ],
            vec![Field::System],
            Field::Unit,
            CellStyle::ValueInterval,
            3,
        ));
    }
    let groups = groups(rows);
    let of_stereotypes = |metric: &str| {
        vec![
            Filter::new(Field::Group, groups.iter().cloned()),
            Filter::new(Field::Metric, [metric]),
        ]
    };
    if has("q") {
        // One system: its templates side by side, as in Tables 9 and 10. Several: their means.
        let (title, unit_filter, columns) = match systems.len() {
            1 => ("q by stereotype and template", units.clone(), Field::Unit),
            _ => (
                "q by stereotype, mean over templates",
                vec!["all".to_owned()],
                Field::System,
            ),
        };
        let wide = systems.len() > WIDE;
        let mut filters = of_stereotypes("q");
        filters.push(Filter::new(Field::Unit, unit_filter));
        views.push(view(
            title,
            filters,
            vec![if wide { Field::System } else { Field::Group }],
            if wide { Field::Group } else { columns },
            if wide {
                CellStyle::Value
            } else {
                CellStyle::LowValueHigh
            },
            2,
        ));
    }
    if has("rank_median") {
        let mut filters = of_stereotypes("");
        filters[1] = Filter::new(Field::Metric, RANKS);
        views.push(view(
            "Feminine rank over all systems and templates (1 = most feminine)",
            filters,
            vec![Field::Group],
            Field::Metric,
            CellStyle::Value,
            2,
        ));
    }
    let all_systems = |metrics: &[&str]| {
        vec![
            Filter::new(Field::System, ["all"]),
            Filter::new(Field::Metric, metrics.iter().copied()),
        ]
    };
    let correlations = [
        "r_models",
        "r_templates",
        "r_models_items",
        "r_templates_items",
    ];
    if correlations.iter().any(|metric| has(metric)) {
        views.push(view(
            "Mean Pearson r between models and between templates",
            all_systems(&correlations),
            vec![Field::System],
            Field::Metric,
            CellStyle::Value,
            4,
        ));
    }
    if rows.iter().any(|row| row.system.starts_with("all:")) {
        views.push(view(
            "Family topics: means over models (Table 3)",
            vec![
                Filter::new(
                    Field::System,
                    ["all:masked", "all:causal", "all:translator"],
                ),
                Filter::new(
                    Field::Metric,
                    ["q_m", "q_f", "q_fam", "p_m", "p_f", "p_fam"],
                ),
            ],
            vec![Field::System],
            Field::Metric,
            CellStyle::Value,
            4,
        ));
    }
    if has("r_winobias") {
        views.push(view(
            "Agreement with WinoBias (Pearson r of g_s and ghat_s)",
            all_systems(&["r_winobias", "p_value"]),
            vec![Field::Unit],
            Field::Metric,
            CellStyle::ValueInterval,
            7,
        ));
    }
    if has("precision") {
        views.push(view(
            "First-letter heuristic (Table 5)",
            vec![Filter::new(Field::System, ["first-letter"])],
            vec![Field::Group],
            Field::Metric,
            CellStyle::ValueInterval,
            2,
        ));
    }
    if rows.iter().any(|row| row.difference_of().is_some()) {
        views = vec![view(
            "Difference, second less first (0 = none)",
            vec![Filter::new(
                Field::Metric,
                [
                    "delta_g_s",
                    "delta_q",
                    "delta_f_s",
                    "delta_f_m",
                    "delta_p",
                    "p_value",
                    "p_value_f_m",
                    "p_holm",
                ],
            )],
            vec![Field::Unit, Field::Group],
            Field::Metric,
            CellStyle::ValueInterval,
            4,
        )];
    }
    views
}

/// What people read for the groups of stereotypes.
pub fn labels(rows: &[Row]) -> BTreeMap<String, String> {
    let known = stereotypes::all().iter();
    let known = known.map(|s| (stereotypes::group(s.id), format!("{} {}", s.id, s.label)));
    let own = own_groups(rows).map(|(group, name)| (group.to_owned(), name.to_owned()));
    known.chain(own).collect()
}

/// The groups of stereotypes: GEST's, or those of a user's own set.
pub fn groups(rows: &[Row]) -> Vec<String> {
    let own = own_groups(rows).map(|(group, _)| group.to_owned());
    let own: Vec<String> = own.collect();
    if own.is_empty() {
        (1..=stereotypes::COUNT).map(stereotypes::group).collect()
    } else {
        own
    }
}

/// Stereotypes of a user's own set, with their names: GEST's are numbers.
fn own_groups(rows: &[Row]) -> impl Iterator<Item = (&str, &str)> {
    let mut seen = BTreeSet::new();
    rows.iter().filter_map(move |row| {
        let name = row.group.strip_prefix("stereotype:")?;
        let own = name.parse::<u8>().is_err() && seen.insert(name);
        own.then_some((row.group.as_str(), name))
    })
}

fn names(rows: &[Row], keep: impl Fn(&Row) -> bool) -> Vec<String> {
    let mut seen = BTreeSet::new();
    rows.iter()
        .filter(|row| keep(row))
        .filter(|row| seen.insert(row.system.clone()))
        .map(|row| row.system.clone())
        .collect()
}

fn names_of_units(rows: &[Row]) -> Vec<String> {
    rows.iter()
        .filter(|row| row.unit.starts_with("template:"))
        .map(|row| row.unit.to_string())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}
