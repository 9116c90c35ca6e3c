//! Hugging Face's `.eval_results/NAME.yaml` in the repository of a model: one value of a registered benchmark. The format
//! has neither an interval nor a direction, so only metrics leave whose larger values are better.

use epicene_core::{Direction, SystemCard};

use super::json::{Json, object};
use super::model::{Model, component};
use super::stored::Chosen;
use super::yaml::yaml;
use super::{ExportError, Exported, ExportedFile, Interchange, Settings, StoredRun, slug};

pub(crate) struct EvalResults;

impl Interchange for EvalResults {
    fn files(&self, run: &StoredRun, settings: &Settings) -> Result<Exported, ExportError> {
        let mut exported = Exported::default();
        let dataset = settings.needed(
            &settings.dataset,
            "the benchmark's id on Hugging Face",
            "--dataset ORG/NAME, a dataset that is registered as a benchmark",
        )?;
        let task = settings.needed(
            &settings.task,
            "the task of the benchmark",
            "--task ID, as the benchmark's eval.yaml names it",
        )?;
        let models = run.models(&mut exported.left_out);
        for system in &models {
            let model = Model::of(system, settings)?;
            let chosen = run.chosen(system, settings, &mut exported.left_out)?;
            let row = only(system, &chosen)?;
            exported
                .files
                .push(file(run, &model, row, [dataset, task], settings)?);
        }
        if models.is_empty() {
            return Err(ExportError::only_baselines(run));
        }
        Ok(exported)
    }
}

/// The one row that an entry can hold.
fn only<'a, 'r>(
    system: &SystemCard,
    chosen: &'a [Chosen<'r>],
) -> Result<&'a Chosen<'r>, ExportError> {
    let higher: Vec<&Chosen<'_>> = chosen
        .iter()
        .filter(|row| row.row.group == "all" && row.direction() == Some(Direction::Higher))
        .collect();
    let is_headline = |row: &&&Chosen<'_>| row.metric.is_some_and(|metric| metric.headline);
    let headlines: Vec<&Chosen<'_>> = higher.iter().filter(is_headline).copied().collect();
    // Beside the benchmark's own headline its details are not meant, unless one is named.
    let candidates = if headlines.is_empty() {
        higher
    } else {
        headlines
    };
    match candidates[..] {
        [] => Err(ExportError::new(
            format!(
                "{} has no metric whose larger values are better, and the format knows no other direction",
                system.name
            ),
            "pass --to model-index",
        )),
        [one] => Ok(one),
        [..] => {
            let name = |row: &&Chosen<'_>| format!("{} {}", row.row.unit, row.row.metric);
            let names: Vec<String> = candidates.iter().map(name).collect();
            Err(ExportError::new(
                format!(
                    "an entry holds one value, and {} has {}",
                    system.name,
                    names.join(", ")
                ),
                "pass --unit and --metric",
            ))
        }
    }
}

fn file(
    run: &StoredRun,
    model: &Model,
    chosen: &Chosen<'_>,
    [dataset, task]: [&str; 2],
    settings: &Settings,
) -> Result<ExportedFile, ExportError> {
    let row = chosen.row;
    let mut entry = object! {
        "dataset": object! { "id": dataset, "task_id": task },
        "value": hundred(chosen, chosen.value),
    };
    if let Some(evaluated) = settings.evaluated(run) {
        entry.push("date", evaluated.day());
    }
    if let Some(url) = &settings.report_url {
        entry.push(
            "source",
            object! { "url": url.as_str(), "name": "epicene report" },
        );
    }
    entry.push("notes", notes(run, chosen));
    let mut name = format!("epicene_{}", slug(&run.benchmark).replace('-', "_"));
    if row.unit != "all" {
        let unit = row
            .unit
            .split_once(':')
            .map_or(row.unit.as_str(), |(_, value)| value);
        name += "_";
        name += &slug(unit).replace('-', "_");
    }
    let (developer, rest) = model.parts();
    let folder = [
        component(developer, "developer")?,
        component(rest, "model")?,
    ]
    .join("/");
    Ok(ExportedFile {
        path: format!("{folder}/.eval_results/{name}.yaml"),
        text: yaml(&Json::List(vec![entry])),
    })
}

/// A value on 0 to 100, without what the multiplication adds.
fn hundred(chosen: &Chosen<'_>, value: f64) -> f64 {
    match chosen.range().map(|range| range.unit) {
        Some("proportion") => (value * 100.0 * 1e8).round() / 1e8,
        _ => value,
    }
}

fn notes(run: &StoredRun, chosen: &Chosen<'_>) -> String {
    let row = chosen.row;
    let name = match chosen.metric.map(|metric| metric.name) {
        Some(name) if !name.is_empty() => format!("{name} ({})", row.metric),
        _ => row.metric.clone(),
    };
    let mut notes = format!("epicene {}; {name} on 0 to 100", run.epicene);
    if let Some((low, high)) = chosen.interval() {
        let shown = |value: f64| format!("{:.1}", hundred(chosen, value));
        notes += &format!(", 95 % interval {} to {}", shown(low), shown(high));
    }
    if let Some(n) = row.n {
        notes += &format!(", n = {n}");
    }
    if let Some(k) = row.k {
        notes += &format!(", {k} clusters");
    }
    notes + "; " + &run.signature
}
