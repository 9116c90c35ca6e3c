//! `epicene translate`: lines in, lines out, through any translator and its cache.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use epicene_bench::translations;
use epicene_core::System as _;
use epicene_io::{OutputFile, PackedWriter, stop};
use epicene_mt::{Bill, CachedTranslator, Direction, Translated};
use serde::Serialize;

use crate::args::{TranslateArgs, TranslationFormat};
use crate::asking::QUESTIONS_WITHOUT_ASKING;
use crate::commands::pairs::write_csv_line;
use crate::failure::{Failure, Outcome};
use crate::{asking, console, effects, outputs, source, translating};

/// Lines read ahead of the translator.
const READ_AHEAD: usize = 4096;

/// How long a batch waits for another line.
const LULL: Duration = Duration::from_millis(30);

pub fn run(args: TranslateArgs) -> Result<Outcome, Failure> {
    effects::check(&args, &())?;
    // Opened before any work, and before anything is paid for.
    let mut out = Printer {
        out: writer(args.output.as_deref())?,
        format: args.format,
    };
    let system = match args.translator.spec.file() {
        Some(path) => System::Table(table(path)?),
        None => {
            let to = args.to.clone().ok_or_else(|| {
                Failure::usage("which language is it to be translated into?")
                    .with_hint("give --to LANG, e.g. --to sk")
            })?;
            let from = args.from.clone().unwrap_or_else(|| "en".to_owned());
            let into = std::slice::from_ref(&to);
            let opened = translating::open(&args.translator, &[&from], into, &args.asking, None)?;
            System::Translator(Box::new(opened), [from, to])
        }
    };
    let mut lines = Lines::open(args.file.as_deref())?;
    if let System::Translator(translator, [from, to]) = &system
        && translator.price().is_some()
        && !args.asking.yes
    {
        lines.look_ahead(translator, Direction { from, to })?;
    }
    out.header()?;
    let _finishing = stop::stoppable();
    let mut count = 0u64;
    let mut empty = 0u64;
    let done = loop {
        let batch = match lines.batch(system.batch()) {
            Ok(batch) if batch.is_empty() => break Ok(()),
            Ok(batch) => batch,
            Err(failure) => break Err(failure),
        };
        let translated = match system.translate(&batch, count) {
            Ok(translated) => translated,
            Err(failure) => break Err(failure),
        };
        for (line, translation) in batch.iter().zip(&translated) {
            empty += u64::from(translation.is_none());
            out.print(line, translation.as_deref().unwrap_or(""))?;
        }
        out.out.flush()?;
        count += batch.len() as u64;
        if let Err(stopped) = stop::check() {
            break Err(Failure::stopped(
                stopped,
                "translations so far are in the cache, and the same command continues",
            ));
        }
    };
    let out = out.out.finish()?;
    if let System::Translator(translator, _) = &system {
        asking::tell_notes(&**translator);
    }
    done?;
    if let System::Translator(translator, _) = &system {
        translator.check_server()?;
    }
    out.finish(args.output.as_deref())?;
    let unanswered = match empty {
        0 => String::new(),
        some => format!(", {some} without a translation (left empty)"),
    };
    console::note(console::count(count, "line") + &unanswered);
    Ok(Outcome::Done)
}

/// What translates: a translator between two languages, or a table.
enum System {
    Translator(Box<CachedTranslator>, [String; 2]),
    Table(BTreeMap<String, String>),
}

impl System {
    fn batch(&self) -> usize {
        match self {
            System::Translator(translator, _) => translator.batch(),
            System::Table(_) => READ_AHEAD,
        }
    }

    /// `None` where the system has no answer. Lines without text are not asked for.
    fn translate(&self, lines: &[String], before: u64) -> Result<Vec<Option<String>>, Failure> {
        let asked: Vec<&str> = lines
            .iter()
            .map(String::as_str)
            .filter(|line| !line.trim().is_empty())
            .collect();
        let mut answers: VecDeque<Option<String>> = match self {
            System::Translator(translator, [from, to]) => translator
                .translate(&asked, Direction { from, to })?
                .into_iter()
                .map(|translated| match translated {
                    Translated::Text(text) => Some(text),
                    Translated::Missing => None,
                })
                .collect(),
            System::Table(table) => asked
                .iter()
                .enumerate()
                .map(|(place, line)| match table.get(*line) {
                    Some(translation) => Ok(Some(translation.clone())),
                    None => Err(Failure::input(format!(
                        "the file has no translation of `{line}` (sentence {})",
                        before + place as u64 + 1
                    ))
                    .with_hint("sentences are looked up exactly in the column `from`")),
                })
                .collect::<Result<_, Failure>>()?,
        };
        Ok(lines
            .iter()
            .map(|line| {
                if line.trim().is_empty() {
                    Some(String::new())
                } else {
                    answers.pop_front().flatten()
                }
            })
            .collect())
    }
}

fn table(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let file = source::read(path)?;
    translations::table(&file)?.ok_or_else(|| {
        Failure::input(format!("{}: there are no columns from and to", file.path))
            .with_hint("one translation a line has nothing to look sentences up in")
    })
}

/// Lines of the input, read in a thread of their own so that what is there is translated while more
/// is awaited.
struct Lines {
    ahead: VecDeque<String>,
    incoming: Receiver<Result<String, Failure>>,
}

impl Lines {
    fn open(path: Option<&Path>) -> Result<Lines, Failure> {
        let input = source::open_or_standard_input(path)?;
        let (sender, incoming) = sync_channel(READ_AHEAD);
        std::thread::spawn(move || {
            let name = input.name.clone();
            let mut reader = input.lines();
            let mut bytes = Vec::new();
            let mut number = 0u64;
            loop {
                bytes.clear();
                number += 1;
                let line = match reader.read_until(b'\n', &mut bytes) {
                    Ok(0) => return,
                    Ok(_) => line(&name, number, &bytes),
                    Err(error) => Err(Failure::input(format!("{name}, line {number}: {error}"))),
                };
                let over = line.is_err();
                if sender.send(line).is_err() || over {
                    return;
                }
            }
        });
        Ok(Lines {
            ahead: VecDeque::new(),
            incoming,
        })
    }

    /// Waits for one line, takes as many more as come without a lull.
    fn batch(&mut self, size: usize) -> Result<Vec<String>, Failure> {
        let mut batch: Vec<String> = Vec::new();
        while batch.len() < size {
            if let Some(line) = self.ahead.pop_front() {
                batch.push(line);
                continue;
            }
            let next = if batch.is_empty() {
                self.incoming
                    .recv()
                    .map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                self.incoming.recv_timeout(LULL)
            };
            match next {
                Ok(Ok(line)) => batch.push(line),
                // What stands before a bad line is translated first.
                Ok(Err(failure)) if batch.is_empty() => return Err(failure),
                Ok(Err(failure)) => {
                    let (sender, incoming) = sync_channel(1);
                    let _ = sender.send(Err(failure));
                    self.incoming = incoming;
                    return Ok(batch);
                }
                Err(_) => return Ok(batch),
            }
        }
        Ok(batch)
    }

    /// Counts what would have to be paid for. More than a try is refused before anything is asked.
    fn look_ahead(
        &mut self,
        translator: &CachedTranslator,
        direction: Direction<'_>,
    ) -> Result<(), Failure> {
        let mut bill = Bill::default();
        while let Ok(line) = self.incoming.recv() {
            let line = line?;
            if !line.trim().is_empty() {
                bill.add(translator, &line, direction)?;
            }
            // Past the limit lines are only counted, for the message.
            if bill.sentences <= QUESTIONS_WITHOUT_ASKING {
                self.ahead.push_back(line);
            }
        }
        match translator.cost_of(&bill) {
            Some(cost) => asking::agree(&[(translator, cost)], false),
            None => Ok(()),
        }
    }
}

fn line(name: &str, number: u64, bytes: &[u8]) -> Result<String, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|_| {
        Failure::input(format!("{name}, line {number}: invalid UTF-8"))
            .with_hint("convert the text to UTF-8, for example with iconv")
    })?;
    let text = text.trim_end_matches(['\n', '\r']);
    Ok(match number {
        1 => text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        _ => text.to_owned(),
    })
}

/// A file, whole or not at all; or standard output, line by line.
enum Sink {
    File(OutputFile),
    Screen(Box<dyn Write>),
}

impl Sink {
    /// The file takes its place.
    fn finish(self, path: Option<&Path>) -> Result<(), Failure> {
        match (self, path) {
            (Sink::File(file), Some(path)) => outputs::finish(path, file),
            _ => Ok(()),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::File(file) => file.write(bytes),
            Sink::Screen(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::File(_) => Ok(()),
            Sink::Screen(out) => out.flush(),
        }
    }
}

fn writer(path: Option<&Path>) -> Result<PackedWriter<Sink>, Failure> {
    match path {
        None => Ok(PackedWriter::plain(Sink::Screen(Box::new(
            console::stdout(),
        )))),
        Some(path) => Ok(PackedWriter::named(
            path,
            Sink::File(outputs::create(path)?),
        )),
    }
}

struct Printer {
    out: PackedWriter<Sink>,
    format: TranslationFormat,
}

#[derive(Serialize)]
struct Pair<'a> {
    from: &'a str,
    to: &'a str,
}

impl Printer {
    fn header(&mut self) -> io::Result<()> {
        match self.format {
            TranslationFormat::Csv => self.out.write_all(b"from,to\n"),
            TranslationFormat::Tsv => self.out.write_all(b"from\tto\n"),
            TranslationFormat::Lines | TranslationFormat::Jsonl => Ok(()),
        }
    }

    fn print(&mut self, from: &str, to: &str) -> io::Result<()> {
        match self.format {
            TranslationFormat::Lines => writeln!(self.out, "{}", on_one_line(to)),
            TranslationFormat::Csv => write_csv_line(&mut self.out, &[from, to]),
            TranslationFormat::Tsv => {
                let cell = |text: &str| on_one_line(text).replace('\t', " ");
                writeln!(self.out, "{}\t{}", cell(from), cell(to))
            }
            TranslationFormat::Jsonl => {
                serde_json::to_writer(&mut self.out, &Pair { from, to })?;
                self.out.write_all(b"\n")
            }
        }
    }
}

/// A translation with line ends would be several.
fn on_one_line(text: &str) -> String {
    if text.contains(['\n', '\r']) {
        text.split(['\n', '\r'])
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    } else {
        text.to_owned()
    }
}
