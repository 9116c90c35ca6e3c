//! Reads probabilities, hidden states and attention out of a model, in batches.
//!
//! Requests are sorted by length and packed into groups; each thread takes the next group and runs
//! it alone. No result depends on the grouping.

mod gpu;
mod rows;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use epicene_core::ModelKind;
use epicene_io::threads::spawn_or_run;

use crate::error::LmError;
use crate::model::TransformerModel;
use epicene_kernels::{Matrix, Workspace};
use epicene_transformer::{Batch, Depth, Distribution, Sequence};

/// Groups whose rows wait for their distributions at once.
const WAVE: usize = 32;

/// Tokens to run and, at some positions, the tokens whose logits are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub ids: Vec<u32>,
    /// Positions, and the tokens looked up there.
    pub at: Vec<(usize, Vec<u32>)>,
}

/// What is wanted of whole sentences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    pub hidden: bool,
    pub attention: bool,
    pub log_probabilities: bool,
}

/// A sentence as the model sees it.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Special tokens included.
    pub ids: Vec<u32>,
    /// The last hidden state of every token; empty unless wanted.
    pub hidden: Matrix,
    /// For every token the attention it receives: the mean over layers, heads and queries; sums
    /// to 1.
    pub attention: Vec<f64>,
    /// Natural log-probability of each token: given all tokens (masked models), or given those
    /// before it (causal; the first has none and counts 0).
    pub log_probabilities: Vec<f64>,
    /// The likeliest token at the index of each log-probability; empty on a GPU.
    pub likeliest: Vec<u32>,
}

/// What was found at one position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Position {
    /// A number for each token looked up.
    pub values: Vec<f64>,
    /// The likeliest token of the vocabulary; not known of bare logits and on a GPU.
    pub likeliest: Option<u32>,
}

/// For each request, for each position, for each token a number.
pub(crate) type Found = Vec<Vec<f64>>;

impl TransformerModel {
    /// Logits, comparable within a position only: the normaliser is left out.
    pub fn read_logits(&self, reads: &[&Read]) -> Result<Vec<Found>, LmError> {
        Ok(numbers(self.read(reads, false)?))
    }

    /// Natural log-probabilities over the whole vocabulary.
    pub fn read_log_probabilities(&self, reads: &[&Read]) -> Result<Vec<Found>, LmError> {
        Ok(numbers(self.read(reads, true)?))
    }

    /// The same with the likeliest token at each position.
    pub fn read_positions(&self, reads: &[&Read]) -> Result<Vec<Vec<Position>>, LmError> {
        self.read(reads, true)
    }

    fn read(&self, reads: &[&Read], normalised: bool) -> Result<Vec<Vec<Position>>, LmError> {
        if let Some(filler) = &self.filler {
            return self.read_filled(filler, reads);
        }
        let Some(head) = &self.transformer.head else {
            return Err(LmError::NoHead {
                system: self.name(),
            });
        };
        let passes = self.passes(reads);
        if !self.devices.is_empty() {
            let found = self.read_on_devices(reads, &passes, normalised)?;
            return Ok(found.into_iter().map(without_guesses).collect());
        }
        let lengths = passes.iter().map(|pass| pass.sequence.ids.len());
        let groups = groups(lengths, self.options.threads, self.options.batch_tokens);
        let mut found = vec![Vec::new(); reads.len()];
        for wave in groups.chunks(WAVE) {
            let ran = self.run(wave, |workspace, group| {
                let batch = Batch::of(group.iter().map(|pass| &passes[*pass].sequence));
                let forward = self
                    .transformer
                    .forward(workspace, &batch, Depth::Read, false)?;
                let rows = head.transform(workspace, forward.hidden);
                Ok(vec![(group[0], (group.to_vec(), batch.read.starts, rows))])
            })?;
            let rows: Vec<&Matrix> = ran.iter().map(|(_, (_, _, rows))| rows).collect();
            let distributions = if normalised {
                self.distributions(head, &rows)?
            } else {
                zeros(&rows)
            };
            for ((_, (group, starts, rows)), distributions) in ran.iter().zip(&distributions) {
                for (pass, first) in group.iter().zip(starts) {
                    let pass = &passes[*pass];
                    for request in &pass.requests {
                        for (position, tokens) in &reads[*request].at {
                            let row =
                                first + pass.sequence.read.partition_point(|read| read < position);
                            let distribution = distributions[row];
                            let mut values = Vec::with_capacity(tokens.len());
                            for token in tokens {
                                let logit = head.logit(&self.vocabulary, rows.row(row), *token)?;
                                values.push(f64::from(logit) - distribution.log_normaliser);
                            }
                            found[*request].push(Position {
                                values,
                                likeliest: normalised.then_some(distribution.likeliest),
                            });
                        }
                    }
                }
            }
        }
        Ok(found)
    }

    /// Logits of the whole vocabulary at the given positions. For checks and small jobs: it holds
    /// one number for each token of the vocabulary.
    pub fn all_logits(&self, ids: &[u32], positions: &[usize]) -> Result<Vec<Vec<f32>>, LmError> {
        if let Some(filler) = &self.filler {
            return self.all_filled_logits(filler, ids, positions);
        }
        let Some(head) = &self.transformer.head else {
            return Err(LmError::NoHead {
                system: self.name(),
            });
        };
        if !self.devices.is_empty() {
            return self.all_logits_on_device(ids, positions, head.decoder.rows);
        }
        let mut workspace = Workspace::default();
        let batch = Batch::of([&Sequence {
            ids: ids.to_vec(),
            read: positions.to_vec(),
        }]);
        let forward = self
            .transformer
            .forward(&mut workspace, &batch, Depth::Read, false)?;
        let rows = head.transform(&mut workspace, forward.hidden);
        let mut logits = vec![Vec::with_capacity(head.decoder.rows); positions.len()];
        head.sweep(&mut workspace, &rows, |_, chunk| {
            for (row, logits) in logits.iter_mut().enumerate() {
                logits.extend_from_slice(chunk.row(row));
            }
        })?;
        Ok(logits)
    }

    /// Hidden states, attention received and log-probabilities of whole sentences, from one pass
    /// each.
    pub fn look(&self, texts: &[&str], wanted: Wanted) -> Result<Vec<Reading>, LmError> {
        let encoded = texts
            .iter()
            .map(|text| self.encode(text))
            .collect::<Result<Vec<_>, _>>()?;
        self.look_at(encoded, wanted)
    }

    /// The same of sentences that are tokens already, special ones included.
    pub fn look_at(&self, encoded: Vec<Vec<u32>>, wanted: Wanted) -> Result<Vec<Reading>, LmError> {
        let count = encoded.len();
        let head = match (&self.transformer.head, wanted.log_probabilities) {
            (None, true) => {
                return Err(LmError::NoHead {
                    system: self.name(),
                });
            }
            (head, true) => head.as_ref(),
            (_, false) => None,
        };
        let sequences: Vec<Sequence> = encoded
            .into_iter()
            .map(|ids| Sequence {
                read: (0..ids.len()).collect(),
                ids,
            })
            .collect();
        let layers = &self.transformer.layers;
        let heads: usize = layers.iter().map(|layer| layer.attention.how.heads).sum();
        if !self.devices.is_empty() {
            let readings = self.look_on_devices(&sequences, wanted)?;
            return Ok(in_order(count, readings));
        }
        let lengths = sequences.iter().map(|sequence| sequence.ids.len());
        let groups = groups(lengths, self.options.threads, self.options.batch_tokens);
        let mut found = Vec::with_capacity(count);
        for wave in groups.chunks(WAVE) {
            let mut ran = self.run(wave, |workspace, group| {
                let batch = Batch::of(group.iter().map(|sentence| &sequences[*sentence]));
                let forward =
                    self.transformer
                        .forward(workspace, &batch, Depth::All, wanted.attention)?;
                let mut readings = Vec::with_capacity(group.len());
                for (place, sentence) in group.iter().enumerate() {
                    let range = batch.starts[place]..batch.starts[place + 1];
                    let mut reading = Reading {
                        ids: sequences[*sentence].ids.clone(),
                        ..Reading::default()
                    };
                    if wanted.hidden {
                        let columns = forward.hidden.columns;
                        reading.hidden = Matrix {
                            data: forward.hidden.data[range.start * columns..range.end * columns]
                                .to_vec(),
                            rows: range.len(),
                            columns,
                        };
                    }
                    if wanted.attention {
                        let share = 1.0 / (heads * range.len()) as f64;
                        reading.attention = forward.received[range]
                            .iter()
                            .map(|sum| sum * share)
                            .collect();
                    }
                    readings.push((*sentence, reading));
                }
                let rows = match head {
                    Some(head) => head.transform(workspace, forward.hidden),
                    None => {
                        workspace.give(forward.hidden);
                        Matrix::default()
                    }
                };
                Ok(vec![(group[0], (readings, batch.starts, rows))])
            })?;
            let Some(head) = head else {
                found.extend(ran.into_iter().flat_map(|(_, (readings, _, _))| readings));
                continue;
            };
            let rows: Vec<&Matrix> = ran.iter().map(|(_, (_, _, rows))| rows).collect();
            let distributions = self.distributions(head, &rows)?;
            for ((_, (readings, starts, rows)), distributions) in ran.iter_mut().zip(&distributions)
            {
                for ((_, reading), first) in readings.iter_mut().zip(&*starts) {
                    let mut values = Vec::with_capacity(reading.ids.len());
                    let mut likeliest = Vec::with_capacity(reading.ids.len());
                    for (position, token) in reading.ids.iter().enumerate() {
                        let row = match self.card.kind {
                            ModelKind::Masked => first + position,
                            ModelKind::Causal if position == 0 => {
                                values.push(0.0);
                                likeliest.push(*token);
                                continue;
                            }
                            ModelKind::Causal | ModelKind::Translator | ModelKind::Chat => {
                                first + position - 1
                            }
                        };
                        let logit = head.logit(&self.vocabulary, rows.row(row), *token)?;
                        values.push(f64::from(logit) - distributions[row].log_normaliser);
                        likeliest.push(distributions[row].likeliest);
                    }
                    reading.log_probabilities = values;
                    reading.likeliest = likeliest;
                }
                found.append(readings);
            }
        }
        Ok(in_order(count, found))
    }

    /// Natural log-likelihood of whole sentences under a causal model: the sum over all tokens but
    /// the first.
    pub fn log_likelihoods(&self, texts: &[&str]) -> Result<Vec<f64>, LmError> {
        if self.card.kind != ModelKind::Causal {
            return Err(LmError::WrongQuestion {
                system: self.name(),
                scorer: "sentence-log-likelihood",
            });
        }
        let wanted = Wanted {
            log_probabilities: true,
            ..Wanted::default()
        };
        let readings = self.look(texts, wanted)?;
        Ok(readings
            .iter()
            .map(|reading| reading.log_probabilities.iter().sum())
            .collect())
    }

    /// The distinct inputs behind the requests. A causal model sees only what came before, so a
    /// request whose tokens begin another's is answered on the way.
    fn passes(&self, reads: &[&Read]) -> Vec<Pass> {
        let mut order: Vec<usize> = (0..reads.len()).collect();
        order.sort_by(|a, b| reads[*b].ids.cmp(&reads[*a].ids).then(a.cmp(b)));
        let causal = self.card.kind == ModelKind::Causal;
        let mut passes: Vec<Pass> = Vec::new();
        for request in order {
            let read = reads[request];
            match passes.last_mut() {
                Some(pass)
                    if pass.sequence.ids == read.ids
                        || causal && pass.sequence.ids.starts_with(&read.ids) =>
                {
                    pass.requests.push(request);
                }
                _ => passes.push(Pass {
                    sequence: Sequence {
                        ids: read.ids.clone(),
                        read: Vec::new(),
                    },
                    requests: vec![request],
                }),
            }
        }
        for pass in &mut passes {
            let positions = pass.requests.iter().flat_map(|request| &reads[*request].at);
            pass.sequence.read = positions.map(|(position, _)| *position).collect();
            pass.sequence.read.sort_unstable();
            pass.sequence.read.dedup();
        }
        passes
    }

    /// Runs every group, on as many threads as the options say.
    pub(crate) fn run<T: Send>(
        &self,
        groups: &[Vec<usize>],
        work: impl Fn(&mut Workspace, &[usize]) -> Result<Vec<(usize, T)>, LmError> + Sync,
    ) -> Result<Vec<(usize, T)>, LmError> {
        let threads = self.options.threads.clamp(1, groups.len().max(1));
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        let failure = Mutex::new(None);
        let one = || {
            let mut workspace = Workspace::default();
            while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                match work(&mut workspace, group) {
                    Ok(results) => {
                        let mut found = found.lock().expect("no thread panics while it holds this");
                        found.extend(results);
                    }
                    Err(error) => {
                        next.store(groups.len(), Ordering::Relaxed);
                        let mut failure = failure
                            .lock()
                            .expect("no thread panics while it holds this");
                        *failure = Some(error);
                    }
                }
            }
        };
        match threads {
            1 => one(),
            threads => std::thread::scope(|scope| {
                for _ in 1..threads {
                    spawn_or_run(scope, one);
                }
                one();
            }),
        }
        match failure.into_inner().expect("all threads have ended well") {
            Some(error) => Err(error),
            None => Ok(found.into_inner().expect("all threads have ended well")),
        }
    }
}

/// One input and the requests it answers.
pub(crate) struct Pass {
    pub(crate) sequence: Sequence,
    pub(crate) requests: Vec<usize>,
}

/// Sentences by length, longest first, in groups of about equal numbers of tokens.
pub(crate) fn groups(
    lengths: impl Iterator<Item = usize>,
    threads: usize,
    batch_tokens: usize,
) -> Vec<Vec<usize>> {
    let mut order: Vec<(usize, usize)> = lengths.enumerate().map(|(i, n)| (n, i)).collect();
    order.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let total: usize = order.iter().map(|(length, _)| length).sum();
    let count = total.div_ceil(batch_tokens.max(1));
    let count = count.next_multiple_of(threads.max(1)).max(1);
    let target = total.div_ceil(count);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut tokens = usize::MAX;
    for (length, sentence) in order {
        if tokens >= target {
            groups.push(Vec::new());
            tokens = 0;
        }
        tokens += length;
        if let Some(group) = groups.last_mut() {
            group.push(sentence);
        }
    }
    groups
}

/// Distributions that leave logits as they are.
fn zeros(groups: &[&Matrix]) -> Vec<Vec<Distribution>> {
    let zeros = |matrix: &&Matrix| vec![Distribution::default(); matrix.rows];
    groups.iter().map(zeros).collect()
}

/// Positions of which the likeliest token is not known.
fn without_guesses(found: Found) -> Vec<Position> {
    let position = |values| Position {
        values,
        likeliest: None,
    };
    found.into_iter().map(position).collect()
}

/// The numbers alone.
fn numbers(found: Vec<Vec<Position>>) -> Vec<Found> {
    let values = |positions: Vec<Position>| positions.into_iter().map(|p| p.values).collect();
    found.into_iter().map(values).collect()
}

/// The results of several threads, each with its index, in the order of the questions.
pub(crate) fn in_order<T>(count: usize, found: Vec<(usize, T)>) -> Vec<T> {
    let mut ordered: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
    for (place, value) in found {
        ordered[place] = Some(value);
    }
    let all = ordered
        .into_iter()
        .map(|value| value.expect("every place was asked for and is answered once"));
    all.collect()
}
