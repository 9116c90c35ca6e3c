//! The gender tag of every translated occupation (specification, section 5): from files of tags, or
//! by aligning the translations with their sources and judging the aligned word.

use epicene_core::{InputError, TextFile};
use epicene_lang::align::Alignments;
use epicene_lang::occupation::{OccupationJudge, OccupationVerdict, Token};
use rayon::prelude::*;

use super::counts::Tag;
use super::items::{Items, Seen};
use super::judging::{Translated, judged};
use super::options::{Pick, UnambiguousOptions};
use super::precomputed::{self, Aligned, Given};
use super::words::words;
use crate::{BenchError, MeasureOptions};

/// The translations of one system into one language.
#[derive(Debug)]
pub struct Column {
    pub system: usize,
    pub unit: String,
    pub language: String,
    pub answers: Vec<Translation>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Translation {
    Unanswered,
    /// The file had none.
    Missing,
    Text(Box<str>),
}

/// The tags of a column, and how they came about.
#[derive(Debug)]
pub struct Tagged {
    /// `None` where the item was not answered.
    pub tags: Vec<Option<Tag>>,
    pub source: Source,
    /// Occupations found by the lexicon where the aligner had led astray.
    pub by_lexicon: usize,
    pub links: Alignments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Tags of a tagger.
    Tags,
    /// The built-in judge on links of a file, which are taken as they are.
    GivenLinks,
    /// The built-in judge and aligner. A statistical aligner errs on short, repetitive sentences;
    /// where the lexicon finds the occupation, it is believed.
    Aligner,
}

impl Column {
    pub fn text(&self, item: usize) -> Option<&str> {
        match &self.answers[item] {
            Translation::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether all translations are something else: result tags, or lines of aligned words.
    fn all(&self, holds: impl Fn(&str) -> bool) -> bool {
        let mut some = false;
        for answer in &self.answers {
            if let Translation::Text(text) = answer {
                some = true;
                if !holds(text) {
                    return false;
                }
            }
        }
        some
    }
}

/// Tags every answered item of a column.
pub fn tag(items: &Items, column: &Column, options: &MeasureOptions) -> Result<Tagged, BenchError> {
    let given = Given::of(&options.inputs, &column.language)?;
    if let Some(given) = &given {
        given.check_lines(items.len())?;
    }
    let choices = &options.unambiguous;
    match given {
        Some(Given::Results(file)) => {
            let lines: Vec<&str> = file.text.lines().collect();
            from_lines(column, |item| {
                precomputed::result(lines[item]).map_err(|fault| at_line(file, item, fault))
            })
        }
        Some(Given::Aligned(file)) => {
            let lines: Vec<&str> = file.text.lines().collect();
            from_lines(column, |item| {
                let aligned = precomputed::aligned(lines[item]);
                let aligned = aligned.map_err(|fault| at_line(file, item, fault))?;
                Ok(decide(
                    &items.get(item),
                    &aligned,
                    &column.language,
                    choices,
                ))
            })
        }
        Some(Given::Tagged {
            tokens,
            tags,
            links,
        }) => {
            let token_lines: Vec<&str> = tokens.text.lines().collect();
            let tag_lines: Vec<&str> = tags.text.lines().collect();
            let link_lines: Vec<&str> = links.text.lines().collect();
            from_lines(column, |item| {
                let seen = items.get(item);
                let source: Vec<&str> = seen.text.split_whitespace().collect();
                let aligned = precomputed::tagged(
                    &source,
                    token_lines[item],
                    tag_lines[item],
                    link_lines[item],
                );
                let aligned = aligned.map_err(|fault| at_line(tags, item, fault))?;
                Ok(decide(&seen, &aligned, &column.language, choices))
            })
        }
        None if column.all(|text| precomputed::result(text).is_ok()) => {
            from_lines(column, |item| {
                let text = column.text(item).unwrap_or("None");
                Ok(precomputed::result(text).unwrap_or(Tag::Unaligned))
            })
        }
        None if column.all(|text| text.is_empty() || precomputed::aligned(text).is_ok()) => {
            from_lines(column, |item| {
                let aligned = precomputed::aligned(column.text(item).unwrap_or(""));
                let seen = items.get(item);
                Ok(decide(
                    &seen,
                    &aligned.unwrap_or_default(),
                    &column.language,
                    choices,
                ))
            })
        }
        given => judged(items, column, given, options),
    }
}

pub fn at_line(file: &TextFile, item: usize, fault: String) -> BenchError {
    InputError::new(&file.path, fault)
        .at_line(item as u64 + 1)
        .into()
}

/// Tags from a function of the item, for answered items.
fn from_lines(
    column: &Column,
    tag: impl Fn(usize) -> Result<Tag, BenchError> + Sync,
) -> Result<Tagged, BenchError> {
    let tags = (0..column.answers.len())
        .into_par_iter()
        .map(|item| match column.answers[item] {
            Translation::Unanswered => Ok(None),
            _ => tag(item).map(Some),
        })
        .collect::<Result<_, _>>()?;
    Ok(Tagged {
        tags,
        source: Source::Tags,
        by_lexicon: 0,
        links: Alignments::default(),
    })
}

/// Whether a source word names the occupation (specification, 5.4), and not only the verb "cook".
pub fn is_occupation(seen: &Seen<'_>, word: &str, choices: &UnambiguousOptions) -> bool {
    let word = word.to_lowercase();
    let listed = words().occupations.get(&word);
    match seen.occupation {
        Some(occupation) if word == occupation => true,
        Some(occupation) if choices.labelled_only => {
            listed.is_some_and(|singular| singular == occupation)
        }
        _ => listed.is_some(),
    }
}

/// The tag of a sentence from its aligned words.
fn decide(
    seen: &Seen<'_>,
    aligned: &[Aligned<'_>],
    language: &str,
    choices: &UnambiguousOptions,
) -> Tag {
    let mut candidates: Vec<&Aligned<'_>> = aligned
        .iter()
        .filter(|aligned| is_occupation(seen, aligned.source, choices))
        .collect();
    if choices.labelled_only
        && let Some(first) = candidates.first().map(|first| first.source_place)
    {
        candidates.retain(|candidate| candidate.source_place == first);
    }
    let tags: Vec<Tag> = candidates.iter().map(|candidate| candidate.tag).collect();
    picked(&tags, choices.pick, || {
        let judge = OccupationJudge::for_language(language)?;
        let words: Vec<&str> = candidates
            .iter()
            .map(|candidate| candidate.target)
            .collect();
        judge.find(&cut(&words), seen.occupation?).last().copied()
    })
}

/// One of the tags of several words; `head` finds the word that translates the occupation.
pub fn picked(tags: &[Tag], pick: Pick, head: impl FnOnce() -> Option<usize>) -> Tag {
    let last = tags.last().copied().unwrap_or(Tag::Unaligned);
    match pick {
        Pick::Last => last,
        Pick::First => tags.first().copied().unwrap_or(Tag::Unaligned),
        Pick::Majority => {
            let count = |tag: &Tag| tags.iter().filter(|other| *other == tag).count();
            let most = tags.iter().map(count).max();
            let winner = tags.iter().find(|tag| Some(count(tag)) == most);
            winner.copied().unwrap_or(Tag::Unaligned)
        }
        Pick::AnyGendered => {
            let gendered = tags.iter().rev().find(|tag| tag.gender().is_some());
            gendered.copied().unwrap_or(last)
        }
        Pick::HeadNoun => head()
            .and_then(|place| tags.get(place).copied())
            .unwrap_or(last),
    }
}

/// Words as the judge wants them.
pub fn cut(words: &[&str]) -> Vec<Token> {
    let mut start = 0;
    let mut tokens = Vec::with_capacity(words.len());
    for word in words {
        let end = start + word.chars().count();
        tokens.push(Token {
            text: (*word).to_owned(),
            start,
            end,
        });
        start = end + 1;
    }
    tokens
}

impl Tagged {
    /// The verdict on one item again, with its evidence; `None` where the tag was given.
    pub fn explain(
        &self,
        items: &Items,
        column: &Column,
        item: usize,
        options: &MeasureOptions,
    ) -> Option<OccupationVerdict> {
        if self.source == Source::Tags {
            return None;
        }
        let judge = OccupationJudge::for_language(&column.language)?;
        let text = column.text(item)?;
        let given = Given::of(&options.inputs, &column.language).ok()?;
        let tokens = match given {
            Some(Given::Tokens { tokens, .. }) => {
                let line: Vec<&str> = tokens.text.lines().nth(item)?.split_whitespace().collect();
                cut(&line)
            }
            _ => judge.tokens(text),
        };
        let translated = Translated {
            seen: items.get(item),
            text,
            tokens: &tokens,
            links: self.links.of(item),
            source: self.source,
        };
        translated.verdict(judge, options).1
    }
}
