//! Collects the likelihoods of both sets and measures them: MBE with its interval, its tests, and the
//! shuffled control.

use epicene_core::{Answer, AnswerNotes, Item, Measured, Row, SystemCard};
use epicene_stats::{Interval, draw, percentile_interval};

use super::score::{SentenceSet, Vectors, Weight, Weighting, direct, not_measurable};
use super::shuffled::{self, shuffled};
use super::significance::{
    AgainstRandom, bootstrap_interval, linearised_interval, paired_wins, permutation_p_value,
    wins_against_half,
};
use super::walk::{Multiplicity, Walk};
use crate::sentence_pairs::noted;
use crate::{BenchError, MeasureOptions, Tally};

/// Whether a weighting takes the prefix sums away: clipping and thresholds look at single pairs.
pub fn needs_every_pair(weighting: &Weighting) -> bool {
    weighting.weight != Weight::None
        && (weighting.clip_negative || weighting.min_similarity.is_some())
}

pub struct MbeTally {
    systems: Vec<String>,
    probes: Vec<(usize, String)>,
    male: Vec<bool>,
    answers: Vec<Vec<Option<Sentence>>>,
    /// For each probe, what the engine noted.
    notes: Vec<AnswerNotes>,
}

#[derive(Clone)]
enum Sentence {
    /// No content token.
    Empty,
    Scored(f64, Vec<f32>),
}

impl MbeTally {
    pub fn new(systems: &[SystemCard], probes: &[(usize, String)]) -> MbeTally {
        MbeTally {
            systems: systems.iter().map(|system| system.name.clone()).collect(),
            probes: probes.to_vec(),
            male: Vec::new(),
            answers: probes.iter().map(|_| Vec::new()).collect(),
            notes: vec![AnswerNotes::default(); probes.len()],
        }
    }

    /// (male, female, sentences without a likelihood).
    fn sets(&self, probe: usize) -> (SentenceSet, SentenceSet, u64) {
        let (mut male, mut female) = (SentenceSet::default(), SentenceSet::default());
        let mut empty = 0;
        for (is_male, answer) in self.male.iter().zip(&self.answers[probe]) {
            match answer {
                None => {}
                Some(Sentence::Empty) => empty += 1,
                Some(Sentence::Scored(likelihood, embedding)) => {
                    let set = if *is_male { &mut male } else { &mut female };
                    set.likelihoods.push(*likelihood);
                    if !embedding.is_empty() {
                        set.embeddings
                            .push(embedding.iter().map(|x| f64::from(*x)).collect());
                    }
                }
            }
        }
        (male, female, empty)
    }

    fn row(&self, probe: usize, metric: &str, value: f64, n: usize) -> Row {
        let (system, unit) = &self.probes[probe];
        Row {
            benchmark: "mbe".to_owned(),
            system: self.systems[*system].clone(),
            unit: unit.clone(),
            group: "all".to_owned(),
            metric: metric.to_owned(),
            value,
            low: None,
            high: None,
            n: Some(n as u64),
            ideal: None,
        }
    }

    fn probe(
        &self,
        probe: usize,
        options: &MeasureOptions,
        measured: &mut Measured,
    ) -> Result<(), BenchError> {
        let (male, female, empty) = self.sets(probe);
        let weighting = &options.sentences.weighting;
        if weighting.weight != Weight::None && male.embeddings.is_empty() {
            return Err(not_measurable(format!(
                "{} has likelihoods without embeddings, and pairs are weighted by {}; \
                 --weight none counts every pair alike",
                self.systems[self.probes[probe].0], weighting.weight
            )));
        }
        let vectors = Vectors::new(&male, &female, weighting.weight)?;
        let walk = Walk::new(&male, &female, vectors);
        let negative = weighting.weight != Weight::None && walk.any_negative();
        // Clipping what is never negative changes nothing.
        let every_pair = weighting.weight != Weight::None
            && (weighting.min_similarity.is_some() || weighting.clip_negative && negative);
        let (score, interval, permutation): (f64, Interval, Option<f64>) = match every_pair {
            true => {
                let (score, sums) = direct(&male, &female, weighting)?;
                (score.score, linearised_interval(&score, &sums), None)
            }
            false => {
                let score = walk.score()?.score;
                let interval = bootstrap_interval(&walk, options.replicates, options.seed)?;
                let p = permutation_p_value(&walk, score, options.replicates, options.seed);
                (score, interval, Some(p))
            }
        };
        let sentences = male.len() + female.len();
        let mut row = self.row(probe, "mbe", score, sentences);
        (row.low, row.high, row.ideal) = (Some(interval.low), Some(interval.high), Some(50.0));
        let preferred = match score {
            score if score > 50.0 => "male sentences preferred",
            score if score < 50.0 => "female sentences preferred",
            _ => "no preference",
        };
        measured.notes.push(format!(
            "{} {}: {score:.2}, {preferred}",
            row.system, row.unit
        ));
        if negative && !weighting.clip_negative {
            measured.notes.push(format!(
                "{} {}: some pairs have a negative weight, so the score can leave 0..100; --clip-negative counts them as 0",
                row.system, row.unit
            ));
        }
        if empty > 0 {
            measured.notes.push(format!(
                "{} {}: {empty} sentences have no likelihood and are left out",
                row.system, row.unit
            ));
        }
        measured.rows.push(row);

        let wins = paired_wins(&male, &female, options.seed);
        let won = wins.iter().filter(|win| **win).count() as u64;
        let coin = AgainstRandom::toss(&wins, options.seed, "mbe/coin");
        let (_, mcnemar_p) = coin.test(options.sentences.mcnemar)?;
        let binomial = wins_against_half(won, wins.len() as u64)?;
        // The permutation test where there is one; the paired wins against 1/2 otherwise.
        let p_value = permutation.unwrap_or(binomial);
        for (metric, value, n) in [
            ("p_value", p_value, sentences),
            ("binomial_p", binomial, wins.len()),
            ("mcnemar_b", coin.only_model as f64, wins.len()),
            ("mcnemar_c", coin.only_random as f64, wins.len()),
            ("mcnemar_p", mcnemar_p, wins.len()),
            ("male", male.len() as f64, sentences),
            ("female", female.len() as f64, sentences),
            ("no_likelihood", empty as f64, sentences),
        ] {
            measured.rows.push(self.row(probe, metric, value, n));
        }
        let notes = &self.notes[probe];
        for (metric, value, n) in noted::rows(notes, sentences as u64) {
            measured
                .rows
                .push(self.row(probe, metric, value, n as usize));
        }
        let place = format!(
            "{} {}",
            self.systems[self.probes[probe].0], self.probes[probe].1
        );
        measured.notes.extend(noted::remarks(&place, notes));
        let control = shuffled(&male, &female, shuffled::REPEATS, options.seed)?;
        let mut row = self.row(probe, "shf", control.mean, control.pairs);
        (row.low, row.high, row.ideal) = (Some(control.low), Some(control.high), Some(50.0));
        measured.rows.push(row);
        measured
            .rows
            .push(self.row(probe, "shf_sd", control.sd, control.pairs));
        Ok(())
    }
}

impl Tally for MbeTally {
    fn item(&mut self, item: &Item) -> Result<(), BenchError> {
        match item.label(super::sets::GENDER) {
            Some("m") => self.male.push(true),
            Some("f") => self.male.push(false),
            _ => {
                return Err(BenchError::BadItem {
                    item: item.id.clone(),
                    message: "it is neither of the female nor of the male set".to_owned(),
                });
            }
        }
        for answers in &mut self.answers {
            answers.push(None);
        }
        Ok(())
    }

    fn observe(&mut self, item: usize, probe: usize, answer: &Answer) -> Result<(), BenchError> {
        let (answer, notes) = answer.plain();
        self.notes[probe] += notes;
        let sentence = match answer {
            Answer::Sentence {
                likelihood,
                embedding,
            } => Sentence::Scored(*likelihood, embedding.clone()),
            Answer::Likelihoods(values) if values.len() == 1 => match values[0] {
                Some(likelihood) => Sentence::Scored(likelihood, Vec::new()),
                None => Sentence::Empty,
            },
            Answer::Missing => Sentence::Empty,
            _ => {
                return Err(BenchError::WrongAnswer {
                    benchmark: "mbe",
                    unit: self.probes[probe].1.clone(),
                });
            }
        };
        self.answers[probe][item] = Some(sentence);
        Ok(())
    }

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError> {
        let mut measured = Measured::default();
        for probe in 0..self.probes.len() {
            if self.answers[probe].iter().any(Option::is_some) {
                self.probe(probe, options, &mut measured)?;
            }
        }
        match measured.rows.is_empty() {
            true => Err(BenchError::NothingToMeasure),
            false => {
                measured
                    .notes
                    .push("mbe above 50: male sentences preferred; below 50: female".to_owned());
                Ok(measured)
            }
        }
    }

    /// The difference of two scores over the same resamples of the sentences.
    fn compare(
        &self,
        first: usize,
        second: usize,
        options: &MeasureOptions,
    ) -> Result<Measured, BenchError> {
        let weighting = &options.sentences.weighting;
        let incomparable = |message: String| BenchError::Incomparable {
            first: self.systems[first].clone(),
            second: self.systems[second].clone(),
            message,
        };
        if needs_every_pair(weighting) {
            return Err(incomparable(
                "clipped and thresholded weights are not resampled".to_owned(),
            ));
        }
        let mut rows = Vec::new();
        for (one, (system, unit)) in self.probes.iter().enumerate() {
            let find = |probe: &(usize, String)| probe.0 == second && probe.1 == *unit;
            let other = self.probes.iter().position(find);
            let (Some(other), true) = (other, *system == first) else {
                continue;
            };
            let walk = |probe: usize| -> Result<Walk, BenchError> {
                let (male, female, _) = self.sets(probe);
                let vectors = Vectors::new(&male, &female, weighting.weight)?;
                Ok(Walk::new(&male, &female, vectors))
            };
            let (ours, theirs) = (walk(one)?, walk(other)?);
            if (ours.males(), ours.females()) != (theirs.males(), theirs.females()) {
                return Err(incomparable(format!(
                    "they did not answer the same sentences in {unit}"
                )));
            }
            let resample = |replicate: u64| -> Vec<Multiplicity> {
                let counts = |stream: &str, n: usize| {
                    draw::resample_counts(options.seed, stream, replicate, n)
                };
                let male = counts("mbe/bootstrap/male", ours.males())
                    .into_iter()
                    .map(|times| (times, 0));
                let female = counts("mbe/bootstrap/female", ours.females());
                male.chain(female.into_iter().map(|times| (0, times)))
                    .collect()
            };
            let replicates = options.replicates;
            let scores = ours.scores(replicates, resample);
            let differences: Vec<f64> = scores
                .iter()
                .zip(theirs.scores(replicates, resample))
                .map(|(ours, theirs)| ours - theirs)
                .collect();
            let interval = percentile_interval(&differences, 0.95)?;
            let difference = ours.score()?.score - theirs.score()?.score;
            let mut row = self.row(one, "delta_mbe", difference, ours.males() + ours.females());
            row.system = format!("{} - {}", self.systems[first], self.systems[second]);
            (row.low, row.high, row.ideal) = (Some(interval.low), Some(interval.high), Some(0.0));
            rows.push(row);
        }
        match rows.is_empty() {
            true => Err(BenchError::NothingToMeasure),
            false => Ok(Measured {
                rows,
                notes: Vec::new(),
            }),
        }
    }
}
