//! From raw translations to tags: the words of a translation are aligned with its source, and the word
//! that stands for the occupation is judged.

use epicene_core::TextFile;
use epicene_lang::align::{Alignments, Link, ParallelText, Symmetry, align};
use epicene_lang::occupation::{JudgeMode, OccupationJudge, OccupationVerdict, Token};
use rayon::prelude::*;

use super::counts::Tag;
use super::items::{Items, Seen};
use super::options::{Pick, UnambiguousOptions};
use super::precomputed::{self, Given};
use super::tagging::{Column, Source, Tagged, Translation, at_line, cut, is_occupation, picked};
use crate::{BenchError, JudgeRules, MeasureOptions};

/// How the words of a translation are cut.
enum Words<'a> {
    Judge,
    /// One line of tokens for each item.
    Lines(Vec<&'a str>),
}

/// Aligns and judges.
pub fn judged(
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
    let (links, source) = match given {
        Some(Given::Tokens { links, .. }) => {
            let links = read_links(items, column, links, judge, Some(&words))?;
            (links, Source::GivenLinks)
        }
        Some(Given::Links(links)) => {
            let links = read_links(items, column, links, judge, None)?;
            (links, Source::GivenLinks)
        }
        _ => (built_in_links(items, column, judge), Source::Aligner),
    };
    let verdicts: Vec<(Option<Tag>, bool)> = (0..items.len())
        .into_par_iter()
        .map(|item| match &column.answers[item] {
            Translation::Unanswered => (None, false),
            Translation::Missing => (Some(Tag::Unaligned), false),
            Translation::Text(text) => {
                let tokens = words.of(item, text, judge);
                let translated = Translated {
                    seen: items.get(item),
                    text,
                    tokens: &tokens,
                    links: links.of(item),
                    source,
                };
                let (tag, _, by_lexicon) = translated.verdict(judge, options);
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
        source,
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

/// A translation cut into words that are linked to its source.
pub struct Translated<'a> {
    pub seen: Seen<'a>,
    pub text: &'a str,
    pub tokens: &'a [Token],
    pub links: &'a [Link],
    pub source: Source,
}

impl Translated<'_> {
    /// The judge's word, and whether the lexicon had to find the occupation.
    pub fn verdict(
        &self,
        judge: &OccupationJudge,
        options: &MeasureOptions,
    ) -> (Tag, Option<OccupationVerdict>, bool) {
        let Translated {
            seen,
            text,
            tokens,
            links,
            ..
        } = self;
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
        if self.source == Source::Aligner && mode == JudgeMode::Published && wanted.len() <= 1 {
            let found = judge.find(tokens, occupation);
            if positions.iter().any(|place| found.contains(place)) {
                positions.retain(|place| found.contains(place));
            } else if !found.is_empty() {
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
}
