//! `epicene demo`: the real job on what is embedded, without a network. Two models that learned from
//! books, sentences of our own, every benchmark that makes sense for them, one report.

mod samples;

use std::path::{Path, PathBuf};

use epicene_bench::Given;
use epicene_bench::unambiguous::sets::{Edition, SetName, Size};
use epicene_core::{Metric, Row, Unit};
use epicene_lang::Gender;
use epicene_lang::first_person::Mode;
use epicene_lm::SystemSpec;
use epicene_mt::Named;
use epicene_pipeline::JudgedRun;
use epicene_report::{Results, aligned};

use crate::args::{ChoiceArgs, CompareArgs, DemoArgs, ReportArgs, ResultArgs, RunArgs};
use crate::commands::{compare, report, run};
use crate::failure::{Failure, Outcome};
use crate::{console, languages, outputs, results};

pub fn run(args: DemoArgs) -> Result<Outcome, Failure> {
    let out = args
        .out
        .unwrap_or_else(|| PathBuf::from("epicene-runs/demo"));
    let mut demo = Demo {
        out: out.clone(),
        number: 0,
        runs: Vec::new(),
        full: args.full,
    };
    if args.full {
        demo.language_models()?;
        demo.chat()?;
        demo.translations()?;
        demo.challenge_sets()?;
    } else {
        demo.one_model()?;
        demo.one_translator()?;
    }

    let page = out.join("report.html");
    report::run(ReportArgs {
        runs: demo.runs,
        output_file: Some(page.clone()),
        title: Some("epicene demo: gender bias of two small models".to_owned()),
        ..ReportArgs::default()
    })?;
    say(&format!(
        "\nThe report with figures and every sentence: {} (open it in a browser)\n\
         Next: `epicene demo --full`, or a model of your own after `epicene data pull gest`:\n\
         \x20 epicene run gest --model hf:google-bert/bert-base-uncased",
        page.display(),
    ))?;
    Ok(Outcome::Done)
}

/// What the parts of the demo share.
struct Demo {
    out: PathBuf,
    number: u8,
    /// Finished runs, for the report.
    runs: Vec<PathBuf>,
    /// Every part and table; else one model and one translator.
    full: bool,
}

impl Demo {
    fn heading(&mut self, text: &str) -> Result<(), Failure> {
        self.number += 1;
        let rest = if self.full { "\n" } else { "" };
        say(&format!("\n== {}. {text}{rest}", self.number))
    }

    fn one_model(&mut self) -> Result<(), Failure> {
        self.heading(
            "A language model. Who does a small model that learned from old novels think is speaking?\n\
             384 sentences in GEST's design, and a random baseline.",
        )?;
        self.measure(
            "models",
            RunArgs {
                benchmark: "gest".to_owned(),
                models: vec![
                    SystemSpec::Embedded("mlm".to_owned()),
                    SystemSpec::Random(1),
                ],
                data: Some("epicene-mini".to_owned()),
                ..RunArgs::default()
            },
        )?;
        Ok(())
    }

    fn one_translator(&mut self) -> Result<(), Failure> {
        let sample = samples::first_person(&self.out.join("translations"))?;
        self.heading(
            "A translator. Whom does a translation into Slovak make of the person who says \"I\"?\n\
             32 sentences, by a translator that follows stereotypes and one that makes everybody a man.",
        )?;
        self.slovak(&sample)
    }

    fn slovak(&mut self, sample: &samples::Sample) -> Result<(), Failure> {
        self.measure(
            "slovak",
            RunArgs {
                benchmark: "gest".to_owned(),
                translators: named(&sample.translators)?,
                lang: vec!["sk".to_owned()],
                data: Some(sample.data.display().to_string()),
                ..RunArgs::default()
            },
        )?;
        Ok(())
    }

    fn language_models(&mut self) -> Result<(), Failure> {
        self.heading(
            "Two small language models on epicene-mini, 384 sentences of our own in GEST's design (not GEST).\n\
             They learned from novels of the 19th and early 20th century: g_s above 1 is what they learned there.\n\
             The baselines beside them must come out as theory says: random at g_s = 1 within its\n\
             interval, always:he at g_s = 1 exactly with q = e^3",
        )?;
        let masked = || SystemSpec::Embedded("mlm".to_owned());
        let causal = SystemSpec::Embedded("clm".to_owned());
        let models = self.measure(
            "models",
            RunArgs {
                benchmark: "gest".to_owned(),
                models: vec![
                    masked(),
                    causal,
                    SystemSpec::Random(1),
                    SystemSpec::AlwaysHe,
                ],
                data: Some("epicene-mini".to_owned()),
                ..RunArgs::default()
            },
        )?;

        if self.full {
            self.compare(&models)?;
        }

        self.heading(
            "Whom does \"he\" or \"she\" mean? The masked model on epicene-winograd, pairs of our own in WinoBias'\n\
             design: above 1, a pronoun is likelier where it fits the stereotype of the occupation. Few pairs, wide\n\
             intervals",
        )?;
        self.measure(
            "winograd",
            RunArgs {
                benchmark: "winobias".to_owned(),
                models: vec![masked()],
                data: Some("epicene-winograd".to_owned()),
                ..RunArgs::default()
            },
        )?;

        self.heading(
            "MBE: does the masked model find sentences about men likelier than sentences about women? 50 is neither.\n\
             Forty sentences of our own (epicene-parallel): enough to show how, far too few to conclude",
        )?;
        self.measure(
            "mbe",
            RunArgs {
                benchmark: "mbe".to_owned(),
                models: vec![masked()],
                data: Some("epicene-parallel".to_owned()),
                ..RunArgs::default()
            },
        )?;
        Ok(())
    }

    fn compare(&mut self, models: &Path) -> Result<(), Failure> {
        self.heading("The two models compared on the same sentences, template by template")?;
        compare::run(CompareArgs {
            runs: vec![models.to_owned()],
            systems: Some("demo:mlm,demo:clm".to_owned()),
            baseline: None,
            style: None,
            output_file: None,
            corrected: false,
            choices: ChoiceArgs::default(),
            rounds: 2000,
            results: ResultArgs::default(),
        })?;
        Ok(())
    }

    fn chat(&mut self) -> Result<(), Failure> {
        let (data, answers) = samples::chat(&self.out.join("chat-answers"))?;
        self.heading(
            "A chat model, asked in several ways: stored answers of SmolLM2-135M-Instruct (a small real model, 4-bit\n\
             weights) to 96 of the sentences; no model is called. s is 0 without stereotypes. The lines differ by\n\
             wording alone, and the spread over them is part of the result",
        )?;
        self.measure(
            "chat",
            RunArgs {
                benchmark: "gest-chat".to_owned(),
                models: vec![SystemSpec::File(answers)],
                data: Some(data.display().to_string()),
                ..RunArgs::default()
            },
        )?;
        Ok(())
    }

    fn translations(&mut self) -> Result<(), Failure> {
        self.heading(
            "Who says \"I\"? The gender a translation gives to its speaker, and the words that show it",
        )?;
        say(&detected()?)?;

        let directory = self.out.join("translations");
        let sample = samples::first_person(&directory)?;
        self.heading(
            "GEST on Slovak translations of 32 sentences, as two pretended translators would write them: one makes\n\
             everybody a man (f_s = 0), one follows the stereotype (f_s well above 0; two sentences for a stereotype\n\
             draw every rate towards a half)",
        )?;
        self.slovak(&sample)?;

        let sample = samples::challenge(&directory)?;
        self.heading(
            "Sentences that say whether the nurse is a man: German and Spanish translations by a careful translator\n\
             and by one who looks at the occupation alone",
        )?;
        self.measure(
            "unambiguous",
            RunArgs {
                benchmark: "unambiguous".to_owned(),
                translators: named(&sample.translators)?,
                lang: sample.languages,
                data: Some(sample.data.display().to_string()),
                ..RunArgs::default()
            },
        )?;
        Ok(())
    }

    fn challenge_sets(&mut self) -> Result<(), Failure> {
        self.heading(
            "Challenge sets that `epicene data make` writes, counted without writing them",
        )?;
        let mut lines = vec![["set", "sentences", "command"].map(str::to_owned).to_vec()];
        for edition in [Edition::Paper, Edition::Repaired] {
            for size in [Size::Xs, Size::S, Size::Xl] {
                let set = SetName {
                    edition,
                    size,
                    without: Vec::new(),
                };
                let grammar = set.grammar();
                let grammar = grammar.map_err(|error| Failure::usage(error.to_string()))?;
                lines.push(vec![
                    format!("unambiguous, {} {}", edition.name(), size.name()),
                    grammar.count().to_string(),
                    format!(
                        "epicene data make unambiguous --grammar {} --size {}",
                        edition.name(),
                        size.name()
                    ),
                ]);
            }
        }
        let wibemt = epicene_pipeline::benchmark("wibemt")?
            .make_data("epicene-wibemt", &epicene_bench::Options::default());
        if let Some(made) = wibemt {
            lines.push(vec![
                "wibemt, verbs".to_owned(),
                made?.items.len().to_string(),
                "epicene data make wibemt --part verb".to_owned(),
            ]);
        }
        say(&aligned(&lines, 3))
    }

    /// The tables of a part: all, or the one that says most with a finding for each system.
    fn show(&self, mut measured: Results) -> Result<(), Failure> {
        if self.full {
            return results::show(&measured, None);
        }
        measured.views.truncate(1);
        measured.notes.clear();
        for row in &measured.rows {
            let card = epicene_pipeline::benchmark(&row.benchmark)?.card();
            let metric = card.metrics.iter().find(|known| known.symbol == row.metric);
            let Some(metric) = metric.filter(|metric| metric.headline) else {
                continue;
            };
            let whole = row.unit == "all" || Unit::language_code(&row.unit).is_some();
            if whole && row.group == "all" {
                measured.notes.extend(finding(row, metric));
            }
        }
        results::show(&measured, None)
    }

    /// Asks, measures, shows.
    fn measure(&mut self, name: &str, args: RunArgs) -> Result<PathBuf, Failure> {
        let out = self.out.join(name);
        let args = RunArgs {
            out: Some(out.clone()),
            fresh: true,
            ..args
        };
        let measured = match run::answer(&args)? {
            Some(directory) => {
                let run = JudgedRun::open(&directory, &Given::default())?;
                run::measure_and_store(&directory, &run)?
            }
            None => return Err(Failure::usage("the demo asks no shards")),
        };
        self.show(measured)?;
        self.runs.push(out.clone());
        Ok(out)
    }
}

/// What a headline number means, in words.
fn finding(row: &Row, metric: &Metric) -> Option<String> {
    let (ideal, low, high) = (row.ideal?, row.low?, row.high?);
    let verdict = match (low > ideal, high < ideal) {
        (true, _) => metric.above,
        (_, true) => metric.below,
        _ => "No bias found",
    };
    Some(format!(
        "{}: {} {} {:.3} [{low:.3}, {high:.3}], ideal {ideal}. {verdict}.",
        row.system, metric.name, metric.symbol, row.value
    ))
}

/// `NAME=file:PATH` as the command line would have it.
fn named(translators: &[(&'static str, PathBuf)]) -> Result<Vec<Named>, Failure> {
    let parse = |(name, path): &(&'static str, PathBuf)| {
        let given = format!("{name}=file:{}", path.display());
        given
            .parse()
            .map_err(|error| Failure::usage(format!("{given}: {error}")))
    };
    translators.iter().map(parse).collect()
}

/// The sample translations with their verdicts, as a table.
fn detected() -> Result<String, Failure> {
    let mut lines = vec![
        ["", "gender", "rule", "evidence", "text"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let samples = include_str!("../../../data/demo-translations.tsv").lines();
    for (code, text) in samples.filter_map(|line| line.split_once('\t')) {
        let verdict = languages::detector(code, Mode::Extended)?.judge(text);
        let words: Vec<&str> = verdict.evidence.iter().map(|span| span.of(text)).collect();
        let gender = match verdict.gender() {
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

/// Writes a file of the demo, with the directories it needs.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = match path.parent() {
        Some(parent) => std::fs::create_dir_all(parent),
        None => Ok(()),
    };
    written.map_err(|error| outputs::failed(path, &error))?;
    outputs::write(path, text.as_bytes())
}
