//! The programs of one direction, from a text to its translation.
//!
//! Every program of a mode runs as long as the translator lives, but one kind: the hidden-Markov
//! tagger changes as it goes. A word with a set of tags it was not trained on is added to its
//! classes, and from then on it tags other sentences differently. A translation would depend on
//! what was translated before it, so that this program is started anew for every sentence; it is
//! small. Perceptron taggers (`-x`) do not do this.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::format::{deformatted, reformatted};
use super::process::{Passed, Pipeline};
use crate::{MtError, Translated};

pub struct Direction {
    name: String,
    head: Pipeline,
    /// The tagger and what comes after it, where the tagger does not forget.
    rest: Option<(Vec<String>, Pipeline)>,
}

impl Direction {
    /// `script` is a mode's pipeline, its programs told to answer at every zero byte.
    pub fn new(name: &str, script: &str, marked: bool) -> Direction {
        // What `$1` says to the program that writes the words.
        let unknown = if marked { "-g" } else { "-n" };
        let programs: Vec<&str> = script.split('|').map(str::trim).collect();
        let pipeline = |programs: &[&str]| Pipeline::new(name, programs.join(" | "), unknown);
        let tagger = programs
            .iter()
            .position(|program| is_hidden_markov(program));
        match tagger {
            Some(place) if place > 0 && place + 1 < programs.len() => Direction {
                name: name.to_owned(),
                head: pipeline(&programs[..place]),
                rest: Some((
                    tagger_command(programs[place]),
                    pipeline(&programs[place + 1..]),
                )),
            },
            _ => Direction {
                name: name.to_owned(),
                head: pipeline(&programs),
                rest: None,
            },
        }
    }

    pub fn translate(&mut self, batch: &[&str]) -> Result<Vec<Translated>, MtError> {
        let streams: Vec<String> = batch.iter().map(|text| deformatted(text)).collect();
        let asked: Vec<Passed> = streams
            .into_iter()
            .map(|stream| Some(stream.into_bytes()))
            .collect();
        let mut passed = through(&mut self.head, asked)?;
        if let Some((tagger, tail)) = &mut self.rest {
            let tagged = tagged(&self.name, tagger, &passed)?;
            passed = through(tail, tagged)?;
        }
        Ok(passed
            .into_iter()
            .map(|passed| match passed {
                Some(bytes) => Translated::Text(reformatted(&String::from_utf8_lossy(&bytes))),
                None => Translated::Missing,
            })
            .collect())
    }
}

/// Passes on what there is; what is missing stays so.
fn through(pipeline: &mut Pipeline, batch: Vec<Passed>) -> Result<Vec<Passed>, MtError> {
    let there: Vec<&[u8]> = batch.iter().flatten().map(Vec::as_slice).collect();
    let mut passed = pipeline.pass(&there)?.into_iter();
    Ok(batch
        .iter()
        .map(|sentence| sentence.as_ref().and_then(|_| passed.next().flatten()))
        .collect())
}

/// Whether a program is the tagger that learns while it works.
fn is_hidden_markov(program: &str) -> bool {
    let words = words(program);
    let tags = words
        .first()
        .is_some_and(|name| name.ends_with("apertium-tagger"));
    let option = |long: &str, short: char| {
        words.iter().any(|word| {
            word == long
                || (word.starts_with('-') && !word.starts_with("--") && word.contains(short))
        })
    };
    tags && option("--tagger", 'g') && !option("--perceptron", 'x') && !option("--unigram", 'u')
}

/// The tagger's words, without the order to go on at zero bytes and what a shell would fill in.
fn tagger_command(program: &str) -> Vec<String> {
    let mut command = words(program);
    command.retain(|word| word != "-z" && !word.starts_with('$'));
    command
}

/// Words of a shell, as far as modes use them: blanks part, single quotation marks join.
fn words(program: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in program.split('\'').enumerate() {
        match place % 2 {
            1 => words.push(part.to_owned()),
            _ => words.extend(part.split_whitespace().map(str::to_owned)),
        }
    }
    words
}

/// Tags every sentence in a process of its own, a few at once.
fn tagged(name: &str, command: &[String], batch: &[Passed]) -> Result<Vec<Passed>, MtError> {
    let next = AtomicUsize::new(0);
    let done: Mutex<(Vec<Passed>, Option<MtError>)> = Mutex::new((vec![None; batch.len()], None));
    let work = || loop {
        let place = next.fetch_add(1, Ordering::Relaxed);
        let Some(sentence) = batch.get(place) else {
            return;
        };
        let Some(sentence) = sentence else { continue };
        let outcome = tag(command, sentence);
        let mut done = done.lock().unwrap_or_else(|broken| broken.into_inner());
        match outcome {
            Ok(tagged) => done.0[place] = tagged,
            Err(error) => {
                done.1.get_or_insert(MtError::Program {
                    program: format!("apertium {name}"),
                    message: error.to_string(),
                });
                next.store(batch.len(), Ordering::Relaxed);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, 16) {
            scope.spawn(work);
        }
    });
    let (tagged, error) = done
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    match error {
        Some(error) => Err(error),
        None => Ok(tagged),
    }
}

/// One sentence through one tagger; nothing where the tagger dies of it.
fn tag(command: &[String], sentence: &[u8]) -> std::io::Result<Passed> {
    let (program, arguments) = command.split_first().ok_or(std::io::ErrorKind::NotFound)?;
    let mut child = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let mut tagged = Vec::new();
    let read = std::thread::scope(|scope| {
        // Written aside, since a long sentence fills the pipe before anybody reads.
        scope.spawn(move || input.map(|mut input| input.write_all(sentence)));
        output.map_or(Ok(0), |mut output| output.read_to_end(&mut tagged))
    });
    let status = child.wait()?;
    read?;
    Ok(status.success().then_some(tagged))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tagger_that_learns_is_told_from_the_others() {
        for (program, expected) in [
            ("apertium-tagger -z -g $2 '/usr/a b.prob'", true),
            ("/usr/bin/apertium-tagger -g x.prob", true),
            ("apertium-tagger -z -gx '/usr/a.prob'", false),
            ("apertium-tagger -z -x -g '/usr/a.prob'", false),
            ("apertium-tagger -u 1 -g '/usr/a.prob'", false),
            ("lt-proc -z -g '/usr/a.bin'", false),
        ] {
            assert_eq!(is_hidden_markov(program), expected, "{program}");
        }
        assert_eq!(
            tagger_command("apertium-tagger -z -g $2 '/usr/a b.prob'"),
            ["apertium-tagger", "-g", "/usr/a b.prob"]
        );
    }

    /// Without a tagger that learns, one pipeline does; with one, three parts follow each other.
    #[test]
    fn parts_follow_each_other() {
        let mut plain = Direction::new("echo", "cat | cat", false);
        assert!(plain.rest.is_none());
        let batch = ["One [1].", "", "Three"];
        let text = |text: &str| Translated::Text(text.to_owned());
        let expected = [text("One [1]."), text(""), text("Three")];
        assert_eq!(plain.translate(&batch).unwrap(), expected);
        let (head, tail) = (plain.head, Pipeline::new("echo", "cat".to_owned(), ""));
        let mut parts = Direction {
            name: "echo".to_owned(),
            head,
            rest: Some((vec!["cat".to_owned()], tail)),
        };
        assert_eq!(parts.translate(&batch).unwrap(), expected);
        parts.rest = Some((
            vec!["false".to_owned()],
            Pipeline::new("echo", "cat".to_owned(), ""),
        ));
        assert_eq!(parts.translate(&["One."]).unwrap(), [Translated::Missing]);
    }
}
