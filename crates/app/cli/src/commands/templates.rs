//! `epicene report --template`: a model card or a file for auditors, filled from finished runs.

use std::path::Path;

use epicene_bench::options::refuse_foreign;
use epicene_core::{Results, Row};
use epicene_pipeline::{JudgedRun, Pairs, compare_pairs};
use epicene_report::template::{AuditFacts, Document, RunFacts, Template};
use epicene_run::{RunDirectory, sha256_hex};

use crate::args::ReportArgs;
use crate::commands::cite;
use crate::commands::report::own;
use crate::commands::run::conclude;
use crate::failure::{Failure, Outcome};
use crate::{console, datasets, judge_figures, outputs};

pub fn run(args: &ReportArgs, template: Template) -> Result<Outcome, Failure> {
    if args.baseline.is_some() && template != Template::Audit {
        return Err(Failure::usage(
            "--baseline has no effect here; it is for --template audit",
        ));
    }
    let is_page = is_page(args.output_file.as_deref())?;
    let (gate, junit) = args.results.gate()?;
    let runs = RunDirectory::open_all(&args.runs)?;
    runs.iter().try_for_each(datasets::check_recorded)?;
    let mut given = args.choices.given.clone();
    given.corrected = args.corrected;
    let mut cards = Vec::new();
    for run in &runs {
        cards.push(epicene_pipeline::benchmark(&run.manifest.benchmark)?.card());
    }
    refuse_foreign(cards.iter().copied(), epicene_bench::cards(), &given)?;
    if let Some(gate) = &gate {
        gate.check_metrics_of(&cards)?;
    }
    let mut facts = Vec::new();
    for (directory, card) in runs.iter().zip(cards) {
        let judged = JudgedRun::open(directory, &own(&given, card))?;
        facts.push(of_run(directory, &judged)?);
    }
    let results: Vec<Results> = facts.iter().map(|run| run.results.clone()).collect();
    let rows: Vec<Row> = results.iter().flat_map(|part| part.rows.clone()).collect();
    let check = match &gate {
        None => None,
        Some(gate) => {
            let fired = gate.fired(&rows)?;
            Some(gate.check(fired.as_deref(), &rows, &[]))
        }
    };
    let comparison = match &args.baseline {
        None => None,
        Some(path) => Some(compared(path, &args.runs)?),
    };
    let audit = AuditFacts { check, comparison };
    let document = template.fill(&facts, &audit);
    let open = document.open().len();
    let outcome = conclude(gate, junit, &results, args.results.allow_partial, |_| {
        write(&document, template, args.output_file.as_deref(), is_page)
    })?;
    if open > 0 {
        console::note(format!(
            "{} to be filled by you",
            console::count(open, "line")
        ));
    }
    Ok(if args.strict && open > 0 {
        Outcome::GateFailed
    } else {
        outcome
    })
}

/// Whether the file is HTML; anything but that and Markdown is refused before the work.
fn is_page(path: Option<&Path>) -> Result<bool, Failure> {
    let Some(path) = path else {
        return Ok(false);
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html" | "htm") => Ok(true),
        Some("md" | "markdown") => Ok(false),
        _ => Err(Failure::usage(format!(
            "{}: a template is written as Markdown or HTML",
            path.display()
        ))
        .with_hint("use .md or .html")),
    }
}

fn write(
    document: &Document,
    template: Template,
    path: Option<&Path>,
    is_page: bool,
) -> Result<(), Failure> {
    let text = if is_page {
        document.html(template.title())
    } else {
        document.markdown()
    };
    match path {
        None => console::print(|out| out.write_all(text.as_bytes())),
        Some(path) => {
            outputs::write(path, text.as_bytes())?;
            console::note(format!("{}: written", path.display()));
            Ok(())
        }
    }
}

fn of_run(directory: &RunDirectory, run: &JudgedRun<'_>) -> Result<RunFacts, Failure> {
    let manifest = &directory.manifest;
    let card = run.benchmark.card();
    let mut languages: Vec<(&str, String)> = Vec::new();
    for column in &run.table.columns {
        if let Some(language) = column.unit.language()
            && !languages.iter().any(|(code, _)| *code == language.code())
        {
            languages.push((language.code(), language.name().to_owned()));
        }
    }
    let codes: Vec<&str> = languages.iter().map(|(code, _)| *code).collect();
    let times = directory.recorded_times()?;
    let known = datasets::published(&manifest.data);
    let path = directory.path().join("manifest.json");
    let text = std::fs::read(&path)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let data = Some(manifest.data.name.clone());
    Ok(RunFacts {
        benchmark: card.name.to_owned(),
        summary: card.summary.to_owned(),
        card: judge_figures::card(card, Some(&codes)),
        metrics: card.metrics,
        results: run.measure()?,
        data: manifest.data.clone(),
        licence: known.as_ref().map(|known| known.licence.to_owned()),
        source: known.and_then(|known| Some(known.source?.to_owned())),
        systems: manifest
            .systems
            .iter()
            .map(|plan| plan.card.clone())
            .collect(),
        languages: languages.into_iter().map(|(_, name)| name).collect(),
        command: command(&manifest.command),
        epicene: manifest.epicene.clone(),
        started: times.as_ref().map(|times| times.started.clone()),
        finished: times.and_then(|times| times.finished),
        host: manifest.host.to_string(),
        answered: run.table.answered(),
        asked_items: run.table.items.len(),
        seed: manifest.seed,
        options: manifest.options.clone().into_iter().collect(),
        labels: run.record().map(|record| record.labels.len() as u64),
        manifest_sha256: sha256_hex(&text),
        citation: cite::bibtex(&[(manifest.benchmark.clone(), data)]),
    })
}

/// The command without where the program was installed.
fn command(words: &[String]) -> Vec<String> {
    let program = std::iter::once("epicene".to_owned());
    program.chain(words.iter().skip(1).cloned()).collect()
}

/// The first run of an audit beside an earlier one, system by system.
fn compared(baseline: &Path, audited: &[std::path::PathBuf]) -> Result<(String, Results), Failure> {
    let [audited] = audited else {
        return Err(
            Failure::usage("--baseline compares one run with an earlier one")
                .with_hint("write an audit file for each run"),
        );
    };
    let runs = RunDirectory::open_all(&[baseline.to_owned(), audited.clone()])?;
    runs.iter().try_for_each(datasets::check_recorded)?;
    let benchmarks = [&runs[0], &runs[1]].map(|run| run.manifest.benchmark.as_str());
    if benchmarks[0] != benchmarks[1] {
        return Err(Failure::usage(format!(
            "--baseline is a run of {}, the audited run is of {}",
            benchmarks[0], benchmarks[1]
        )));
    }
    let count = |run: &RunDirectory| run.manifest.systems.len();
    if count(&runs[0]) != 1 || count(&runs[1]) != 1 {
        return Err(
            Failure::usage("--baseline compares runs of one system each")
                .with_hint("use `epicene compare` for several systems"),
        );
    }
    let pairs = compare_pairs(&runs, &[0, 1], &Default::default(), Pairs::All, &|| ())?;
    let name = epicene_view::pages::name(baseline);
    Ok((name, pairs.results))
}
