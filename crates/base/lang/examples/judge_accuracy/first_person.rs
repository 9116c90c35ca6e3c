//! The gender of "I", on treebank sentences (`gold/first_person`) and on minimal pairs (`eurogest`).
//!
//! `first-person write` renews the figures of the documentation and of the benchmark's card.

#[path = "../../tests/it/support/first_person_gold.rs"]
pub mod gold;

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use epicene_core::Language;
use epicene_lang::Gender;
use epicene_lang::accuracy;
use epicene_lang::first_person::{Detector, Mode};
use gold::{GENDERS, MODES, PairScore, Score};

use super::shared;

pub fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    match *arguments {
        [] => {
            let figures = Figures::measure()?;
            print!("{}", figures.text());
            Ok(())
        }
        ["treebanks"] => treebanks(),
        ["write"] => write(&Figures::measure()?),
        ["errors", language, mode] => errors(known(language)?, named(mode)?),
        ["eurogest-errors", language, mode] => pair_errors(known(language)?, named(mode)?),
        _ => Err(super::USAGE.into()),
    }
}

fn known(code: &str) -> Result<Language, Box<dyn Error>> {
    let all = Detector::languages();
    let found = all.into_iter().find(|language| language.code() == code);
    found.ok_or_else(|| format!("{code} is no language of the detector's").into())
}

/// Languages without a gold file, on what treebanks say; see `treebanks.rs`. Few sentences there show a gender.
fn treebanks() -> Result<(), Box<dyn Error>> {
    let mut figures = Figures::default();
    let mut pooled = Score::default();
    for language in Detector::languages() {
        if gold::rows(&shared("gold/first_person"), language)?.is_some() {
            continue;
        }
        if let Some(rows) = super::treebanks::gold(language)? {
            let score = Score::of(
                &rows,
                Detector::of(language, Mode::Strict).expect("a language of the detector's"),
            );
            figures.sentences.push((language.code(), "strict", score));
            pooled = pooled.plus(score);
        }
    }
    figures.sentences.push(("all", "strict", pooled));
    print!("{}", aligned(&SENTENCES, &figures.sentence_cells()));
    Ok(())
}

fn named(mode: &str) -> Result<Mode, Box<dyn Error>> {
    let found = MODES.iter().find(|(name, _)| *name == mode);
    Ok(found.ok_or(format!("no mode '{mode}'"))?.1)
}

/// All that was measured: language or "all", mode, counts.
#[derive(Default)]
struct Figures {
    sentences: Vec<(&'static str, &'static str, Score)>,
    pairs: Vec<(&'static str, &'static str, PairScore)>,
    /// Language, what the page says of it.
    hard: Vec<(&'static str, [String; 7])>,
}

const SENTENCES: [&str; 9] = [
    "language",
    "mode",
    "precision",
    "recall",
    "false/1000",
    "f called m",
    "m called f",
    "gendered",
    "without I",
];
const HARD: [&str; 9] = [
    "language",
    "mode",
    "right",
    "f called m",
    "m called f",
    "unknown",
    "gender where none is",
    "gendered",
    "without gender",
];
const PAIRS: [&str; 8] = [
    "language",
    "mode",
    "men right",
    "women right",
    "f called m",
    "m called f",
    "unknown",
    "sentences",
];

impl Figures {
    fn measure() -> Result<Figures, Box<dyn Error>> {
        let mut figures = Figures::default();
        let mut pooled = [Score::default(); MODES.len()];
        for language in Detector::languages() {
            let rows = gold::rows(&shared("gold/first_person"), language)?;
            let pairs = gold::pairs(&shared("eurogest/sentences"), language)?;
            let hard = gold::hard(&shared("gold/traps/first_person.tsv"), language)?;
            let strict =
                Detector::of(language, Mode::Strict).expect("a language of the detector's");
            let score = Score::of(&hard, strict);
            figures
                .hard
                .push((language.code(), score.hard_cells(hard.len())));
            for ((name, mode), pooled) in MODES.into_iter().zip(&mut pooled) {
                let detector = Detector::of(language, mode).expect("a language of the detector's");
                // A language without a published list has one mode only.
                if detector.mode() != mode {
                    continue;
                }
                if let Some(rows) = &rows {
                    let score = Score::of(rows, detector);
                    figures.sentences.push((language.code(), name, score));
                    *pooled = pooled.plus(score);
                }
                if let Some(pairs) = &pairs {
                    let score = PairScore::of(pairs, detector);
                    figures.pairs.push((language.code(), name, score));
                }
            }
        }
        if figures.sentences.is_empty() {
            return Err("no gold found: set EPICENE_SHARED".into());
        }
        for ((name, _), score) in MODES.into_iter().zip(pooled) {
            figures.sentences.push(("all", name, score));
        }
        Ok(figures)
    }

    fn sentence_cells(&self) -> Vec<Vec<String>> {
        let row = |(language, mode, score): &(&str, &str, Score)| {
            vec![
                (*language).to_owned(),
                (*mode).to_owned(),
                ratio(score.right, score.found),
                ratio(score.right, score.men + score.women),
                share(score.false_positives, score.others),
                percent(score.women_called_men, score.women),
                percent(score.men_called_women, score.men),
                (score.men + score.women).to_string(),
                score.others.to_string(),
            ]
        };
        self.sentences.iter().map(row).collect()
    }

    fn pair_cells(&self) -> Vec<Vec<String>> {
        let row = |(language, mode, score): &(&str, &str, PairScore)| {
            vec![
                (*language).to_owned(),
                (*mode).to_owned(),
                ratio(score.men_right, score.pairs),
                ratio(score.right - score.men_right, score.pairs),
                percent(score.women_called_men, score.pairs),
                percent(score.men_called_women, score.pairs),
                percent(score.unknown(), 2 * score.pairs),
                (2 * score.pairs).to_string(),
            ]
        };
        self.pairs.iter().map(row).collect()
    }

    fn hard_cells(&self) -> Vec<Vec<String>> {
        let row = |(language, cells): &(&str, [String; 7])| {
            let start = [(*language).to_owned(), "strict".to_owned()];
            start.into_iter().chain(cells.iter().cloned()).collect()
        };
        self.hard.iter().map(row).collect()
    }

    /// The paragraph of the benchmark's card.
    fn summary(&self) -> String {
        let mut text = String::from(SUMMARY);
        for (language, mode, score) in &self.sentences {
            if *language == "all" {
                let _ = write!(
                    text,
                    "\n- `{mode}`: precision {}, recall {}, false positives {} in 1,000 sentences without a first person, women called men {}, men called women {}.",
                    ratio(score.right, score.found),
                    ratio(score.right, score.men + score.women),
                    share(score.false_positives, score.others),
                    percent(score.women_called_men, score.women),
                    percent(score.men_called_women, score.men),
                );
            }
        }
        let (gendered, others) = self.sentences.last().map_or((0, 0), |(_, _, score)| {
            (score.men + score.women, score.others)
        });
        let _ = write!(
            text,
            "\n- On treebank sentences in ten Slavic languages, {gendered} with a gender and {others} without a first person; by language in docs/first-person-judge.md."
        );
        text
    }

    /// The table that `epicene show` and the foot of a report read.
    fn table(&self) -> String {
        let mut text = format!(
            "# Written by `judge_accuracy -- first-person write`; not by hand.\n# treebank\t{}\n# pairs\t{}\n# hard\t{}\n",
            SENTENCES.join("\t"),
            PAIRS.join("\t"),
            HARD.join("\t")
        );
        let kinds = [
            ("treebank", self.sentence_cells()),
            ("pairs", self.pair_cells()),
            ("hard", self.hard_cells()),
        ];
        for (kind, rows) in kinds {
            for row in rows {
                let _ = writeln!(text, "{kind}\t{}", row.join("\t"));
            }
        }
        text
    }

    fn text(&self) -> String {
        let mut text = String::from("Treebank sentences\n");
        text += &aligned(&SENTENCES, &self.sentence_cells());
        text += "\nMinimal pairs\n";
        text += &aligned(&PAIRS, &self.pair_cells());
        text += "\nHard sentences\n";
        text += &aligned(&HARD, &self.hard_cells());
        text
    }
}

fn aligned(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    let header: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
    for row in std::iter::once(&header).chain(rows) {
        for (place, cell) in row.iter().enumerate() {
            let _ = match place {
                0 | 1 => write!(text, "{cell:<11}"),
                _ => write!(text, "{cell:>11}"),
            };
        }
        text.push('\n');
    }
    text
}

const SUMMARY: &str = "**Detector accuracy.**";
const START: &str = "<!-- figures: written by `judge_accuracy -- first-person write` -->";
const END: &str = "<!-- end of figures -->";

/// Renews the stored table, the tables of the page about this judge, and the paragraph of the benchmark's card.
fn write(figures: &Figures) -> Result<(), Box<dyn Error>> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::write(
        crate_folder.join("data/first_person_accuracy.tsv"),
        figures.table(),
    )?;
    let page = crate_folder.join("../../../docs/first-person-judge.md");
    let text = fs::read_to_string(&page)?;
    let (before, rest) = text.split_once(START).ok_or("no place for figures")?;
    let (_, after) = rest.split_once(END).ok_or("no end of figures")?;
    let tables = accuracy::first_person_tables_of(&figures.table());
    let text = format!("{before}{START}\n{tables}{END}{after}");
    fs::write(page, text)?;
    for card in [
        "crates/bench/benchmarks/src/gest/gest.md",
        "docs/benchmarks/gest.md",
    ] {
        let card = crate_folder.join("../../..").join(card);
        let text = fs::read_to_string(&card)?;
        let (before, rest) = text.split_once(SUMMARY).ok_or("no summary in the card")?;
        let (_, after) = rest.split_once("\n\n").ok_or("no end of the summary")?;
        fs::write(card, format!("{before}{}\n\n{after}", figures.summary()))?;
    }
    Ok(())
}

fn ratio(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.3}", part as f64 / whole as f64),
    }
}

fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.1}", 1000.0 * part as f64 / whole as f64),
    }
}

fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.2} %", 100.0 * part as f64 / whole as f64),
    }
}

fn errors(language: Language, mode: Mode) -> Result<(), Box<dyn Error>> {
    let detector = Detector::of(language, mode).expect("a language of the detector's");
    let rows = gold::rows(&shared("gold/first_person"), language)?;
    for row in rows.ok_or("no gold for this language")? {
        let verdict = detector.judge(&row.text);
        let wanted = row.gold.filter(|_| row.first_person);
        if verdict.gender() == wanted {
            continue;
        }
        let words: Vec<&str> = verdict
            .evidence
            .iter()
            .map(|span| span.of(&row.text))
            .collect();
        println!(
            "{}\t{}\t{}{}\t{}\t{}\t{}",
            row.id,
            if row.first_person { "yes" } else { "no" },
            wanted.map_or('u', Gender::letter),
            verdict.gender().map_or('u', Gender::letter),
            verdict.rule,
            words.join(" "),
            row.text
        );
    }
    Ok(())
}

fn pair_errors(language: Language, mode: Mode) -> Result<(), Box<dyn Error>> {
    let detector = Detector::of(language, mode).expect("a language of the detector's");
    let pairs = gold::pairs(&shared("eurogest/sentences"), language)?;
    for pair in pairs.ok_or("no minimal pairs for this language")? {
        for (text, gold) in pair.iter().zip(GENDERS) {
            let verdict = detector.judge(text);
            if verdict.gender() != Some(gold) {
                println!(
                    "{}{}\t{}\t{text}",
                    gold.letter(),
                    verdict.gender().map_or('u', Gender::letter),
                    verdict.rule
                );
            }
        }
    }
    Ok(())
}
