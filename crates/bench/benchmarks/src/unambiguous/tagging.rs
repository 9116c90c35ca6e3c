//! Tags that somebody already has (specification, section 5): from files given for a language, or in place of the
//! translations themselves.

use epicene_core::{Finding, InputError, ItemRef, TextFile, Verdict};
use epicene_lang::occupation::{OccupationJudge, Token};
use rayon::prelude::*;

use super::judging::judged;
use super::options::{Pick, Picking};
use super::precomputed::{self, Aligned, KnownResults};
use super::sentences;
use super::words::words;
use crate::{BenchError, ColumnView, Options, Verdicts};

/// Judges every answered item of a column, by what is known of it.
pub fn judge(column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
    let items = column.items();
    let given = KnownResults::of(&options.inputs, column.language())?;
    if let Some(given) = &given {
        refuse_shared(column)?;
        given.check_lines(items.len())?;
    }
    let encoder = match given {
        Some(_) => None,
        None => column.encoder_links(options),
    };
    if let Some((links, aligner)) = encoder {
        let given = KnownResults::Links(links);
        given.check_lines(items.len())?;
        return judged(column, Some(given), aligner, options);
    }
    let picking = Picking::of(options);
    match given {
        Some(KnownResults::Results(file)) => {
            let lines: Vec<&str> = file.text.lines().collect();
            from_lines(column, |item| {
                precomputed::result(lines[item]).map_err(|fault| at_line(file, item, fault))
            })
        }
        Some(KnownResults::Aligned(file)) => {
            let lines: Vec<&str> = file.text.lines().collect();
            let verdicts = from_lines(column, |item| {
                let aligned = precomputed::aligned(lines[item]);
                let aligned = aligned.map_err(|fault| at_line(file, item, fault))?;
                Ok(decide(column, item, &aligned, picking))
            })?;
            Ok(on_given_links(verdicts, picking))
        }
        Some(KnownResults::Tagged {
            tokens,
            tags,
            links,
        }) => {
            let token_lines: Vec<&str> = tokens.text.lines().collect();
            let tag_lines: Vec<&str> = tags.text.lines().collect();
            let link_lines: Vec<&str> = links.text.lines().collect();
            let verdicts = from_lines(column, |item| {
                let source: Vec<&str> = items.get(item).text.split_whitespace().collect();
                let aligned = precomputed::tagged(
                    &source,
                    token_lines[item],
                    tag_lines[item],
                    link_lines[item],
                );
                let aligned = aligned.map_err(|fault| at_line(tags, item, fault))?;
                Ok(decide(column, item, &aligned, picking))
            })?;
            Ok(on_given_links(verdicts, picking))
        }
        None if all(column, |text| precomputed::result(text).is_ok()) => {
            from_lines(column, |item| match column.text(item) {
                Some(text) => Ok(precomputed::result(text).expect("every line was read before")),
                None => Ok(Finding::NoAnswer),
            })
        }
        None if all(column, |text| {
            text.is_empty() || precomputed::aligned(text).is_ok()
        }) =>
        {
            let verdicts = from_lines(column, |item| {
                let aligned = precomputed::aligned(column.text(item).unwrap_or(""));
                let aligned = aligned.expect("every line was read before");
                Ok(decide(column, item, &aligned, picking))
            })?;
            Ok(on_given_links(verdicts, picking))
        }
        given => judged(column, given, "given", options),
    }
}

/// Files of a language belong to one system's translations.
fn refuse_shared(column: &ColumnView<'_>) -> Result<(), BenchError> {
    let language = column.language();
    let others = column.table.columns.iter().enumerate();
    let mut others = others.filter(|(place, _)| *place != column.place);
    if others.any(|(_, other)| other.unit.language() == Some(language)) {
        return Err(BenchError::NotMeasurable(format!(
            "two systems translate into {language}, and the files given for {language} are of one of them; measure them one by one"
        )));
    }
    Ok(())
}

/// Whether all translations are something else: result tags, or lines of aligned words.
fn all(column: &ColumnView<'_>, holds: impl Fn(&str) -> bool) -> bool {
    let mut texts = (0..column.items().len()).filter_map(|item| column.text(item));
    let mut some = false;
    let all = texts.all(|text| {
        some = true;
        holds(text)
    });
    some && all
}

pub fn at_line(file: &TextFile, item: usize, fault: String) -> BenchError {
    InputError::new(&file.path, fault)
        .at_line(item as u64 + 1)
        .into()
}

/// The verdict of a tag.
fn of_tag(finding: Finding) -> Verdict {
    let rule = match finding {
        Finding::NotFound | Finding::NoAnswer => "not aligned",
        _ => "tag",
    };
    Verdict::new(finding, rule)
}

/// Tags from a function of the item, for answered items.
fn from_lines(
    column: &ColumnView<'_>,
    tag: impl Fn(usize) -> Result<Finding, BenchError> + Sync,
) -> Result<Verdicts, BenchError> {
    let answers = column.column().answers.par_iter().enumerate();
    let cells = answers.map(|(item, answer)| match answer {
        None => Ok(None),
        Some(_) => Ok(Some(of_tag(tag(item)?))),
    });
    let cells = cells.collect::<Result<_, BenchError>>()?;
    Ok(Verdicts::new(cells).by("judge", "given-tags"))
}

fn on_given_links(verdicts: Verdicts, picking: Picking) -> Verdicts {
    verdicts.by("aligner", "given").by("pick", picking.pick)
}

/// Whether a source word names the occupation (specification, 5.4), and not only the verb "cook".
pub fn is_occupation(occupation: Option<&str>, word: &str, picking: Picking) -> bool {
    let lowered;
    let word = if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        word
    } else {
        lowered = word.to_lowercase();
        &lowered
    };
    let listed = words().occupations.get(word);
    match occupation {
        Some(occupation) if word == occupation => true,
        Some(occupation) if picking.labelled_only => {
            listed.is_some_and(|singular| singular == occupation)
        }
        _ => listed.is_some(),
    }
}

/// The tag of a sentence from its aligned words.
fn decide(
    column: &ColumnView<'_>,
    item: usize,
    aligned: &[Aligned<'_>],
    picking: Picking,
) -> Finding {
    let item: ItemRef<'_> = column.items().get(item);
    let occupation = sentences::occupation(item);
    let mut candidates: Vec<&Aligned<'_>> = aligned
        .iter()
        .filter(|aligned| is_occupation(occupation, aligned.source, picking))
        .collect();
    if picking.labelled_only
        && let Some(first) = candidates.first().map(|first| first.source_place)
    {
        candidates.retain(|candidate| candidate.source_place == first);
    }
    let tags: Vec<Finding> = candidates.iter().map(|candidate| candidate.tag).collect();
    picked(&tags, picking.pick, || {
        let judge = OccupationJudge::of(column.language())?;
        let words: Vec<&str> = candidates
            .iter()
            .map(|candidate| candidate.target)
            .collect();
        judge.find(&cut(&words), occupation?).last().copied()
    })
}

/// One of the tags of several words; `head` finds the word that translates the occupation.
pub fn picked(tags: &[Finding], pick: Pick, head: impl FnOnce() -> Option<usize>) -> Finding {
    let last = tags.last().copied().unwrap_or(Finding::NotFound);
    match pick {
        Pick::Last => last,
        Pick::First => tags.first().copied().unwrap_or(Finding::NotFound),
        Pick::Majority => {
            let count = |tag: &Finding| tags.iter().filter(|other| *other == tag).count();
            let most = tags.iter().map(count).max();
            let winner = tags.iter().find(|tag| Some(count(tag)) == most);
            winner.copied().unwrap_or(Finding::NotFound)
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

/// Words as the judge wants them, where nobody knows the text they stand in.
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
