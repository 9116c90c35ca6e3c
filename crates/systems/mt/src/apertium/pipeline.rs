//! The programs of one direction, from a text to its translation.
//!
//! Every program of a mode runs as long as the translator lives, but one kind: the hidden-Markov
//! tagger changes as it goes (see `tagger`), and is run apart from the others. Perceptron taggers
//! (`-x`) do not.

use super::format::{deformatted, reformatted};
use super::process::{Passed, Pipeline};
use super::tagger::Taggers;
use crate::{MtError, Translated};

pub struct Direction {
    head: Pipeline,
    /// The tagger and what comes after it, where the tagger does not forget.
    rest: Option<(Taggers, Pipeline)>,
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
                head: pipeline(&programs[..place]),
                rest: Some((
                    Taggers::new(name, tagger_command(programs[place])),
                    pipeline(&programs[place + 1..]),
                )),
            },
            _ => Direction {
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
        if let Some((taggers, tail)) = &mut self.rest {
            passed = through(tail, taggers.tag(&passed)?)?;
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

/// The tagger's words, without what a shell would fill in; it is to say what it was not trained on.
fn tagger_command(program: &str) -> Vec<String> {
    let mut command = words(program);
    command.retain(|word| !matches!(word.as_str(), "-z" | "-d") && !word.starts_with('$'));
    command.splice(1..1, ["-z".to_owned(), "-d".to_owned()]);
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
            ["apertium-tagger", "-z", "-d", "-g", "/usr/a b.prob"]
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
            head,
            rest: Some((Taggers::new("echo", vec!["cat".to_owned()]), tail)),
        };
        assert_eq!(parts.translate(&batch).unwrap(), expected);
        parts.rest = Some((
            Taggers::new("echo", vec!["false".to_owned()]),
            Pipeline::new("echo", "cat".to_owned(), ""),
        ));
        assert_eq!(parts.translate(&["One."]).unwrap(), [Translated::Missing]);
    }
}
