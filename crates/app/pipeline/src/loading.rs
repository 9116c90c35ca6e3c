//! A run directory as a table, and the options its results are meant with.

use std::collections::BTreeMap;

use epicene_bench::options::is_recorded_by;
use epicene_bench::{Benchmark, EncoderLinks, Given, Options};
use epicene_core::{AnswerTable, Items};
use epicene_run::RunDirectory;

use crate::PipelineError;

/// Since this format a run records the options of its own benchmark, and no others.
const OWN_OPTIONS: u32 = 2;

/// The run's log as a table.
pub fn load(run: &RunDirectory) -> Result<AnswerTable, PipelineError> {
    let mut items = Items::default();
    let store = run.plan.items();
    for index in 0..store.len() {
        store.with(index, |item| items.push(item))?;
    }
    let columns = run.plan.probes().iter();
    let columns = columns.map(|probe| (probe.system, probe.ask.unit.clone(), probe.ask.scorer));
    let mut table = AnswerTable::new(items, run.plan.systems().to_vec(), columns);
    // They stand beside the table while it is filled, for the keys of its answers.
    let items = std::mem::take(&mut table.items);
    run.observations_of(&items, |item, probe, answer| {
        table.put(item, probe, answer);
        Ok::<(), PipelineError>(())
    })?;
    table.items = items;
    Ok(table)
}

/// What an encoder linked, by system and language.
fn links(run: &RunDirectory) -> Result<Option<EncoderLinks>, PipelineError> {
    let Some(aligner) = &run.manifest.aligner else {
        return Ok(None);
    };
    if aligner.links.is_empty() {
        return Err(PipelineError::NoLinks {
            run: run.path().display().to_string(),
            aligner: aligner.name.clone(),
        });
    }
    let mut files = BTreeMap::new();
    for (probe, file) in run.links()? {
        let asked = run.plan.probes().get(probe);
        let found = asked.and_then(|asked| Some((asked.system, asked.ask.unit.language()?)));
        let (system, language) = found.ok_or_else(|| PipelineError::LinksOfNothing {
            file: file.path.clone(),
            probe,
        })?;
        let system = run.plan.systems()[system].name.clone();
        files.insert((system, language), file);
    }
    Ok(Some(EncoderLinks {
        aligner: aligner.name.clone(),
        files,
    }))
}

/// The run's own options, with what a command overrides.
pub fn options(
    run: &RunDirectory,
    benchmark: &dyn Benchmark,
    given: &Given,
) -> Result<Options, PipelineError> {
    with_files(choices(run, benchmark, given)?, run)
}

/// Options with the files that lie beside a run's answers.
pub(crate) fn with_files(
    mut options: Options,
    run: &RunDirectory,
) -> Result<Options, PipelineError> {
    options.inputs = run.inputs()?;
    options.links = links(run)?;
    Ok(options)
}

/// The run's options without its files.
pub(crate) fn choices(
    run: &RunDirectory,
    benchmark: &dyn Benchmark,
    given: &Given,
) -> Result<Options, PipelineError> {
    let (card, manifest) = (benchmark.card(), &run.manifest);
    if manifest.format >= OWN_OPTIONS {
        let known = |name: &str| name == "bootstrap" || is_recorded_by(card, name);
        if let Some(name) = manifest.options.keys().find(|name| !known(name)) {
            return Err(PipelineError::UnknownRecord {
                run: run.path().display().to_string(),
                name: name.clone(),
                benchmark: card.name,
            });
        }
    }
    let given = Given {
        seed: Some(given.seed.unwrap_or(manifest.seed)),
        ..given.clone()
    };
    let options = Options::resolve(card, &given, &manifest.options)?;
    card.check_options(&options)?;
    Ok(options)
}
