//! `epicene detect`: which gender a text gives to its "I", line by line, with the words that show it.

use std::io::{self, BufRead, Write};

use epicene_lang::conllu::{self, Grouping, RuleOptions, Scope, SloveneRules, Translations};
use epicene_lang::first_person::{Mode, Nouns};
use epicene_lang::{Gender, Verdict};
use serde::Serialize;

use super::evidence::{self, Word};
use crate::args::DetectArgs;
use crate::failure::{Failure, Outcome};
use crate::{console, effects, languages, source};

pub fn run(args: DetectArgs) -> Result<Outcome, Failure> {
    effects::check(&args, &())?;
    let input = source::open_or_standard_input(args.file.as_deref())?;
    let (name, input) = (input.name.clone(), Box::new(input.lines()));
    let mut printer = Printer {
        out: console::stdout(),
        json: args.json,
        counts: [0; 3],
    };
    let read = if args.conllu {
        parsed(&args, &name, input, &mut printer)
    } else {
        plain(&args, &name, input, &mut printer)
    };
    // What was judged before an error is not lost.
    printer.out.flush()?;
    read?;
    let [masculine, feminine, unknown] = printer.counts;
    console::note(format!(
        "{}: {masculine} masculine, {feminine} feminine, {unknown} unknown",
        console::count(masculine + feminine + unknown, "text")
    ));
    Ok(Outcome::Done)
}

fn plain(
    args: &DetectArgs,
    name: &str,
    mut input: Box<dyn BufRead>,
    printer: &mut Printer<impl Write>,
) -> Result<(), Failure> {
    let mode = args.mode.unwrap_or(Mode::Strict);
    let detector = languages::detector(&args.lang, mode)?;
    let detector = detector.with_nouns(args.nouns.unwrap_or(Nouns::Listed));
    let mut bytes = Vec::new();
    let mut number = 0u64;
    loop {
        bytes.clear();
        let count = input
            .read_until(b'\n', &mut bytes)
            .map_err(|error| Failure::input(format!("{name}: {error}")))?;
        if count == 0 {
            return Ok(());
        }
        number += 1;
        let text = std::str::from_utf8(&bytes).map_err(|_| {
            Failure::input(format!("{name}, line {number}: invalid UTF-8"))
                .with_hint("convert the text to UTF-8, for example with iconv")
        })?;
        let text = text.trim_end_matches(['\n', '\r']);
        let text = match number {
            1 => text.strip_prefix('\u{feff}').unwrap_or(text),
            _ => text,
        };
        printer.print(text, &detector.judge(text))?;
    }
}

fn parsed(
    args: &DetectArgs,
    name: &str,
    input: Box<dyn BufRead>,
    printer: &mut Printer<impl Write>,
) -> Result<(), Failure> {
    let options = RuleOptions {
        slovene: if args.repository_rules {
            SloveneRules::Repository
        } else {
            SloveneRules::Published
        },
    };
    let rules = conllu::rule_set(&args.lang, options).map_err(|error| {
        Failure::usage(error.to_string()).with_hint(format!(
            "known with --conllu: {}",
            conllu::LANGUAGES.join(", ")
        ))
    })?;
    let grouping = if args.by_sentence {
        Grouping::Sentence
    } else {
        Grouping::Auto
    };
    for translation in Translations::new(input, grouping, Scope::FirstSentence) {
        let translation = translation.map_err(|error| {
            Failure::input(format!("{name}: {error}"))
                .with_hint("--by-sentence judges every sentence of the file on its own")
        })?;
        let verdict = conllu::judge_translation(&translation, &rules);
        printer.print(&translation.text(), &verdict)?;
    }
    Ok(())
}

struct Printer<W: Write> {
    out: W,
    json: bool,
    /// Masculine, feminine, unknown.
    counts: [u64; 3],
}

#[derive(Serialize)]
struct Line<'a> {
    verdict: char,
    rule: &'a str,
    evidence: Vec<Word<'a>>,
    text: &'a str,
}

impl<W: Write> Printer<W> {
    fn print(&mut self, text: &str, verdict: &Verdict) -> Result<(), Failure> {
        let letter = verdict.finding.letter();
        let place = match verdict.gender() {
            Some(Gender::Masculine) => 0,
            Some(Gender::Feminine) => 1,
            None => 2,
        };
        self.counts[place] += 1;
        if self.json {
            let line = Line {
                verdict: letter,
                rule: verdict.rule,
                evidence: evidence::words(&verdict.evidence, text),
                text,
            };
            serde_json::to_writer(&mut self.out, &line).map_err(io::Error::from)?;
            return Ok(self.out.write_all(b"\n")?);
        }
        Ok(evidence::line(&mut self.out, letter, verdict, text)?)
    }
}
