//! From translations to predictions: alignment of the whole set, then the judge (specification, B2).

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};
use epicene_lang::align::{self, Alignments, Link, ParallelText, Symmetry};
use epicene_lang::occupation::{JudgeMode, NounGender, OccupationJudge, Token};
use epicene_lang::person::PersonPair;
use rayon::prelude::*;

use super::prediction::Prediction;
use super::published::{Aligned, Predicted, Predictor};

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
    /// Translations in which no word was found for the person.
    pub unaligned: u64,
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
        unaligned: 0,
    }
}

/// The person judge: given links lead to words between white space, else the judge's own aligner finds
/// the person's word.
pub fn by_occupation_judge(
    sources: &[Source],
    translations: &[Option<String>],
    judge: &OccupationJudge,
    given: Option<Vec<Vec<Link>>>,
) -> Judged {
    let places: Vec<Vec<usize>> = match given {
        Some(links) => (0..sources.len())
            .into_par_iter()
            .map(|item| match &translations[item] {
                Some(translation) => given_places(&sources[item], translation, &links[item], judge),
                None => Vec::new(),
            })
            .collect(),
        None => {
            let pairs: Vec<PersonPair<'_>> = sources
                .iter()
                .zip(translations)
                .map(|(source, translation)| PersonPair {
                    source: &source.text,
                    index: source.index,
                    noun: &source.entity,
                    translation: translation.as_deref().unwrap_or_default(),
                })
                .collect();
            judge.link_persons(&pairs)
        }
    };
    let predictions = (0..sources.len()).into_par_iter().map(|item| {
        let translation = translations[item].as_ref()?;
        let verdict = judge.judge(
            translation,
            &judge.tokens(translation),
            &places[item],
            &sources[item].entity,
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
    let unaligned = translations.iter().zip(&places);
    Judged {
        predictions: predictions.collect(),
        unknown_words: BTreeMap::new(),
        unaligned: unaligned
            .filter(|(text, places)| text.is_some() && places.is_empty())
            .count() as u64,
    }
}

/// The judge with the nouns of a user's file.
pub fn with_lexicon(
    judge: &OccupationJudge,
    file: &TextFile,
) -> Result<OccupationJudge, InputError> {
    judge.with_lexicon(&file.text).map_err(|faults| {
        let (line, what) = faults
            .first()
            .map_or((0, ""), |fault| (fault.line as u64, fault.what.as_str()));
        InputError::new(&file.path, what).at_line(line).with_hint(
            "this judge reads lexicons in the format of persons.txt \
             (docs/adding-an-occupation-language.md), --judge published a table of words and genders",
        )
    })
}

/// The judge's words within the words that given links lead to; punctuation beside them is not linked.
fn given_places(
    source: &Source,
    translation: &str,
    links: &[Link],
    judge: &OccupationJudge,
) -> Vec<usize> {
    let tokens = judge.tokens(translation);
    let spans = word_spans(translation);
    let linked = linked(&entity_places(source), links);
    let covered: Vec<&(usize, usize)> = linked.iter().filter_map(|at| spans.get(*at)).collect();
    let within = |token: &Token| {
        let inside = |span: &&(usize, usize)| token.start < span.1 && span.0 < token.end;
        covered.iter().any(|span| inside(span)) && token.text.chars().any(char::is_alphanumeric)
    };
    (0..tokens.len())
        .filter(|at| within(&tokens[*at]))
        .collect()
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

/// All words of the entity, without its article.
fn entity_places(source: &Source) -> Vec<usize> {
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
