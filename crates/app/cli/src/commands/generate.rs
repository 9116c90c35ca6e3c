//! `epicene data make`: writes challenge sets, sentence by sentence.

use epicene_core::counted;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use epicene_bench::unambiguous::grammar::{self, Grammar, GrammarError, Sentence};
use epicene_bench::unambiguous::nonce;
use epicene_bench::unambiguous::sets::{Edition, SetName};
use epicene_bench::wibemt::base::{self, BaseSentence};
use epicene_bench::wibemt::challenge;
use epicene_bench::winomt::challenge as challenge_sets;

use crate::args::{GenerateArgs, GenerateSet, UnambiguousArgs, WibemtArgs, WibemtPart, WinomtArgs};
use crate::failure::{Failure, Outcome};
use crate::{console, effects, source};

pub fn run(args: &GenerateArgs) -> Result<Outcome, Failure> {
    match &args.set {
        GenerateSet::Unambiguous(args) => unambiguous(args),
        GenerateSet::Wibemt(args) => wibemt(args),
        GenerateSet::Winomt(args) => winomt(args),
    }
}

/// A grammar, its text, and the invented words in it.
struct Opened {
    name: String,
    text: String,
    grammar: Grammar,
    nonce: Vec<String>,
    /// Of a grammar of the user's own every line names its occupation.
    names_occupation: bool,
}

fn unambiguous(args: &UnambiguousArgs) -> Result<Outcome, Failure> {
    effects::check(args, &())?;
    let opened = open(args)?;
    if args.print_grammar {
        console::print(|out| out.write_all(opened.text.as_bytes()))?;
        return Ok(Outcome::Done);
    }
    let lint = opened.grammar.lint();
    if args.lint {
        console::print(|out| {
            for finding in &lint {
                writeln!(out, "{finding}")?;
            }
            Ok(())
        })?;
    }
    if args.strict && !lint.is_empty() {
        let first = &lint[0];
        return Err(Failure::usage(format!(
            "{}: {} symbols do nothing, first: {first}",
            opened.name,
            lint.len()
        ))
        .with_hint("--lint lists them all; without --strict their sentences are left out"));
    }
    if args.lint {
        return Ok(Outcome::Done);
    }
    let count = opened.grammar.count();
    if args.count {
        console::print(|out| writeln!(out, "{count}"))?;
        return Ok(Outcome::Done);
    }
    if count == 0 {
        return Err(
            Failure::input(format!("{}: no sentence can be written", opened.name))
                .with_hint("--lint lists symbols without a rule"),
        );
    }
    let wanted = args.limit.map_or(count, |limit| limit.min(count));
    if opened.names_occupation
        && let Some((what, hint)) = opened.grammar.unmeasurable(wanted)
    {
        return Err(Failure::input(format!("{}: {what}", opened.name)).with_hint(hint));
    }
    let mut out = console::stdout();
    let mut sentence = Sentence::default();
    for number in 0..wanted {
        opened.grammar.write(number, &mut sentence);
        out.write_all(sentence.text.as_bytes())?;
        out.write_all(b"\t")?;
        out.write_all(sentence.features.as_bytes())?;
        out.write_all(b"\t")?;
        out.write_all(sentence.answer.as_bytes())?;
        if opened.names_occupation {
            write!(out, "\t{}", sentence.occupation)?;
        }
        if !opened.nonce.is_empty() {
            let word = sentence
                .text
                .split(' ')
                .map(str::to_lowercase)
                .find(|word| opened.nonce.contains(word));
            write!(out, "\t{}", word.unwrap_or_default())?;
        }
        out.write_all(b"\n")?;
    }
    out.flush()?;
    console::note(format!(
        "{} of {}",
        counted(wanted, "sentence", "sentences"),
        opened.name
    ));
    Ok(Outcome::Done)
}

fn open(args: &UnambiguousArgs) -> Result<Opened, Failure> {
    let Some(edition) = GenerateArgs::edition(&args.grammar) else {
        return open_file(args);
    };
    let set = SetName {
        edition,
        size: args.size.unwrap_or_default(),
        without: args.without.clone(),
    };
    let fault = |error: GrammarError| Failure::usage(format!("{set}: {}", error.message));
    let Some(count) = args.nonce else {
        return Ok(Opened {
            name: set.to_string(),
            text: set.text().to_owned(),
            grammar: set.grammar().map_err(fault)?,
            nonce: Vec::new(),
            names_occupation: false,
        });
    };
    if !args.without.is_empty() {
        return Err(Failure::usage(
            "--nonce replaces all occupations; leave --without out",
        ));
    }
    let mut known = BTreeSet::new();
    if let Some(path) = &args.words {
        let file = source::read(path)?;
        known.extend(file.text.lines().map(|line| line.trim().to_lowercase()));
    }
    let words = nonce::sample(usize::from(count), args.seed, &known);
    if words.len() < usize::from(count) {
        return Err(Failure::usage(format!(
            "only {} different words could be invented",
            words.len()
        ))
        .with_hint("ask for fewer with --nonce N"));
    }
    Ok(Opened {
        name: format!(
            "{} with {count} invented occupations",
            Edition::name(edition)
        ),
        text: set.text().to_owned(),
        grammar: set.with_occupations(&words).map_err(fault)?,
        nonce: words,
        names_occupation: false,
    })
}

fn open_file(args: &UnambiguousArgs) -> Result<Opened, Failure> {
    let file = source::read(Path::new(&args.grammar))?;
    let grammar = grammar::parse_without(&file.text, &args.without).map_err(|error| {
        Failure::input(format!("{}, {error}", file.path)).with_hint(
            "a rule is NAME -> alternative | alternative, terminals are in quotation marks",
        )
    })?;
    Ok(Opened {
        name: file.path.clone(),
        text: file.text,
        grammar,
        nonce: Vec::new(),
        names_occupation: true,
    })
}

fn winomt(args: &WinomtArgs) -> Result<Outcome, Failure> {
    let path = if args.data.is_dir() {
        let names = ["en.txt", "en.tsv", "en.txt.gz", "en.tsv.gz"];
        let found = names.iter().map(|name| args.data.join(name));
        found.into_iter().find(|path| path.exists()).ok_or_else(|| {
            Failure::input(format!("{}: there is no en.txt", args.data.display()))
                .with_hint("https://github.com/gabrielStanovsky/mt_gender has it as data/aggregates/en.txt")
        })?
    } else {
        args.data.clone()
    };
    let made = challenge_sets::lines(&[source::read(&path)?], args.set, args.adjectives)?;
    if args.count {
        console::print(|out| writeln!(out, "{}", made.len()))?;
    } else {
        console::print(|out| challenge_sets::write(&made, out))?;
        console::note(console::count(made.len(), "sentence"));
    }
    Ok(Outcome::Done)
}

fn wibemt(args: &WibemtArgs) -> Result<Outcome, Failure> {
    let mut out: Box<dyn Write> = if args.count {
        Box::new(io::sink())
    } else {
        Box::new(console::stdout())
    };
    let part = if args.adjectives {
        WibemtPart::Adjective
    } else {
        args.part
    };
    let written = match part {
        WibemtPart::Verb => {
            if args.winobias.is_some() {
                return Err(Failure::usage(
                    "--winobias has no effect here; it is for --part adjective",
                ));
            }
            let templates = match &args.data {
                Some(path) => challenge::templates(&source::read(path)?)?,
                None => challenge::embedded_templates()?,
            };
            if args.adjective_list.is_some() {
                return Err(Failure::usage(
                    "--adjective-list has no effect here; it is for --part adjective",
                ));
            }
            let occupations = match &args.occupations {
                Some(path) => challenge::own_occupations(&source::read(path)?)?,
                None => challenge::paper_occupations(),
            };
            challenge::write_verb_sentences(&templates, &occupations, &mut *out)?
        }
        WibemtPart::Adjective => {
            if args.data.is_some() {
                return Err(Failure::usage(
                    "--data, the templates, has no effect here; it is for --part verb",
                ));
            }
            if args.occupations.is_some() {
                return Err(Failure::usage(
                    "--occupations has no effect here; it is for --part verb",
                ));
            }
            let own = match &args.adjective_list {
                Some(path) => Some(challenge::own_adjectives(&source::read(path)?)?),
                None => None,
            };
            let adjectives = match &own {
                Some(own) => own
                    .iter()
                    .map(|own| (own.class, own.word.as_str()))
                    .collect(),
                None => challenge::adjectives(),
            };
            let Some(path) = &args.winobias else {
                return Err(
                    Failure::usage("--part adjective needs the sentences of WinoBias").with_hint(
                        "give --winobias DIR; https://github.com/uclanlp/corefBias has them",
                    ),
                );
            };
            let sentences = winobias(path)?;
            challenge::write_extended_winobias(&sentences, &adjectives, &mut *out)?
        }
    };
    out.flush()?;
    drop(out);
    if args.count {
        console::print(|out| writeln!(out, "{written}"))?;
    } else {
        console::note(console::count(written, "sentence"));
    }
    Ok(Outcome::Done)
}

/// The files of a WinoBias directory that are there, or a table.
fn winobias(path: &Path) -> Result<Vec<BaseSentence>, Failure> {
    if !path.is_dir() {
        return Ok(base::from_table(&source::read(path)?)?);
    }
    let mut sentences = Vec::new();
    let mut missing = Vec::new();
    for name in base::file_names() {
        let plain = path.join(&name);
        let packed = path.join(format!("{name}.gz"));
        let there = [plain, packed].into_iter().find(|path| path.exists());
        match there {
            Some(path) => sentences.extend(base::from_winobias(&source::read(&path)?)?),
            None => missing.push(name),
        }
    }
    if sentences.is_empty() {
        return Err(Failure::usage(format!(
            "{}: none of the files of WinoBias is there",
            path.display()
        ))
        .with_hint("expected anti_stereotyped_type1.txt.dev and seven more, gzip or not"));
    }
    if !missing.is_empty() {
        console::warn(format!(
            "{} not there: {}",
            counted(missing.len(), "file is", "files are"),
            missing.join(", ")
        ));
    }
    Ok(sentences)
}
