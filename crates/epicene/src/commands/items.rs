//! `epicene items`: every answer of a run with its text, for people and scripts to look at.

use std::io::Write;

use epicene_core::{Answer, Item, Labels};
use epicene_run::RunDirectory;
use serde::Serialize;

use crate::args::{ItemsArgs, MeasureArgs};
use crate::failure::{Failure, Outcome};
use crate::{console, results};

#[derive(Serialize)]
struct ItemLine<'a> {
    id: &'a str,
    text: &'a str,
    labels: &'a Labels,
    system: &'a str,
    unit: &'a str,
    observation: &'a Answer,
    /// `m`, `f`, or `u` where neither is shown or preferred.
    verdict: char,
    #[serde(skip_serializing_if = "str::is_empty")]
    outcome: &'a str,
    rule: &'a str,
    evidence: &'a [String],
}

pub fn run(args: ItemsArgs) -> Result<Outcome, Failure> {
    let run = RunDirectory::open(&args.run)?;
    let benchmark = results::benchmark(&run.manifest.benchmark)?;
    let options = results::options(&run, &MeasureArgs::default())?;
    // Where verdicts need all answers, all are read first.
    let together = match benchmark.judges_together() {
        true => {
            let mut tally = benchmark.tally(run.plan.systems(), &results::probes(&run));
            results::feed(&run, &mut *tally, 0)?;
            Some(tally)
        }
        false => None,
    };
    let mut out = console::stdout();
    run.observations(|index, probe, answer| {
        let item: Item = run.plan.items().get(index)?;
        let place = &run.plan.probes()[probe];
        let judgement = match &together {
            Some(tally) => tally.judgement(index, probe, &options)?,
            None => None,
        };
        let judgement =
            judgement.unwrap_or_else(|| benchmark.judge(&item, &place.unit, &answer, &options));
        let line = ItemLine {
            id: &item.id,
            text: &item.text,
            labels: &item.labels,
            system: &run.plan.systems()[place.system].name,
            unit: &place.unit,
            observation: &answer,
            verdict: judgement.verdict,
            outcome: judgement.outcome,
            rule: judgement.rule,
            evidence: &judgement.evidence,
        };
        serde_json::to_writer(&mut out, &line).map_err(std::io::Error::from)?;
        out.write_all(b"\n").map_err(Failure::from)
    })?;
    out.flush()?;
    Ok(Outcome::Done)
}
