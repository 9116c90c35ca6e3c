//! `epicene gender`: which gender a translation gives to a person, line by line, with the words that show it.

use std::io::{self, Write};

use epicene_core::{Finding, TextFile, counted};
use epicene_lang::occupation::{JudgeMode, OccupationJudge, Token};
use epicene_lang::person::PersonPair;
use serde::Serialize;

use super::evidence::{self, Word};
use crate::args::JudgeArgs;
use crate::encoder::Encoder;
use crate::failure::{Failure, Outcome};
use crate::{console, source};

pub fn run(args: &JudgeArgs) -> Result<Outcome, Failure> {
    let judge = Judge::new(args)?;
    let encoder = Encoder::of(&args.aligner)?;
    let file = match &args.file {
        Some(path) => source::read(path)?,
        None => source::read_standard_input()?,
    };
    let mut printer = Printer {
        out: console::stdout(),
        json: args.json,
        mode: args.mode,
        counts: [0; 6],
        unaligned: 0,
    };
    match &args.person {
        Some(person) => {
            for text in file.text.lines() {
                let tokens = judge.get().tokens(text);
                let linked = named(judge.get(), &tokens, person);
                printer.print(judge.get(), text, &tokens, &linked, person)?;
            }
        }
        None => {
            let people = people(&file)?;
            let links = match &encoder {
                None => judge.get().link_persons(&people),
                Some(encoder) => {
                    let tokens: Vec<Vec<Token>> = people
                        .iter()
                        .map(|pair| judge.get().tokens(pair.translation))
                        .collect();
                    let sides: Vec<(Vec<String>, Vec<String>)> = people
                        .iter()
                        .zip(&tokens)
                        .map(|(pair, tokens)| {
                            let source = pair.source.split_whitespace().map(str::to_owned);
                            let target = tokens.iter().map(|token| token.text.clone());
                            (source.collect(), target.collect())
                        })
                        .collect();
                    let mut links = Vec::with_capacity(people.len());
                    encoder.links(&sides, |batch| {
                        links.extend(batch.iter().map(<[_]>::to_vec));
                        Ok(())
                    })?;
                    judge.get().link_persons_by(&people, &links)
                }
            };
            for (pair, linked) in people.iter().zip(&links) {
                let tokens = judge.get().tokens(pair.translation);
                printer.print(judge.get(), pair.translation, &tokens, linked, pair.noun)?;
            }
        }
    }
    printer.out.flush()?;
    let [masculine, feminine, neutral, inclusive, both, unknown] = printer.counts;
    console::note(format!(
        "{} persons: {masculine} masculine, {feminine} feminine, {neutral} in neutral wording, {inclusive} in inclusive \
         writing, {both} with both genders named, {unknown} unknown; no word found for {}",
        printer.counts.iter().sum::<u64>(),
        printer.unaligned
    ));
    Ok(Outcome::Done)
}

/// The judge of the language, or one that knows the user's nouns too.
enum Judge {
    Shared(&'static OccupationJudge),
    Own(Box<OccupationJudge>),
}

impl Judge {
    fn new(args: &JudgeArgs) -> Result<Judge, Failure> {
        let judge = OccupationJudge::for_language(&args.lang).ok_or_else(|| {
            Failure::usage(format!("no occupation detector for `{}`", args.lang)).with_hint(
                format!("known: {}", OccupationJudge::languages().join(", ")),
            )
        })?;
        let Some(path) = &args.lexicon else {
            return Ok(Judge::Shared(judge));
        };
        let file = source::read(path)?;
        let own = judge.with_lexicon(&file.text).map_err(|faults| {
            let first = faults.first().map_or(String::new(), ToString::to_string);
            let more = match faults.len() {
                0 | 1 => String::new(),
                count => format!(" ({} more lines are faulty)", count - 1),
            };
            Failure::input(format!("{}, {first}{more}", file.path)).with_hint(
                "a line is `english, nouns | GENDER: word stem/paradigm`; see \
                 docs/adding-an-occupation-language.md",
            )
        })?;
        Ok(Judge::Own(Box::new(own)))
    }

    fn get(&self) -> &OccupationJudge {
        match self {
            Judge::Shared(judge) => judge,
            Judge::Own(judge) => judge,
        }
    }
}

/// `source TAB word or index TAB translation`.
fn people(file: &TextFile) -> Result<Vec<PersonPair<'_>>, Failure> {
    let mut people = Vec::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        let fault = |what: String| Failure::input(format!("{}, line {number}: {what}", file.path));
        let columns: Vec<&str> = line.split('\t').collect();
        let [source, word, translation] = columns[..] else {
            let what = format!(
                "{} instead of three",
                counted(columns.len(), "column", "columns")
            );
            return Err(fault(what).with_hint(
                "a line is `source TAB word or index TAB translation`; with --person WORD it is a translation",
            ));
        };
        let (index, noun) = place(source, word.trim()).ok_or_else(|| {
            fault(format!("`{}` is not in the source", word.trim())).with_hint(
                "write the noun as the source has it, or its place among the words, counted from 0",
            )
        })?;
        people.push(PersonPair {
            source,
            index,
            noun,
            translation,
        });
    }
    Ok(people)
}

/// Where the source has the noun, and the noun as it stands there.
fn place<'a>(source: &'a str, word: &'a str) -> Option<(usize, &'a str)> {
    let words: Vec<&str> = source.split_whitespace().collect();
    if let Ok(index) = word.parse::<usize>() {
        return Some((index, words.get(index)?));
    }
    let bare = |word: &str| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let word = word
            .strip_suffix("'s")
            .or_else(|| word.strip_suffix("’s"))
            .unwrap_or(word);
        word.to_lowercase()
    };
    let wanted: Vec<String> = word.split_whitespace().map(bare).collect();
    if wanted.is_empty() {
        return None;
    }
    let fits = |at: &usize| {
        let there = words[*at..].iter().take(wanted.len());
        there.map(|word| bare(word)).eq(wanted.iter().cloned())
    };
    (0..words.len()).find(fits).map(|index| (index, word))
}

/// The word itself, else what translates it as an English noun.
fn named(judge: &OccupationJudge, tokens: &[Token], person: &str) -> Vec<usize> {
    let wanted = person.to_lowercase();
    let same = |at: &usize| tokens[*at].text.to_lowercase() == wanted;
    let found: Vec<usize> = (0..tokens.len()).filter(same).collect();
    if found.is_empty() {
        judge.find_person(tokens, person)
    } else {
        found
    }
}

struct Printer<W: Write> {
    out: W,
    json: bool,
    mode: JudgeMode,
    /// Masculine, feminine, neutral wording, inclusive writing, both named, unknown.
    counts: [u64; 6],
    unaligned: u64,
}

#[derive(Serialize)]
struct VerdictLine<'a> {
    verdict: char,
    rule: &'a str,
    evidence: Vec<Word<'a>>,
    /// Words that stand for the person.
    linked: Vec<&'a str>,
    person: &'a str,
    text: &'a str,
}

impl<W: Write> Printer<W> {
    fn print(
        &mut self,
        judge: &OccupationJudge,
        text: &str,
        tokens: &[Token],
        linked: &[usize],
        person: &str,
    ) -> Result<(), Failure> {
        let verdict = judge.judge(text, tokens, linked, person, self.mode);
        let (letter, place) = match verdict.finding {
            Finding::Masculine => ('m', 0),
            Finding::Feminine => ('f', 1),
            Finding::Neuter | Finding::Common => ('n', 2),
            Finding::Inclusive => ('i', 3),
            Finding::Both => ('b', 4),
            _ => ('u', 5),
        };
        self.counts[place] += 1;
        self.unaligned += u64::from(linked.is_empty());
        if !self.json {
            return Ok(evidence::line(&mut self.out, letter, &verdict, text)?);
        }
        let line = VerdictLine {
            verdict: letter,
            rule: verdict.rule,
            evidence: evidence::words(&verdict.evidence, text),
            linked: linked.iter().map(|at| tokens[*at].text.as_str()).collect(),
            person,
            text,
        };
        serde_json::to_writer(&mut self.out, &line).map_err(io::Error::from)?;
        Ok(self.out.write_all(b"\n")?)
    }
}
