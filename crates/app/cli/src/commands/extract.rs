//! `epicene data extract`: sentences about women and about men from a parallel corpus.

use std::io::{self, Write};
use std::path::Path;

use epicene_bench::mbe::HEADER;
use epicene_bench::mbe::extraction::{
    Corpus, Extraction, ExtractionCounts, GenderLists, Matcher, WordList, Written, extract,
};
use epicene_core::TextFile;
use epicene_lang::Gender;
use epicene_run::sha256_hex;
use serde::Serialize;

use crate::args::{CorpusArgs, ExtractArgs, SentenceArgs, WordListArgs};
use crate::failure::{Failure, Outcome};
use crate::{console, outputs, source};

#[derive(Serialize)]
struct Report<'a> {
    corpus: &'a ExtractionCounts,
    written: &'a Written,
    /// Entries of a female and of a male list.
    in_both_lists: &'a [String],
    seed: u64,
    downsampled: bool,
}

pub fn run(args: ExtractArgs) -> Result<Outcome, Failure> {
    let counts_file = args.counts.as_deref().map(outputs::create).transpose()?;
    let files = match (&args.female, &args.male) {
        (Some(female), Some(male)) => Some((
            (female, outputs::create(female)?),
            (male, outputs::create(male)?),
        )),
        _ => None,
    };
    let (mut extraction, overlap) = read(&args.corpus, &args.lists)?;
    let downsample = !args.keep_all;
    let written = match files {
        Some(((female_path, mut female), (male_path, mut male))) => {
            let written =
                extraction.write(args.seed, downsample, |gender, _, text| match gender {
                    Gender::Feminine => writeln!(female, "{text}"),
                    Gender::Masculine => writeln!(male, "{text}"),
                })?;
            outputs::finish(female_path, female)?;
            outputs::finish(male_path, male)?;
            written
        }
        None => {
            let mut out = console::stdout();
            let written = if args.jsonl {
                json_lines(&mut extraction, args.seed, downsample, &mut out)?
            } else {
                table(&mut extraction, args.seed, downsample, &mut out)?
            };
            out.flush()?;
            written
        }
    };
    report(&extraction.counts, &written);
    if let (Some(mut file), Some(path)) = (counts_file, &args.counts) {
        let report = Report {
            corpus: &extraction.counts,
            written: &written,
            in_both_lists: &overlap,
            seed: args.seed,
            downsampled: downsample,
        };
        serde_json::to_writer_pretty(&mut file, &report).map_err(io::Error::from)?;
        file.write_all(b"\n")?;
        outputs::finish(path, file)?;
    }
    Ok(Outcome::Done)
}

fn table(
    extraction: &mut Extraction,
    seed: u64,
    downsample: bool,
    out: &mut dyn Write,
) -> io::Result<Written> {
    writeln!(out, "{HEADER}")?;
    extraction.write(seed, downsample, |gender, line, text| {
        writeln!(out, "{}\t{line}\t{text}", gender.letter())
    })
}

fn json_lines(
    extraction: &mut Extraction,
    seed: u64,
    downsample: bool,
    out: &mut dyn Write,
) -> io::Result<Written> {
    #[derive(Serialize)]
    struct SentenceLine<'a> {
        id: String,
        text: &'a str,
    }
    extraction.write(seed, downsample, |gender, line, text| {
        let id = format!("{}:{line}", gender.letter());
        serde_json::to_writer(&mut *out, &SentenceLine { id, text })?;
        out.write_all(b"\n")
    })
}

/// The corpus a command names.
pub fn corpus(args: &CorpusArgs) -> Result<Corpus, Failure> {
    match (&args.source, &args.target, &args.table) {
        (Some(english), Some(target), None) => Ok(Corpus::Aligned {
            source: source::open(english)?,
            target: source::open(target)?,
        }),
        (None, None, Some(table)) => Ok(Corpus::Table(source::open(table)?)),
        _ => Err(Failure::usage("there is no corpus")
            .with_hint("give --source EN --target XX, or --table TSV")),
    }
}

/// The lists a command names, or the embedded ones.
pub fn lists(args: &WordListArgs) -> Result<GenderLists, Failure> {
    let mut lists = GenderLists::embedded();
    let read =
        |path: &Path| -> Result<WordList, Failure> { Ok(WordList::read(&source::read(path)?)?) };
    if let Some([female, male]) = args.words.as_deref() {
        (lists.female_words, lists.male_words) = (read(female)?, read(male)?);
    }
    if let Some([female, male]) = args.names.as_deref() {
        (lists.female_names, lists.male_names) = (read(female)?, read(male)?);
    }
    if args.no_names {
        (lists.female_names, lists.male_names) = (WordList::default(), WordList::default());
    }
    Ok(lists)
}

/// The sentences found, and the entries that stand in lists of both genders.
fn read(
    corpus_args: &CorpusArgs,
    list_args: &WordListArgs,
) -> Result<(Extraction, Vec<String>), Failure> {
    let lists = lists(list_args)?;
    let overlap = lists.overlap();
    if !overlap.is_empty() {
        console::warn(format!(
            "{} entries are in a female and in a male list; no sentence with one of them is kept: {}",
            overlap.len(),
            overlap
                .iter()
                .take(5)
                .cloned()
                .collect::<Vec<_>>()
                .join(", ")
        ));
    }
    let matcher = Matcher::new(&lists, list_args.names_ignore_case);
    Ok((extract(corpus(corpus_args)?, &matcher)?, overlap))
}

fn report(counts: &ExtractionCounts, written: &Written) {
    console::note(format!(
        "{} sentence pairs: {} female, {} male, {} with both genders (dropped), {} with neither (dropped)",
        counts.pairs, counts.female, counts.male, counts.both, counts.neither
    ));
    if counts.empty > 0 {
        console::note(format!(
            "{} of one gender have nothing on the other side (dropped)",
            counts.empty
        ));
    }
    if written.female == 0 || written.male == 0 {
        console::warn("one of the two sets is empty; are the two sides the right way round?");
    }
    console::note(format!(
        "written: {} female, {} male; repeats: {} and {}; sentences in both sets: {}",
        written.female, written.male, written.female_repeats, written.male_repeats, written.in_both
    ));
}

/// The sets of a corpus as the data of `run mbe`.
pub fn as_data(args: &SentenceArgs, seed: u64) -> Result<TextFile, Failure> {
    let (mut extraction, _) = read(&args.corpus, &args.lists)?;
    let mut bytes = Vec::new();
    let written = table(&mut extraction, seed, true, &mut bytes)?;
    report(&extraction.counts, &written);
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::input("the extracted sentences are not UTF-8"))?;
    let named = args.corpus.target.as_ref().or(args.corpus.table.as_ref());
    let name = named
        .and_then(|path| path.file_name())
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(TextFile {
        path: format!("(extracted from) {name}"),
        name,
        sha256: sha256_hex(text.as_bytes()),
        text,
    })
}
