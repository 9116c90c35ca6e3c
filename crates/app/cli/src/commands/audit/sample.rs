//! `epicene audit sample`.

use epicene_audit::{Sheet, form};
use epicene_pipeline::{DEFAULT_STRATA, JudgedRun, Wanted};
use epicene_run::RunDirectory;

use super::{is_run, lines};
use crate::args::AuditSampleArgs;
use crate::failure::{Failure, Outcome};
use crate::{console, effects, outputs};

pub fn run(args: &AuditSampleArgs) -> Result<Outcome, Failure> {
    for path in &args.output {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("csv" | "html" | "htm")) {
            let message = format!("{}: samples are .csv or .html", path.display());
            return Err(Failure::usage(message).with_hint("-o labels.csv -o labels.html"));
        }
    }
    let seed = args.choices.given.seed.unwrap_or(0);
    effects::check(args, &is_run(&args.population))?;
    let sheet = if is_run(&args.population) {
        if !args.choices_given.is_empty() {
            return Err(Failure::usage(
                "--labels is for JSON lines; a benchmark has its own",
            ));
        }
        let directory = RunDirectory::open(&args.population)?;
        let run = JudgedRun::open(&directory, &args.choices.given)?;
        let by = if args.by.is_empty() {
            DEFAULT_STRATA.map(str::to_owned).to_vec()
        } else {
            args.by.clone()
        };
        let wanted = Wanted {
            labels: args.count as usize,
            by,
            only: args.only.clone(),
            seed,
        };
        run.sample(&wanted, args.show)?.0
    } else {
        lines::sample(args, seed)?
    };
    for path in &args.output {
        let is_form = path.extension().is_some_and(|extension| extension != "csv");
        let text = if is_form {
            form(&sheet)
        } else {
            sheet.to_csv()
        };
        outputs::write(path, text.as_bytes())?;
        console::note(format!("{}: {}", path.display(), in_words(&sheet)));
    }
    console::note(format!("labels: {}", sheet.choices.in_words()));
    Ok(Outcome::Done)
}

fn in_words(sheet: &Sheet) -> String {
    let strata = &sheet.header.strata;
    let all: usize = strata.iter().map(|stratum| stratum.size).sum();
    format!(
        "{} of {all} verdicts to label, from {} strata",
        sheet.rows.len(),
        strata.len()
    )
}
