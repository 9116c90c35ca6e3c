//! Extraction against the reference answers, and on corpora that are not as they should be.

use std::io::Write;
use std::path::Path;

use crate::mbe_support::{json, shared, text_file};
use epicene_bench::mbe::extraction::{
    Corpus, ExtractionCounts, GenderLists, Matcher, Mention, WordList, Written, extract,
};
use epicene_core::InputError;
use epicene_io::Input;

fn letter(mention: Mention) -> (&'static str, char) {
    match mention {
        Mention::Female => ("f", 'f'),
        Mention::Male => ("m", 'm'),
        Mention::Both => ("both", 'b'),
        Mention::Neither => ("none", '-'),
    }
}

/// Sentences of the two benchmarks, stereotypical and anti-stereotypical in turn.
fn crows_pairs(path: &Path) -> Vec<String> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let records = reader.records().map(Result::unwrap);
    records
        .flat_map(|row| [row[1].to_owned(), row[2].to_owned()])
        .collect()
}

fn stereoset(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let items = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let sentence = |item: &serde_json::Value, name: &str| item[name].as_str().unwrap().to_owned();
    items
        .flat_map(|item| {
            [
                sentence(&item, "stereotype"),
                sentence(&item, "anti-stereotype"),
            ]
        })
        .collect()
}

#[test]
fn reference_answers() {
    let Some(expected) = json("mbe/reference_stats/extraction_expected.json") else {
        return;
    };
    let benchmarks = shared("mbe/benchmarks").unwrap();
    let words = shared("wordlists").unwrap();
    let list = |name: &str| WordList::read(&text_file(&words.join(name))).unwrap();
    let lists = GenderLists {
        female_words: list("gn_glove_female.txt"),
        male_words: list("gn_glove_male.txt"),
        female_names: list("crows_pairs_names_female.txt"),
        male_names: list("crows_pairs_names_male.txt"),
    };
    let toy: Vec<String> = serde_json::from_value(expected["toy_sentences"].clone()).unwrap();
    for (mode, ignore_case) in [("names_case_sensitive", false), ("names_ignore_case", true)] {
        let matcher = Matcher::new(&lists, ignore_case);
        let answers = &expected[mode];
        for (sentence, answer) in toy.iter().zip(answers["toy"].as_array().unwrap()) {
            assert_eq!(
                letter(matcher.mention(sentence)).0,
                answer,
                "{mode}: {sentence}"
            );
        }
        for (name, sentences) in [
            (
                "crows_pairs",
                crows_pairs(&benchmarks.join("crows_pairs_gender.csv")),
            ),
            (
                "stereoset",
                stereoset(&benchmarks.join("stereoset_dev_intrasentence_gender.jsonl")),
            ),
        ] {
            let mentions = sentences
                .iter()
                .map(|sentence| letter(matcher.mention(sentence)).1);
            let found: String = mentions.collect();
            assert_eq!(found, answers[name].as_str().unwrap(), "{mode} {name}");
        }
    }
}

fn input(name: &str, bytes: &[u8]) -> Input {
    Input::new(name.to_owned(), std::io::Cursor::new(bytes.to_vec())).unwrap()
}

type Sets = (ExtractionCounts, Written, Vec<(char, u64, String)>);

fn sets(source: &[u8], target: &[u8], seed: u64) -> Result<Sets, InputError> {
    let corpus = Corpus::Aligned {
        source: input("en", source),
        target: input("xx", target),
    };
    finish(corpus, seed)
}

fn finish(corpus: Corpus, seed: u64) -> Result<Sets, InputError> {
    let matcher = Matcher::new(&GenderLists::embedded(), false);
    let mut extraction = extract(corpus, &matcher)?;
    let mut lines = Vec::new();
    let written = extraction
        .write(seed, true, |gender, line, text| {
            lines.push((gender.letter(), line, text.to_owned()));
            Ok(())
        })
        .unwrap();
    Ok((extraction.counts, written, lines))
}

/// A corpus that is longer than a few blocks.
fn long_corpus(lines: usize) -> (Vec<u8>, Vec<u8>) {
    let (mut source, mut target) = (Vec::new(), Vec::new());
    for line in 0..lines {
        let english = match line % 7 {
            0 => "She slept",
            1 | 2 => "He slept.",
            3 => "He saw her",
            _ => "It rained",
        };
        writeln!(source, "{english}").unwrap();
        writeln!(target, "satz {}", line / 2).unwrap();
    }
    (source, target)
}

#[test]
fn counts_at_every_step_and_a_seeded_sample() {
    let (source, target) = long_corpus(70_000);
    let (counts, written, lines) = sets(&source, &target, 1).unwrap();
    assert_eq!(
        counts,
        ExtractionCounts {
            pairs: 70_000,
            female: 10_000,
            male: 20_000,
            both: 10_000,
            neither: 30_000,
            empty: 0
        }
    );
    assert_eq!((written.female, written.male), (10_000, 10_000));
    assert_eq!(lines.len(), 20_000);
    let line_numbers = |letter: char| -> Vec<u64> {
        lines
            .iter()
            .filter(|line| line.0 == letter)
            .map(|line| line.1)
            .collect()
    };
    let (female, male) = (line_numbers('f'), line_numbers('m'));
    assert!(female.is_sorted() && male.is_sorted());
    assert_eq!(&female[..3], [1, 8, 15]);
    assert!(male.iter().all(|line| matches!((line - 1) % 7, 1 | 2)));
    let again = sets(&source, &target, 1).unwrap();
    assert_eq!(again.2, lines);
    assert_ne!(sets(&source, &target, 2).unwrap().2, lines);
    // The number of threads does not show.
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert_eq!(pool.install(|| sets(&source, &target, 1).unwrap()).2, lines);
    }
    assert!(written.male_repeats > 0 && written.in_both > 0);
}

#[test]
fn packed_and_tabular_corpora_are_the_same() {
    let (source, target) = long_corpus(9_000);
    let plain = sets(&source, &target, 3).unwrap();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&source[..30_000]).unwrap();
    let mut packed = packer.finish().unwrap();
    // Two members, as parallel compressors write them.
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&source[30_000..]).unwrap();
    packed.extend(packer.finish().unwrap());
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let mut zstandard = ruzstd::encoding::compress_to_vec(&target[..40_000], level);
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    zstandard.extend(ruzstd::encoding::compress_to_vec(&target[40_000..], level));
    assert_eq!(sets(&packed, &zstandard, 3).unwrap(), plain);

    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let table: String = text(&source)
        .lines()
        .zip(text(&target).lines())
        .map(|(english, other)| format!("{english}\t{other}\r\n"))
        .collect();
    let table = Corpus::Table(input("both.tsv", table.as_bytes()));
    assert_eq!(finish(table, 3).unwrap(), plain);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let refused = |source: &[u8], target: &[u8]| sets(source, target, 0).unwrap_err().to_string();
    assert_eq!(
        refused(b"a\nb\nc\n", b"a\nb\n"),
        "en: there are 3 lines, xx has 2: the two sides are not line-aligned"
    );
    let (long, _) = long_corpus(9_000);
    assert!(refused(&long, b"a\n").contains("there are 9000 lines, xx has 1"));
    assert!(refused(b"", b"a\n").contains("there are 0 lines, xx has 1"));
    assert_eq!(
        refused(b"a\n\xff\n", b"a\nb\n"),
        "en, line 2: invalid UTF-8"
    );
    let mut late = long.clone();
    late.extend(b"\xc3\x28\n");
    let (_, mut target) = long_corpus(9_000);
    target.extend(b"x\n");
    assert_eq!(refused(&late, &target), "en, line 9001: invalid UTF-8");

    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&long).unwrap();
    let mut packed = packer.finish().unwrap();
    packed.truncate(packed.len() - 20);
    assert!(refused(&packed, &long).contains("broken gzip file"));
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let mut packed = ruzstd::encoding::compress_to_vec(&long[..], level);
    packed.truncate(packed.len() - 20);
    let error = refused(&packed, &long);
    assert!(error.contains("broken zstd file"), "{error}");

    for (table, message) in [
        ("a\tb\nshe\n", "t.tsv, line 2: there is no tab in this line"),
        (
            "a\tb\tc\n",
            "t.tsv, line 1: there is more than one tab in this line",
        ),
    ] {
        let error = finish(Corpus::Table(input("t.tsv", table.as_bytes())), 0).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn odd_lines() {
    let source = "\u{feff}She ran\r\nHe ran\nShe ran\nno end she";
    let target = "\u{feff}A\tB\r\nB\n   \nC";
    let (counts, written, lines) = sets(source.as_bytes(), target.as_bytes(), 0).unwrap();
    assert_eq!((counts.female, counts.male, counts.empty), (2, 1, 1));
    assert_eq!((written.female, written.male), (1, 1));
    assert!(lines[0].2 == "A B" || lines[0].2 == "C");
}
