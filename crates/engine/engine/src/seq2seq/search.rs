//! Greedy and beam search for one sentence, step for step as `transformers` 4.57 does them
//! (`GenerationMixin._beam_search`), scores in single precision.
//!
//! A sentence's search knows nothing of the batch it runs in: it is told the best continuations of its beams and
//! says which beams go on.

use super::generation::{EarlyStopping, Generation};

/// A hypothesis that is still being written.
#[derive(Debug, Clone, PartialEq)]
pub struct Beam {
    /// From the decoder's first token on.
    pub ids: Vec<u32>,
    /// Sum of log-probabilities.
    pub score: f32,
}

/// A hypothesis that is complete.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    pub ids: Vec<u32>,
    /// Sum of log-probabilities over length to the power of the length penalty.
    pub score: f32,
}

/// A continuation of one of the beams.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    pub beam: usize,
    pub token: u32,
    /// Log-probability of the token, after everything that forbids or favours tokens.
    pub log_probability: f32,
}

#[derive(Debug)]
pub struct Search {
    beams: Vec<Beam>,
    finished: Vec<Finished>,
    done: bool,
}

impl Search {
    pub fn new(generation: &Generation) -> Search {
        Search {
            beams: vec![Beam {
                ids: vec![generation.start],
                score: 0.0,
            }],
            finished: Vec::new(),
            done: false,
        }
    }

    /// The hypotheses to continue.
    pub fn beams(&self) -> &[Beam] {
        &self.beams
    }

    pub fn is_done(&self) -> bool {
        self.done
    }

    /// How many of the best continuations of each beam matter.
    pub fn wanted(generation: &Generation) -> usize {
        match generation.beams {
            1 => 1,
            beams => beams * (1 + generation.bans.ends.len()).max(2),
        }
    }

    /// The best hypothesis; none if every continuation was forbidden.
    pub fn best(self) -> Option<Finished> {
        self.finished.into_iter().next()
    }

    /// Takes the best continuations of every beam and goes one token further. Says for each new beam which beam it
    /// continues.
    pub fn advance(&mut self, generation: &Generation, candidates: &[Candidate]) -> Vec<usize> {
        let mut ranked: Vec<(f32, Candidate)> = candidates
            .iter()
            .map(|candidate| {
                let before = self.beams[candidate.beam].score;
                (before + candidate.log_probability, *candidate)
            })
            .filter(|(score, _)| *score > f32::NEG_INFINITY)
            .collect();
        // Among equals the one `topk` would see first.
        ranked.sort_unstable_by(|(a, first), (b, second)| {
            b.total_cmp(a)
                .then(first.beam.cmp(&second.beam))
                .then(first.token.cmp(&second.token))
        });
        ranked.truncate(Search::wanted(generation));
        let length = self.beams.first().map_or(1, |beam| beam.ids.len());
        let ends = |token: u32| generation.is_end(token) || length + 1 >= generation.max_length;
        match generation.beams {
            1 => self.advance_greedily(generation, &ranked, length, ends),
            _ => self.advance_beams(generation, &ranked, length, ends),
        }
    }

    fn extended(&self, candidate: Candidate) -> Vec<u32> {
        let before = &self.beams[candidate.beam].ids;
        let mut ids = Vec::with_capacity(before.len() + 1);
        ids.extend_from_slice(before);
        ids.push(candidate.token);
        ids
    }

    fn advance_greedily(
        &mut self,
        generation: &Generation,
        ranked: &[(f32, Candidate)],
        length: usize,
        ends: impl Fn(u32) -> bool,
    ) -> Vec<usize> {
        let Some((score, candidate)) = ranked.first().copied() else {
            self.done = true;
            return Vec::new();
        };
        let ids = self.extended(candidate);
        if ends(candidate.token) {
            self.finished.push(Finished {
                ids,
                score: score / (length as f32).powf(generation.length_penalty),
            });
            self.done = true;
            return Vec::new();
        }
        self.beams = vec![Beam { ids, score }];
        vec![candidate.beam]
    }

    fn advance_beams(
        &mut self,
        generation: &Generation,
        ranked: &[(f32, Candidate)],
        length: usize,
        ends: impl Fn(u32) -> bool,
    ) -> Vec<usize> {
        let penalty = |length: usize| (length as f32).powf(generation.length_penalty);
        let full = |finished: &[Finished]| finished.len() == generation.beams;
        let stops_when_full = generation.early_stopping == EarlyStopping::Yes;

        let mut running = Vec::with_capacity(generation.beams);
        let mut parents = Vec::with_capacity(generation.beams);
        for (score, candidate) in ranked {
            if running.len() < generation.beams && !ends(candidate.token) {
                running.push(Beam {
                    ids: self.extended(*candidate),
                    score: *score,
                });
                parents.push(candidate.beam);
            }
        }
        // Only the best continuations may end a hypothesis; the others are there to have something to go on with.
        if !(stops_when_full && full(&self.finished)) {
            let ended = ranked.iter().take(generation.beams);
            for (score, candidate) in ended.filter(|(_, candidate)| ends(candidate.token)) {
                self.finished.push(Finished {
                    ids: self.extended(*candidate),
                    score: score / penalty(length),
                });
            }
            self.finished.sort_by(|a, b| b.score.total_cmp(&a.score));
            self.finished.truncate(generation.beams);
        }
        self.beams = running;

        // Whether the best running hypothesis may still get among the finished ones.
        let hypothetical = match generation.early_stopping {
            EarlyStopping::Never if generation.length_penalty > 0.0 => generation.max_length - 1,
            _ => length,
        };
        let improvable = match (self.beams.first(), self.finished.last()) {
            (None, _) => false,
            (Some(best), Some(worst)) if full(&self.finished) => {
                best.score / penalty(hypothetical) > worst.score
            }
            (Some(_), _) => true,
        };
        self.done = !improvable || (stops_when_full && full(&self.finished));
        if self.done { Vec::new() } else { parents }
    }
}
