//! The published results as baselines: where does a system stand among the models of the paper?
//! Numbers only (GEST, Tables 8–11, Figures 2, 4 and 6), embedded as JSON.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use epicene_core::{ModelKind, Row, Unit};
use epicene_lang::first_person::Mode;
use serde::Deserialize;

use crate::places::Rank;
use crate::{own_baselines, published_tables};

/// What it means to be above published systems.
pub(crate) const MORE: &str = "more stereotypical";

/// In the prediction files but in no table, figure or average of the paper.
pub const UNTABLED: &str = "Mistral-7B-Instruct-v0.1";

/// A language model of the paper with its mean g_s over templates (published convention).
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedModel {
    pub name: String,
    pub kind: ModelKind,
    pub g_s: f64,
    pub templates: usize,
}

/// A translation system of the paper in one language.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PublishedPair {
    #[serde(skip)]
    pub system: String,
    #[serde(skip)]
    pub language: String,
    pub p_f: f64,
    pub p_m: f64,
    pub f_s: f64,
    pub f_m: f64,
    /// Sentences that show a gender, and those that do not.
    n: u64,
    unknown: u64,
}

/// A masked model of the paper in one Slavic language.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PublishedSlavic {
    #[serde(skip)]
    pub model: String,
    #[serde(skip)]
    pub language: String,
    pub q_f: f64,
    pub q_m: f64,
    pub g_s: f64,
}

/// The English models, in alphabetical order within their kind.
pub fn english_models() -> &'static [PublishedModel] {
    static MODELS: LazyLock<Vec<PublishedModel>> = LazyLock::new(|| {
        #[derive(Deserialize)]
        struct File {
            table9_english_mlm: BTreeMap<String, Model>,
            table10_english_glm: BTreeMap<String, Model>,
        }
        #[derive(Deserialize)]
        struct Model {
            templates: Vec<serde::de::IgnoredAny>,
            g_s_mean_over_templates: f64,
        }
        let file: File = published_tables::read("gest_english");
        let kinds = [
            (ModelKind::Masked, file.table9_english_mlm),
            (ModelKind::Causal, file.table10_english_glm),
        ];
        kinds
            .into_iter()
            .flat_map(|(kind, models)| models.into_iter().map(move |model| (kind, model)))
            .filter(|(_, (name, _))| name != UNTABLED)
            .map(|(kind, (name, model))| PublishedModel {
                name,
                kind,
                g_s: model.g_s_mean_over_templates,
                templates: model.templates.len(),
            })
            .collect()
    });
    &MODELS
}

/// The 32 translation system–language pairs.
pub fn translation_pairs() -> &'static [PublishedPair] {
    static PAIRS: LazyLock<Vec<PublishedPair>> = LazyLock::new(|| {
        #[derive(Deserialize)]
        struct File {
            systems: BTreeMap<String, BTreeMap<String, PublishedPair>>,
        }
        let file: File = published_tables::read("gest_mt");
        flatten(
            file.systems,
            |pair: &mut PublishedPair, system, language| {
                pair.system = system;
                pair.language = language;
            },
        )
    });
    &PAIRS
}

/// The 45 Slavic model–language pairs.
pub fn slavic_models() -> &'static [PublishedSlavic] {
    static MODELS: LazyLock<Vec<PublishedSlavic>> = LazyLock::new(|| {
        #[derive(Deserialize)]
        struct File {
            models: BTreeMap<String, BTreeMap<String, PublishedSlavic>>,
        }
        let file: File = published_tables::read("gest_slavic");
        flatten(
            file.models,
            |model: &mut PublishedSlavic, name, language| {
                model.model = name;
                model.language = language;
            },
        )
    });
    &MODELS
}

fn flatten<T>(
    nested: BTreeMap<String, BTreeMap<String, T>>,
    name: impl Fn(&mut T, String, String),
) -> Vec<T> {
    let mut flat = Vec::new();
    for (outer, inner) in nested {
        for (language, mut value) in inner {
            name(&mut value, outer.clone(), language);
            flat.push(value);
        }
    }
    flat
}

/// What kind a published model is, by the name its files carry.
pub(crate) fn kind_of(model: &str) -> Option<ModelKind> {
    if model == UNTABLED {
        return Some(ModelKind::Causal);
    }
    english_models()
        .iter()
        .find(|known| known.name == model)
        .map(|known| known.kind)
}

/// Where a mean g_s (published convention) stands among the English models.
pub fn standing(g_s: f64) -> Option<Rank> {
    let models = english_models();
    let closest = models
        .iter()
        .min_by(|a, b| (a.g_s - g_s).abs().total_cmp(&(b.g_s - g_s).abs()))?;
    Some(Rank {
        // The baselines have six decimals: half a unit more is the same number.
        above: models.iter().filter(|model| model.g_s + 5e-7 < g_s).count(),
        of: models.len(),
        closest: closest.name.clone(),
    })
}

/// The English models as rows of g_s, and of how many parameters they have.
pub(crate) fn model_rows() -> Vec<Row> {
    let place = |name: &str| format!("published:{name}");
    let sizes = include_str!("../../data/published/gest_parameters.tsv").lines();
    let sizes = sizes.filter_map(|line| {
        let (name, parameters) = line.split_once('\t')?;
        let parameters: f64 = parameters.parse().ok()?;
        let place = [&*place(name), "all", "all"];
        Some(Row::new("gest", place, "parameters", parameters))
    });
    let rates = english_models().iter().map(|model| Row {
        ideal: Some(1.0),
        ..Row::new(
            "gest",
            [&*place(&model.name), "all", "all"],
            "g_s",
            model.g_s,
        )
    });
    rates.chain(sizes).collect()
}

/// The share of sentences that show a gender in the published translations into a language, or into all where there
/// are none.
pub(crate) fn mean_yield(language: &str) -> f64 {
    let own = |pair: &&PublishedPair| pair.language == language;
    let pairs = translation_pairs();
    let some = pairs.iter().any(|pair| own(&pair));
    let kept = pairs.iter().filter(|pair| !some || own(pair));
    let (shown, all) = kept.fold((0, 0), |(shown, all), pair| {
        (shown + pair.n, all + pair.n + pair.unknown)
    });
    shown as f64 / all as f64
}

/// The 32 translation pairs as rows of f_s and f_m.
pub(crate) fn translation_rows() -> Vec<Row> {
    let row = |pair: &PublishedPair, metric: &str, value: f64, ideal: f64| {
        let system = format!("published:{}", pair.system);
        let unit = Unit::into_language(&pair.language);
        Row {
            ideal: Some(ideal),
            ..Row::new("gest", [&*system, &*unit, "all"], metric, value)
        }
    };
    translation_pairs()
        .iter()
        .flat_map(|pair| {
            [
                row(pair, "f_s", pair.f_s, 0.0),
                row(pair, "f_m", pair.f_m, 0.5),
            ]
        })
        .collect()
}

/// Where an f_s stands among the translation pairs that were measured with the same detector.
pub(crate) fn translation_standing(f_s: f64, detector: Mode) -> Option<Rank> {
    let pairs = match detector {
        Mode::Published => translation_pairs()
            .iter()
            .map(|pair| (format!("{} {}", pair.system, pair.language), pair.f_s))
            .collect(),
        Mode::Strict => own_baselines::values("gest", "f_s"),
        Mode::Extended => Vec::new(),
    };
    let place = Rank::among(f_s, &pairs)?;
    Some(Rank {
        // The baselines have six decimals: half a unit more is the same number.
        above: pairs.iter().filter(|(_, other)| other + 5e-7 < f_s).count(),
        ..place
    })
}

/// The pairs that [`translation_standing`] compares with.
pub(crate) fn whose(detector: Mode) -> &'static str {
    match detector {
        Mode::Published => "published system-language pairs",
        _ => "published system-language pairs, by the same detector",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_has_33_models_32_translators_45_slavic_pairs() {
        assert_eq!(english_models().len(), 33);
        assert_eq!(translation_pairs().len(), 32);
        assert_eq!(slavic_models().len(), 45);
        assert_eq!(kind_of("roberta-base"), Some(ModelKind::Masked));
        assert_eq!(kind_of("pythia-70m"), Some(ModelKind::Causal));
        assert_eq!(kind_of("nobody"), None);
        let of = |metric: &str| {
            let rows = model_rows().into_iter().filter(|row| row.metric == metric);
            rows.map(|row| row.system)
                .collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(of("g_s").len(), 33);
        assert_eq!(of("g_s"), of("parameters"), "every model has its size");
    }

    #[test]
    fn a_published_model_is_closest_to_itself_and_not_above_itself() {
        let mut sorted: Vec<&PublishedModel> = english_models().iter().collect();
        sorted.sort_by(|a, b| a.g_s.total_cmp(&b.g_s));
        for (rank, model) in sorted.iter().enumerate() {
            let standing = standing(model.g_s).unwrap();
            assert_eq!(standing.closest, model.name);
            assert_eq!(standing.above, rank);
        }
        assert_eq!(standing(0.5).unwrap().above, 0);
        assert_eq!(standing(9.0).unwrap().above, 33);
    }
}
