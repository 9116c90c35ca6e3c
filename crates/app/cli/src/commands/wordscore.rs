//! `epicene reproduce wordscore`: how masculine or feminine words are in static embeddings (WiBeMT, section 2.1).

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use epicene_bench::BenchError;
use epicene_bench::wibemt::occupations;
use epicene_core::{InputError, Row, TextFile, counted};
use epicene_report::{Data, Entry, Style, figures};
use epicene_stats::{Correlation, correlation_interval, pearson, spearman};
use epicene_vectors::score::{Method, ReferenceWords, Scored, Scores, score};
use epicene_vectors::{Request, WordVectors, load};
use serde::Serialize;

use super::report;
use crate::args::{Aggregate, WordscoreArgs};
use crate::failure::{Failure, Outcome};
use crate::{console, outputs, source};

/// Fewer pairs than this make no correlation worth saying.
const FEWEST_PAIRS: usize = 4;

pub fn run(args: &WordscoreArgs) -> Result<Outcome, Failure> {
    // What cannot be written or read is said before any vector is.
    let targets = targets(args.words.as_deref())?;
    let references = match args.gender_words.as_deref() {
        Some([feminine, masculine]) => ReferenceWords {
            feminine: word_list(&source::read(feminine)?)?,
            masculine: word_list(&source::read(masculine)?)?,
        },
        _ => ReferenceWords::embedded(),
    };
    let shares = shares(args.percentages.as_deref())?;
    let scatter = args.scatter.as_deref().map(outputs::create).transpose()?;
    let apart = args
        .incomplete
        .as_deref()
        .map(outputs::create)
        .transpose()?;

    let wanted = references.wanted(&targets);
    let mut embeddings = Vec::new();
    for path in &args.vectors {
        let request = Request {
            words: &wanted,
            compose: !args.whole_words,
        };
        outputs::note_input(path)?;
        let read = load(path, &request)?;
        console::note(format!(
            "{}: {} words of {} dimensions ({})",
            path.display(),
            read.words,
            read.dimension,
            read.layout
        ));
        embeddings.push(read);
    }
    let scores = score(&embeddings, &targets, &references)?;
    for warning in &scores.warnings {
        console::warn(warning);
    }
    tell_coverage(&scores, &embeddings, &targets);
    let table = Table {
        names: names(&embeddings),
        aggregate: args.aggregate,
    };
    let correlations = correlations(&scores, &shares, args.aggregate)?;
    if let Some(found) = &correlations {
        console::note(found.sentence());
    }
    if let (Some(mut out), Some(path)) = (scatter, &args.scatter) {
        write_scatter(&scores, &shares, args.aggregate, &mut out)?;
        outputs::finish(path, out)?;
    }
    if let Some(directory) = &args.figures {
        draw(&scores, &shares, args.aggregate, directory)?;
    }
    if args.json {
        return print_json(&scores, &table, correlations.as_ref());
    }
    let (here, elsewhere): (Vec<&Scored>, Vec<&Scored>) = scores
        .words
        .iter()
        .partition(|word| apart.is_none() || word.complete);
    if let (Some(mut out), Some(path)) = (apart, &args.incomplete) {
        table.write(&elsewhere, &mut out)?;
        outputs::finish(path, out)?;
    }
    console::print(|out| table.write(&here, out))?;
    Ok(Outcome::Done)
}

fn targets(path: Option<&Path>) -> Result<Vec<String>, Failure> {
    match path {
        Some(path) => Ok(word_list(&source::read(path)?)?),
        None => Ok(occupations::scored()
            .map(|occupation| occupation.name.to_owned())
            .collect()),
    }
}

/// One word a line; `#` begins a comment.
fn word_list(file: &TextFile) -> Result<Vec<String>, InputError> {
    let lines = file.text.lines().map(str::trim);
    let words: Vec<String> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    if words.is_empty() {
        Err(InputError::new(&file.path, "there are no words"))
    } else {
        Ok(words)
    }
}

fn shares(path: Option<&Path>) -> Result<BTreeMap<String, f64>, Failure> {
    let Some(path) = path else {
        let known = occupations::all().iter();
        return Ok(known
            .filter_map(|occupation| Some((occupation.name.to_owned(), occupation.percent_women?)))
            .collect());
    };
    let file = source::read(path)?;
    let mut shares = BTreeMap::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let share = line.split_once('\t').and_then(|(word, percent)| {
            let percent: f64 = percent.trim().parse().ok()?;
            (0.0..=100.0)
                .contains(&percent)
                .then_some((word.trim().to_owned(), percent))
        });
        let Some((word, percent)) = share else {
            let error = InputError::new(&file.path, "expected a word, a tab and a percentage");
            return Err(error.at_line(number).into());
        };
        shares.insert(word, percent);
    }
    Ok(shares)
}

fn tell_coverage(scores: &Scores, embeddings: &[WordVectors], targets: &[String]) {
    for embedding in embeddings {
        let found = targets
            .iter()
            .filter(|word| embedding.vectors.contains_key(*word))
            .count();
        console::note(format!(
            "{}: {found} of {} words",
            embedding.name,
            targets.len()
        ));
    }
    let incomplete = scores.words.iter().filter(|word| !word.complete).count();
    if incomplete > 0 {
        console::note(counted(
            incomplete,
            "word has no value from some file or method",
            "words have no value from some file or method",
        ));
    }
    if !scores.dropped.is_empty() {
        console::warn(format!(
            "{}: {}",
            counted(
                scores.dropped.len(),
                "word is in no file and is left out",
                "words are in no file and are left out"
            ),
            scores.dropped.join(", ")
        ));
    }
}

/// Names of the files' columns; the same name twice gets a number.
fn names(embeddings: &[WordVectors]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for embedding in embeddings {
        let before = embeddings[..names.len()]
            .iter()
            .filter(|other| other.name == embedding.name);
        names.push(match before.count() {
            0 => embedding.name.clone(),
            n => format!("{}#{}", embedding.name, n + 1),
        });
    }
    names
}

fn aggregated(word: &Scored, aggregate: Aggregate) -> f64 {
    match aggregate {
        Aggregate::Mean => word.mean,
        Aggregate::Sum => word.sum,
    }
}

struct Table {
    names: Vec<String>,
    aggregate: Aggregate,
}

impl Table {
    fn columns(&self) -> impl Iterator<Item = (usize, Method, String)> + '_ {
        self.names.iter().enumerate().flat_map(|(index, name)| {
            Method::ALL.map(|method| (index, method, format!("{name}/{}", method.name())))
        })
    }

    fn write(&self, words: &[&Scored], out: &mut dyn Write) -> std::io::Result<()> {
        let mut ranked = words.to_vec();
        ranked.sort_by(|a, b| {
            aggregated(a, self.aggregate).total_cmp(&aggregated(b, self.aggregate))
        });
        write!(out, "rank\tword\tscore\tcomplete\tvalues")?;
        for (_, _, name) in self.columns() {
            write!(out, "\t{name}")?;
        }
        writeln!(out)?;
        for (index, word) in ranked.iter().enumerate() {
            write!(
                out,
                "{}\t{}\t{}\t{}\t{}",
                index + 1,
                word.word,
                aggregated(word, self.aggregate),
                if word.complete { "yes" } else { "no" },
                word.parts.len()
            )?;
            for (embedding, method, _) in self.columns() {
                match word.parts.get(&(embedding, method)) {
                    Some(value) => write!(out, "\t{value}")?,
                    None => write!(out, "\t")?,
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Correlations {
    pearson: f64,
    pearson_low: f64,
    pearson_high: f64,
    pearson_p: f64,
    spearman: f64,
    spearman_p: f64,
    n: usize,
}

impl Correlations {
    fn sentence(&self) -> String {
        format!(
            "share of women: Pearson r = {:.4} [{:.4}, {:.4}], Spearman rho = {:.4}, n = {}",
            self.pearson, self.pearson_low, self.pearson_high, self.spearman, self.n
        )
    }
}

fn correlations(
    scores: &Scores,
    shares: &BTreeMap<String, f64>,
    aggregate: Aggregate,
) -> Result<Option<Correlations>, Failure> {
    let (x, y): (Vec<f64>, Vec<f64>) = scores
        .words
        .iter()
        .filter_map(|word| Some((aggregated(word, aggregate), *shares.get(&word.word)?)))
        .unzip();
    if x.len() < FEWEST_PAIRS {
        return Ok(None);
    }
    let found: Result<(Correlation, Correlation), _> =
        pearson(&x, &y).and_then(|linear| Ok((linear, spearman(&x, &y)?)));
    let Ok((linear, ranked)) = found else {
        return Ok(None);
    };
    let interval = correlation_interval(linear.r, linear.n, 0.95).map_err(BenchError::from)?;
    Ok(Some(Correlations {
        pearson: linear.r,
        pearson_low: interval.low,
        pearson_high: interval.high,
        pearson_p: linear.p_value,
        spearman: ranked.r,
        spearman_p: ranked.p_value,
        n: linear.n,
    }))
}

fn write_scatter(
    scores: &Scores,
    shares: &BTreeMap<String, f64>,
    aggregate: Aggregate,
    out: &mut impl Write,
) -> Result<(), Failure> {
    writeln!(out, "word,score,percent_women")?;
    for word in &scores.words {
        if let Some(share) = shares.get(&word.word) {
            writeln!(out, "{},{},{share}", word.word, aggregated(word, aggregate))?;
        }
    }
    Ok(())
}

/// WiBeMT's Figure 1: words by their score, and the scores of occupations beside the share of women.
fn draw(
    scores: &Scores,
    shares: &BTreeMap<String, f64>,
    aggregate: Aggregate,
    directory: &Path,
) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for word in &scores.words {
        let group = format!("word:{}", word.word);
        let mut push = |metric: &str, value| {
            rows.push(Row::new(
                "wordscore",
                ["vectors", "all", &group],
                metric,
                value,
            ));
        };
        push("score", aggregated(word, aggregate));
        if let Some(share) = shares.get(&word.word) {
            push("percent_women", *share);
        }
    }
    let entry = |(index, row)| Entry {
        row,
        index: Some(index),
        system: "vectors",
    };
    let drawn = figures(&Data {
        benchmark: "wordscore",
        entries: rows.iter().enumerate().map(entry).collect(),
        published: &[],
        same_items: false,
        labels: &BTreeMap::new(),
        metrics: &[],
        compared: &[],
        views: Vec::new(),
    });
    report::write_figures(&drawn, directory, Style::default())
}

#[derive(Serialize)]
struct JsonWord<'a> {
    word: &'a str,
    mean: f64,
    sum: f64,
    complete: bool,
    parts: BTreeMap<String, f64>,
}

#[derive(Serialize)]
struct JsonScores<'a> {
    words: Vec<JsonWord<'a>>,
    dropped: &'a [String],
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation: Option<&'a Correlations>,
}

fn print_json(
    scores: &Scores,
    table: &Table,
    correlation: Option<&Correlations>,
) -> Result<Outcome, Failure> {
    let words = scores.words.iter().map(|word| JsonWord {
        word: &word.word,
        mean: word.mean,
        sum: word.sum,
        complete: word.complete,
        parts: table
            .columns()
            .filter_map(|(embedding, method, name)| {
                Some((name, *word.parts.get(&(embedding, method))?))
            })
            .collect(),
    });
    let document = JsonScores {
        words: words.collect(),
        dropped: &scores.dropped,
        warnings: &scores.warnings,
        correlation,
    };
    console::print(|out| {
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    })?;
    Ok(Outcome::Done)
}
