//! `epicene import-answers`: answers from elsewhere into a run, which then measures as if it had asked by itself.

use std::io::BufRead;
use std::path::Path;

use clap::Parser;
use epicene_core::{ModelKind, SystemCard, counted};
use epicene_io::quote::shown;
use epicene_pipeline::exchange::plan_hash;
use epicene_pipeline::{Telling, Told};
use epicene_run::{RunDirectory, RunWriter, SystemPlan};
use serde::Deserialize;
use serde_json::Value;

use crate::args::{Cli, Command, OldCommand, TellArgs};
use crate::commands::ask::{self, Base, Header};
use crate::failure::{Failure, Outcome};
use crate::json_lines::{NumberedLines, text_of};
use crate::{console, source};

/// A line's number, and what it says or why it cannot be read.
type Numbered = (u64, Result<AnswerLine, String>);

/// A line's number and its text, or why it cannot be read.
type NumberedLine = (u64, Result<String, String>);

/// Lines that are refused by name; more are counted.
const MOST_NAMED: u64 = 10;

/// What a line may be: a card, the first line of the questions, an answer or a failure.
#[derive(Deserialize)]
struct AnswerLine {
    card: Option<SystemCard>,
    epicene: Option<String>,
    plan: Option<String>,
    id: Option<Value>,
    system: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    answer: Option<Value>,
    error: Option<String>,
}

/// `null` is an answer.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

#[derive(Default)]
struct Counts {
    stored: u64,
    repeated: u64,
    failures: u64,
    refused: u64,
}

pub fn run(args: &TellArgs) -> Result<Outcome, Failure> {
    let input = source::open_or_standard_input(args.file.as_deref())?;
    let mut lines = Lines {
        lines: NumberedLines::new(input.name.clone(), input.lines()),
        held: Default::default(),
    };
    let mut telling = open(args, &mut lines)?;
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    while let Some((number, line)) = lines.next()? {
        let taken = match line {
            Err(message) => Err(message),
            Ok(line) => take(&mut telling, line, &mut counts, &mut failures)?,
        };
        if let Err(message) = taken {
            counts.refused += 1;
            if counts.refused <= MOST_NAMED {
                console::say(format!("{}, line {number}: {message}", lines.lines.name));
            }
        }
    }
    let plan = &telling.writer.run.plan;
    let (done, of) = (telling.writer.done.count(), plan.len());
    let run = telling.writer.finish()?;
    run.add_failures(&failures)?;
    sum_up(&args.run, &counts, done, of);
    if counts.refused > 0 {
        let more = counts.refused.saturating_sub(MOST_NAMED);
        let named = match more {
            0 => String::new(),
            more => format!(" ({more} of them not named)"),
        };
        return Err(Failure::input(format!(
            "{} refused{named}; all others are stored",
            counted(counts.refused, "line was", "lines were")
        ))
        .with_hint(
            "`epicene export-questions --rest RUN` lists the questions that are still open",
        ));
    }
    Ok(Outcome::Done)
}

fn sum_up(run: &Path, counts: &Counts, done: u64, of: usize) {
    let mut message = format!(
        "{}: {} stored",
        run.display(),
        counted(counts.stored, "answer", "answers")
    );
    for (count, what) in [
        (counts.repeated, "were there already"),
        (counts.failures, "failures"),
    ] {
        if count > 0 {
            message += &format!(", {count} {what}");
        }
    }
    console::note(format!(
        "{message}; {done} of {of} questions have their answer"
    ));
}

/// What is wrong with a line, or nothing.
fn take(
    telling: &mut Telling<'_>,
    line: AnswerLine,
    counts: &mut Counts,
    failures: &mut Vec<String>,
) -> Result<Result<(), String>, Failure> {
    if let Some(card) = line.card {
        let own = &telling.writer.run.manifest.systems[0].card;
        return Ok(if *own == card {
            Ok(())
        } else {
            Err(format!(
                "these answers are by {}, the run's by {}; a run holds one system",
                card.source, own.source
            ))
        });
    }
    if let Some(plan) = line.plan {
        return Ok(if plan == telling.plan() {
            Ok(())
        } else {
            Err("these are questions of another plan".to_owned())
        });
    }
    let own = &telling.writer.run.manifest.systems[0].card.name;
    if let Some(Value::String(system)) = line.system.filter(|system| system != own) {
        return Ok(Err(format!(
            "this answer is by `{}`, the run's by `{own}`; a run holds one system",
            shown(&system)
        )));
    }
    let Some(Value::String(id)) = line.id else {
        return Ok(Err(
            "there is no `id` that `epicene export-questions` gave".to_owned()
        ));
    };
    match (line.answer, line.error) {
        (Some(answer), None) => Ok(telling.take(&id, &answer)?.map(|told| match told {
            Told::Stored => counts.stored += 1,
            Told::Repeated => counts.repeated += 1,
        })),
        (None, Some(error)) => Ok(match telling.has(&id) {
            None => Err(format!("`{}` is a question of another plan", shown(&id))),
            Some(true) => Ok(()),
            Some(false) => {
                counts.failures += 1;
                failures.push(serde_json::json!({"id": id, "error": error}).to_string());
                Ok(())
            }
        }),
        _ => Ok(Err("a line has an `answer` or an `error`".to_owned())),
    }
}

/// Opens the run that is told: as it is, or made from the first line of `export-questions`.
fn open(args: &TellArgs, lines: &mut Lines<impl BufRead>) -> Result<Telling<'static>, Failure> {
    let there = args.run.join("manifest.json").exists();
    let mut card = args.system.as_ref().map(|name| SystemCard {
        name: name.clone(),
        source: format!("told:{}", args.source.as_ref().unwrap_or(name)),
        revision: None,
        dtype: None,
        tokenizer: None,
        kind: ModelKind::Masked,
    });
    let named = card.is_some();
    let known = there.then(|| RunDirectory::open(&args.run)).transpose()?;
    let answered = known
        .as_ref()
        .is_some_and(|run| !run.manifest.systems.is_empty());
    // Who answers and what was asked may stand anywhere; most often they come first.
    let (mut header, mut version) = (None, None);
    while (!there && header.is_none()) || (!answered && card.is_none()) {
        let Some((number, text)) = lines.hold()? else {
            break;
        };
        let Ok((text, line)) =
            text.and_then(|text| match serde_json::from_str::<AnswerLine>(&text) {
                Ok(line) => Ok((text, line)),
                Err(error) => Err(error.to_string()),
            })
        else {
            continue;
        };
        if line.plan.is_some() && header.is_none() {
            let read = serde_json::from_str::<Header>(&text);
            header = Some(read.map_err(|error| {
                let name = &lines.lines.name;
                Failure::input(format!(
                    "{name}, line {number}: names a plan and is not the first line of `epicene export-questions`: {error}"
                ))
            })?);
        }
        if let Some(found) = line.card.filter(|_| card.is_none()) {
            card = Some(found);
            version = line.epicene;
        }
    }
    let base = match (&known, header) {
        (Some(_), _) => None,
        (None, Some(header)) => Some(made(&header)?),
        (None, None) => {
            return Err(Failure::input(format!("{}: there is no such run", args.run.display()))
                .with_hint("make it with `epicene export-questions … --out RUN`, or send the first line of `epicene export-questions` along"));
        }
    };
    let mut manifest = match (&known, &base) {
        (Some(run), _) => run.manifest.clone(),
        (None, Some(base)) => base.manifest.clone(),
        (None, None) => unreachable!("there is a run or it was made"),
    };
    let (probes, kind) = ask::asked_of(&manifest)?;
    if manifest.systems.is_empty() {
        let mut card = card.ok_or_else(|| {
            Failure::input("no line says who answered")
                .with_hint("the first line of `epicene score --stream` does; for other programs give --system NAME")
        })?;
        if named {
            card.kind = kind;
        }
        if card.kind != kind {
            return Err(Failure::input(format!(
                "{} is a {} system; the questions are for a {kind} one",
                card.name, card.kind
            )));
        }
        if let Some(asked) = &mut manifest.asked {
            asked.told_by = version;
        }
        manifest.systems.push(SystemPlan {
            card,
            probes: probes.iter().map(|probe| probe.ask.clone()).collect(),
            server: None,
        });
        if let Some(run) = &known {
            run.name_system(&manifest)?;
        }
    }
    let benchmark = epicene_pipeline::benchmark(&manifest.benchmark)?;
    let (items, inputs) = base.map_or_else(Default::default, |base| (base.items, base.inputs));
    let writer = RunWriter::open(&args.run, manifest, items, &inputs, false)?;
    Ok(Telling::new(writer, benchmark)?)
}

/// The questions of a header, made anew.
fn made(header: &Header) -> Result<Base, Failure> {
    let bad = |message: String| {
        Failure::input(format!("the first line of `export-questions`: {message}"))
    };
    let words = std::iter::once("epicene").chain(header.command.iter().map(String::as_str));
    let cli = Cli::try_parse_from(words).map_err(|error| bad(error.to_string()))?;
    let (Command::ExportQuestions(args) | Command::Old(OldCommand::Ask(args))) = cli.command else {
        return Err(bad("its command is not `export-questions`".to_owned()));
    };
    let base = ask::base(&args, header.command.clone())?;
    if plan_hash(&base.manifest, &base.probes) != header.plan {
        return Err(bad("its plan cannot be made here; the data or the version differ".to_owned())
            .with_hint("tell the answers where the questions were asked, or to a run made with `epicene export-questions … --out RUN`"));
    }
    Ok(base)
}

/// Lines, of which some were looked at before.
struct Lines<R> {
    lines: NumberedLines<R>,
    held: std::collections::VecDeque<NumberedLine>,
}

impl<R: BufRead> Lines<R> {
    fn read(&mut self) -> Result<Option<NumberedLine>, Failure> {
        let bytes = self.lines.next()?;
        let text = bytes.map(|bytes| text_of(&bytes).map(str::to_owned));
        Ok(text.map(|text| (self.lines.number, text)))
    }

    /// The next line, which is kept for later.
    fn hold(&mut self) -> Result<Option<NumberedLine>, Failure> {
        let line = self.read()?;
        self.held.extend(line.clone());
        Ok(line)
    }

    fn next(&mut self) -> Result<Option<Numbered>, Failure> {
        let line = match self.held.pop_front() {
            Some(held) => Some(held),
            None => self.read()?,
        };
        Ok(line.map(|(number, text)| {
            let line = text.and_then(|text| {
                serde_json::from_str(text.trim()).map_err(|error| error.to_string())
            });
            (number, line)
        }))
    }
}
