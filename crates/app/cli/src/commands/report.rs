//! `epicene report`: measures of finished runs, recomputed from their logs, in any format.

use std::path::Path;

use epicene_bench::options::refuse_foreign;
use epicene_bench::{Card, Given};
use epicene_core::{Field, Filter, View};
use epicene_pipeline::JudgedRun;
use epicene_report::{Figure, Format, Report, Results, Style};
use epicene_run::RunDirectory;
use epicene_view::renew_verdicts;

use crate::args::{ItemsArgs, ReportArgs};
use crate::commands::run::conclude;
use crate::commands::{items, templates};
use crate::destination::Destination;
use crate::failure::{Failure, Outcome};
use crate::{activity, console, datasets, effects, outputs, pages, results};

pub fn run(args: ReportArgs) -> Result<Outcome, Failure> {
    if let Some(template) = args.template {
        return templates::run(&args, template);
    }
    if args.items {
        let [run] = &args.runs[..] else {
            return Err(Failure::usage("--items prints the items of one run"));
        };
        return items::run(ItemsArgs {
            run: run.clone(),
            disagreements: args.disagreements,
            choices: args.choices,
        });
    }
    let (gate, junit) = args.results.gate()?;
    let runs = RunDirectory::open_all(&args.runs)?;
    runs.iter().try_for_each(datasets::check_recorded)?;
    // Tables of a paper are LaTeX where nobody says otherwise.
    let paper = args.tables.is_some() && args.output_file.is_none();
    let format = args
        .results
        .output
        .format
        .or(paper.then_some(Format::Latex));
    let destination = Destination::open(args.output_file.as_deref(), format)?
        .in_style(args.style.unwrap_or_default());
    effects::check(&args, &destination)?;
    let mut given = args.choices.given.clone();
    given.corrected = args.corrected;
    let given = &given;
    let mut cards = Vec::new();
    for run in &runs {
        cards.push(epicene_pipeline::benchmark(&run.manifest.benchmark)?.card());
    }
    refuse_foreign(cards.iter().copied(), epicene_bench::cards(), given)?;
    if args.unresolved.is_some() && runs.len() != 1 {
        return Err(Failure::usage("--unresolved is written for one run"));
    }
    if let Some(gate) = &gate {
        gate.check_metrics_of(&cards)?;
    }
    // Items are kept only where somebody will see them.
    let pictured = destination.shows_items() || args.figures.is_some();
    let mut report = pages::report(args.title.clone(), Vec::new(), None);
    let mut measured: Vec<Results> = Vec::new();
    for (directory, card) in runs.iter().zip(cards) {
        activity::step(format!("measuring {}", directory.path().display()));
        let own = own(given, card);
        let run = JudgedRun::open(directory, &own)?;
        let mut results = run.measure()?;
        // The viewer reads the verdicts of large runs; a directory that cannot be written to can be reported.
        if own == Given::default()
            && let Err(error) = renew_verdicts(directory, &run)
        {
            console::warn(format!(
                "the verdicts for `epicene view` are not renewed: {error}"
            ));
        }
        store_if_absent(directory, &own, &results)?;
        if args.tables.is_some() {
            results.views = every_unit(&results);
        }
        if let Some(path) = &args.unresolved {
            results::write_undecided(&run, path)?;
        }
        if let Some(directory) = &args.author_files {
            write_author_files(&run, directory)?;
        }
        if pictured {
            report.parts.push(pages::part(directory, &run, results))
        } else {
            measured.push(results)
        }
    }
    activity::step("writing results");
    if let Some(directory) = &args.figures {
        draw(&report, directory, args.style.unwrap_or_default())?;
    }
    measured.extend(report.parts.iter().map(|part| part.results.clone()));
    let judged = measured.clone();
    conclude(gate, junit, &judged, args.results.allow_partial, |check| {
        report.check = check;
        destination.write(report, measured)
    })
}

/// Answers from other programs make a run that nothing has measured: the first report stores its measures.
fn store_if_absent(run: &RunDirectory, own: &Given, results: &Results) -> Result<(), Failure> {
    if *own != Given::default() || run.path().join("measures.json").exists() {
        return Ok(());
    }
    // A directory that cannot be written to can be reported.
    if let Err(error) = run.write_measures(&results::as_json(results)?) {
        console::warn(format!("the measures are not stored: {error}"));
    }
    Ok(())
}

/// What is given of a benchmark's own options: several runs share one command.
pub fn own(given: &Given, card: &Card) -> Given {
    let mut own = given.clone();
    own.values
        .retain(|name, _| card.specs().any(|spec| spec.name == name));
    own
}

/// Writes what can be compared with the authors' own files.
fn write_author_files(run: &JudgedRun<'_>, directory: &Path) -> Result<(), Failure> {
    let files = run.author_files()?;
    if files.is_empty() {
        console::warn(format!(
            "{} has no files in its authors' layout",
            run.manifest.benchmark
        ));
        return Ok(());
    }
    outputs::make_directory(directory)?;
    let count = files.len();
    for (name, text) in files {
        // Names of systems come from outside: they stay inside the directory.
        let name = name.replace(['/', '\\', ':'], "_");
        let path = directory.join(name.trim_start_matches('.'));
        outputs::write(&path, text.as_bytes())?;
    }
    let files = console::count(count, "file");
    console::note(format!("{}: {files}", directory.display()));
    Ok(())
}

/// The views, and those of parts of the items once more for every unit: papers print them template by template, language by
/// language.
fn every_unit(results: &Results) -> Vec<View> {
    let joint = |filter: &Filter| filter.field == Field::Unit && filter.any_of == ["all"];
    let mut units: Vec<&str> = Vec::new();
    for row in &results.rows {
        if row.unit != "all" && !units.contains(&row.unit.as_str()) {
            units.push(&row.unit);
        }
    }
    let mut views = Vec::new();
    for view in &results.views {
        views.push(view.clone());
        if !view.lines.contains(&Field::Group) || !view.filters.iter().any(joint) {
            continue;
        }
        for unit in &units {
            let mut own = view.clone();
            own.filters.retain(|filter| !joint(filter));
            own.filters.push(Filter::new(Field::Unit, [*unit]));
            let title = view
                .title
                .split(", mean over")
                .next()
                .unwrap_or(&view.title);
            own.title = format!("{title}, {}", unit.replace(':', " "));
            views.push(own);
        }
    }
    views
}

/// Every figure the results have something for.
pub fn draw(report: &Report, directory: &Path, style: Style) -> Result<(), Failure> {
    let figures = report.figures();
    write_figures(&figures, directory, style)?;
    if figures.is_empty() {
        console::warn("these results have no figure yet");
    }
    Ok(())
}

/// Every figure as SVG, as PNG and as PDF.
pub fn write_figures(figures: &[Figure], directory: &Path, style: Style) -> Result<(), Failure> {
    outputs::make_directory(directory)?;
    for figure in figures {
        let painted = figure
            .png()
            .map_err(|error| Failure::system(format!("{}: {error}", figure.name)))?;
        for (extension, bytes) in [
            ("svg", figure.svg().into_bytes()),
            ("png", painted),
            ("pdf", figure.pdf(style.figure_width)),
        ] {
            let path = directory.join(format!("{}.{extension}", figure.name));
            outputs::write(&path, &bytes)?;
        }
        let path = directory.join(&figure.name);
        console::note(format!("{}.svg, .png, .pdf: drawn", path.display()));
    }
    Ok(())
}
