//! `epicene align`: which words of a translation stand for which words of its source.

use std::io::{self, Write};

use epicene_core::TextFile;
use epicene_lang::align::{
    Alignments, EncoderThreshold, ParallelText, SubwordVectors, align, from_vectors,
};
use epicene_lm::{EngineOptions, ModelSpec, WordPieces};
use rayon::prelude::*;

use crate::args::AlignArgs;
use crate::failure::{Failure, Outcome};
use crate::{console, source, translating};

const SEPARATOR: &str = " ||| ";
/// Pairs an encoder reads before their links are written.
const BATCH: usize = 256;

pub fn run(args: &AlignArgs) -> Result<Outcome, Failure> {
    let file = match &args.file {
        Some(path) => source::read(path)?,
        None => source::read_standard_input()?,
    };
    let pairs = pairs(&file)?;
    let mut out = console::stdout();
    match &args.encoder {
        Some(spec) => encoded(args, spec, &pairs, &mut out)?,
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
                    "{}: {} lines have an empty side and get no links, first: line {}",
                    file.path,
                    empty.len(),
                    first + 1
                ));
            }
            write(&align(&text, args.symmetrise.unwrap_or_default()), &mut out)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Done)
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
        pairs.push(pair);
    }
    Ok(pairs)
}

fn write(alignments: &Alignments, out: &mut impl Write) -> io::Result<()> {
    for links in alignments.iter() {
        for (place, link) in links.iter().enumerate() {
            let space = if place > 0 { " " } else { "" };
            write!(out, "{space}{link}")?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// How an encoder's vectors are read.
#[derive(Debug, Clone, Copy)]
pub struct EncoderOptions {
    /// The layer whose output is compared.
    pub layer: usize,
    /// Both probabilities of a link must be greater than this.
    pub threshold: f64,
}

fn encoded(
    args: &AlignArgs,
    spec: &ModelSpec,
    pairs: &[(&str, &str)],
    out: &mut impl Write,
) -> Result<(), Failure> {
    if !(0.0..1.0).contains(&args.threshold) {
        return Err(Failure::usage("--threshold lies between 0 and 1"));
    }
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
    let options = EncoderOptions {
        layer: args.layer,
        threshold: args.threshold,
    };
    encoder_links(spec, options, &sides, |alignments| {
        Ok(write(alignments, out)?)
    })
}

/// Links of tokenised pairs by an encoder, handed over batch by batch.
pub fn encoder_links(
    spec: &ModelSpec,
    how: EncoderOptions,
    pairs: &[(Vec<String>, Vec<String>)],
    mut take: impl FnMut(&Alignments) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let options = EngineOptions {
        threads: rayon::current_num_threads(),
        ..EngineOptions::default()
    };
    let mut model = spec.open(options, &translating::tell_download)?;
    model.cut_after(how.layer)?;
    let progress = console::progress(pairs.len() as u64, "align");
    for batch in pairs.chunks(BATCH) {
        let sides: Vec<Vec<String>> = batch
            .iter()
            .flat_map(|(source, target)| [source.clone(), target.clone()])
            .collect();
        let vectors: Vec<SubwordVectors> = model
            .word_pieces(&sides)?
            .into_iter()
            .map(|WordPieces { values, words }| SubwordVectors { values, words })
            .collect();
        let links: Vec<_> = vectors
            .par_chunks_exact(2)
            .map(|pair| from_vectors(&pair[0], &pair[1], EncoderThreshold(how.threshold)))
            .collect();
        let mut alignments = Alignments::default();
        for links in links {
            alignments.push(links);
        }
        take(&alignments)?;
        progress.inc(batch.len() as u64);
    }
    progress.finish_and_clear();
    Ok(())
}
