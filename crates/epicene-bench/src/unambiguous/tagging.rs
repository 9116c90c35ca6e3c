//! The gender tag of every translated occupation (specification, section 5): from files of tags, or
//! by aligning the translations with their sources and judging the aligned word.

use epicene_core::{InputError, TextFile};
use epicene_lang::align::{Alignments, Link, ParallelText, Symmetry, align};
use epicene_lang::occupation::{JudgeMode, OccupationJudge, OccupationVerdict, Token};
use rayon::prelude::*;

use super::counts::Tag;
use super::items::{Items, Seen};
use super::options::{Pick, UnambiguousOptions};
use super::precomputed::{self, Aligned, Given};
use super::words::words;
use crate::{BenchError, JudgeRules, MeasureOptions};

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
    links: Alignments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Tags of a tagger.
    Given,
    /// The built-in judge, on links of a file or of the built-in aligner.
    Judge,
}

/// How the words of a translation are cut.
enum Words<'a> {
    Judge,
    /// One line of tokens for each item.
    Lines(Vec<&'a str>),
}

impl Column {
    fn text(&self, item: usize) -> Option<&str> {
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

fn at_line(file: &TextFile, item: usize, fault: String) -> BenchError {
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
        source: Source::Given,
        by_lexicon: 0,
        links: Alignments::default(),
    })
}

/// Whether a source word names the occupation (specification, 5.4), and not only the verb "cook".
fn is_occupation(seen: &Seen<'_>, word: &str, choices: &UnambiguousOptions) -> bool {
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
fn picked(tags: &[Tag], pick: Pick, head: impl FnOnce() -> Option<usize>) -> Tag {
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
fn cut(words: &[&str]) -> Vec<Token> {
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

/// Aligns and judges.
fn judged(
    items: &Items,
    column: &Column,
    given: Option<Given<'_>>,
    options: &MeasureOptions,
) -> Result<Tagged, BenchError> {
    let language = &column.language;
    let judge = OccupationJudge::for_language(language).ok_or_else(|| {
        BenchError::NotMeasurable(format!(
            "there is no judge for `{language}`; give tags with --input result:{language}=FILE"
        ))
    })?;
    let words = match given {
        Some(Given::Tokens { tokens, .. }) => Words::Lines(tokens.text.lines().collect()),
        _ => Words::Judge,
    };
    let links = match given {
        Some(Given::Tokens { links, .. }) => read_links(items, column, links, judge, Some(&words))?,
        Some(Given::Links(links)) => read_links(items, column, links, judge, None)?,
        _ => built_in_links(items, column, judge),
    };
    let verdicts: Vec<(Option<Tag>, bool)> = (0..items.len())
        .into_par_iter()
        .map(|item| match &column.answers[item] {
            Translation::Unanswered => (None, false),
            Translation::Missing => (Some(Tag::Unaligned), false),
            Translation::Text(text) => {
                let tokens = words.of(item, text, judge);
                let (tag, _, by_lexicon) = verdict(
                    &items.get(item),
                    text,
                    &tokens,
                    links.of(item),
                    judge,
                    options,
                );
                (Some(tag), by_lexicon)
            }
        })
        .collect();
    Ok(Tagged {
        by_lexicon: verdicts
            .iter()
            .filter(|(_, by_lexicon)| *by_lexicon)
            .count(),
        tags: verdicts.into_iter().map(|(tag, _)| tag).collect(),
        source: Source::Judge,
        links,
    })
}

impl Words<'_> {
    fn of(&self, item: usize, text: &str, judge: &OccupationJudge) -> Vec<Token> {
        match self {
            Words::Judge => judge.tokens(text),
            Words::Lines(lines) => {
                let words: Vec<&str> = lines[item].split_whitespace().collect();
                cut(&words)
            }
        }
    }
}

/// Links of the built-in aligner, learnt from all translations of the column.
fn built_in_links(items: &Items, column: &Column, judge: &OccupationJudge) -> Alignments {
    let mut text = ParallelText::default();
    for item in 0..items.len() {
        let source = items.get(item).text.to_lowercase();
        let target: Vec<String> = match column.text(item) {
            Some(translation) => judge
                .tokens(translation)
                .into_iter()
                .map(|token| token.text.to_lowercase())
                .collect(),
            None => Vec::new(),
        };
        text.push_words(source.split_whitespace(), target);
    }
    align(&text, Symmetry::GrowDiagFinalAnd)
}

/// Links of a file, leading to tokens: to those of `words`, or to what stands between spaces in the
/// translation and from there to the judge's own.
fn read_links(
    items: &Items,
    column: &Column,
    file: &TextFile,
    judge: &OccupationJudge,
    words: Option<&Words<'_>>,
) -> Result<Alignments, BenchError> {
    let mut alignments = Alignments::default();
    for (item, line) in file.text.lines().enumerate() {
        let Some(text) = column.text(item) else {
            alignments.push([]);
            continue;
        };
        let source = items.get(item).text.split_whitespace().count();
        let complain = |fault| at_line(file, item, fault);
        if let Some(words) = words {
            let target = words.of(item, text, judge).len();
            alignments.push(precomputed::within(line, source, target).map_err(complain)?);
            continue;
        }
        let spans = spans(text);
        let links = precomputed::within(line, source, spans.len()).map_err(complain)?;
        let tokens = judge.tokens(text);
        let mut led = Vec::new();
        for link in links {
            let (start, end) = spans[link.target as usize];
            let inside = tokens
                .iter()
                .enumerate()
                .filter(|(_, token)| token.start >= start && token.end <= end)
                .filter(|(_, token)| token.text.chars().any(char::is_alphanumeric));
            led.extend(inside.map(|(target, _)| Link::new(link.source as usize, target)));
        }
        alignments.push(led);
    }
    Ok(alignments)
}

/// What stands between spaces, in characters.
fn spans(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut start = None;
    let mut length = 0;
    for (place, letter) in text.chars().enumerate() {
        length = place + 1;
        match (letter.is_whitespace(), start) {
            (false, None) => start = Some(place),
            (true, Some(from)) => {
                spans.push((from, place));
                start = None;
            }
            _ => {}
        }
    }
    spans.extend(start.map(|from| (from, length)));
    spans
}

/// The judge's word on one translation; whether the lexicon had to find the occupation.
pub fn verdict(
    seen: &Seen<'_>,
    text: &str,
    tokens: &[Token],
    links: &[Link],
    judge: &OccupationJudge,
    options: &MeasureOptions,
) -> (Tag, Option<OccupationVerdict>, bool) {
    let mode = match options.judge {
        JudgeRules::Published => JudgeMode::Published,
        JudgeRules::Default => JudgeMode::Default,
    };
    // "Cook" the verb is the published rule's mistake; the default judge does not make it.
    let choices = UnambiguousOptions {
        labelled_only: options.unambiguous.labelled_only || mode == JudgeMode::Default,
        ..options.unambiguous
    };
    let source: Vec<&str> = seen.text.split_whitespace().collect();
    let mut wanted: Vec<usize> = (0..source.len())
        .filter(|place| is_occupation(seen, source[*place], &choices))
        .collect();
    if choices.labelled_only {
        wanted.truncate(1);
    }
    let mut positions: Vec<usize> = Vec::new();
    for place in &wanted {
        let mut targets: Vec<usize> = links
            .iter()
            .filter(|link| link.source as usize == *place)
            .map(|link| link.target as usize)
            .collect();
        targets.sort_unstable();
        positions.extend(targets);
    }
    let occupation = seen.occupation.unwrap_or("");
    let mut by_lexicon = false;
    if mode == JudgeMode::Published && wanted.len() <= 1 {
        let found = judge.find(tokens, occupation);
        if !found.is_empty() && !positions.iter().any(|place| found.contains(place)) {
            let near = |place: &usize| {
                let far = positions.iter().map(|other| other.abs_diff(*place)).min();
                far.unwrap_or(0)
            };
            positions = found.into_iter().min_by_key(near).into_iter().collect();
            by_lexicon = true;
        }
    }
    if positions.is_empty() && mode == JudgeMode::Published {
        return (Tag::Unaligned, None, by_lexicon);
    }
    let at = |places: &[usize]| judge.judge(text, tokens, places, occupation, mode);
    let place = match (mode, choices.pick) {
        (JudgeMode::Default, _) => None,
        (_, pick) => {
            let tags: Vec<Tag> = match pick {
                Pick::Majority | Pick::AnyGendered => positions
                    .iter()
                    .map(|place| Tag::of_verdict(at(&[*place]).gender))
                    .collect(),
                _ => Vec::new(),
            };
            Some(match pick {
                Pick::Last => positions.len() - 1,
                Pick::First => 0,
                Pick::HeadNoun => {
                    let found = judge.find(tokens, occupation);
                    let head = positions.iter().rposition(|place| found.contains(place));
                    head.unwrap_or(positions.len() - 1)
                }
                Pick::Majority | Pick::AnyGendered => {
                    let tag = picked(&tags, pick, || None);
                    tags.iter().rposition(|other| *other == tag).unwrap_or(0)
                }
            })
        }
    };
    let found = match place {
        Some(place) => at(&positions[place..=place]),
        None => at(&positions),
    };
    let tag = match (found.gender, found.rule) {
        (None, "not aligned") => Tag::Unaligned,
        (gender, _) => Tag::of_verdict(gender),
    };
    (tag, Some(found), by_lexicon)
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
        if self.source == Source::Given {
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
        let links = self.links.of(item);
        verdict(&items.get(item), text, &tokens, links, judge, options).1
    }
}
