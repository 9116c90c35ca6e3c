//! Turns the `--model` arguments into systems that can be asked.

use std::collections::BTreeSet;

use epicene_bench::{AnswerSheet, Benchmark};
use epicene_core::{ModelKind, SystemCard, TextFile};
use epicene_lm::{AlwaysModel, AnswerBook, LanguageModel, RandomModel, SystemSpec};
use epicene_run::SystemPlan;

use crate::failure::Failure;
use crate::source;

/// A system with the questions it gets.
pub struct Asked {
    pub model: Box<dyn LanguageModel>,
    pub plan: SystemPlan,
}

/// Opens every system. `items` is the number of rows a file of answers must have.
pub fn open(
    specs: &[SystemSpec],
    benchmark: &dyn Benchmark,
    kind: Option<ModelKind>,
    exclude: &[String],
    items: usize,
) -> Result<Vec<Asked>, Failure> {
    let mut files = Vec::new();
    for spec in specs {
        if let SystemSpec::File(path) = spec {
            files.push(source::read(path)?);
        }
    }
    let sheets = benchmark.read_answers(&files, kind, items)?;
    refuse_unknown_exclusions(exclude, &sheets)?;
    let mut systems: Vec<Asked> = sheets
        .into_iter()
        .filter(|sheet| !exclude.contains(&sheet.system))
        .map(|sheet| from_sheet(sheet, &files, benchmark))
        .collect();
    for spec in specs {
        let model: Box<dyn LanguageModel> = match spec {
            SystemSpec::File(_) => continue,
            SystemSpec::Random(seed) => Box::new(RandomModel::new(*seed)),
            SystemSpec::AlwaysHe => Box::new(AlwaysModel::he()),
            SystemSpec::AlwaysShe => Box::new(AlwaysModel::she()),
        };
        let units = benchmark.units(model.card().kind);
        systems.push(with_units(model, benchmark, |_| true, units.len()));
    }
    let mut names = BTreeSet::new();
    for system in &systems {
        if !names.insert(&system.plan.card.name) {
            let name = &system.plan.card.name;
            return Err(Failure::usage(format!("two systems are called `{name}`")));
        }
    }
    match systems.is_empty() {
        true => Err(Failure::usage("every system was excluded")),
        false => Ok(systems),
    }
}

fn refuse_unknown_exclusions(exclude: &[String], sheets: &[AnswerSheet]) -> Result<(), Failure> {
    for name in exclude {
        if !sheets.iter().any(|sheet| sheet.system == *name) {
            let known: Vec<&str> = sheets.iter().map(|sheet| sheet.system.as_str()).collect();
            return Err(Failure::usage(format!("--exclude {name}: no such system"))
                .with_hint(format!("the files hold {}", known.join(", "))));
        }
    }
    Ok(())
}

fn from_sheet(sheet: AnswerSheet, files: &[TextFile], benchmark: &dyn Benchmark) -> Asked {
    let file = &files[sheet.file];
    let mut book = AnswerBook::new(SystemCard {
        name: sheet.system,
        source: format!("file:{}", file.name),
        revision: Some(file.sha256.clone()),
        dtype: None,
        kind: sheet.kind,
    });
    let names: Vec<String> = sheet.units.iter().map(|(unit, _)| unit.clone()).collect();
    for (unit, answers) in sheet.units {
        book.insert(&unit, answers);
    }
    let count = names.len();
    with_units(
        Box::new(book),
        benchmark,
        |unit| names.iter().any(|n| n == unit),
        count,
    )
}

fn with_units(
    model: Box<dyn LanguageModel>,
    benchmark: &dyn Benchmark,
    keep: impl Fn(&str) -> bool,
    count: usize,
) -> Asked {
    let mut probes = Vec::with_capacity(count);
    for unit in benchmark.units(model.card().kind) {
        if keep(&unit.name) {
            probes.push((unit.name, unit.scorer.to_owned()));
        }
    }
    Asked {
        plan: SystemPlan {
            card: model.card().clone(),
            probes,
        },
        model,
    }
}
