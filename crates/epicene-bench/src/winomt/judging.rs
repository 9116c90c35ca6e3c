//! From translations to predictions: alignment of the whole set, then the judge (specification, B2).

use std::collections::BTreeSet;

use epicene_core::{Answer, Finding, InputError, ItemRef, Items, Span, TextFile, Verdict};
use epicene_lang::align::{self, Alignments, Link, ParallelText, Symmetry};
use epicene_lang::occupation::{JudgeMode, OccupationJudge};
use epicene_lang::words;
use rayon::prelude::*;

use super::data;
use super::published::{Aligned, Predictor, Token, simple_tokens};
use crate::options::{JUDGE, JudgeRules};
use crate::{BenchError, ColumnView, Options, Verdicts};

/// Roles of further files, each with the language behind it: `align:de`, or `align:deepl:de` for one system.
pub const ALIGN: &str = "align";
pub const LEXICON: &str = "lexicon";
pub const TAGS: &str = "tags";
pub const HUMAN: &str = "human";

/// Counts of a column: aligned words that the rules' files do not know, different ones and all.
pub const UNKNOWN_WORDS: &str = "unknown_words";
pub const UNKNOWN_TIMES: &str = "unknown_times";

/// A sentence as the aligner and the judges need it.
struct Source<'a> {
    text: &'a str,
    /// Index of the entity among words split on single spaces.
    index: usize,
    entity: &'a str,
}

fn source(item: ItemRef<'_>) -> Result<Source<'_>, BenchError> {
    let bad = |what: &str| BenchError::BadItem {
        item: item.id.to_owned(),
        message: format!("it has no {what}"),
    };
    let index = item.label(data::INDEX).and_then(|index| index.parse().ok());
    Ok(Source {
        text: item.text,
        index: index.ok_or_else(|| bad("index"))?,
        entity: item
            .label(data::OCCUPATION)
            .ok_or_else(|| bad("occupation"))?,
    })
}

fn sources(items: &Items) -> Result<Vec<Source<'_>>, BenchError> {
    items.iter().map(source).collect()
}

/// Aligns and judges a column.
pub fn judge(column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
    let sources = sources(column.items())?;
    let links = match column.input(ALIGN, options) {
        Some(file) => {
            let links = read_links(file)?;
            check_links(file, &links, sources.len())?;
            Some(links)
        }
        None => None,
    };
    let translations: Vec<Option<&str>> =
        (0..sources.len()).map(|item| column.text(item)).collect();
    let odd = column.column().answers.iter().flatten();
    if odd
        .clone()
        .any(|answer| !matches!(answer.plain().0, Answer::Translation(_) | Answer::Missing))
    {
        return Err(column.wrong_answer());
    }
    let aligner = match links {
        Some(_) => "given",
        None => "fast-align-forward",
    };
    let language = column.language();
    let verdicts = match options.get(&JUDGE) {
        JudgeRules::Published => {
            let (lexicon, tags) = (column.input(LEXICON, options), column.input(TAGS, options));
            let predictor = Predictor::new(language, lexicon, tags)?;
            published(&sources, &translations, &predictor, links).by("judge", "winomt-published")
        }
        JudgeRules::Default => {
            let judge = OccupationJudge::of(language).ok_or_else(|| {
                BenchError::NotMeasurable(format!("the occupation judge does not know {language}"))
            })?;
            by_occupation_judge(&sources, &translations, judge, links)
                .by("judge", "occupation-default")
        }
    };
    let mut verdicts = verdicts.by("aligner", aligner);
    for (cell, answer) in verdicts.cells.iter_mut().zip(&column.column().answers) {
        if answer.is_some() && cell.is_none() {
            *cell = Some(Verdict::new(Finding::NoAnswer, "not-judged-alone"));
        }
    }
    Ok(verdicts)
}

/// Links from a file in Pharaoh's form, one line for each item.
pub fn read_links(file: &TextFile) -> Result<Vec<Vec<Link>>, InputError> {
    let lines = (1u64..).zip(file.text.lines());
    let read = lines.map(|(number, line)| {
        align::parse_links(line).map_err(|error| {
            InputError::new(&file.path, error.to_string())
                .at_line(number)
                .with_hint("one line for each sentence: 0-0 1-2, source before target")
        })
    });
    read.collect()
}

/// Given links must be one line for each sentence.
pub fn check_links(
    file: &TextFile,
    links: &[Vec<Link>],
    sentences: usize,
) -> Result<(), InputError> {
    if links.len() == sentences {
        return Ok(());
    }
    let message = format!(
        "there are {} lines, the data has {sentences} items",
        links.len()
    );
    Err(InputError::new(&file.path, message))
}

/// The authors' rules: words are split on white space and nothing else.
fn published(
    sources: &[Source<'_>],
    translations: &[Option<&str>],
    predictor: &Predictor,
    given: Option<Vec<Vec<Link>>>,
) -> Verdicts {
    let links = given.unwrap_or_else(|| {
        aligned(sources, translations, |source, target, text| {
            text.push(source.text, target);
        })
    });
    let judged: Vec<(Option<Verdict>, Vec<String>)> = (0..sources.len())
        .into_par_iter()
        .map(|item| {
            let Some(translation) = translations[item] else {
                return (None, Vec::new());
            };
            let source = &sources[item];
            let places = linked(&source_places(source), &links[item]);
            let words: Vec<Token<'_>> = translation
                .split_whitespace()
                .zip(words::spans(translation))
                .map(|(text, span)| Token { text, span })
                .collect();
            let linked: Vec<Token<'_>> = places
                .iter()
                .filter_map(|at| words.get(*at).copied())
                .collect();
            let aligned = Aligned {
                translation,
                words: &linked,
                position: places.iter().min().copied(),
                entity: source.entity,
            };
            (
                Some(predictor.predict(&aligned)),
                predictor.unknown_words(&aligned),
            )
        })
        .collect();
    let mut unknown = BTreeSet::new();
    let mut times = 0;
    let mut cells = Vec::with_capacity(judged.len());
    for (verdict, words) in judged {
        cells.push(verdict);
        times += words.len() as u64;
        unknown.extend(words);
    }
    let mut verdicts = Verdicts::new(cells);
    verdicts.counts.insert(UNKNOWN_WORDS, unknown.len() as u64);
    verdicts.counts.insert(UNKNOWN_TIMES, times);
    verdicts
}

/// The occupation judge: punctuation is off the words before they are aligned.
fn by_occupation_judge(
    sources: &[Source<'_>],
    translations: &[Option<&str>],
    judge: &OccupationJudge,
    given: Option<Vec<Vec<Link>>>,
) -> Verdicts {
    let on_words = given.is_some();
    let links = given.unwrap_or_else(|| {
        aligned(sources, translations, |source, target, text| {
            let words = judge.tokens(target);
            text.push_words(
                simple_tokens(source.text),
                words.iter().map(|word| word.text.as_str()),
            );
        })
    });
    let cells = (0..sources.len()).into_par_iter().map(|item| {
        let translation = translations[item]?;
        let source = &sources[item];
        let tokens = judge.tokens(translation);
        let mut places = match on_words {
            true => {
                let places = linked(&entity_places(source, false), &links[item]);
                let spans = words::spans(translation);
                let covered = places.iter().filter_map(|at| spans.get(*at));
                let within = |span: &Span| {
                    let (start, end) = (span.start as usize, span.end as usize);
                    let tokens = tokens.iter().enumerate();
                    tokens.filter_map(move |(at, token)| {
                        (token.start < end && start < token.end).then_some(at)
                    })
                };
                covered.flat_map(within).collect()
            }
            false => linked(&entity_places(source, true), &links[item]),
        };
        places.sort_unstable();
        places.dedup();
        let mode = JudgeMode::Default;
        let verdict = judge.judge(translation, &tokens, &places, source.entity, mode);
        Some(verdict.into())
    });
    Verdicts::new(cells.collect())
}

/// Aligns what was translated; the rest has no links.
fn aligned(
    sources: &[Source<'_>],
    translations: &[Option<&str>],
    push: impl Fn(&Source<'_>, &str, &mut ParallelText),
) -> Vec<Vec<Link>> {
    let mut text = ParallelText::default();
    let mut places = Vec::new();
    for (item, source) in sources.iter().enumerate() {
        if let Some(target) = translations[item] {
            push(source, target, &mut text);
            places.push(item);
        }
    }
    let found: Alignments = align::align(&text, Symmetry::Forward);
    let mut links = vec![Vec::new(); sources.len()];
    for (pair, item) in places.into_iter().enumerate() {
        links[item] = found.of(pair).to_vec();
    }
    links
}

/// The entity's word, preceded by its article where it has one.
fn source_places(source: &Source<'_>) -> Vec<usize> {
    let words: Vec<&str> = source.text.split_whitespace().collect();
    let article = source.index.checked_sub(1).filter(|before| {
        let word = words.get(*before).map(|word| word.to_lowercase());
        word.is_some_and(|word| ["the", "a", "an"].contains(&word.as_str()))
    });
    article.into_iter().chain([source.index]).collect()
}

/// All words of the entity, without its article; of tokens instead of words where punctuation was peeled off.
fn entity_places(source: &Source<'_>, tokens: bool) -> Vec<usize> {
    let length = source.entity.split_whitespace().count().max(1);
    let mut places = Vec::new();
    let mut at = 0;
    for (word_at, word) in source.text.split_whitespace().enumerate() {
        let parts = simple_tokens(word);
        if (source.index..source.index + length).contains(&word_at) {
            let body = parts
                .iter()
                .position(|part| part.chars().any(char::is_alphanumeric));
            places.push(if tokens {
                at + body.unwrap_or(0)
            } else {
                word_at
            });
        }
        at += parts.len();
    }
    places
}

/// Target words of source words, in the order of the source words and of the links.
fn linked(source: &[usize], links: &[Link]) -> Vec<usize> {
    let of = |place: usize| {
        links
            .iter()
            .filter(move |link| link.source as usize == place)
    };
    source
        .iter()
        .flat_map(|place| of(*place).map(|link| link.target as usize))
        .collect()
}
