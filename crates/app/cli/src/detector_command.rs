//! A program that judges translations in place of epicene's detector (`--detector command:CMD`): one JSON line in for each
//! translation, one line out. It is asked when all answers are there, and its verdicts are kept with the run.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use epicene_bench::Card;
use epicene_bench::given_verdicts::{VERDICTS, VerdictLine, finding_of, of_json};
use epicene_core::{Answer, AnswerTable, Labels, Scorer, counted};
use epicene_io::limits::LONGEST_LINE;
use epicene_io::stop::{self, Interrupted};
use epicene_run::RunDirectory;
use serde::Serialize;
use serde_json::Value;

use crate::console;
use crate::failure::Failure;

/// How long a program may be silent, in seconds.
const PATIENCE: &str = "EPICENE_DETECTOR_TIMEOUT";
const USUAL_PATIENCE: u64 = 600;
/// How often the wait looks whether the run was stopped.
const LOOK: Duration = Duration::from_millis(200);

/// A program with its arguments, which no shell reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetectorCommand {
    /// As it was typed: its name in manifests and signatures.
    text: String,
    words: Vec<String>,
}

#[derive(Serialize)]
struct Asked<'a> {
    item: &'a str,
    system: &'a str,
    unit: &'a str,
    source: &'a str,
    text: &'a str,
    labels: &'a Labels,
}

impl FromStr for DetectorCommand {
    type Err = String;

    fn from_str(given: &str) -> Result<DetectorCommand, String> {
        let text = given.strip_prefix("command:").ok_or_else(|| {
            format!("`{given}` is not command:CMD, e.g. command:'python3 judge.py'")
        })?;
        let words = words(text)?;
        if words.is_empty() {
            return Err("command: names no program".to_owned());
        }
        Ok(DetectorCommand {
            text: text.trim().to_owned(),
            words,
        })
    }
}

/// Words between blanks; quotation marks keep blanks together.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(mark) => Err(format!(
            "a quotation mark {mark} is never closed in `{text}`"
        )),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

/// Ends the program however its work ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl DetectorCommand {
    /// Asks the program about every translation of a run, unless the run has its verdicts.
    pub fn read_run(&self, run: &mut RunDirectory, card: &Card) -> Result<(), Failure> {
        if run.has_made(VERDICTS, &self.text) {
            return Ok(());
        }
        let table = epicene_pipeline::load(run)?;
        let text = self.verdicts(&table, card)?;
        Ok(run.keep_made(VERDICTS, &self.text, &text)?)
    }

    fn failed(&self, message: &str) -> Failure {
        Failure::input(format!("the detector `{}` {message}", self.text)).with_hint(
            "the answers of the run are kept; give the same command again when the detector works",
        )
    }

    fn verdicts(&self, table: &AnswerTable, card: &Card) -> Result<String, Failure> {
        let mut asked = Vec::new();
        for column in &table.columns {
            if column.scorer != Scorer::Translate {
                continue;
            }
            for (index, answer) in column.answers.iter().enumerate() {
                let Some(Answer::Translation(text)) = answer else {
                    continue;
                };
                let item = table.items.get(index);
                asked.push(Asked {
                    item: item.id,
                    system: &table.system(column).name,
                    unit: column.unit.as_str(),
                    source: item.text,
                    text,
                    labels: item.labels,
                });
            }
        }
        let mut input = Vec::new();
        for line in &asked {
            serde_json::to_writer(&mut input, line).map_err(io::Error::from)?;
            input.push(b'\n');
        }
        let replies = self.replies(input, asked.len())?;
        let mut text = String::new();
        for (number, (asked, reply)) in (1..).zip(asked.iter().zip(&replies)) {
            let verdict = reply_line(asked, reply, card).map_err(|message| {
                self.failed(&format!(
                    "gave no verdict in line {number} of its answers: {message}"
                ))
            })?;
            text.push_str(&serde_json::to_string(&verdict).map_err(io::Error::from)?);
            text.push('\n');
        }
        Ok(text)
    }

    /// Passes all lines through the program; as many come back.
    fn replies(&self, input: Vec<u8>, count: usize) -> Result<Vec<String>, Failure> {
        let patience = patience()?;
        let (program, arguments) = self.words.split_first().expect("a command has a program");
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| self.failed(&format!("cannot be started: {error}")))?;
        let mut running = Running(child);
        let mut to = running.0.stdin.take().expect("the input is piped");
        let from = running.0.stdout.take().expect("the output is piped");
        // A program that reads no more must not hold the run, nor one that writes nothing.
        std::thread::spawn(move || {
            // Why it failed, the program's end says.
            let _ = to.write_all(&input);
        });
        let lines = reader(from);
        let progress = console::progress(count as u64, "judged");
        let mut replies: Vec<String> = Vec::new();
        let mut heard = Instant::now();
        loop {
            stop::check().map_err(stopped)?;
            match lines.recv_timeout(LOOK) {
                Ok(Ok(line)) => {
                    heard = Instant::now();
                    replies.push(line);
                    if replies.len() > count {
                        let message = format!("gave more lines than the {count} it was asked");
                        return Err(self.failed(&message));
                    }
                    progress.inc(1);
                }
                Ok(Err(error)) => return Err(self.failed(&format!("cannot be read: {error}"))),
                Err(RecvTimeoutError::Timeout) if heard.elapsed() < patience => {}
                Err(RecvTimeoutError::Timeout) => {
                    let message = format!(
                        "was silent for {} after {} of {count} answers",
                        counted(patience.as_secs() as usize, "second", "seconds"),
                        replies.len()
                    );
                    let failure = self.failed(&message);
                    return Err(failure.with_hint(format!(
                        "the answers of the run are kept; set {PATIENCE} to more seconds if it needs them"
                    )));
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        progress.finish_and_clear();
        let status = self.ended(&mut running, patience)?;
        if !status.success() {
            return Err(self.failed(&format!("failed ({status})")));
        }
        if replies.len() < count {
            let message = format!(
                "gave {} for {}",
                counted(replies.len(), "line", "lines"),
                counted(count, "translation", "translations")
            );
            return Err(self.failed(&message));
        }
        Ok(replies)
    }

    /// The status of a program that has closed its output.
    fn ended(
        &self,
        running: &mut Running,
        patience: Duration,
    ) -> Result<std::process::ExitStatus, Failure> {
        let since = Instant::now();
        loop {
            stop::check().map_err(stopped)?;
            if let Some(status) = running.0.try_wait()? {
                return Ok(status);
            }
            if since.elapsed() > patience {
                return Err(self.failed("closed its output and does not end"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn stopped(interrupted: Interrupted) -> Failure {
    Failure::stopped(
        interrupted,
        "the answers are kept, and the same command asks the detector again",
    )
}

fn patience() -> Result<Duration, Failure> {
    let Ok(given) = std::env::var(PATIENCE) else {
        return Ok(Duration::from_secs(USUAL_PATIENCE));
    };
    let seconds = given.parse::<u64>().ok().filter(|seconds| *seconds > 0);
    seconds.map(Duration::from_secs).ok_or_else(|| {
        Failure::usage(format!("{PATIENCE}: `{given}` is no number of seconds"))
            .with_hint("give a whole number from 1")
    })
}

fn reader(from: impl Read + Send + 'static) -> Receiver<io::Result<String>> {
    let (sender, lines) = sync_channel(1024);
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            let mut line = Vec::new();
            let read = (&mut from).take(LONGEST_LINE).read_until(b'\n', &mut line);
            let line = match read {
                Ok(0) => return,
                Ok(_) => String::from_utf8(line).map_err(io::Error::other),
                Err(error) => Err(error),
            };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// A label, or a JSON object with verdict, evidence and rule.
fn reply_line(asked: &Asked<'_>, reply: &str, card: &Card) -> Result<VerdictLine, String> {
    let reply = reply.trim();
    let mut line = if reply.starts_with('{') {
        let value: Value = serde_json::from_str(reply)
            .map_err(|error| format!("`{reply}` is no JSON object ({error})"))?;
        of_json(&value, card).map_err(|(message, hint)| format!("{message}; {hint}"))?
    } else {
        let finding = finding_of(card, reply).ok_or_else(|| format!("`{reply}` is no verdict"))?;
        VerdictLine::new(finding)
    };
    if !line.item.is_empty() && line.item != asked.item {
        return Err(format!("it is on {}, asked was {}", line.item, asked.item));
    }
    line.item = asked.item.to_owned();
    line.system = asked.system.to_owned();
    line.unit = asked.unit.to_owned();
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shell_reads_the_words() {
        let words = |text: &str| words(text).unwrap();
        assert_eq!(
            words("python3 judge.py --all"),
            ["python3", "judge.py", "--all"]
        );
        assert_eq!(
            words("a 'b c' \"d'e\" f\"g h\""),
            ["a", "b c", "d'e", "fg h"]
        );
        assert_eq!(
            words("a $(rm x) ; b | c"),
            ["a", "$(rm", "x)", ";", "b", "|", "c"]
        );
        assert_eq!(words("a ''"), ["a", ""]);
        assert!(super::words("a 'b").is_err());
        assert!("command:  ".parse::<DetectorCommand>().is_err());
        assert!("python3".parse::<DetectorCommand>().is_err());
    }
}
