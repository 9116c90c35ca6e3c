//! CPS, SSS and StereoSet's filled blank: passes in which something is masked, those of all questions
//! packed together (MBE specification, sections 6.1, 6.2 and 6.5).

use std::ops::Range;

use epicene_core::{AnswerNotes, LikelihoodMethod, Query, Question, System, SystemError};

use crate::error::LmError;
use crate::likelihood::{PairSpans, cps, cps_positions, filled_blank, sss, sss_released};
use crate::model::TransformerModel;
use crate::model::reading::{Position, Read};

/// Masked tokens gathered before they are run.
const SLICE_TOKENS: usize = 65_536;
/// Where StereoSet's contexts leave a word out.
const BLANK: &str = "BLANK";

/// One likelihood of an answer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MaskedValue {
    pub(super) value: Option<f64>,
    pub(super) notes: AnswerNotes,
}

/// How the log-probabilities of a sentence's passes become its likelihood.
#[derive(Debug, Clone, Copy)]
enum Fold {
    Cps,
    Sss,
    /// With the number of masked positions.
    SssReleased(usize),
    /// Mean of the probabilities of a word's parts.
    Blank,
}

/// The passes behind one likelihood.
struct Job {
    query: usize,
    reads: Range<usize>,
    fold: Fold,
    notes: AnswerNotes,
}

/// Passes waiting to be run, and what they are for.
#[derive(Default)]
struct Waiting {
    reads: Vec<Read>,
    jobs: Vec<Job>,
    tokens: usize,
}

impl Waiting {
    fn push(&mut self, query: usize, fold: Fold, notes: AnswerNotes, reads: Vec<Read>) {
        let first = self.reads.len();
        self.tokens += reads.iter().map(|read| read.ids.len()).sum::<usize>();
        self.reads.extend(reads);
        self.jobs.push(Job {
            query,
            reads: first..self.reads.len(),
            fold,
            notes,
        });
    }
}

impl TransformerModel {
    /// For every question the likelihoods that need masks, in the order of its texts.
    pub(super) fn read_masked(
        &self,
        batch: &[Query<'_>],
    ) -> Result<Vec<Vec<MaskedValue>>, SystemError> {
        let mut found = vec![Vec::new(); batch.len()];
        let mut waiting = Waiting::default();
        for (index, query) in batch.iter().enumerate() {
            let added = match &query.question {
                Question::Likelihood { texts, method } if method.needs_pair() => {
                    match texts.as_slice() {
                        [first, second] => {
                            self.add_pair(index, [first, second], *method, &mut waiting)
                        }
                        _ => Err(self.cannot(&query.question)),
                    }
                }
                Question::FilledBlank { context, words } => {
                    self.add_blank(index, context, words, &mut waiting)
                }
                _ => Ok(()),
            };
            added.map_err(|error| error.about(index))?;
            if waiting.tokens >= SLICE_TOKENS {
                self.run_masked(std::mem::take(&mut waiting), &mut found)?;
            }
        }
        self.run_masked(waiting, &mut found)?;
        Ok(found)
    }

    fn run_masked(&self, waiting: Waiting, found: &mut [Vec<MaskedValue>]) -> Result<(), LmError> {
        if waiting.jobs.is_empty() {
            return Ok(());
        }
        let positions = self.read_positions(&waiting.reads.iter().collect::<Vec<_>>())?;
        for job in waiting.jobs {
            let read = &waiting.reads[job.reads.clone()];
            let value = value(read, &positions[job.reads.clone()], job.fold, job.notes);
            found[job.query].push(value);
        }
        Ok(())
    }

    fn mask(&self) -> Result<u32, LmError> {
        self.tokenizer().mask().ok_or_else(|| LmError::NoMask {
            system: self.card().name.clone(),
        })
    }

    fn add_pair(
        &self,
        query: usize,
        texts: [&str; 2],
        method: LikelihoodMethod,
        waiting: &mut Waiting,
    ) -> Result<(), LmError> {
        let mask = self.mask()?;
        let [first, second] = texts.map(|text| self.encode_sentence(text));
        let sides = [first?, second?];
        let spans = PairSpans::of(&sides[0].ids, &sides[1].ids);
        for (side, encoded) in sides.iter().enumerate() {
            let ids = &encoded.ids;
            let modified = &spans.modified[side];
            let (fold, reads) = match method {
                LikelihoodMethod::Cps => {
                    let positions = cps_positions(&spans.shared[side]).iter();
                    let read = |position: &usize| one_masked(ids, *position, mask);
                    (Fold::Cps, positions.map(read).collect())
                }
                LikelihoodMethod::SssReleased => (
                    Fold::SssReleased(modified.len()),
                    all_masked(ids, modified, mask, true),
                ),
                _ => (Fold::Sss, all_masked(ids, modified, mask, false)),
            };
            waiting.push(query, fold, encoded.notes(), reads);
        }
        Ok(())
    }

    /// StereoSet's own way: the word's parts from left to right, each masked after those before it.
    fn add_blank(
        &self,
        query: usize,
        context: &str,
        words: &[String],
        waiting: &mut Waiting,
    ) -> Result<(), LmError> {
        let mask = self.mask()?;
        let tokenizer = self.tokenizer();
        let written = tokenizer
            .mask_text()
            .expect("a tokenizer with a mask writes it");
        let (before, after) = context.split_once(BLANK).unwrap_or((context, ""));
        // A mask of the context itself is not the one that is scored.
        let ours = before.matches(&written).count();
        for word in words {
            let parts = tokenizer.parts(word)?;
            let mut reads = Vec::with_capacity(parts.len());
            let mut notes = AnswerNotes::default();
            for (place, part) in parts.iter().enumerate() {
                let so_far = tokenizer.decode(&parts[..place])?;
                let encoded = self.encode_sentence(&format!("{before}{so_far}{written}{after}"))?;
                notes.cut |= u64::from(encoded.cut);
                let masks = encoded.ids.iter().enumerate();
                let mut masks = masks.filter(|(_, id)| **id == mask);
                if let Some((position, _)) = masks.nth(ours) {
                    reads.push(Read {
                        at: vec![(position, vec![*part])],
                        ids: encoded.ids,
                    });
                }
            }
            // A word whose mask was cut off has no likelihood.
            if reads.len() < parts.len() {
                reads.clear();
            }
            waiting.push(query, Fold::Blank, notes, reads);
        }
        Ok(())
    }
}

/// The pass in which one position is masked.
fn one_masked(ids: &[u32], position: usize, mask: u32) -> Read {
    let mut masked = ids.to_vec();
    masked[position] = mask;
    Read {
        ids: masked,
        at: vec![(position, vec![ids[position]])],
    }
}

/// The pass in which all positions are masked: of each its own token is looked up, or (`square`) at
/// every position all of them. None where nothing is masked.
fn all_masked(ids: &[u32], positions: &[usize], mask: u32, square: bool) -> Vec<Read> {
    if positions.is_empty() {
        return Vec::new();
    }
    let mut masked = ids.to_vec();
    for &position in positions {
        masked[position] = mask;
    }
    let gold: Vec<u32> = positions.iter().map(|&position| ids[position]).collect();
    let at = positions.iter().zip(&gold).map(|(position, own)| {
        let tokens = if square { gold.clone() } else { vec![*own] };
        (*position, tokens)
    });
    vec![Read {
        at: at.collect(),
        ids: masked,
    }]
}

fn value(
    reads: &[Read],
    found: &[Vec<Position>],
    fold: Fold,
    mut notes: AnswerNotes,
) -> MaskedValue {
    let positions: Vec<&Position> = found.iter().flatten().collect();
    let asked = reads.iter().flat_map(|read| &read.at);
    for (place, ((_, tokens), position)) in asked.zip(&positions).enumerate() {
        // In the square form the token that stood at a position is the one on the diagonal.
        let own = match fold {
            Fold::SssReleased(_) => tokens.get(place),
            Fold::Cps | Fold::Sss | Fold::Blank => tokens.first(),
        };
        if let (Some(own), Some(likeliest)) = (own, position.likeliest) {
            notes.scored += 1;
            notes.first += u64::from(*own == likeliest);
        }
    }
    let numbers: Vec<f64> = positions
        .iter()
        .flat_map(|position| &position.values)
        .copied()
        .collect();
    let value = match fold {
        Fold::Cps => Some(cps(&numbers)),
        Fold::Sss => sss(&numbers),
        Fold::SssReleased(k) => sss_released(&numbers, k),
        Fold::Blank => filled_blank(&numbers),
    };
    MaskedValue { value, notes }
}
