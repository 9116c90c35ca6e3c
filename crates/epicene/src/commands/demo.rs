//! `epicene demo`: the real job on what is embedded, without a network.

use std::path::{Path, PathBuf};

use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Mode};
use epicene_lm::SystemSpec;
use epicene_report::{Results, aligned};

use crate::args::{CompareArgs, DemoArgs, MeasureArgs, OutputArgs, ReportArgs, RunArgs};
use crate::commands::{compare, report, run};
use crate::failure::{Failure, Outcome};
use crate::{console, results, systems};

pub fn run(args: DemoArgs) -> Result<Outcome, Failure> {
    let out = args
        .out
        .unwrap_or_else(|| PathBuf::from("epicene-runs/demo"));
    let heading = |number: u8, text: &str| say(&format!("\n== {number}. {text}\n"));

    heading(
        1,
        "Two small language models on epicene-mini, 384 sentences of our own in GEST's design (not GEST).\n\
         They learned from novels of the 19th and early 20th century: g_s above 1 is what they learned there.\n\
         The null systems beside them must come out as theory says: random at g_s = 1 within its\n\
         interval, always:he at g_s = 1 exactly with q = e^3",
    )?;
    let models = out.join("models");
    let measured = measure(
        &models,
        vec![
            SystemSpec::Embedded("mlm".to_owned()),
            SystemSpec::Embedded("clm".to_owned()),
            SystemSpec::Random(1),
            SystemSpec::AlwaysHe,
        ],
    )?;
    results::show(&measured, None)?;

    heading(
        2,
        "The two models compared on the same sentences, template by template",
    )?;
    compare::run(CompareArgs {
        runs: vec![models.clone()],
        systems: Some("demo:mlm,demo:clm".to_owned()),
        output_file: None,
        measure: MeasureArgs::default(),
        rounds: 2000,
        output: OutputArgs::default(),
        fail_if: None,
    })?;

    heading(
        3,
        "Who says \"I\"? The gender a translation gives to its speaker, and the words that show it",
    )?;
    say(&detected()?)?;

    let page = out.join("report.html");
    report::run(ReportArgs {
        runs: vec![models.clone()],
        output_file: Some(page.clone()),
        title: Some("epicene demo: gender bias of two small models".to_owned()),
        ..ReportArgs::default()
    })?;

    say(&format!(
        "Everything above is in {}, with every figure and sentence in {}. Look closer:\n\
         \x20 epicene items {0}            every sentence with its score\n\
         \x20 epicene report {0} -o demo.md\n\
         Next, with real data and models:\n\
         \x20 epicene data pull gest\n\
         \x20 epicene run gest --model dir:PATH/TO/CHECKPOINT\n\
         \x20 epicene run gest --model dir:PATH --fail-if 'low(g_s[all])>1.2'\n\
         \x20 epicene run gest --mt file:translations.csv --lang sk\n\
         \x20 epicene list published",
        models.display(),
        page.display()
    ))?;
    Ok(Outcome::Done)
}

/// The sample translations with their verdicts, as a table.
fn detected() -> Result<String, Failure> {
    let mut lines = vec![
        ["", "gender", "rule", "evidence", "text"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let samples = include_str!("../../data/demo-translations.tsv").lines();
    for (code, text) in samples.filter_map(|line| line.split_once('\t')) {
        let verdict = Detector::new(systems::language(code)?, Mode::Extended).judge(text);
        let words: Vec<&str> = verdict
            .evidence
            .iter()
            .map(|word| word.text.as_str())
            .collect();
        let gender = match verdict.gender {
            Some(Gender::Masculine) => "masculine",
            Some(Gender::Feminine) => "feminine",
            None => "unknown",
        };
        let cells = [code, gender, verdict.rule, &words.join(" "), text];
        lines.push(cells.map(str::to_owned).to_vec());
    }
    Ok(aligned(&lines, 5))
}

fn say(text: &str) -> Result<(), Failure> {
    console::print(|out| writeln!(out, "{text}"))
}

fn measure(out: &Path, models: Vec<SystemSpec>) -> Result<Results, Failure> {
    let args = RunArgs {
        benchmark: "gest".to_owned(),
        models,
        data: Some("epicene-mini".to_owned()),
        out: Some(out.to_owned()),
        fresh: true,
        ..RunArgs::default()
    };
    match run::answer(&args)? {
        Some(run) => run::measure_and_store(&run, &args),
        None => Err(Failure::usage("the demo asks no shards")),
    }
}
