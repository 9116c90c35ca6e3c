//! `epicene demo`: the real job on what is embedded, without a network. Two models that learned from
//! books, sentences of our own, every benchmark that makes sense for them, one report.

mod samples;

use std::path::{Path, PathBuf};

use epicene_bench::Given;
use epicene_bench::unambiguous::sets::{Edition, SetName, Size};
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
    let models = demo.language_models()?;
    demo.chat()?;
    demo.translations()?;
    if args.full {
        demo.challenge_sets()?;
    }

    let page = out.join("report.html");
    report::run(ReportArgs {
        runs: demo.runs,
        output_file: Some(page.clone()),
        title: Some("epicene demo: gender bias of two small models".to_owned()),
        ..ReportArgs::default()
    })?;
    say(&format!(
        "{}\nEvery number, figure and sentence is in {}: open it in a browser.\n\
         The runs are in {}. Look closer:\n\
         \x20 epicene items {3}        every sentence with its score\n\
         \x20 epicene report {3} -o demo.md\n\
         Next, with real data, models and translators:\n\
         \x20 epicene data pull gest\n\
         \x20 epicene run gest --model hf:google-bert/bert-base-uncased\n\
         \x20 epicene run gest --model dir:PATH --fail-if 'low(g_s[all])>1.2'\n\
         \x20 epicene run unambiguous --size s --mt hf:Helsinki-NLP/opus-mt-en-de --lang de\n\
         \x20 epicene run gest --mt deepl: --lang sk,cs\n\
         \x20 epicene list published",
        if args.full {
            ""
        } else {
            "\nThat was the first table of each part; `epicene demo --full` prints all, and more parts."
        },
        page.display(),
        out.display(),
        models.display(),
    ))?;
    Ok(Outcome::Done)
}

/// What the parts of the demo share.
struct Demo {
    out: PathBuf,
    number: u8,
    /// Finished runs, for the report.
    runs: Vec<PathBuf>,
    /// Every table; else the first of each part.
    full: bool,
}

impl Demo {
    fn heading(&mut self, text: &str) -> Result<(), Failure> {
        self.number += 1;
        say(&format!("\n== {}. {text}\n", self.number))
    }

    fn language_models(&mut self) -> Result<PathBuf, Failure> {
        self.heading(
            "Two small language models on epicene-mini, 384 sentences of our own in GEST's design (not GEST).\n\
             They learned from novels of the 19th and early 20th century: g_s above 1 is what they learned there.\n\
             The null systems beside them must come out as theory says: random at g_s = 1 within its\n\
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
        Ok(models)
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
             weights) to 96 of the sentences; nobody is asked now. s is 0 without stereotypes. The lines differ by\n\
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
            "Challenge sets that `epicene generate` writes, counted without writing them",
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
                        "epicene generate unambiguous --grammar {} --size {}",
                        edition.name(),
                        size.name()
                    ),
                ]);
            }
        }
        let wibemt = epicene_pipeline::benchmark("wibemt")?.make_data("epicene-wibemt");
        if let Some(made) = wibemt {
            lines.push(vec![
                "wibemt, verbs".to_owned(),
                made?.items.len().to_string(),
                "epicene generate wibemt --part verb".to_owned(),
            ]);
        }
        say(&aligned(&lines, 3))
    }

    /// The tables of a part: the one that says most, or all.
    fn show(&self, mut measured: Results) -> Result<(), Failure> {
        if !self.full {
            measured.views.truncate(1);
            measured.notes.clear();
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
