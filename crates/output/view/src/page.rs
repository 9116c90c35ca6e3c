//! The page of a selection of runs: the same page as the file report's, made of stored measures, with the list of runs before
//! it and the items behind the server.

use std::fmt::Write;
use std::sync::Arc;

use epicene_bench::{Given, Options};
use epicene_core::{Results, Row};
use epicene_pipeline::{PipelineError, is_of_all_items};
use epicene_report::{ItemTable, Report, ReportRun, Served, escape};
use epicene_run::{RunDirectory, Times};
use serde::Deserialize;

use crate::pages;
use crate::run::{ViewError, ViewedRun};

/// Answers of all the runs together, up to which systems are compared here.
const COMPARED: u64 = 2_000_000;

/// Systems that a list of runs names.
const NAMED: usize = 3;

/// What a run stored.
#[derive(Deserialize)]
struct Stored {
    signature: String,
    #[serde(default)]
    warnings: Vec<String>,
    rows: Vec<Row>,
}

/// The bytes of the page.
pub fn page(
    runs: &[Arc<ViewedRun>],
    chosen: &[usize],
    compare: bool,
    version: &str,
) -> Result<Vec<u8>, ViewError> {
    let mut parts = Vec::new();
    for run in chosen {
        parts.push(part(&runs[*run])?);
    }
    let names: Vec<String> = chosen.iter().map(usize::to_string).collect();
    let mut report = Report {
        title: match chosen {
            [run] => runs[*run].name.clone(),
            _ => "Runs".to_owned(),
        },
        parts,
        comparison: None,
        check: None,
        version: version.to_owned(),
        served: Some(Served {
            runs: names.join(","),
            before: list(runs, chosen),
        }),
    };
    if compare {
        let rows = compared(runs, chosen)?;
        report.title = rows.title();
        for part in &mut report.parts {
            part.compared = rows.results.rows.clone();
        }
        report.comparison = Some(rows);
    }
    let mut bytes = Vec::new();
    report.write(&mut bytes)?;
    Ok(bytes)
}

/// A run as its stored measures say it.
fn part(run: &ViewedRun) -> Result<ReportRun, ViewError> {
    let path = run.path.join("measures.json");
    let stored: Stored = match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| ViewError::Unreadable(format!("{}: {error}", path.display())))?,
        // Nobody has measured it yet; its items can be looked at.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Stored {
            signature: String::new(),
            warnings: vec![format!("{}: not measured yet", run.name)],
            rows: Vec::new(),
        },
        Err(error) => return Err(error.into()),
    };
    let card = run.benchmark.card();
    let data = &run.manifest.data;
    let options = Options::resolve(card, &Given::default(), &run.manifest.options);
    let same_items =
        is_of_all_items(card, &run.manifest, &stored.signature) && card.was_published_on(data);
    Ok(ReportRun {
        run: run.name.clone(),
        benchmark: card.name.to_owned(),
        summary: card.summary.to_owned(),
        card: card.text.to_owned(),
        metrics: card.metrics,
        data: data.short(),
        facts: Vec::new(),
        results: Results {
            signature: stored.signature,
            warnings: stored.warnings,
            partial: None,
            views: run.benchmark.views(&stored.rows),
            rows: stored.rows,
            notes: Vec::new(),
        },
        baselines: options.map_or_else(|_| Vec::new(), |options| (card.baselines)(&options)),
        same_items,
        items: ItemTable::default(),
        scopes: pages::scopes(card),
        compared: Vec::new(),
    })
}

/// Every pair of the systems of these runs, tested now.
fn compared(
    runs: &[Arc<ViewedRun>],
    chosen: &[usize],
) -> Result<epicene_report::Comparison, ViewError> {
    let wrong = |message: &str| ViewError::Wrong(message.to_owned());
    if chosen.is_empty() {
        return Err(wrong("choose runs to compare"));
    }
    let answers: u64 = chosen.iter().map(|run| runs[*run].answers()).sum();
    if answers > COMPARED {
        let paths: Vec<String> = chosen
            .iter()
            .map(|run| runs[*run].path.display().to_string())
            .collect();
        return Err(ViewError::Wrong(format!(
            "{answers} answers are too many to be compared here; use `epicene compare {}`",
            paths.join(" ")
        )));
    }
    let unreadable = |error: &dyn std::fmt::Display| ViewError::Unreadable(error.to_string());
    let mut opened = Vec::new();
    for run in chosen {
        opened.push(RunDirectory::open(&runs[*run].path).map_err(|error| unreadable(&error))?);
    }
    let systems: usize = opened.iter().map(|run| run.plan.systems().len()).sum();
    if systems < 2 {
        return Err(wrong("there is one system; two or more can be compared"));
    }
    let all: Vec<usize> = (0..systems).collect();
    let given = Given {
        rounds: Some(2000),
        ..Given::default()
    };
    let compared =
        epicene_pipeline::compare(&opened, &all, &given).map_err(|error| match error {
            PipelineError::NotTheSame { .. } => ViewError::Wrong(error.to_string()),
            _ => unreadable(&error),
        })?;
    Ok(epicene_report::Comparison {
        systems: compared.systems,
        results: compared.results,
        changes: Vec::new(),
        changed: (0, 0),
    })
}

/// A table of the runs there are, to choose from: what each comes down to, and how far it is.
fn list(runs: &[Arc<ViewedRun>], chosen: &[usize]) -> String {
    let mut out = String::from(
        "<form method=\"get\" action=\"./\"><section id=\"runs\" aria-labelledby=\"runs-h\"><h2 id=\"runs-h\">Runs</h2>\n\
         <p class=\"controls\"><label>Filter <input type=\"search\" id=\"run-filter\" \
         placeholder=\"benchmark, system, path\"></label> <button type=\"submit\">Show</button> \
         <button type=\"submit\" name=\"compare\" value=\"1\">Compare</button></p>\n\
         <div class=\"table\"><div class=\"scroll\" role=\"region\" aria-label=\"Runs\" tabindex=\"0\"><table><thead><tr>",
    );
    for heading in [
        "chosen",
        "run",
        "benchmark",
        "systems",
        "furthest from the ideal",
        "finished",
        "answers",
        "path",
    ] {
        let _ = write!(out, "<th scope=\"col\" class=\"name\">{heading}</th>");
    }
    out += "</tr></thead><tbody>\n";
    for (place, run) in runs.iter().enumerate() {
        let checked = if chosen.contains(&place) {
            " checked"
        } else {
            ""
        };
        let name = escape(&run.name);
        let mut systems: Vec<&str> = Vec::new();
        for (system, _) in &run.columns {
            if !systems.contains(&system.as_str()) {
                systems.push(system);
            }
        }
        let systems = match systems.len() {
            0..=NAMED => systems.join(", "),
            many => format!("{} and {} more", systems[..NAMED].join(", "), many - NAMED),
        };
        let finished = Times::read(&run.path).ok().flatten();
        let finished = finished
            .and_then(|times| times.finished)
            .unwrap_or_default();
        let finished = finished.split('T').next().unwrap_or_default();
        let _ = writeln!(
            out,
            "<tr data-run=\"{place}\"><td class=\"name\"><input type=\"checkbox\" name=\"run\" value=\"{place}\" \
             id=\"run-{place}\"{checked} aria-label=\"choose {name}\"></td>\
             <th scope=\"row\" class=\"name\"><label for=\"run-{place}\">{name}</label></th><td class=\"name\">{}</td>\
             <td class=\"name\">{}</td><td class=\"name\">{}</td><td class=\"name\">{}</td><td class=\"name\">\
             <progress max=\"1\" aria-label=\"answers of {name}\"></progress> <span class=\"words\">…</span></td>\
             <td class=\"name\"><code>{}</code></td></tr>",
            escape(&run.manifest.benchmark),
            escape(&systems),
            escape(&headline(run)),
            escape(finished),
            escape(&run.path.display().to_string()),
        );
    }
    out += "</tbody></table></div></div></section></form>\n";
    out
}

/// What a run comes down to, as its stored measures say it: `deepl into Slovak: f_s 0.298 [0.269, 0.327]`.
fn headline(run: &ViewedRun) -> String {
    let Ok(part) = part(run) else {
        return String::new();
    };
    let report = Report {
        parts: vec![part],
        ..Report::default()
    };
    let found = report.headline();
    found.map_or(String::new(), |found| {
        format!("{}: {}", found.system, found.number)
    })
}
