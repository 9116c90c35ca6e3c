//! A second chat model that reads what the rules cannot: opened before anything that costs, asked when all answers are
//! there, and its labels kept with the run.

use epicene_bench::chat::{ModelLabel, READER, label_of, reader_label, reader_question};
use epicene_bench::{Card, ColumnView, Given};
use epicene_core::{Answer, Finding, Query, Scorer, System};
use epicene_lm::SystemSpec;
use epicene_pipeline::JudgedRun;
use epicene_run::RunDirectory;

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::{chatting, console, systems};

/// Answers that rules and model both read, so that their agreement is known.
const BOTH_READ: usize = 200;
/// Questions at once.
const BATCH: usize = 64;

pub struct ModelReader {
    model: Box<dyn System>,
}

/// Whether rules read the answers of chat models in a benchmark.
pub fn reads_answers(card: &Card) -> bool {
    card.inputs.iter().any(|spec| spec.role == READER)
}

impl ModelReader {
    /// The model a command names, if it names one.
    pub fn of(args: &RunArgs) -> Result<Option<ModelReader>, Failure> {
        let Some(spec) = &args.reader else {
            return Ok(None);
        };
        let engine = systems::engine(args.batch_tokens, args.device, args.dtype);
        let model = chatting::open_alone(spec, engine, &args.ignore_config, args.yes)?;
        Ok(Some(ModelReader { model }))
    }

    /// Reads the answers of a run that the rules could not read, and some that they could.
    pub fn read_run(&self, run: &mut RunDirectory) -> Result<(), Failure> {
        let by = self.model.card().name.clone();
        if run.has_made(READER, &by) {
            return Ok(());
        }
        let text = self.labels(run, &by)?;
        Ok(run.keep_made(READER, &by, &text)?)
    }

    fn labels(&self, run: &RunDirectory, by: &str) -> Result<String, Failure> {
        let judged = JudgedRun::open(run, &Given::default())?;
        let Some(script) = judged.benchmark.card().chat else {
            return Ok(String::new());
        };
        let table = &judged.table;
        // (column, item) of what is asked.
        let (mut open, mut read) = (Vec::new(), Vec::new());
        for (place, verdicts) in judged.verdicts.iter().enumerate() {
            if table.columns[place].scorer == Scorer::ChoiceLogprob {
                continue;
            }
            for (item, verdict) in verdicts.cells.iter().enumerate() {
                match verdict.as_ref().map(|verdict| verdict.finding) {
                    Some(Finding::Unreadable) => open.push((place, item)),
                    Some(Finding::NoAnswer) | None => {}
                    Some(_) => read.push((place, item)),
                }
            }
        }
        let step = read.len().div_ceil(BOTH_READ).max(1);
        let asked: Vec<(usize, usize)> = open
            .into_iter()
            .chain(read.into_iter().step_by(step))
            .collect();
        let progress = console::progress(asked.len() as u64, "read");
        let mut lines = String::new();
        for batch in asked.chunks(BATCH) {
            let query = |(index, (place, item)): (usize, &(usize, usize))| {
                let view = ColumnView {
                    table,
                    place: *place,
                };
                let unit = &view.column().unit;
                let prompt = script.prompt(table.items.get(*item), unit);
                Query {
                    index,
                    item: table.items.get(*item).id,
                    unit: unit.as_str(),
                    question: reader_question(
                        &prompt.unwrap_or_default(),
                        view.text(*item).unwrap_or_default(),
                    ),
                }
            };
            let queries: Vec<Query<'_>> = batch.iter().enumerate().map(query).collect();
            let replies = self.model.answer(&queries)?;
            for ((place, item), reply) in batch.iter().zip(&replies) {
                let Answer::Chat(reply) = reply else { continue };
                let Some(finding) = reader_label(reply) else {
                    continue;
                };
                let column = &table.columns[*place];
                let label = ModelLabel {
                    system: table.systems[column.system].name.clone(),
                    unit: column.unit.to_string(),
                    id: table.items.get(*item).id.to_owned(),
                    label: label_of(finding).to_owned(),
                    by: by.to_owned(),
                };
                let line = serde_json::to_string(&label).expect("labels are plain text");
                lines.push_str(&line);
                lines.push('\n');
            }
            progress.inc(batch.len() as u64);
        }
        self.model.check_server()?;
        progress.finish_and_clear();
        Ok(lines)
    }
}

/// `model:SPEC`.
pub fn parse(given: &str) -> Result<SystemSpec, String> {
    let spec = given
        .strip_prefix("model:")
        .ok_or_else(|| format!("`{given}` is not model:SPEC, e.g. model:chat:MODEL@URL"))?;
    spec.parse::<SystemSpec>()
        .map_err(|error| error.to_string())
}
