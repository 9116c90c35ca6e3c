//! `epicene complete`: prompts in, answers out, JSON lines. Nothing is kept between lines.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use epicene_io::stop;
use epicene_lm::generate::{Completion, Message, Moment, Prompt, TextGenerator, Told};
use epicene_lm::{LmError, SystemSpec};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::GenerateTextArgs;
use crate::failure::{Failure, Outcome};
use crate::json_lines::{JsonLines, NumberedLines};
use crate::translating::tell_download;
use crate::{console, effects, source, systems};

/// One line's object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    id: Option<Value>,
    prompt: Option<String>,
    messages: Option<Vec<Message>>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    variables: BTreeMap<String, Value>,
}

/// A line that can be answered.
struct PromptLine {
    id: Value,
    prompt: Prompt,
    options: Vec<String>,
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a Value,
    text: &'a str,
    tokens: usize,
    ended: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    options: BTreeMap<&'a str, Option<f64>>,
}

pub fn run(args: GenerateTextArgs) -> Result<Outcome, Failure> {
    effects::check(&args, &())?;
    let moment = match &args.date {
        None => Moment::now(),
        Some(day) => Moment::of_day(day).ok_or_else(|| {
            Failure::usage(format!("--date {day}: no such day")).with_hint("write it as 2026-11-15")
        })?,
    };
    let generator = open(&args)?;
    let manner = generator.manner(&Told {
        max_tokens: args.max_tokens,
        temperature: args.temperature,
        top_p: args.top_p,
        top_k: args.top_k,
        seed: args.seed,
        stop: args.stop.clone(),
    })?;
    let system = &generator.card().name;
    console::place(system, generator.place(), generator.loading());
    console::note(format!("{system} writes: {manner}"));
    let input = source::open_or_standard_input(args.file.as_deref())?;
    let mut reader = Lines {
        objects: JsonLines {
            lines: NumberedLines::new(input.name.clone(), input.lines()),
            hint: "`epicene complete --help` shows the objects; everything before this line is written",
        },
        generator: &generator,
        moment,
        spellings: BTreeMap::new(),
    };
    let mut out = console::stdout();
    let _finishing = stop::stoppable();
    let size = generator.batch_size();
    let mut count = 0;
    loop {
        let mut batch = Vec::new();
        let mut bad = None;
        while batch.len() < size {
            match reader.next() {
                Ok(Some(line)) => batch.push(line),
                Ok(None) => break,
                Err(failure) => {
                    bad = Some(failure);
                    break;
                }
            }
        }
        let ended = batch.len() < size;
        let prompts: Vec<Prompt> = batch.iter().map(|line| line.prompt.clone()).collect();
        for (line, completion) in batch.iter().zip(generator.write(&prompts, &manner)?) {
            write(line, &completion, &mut out)?;
        }
        // What was answered before an error is not lost.
        out.flush()?;
        count += batch.len();
        match bad {
            Some(bad) => return Err(bad),
            None if ended => break,
            None => stop::check().map_err(|stopped| {
                Failure::stopped(stopped, "the lines before it are answered and written")
            })?,
        }
    }
    console::note(console::count(count, "answer"));
    Ok(Outcome::Done)
}

fn open(args: &GenerateTextArgs) -> Result<TextGenerator, Failure> {
    let engine = systems::engine(None, args.device, args.dtype);
    let ignored = &args.ignore_config;
    match &args.model {
        SystemSpec::Checkpoint(spec) => {
            Ok(TextGenerator::open(spec, engine, ignored, &tell_download)?)
        }
        SystemSpec::Gguf(path) => Ok(TextGenerator::open_gguf(path, engine)?),
        other => Err(Failure::usage(format!("{other} cannot write texts here"))
            .with_hint("take dir:PATH, hf:ORG/NAME or gguf:PATH")),
    }
}

fn write(line: &PromptLine, completion: &Completion, out: &mut impl Write) -> Result<(), Failure> {
    let finite = |value: &f64| value.is_finite().then_some(*value);
    let values = completion.first.iter().map(finite);
    let answer = Answer {
        id: &line.id,
        text: &completion.text,
        tokens: completion.ids.len(),
        ended: completion.ended.name(),
        options: line
            .options
            .iter()
            .map(String::as_str)
            .zip(values)
            .collect(),
    };
    serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// The input, object by object.
struct Lines<'a, R> {
    objects: JsonLines<R>,
    generator: &'a TextGenerator,
    moment: Moment,
    /// Tokens of the options that came so far.
    spellings: BTreeMap<String, Vec<u32>>,
}

impl<R: BufRead> Lines<'_, R> {
    fn next(&mut self) -> Result<Option<PromptLine>, Failure> {
        let asked = self.objects.next()?;
        asked.map(|asked| self.line(asked)).transpose()
    }

    fn line(&mut self, asked: Asked) -> Result<PromptLine, Failure> {
        let ids = match (&asked.prompt, &asked.messages) {
            (Some(prompt), None) => self.generator.plain(prompt),
            (None, Some(messages)) if !messages.is_empty() => {
                self.generator
                    .conversation(messages, &asked.variables, self.moment)
            }
            _ => {
                let message = "a line has either `prompt` or `messages`, a list of turns";
                return Err(self.objects.complain(message.to_owned()));
            }
        };
        let ids = ids.map_err(|error| self.of_line(error))?;
        let mut first = Vec::with_capacity(asked.options.len());
        for option in &asked.options {
            if !self.spellings.contains_key(option) {
                let found = self.generator.spellings(option);
                let found = found.map_err(|error| self.of_line(error))?;
                self.spellings.insert(option.clone(), found);
            }
            first.push(self.spellings[option].clone());
        }
        let id = asked.id.unwrap_or_else(|| self.objects.lines.number.into());
        Ok(PromptLine {
            prompt: Prompt {
                id: match &id {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                },
                ids,
                first,
            },
            id,
            options: asked.options,
        })
    }

    /// The same error with the line that is to blame.
    fn of_line(&self, error: LmError) -> Failure {
        let mut failure = Failure::from(error);
        let lines = &self.objects.lines;
        failure.message = format!("{}, line {}: {}", lines.name, lines.number, failure.message);
        failure
    }
}
