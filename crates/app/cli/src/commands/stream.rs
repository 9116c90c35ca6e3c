//! `epicene score --stream`: a system that is kept warm. Every line brings its own task, answers go out in the order of the
//! lines as soon as the input pauses, and a line that cannot be answered costs only itself.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use epicene_core::{Query, Question, Scorer, System};
use epicene_io::session::handed_on;
use epicene_io::stop;
use epicene_lm::SystemSpec;
use epicene_pipeline::exchange::{AskedLine, QUESTION_FIELDS};
use serde::Serialize;
use serde_json::Value;

use crate::args::{AskingArgs, ScoreArgs};
use crate::failure::{Failure, Outcome};
use crate::{asking, chatting, console, json_lines, source, systems, translating};

/// Lines read ahead of the system.
const READ_AHEAD: usize = 8192;
/// How often a wish to stop is looked for.
const GLANCE: Duration = Duration::from_millis(200);

/// A line on its way through.
struct StreamLine {
    /// The id and the asker's own fields, as they were written.
    kept: String,
    item: String,
    unit: String,
    asked: Asked,
}

enum Asked {
    Question(Question),
    /// Why it cannot be asked.
    Bad(String),
    /// The first line of `epicene export-questions` goes along to `epicene import-answers`.
    Header(String),
}

#[derive(Serialize)]
struct Card<'a> {
    card: &'a epicene_core::SystemCard,
    epicene: &'static str,
}

pub fn run(args: &ScoreArgs) -> Result<Outcome, Failure> {
    let model = open(args)?;
    let mut out = console::stdout();
    let card = Card {
        card: model.card(),
        epicene: env!("CARGO_PKG_VERSION"),
    };
    serde_json::to_writer(&mut out, &card).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()?;
    let lines = read(args.file.clone())?;
    let _finishing = stop::stoppable();
    let (mut answered, mut failed) = (0u64, 0u64);
    let pause = Duration::from_millis(args.flush);
    let mut number = 0;
    while let Some(texts) = batch(&lines, model.capabilities().batch_size.max(1), pause)? {
        let mut batch = Vec::with_capacity(texts.len());
        for text in texts {
            number += 1;
            batch.extend(line(&text, number, args));
        }
        let (good, bad) = answer(&*model, &batch, &mut out)?;
        out.flush()?;
        answered += good;
        failed += bad;
        stop::check().map_err(|stopped| {
            Failure::stopped(stopped, "the lines before it are answered and written")
        })?;
    }
    let failures = match failed {
        0 => String::new(),
        failed => format!("; {failed} could not be answered"),
    };
    console::note(format!(
        "{} answered{failures}",
        console::count(answered, "line")
    ));
    asking::tell_notes(&*model);
    Ok(Outcome::Done)
}

fn open(args: &ScoreArgs) -> Result<Box<dyn System>, Failure> {
    let engine = systems::engine(args.batch_tokens, args.device, args.dtype);
    let Some(named) = &args.translator else {
        let model = args.model.as_ref().expect("clap requires one of the two");
        if args.task.contains(&Scorer::Chat) || matches!(model, SystemSpec::Chat(_)) {
            return chatting::open_alone(model, engine, &args.ignore_config, args.yes);
        }
        return systems::open_alone(model, engine, &args.ignore_config);
    };
    let asking = AskingArgs {
        yes: args.yes,
        fresh: false,
        device: args.device,
        dtype: args.dtype,
        ignore_config: args.ignore_config.clone(),
    };
    let from: Vec<&str> = args.from.iter().map(String::as_str).collect();
    let translator = translating::open(named, &from, &args.lang, &asking, None)?;
    chatting::refuse_costs(&translator, args.yes)?;
    Ok(Box::new(translator))
}

/// Lines from a thread of their own, so that a pause can be told from an end.
fn read(file: Option<PathBuf>) -> Result<Receiver<Result<Vec<u8>, Failure>>, Failure> {
    let (sender, lines) = sync_channel(READ_AHEAD);
    let reading = move || {
        let input = match source::open_or_standard_input(file.as_deref()) {
            Ok(input) => input,
            Err(error) => {
                let _ = sender.send(Err(error.into()));
                return;
            }
        };
        let name = input.name.clone();
        let mut input = input.lines();
        loop {
            let mut bytes = Vec::new();
            let line = match input.read_until(b'\n', &mut bytes) {
                Ok(0) => return,
                Ok(_) => Ok(bytes),
                Err(error) => Err(Failure::input(format!("{name}: {error}"))),
            };
            let ends = line.is_err();
            if sender.send(line).is_err() || ends {
                return;
            }
        }
    };
    std::thread::Builder::new()
        .spawn(handed_on(reading))
        .map_err(|error| Failure::system(format!("cannot start a thread: {error}")))?;
    Ok(lines)
}

/// As many lines as are worth asking at once, or those there are when the input pauses; `None` at its end.
fn batch(
    lines: &Receiver<Result<Vec<u8>, Failure>>,
    size: usize,
    pause: Duration,
) -> Result<Option<Vec<Vec<u8>>>, Failure> {
    let mut batch = Vec::new();
    loop {
        let patience = if batch.is_empty() { GLANCE } else { pause };
        match lines.recv_timeout(patience) {
            Ok(line) => batch.push(line?),
            Err(RecvTimeoutError::Timeout) if batch.is_empty() => {
                stop::check().map_err(|stopped| {
                    Failure::stopped(stopped, "every line that came is answered")
                })?;
            }
            Err(RecvTimeoutError::Timeout) => return Ok(Some(batch)),
            Err(RecvTimeoutError::Disconnected) => {
                return Ok((!batch.is_empty()).then_some(batch));
            }
        }
        if batch.len() >= size {
            return Ok(Some(batch));
        }
    }
}

/// What is asked by a line; nothing by an empty one.
fn line(bytes: &[u8], number: u64, args: &ScoreArgs) -> Option<StreamLine> {
    let bad = |kept: String, message: String| StreamLine {
        kept,
        item: String::new(),
        unit: String::new(),
        asked: Asked::Bad(message),
    };
    let numbered = || format!("\"id\":{number}");
    let text = match json_lines::text_of(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').trim(),
        Err(message) => return Some(bad(numbered(), message)),
    };
    if text.is_empty() {
        return None;
    }
    let Some(fields) = fields(text) else {
        let message = match serde_json::from_str::<Value>(text) {
            Ok(_) => "this is no JSON object".to_owned(),
            Err(error) => error.to_string(),
        };
        return Some(bad(numbered(), message));
    };
    let has = |name: &str| fields.iter().any(|(field, _)| field == name);
    if has("plan") && has("command") && !has("task") {
        return Some(StreamLine {
            asked: Asked::Header(text.to_owned()),
            ..bad(String::new(), String::new())
        });
    }
    let kept = fields.iter().filter(|(name, _)| {
        !QUESTION_FIELDS.contains(&name.as_str()) && !matches!(name.as_str(), "answer" | "error")
    });
    let mut kept: Vec<String> = kept
        .map(|(name, raw)| format!("{}:{raw}", Value::from(name.as_str())))
        .collect();
    if !has("id") {
        kept.insert(0, numbered());
    }
    let kept = kept.join(",");
    let asked: AskedLine = match serde_json::from_str(text) {
        Ok(asked) => asked,
        Err(error) => return Some(bad(kept, error.to_string())),
    };
    let task = match asked.task().transpose() {
        None => args
            .task
            .first()
            .copied()
            .ok_or_else(|| "there is no `task`".to_owned()),
        Some(task) => task,
    };
    let question = task.and_then(|task| asked.question(task, args.embeddings));
    let question = question.and_then(|question| match &question {
        Question::Translate { to, .. } if !args.lang.contains(to) => {
            Err(format!("`{to}` is none of the languages given with --lang"))
        }
        Question::Translate { from, .. } if !args.from.contains(from) => Err(format!(
            "`{from}` is none of the languages given with --from"
        )),
        _ => Ok(question),
    });
    Some(match question {
        Err(message) => bad(kept, message),
        Ok(question) => StreamLine {
            kept,
            item: asked.place("item"),
            unit: asked.place("unit"),
            asked: Asked::Question(question),
        },
    })
}

/// Answers a batch and writes it in its order; how many were answered, and how many could not be.
fn answer(
    model: &dyn System,
    batch: &[StreamLine],
    out: &mut impl Write,
) -> Result<(u64, u64), Failure> {
    let queries: Vec<Query<'_>> = batch
        .iter()
        .filter_map(|line| match &line.asked {
            Asked::Question(question) => Some(Query {
                index: 0,
                item: &line.item,
                unit: &line.unit,
                question: question.clone(),
            }),
            _ => None,
        })
        .collect();
    let mut answers = epicene_pipeline::answer_all(model, &queries)?.into_iter();
    let (mut answered, mut failed) = (0, 0);
    for line in batch {
        let answer = match &line.asked {
            Asked::Header(text) => {
                writeln!(out, "{text}")?;
                continue;
            }
            Asked::Bad(message) => Err(message.clone()),
            Asked::Question(_) => match answers.next().expect("every question has its answer") {
                Ok(answer) if answer.is_finite() => Ok(answer),
                Ok(_) => Err("the answer is not a finite number".to_owned()),
                Err(error) => Err(match &error.hint {
                    Some(hint) => format!("{error} ({hint})"),
                    None => error.to_string(),
                }),
            },
        };
        let kept = &line.kept;
        match answer {
            Ok(answer) => {
                let answer = serde_json::to_string(&answer).map_err(std::io::Error::from)?;
                writeln!(out, "{{{kept},\"answer\":{answer}}}")?;
                answered += 1;
            }
            Err(message) => {
                writeln!(out, "{{{kept},\"error\":{}}}", Value::from(message))?;
                failed += 1;
            }
        }
    }
    Ok((answered, failed))
}

/// The fields of an object with their values as they were written: a number keeps its digits. `None` of anything else.
fn fields(text: &str) -> Option<Vec<(String, &str)>> {
    serde_json::from_str::<serde_json::Map<String, Value>>(text).ok()?;
    // What follows is known to be an object.
    let bytes = text.as_bytes();
    let mut fields = Vec::new();
    let (mut depth, mut inside, mut escaped) = (0, false, false);
    let (mut start, mut name) = (0, None);
    for (place, byte) in bytes.iter().enumerate() {
        if inside {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => inside = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => inside = true,
            b'{' | b'[' => {
                depth += 1;
                if depth == 1 {
                    start = place + 1;
                }
            }
            b':' if depth == 1 && name.is_none() => {
                name = serde_json::from_str::<String>(text[start..place].trim()).ok();
                start = place + 1;
            }
            b',' if depth == 1 => {
                fields.extend(name.take().map(|name| (name, text[start..place].trim())));
                start = place + 1;
            }
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    fields.extend(name.take().map(|name| (name, text[start..place].trim())));
                }
            }
            _ => {}
        }
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_spelling() {
        let text = r#" {"id": 123456789012345678901234567890, "a\"b": [1.50, {"x": ","}], "s": "}, \" :", "n": null} "#;
        let found = fields(text.trim()).unwrap();
        let expected = [
            ("id", "123456789012345678901234567890"),
            ("a\"b", "[1.50, {\"x\": \",\"}]"),
            ("s", "\"}, \\\" :\""),
            ("n", "null"),
        ];
        let expected: Vec<(String, &str)> = expected
            .into_iter()
            .map(|(name, raw)| (name.to_owned(), raw))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(fields("{}"), Some(Vec::new()));
        for bad in ["", "[1]", "{\"a\":}", "7", "{\"a\":1} x"] {
            assert_eq!(fields(bad), None, "{bad}");
        }
    }
}
