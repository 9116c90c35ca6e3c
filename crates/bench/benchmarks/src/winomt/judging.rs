//! From translations to predictions: alignment of the whole set, then the judge (specification, B2).

use std::collections::BTreeSet;

use epicene_core::{
    Answer, Finding, InputError, ItemRef, Items, Span, TextFile, Verdict, counted, there_are,
};
use epicene_lang::align::{self, Alignments, Link, ParallelText, Symmetry};
use epicene_lang::occupation::{self, JudgeMode, OccupationJudge};
use epicene_lang::person::PersonPair;
use epicene_lang::words;
use rayon::prelude::*;

use super::data;
use super::prediction::Gold;
use super::published::{Aligned, Predictor, Token};
use crate::fixed_gender::{self, IGNORE_FIXED};
use crate::options::{DETECTOR, DetectorRules};
use crate::person_lexicon::{LEXICON, rests_on, signed_links, with_lexicon};
use crate::{BenchError, ColumnView, Options, Verdicts};

/// Roles of further files, each with the language behind it: `align:de`, or `align:deepl:de` for one system.
pub const ALIGN: &str = "align";
pub const TAGS: &str = "tags";
pub const HUMAN: &str = "human";

/// Counts of a column: aligned words that the rules' files do not know, different ones and all.
pub const UNKNOWN_WORDS: &str = "unknown_words";
pub const UNKNOWN_TIMES: &str = "unknown_times";
/// Count of a column: persons whose word has one gender whoever is meant, and sentences without a gender.
pub const IGNORED: &str = "ignored";
/// Count of a column: translations in which no word was found for the person.
pub const UNALIGNED: &str = "unaligned";

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
    let given = column.input(ALIGN, options).map(|file| (file, "given"));
    let given = given.or_else(|| column.encoder_links(options));
    let links = match given {
        Some((file, _)) => {
            let links = read_links(file)?;
            check_links(file, &links, sources.len())?;
            Some(links)
        }
        None => None,
    };
    let linked_by = given.map(|(_, by)| by);
    let translations: Vec<Option<&str>> =
        (0..sources.len()).map(|item| column.text(item)).collect();
    let odd = column.column().answers.iter().flatten();
    if odd
        .clone()
        .any(|answer| !matches!(answer.plain().0, Answer::Translation(_) | Answer::Missing))
    {
        return Err(column.wrong_answer());
    }
    let language = column.language();
    let verdicts = match options.get(&DETECTOR) {
        DetectorRules::Published => {
            let (lexicon, tags) = (column.input(LEXICON, options), column.input(TAGS, options));
            let predictor = Predictor::new(language, lexicon, tags)?;
            let aligner = linked_by.unwrap_or("fast-align-forward");
            published(&sources, &translations, &predictor, links)
                .by("judge", "winomt-published")
                .by("aligner", aligner)
        }
        DetectorRules::Epicene => {
            let judge = OccupationJudge::of(language).ok_or_else(|| {
                BenchError::NotMeasurable(format!("no occupation detector for {language}"))
            })?;
            let own = column.input(LEXICON, options);
            let own = own.map(|file| with_lexicon(judge, file)).transpose()?;
            let judge = own.as_ref().unwrap_or(judge);
            let (verdicts, all_linked) = by_occupation_judge(&sources, &translations, judge, links);
            let aligner = match linked_by {
                Some(by) => signed_links(by, all_linked),
                None => "person-links".to_owned(),
            };
            verdicts
                .by("judge", "occupation-default")
                .by("aligner", aligner)
        }
    };
    let mut verdicts = verdicts;
    if options.get(&IGNORE_FIXED) && fixed_gender::is_known(language) {
        leave_out(&mut verdicts, column, &sources);
        verdicts = verdicts.by("ignored", fixed_gender::IGNORED);
    }
    for (cell, answer) in verdicts.cells.iter_mut().zip(&column.column().answers) {
        if answer.is_some() && cell.is_none() {
            *cell = Some(Verdict::new(Finding::NoAnswer, "not-judged-alone"));
        }
    }
    Ok(verdicts)
}

/// Persons whose word has one gender whoever is meant, and sentences without a gender, are not judged.
fn leave_out(verdicts: &mut Verdicts, column: &ColumnView<'_>, sources: &[Source<'_>]) {
    let mut count = 0;
    for (item, cell) in verdicts.cells.iter_mut().enumerate() {
        let gold = column.items().get(item).label(data::GOLD);
        let fixed = fixed_gender::is_fixed(column.language(), sources[item].entity);
        if cell.is_some() && (fixed || gold == Some(Gold::Neutral.name())) {
            *cell = Some(fixed_gender::ignored());
            count += 1;
        }
    }
    verdicts.counts.insert(IGNORED, count);
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
        "{}, the data has {}",
        there_are(links.len(), "line", "lines"),
        counted(sentences, "item", "items")
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

/// The person judge: given links lead to words between white space, else the judge's own aligner finds
/// the person's word. Also whether every verdict rests on a linked word.
fn by_occupation_judge(
    sources: &[Source<'_>],
    translations: &[Option<&str>],
    judge: &OccupationJudge,
    given: Option<Vec<Vec<Link>>>,
) -> (Verdicts, bool) {
    let places: Vec<Vec<usize>> = match given {
        Some(links) => (0..sources.len())
            .into_par_iter()
            .map(|item| match translations[item] {
                Some(translation) => given_places(&sources[item], translation, &links[item], judge),
                None => Vec::new(),
            })
            .collect(),
        None => {
            let pairs: Vec<PersonPair<'_>> = sources
                .iter()
                .zip(translations)
                .map(|(source, translation)| PersonPair {
                    source: source.text,
                    index: source.index,
                    noun: source.entity,
                    translation: translation.unwrap_or(""),
                })
                .collect();
            judge.link_persons(&pairs)
        }
    };
    let cells = (0..sources.len()).into_par_iter().map(|item| {
        let translation = translations[item]?;
        let (tokens, noun) = (judge.tokens(translation), sources[item].entity);
        let mode = JudgeMode::Default;
        let verdict = judge.judge(translation, &tokens, &places[item], noun, mode);
        let rests = rests_on(&verdict, &tokens, &places[item]);
        Some((verdict, rests))
    });
    let cells: Vec<Option<(Verdict, bool)>> = cells.collect();
    let all_linked = cells.iter().flatten().all(|(_, rests)| *rests);
    let cells = cells.into_iter().map(|cell| Some(cell?.0));
    let mut verdicts = Verdicts::new(cells.collect());
    let unaligned = translations.iter().zip(&places);
    let unaligned = unaligned.filter(|(text, places)| text.is_some() && places.is_empty());
    verdicts.counts.insert(UNALIGNED, unaligned.count() as u64);
    (verdicts, all_linked)
}

/// The judge's words within the words that given links lead to; punctuation beside them is not linked.
fn given_places(
    source: &Source<'_>,
    translation: &str,
    links: &[Link],
    judge: &OccupationJudge,
) -> Vec<usize> {
    let tokens = judge.tokens(translation);
    let spans = words::spans(translation);
    let linked = linked(&entity_places(source), links);
    let covered: Vec<&Span> = linked.iter().filter_map(|at| spans.get(*at)).collect();
    let within = |token: &occupation::Token| {
        let inside =
            |span: &Span| token.start < span.end as usize && (span.start as usize) < token.end;
        covered.iter().any(|span| inside(span)) && token.text.chars().any(char::is_alphanumeric)
    };
    (0..tokens.len())
        .filter(|at| within(&tokens[*at]))
        .collect()
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

/// All words of the entity, without its article.
fn entity_places(source: &Source<'_>) -> Vec<usize> {
    let length = source.entity.split_whitespace().count().max(1);
    (source.index..source.index + length).collect()
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
