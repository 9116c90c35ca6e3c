//! `epicene score`: JSON lines in, JSON lines out. It keeps nothing between lines, so that a file can be
//! split and scored anywhere; memory holds one batch.

use std::io::{self, BufRead, Write};

use epicene_core::{Answer, AnswerNotes, ErrorKind, InputError, Query, Question, Scorer, System};
use epicene_io::stop;
use epicene_pipeline::exchange::AskedLine;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::args::ScoreArgs;
use crate::commands::stream;
use crate::failure::{Failure, Outcome};
use crate::json_lines::{JsonLines, NumberedLines};
use crate::{asking, console, effects, source, systems};

/// A line that can be asked.
struct ScoreLine {
    number: u64,
    id: Value,
    /// One text, answered by one number and not by a list.
    single: bool,
    /// One for each task.
    questions: Vec<Question>,
}

#[derive(Default)]
struct Totals {
    lines: u64,
    notes: AnswerNotes,
    without: u64,
}

pub fn run(args: ScoreArgs) -> Result<Outcome, Failure> {
    effects::check(&args, &())?;
    check(&args)?;
    if args.stream {
        return stream::run(&args);
    }
    let model = systems::open_alone(
        args.model
            .as_ref()
            .expect("clap requires a model without --stream"),
        systems::engine(args.batch_tokens, args.device, args.dtype),
        &args.ignore_config,
    )?;
    let input = source::open_or_standard_input(args.file.as_deref())?;
    let mut reader = JsonLines {
        lines: NumberedLines::new(input.name.clone(), input.lines()),
        hint: "`epicene score --help` shows the objects a task takes; everything before this line is written",
    };
    let mut out = console::stdout();
    let _finishing = stop::stoppable();
    let size = (model.capabilities().batch_size / args.task.len()).max(1);
    let mut totals = Totals::default();
    loop {
        let mut batch = Vec::with_capacity(size);
        let mut bad = None;
        while batch.len() < size {
            match next_line(&mut reader, &args) {
                Ok(Some(line)) => batch.push(line),
                Ok(None) => break,
                Err(failure) => {
                    bad = Some(failure);
                    break;
                }
            }
        }
        let ended = batch.len() < size;
        let answered = answer(
            &*model,
            &reader.lines.name,
            &batch,
            &args,
            &mut out,
            &mut totals,
        );
        // What was answered before an error is not lost.
        out.flush()?;
        answered?;
        match bad {
            Some(bad) => return Err(bad),
            None if ended => break,
            None => stop::check().map_err(|stopped| {
                Failure::stopped(stopped, "the lines before it are answered and written")
            })?,
        }
    }
    model.check_server()?;
    report(&totals);
    asking::tell_notes(&*model);
    Ok(Outcome::Done)
}

fn check(args: &ScoreArgs) -> Result<(), Failure> {
    if args.task.contains(&Scorer::Chat) && !args.stream {
        return Err(Failure::usage("chat is a task of --stream")
            .with_hint("`epicene complete` writes texts line by line"));
    }
    let likelihoods = |task: &Scorer| matches!(task, Scorer::Likelihood(_));
    if args.task.len() > 1 && !args.task.iter().all(likelihoods) {
        return Err(
            Failure::usage("several tasks at once must all be likelihoods of sentences")
                .with_hint("aula, aul, cps, sss and sss-released go together"),
        );
    }
    for (place, task) in args.task.iter().enumerate() {
        if args.task[..place].contains(task) {
            return Err(Failure::usage(format!("--task {} twice", task.name())));
        }
        let alone = matches!(task, Scorer::Likelihood(method) if !method.needs_pair());
        if args.embeddings && !alone {
            return Err(Failure::usage(format!(
                "--embeddings goes with aula and aul, not with {}",
                task.name()
            )));
        }
    }
    Ok(())
}

fn report(totals: &Totals) {
    let notes = &totals.notes;
    let mut message = console::count(totals.lines, "line");
    for (count, what) in [
        (totals.without, "likelihoods are null"),
        (notes.cut, "texts were cut to the model's length"),
        (notes.unknown, "texts have no word the tokenizer knows"),
    ] {
        if count > 0 {
            message += &format!("; {count} {what}");
        }
    }
    console::note(message);
}

/// Asks a batch and writes its answers. Where a question is to blame, those before it are written first and the error names
/// its line.
fn answer(
    model: &dyn System,
    file: &str,
    batch: &[ScoreLine],
    args: &ScoreArgs,
    out: &mut impl Write,
    totals: &mut Totals,
) -> Result<(), Failure> {
    let questions = batch.iter().enumerate().flat_map(|(index, line)| {
        let query = move |question: &Question| Query {
            index,
            item: "",
            unit: question.scorer().name(),
            question: question.clone(),
        };
        line.questions.iter().map(query)
    });
    let queries: Vec<Query<'_>> = questions.collect();
    let mut answers = epicene_pipeline::answer_all(model, &queries)?.into_iter();
    for line in batch {
        let answers = answers.by_ref().take(line.questions.len());
        let answers: Vec<Answer> = answers.collect::<Result<_, _>>().map_err(|error| {
            let wrong = error.kind == ErrorKind::WrongQuestion;
            let mut failure = Failure::from(error);
            // It is the task that is wrong for the system, not the line.
            if !wrong {
                failure.message = format!("{file}, line {}: {}", line.number, failure.message);
            }
            failure
        })?;
        if !answers.iter().all(Answer::is_finite) {
            let message = "the model's answer is not a finite number";
            return Err(InputError::new(file, message).at_line(line.number).into());
        }
        write(line, &answers, args, out, totals)?;
    }
    Ok(())
}

fn write(
    line: &ScoreLine,
    answers: &[Answer],
    args: &ScoreArgs,
    out: &mut impl Write,
    totals: &mut Totals,
) -> Result<(), Failure> {
    let mut notes = AnswerNotes::default();
    let mut embedded = None;
    let mut json = serde_json::Serializer::new(&mut *out);
    let mut object = json.serialize_map(None).map_err(io::Error::from)?;
    object
        .serialize_entry("id", &line.id)
        .map_err(io::Error::from)?;
    for (task, answer) in args.task.iter().zip(answers) {
        let (answer, seen) = answer.plain();
        // The texts are the same for every task.
        notes.cut = notes.cut.max(seen.cut);
        notes.unknown = notes.unknown.max(seen.unknown);
        notes.scored += seen.scored;
        notes.first += seen.first;
        let entry = match answer {
            Answer::Log10Ratio(ratio) => object.serialize_entry(task.name(), ratio),
            Answer::Sentence {
                likelihood,
                embedding,
            } => {
                embedded = Some(embedding);
                object.serialize_entry(task.name(), likelihood)
            }
            Answer::Likelihoods(values) => {
                totals.without += values.iter().filter(|value| value.is_none()).count() as u64;
                match (line.single, values.as_slice()) {
                    (true, [value]) => object.serialize_entry(task.name(), value),
                    _ => object.serialize_entry(task.name(), values),
                }
            }
            Answer::TextPair(pair) => object.serialize_entry(task.name(), pair),
            Answer::Continuations(scores) => object.serialize_entry(task.name(), scores),
            _ => {
                totals.without += 1;
                object.serialize_entry(task.name(), &None::<f64>)
            }
        };
        entry.map_err(io::Error::from)?;
    }
    if args.embeddings {
        let none = Box::default();
        object
            .serialize_entry("embedding", embedded.unwrap_or(&none))
            .map_err(io::Error::from)?;
    }
    for (name, count, always) in [
        ("cut", notes.cut, false),
        ("unknown", notes.unknown, false),
        ("scored", notes.scored, args.accuracy),
        ("first", notes.first, args.accuracy),
    ] {
        let noted = count > 0 && matches!(name, "cut" | "unknown");
        if always || noted {
            object
                .serialize_entry(name, &count)
                .map_err(io::Error::from)?;
        }
    }
    object.end().map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    totals.lines += 1;
    totals.notes += notes;
    Ok(())
}

fn next_line<R: BufRead>(
    reader: &mut JsonLines<R>,
    args: &ScoreArgs,
) -> Result<Option<ScoreLine>, Failure> {
    let asked: Option<AskedLine> = reader.next()?;
    let line = asked.map(|asked| line(asked, reader.lines.number, args));
    line.transpose().map_err(|message| reader.complain(message))
}

fn line(asked: AskedLine, number: u64, args: &ScoreArgs) -> Result<ScoreLine, String> {
    let single = asked.texts.is_none();
    let questions = args
        .task
        .iter()
        .map(|task| asked.question(*task, args.embeddings))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(ScoreLine {
        number,
        id: asked.id.unwrap_or_else(|| number.into()),
        single: single && !matches!(args.task[..], [Scorer::FilledBlank]),
        questions,
    })
}
