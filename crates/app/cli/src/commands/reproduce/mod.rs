//! `epicene reproduce`: the numbers a paper prints, from a clone of its authors' repository. Every printed number has a record with
//! its table and cell; what cannot be compared says why. Every number of ours comes out of a command that anybody can type.

mod checkout;
mod gest;
mod gest_slavic;
mod mbe;
mod mbe_models;
mod output;
mod pickled;
mod record;
mod unambiguous;
mod wibemt;
mod winomt;

use std::cell::RefCell;
use std::path::Path;

use epicene_bench::Given;
use epicene_core::Row;
use epicene_pipeline::JudgedRun;
use epicene_report::{Figure, Style};

use super::{inner_run, report};
use crate::args::{Paper, ReproduceArgs};
use crate::failure::{Failure, Outcome};
use crate::{effects, pages};
use checkout::Checkout;
use record::{Ours, Reproduced};

/// The authors' files, a place for the runs, and the figures that runs gave.
struct Workshop {
    checkout: Checkout,
    runs: inner_run::RunsIn,
    /// Figures by the run that has them; `None` where nobody wants any.
    figures: Option<RefCell<Vec<(&'static str, Figure)>>>,
}

impl Workshop {
    /// The first of the names that is there, or the tables it is for are among the missing.
    fn need(&self, names: &[&str], costs: &str, into: &mut Reproduced) -> Option<String> {
        let found = self.checkout.file(names);
        if found.is_none() {
            into.lacks(&self.checkout.expected(names[0]), costs);
        }
        found.map(|path| path.display().to_string())
    }

    /// A file made of other files or of printed numbers, beside the runs.
    fn write(&self, name: &str, text: &str) -> Result<String, Failure> {
        let path = self.runs.path().join(name);
        crate::outputs::write(&path, text.as_bytes())?;
        Ok(path.display().to_string())
    }

    /// The rows of a run by the command line itself; `name` says whose figures these are.
    fn rows(
        &self,
        into: &mut Reproduced,
        name: &'static str,
        arguments: &[String],
    ) -> Result<Vec<Row>, Failure> {
        into.commands
            .push(format!("epicene run {}", arguments.join(" ")));
        let out = self.runs.path().join(into.commands.len().to_string());
        let directory = inner_run::run(arguments, &out)?;
        let judged = JudgedRun::open(&directory, &Given::default())?;
        let results = judged.measure()?;
        let rows = results.rows.clone();
        if let Some(figures) = &self.figures {
            let mut page = pages::report(None, Vec::new(), None);
            page.parts.push(pages::part(&directory, &judged, results));
            let drawn = page.figures().into_iter().map(|figure| (name, figure));
            figures.borrow_mut().extend(drawn);
        }
        Ok(rows)
    }
}

/// A command line of words and paths.
fn words(given: &[&str]) -> Vec<String> {
    given.iter().map(|word| (*word).to_owned()).collect()
}

/// The row of a system, unit and group.
fn find<'a>(rows: &'a [Row], [system, unit, group]: [&str; 3], metric: &str) -> Option<&'a Row> {
    rows.iter().find(|row| {
        row.system == system && row.unit == unit && row.group == group && row.metric == metric
    })
}

/// The value of a row as our side of a number; rows are absent where the run could not be made.
fn from_rows(
    rows: &Result<Vec<Row>, String>,
    place: [&str; 3],
    metric: &str,
    of: fn(&Row) -> Option<f64>,
) -> Ours {
    match rows {
        Ok(rows) => Ours::of(find(rows, place, metric).and_then(of)),
        Err(path) => Ours::NoFile(path.clone()),
    }
}

fn value(row: &Row) -> Option<f64> {
    Some(row.value)
}

fn low(row: &Row) -> Option<f64> {
    row.low
}

fn high(row: &Row) -> Option<f64> {
    row.high
}

pub fn run(args: &ReproduceArgs) -> Result<Outcome, Failure> {
    effects::check(args, &())?;
    let paper = args.paper.expect("the command line requires a paper");
    let data = args.data.as_ref().expect("the command line requires data");
    if !data.is_dir() {
        return Err(
            Failure::input(format!("{}: this is no directory", data.display()))
                .with_hint("clone the authors' repository; docs/papers.md names it"),
        );
    }
    let workshop = Workshop {
        checkout: Checkout::new(data),
        runs: inner_run::place(None)?,
        figures: args.figures.is_some().then(RefCell::default),
    };
    let reproduced = match paper {
        Paper::Gest => gest::reproduce(&workshop),
        Paper::Mbe => {
            let out = args.out.as_deref();
            let out = out.unwrap_or(Path::new("epicene-runs/reproduce-mbe"));
            let models = args.models.as_ref().map(|models| (models, out, args.yes));
            mbe::reproduce(&workshop, models)
        }
        Paper::Wibemt => wibemt::reproduce(&workshop),
        Paper::Winomt => winomt::reproduce(&workshop),
        Paper::Unambiguous => unambiguous::reproduce(&workshop),
    }?;
    if !workshop.checkout.has_any() {
        return Err(nothing(paper, data, &reproduced));
    }
    if let (Some(directory), Some(figures)) = (&args.figures, &workshop.figures) {
        draw(paper, &figures.borrow(), directory)?;
    }
    output::write(paper, &reproduced, args)?;
    Ok(Outcome::Done)
}

fn nothing(paper: Paper, data: &Path, reproduced: &Reproduced) -> Failure {
    let name = paper.name();
    let first = reproduced.missing.first();
    let looked = first.map_or(String::new(), |missing| {
        format!("; the first file looked for is {}", missing.path)
    });
    Failure::usage(format!(
        "{}: nothing of {name} is there{looked}",
        data.display()
    ))
    .with_hint("docs/papers.md says which repository to clone and which files are read")
}

/// The figures of a paper under its own numbers.
fn draw(paper: Paper, drawn: &[(&'static str, Figure)], directory: &Path) -> Result<(), Failure> {
    let mut figures = Vec::new();
    for (run, figure) in drawn {
        let numbered = output::NUMBERS.iter().find(|(of, by, name, _)| {
            *of == paper && by == run && (figure.name == *name || is_part(&figure.name, name))
        });
        let Some((.., name, number)) = numbered else {
            continue;
        };
        let part = figure.name.strip_prefix(name).unwrap_or_default();
        let mut figure = figure.clone();
        figure.name = format!("figure-{number}{part}");
        figure.title = format!("Figure {number}. {}", figure.title);
        figures.push(figure);
    }
    report::write_figures(&figures, directory, Style::default())
}

/// `gest-ranks-2` is the second figure of `gest-ranks`, `gest-stereotypes-sk` that of Slovak.
fn is_part(name: &str, whole: &str) -> bool {
    let rest = name
        .strip_prefix(whole)
        .and_then(|rest| rest.strip_prefix('-'));
    rest.is_some_and(|rest| rest.len() <= 2)
}
