//! `epicene reproduce`: the tables and figures of a paper from its authors' data, number by number beside what was printed. Every
//! number comes out of a command that anybody can type; what cannot be had is listed with the reason.

mod gest;
mod gest_slavic;
mod mbe;
mod unambiguous;
mod wibemt;
mod winomt;

use std::path::{Path, PathBuf};

use epicene_bench::Given;
use epicene_core::Row;
use epicene_pipeline::JudgedRun;
use epicene_report::aligned;
use serde_json::json;

use super::inner_run;
use crate::args::{Paper, ReproduceArgs, ReproduceFormat};
use crate::failure::{Failure, Outcome};
use crate::{console, effects};

/// Tables with more numbers are summed up unless all are wanted.
const SHORT: usize = 40;
/// Of a long table, the numbers that differ most.
const WORST: usize = 3;

/// One printed number.
struct Check {
    table: &'static str,
    what: String,
    paper: f64,
    ours: Option<f64>,
    /// Decimals as printed.
    digits: usize,
}

impl Check {
    fn difference(&self) -> Option<f64> {
        Some(self.ours? - self.paper)
    }

    /// Whether ours would have been printed the same.
    fn is_equal(&self) -> bool {
        let half = 0.5 * 10f64.powi(-(self.digits as i32));
        self.difference()
            .is_some_and(|difference| difference.abs() <= half * (1.0 + 1e-9))
    }
}

/// What became of a paper.
#[derive(Default)]
struct Reproduced {
    checks: Vec<Check>,
    /// Tables and figures that cannot be had, and why.
    missing: Vec<(&'static str, String)>,
    /// What is to be known about a table.
    notes: Vec<String>,
    commands: Vec<String>,
}

impl Reproduced {
    fn check(
        &mut self,
        table: &'static str,
        what: impl Into<String>,
        values: (f64, Option<f64>),
        digits: usize,
    ) {
        let (paper, ours) = values;
        let what = what.into();
        self.checks.push(Check {
            table,
            what,
            paper,
            ours,
            digits,
        });
    }

    /// A printed number against a row.
    fn row(
        &mut self,
        table: &'static str,
        rows: &[Row],
        place: [&str; 3],
        metric: &str,
        (paper, digits): (f64, usize),
    ) {
        let [system, unit, group] = place;
        let found = rows.iter().find(|row| {
            row.system == system && row.unit == unit && row.group == group && row.metric == metric
        });
        let mut what: Vec<&str> = vec![system];
        what.extend([unit, group].into_iter().filter(|part| *part != "all"));
        what.push(metric);
        self.check(
            table,
            what.join(" "),
            (paper, found.map(|row| row.value)),
            digits,
        );
    }

    fn cannot(&mut self, table: &'static str, why: impl Into<String>) {
        self.missing.push((table, why.into()));
    }
}

/// The authors' data, and a place for the runs.
struct Workshop {
    data: PathBuf,
    runs: inner_run::Place,
}

impl Workshop {
    /// A file of the data, if it is there.
    fn file(&self, name: &str) -> Option<String> {
        let path = self.data.join(name);
        path.exists().then(|| path.display().to_string())
    }

    /// The file, or the table it is for goes to the missing ones.
    fn need(&self, name: &str, table: &'static str, into: &mut Reproduced) -> Option<String> {
        let found = self.file(name);
        if found.is_none() {
            into.cannot(table, format!("{name} is not in {}", self.data.display()));
        }
        found
    }

    /// A file made of printed numbers, beside the runs.
    fn write(&self, name: &str, text: &str) -> Result<String, Failure> {
        let path = self.runs.path().join(name);
        crate::outputs::write(&path, text.as_bytes())?;
        Ok(path.display().to_string())
    }

    /// The rows of a run by the command line itself.
    fn rows(&self, into: &mut Reproduced, arguments: &[String]) -> Result<Vec<Row>, Failure> {
        into.commands
            .push(format!("epicene run {}", arguments.join(" ")));
        let out = self.runs.path().join(into.commands.len().to_string());
        let directory = inner_run::run(arguments, &out)?;
        let judged = JudgedRun::open(&directory, &Given::default())?;
        Ok(judged.measure()?.rows)
    }
}

/// A command line of words and paths.
fn words(given: &[&str]) -> Vec<String> {
    given.iter().map(|word| (*word).to_owned()).collect()
}

pub fn run(args: &ReproduceArgs) -> Result<Outcome, Failure> {
    effects::check(args, &())?;
    let paper = args.paper.expect("the command line requires a paper");
    let data = args.data.as_ref().expect("the command line requires data");
    if !data.is_dir() {
        return Err(
            Failure::input(format!("{}: this is no directory", data.display()))
                .with_hint("give the authors' data as docs/reproduce.md lays it out"),
        );
    }
    let runs = inner_run::place(None)?;
    let workshop = Workshop {
        data: data.clone(),
        runs,
    };
    let reproduced = match paper {
        Paper::Gest => gest::reproduce(&workshop),
        Paper::Mbe => mbe::reproduce(&workshop),
        Paper::Wibemt => wibemt::reproduce(&workshop),
        Paper::Winomt => winomt::reproduce(&workshop),
        Paper::Unambiguous => unambiguous::reproduce(&workshop),
    }?;
    if reproduced.checks.is_empty() {
        let paper = paper.name();
        return Err(
            Failure::usage(format!("{}: nothing of {paper} is there", data.display()))
                .with_hint("docs/reproduce.md says which files are looked for"),
        );
    }
    match args.format {
        ReproduceFormat::Table => {
            console::print(|out| out.write_all(text(&reproduced, args.all, data).as_bytes()))?
        }
        ReproduceFormat::Csv => console::print(|out| {
            writeln!(out, "table,what,paper,ours,difference,equal")?;
            for check in &reproduced.checks {
                let shown = |value: Option<f64>| value.map_or(String::new(), |v| v.to_string());
                let (ours, difference) = (shown(check.ours), shown(check.difference()));
                let cells = [
                    check.table,
                    &check.what,
                    &check.paper.to_string(),
                    &ours,
                    &difference,
                    if check.is_equal() { "yes" } else { "no" },
                ];
                super::pairs::write_csv_line(out, &cells)?;
            }
            Ok(())
        })?,
        ReproduceFormat::Json => {
            let checks: Vec<serde_json::Value> = reproduced.checks.iter().map(as_json).collect();
            let missing = reproduced.missing.iter();
            let missing: Vec<_> = missing
                .map(|(t, why)| json!({"table": t, "why": why}))
                .collect();
            let whole = json!({
                "paper": paper.name(),
                "checks": checks,
                "cannot": missing,
                "commands": reproduced.commands,
            });
            console::print(|out| writeln!(out, "{whole:#}"))?;
        }
    }
    Ok(Outcome::Done)
}

fn as_json(check: &Check) -> serde_json::Value {
    json!({
        "table": check.table,
        "what": check.what,
        "paper": check.paper,
        "ours": check.ours,
        "difference": check.difference(),
        "equal": check.is_equal(),
    })
}

/// For people: every number of short tables, a summary and the worst of long ones.
fn text(reproduced: &Reproduced, all: bool, data: &Path) -> String {
    let mut tables: Vec<&'static str> = Vec::new();
    for check in &reproduced.checks {
        if !tables.contains(&check.table) {
            tables.push(check.table);
        }
    }
    let mut text = String::new();
    let head = [
        "table",
        "numbers",
        "equal as printed",
        "mean |difference|",
        "largest",
    ];
    let mut summary = vec![words(&head)];
    for table in &tables {
        let checks: Vec<&Check> = reproduced
            .checks
            .iter()
            .filter(|c| c.table == *table)
            .collect();
        let sizes: Vec<f64> = checks
            .iter()
            .filter_map(|c| Some(c.difference()?.abs()))
            .collect();
        let equal = checks.iter().filter(|check| check.is_equal()).count();
        let mean = sizes.iter().sum::<f64>() / sizes.len().max(1) as f64;
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        summary.push(vec![
            (*table).to_owned(),
            checks.len().to_string(),
            equal.to_string(),
            format!("{mean:.4}"),
            format!("{largest:.4}"),
        ]);
        let mut shown = checks;
        let whole = all || shown.len() <= SHORT;
        if !whole {
            let size = |check: &Check| check.difference().map_or(f64::INFINITY, f64::abs);
            shown.sort_by(|a, b| size(b).total_cmp(&size(a)));
            shown.truncate(WORST);
        }
        let title = if whole {
            ""
        } else {
            ", where they differ most (--all shows every number)"
        };
        text += &format!("{table}{title}\n");
        let mut lines = vec![words(&["", "paper", "ours", "difference"])];
        for check in shown {
            let digits = check.digits;
            lines.push(vec![
                check.what.clone(),
                format!("{:.digits$}", check.paper),
                check
                    .ours
                    .map_or("-".to_owned(), |ours| format!("{ours:.*}", digits + 1)),
                check
                    .difference()
                    .map_or("-".to_owned(), |d| format!("{d:+.*}", digits + 1)),
            ]);
        }
        text += &aligned(&lines, 1);
        text.push('\n');
    }
    text += "Summary\n";
    text += &aligned(&summary, 1);
    for note in &reproduced.notes {
        text += &format!("\n{note}");
    }
    if !reproduced.missing.is_empty() {
        text += &format!("\n\nNot from {}\n", data.display());
        let lines: Vec<Vec<String>> = reproduced
            .missing
            .iter()
            .map(|(table, why)| vec![(*table).to_owned(), why.clone()])
            .collect();
        text += &aligned(&lines, 2);
    }
    text += "\nCommands\n";
    for command in &reproduced.commands {
        text += &format!("  {command}\n");
    }
    text
}
