//! The sections on bias and evaluation of Hugging Face's model card template, so that they can be pasted.

use super::document::{Block, Document, outside};
use super::facts::{DATA_HEAD, METRIC_HEAD, RESULT_HEAD, RunFacts, metric_line, result_line};

pub(super) fn fill(document: &mut Document, runs: &[RunFacts]) {
    document.heading(2, "Bias, Risks, and Limitations");
    for run in runs {
        document.text(format!("**{}**: {}", run.benchmark, run.summary));
        for (name, field) in [("Harms", "Harms it looks for"), ("Limits", "Limits")] {
            if let Some(text) = run.field(field) {
                document
                    .blocks
                    .push(Block::Card(format!("**{name}.** {text}")));
            }
        }
        document.list(run.sentences());
        warnings(document, run);
    }
    document.heading(3, "Recommendations");
    document.leave_open("what users of the model should do about these results.");

    document.heading(2, "Evaluation");
    document.heading(3, "Testing Data, Factors & Metrics");
    document.heading(4, "Testing Data");
    document.table(&DATA_HEAD, runs.iter().map(RunFacts::data_line).collect());
    document.heading(4, "Factors");
    for run in runs {
        if let Some(genders) = run.field("Genders") {
            document.blocks.push(Block::Card(format!(
                "**{}, genders.** {genders}",
                run.benchmark
            )));
        }
        let mut units: Vec<String> = Vec::new();
        for row in &run.results.rows {
            let unit = outside(&crate::words::unit(&row.unit));
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        document.text(format!(
            "**{}, prompt variants.** {}.",
            run.benchmark,
            units.join("; ")
        ));
    }
    document.heading(4, "Metrics");
    let metrics = runs.iter().flat_map(|run| {
        let metrics = run.used_metrics().into_iter();
        metrics.map(|metric| metric_line(&run.benchmark, metric))
    });
    document.table(&METRIC_HEAD, metrics.collect());
    document.heading(3, "Results");
    let rows = runs
        .iter()
        .flat_map(|run| run.headlines().into_iter().map(|(row, _)| result_line(row)));
    document.table(&RESULT_HEAD, rows.collect());
    document.heading(4, "Summary");
    for run in runs {
        let summary = match run.sentences().into_iter().next() {
            Some(sentence) => format!("**{}**: {sentence}", run.benchmark),
            None => format!("**{}**: the run has no headline number.", run.benchmark),
        };
        document.text(summary);
    }

    document.heading(4, "Software");
    for run in runs {
        let dates = match (&run.started, &run.finished) {
            (Some(started), Some(finished)) => format!("from {started} to {finished}"),
            (Some(started), None) => format!("started {started}, not finished"),
            (None, _) => "dates not recorded".to_owned(),
        };
        document.text(format!(
            "epicene {}; {dates}; {}. Settings: `{}`",
            run.epicene,
            run.completeness(),
            outside(&run.results.signature)
        ));
    }
    document.heading(2, "Citation");
    citations(document, runs);
}

pub(super) fn warnings(document: &mut Document, run: &RunFacts) {
    let warned = run.results.warned();
    document.list(
        warned
            .iter()
            .map(|warning| format!("Warning: {}", outside(warning)))
            .collect(),
    );
}

/// Every entry once.
pub(super) fn citations(document: &mut Document, runs: &[RunFacts]) {
    let mut entries: Vec<&str> = Vec::new();
    for entry in runs.iter().flat_map(|run| run.citation.split("\n\n")) {
        let entry = entry.trim();
        if !entry.is_empty() && !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    document.blocks.push(Block::Code(entries.join("\n\n")));
}
