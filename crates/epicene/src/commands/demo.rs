//! `epicene demo`: the real job on what is embedded, without a network.

use std::path::{Path, PathBuf};

use epicene_lm::SystemSpec;

use crate::args::{DemoArgs, MeasureArgs, OutputArgs, RunArgs};
use crate::commands::{compare, run};
use crate::failure::{Failure, Outcome};
use crate::sentence_args::SentenceArgs;
use crate::{console, results};

pub fn run(args: DemoArgs) -> Result<Outcome, Failure> {
    let out = args
        .out
        .unwrap_or_else(|| PathBuf::from("epicene-runs/demo"));
    say(
        "epicene demo: GEST's measurement on epicene-mini, 384 sentences of our own (not GEST).\n\
         The null systems must come out as theory says: `random` at g_s = 1 within its interval,\n\
         `always:he` and `always:she` at g_s = 1 exactly, with q at e^3 and e^-3.\n",
    )?;
    let measured = measure(
        &out.join("null"),
        vec![
            SystemSpec::Random(1),
            SystemSpec::AlwaysHe,
            SystemSpec::AlwaysShe,
        ],
    )?;
    results::show(&measured, None)?;

    say("\nTwo random systems compared on the same sentences: no difference is to be found.\n")?;
    let (first, second) = (out.join("random-1"), out.join("random-2"));
    measure(&first, vec![SystemSpec::Random(1)])?;
    measure(&second, vec![SystemSpec::Random(2)])?;
    compare::run(crate::args::CompareArgs {
        runs: vec![first, second],
        systems: None,
        measure: MeasureArgs::default(),
        rounds: 2000,
        output: OutputArgs { format: None },
        fail_if: None,
    })?;
    say(
        "\nNext, with scores of a real model (log10 P(he)/P(she) for each sentence of GEST):\n\
         \x20 epicene data pull gest\n\
         \x20 epicene run gest --model file:scores.csv\n\
         \x20 epicene run gest --model file:scores.csv --fail-if 'low(g_s[all])>1.2'\n\
         \x20 epicene list published\n",
    )?;
    Ok(Outcome::Done)
}

fn say(text: &str) -> Result<(), Failure> {
    console::print(|out| writeln!(out, "{text}"))
}

fn measure(out: &Path, models: Vec<SystemSpec>) -> Result<epicene_report::Results, Failure> {
    let args = RunArgs {
        benchmark: "gest".to_owned(),
        models,
        translators: Vec::new(),
        lang: Vec::new(),
        allow_missing: false,
        pairs: None,
        batch_tokens: None,
        exclude: Vec::new(),
        kind: None,
        data: Some("epicene-mini".to_owned()),
        winobias: None,
        swap_pairs: None,
        sentences: SentenceArgs::default(),
        out: Some(out.to_owned()),
        fresh: true,
        limit: None,
        shard: None,
        measure: MeasureArgs::default(),
        output: OutputArgs { format: None },
        fail_if: None,
    };
    match run::answer(&args)? {
        Some(run) => run::measure_and_store(&run, &args),
        None => Err(Failure::usage("the demo asks no shards")),
    }
}
