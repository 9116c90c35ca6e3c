//! `epicene items`: every answer of a run with its text, for people and scripts to look at.

use std::collections::BTreeMap;
use std::io::Write;

use epicene_bench::given_verdicts::Beside;
use epicene_bench::options::refuse_of_numbers;
use epicene_core::{Answer, Finding, Labels, Span};
use epicene_pipeline::JudgedRun;
use epicene_run::RunDirectory;
use serde::Serialize;

use crate::args::ItemsArgs;
use crate::console;
use crate::failure::{Failure, Outcome};

#[derive(Serialize)]
struct ItemLine<'a> {
    id: &'a str,
    text: &'a str,
    labels: &'a Labels,
    system: &'a str,
    unit: &'a str,
    observation: &'a Answer,
    /// `m`, `f`, `n`, or `u` where neither is shown or preferred.
    verdict: char,
    #[serde(skip_serializing_if = "str::is_empty")]
    outcome: &'a str,
    rule: &'a str,
    /// The deciding words of a translation.
    evidence: Vec<&'a str>,
    /// Their first characters and the ones past their last, from 0.
    spans: Vec<[u32; 2]>,
    /// What the verdict says, in one word.
    finding: &'a str,
    /// Epicene's own finding, where the verdict is somebody else's.
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<&'a str>,
    /// What each of several annotators says.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    annotators: BTreeMap<&'a str, &'a str>,
}

pub fn run(args: ItemsArgs) -> Result<Outcome, Failure> {
    let directory = RunDirectory::open(&args.run)?;
    let card = epicene_pipeline::benchmark(&directory.manifest.benchmark)?.card();
    refuse_of_numbers(card, &args.choices.given)?;
    let run = JudgedRun::open(&directory, &args.choices.given)?;
    if args.disagreements && run.verdicts.iter().all(|column| column.beside.is_none()) {
        return Err(
            Failure::usage("--disagreements: the verdicts of this run are epicene's own")
                .with_hint("give others with `epicene run … --verdicts NAME=FILE`"),
        );
    }
    let mut out = console::stdout();
    for index in 0..run.table.items.len() {
        let item = run.table.items.get(index);
        for (column, verdicts) in run.table.columns.iter().zip(&run.verdicts) {
            let (Some(answer), Some(verdict)) = (&column.answers[index], &verdicts.cells[index])
            else {
                continue;
            };
            let beside = verdicts.beside.as_deref();
            let is_disputed = |beside: &Beside| beside.is_disputed(index, verdict.finding);
            if args.disagreements && !beside.is_some_and(is_disputed) {
                continue;
            }
            let own = beside.and_then(|beside| beside.own.as_ref()?[index]);
            let annotators = beside.map_or_else(BTreeMap::new, |beside| {
                let said = beside.annotators.iter().zip(&beside.said[index]);
                said.filter_map(|(name, said)| Some((name.as_str(), (*said)?.name())))
                    .collect()
            });
            let spans = verdict.evidence.iter();
            let words = match answer.text() {
                Some(text) => spans.map(|span| span.of(text)).collect(),
                None => Vec::new(),
            };
            let line = ItemLine {
                id: item.id,
                text: item.text,
                labels: item.labels,
                system: &run.table.system(column).name,
                unit: column.unit.as_str(),
                observation: answer,
                verdict: verdict.finding.letter(),
                outcome: verdict.outcome.map_or("", |outcome| outcome.name()),
                rule: verdict.rule,
                evidence: words,
                spans: verdict
                    .evidence
                    .iter()
                    .map(|Span { start, end }| [*start, *end])
                    .collect(),
                finding: verdict.finding.name(),
                own: own.map(Finding::name),
                annotators,
            };
            serde_json::to_writer(&mut out, &line).map_err(std::io::Error::from)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()?;
    Ok(Outcome::Done)
}
