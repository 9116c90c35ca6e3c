//! From translations to predictions: alignment of the whole set, then the judge (specification, B2).

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};
use epicene_lang::align::{self, Alignments, Link, ParallelText, Symmetry};
use epicene_lang::occupation::{JudgeMode, NounGender, OccupationJudge};
use rayon::prelude::*;

use super::prediction::Prediction;
use super::published::{Aligned, Predicted, Predictor, simple_tokens};

/// A sentence as the aligner and the judges need it.
pub struct Source {
    pub text: String,
    /// Index of the entity among words split on single spaces.
    pub index: usize,
    pub entity: String,
}

/// Predictions for every translation, with the number of words the rules' files do not know.
pub struct Judged {
    pub predictions: Vec<Option<Predicted>>,
    pub unknown_words: BTreeMap<String, u64>,
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
pub fn published(
    sources: &[Source],
    translations: &[Option<String>],
    predictor: &Predictor,
    given: Option<Vec<Vec<Link>>>,
) -> Judged {
    let links = given.unwrap_or_else(|| {
        aligned(sources, translations, |source, target, text| {
            text.push(&source.text, target);
        })
    });
    let predictions: Vec<(Option<Predicted>, Vec<String>)> = (0..sources.len())
        .into_par_iter()
        .map(|item| {
            let Some(translation) = &translations[item] else {
                return (None, Vec::new());
            };
            let source = &sources[item];
            let places = linked(&source_places(source), &links[item]);
            let words: Vec<&str> = translation.split_whitespace().collect();
            let text: Vec<&str> = places
                .iter()
                .filter_map(|at| words.get(*at).copied())
                .collect();
            let text = text.join(" ");
            let aligned = Aligned {
                translation,
                text: &text,
                position: places.iter().min().copied(),
                entity: &source.entity,
            };
            (
                Some(predictor.predict(&aligned)),
                predictor.unknown_words(&aligned),
            )
        })
        .collect();
    let mut unknown_words = BTreeMap::new();
    let mut kept = Vec::with_capacity(predictions.len());
    for (prediction, unknown) in predictions {
        kept.push(prediction);
        for word in unknown {
            *unknown_words.entry(word).or_default() += 1;
        }
    }
    Judged {
        predictions: kept,
        unknown_words,
    }
}

/// The occupation judge: punctuation is off the words before they are aligned.
pub fn by_occupation_judge(
    sources: &[Source],
    translations: &[Option<String>],
    judge: &OccupationJudge,
    given: Option<Vec<Vec<Link>>>,
) -> Judged {
    let on_words = given.is_some();
    let links = given.unwrap_or_else(|| {
        aligned(sources, translations, |source, target, text| {
            let words = judge.tokens(target);
            text.push_words(
                simple_tokens(&source.text),
                words.iter().map(|word| word.text.as_str()),
            );
        })
    });
    let predictions = (0..sources.len()).into_par_iter().map(|item| {
        let translation = translations[item].as_ref()?;
        let source = &sources[item];
        let tokens = judge.tokens(translation);
        let mut places = match on_words {
            true => {
                let places = linked(&entity_places(source, false), &links[item]);
                let spans = word_spans(translation);
                let covered = places.iter().filter_map(|at| spans.get(*at));
                let within = |span: &(usize, usize)| {
                    let span = *span;
                    let tokens = tokens.iter().enumerate();
                    tokens.filter_map(move |(at, token)| {
                        (token.start < span.1 && span.0 < token.end).then_some(at)
                    })
                };
                covered.flat_map(within).collect()
            }
            false => linked(&entity_places(source, true), &links[item]),
        };
        places.sort_unstable();
        places.dedup();
        let verdict = judge.judge(
            translation,
            &tokens,
            &places,
            &source.entity,
            JudgeMode::Default,
        );
        let prediction = match verdict.gender {
            Some(NounGender::Masculine) => Prediction::Male,
            Some(NounGender::Feminine) => Prediction::Female,
            Some(NounGender::Neuter | NounGender::Common) => Prediction::Neutral,
            None => Prediction::Unknown,
        };
        Some(Predicted {
            prediction,
            rule: verdict.rule,
            evidence: verdict.evidence.into_iter().map(|word| word.text).collect(),
        })
    });
    Judged {
        predictions: predictions.collect(),
        unknown_words: BTreeMap::new(),
    }
}

/// Aligns what was translated; the rest has no links.
fn aligned(
    sources: &[Source],
    translations: &[Option<String>],
    push: impl Fn(&Source, &str, &mut ParallelText),
) -> Vec<Vec<Link>> {
    let mut text = ParallelText::default();
    let mut places = Vec::new();
    for (item, source) in sources.iter().enumerate() {
        if let Some(target) = &translations[item] {
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
fn source_places(source: &Source) -> Vec<usize> {
    let words: Vec<&str> = source.text.split_whitespace().collect();
    let article = source.index.checked_sub(1).filter(|before| {
        let word = words.get(*before).map(|word| word.to_lowercase());
        word.is_some_and(|word| ["the", "a", "an"].contains(&word.as_str()))
    });
    article.into_iter().chain([source.index]).collect()
}

/// All words of the entity, without its article; of tokens instead of words where punctuation was peeled off.
fn entity_places(source: &Source, tokens: bool) -> Vec<usize> {
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

/// Start and end of every word split on white space, in characters.
fn word_spans(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut start = None;
    let mut length = 0;
    for (at, c) in text.chars().enumerate() {
        length = at + 1;
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(begin)) => {
                spans.push((begin, at));
                start = None;
            }
            _ => {}
        }
    }
    spans.extend(start.map(|begin| (begin, length)));
    spans
}
