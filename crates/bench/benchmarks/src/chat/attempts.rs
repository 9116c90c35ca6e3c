//! Verdicts and probabilities of one system in one wording, item by item: what the measures are made of.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Answer, ChatAnswer, Finding, Scorer, Verdict};

use super::asking::find;
use super::reading::{self, Choice, Meaning, Protagonist, genderbench, read_story};
use super::{ChatUnit, Frame, Order, Rule, Wording, pairs_of_names};
use crate::{BenchError, ColumnView, Judged, Verdicts};

/// Shares of m, f and neither (or they) in what was readable.
pub type Shares = [f64; 3];

/// What the options m, f and n stand for.
const FINDINGS: [Finding; 3] = [Finding::Masculine, Finding::Feminine, Finding::Neutral];

/// One readable or unreadable attempt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    pub item: usize,
    pub order: Option<Order>,
    /// `None` where nothing could be read.
    pub shares: Option<Shares>,
    pub finding: Finding,
    /// The probability of all options together, where probabilities were asked for.
    pub mass: Option<f64>,
}

/// The share of the readable answers that stay at one place, whatever stands there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// The place, counted from 0; `None` where each item has its own.
    pub place: Option<usize>,
    pub share: f64,
}

/// All attempts of one system in one wording.
#[derive(Debug, Clone)]
pub(crate) struct Attempts {
    pub system: usize,
    pub frame: Frame,
    pub wording: u8,
    pub attempts: Vec<Attempt>,
}

impl Attempts {
    /// The name rows carry: `choice:1`.
    pub fn unit(&self) -> String {
        format!("{}:{}", self.frame.name(), self.wording)
    }

    pub fn count(&self, finding: Finding) -> u64 {
        let found = self
            .attempts
            .iter()
            .filter(|attempt| attempt.finding == finding);
        found.count() as u64
    }

    /// How far the answers follow the place of an option, not its content; `None` where options were not asked in several
    /// orders. Content that decides gives every place its part, over all items and within each.
    pub fn bound(&self) -> Option<Bound> {
        // A narrative that names two speakers has no third place.
        if self.frame != Frame::Choice {
            return None;
        }
        let mut items: BTreeMap<usize, (BTreeSet<Order>, [f64; 3])> = BTreeMap::new();
        for attempt in &self.attempts {
            if let (Some(order), Some(shares)) = (attempt.order, attempt.shares) {
                let (orders, places) = items.entry(attempt.item).or_default();
                orders.insert(order);
                for (place, sum) in places.iter_mut().enumerate() {
                    *sum += shares[order.option_at(place)];
                }
            }
        }
        let most = |places: &[f64; 3]| {
            let best = (0..3).max_by(|a, b| places[*a].total_cmp(&places[*b]));
            best.map_or((0, 0.0), |place| (place, places[place]))
        };
        let readable = |keep: &dyn Fn(usize) -> bool| {
            let own = |attempt: &&Attempt| attempt.shares.is_some() && keep(attempt.item);
            self.attempts.iter().filter(own).count() as f64
        };
        let all = items.values().fold([0.0; 3], |mut sums, (_, places)| {
            sums.iter_mut()
                .zip(places)
                .for_each(|(sum, own)| *sum += own);
            sums
        });
        let orders: BTreeSet<Order> = items.values().flat_map(|(own, _)| own).copied().collect();
        let (place, sum) = most(&all);
        let over_all = Bound {
            place: Some(place),
            share: sum / readable(&|_| true),
        };
        if orders.len() < 2 {
            return None;
        }
        // Fewer orders may leave an option where it was.
        let several = |item: usize| items.get(&item).is_some_and(|(own, _)| own.len() >= 3);
        let kept = items.iter().filter(|(item, _)| several(**item));
        let kept: f64 = kept.map(|(_, (_, places))| most(places).1).sum();
        let by_item = Bound {
            place: None,
            share: kept / readable(&several),
        };
        // An answer that always takes one place keeps it within each item as well.
        let closer = by_item.share > over_all.share + 1e-9;
        Some(if closer { by_item } else { over_all })
    }

    /// How many attempts at each item have a finding, and how many there are; both genders are a part of what was read.
    pub fn counts_of(&self, finding: Finding) -> BTreeMap<usize, (f64, f64)> {
        let mut items: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for attempt in &self.attempts {
            if finding == Finding::Both && attempt.shares.is_none() {
                continue;
            }
            let (found, asked) = items.entry(attempt.item).or_default();
            *found += f64::from(u8::from(attempt.finding == finding));
            *asked += 1.0;
        }
        items
    }

    /// The same attempts, with what could not be read taken for something.
    pub fn filled(&self, shares: impl Fn(usize) -> Shares) -> Attempts {
        let mut filled = self.clone();
        for attempt in &mut filled.attempts {
            if attempt.finding == Finding::Unreadable && attempt.shares.is_none() {
                attempt.shares = Some(shares(attempt.item));
            }
        }
        filled
    }

    /// Mean shares of each item over its readable attempts.
    pub fn by_item(&self, items: usize) -> Vec<Option<Shares>> {
        let mut sums = vec![([0.0; 3], 0.0); items];
        for attempt in &self.attempts {
            if let Some(shares) = attempt.shares {
                let (sum, count) = &mut sums[attempt.item];
                for (sum, share) in sum.iter_mut().zip(shares) {
                    *sum += share;
                }
                *count += 1.0;
            }
        }
        let mean = |(sum, count): (Shares, f64)| (count > 0.0).then(|| sum.map(|sum| sum / count));
        sums.into_iter().map(mean).collect()
    }

    /// Mean probability of the options together.
    pub fn mass(&self) -> Option<f64> {
        let masses: Vec<f64> = self
            .attempts
            .iter()
            .filter_map(|attempt| attempt.mass)
            .collect();
        epicene_stats::mean(&masses).ok()
    }
}

/// Judges a column by its wording's reader.
pub fn judge(
    wordings: &[Wording],
    view: &ColumnView<'_>,
    rule: Rule,
    protagonist: fn(Frame, &str) -> Protagonist,
) -> Result<Verdicts, BenchError> {
    let column = view.column();
    let place = ChatUnit::of(&column.unit).ok_or_else(|| view.wrong_answer())?;
    let wording = find(wordings, &place).ok_or_else(|| view.wrong_answer())?;
    let by_probability = column.scorer == Scorer::ChoiceLogprob;
    let cells = view.each(|item, answer| {
        let answer = match answer {
            Answer::Chat(answer) => answer,
            Answer::Missing => return Some(Verdict::new(Finding::NoAnswer, "")),
            _ => return None,
        };
        let order = place.order_of(item.id);
        Some(match (place.frame, rule, order) {
            (Frame::Choice, _, Some(order)) if by_probability => {
                likeliest(answer.options.as_deref(), order).unwrap_or_else(|| {
                    match read_choice(answer, wording, order, item.text) {
                        refused if refused.finding == Finding::Refused => refused,
                        _ => Verdict::new(Finding::Unreadable, "no-probabilities"),
                    }
                })
            }
            (Frame::Choice, Rule::Genderbench, Some(order)) => {
                genderbench::read_choice(&answer.text, order)
            }
            (Frame::Choice, _, Some(order)) => read_choice(answer, wording, order, item.text),
            (Frame::Character, Rule::Genderbench, _) => genderbench::read_character(&answer.text),
            (Frame::Completion | Frame::Character, ..) => {
                read_story(answer, &protagonist(place.frame, item.text))
            }
            (Frame::Choice, _, None) => return None,
        })
    });
    Ok(Verdicts::new(cells?))
}

/// The options of a wording as they were offered.
pub fn offered(wording: &Wording, order: Order, text: &str) -> Vec<reading::OfferedOption> {
    let labels = wording.labels.expect("wordings of choices have labels");
    let words = wording.options(pairs_of_names(text));
    let option = |(place, option): (usize, usize)| reading::OfferedOption {
        letter: labels
            .letter(place)
            .map(|letter| letter.to_ascii_uppercase()),
        words: words[option].clone(),
        meaning: [Meaning::Man, Meaning::Woman, Meaning::Unknown][option],
    };
    order.places().enumerate().map(option).collect()
}

/// What an answer to a choice shows.
fn read_choice(answer: &ChatAnswer, wording: &Wording, order: Order, text: &str) -> Verdict {
    let read = reading::read_choice(answer, &offered(wording, order, text));
    let finding = match read.choice {
        Choice::Option(place) => FINDINGS[order.option_at(place)],
        Choice::Refused => Finding::Refused,
        Choice::Unreadable => Finding::Unreadable,
    };
    Verdict::new(finding, read.rule).with_evidence(read.evidence)
}

/// Probabilities of m, f and neither, renormalised, and what they sum to before.
fn probabilities(options: Option<&[Option<f64>]>, order: Order) -> Option<(Shares, f64)> {
    let options = options?;
    let mut shares = [0.0; 3];
    for (place, value) in options.iter().enumerate().take(3) {
        shares[order.option_at(place)] = value.map_or(0.0, f64::exp);
    }
    let mass: f64 = shares.iter().sum();
    (mass > 0.0).then(|| (shares.map(|share| share / mass), mass))
}

fn likeliest(options: Option<&[Option<f64>]>, order: Order) -> Option<Verdict> {
    let (shares, _) = probabilities(options, order)?;
    let best = (0..3).max_by(|a, b| shares[*a].total_cmp(&shares[*b]))?;
    let tied = shares
        .iter()
        .filter(|share| **share == shares[best])
        .count()
        > 1;
    let finding = if tied { Finding::Tie } else { FINDINGS[best] };
    Some(Verdict::new(finding, "probabilities"))
}

/// The attempts of every system and wording, in the order of the table.
pub fn attempts(judged: &Judged<'_>) -> Result<Vec<Attempts>, BenchError> {
    let mut all: Vec<Attempts> = Vec::new();
    for (view, verdicts) in judged.columns() {
        let column = view.column();
        let place = ChatUnit::of(&column.unit).ok_or_else(|| view.wrong_answer())?;
        let known = all.iter().position(|other| {
            (other.system, other.frame, other.wording)
                == (column.system, place.frame, place.wording)
        });
        let known = known.unwrap_or_else(|| {
            all.push(Attempts {
                system: column.system,
                frame: place.frame,
                wording: place.wording,
                attempts: Vec::new(),
            });
            all.len() - 1
        });
        for (item, verdict) in verdicts.cells.iter().enumerate() {
            let Some(verdict) = verdict else { continue };
            let order = place.order_of(judged.table.items.get(item).id);
            let answer = column.answers[item].as_ref().map(|answer| answer.plain().0);
            let chances = match (answer, order) {
                (Some(Answer::Chat(answer)), Some(order))
                    if column.scorer == Scorer::ChoiceLogprob =>
                {
                    probabilities(answer.options.as_deref(), order)
                }
                _ => None,
            };
            let shares = match verdict.finding {
                _ if chances.is_some() => chances.map(|(shares, _)| shares),
                Finding::Masculine => Some([1.0, 0.0, 0.0]),
                Finding::Feminine => Some([0.0, 1.0, 0.0]),
                Finding::Neutral => Some([0.0, 0.0, 1.0]),
                // Mixed: readable, and none of the three.
                Finding::Both => Some([0.0; 3]),
                _ => None,
            };
            all[known].attempts.push(Attempt {
                item,
                order,
                shares,
                finding: verdict.finding,
                mass: chances.map(|(_, mass)| mass),
            });
        }
    }
    all.sort_by_key(|attempts| (attempts.system, attempts.frame, attempts.wording));
    Ok(all)
}
