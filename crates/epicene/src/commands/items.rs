//! `epicene items`: every answer of a run with its text, for people and scripts to look at.

use std::io::Write;

use epicene_core::{Answer, Item};
use epicene_run::RunDirectory;
use serde::Serialize;

use crate::args::ItemsArgs;
use crate::console;
use crate::failure::{Failure, Outcome};

#[derive(Serialize)]
struct ItemLine<'a> {
    id: &'a str,
    text: &'a str,
    labels: &'a std::collections::BTreeMap<String, String>,
    system: &'a str,
    unit: &'a str,
    observation: Answer,
    /// `m`, `f`, or `u` where neither is preferred.
    verdict: char,
    evidence: Vec<String>,
}

pub fn run(args: ItemsArgs) -> Result<Outcome, Failure> {
    let run = RunDirectory::open(&args.run)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    run.observations(|index, probe, answer| {
        let item: Item = run.plan.items().get(index)?;
        let place = &run.plan.probes()[probe];
        let line = ItemLine {
            id: &item.id,
            text: &item.text,
            labels: &item.labels,
            system: &run.plan.systems()[place.system].name,
            unit: &place.unit,
            observation: answer,
            verdict: verdict(answer),
            evidence: Vec::new(),
        };
        serde_json::to_writer(&mut out, &line).map_err(std::io::Error::from)?;
        out.write_all(b"\n").map_err(Failure::from)
    })?;
    out.flush()?;
    console::note(format!(
        "{}: every answer with its item",
        args.run.display()
    ));
    Ok(Outcome::Done)
}

fn verdict(answer: Answer) -> char {
    let preference = match answer {
        Answer::Log10Ratio(ratio) => ratio,
        Answer::GroupMeans { male, female } => male - female,
    };
    match preference {
        p if p > 0.0 => 'm',
        p if p < 0.0 => 'f',
        _ => 'u',
    }
}
