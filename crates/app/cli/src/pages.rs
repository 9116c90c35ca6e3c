//! Pages as this program makes them: of its version, with what is known of its judges.

use epicene_core::Results;
use epicene_pipeline::JudgedRun;
use epicene_report::{Comparison, Report, ReportRun};
use epicene_run::RunDirectory;
pub use epicene_view::pages::comparison;

use crate::judge_figures;

/// A run with everything a page shows of it.
pub fn part(directory: &RunDirectory, run: &JudgedRun<'_>, results: Results) -> ReportRun {
    let columns = run.table.columns.iter();
    let languages: Vec<&str> = columns
        .filter_map(|column| Some(column.unit.language()?.code()))
        .collect();
    ReportRun {
        card: judge_figures::card(run.benchmark.card(), Some(&languages)),
        ..epicene_view::pages::part(directory, run, results)
    }
}

pub fn report(
    title: Option<String>,
    parts: Vec<ReportRun>,
    comparison: Option<Comparison>,
) -> Report {
    epicene_view::pages::report(env!("CARGO_PKG_VERSION"), title, parts, comparison)
}
