//! `epicene reproduce experiment table1` to `table6`: the MBE paper's tables from finished runs, one command each.

use std::collections::BTreeMap;
use std::path::PathBuf;

use epicene_bench::mbe::meta_evaluation::agreement;
use epicene_bench::{BenchError, Given};
use epicene_core::Row;
use epicene_pipeline::JudgedRun;
use epicene_report::aligned;
use epicene_run::RunDirectory;

use crate::console;
use crate::failure::Failure;

/// A run with the name the command gives it.
struct Named {
    name: String,
    rows: Vec<Row>,
}

/// Scores that have 50 as the unbiased value.
const SCORES: [&str; 3] = ["mbe", "pair_score", "ss"];

impl Named {
    fn open((name, path): &(String, PathBuf)) -> Result<Named, Failure> {
        let directory = RunDirectory::open(path)?;
        let run = JudgedRun::open(&directory, &Given::default())?;
        Ok(Named {
            name: name.clone(),
            rows: run.measure()?.rows,
        })
    }

    /// The score of every system.
    fn scores(&self, metrics: &[&str]) -> BTreeMap<&str, &Row> {
        let mut found: BTreeMap<&str, &Row> = BTreeMap::new();
        for metric in metrics {
            let own = |row: &&Row| row.metric == *metric && row.group == "all";
            for row in self.rows.iter().filter(own) {
                found.entry(&row.system).or_insert(row);
            }
        }
        found
    }

    fn value(&self, system: &str, metric: &str) -> Option<f64> {
        let own = |row: &&Row| row.system == system && row.metric == metric && row.group == "all";
        Some(self.rows.iter().find(own)?.value)
    }
}

pub fn run(number: u8, runs: &[(String, PathBuf)]) -> Result<(), Failure> {
    let runs = runs
        .iter()
        .map(Named::open)
        .collect::<Result<Vec<_>, _>>()?;
    let lines = match number {
        1 => sizes(&runs),
        2 => scores(&runs),
        3 => meta(&runs)?,
        _ => methods(&runs)?,
    };
    console::print(|out| out.write_all(aligned(&lines, 1).as_bytes()))
}

fn cells(given: &[&str]) -> Vec<String> {
    given.iter().map(|cell| (*cell).to_owned()).collect()
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.2}"))
}

/// Table 1: sentences about men and about women.
fn sizes(runs: &[Named]) -> Vec<Vec<String>> {
    let mut lines = vec![cells(&["run", "male", "female", "together"])];
    for run in runs {
        let Some(system) = run.scores(&["mbe"]).keys().next().copied() else {
            continue;
        };
        let count = |metric| run.value(system, metric);
        let whole = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.0}"));
        let both = count("male").zip(count("female")).map(|(m, f)| m + f);
        lines.push(vec![
            run.name.clone(),
            whole(count("male")),
            whole(count("female")),
            whole(both),
        ]);
    }
    lines
}

/// Table 2: MBE of every run and model; * where McNemar's test against a coin is below 0.05.
fn scores(runs: &[Named]) -> Vec<Vec<String>> {
    let mut lines = vec![cells(&["run", "model", "MBE", "p"])];
    for run in runs {
        for (system, row) in run.scores(&["mbe"]) {
            let p = run.value(system, "mcnemar_p");
            let mark = if p.is_some_and(|p| p < 0.05) { "*" } else { "" };
            lines.push(vec![
                run.name.clone(),
                system.to_owned(),
                format!("{:.2}{mark}", row.value),
                p.map_or("-".to_owned(), |p| format!("{p:.4}")),
            ]);
        }
    }
    lines
}

/// A run by the name the command gives.
fn named<'a>(runs: &'a [Named], name: &str) -> Result<&'a Named, Failure> {
    let found = runs.iter().find(|run| run.name == name);
    found.ok_or_else(|| {
        Failure::usage(format!("there is no run `{name}`"))
            .with_hint(format!("name one: {name}=RUN"))
    })
}

/// Table 3: Shf and MBE against the original score, over the models that all have.
fn meta(runs: &[Named]) -> Result<Vec<Vec<String>>, Failure> {
    let (original, mbe) = (named(runs, "original")?, named(runs, "mbe")?);
    let originals = original.scores(&SCORES);
    let head = [
        "method",
        "models",
        "Spearman",
        "p",
        "Pearson",
        "p",
        "Direction",
        "Diff",
    ];
    let mut lines = vec![cells(&head)];
    for (method, metric) in [("Shf", "shf"), ("MBE", "mbe")] {
        let (ours, theirs): (Vec<f64>, Vec<f64>) = originals
            .iter()
            .filter_map(|(system, row)| Some((mbe.value(system, metric)?, row.value)))
            .unzip();
        if ours.len() < 3 {
            return Err(Failure::usage(format!(
                "{method}: the two runs share {} models; a correlation needs 3",
                ours.len()
            )));
        }
        let found = agreement(&ours, &theirs).map_err(BenchError::from)?;
        lines.push(vec![
            method.to_owned(),
            ours.len().to_string(),
            number(Some(found.spearman.r)),
            format!("{:.4}", found.spearman.p_value),
            number(Some(found.pearson.r)),
            format!("{:.4}", found.pearson.p_value),
            number(Some(found.direction)),
            number(Some(found.difference)),
        ]);
    }
    Ok(lines)
}

/// Tables 4 to 6: what stands for human translations, and its difference to them.
fn methods(runs: &[Named]) -> Result<Vec<Vec<String>>, Failure> {
    let human = named(runs, "ht")?;
    let others: Vec<&Named> = runs.iter().filter(|run| run.name != "ht").collect();
    let mut head = cells(&["model", "ht"]);
    for run in &others {
        head.push(run.name.clone());
        head.push("diff".to_owned());
    }
    let mut lines = vec![head];
    for (system, row) in human.scores(&SCORES) {
        let mut line = vec![system.to_owned(), number(Some(row.value))];
        for run in &others {
            let score = run.scores(&SCORES).get(system).map(|row| row.value);
            line.push(number(score));
            line.push(number(score.map(|score| score - row.value)));
        }
        lines.push(line);
    }
    Ok(lines)
}
