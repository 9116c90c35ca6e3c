//! `epicene align`: which words of a translation stand for which words of its source.

use std::io::Write;
use std::path::Path;

use epicene_bench::Given;
use epicene_core::{TextFile, counted};
use epicene_lang::align::{EncoderThreshold, MOST_WORDS, ParallelText, align};
use epicene_lm::ModelSpec;
use epicene_pipeline::JudgedRun;
use epicene_run::RunDirectory;

use crate::args::AlignArgs;
use crate::encoder::{Encoder, write_links};
use crate::failure::{Failure, Outcome};
use crate::{console, results, source};

const SEPARATOR: &str = " ||| ";

pub fn run(args: &AlignArgs) -> Result<Outcome, Failure> {
    let encoder = match &args.encoder {
        Some(spec) => Some(open(args, spec)?),
        None => None,
    };
    if let (Some(path), Some(encoder)) = (&args.run, &encoder) {
        return of_run(encoder, path);
    }
    let file = match &args.file {
        Some(path) => source::read(path)?,
        None => source::read_standard_input()?,
    };
    let pairs = pairs(&file)?;
    let mut out = console::stdout();
    match &encoder {
        Some(encoder) => encoded(encoder, &pairs, &mut out)?,
        None => {
            let mut text = ParallelText::default();
            for (source, target) in &pairs {
                text.push(source, target);
            }
            drop(pairs);
            let empty: Vec<usize> = (0..text.len())
                .filter(|pair| !text.has_words(*pair))
                .collect();
            if let Some(first) = empty.first() {
                console::warn(format!(
                    "{}: {}, first: line {}",
                    file.path,
                    counted(
                        empty.len(),
                        "line has an empty side and gets no links",
                        "lines have an empty side and get no links"
                    ),
                    first + 1
                ));
            }
            let links = align(&text, args.symmetrise.unwrap_or_default());
            write_links(&links, &mut out)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Done)
}

fn open(args: &AlignArgs, spec: &ModelSpec) -> Result<Encoder, Failure> {
    if !(0.0..1.0).contains(&args.threshold) {
        return Err(Failure::usage("--threshold lies between 0 and 1"));
    }
    Encoder::open(spec, args.layer, EncoderThreshold(args.threshold))
}

fn pairs(file: &TextFile) -> Result<Vec<(&str, &str)>, Failure> {
    let mut pairs = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        // An empty side leaves nothing but the bars beside it.
        let cut = line.split_once(SEPARATOR).or_else(|| {
            let left = line.strip_suffix(" |||").map(|source| (source, ""));
            left.or_else(|| line.strip_prefix("||| ").map(|target| ("", target)))
        });
        let Some(pair) = cut else {
            return Err(Failure::usage(format!(
                "{}, line {}: there is no ` ||| ` between source and target",
                file.path,
                index + 1
            ))
            .with_hint("a line is `source ||| target`, words between spaces"));
        };
        let words = |side: &str| {
            side.split([' ', '\t'])
                .filter(|word| !word.is_empty())
                .count()
        };
        let longest = words(pair.0).max(words(pair.1));
        if longest > MOST_WORDS {
            let message = format!(
                "{}, line {}: a side has {longest} words, and at most {MOST_WORDS} can be aligned",
                file.path,
                index + 1
            );
            return Err(Failure::input(message).with_hint("write one sentence pair on each line"));
        }
        pairs.push(pair);
    }
    Ok(pairs)
}

/// Links a run's translations, and measures it by them.
fn of_run(encoder: &Encoder, path: &Path) -> Result<Outcome, Failure> {
    let mut run = RunDirectory::open(path)?;
    let benchmark = epicene_pipeline::benchmark(&run.manifest.benchmark)?;
    if run.manifest.shard.is_some() {
        return Err(
            Failure::input(format!("{}: a shard of a run", path.display()))
                .with_hint("join all shards with `epicene merge`, and align the whole"),
        );
    }
    encoder.link_run(&mut run, benchmark)?;
    let judged = JudgedRun::open(&run, &Given::default())?;
    let results = super::run::measure_and_store(&run, &judged)?;
    results::show(&results, None)?;
    Ok(Outcome::Done)
}

fn encoded(encoder: &Encoder, pairs: &[(&str, &str)], out: &mut impl Write) -> Result<(), Failure> {
    let words = |text: &str| -> Vec<String> {
        text.split([' ', '\t'])
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let sides: Vec<(Vec<String>, Vec<String>)> = pairs
        .iter()
        .map(|(source, target)| (words(source), words(target)))
        .collect();
    encoder.links(&sides, |alignments| Ok(write_links(alignments, out)?))
}
