//! `epicene gender`: which gender a text gives to its "I", line by line, with the words that show it.

use std::io::{self, BufRead, Write};

use epicene_core::{Finding, Language};
use epicene_lang::conllu::{self, Grouping, RuleOptions, Scope, SloveneRules, Translations};
use epicene_lang::english;
use epicene_lang::first_person::{Detector, Document, Mode, Nouns, Vote};
use epicene_lang::letters::Letters;
use epicene_lang::{Gender, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::evidence::{self, Word};
use crate::args::DetectArgs;
use crate::failure::{Failure, Outcome};
use crate::{console, effects, languages, packs, source};

pub fn run(args: DetectArgs) -> Result<Outcome, Failure> {
    effects::check(&args, &())?;
    let input = source::open_or_standard_input(args.file.as_deref())?;
    let (name, input) = (input.name.clone(), Box::new(input.lines()));
    let mut printer = Printer {
        out: console::stdout(),
        json: args.json,
        counts: [0; 4],
        letters: Letters::default(),
    };
    let read = if args.conllu {
        parsed(&args, &name, input, &mut printer)
    } else if let Some(vote) = args.document {
        documents(&args, vote, &name, input, &mut printer)
    } else {
        plain(&args, &name, input, &mut printer)
    };
    // What was judged before an error is not lost.
    printer.out.flush()?;
    read?;
    let language = Language::find(&args.lang);
    if let Some(stripped) = language.and_then(|language| printer.letters.stripped(language)) {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        console::warn(format!(
            "only {} of the letters have diacritics (usual: {}): the text seems to have lost them, and the forms of one gender may \
             not be recognised",
            percent(stripped.share),
            percent(stripped.usual)
        ));
    }
    let [masculine, feminine, both, unknown] = printer.counts;
    let both = match both {
        0 => String::new(),
        both => format!(" {both} both,"),
    };
    console::note(format!(
        "{}: {masculine} masculine, {feminine} feminine,{both} {unknown} unknown",
        console::count(printer.counts.iter().sum::<u64>(), "text")
    ));
    Ok(Outcome::Done)
}

fn detector(args: &DetectArgs, mode: Mode) -> Result<Detector, Failure> {
    let given = args.language_pack.as_deref();
    let built_in =
        Language::find(&args.lang).is_some_and(|own| Detector::languages().contains(&own));
    if (given.is_some() || !built_in)
        && let Some(brought) = packs::detector(&args.lang, given)?
    {
        return Ok(brought);
    }
    languages::detector(&args.lang, mode)
}

fn plain(
    args: &DetectArgs,
    name: &str,
    mut input: Box<dyn BufRead>,
    printer: &mut Printer<impl Write>,
) -> Result<(), Failure> {
    // English does not mark the gender of "I": its detector reads the person whom the text is about.
    if Language::find(&args.lang).is_some_and(|language| language.code() == "en") {
        if args.detector.is_some() || args.nouns.is_some() {
            return Err(
                Failure::usage("--detector and --nouns have no effect on English")
                    .with_hint("leave them out; `detect --lang en` reads pronouns and nouns"),
            );
        }
        return for_lines(name, &mut input, |_, text| {
            printer.print(text, &english::detect(text))
        });
    }
    let mode = args.detector.unwrap_or(Mode::Strict);
    let detector = detector(args, mode)?;
    let detector = detector.with_nouns(args.nouns.unwrap_or(Nouns::Listed));
    for_lines(name, &mut input, |_, text| {
        printer.print(text, &detector.judge(text))
    })
}

/// One line of the input.
#[derive(Deserialize)]
struct InputLine {
    text: String,
    #[serde(default)]
    id: Option<Value>,
}

fn documents(
    args: &DetectArgs,
    vote: Vote,
    name: &str,
    mut input: Box<dyn BufRead>,
    printer: &mut Printer<impl Write>,
) -> Result<(), Failure> {
    let detector = detector(args, Mode::Strict)?;
    let detector = detector.with_nouns(args.nouns.unwrap_or(Nouns::Listed));
    for_lines(name, &mut input, |number, line| {
        if line.trim().is_empty() {
            return Ok(());
        }
        let given: InputLine = serde_json::from_str(line).map_err(|error| {
            Failure::input(format!("{name}, line {number}: no document: {error}"))
                .with_hint("--document reads one JSON object a line: {\"text\": \"…\"}")
        })?;
        let document = detector.judge_document(&given.text, vote);
        printer.print_document(&given, &document)
    })
}

/// Calls `each` with the number and text of every line.
fn for_lines(
    name: &str,
    input: &mut dyn BufRead,
    mut each: impl FnMut(u64, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
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
        each(number, text)?;
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
                .with_hint("--by-sentence reads every sentence of the file on its own")
        })?;
        let verdict = conllu::judge_translation(&translation, &rules);
        printer.print(&translation.text(), &verdict)?;
    }
    Ok(())
}

struct Printer<W: Write> {
    out: W,
    json: bool,
    /// Masculine, feminine, both, unknown.
    counts: [u64; 4],
    letters: Letters,
}

#[derive(Serialize)]
struct VerdictLine<'a> {
    verdict: char,
    rule: &'a str,
    evidence: Vec<Word<'a>>,
    text: &'a str,
}

#[derive(Serialize)]
struct DocumentLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    verdict: char,
    rule: &'a str,
    sentences: usize,
    masculine: usize,
    feminine: usize,
    both: usize,
    evidence: Vec<Word<'a>>,
}

impl<W: Write> Printer<W> {
    fn count(&mut self, verdict: &Verdict) {
        let place = match (verdict.gender(), verdict.finding) {
            (Some(Gender::Masculine), _) => 0,
            (Some(Gender::Feminine), _) => 1,
            (None, Finding::Both) => 2,
            (None, _) => 3,
        };
        self.counts[place] += 1;
    }

    fn print_document(&mut self, given: &InputLine, document: &Document) -> Result<(), Failure> {
        let verdict = &document.verdict;
        self.letters.add(&given.text);
        self.count(verdict);
        let line = DocumentLine {
            id: given.id.as_ref(),
            verdict: verdict.finding.letter(),
            rule: verdict.rule,
            sentences: document.sentences,
            masculine: document.masculine,
            feminine: document.feminine,
            both: document.both,
            evidence: evidence::words(&verdict.evidence, &given.text),
        };
        if self.json {
            serde_json::to_writer(&mut self.out, &line).map_err(io::Error::from)?;
            return Ok(self.out.write_all(b"\n")?);
        }
        let counts = [line.masculine, line.feminine, line.both, line.sentences];
        write!(self.out, "{}\t{}", line.verdict, line.rule)?;
        for count in counts {
            write!(self.out, "\t{count}")?;
        }
        self.out.write_all(b"\t")?;
        evidence::list(&mut self.out, &line.evidence)?;
        Ok(self.out.write_all(b"\n")?)
    }

    fn print(&mut self, text: &str, verdict: &Verdict) -> Result<(), Failure> {
        let letter = verdict.finding.letter();
        self.letters.add(text);
        self.count(verdict);
        if self.json {
            let line = VerdictLine {
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
