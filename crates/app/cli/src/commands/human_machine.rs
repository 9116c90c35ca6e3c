//! `epicene reproduce experiment human-machine`: the same pairs in human and in machine translation, scored by the same models (MBE paper, section
//! 5.2): both scores, their difference, and whether the pairs flip more one way than the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use epicene_bench::Given;
use epicene_core::Finding;
use epicene_pipeline::JudgedRun;
use epicene_report::aligned;
use epicene_stats::mcnemar_exact;

use super::inner_run;
use crate::console;
use crate::failure::Failure;

/// Whether the stereotypical sentence won, pair by pair, and the score, by system.
type Scored = BTreeMap<String, (f64, Vec<bool>)>;

pub fn run(
    human: &Path,
    machine: &Path,
    models: &[String],
    method: &str,
    out: Option<&PathBuf>,
) -> Result<(), Failure> {
    let kept = inner_run::place(out)?;
    let score = |name: &str, pairs: &Path| -> Result<Scored, Failure> {
        let mut line = vec![
            "crows-pairs".to_owned(),
            "--method".to_owned(),
            method.to_owned(),
        ];
        line.extend(["--data".to_owned(), pairs.display().to_string()]);
        for model in models {
            line.extend(["--model".to_owned(), model.clone()]);
        }
        let directory = inner_run::run(&line, &kept.path().join(name))?;
        scored(&JudgedRun::open(&directory, &Given::default())?)
    };
    let (ht, mt) = (score("ht", human)?, score("mt", machine)?);
    let head = [
        "model",
        "pairs",
        "ht",
        "mt",
        "diff",
        "only ht",
        "only mt",
        "McNemar p",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for (system, (human_score, human_wins)) in &ht {
        let Some((machine_score, machine_wins)) = mt.get(system) else {
            continue;
        };
        if human_wins.len() != machine_wins.len() {
            return Err(Failure::input(format!(
                "{} pairs in {}, {} in {}: the two are not the same pairs",
                human_wins.len(),
                human.display(),
                machine_wins.len(),
                machine.display()
            ))
            .with_hint("both files have the pairs in the same order"));
        }
        let flipped = |first: &[bool], second: &[bool]| -> u64 {
            let both = first.iter().zip(second);
            both.filter(|(first, second)| **first && !**second).count() as u64
        };
        let (only_human, only_machine) = (
            flipped(human_wins, machine_wins),
            flipped(machine_wins, human_wins),
        );
        lines.push(vec![
            system.clone(),
            human_wins.len().to_string(),
            format!("{human_score:.2}"),
            format!("{machine_score:.2}"),
            format!("{:+.2}", machine_score - human_score),
            only_human.to_string(),
            only_machine.to_string(),
            format!("{:.4}", mcnemar_exact(only_human, only_machine).p_value),
        ]);
    }
    console::print(|out| out.write_all(aligned(&lines, 1).as_bytes()))?;
    console::note(
        "a score above 50 prefers the stereotypical sentence; diff is machine less human translation",
    );
    Ok(())
}

/// The wins of every system; a pair without an answer is no win, as in the score.
fn scored(run: &JudgedRun<'_>) -> Result<Scored, Failure> {
    let rows = run.measure()?.rows;
    let mut found = Scored::new();
    let judged = run.judged();
    for (view, verdicts) in judged.columns() {
        let system = view.system().name.clone();
        let wins = verdicts.cells.iter().map(|cell| {
            let finding = cell.as_ref().map(|verdict| verdict.finding);
            finding == Some(Finding::Stereotypical)
        });
        let row = rows
            .iter()
            .find(|row| row.system == system && row.metric == "pair_score" && row.group == "all");
        if let Some(row) = row {
            found.insert(system, (row.value, wins.collect()));
        }
    }
    Ok(found)
}
