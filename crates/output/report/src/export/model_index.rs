//! `model-index`, the results in the front matter of a model's README on Hugging Face: a fragment to be pasted.

use epicene_core::{ModelKind, SystemCard, Unit};

use super::json::{Json, object};
use super::model::{Model, component};
use super::stored::Chosen;
use super::yaml::yaml;
use super::{ExportError, Exported, ExportedFile, Interchange, Settings, StoredRun};

pub(crate) struct ModelIndex;

impl Interchange for ModelIndex {
    fn files(&self, run: &StoredRun, settings: &Settings) -> Result<Exported, ExportError> {
        let mut exported = Exported::default();
        let models = run.models(&mut exported.left_out);
        for system in &models {
            let model = Model::of(system, settings)?;
            let chosen = run.chosen(system, settings, &mut exported.left_out)?;
            let entry = object! {
                "model-index": vec![object! {
                    "name": model.id.as_str(),
                    "results": results(run, system, &chosen, settings),
                }],
            };
            let (developer, rest) = model.parts();
            let folder = [
                component(developer, "developer")?,
                component(rest, "model")?,
            ]
            .join("/");
            exported.files.push(ExportedFile {
                path: format!(
                    "{folder}/model-index-{}.yaml",
                    component(&run.benchmark, "benchmark")?
                ),
                text: yaml(&entry),
            });
        }
        if models.is_empty() {
            return Err(ExportError::only_baselines(run));
        }
        Ok(exported)
    }
}

/// One result for each prompt variant or language.
fn results(
    run: &StoredRun,
    system: &SystemCard,
    chosen: &[Chosen<'_>],
    settings: &Settings,
) -> Vec<Json> {
    let mut units: Vec<&str> = Vec::new();
    for row in chosen.iter().map(|chosen| chosen.row) {
        if !units.contains(&row.unit.as_str()) {
            units.push(&row.unit);
        }
    }
    let of_unit = |unit: &&str| {
        let own = chosen.iter().filter(|chosen| chosen.row.unit == *unit);
        let mut dataset = object! {
            "type": run.data.name.as_str(),
            "name": format!("{} {}", run.data.name, run.data.version),
        };
        if *unit != "all" {
            dataset.push("config", Unit::language_code(unit).unwrap_or(unit));
        }
        if !run.data.sha256.is_empty() {
            dataset.push("revision", run.data.sha256.as_str());
        }
        let mut result = object! {
            "task": object! {
                "type": task(system.kind),
                "name": format!("Gender bias ({})", run.benchmark),
            },
            "dataset": dataset,
            "metrics": own.map(|chosen| metric(run, chosen)).collect::<Vec<_>>(),
        };
        if let Some(url) = &settings.report_url {
            result.push(
                "source",
                object! { "name": "epicene report", "url": url.as_str() },
            );
        }
        result
    };
    units.iter().map(of_unit).collect()
}

/// The task of a kind of system, as Hugging Face names it.
fn task(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Masked => "fill-mask",
        ModelKind::Causal | ModelKind::Chat => "text-generation",
        ModelKind::Translator => "translation",
    }
}

fn metric(run: &StoredRun, chosen: &Chosen<'_>) -> Json {
    let row = chosen.row;
    let name = match chosen.metric.map(|metric| metric.name) {
        Some(name) if !name.is_empty() => name,
        _ => &row.metric,
    };
    let mut args = Json::Map(Vec::new());
    if let Some(ideal) = row.ideal {
        args.push("ideal", ideal);
    }
    if let Some((low, high)) = chosen.interval() {
        args.push("low", low);
        args.push("high", high);
        args.push("confidence_level", 0.95);
    }
    if let Some(n) = row.n {
        args.push("n", n);
    }
    args.push("unit", row.unit.as_str());
    args.push("group", row.group.as_str());
    args.push("direction", chosen.direction_name());
    if let Some((distance, interval)) = chosen.distance() {
        args.push("distance", distance);
        if let Some((low, high)) = interval {
            args.push("distance_low", low);
            args.push("distance_high", high);
        }
    }
    args.push("signature", run.signature.as_str());
    object! {
        "type": format!("{}_{}", run.benchmark, row.metric),
        "name": name,
        "value": chosen.value,
        "args": args,
    }
}
