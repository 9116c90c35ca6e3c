//! From raw translations to tags: the words of a translation are aligned with its source, and the word
//! that stands for the occupation is judged.

use epicene_core::{Finding, TextFile, Verdict};
use epicene_lang::align::{Alignments, Link, ParallelText, Symmetry, align};
use epicene_lang::occupation::{JudgeMode, OccupationJudge, Token};
use epicene_lang::person::PersonPair;
use epicene_lang::words;
use rayon::prelude::*;

use super::options::{Pick, Picking};
use super::precomputed::{self, KnownResults};
use super::sentences;
use super::tagging::{at_line, cut, is_occupation, picked};
use crate::options::{DETECTOR, DetectorRules};
use crate::person_lexicon::{LEXICON, rests_on, signed_links, with_lexicon};
use crate::{BenchError, ColumnView, Options, Verdicts};

/// Count of a column: occupations found by the lexicon where the aligner had led astray.
pub const FOUND_BY_LEXICON: &str = "found_by_lexicon";

/// How the words of a translation are cut.
enum Words<'a> {
    Judge,
    /// One line of tokens for each item.
    Lines(Vec<&'a str>),
}

/// The words of a translation.
struct Cut {
    tokens: Vec<Token>,
    /// Whether they were found in the translation, so that they can be shown there.
    placed: bool,
}

/// Aligns and judges. `linked_by` names whoever made the links of `given`.
pub fn judged(
    column: &ColumnView<'_>,
    given: Option<KnownResults<'_>>,
    linked_by: &str,
    options: &Options,
) -> Result<Verdicts, BenchError> {
    let language = column.language();
    let judge = OccupationJudge::of(language).ok_or_else(|| {
        BenchError::NotMeasurable(format!(
            "no occupation detector for `{language}`; give tags with --input result:{language}=FILE"
        ))
    })?;
    let mode = match options.get(&DETECTOR) {
        DetectorRules::Published => JudgeMode::Published,
        DetectorRules::Epicene => JudgeMode::Default,
    };
    let own = match (mode, column.input(LEXICON, options)) {
        (JudgeMode::Default, Some(file)) => Some(with_lexicon(judge, file)?),
        _ => None,
    };
    let judge = own.as_ref().unwrap_or(judge);
    let words = match given {
        Some(KnownResults::Tokens { tokens, .. }) => Words::Lines(tokens.text.lines().collect()),
        _ => Words::Judge,
    };
    let (links, by_aligner) = match given {
        Some(KnownResults::Tokens { links, .. }) => {
            (read_links(column, links, judge, Some(&words))?, false)
        }
        Some(KnownResults::Links(links)) => (read_links(column, links, judge, None)?, false),
        _ if mode == JudgeMode::Default => (person_links(column, judge), true),
        _ => (built_in_links(column, judge), true),
    };
    let picking = Picking::of(options);
    let answers = column.column().answers.par_iter().enumerate();
    let cells: Vec<(Option<Verdict>, bool)> = answers
        .map(|(item, answer)| {
            if answer.is_none() {
                return (None, false);
            }
            let Some(text) = column.text(item) else {
                let missing = Verdict::new(Finding::NoAnswer, "not aligned");
                return (Some(missing), false);
            };
            let cut = words.of(item, text, judge);
            let occupation = sentences::occupation(column.items().get(item));
            let translated = Translated {
                source: column.items().get(item).text,
                occupation,
                text,
                tokens: &cut.tokens,
                links: links.of(item),
                by_aligner,
            };
            let (mut verdict, by_lexicon) = translated.verdict(judge, mode, picking);
            if !cut.placed {
                verdict.evidence = Box::default();
            }
            (Some(verdict), by_lexicon)
        })
        .collect();
    let by_lexicon = cells.iter().filter(|(_, by_lexicon)| *by_lexicon).count();
    // Of given links the lexicon is asked by the default judge alone.
    let linked_by = signed_links(linked_by, by_lexicon == 0);
    let verdicts = Verdicts::new(cells.into_iter().map(|(verdict, _)| verdict).collect());
    let mut verdicts = verdicts.by("judge", format!("occupation-{}", options.get(&DETECTOR)));
    verdicts = match (by_aligner, mode) {
        (true, JudgeMode::Published) => verdicts.by("aligner", "fast_align-grow-diag-final-and"),
        (true, JudgeMode::Default) => verdicts.by("aligner", "person-links"),
        (false, _) => verdicts.by("aligner", linked_by),
    };
    if mode == JudgeMode::Published {
        verdicts = verdicts.by("pick", picking.pick);
    }
    if by_aligner {
        verdicts.counts.insert(FOUND_BY_LEXICON, by_lexicon as u64);
    }
    Ok(verdicts)
}

impl Words<'_> {
    fn of(&self, item: usize, text: &str, judge: &OccupationJudge) -> Cut {
        match self {
            Words::Judge => Cut {
                tokens: judge.tokens(text),
                placed: true,
            },
            Words::Lines(lines) => {
                let words: Vec<&str> = lines[item].split_whitespace().collect();
                let found = located(text, &words);
                Cut {
                    placed: found.is_some(),
                    tokens: found.unwrap_or_else(|| cut(&words)),
                }
            }
        }
    }
}

/// Words found in a text one after the other; `None` where one of them is not there.
fn located(text: &str, words: &[&str]) -> Option<Vec<Token>> {
    let (mut byte, mut start) = (0, 0);
    let mut tokens = Vec::with_capacity(words.len());
    for word in words {
        let skipped = text[byte..].find(word)?;
        start += text[byte..byte + skipped].chars().count();
        let end = start + word.chars().count();
        tokens.push(Token {
            text: (*word).to_owned(),
            start,
            end,
        });
        byte += skipped + word.len();
        start = end;
    }
    Some(tokens)
}

/// Links of the built-in aligner, learnt from all translations of the column.
fn built_in_links(column: &ColumnView<'_>, judge: &OccupationJudge) -> Alignments {
    let items = column.items();
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

/// Links of the judge's own: from the occupation's place to the word that names the person.
fn person_links(column: &ColumnView<'_>, judge: &OccupationJudge) -> Alignments {
    let items = column.items();
    // What has no occupation, or no translation, is linked to nothing and teaches nothing.
    let pair = |number: usize| {
        let item = items.get(number);
        let noun = sentences::occupation(item)?;
        let wanted = |word: &str| is_occupation(Some(noun), word, LABELLED);
        Some(PersonPair {
            source: item.text,
            index: item.text.split_whitespace().position(wanted)?,
            noun,
            translation: column.text(number)?,
        })
    };
    // There are millions of items: each pair is there once.
    let (places, found): (Vec<usize>, Vec<PersonPair<'_>>) = (0..items.len())
        .filter_map(|number| Some((number, pair(number)?)))
        .unzip();
    let linked = judge.link_persons(&found);
    let mut linked = places.into_iter().zip(found.iter().zip(&linked)).peekable();
    let mut alignments = Alignments::default();
    for number in 0..items.len() {
        let own = linked.next_if(|(place, _)| *place == number);
        let links = own.map(|(_, (pair, places))| {
            let to = places.iter();
            to.map(|place| Link::new(pair.index, *place))
        });
        alignments.push(links.into_iter().flatten());
    }
    alignments
}

/// The default judge looks for the labelled occupation only.
const LABELLED: Picking = Picking {
    pick: Pick::Last,
    labelled_only: true,
};

/// Links of a file, leading to tokens: to those of `words`, or to what stands between spaces in the
/// translation and from there to the judge's own.
fn read_links(
    column: &ColumnView<'_>,
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
        let source = column.items().get(item).text.split_whitespace().count();
        let complain = |fault| at_line(file, item, fault);
        if let Some(words) = words {
            let target = words.of(item, text, judge).tokens.len();
            alignments.push(precomputed::within(line, source, target).map_err(complain)?);
            continue;
        }
        let spans = words::spans(text);
        let links = precomputed::within(line, source, spans.len()).map_err(complain)?;
        let tokens = judge.tokens(text);
        let mut led = Vec::new();
        for link in links {
            let span = spans[link.target as usize];
            let (start, end) = (span.start as usize, span.end as usize);
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

/// A translation cut into words that are linked to its source.
struct Translated<'a> {
    source: &'a str,
    occupation: Option<&'a str>,
    text: &'a str,
    tokens: &'a [Token],
    links: &'a [Link],
    /// Links of the built-in aligner. A statistical aligner errs on short, repetitive sentences; where the lexicon finds
    /// the occupation, it is believed. Links of a file are taken as they are by the published rules; the default judge
    /// takes a translation of the noun nearby where they lead elsewhere, and the signature says so.
    by_aligner: bool,
}

impl Translated<'_> {
    /// The judge's word, and whether the lexicon had to find the occupation.
    fn verdict(
        &self,
        judge: &OccupationJudge,
        mode: JudgeMode,
        picking: Picking,
    ) -> (Verdict, bool) {
        let Translated {
            text,
            tokens,
            links,
            ..
        } = self;
        // "Cook" the verb is the published rule's mistake; the default judge does not make it.
        let picking = Picking {
            labelled_only: picking.labelled_only || mode == JudgeMode::Default,
            ..picking
        };
        let source: Vec<&str> = self.source.split_whitespace().collect();
        let mut wanted: Vec<usize> = (0..source.len())
            .filter(|place| is_occupation(self.occupation, source[*place], picking))
            .collect();
        if picking.labelled_only {
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
        let occupation = self.occupation.unwrap_or("");
        let mut by_lexicon = false;
        if self.by_aligner && mode == JudgeMode::Published && wanted.len() <= 1 {
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
            return (Verdict::new(Finding::NotFound, "not aligned"), by_lexicon);
        }
        let at =
            |places: &[usize]| -> Verdict { judge.judge(text, tokens, places, occupation, mode) };
        let place = match (mode, picking.pick) {
            (JudgeMode::Default, _) => None,
            (_, pick) => {
                // Of a word by itself only its gender counts, whatever it is linked to.
                let tags: Vec<Finding> = match pick {
                    Pick::Majority | Pick::AnyGendered => positions
                        .iter()
                        .map(|place| match at(&[*place]).finding {
                            Finding::NotFound => Finding::Unmarked,
                            finding => finding,
                        })
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
                        let place = tags.iter().rposition(|other| *other == tag);
                        place.expect("one of the tags is picked")
                    }
                })
            }
        };
        let verdict = match place {
            Some(place) => at(&positions[place..=place]),
            None => at(&positions),
        };
        if mode == JudgeMode::Default && !self.by_aligner {
            by_lexicon = !rests_on(&verdict, tokens, &positions);
        }
        (verdict, by_lexicon)
    }
}

#[cfg(test)]
mod tests {
    use epicene_core::{Answer, AnswerTable, Item, Items, Language, ModelKind, SystemCard, Unit};

    use super::*;

    /// A sentence without its occupation is linked to nothing, not to its first word.
    #[test]
    fn who_is_not_named_is_not_linked() {
        let named = |id: &str, text: &str| Item::new(id, text).with_label("occupation", "doctor");
        let items = [
            named("a", "The doctor slept ."),
            named("b", "The woman slept ."),
            named("c", "The doctor sang ."),
        ];
        let items: Items = items.iter().collect();
        let system = SystemCard {
            name: "m".to_owned(),
            source: String::new(),
            revision: None,
            dtype: None,
            tokenizer: None,
            kind: ModelKind::Translator,
        };
        let german = Language::find("de").expect("a language");
        let unit = Unit::into_language(german);
        let columns = [(0, unit, epicene_core::Scorer::Translate)];
        let mut table = AnswerTable::new(items, vec![system], columns);
        for (item, text) in [
            "Die Ärztin schlief .",
            "Die Ärztin schlief .",
            "Die Ärztin sang .",
        ]
        .into_iter()
        .enumerate()
        {
            table.put(item, 0, Answer::Translation(text.to_owned()));
        }
        let column = ColumnView {
            table: &table,
            place: 0,
        };
        let judge = OccupationJudge::of(german).expect("a judge");
        let links = person_links(&column, judge);
        let of = |item: usize| links.of(item).to_vec();
        assert_eq!(of(0), [Link::new(1, 1)]);
        assert_eq!(of(1), []);
        assert_eq!(of(2), [Link::new(1, 1)]);
    }
}
