//! A transformer that answers a benchmark's questions.

mod continuations;
mod filler;
mod fitting;
mod opening;
mod reading;
mod sentences;
mod subwords;
mod text_pair;

pub use fitting::{Fitting, differ_in_one_token, too_long};
pub use reading::{Read, Reading, Wanted};
pub use subwords::WordPieces;
pub use text_pair::{divergence, text_score};

use std::collections::BTreeMap;

use epicene_core::{
    Answer, AnswerSink, Capabilities, ModelKind, Query, Question, System, SystemCard, SystemError,
    collect_answers,
};
use epicene_io::threads::{Started, spawn_or_run};

use crate::error::LmError;
use epicene_checkpoint::PICKLED;
use epicene_cuda::{DeviceModel, Dtype, Placement, place};
use epicene_tokenize::{TextTokenizer, WordToken};
use epicene_transformer::{Transformer, Vocabulary};
use filler::Filler;

/// How a model is run. Threads and groups change no answer; device and arithmetic do, in the last
/// digits, and the model's card names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineOptions {
    /// Threads; each runs groups of sentences of its own.
    pub threads: usize,
    /// Tokens of a group on CPU.
    pub batch_tokens: usize,
    pub placement: Placement,
    /// Arithmetic, where it should not be the default: f32 on CPU, that of the stored weights on a GPU.
    pub dtype: Option<Dtype>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            batch_tokens: 480,
            placement: Placement::Cpu,
            dtype: None,
        }
    }
}

/// A checkpoint, loaded.
#[derive(Debug)]
pub struct TransformerModel {
    pub(crate) card: SystemCard,
    pub(crate) transformer: Transformer,
    pub(crate) tokenizer: TextTokenizer,
    /// A text must not contain it.
    pub(crate) padding: Option<u32>,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) options: EngineOptions,
    /// The same model on each GPU that is used.
    pub(crate) devices: Vec<DeviceModel>,
    /// The decoder of an encoder-decoder model that fills blanks; `transformer` is its encoder then.
    pub(crate) filler: Option<Filler>,
    /// Positions a causal model was made for; it would give numbers beyond them, and servers refuse such texts.
    pub(crate) positions: Option<usize>,
    /// Why it does not run on a GPU, where one was looked for.
    pub(crate) not_on_device: Option<String>,
    pub(crate) loading: Vec<String>,
}

impl TransformerModel {
    /// Whether the weights came from a pickle.
    pub fn is_pickled(&self) -> bool {
        let mut remarks = self.card.source.split(',');
        remarks.any(|remark| remark == PICKLED)
    }

    pub fn options(&self) -> EngineOptions {
        self.options
    }

    /// Where it runs, in words: the GPU's name, or why none is used where one was looked for.
    pub fn place(&self) -> Option<String> {
        let devices = self.devices.iter().map(DeviceModel::device);
        place::in_words(devices, self.not_on_device.as_deref())
    }

    /// Where the time of loading went, in words; one line for each GPU.
    pub fn loading(&self) -> &[String] {
        &self.loading
    }

    /// Whether the checkpoint has a language-model head.
    pub fn has_head(&self) -> bool {
        self.transformer.head.is_some() || self.filler.is_some()
    }

    pub fn tokenizer(&self) -> &TextTokenizer {
        &self.tokenizer
    }

    /// How many token ids both the tokenizer and the embedding have.
    pub fn usable_tokens(&self) -> usize {
        let rows = self.transformer.embedding.tokens.rows;
        self.tokenizer.size().min(rows)
    }

    pub(crate) fn name(&self) -> String {
        self.card.name.clone()
    }

    /// Tokens of the longest text that it was made for, where that is known.
    pub fn longest(&self) -> Option<usize> {
        let made_for = self
            .positions
            .filter(|_| self.card.kind == ModelKind::Causal);
        [self.transformer.longest, made_for]
            .into_iter()
            .flatten()
            .min()
    }

    /// Token ids of a text; an error if the model cannot read that many.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, LmError> {
        let ids = self.tokenizer.encode(text)?;
        self.refuse_unreadable(text, ids)
    }

    /// A text's tokens, if the model can read them.
    pub(crate) fn refuse_unreadable(&self, text: &str, ids: Vec<u32>) -> Result<Vec<u32>, LmError> {
        self.reject_out_of_vocabulary(&ids)?;
        match self.transformer.longest {
            Some(limit) if ids.len() > limit => Err(LmError::TooLong {
                system: self.name(),
                text: text.chars().take(60).collect(),
                tokens: ids.len(),
                limit,
            }),
            _ if ids.is_empty() => Err(LmError::EmptyText {
                system: self.name(),
                text: text.to_owned(),
            }),
            _ => Ok(ids),
        }
    }

    /// Rejects padding, and tokens without a row of the embedding: some tokenizers have more entries than the model has rows.
    fn reject_out_of_vocabulary(&self, ids: &[u32]) -> Result<(), LmError> {
        if let Some(padding) = self.padding.filter(|padding| ids.contains(padding)) {
            return Err(LmError::Padding {
                system: self.name(),
                token: self.tokenizer.spelling(padding),
            });
        }
        let rows = self.transformer.embedding.tokens.rows;
        match ids.iter().find(|id| **id as usize >= rows) {
            None => Ok(()),
            Some(id) => Err(LmError::NoRow {
                system: self.name(),
                token: self.tokenizer.spelling(*id),
                rows,
            }),
        }
    }

    /// What has to be read to answer a question.
    fn plan(&self, question: &Question) -> Result<Plan, LmError> {
        match (question, self.card.kind) {
            (
                Question::MaskedPair {
                    masculine,
                    feminine,
                    ..
                },
                ModelKind::Masked,
            ) => self.plan_masked(masculine, feminine),
            (
                Question::NextWord {
                    prompt,
                    masculine,
                    feminine,
                },
                ModelKind::Causal,
            ) => {
                let ids = self.encode(prompt)?;
                let words = vec![self.word(masculine)?, self.word(feminine)?];
                let at = vec![(ids.len() - 1, words)];
                Ok(Plan::Shared(Read { ids, at }))
            }
            _ => Err(LmError::WrongQuestion {
                system: self.name(),
                scorer: question.scorer().name(),
            }),
        }
    }

    fn plan_masked(&self, masculine: &str, feminine: &str) -> Result<Plan, LmError> {
        let Some(mask) = self.tokenizer.mask() else {
            return Err(LmError::NoMask {
                system: self.name(),
            });
        };
        self.reject_out_of_vocabulary(&[mask])?;
        let (mut first, mut second) = (self.encode(masculine)?, self.encode(feminine)?);
        let mut differing = Vec::new();
        for (position, (m, f)) in first.iter_mut().zip(&mut second).enumerate() {
            if m != f {
                differing.push((position, *m, *f));
                (*m, *f) = (mask, mask);
            }
        }
        if differing.is_empty() {
            return Err(LmError::NothingToCompare {
                system: self.name(),
                first: masculine.to_owned(),
                second: feminine.to_owned(),
            });
        }
        let writes_on = self.filler.as_ref().is_some_and(Filler::writes_on);
        if first == second && !(writes_on && differing.len() > 1) {
            // One input, one distribution at each position: the normalisers cancel.
            let at = differing
                .iter()
                .map(|(p, m, f)| (*p, vec![*m, *f]))
                .collect();
            return Ok(Plan::Shared(Read { ids: first, at }));
        }
        Ok(Plan::Apart(
            Read {
                ids: first,
                at: differing.iter().map(|(p, m, _)| (*p, vec![*m])).collect(),
            },
            Read {
                ids: second,
                at: differing.iter().map(|(p, _, f)| (*p, vec![*f])).collect(),
            },
        ))
    }

    /// The token compared as the next word; an error if the vocabulary has no single token for it.
    pub fn word(&self, word: &str) -> Result<u32, LmError> {
        match self.tokenizer.word(word)? {
            WordToken::One(id) => {
                self.reject_out_of_vocabulary(&[id])?;
                Ok(id)
            }
            WordToken::Split(pieces) => Err(LmError::SplitWord {
                system: self.name(),
                word: word.to_owned(),
                pieces: pieces.join(" + "),
            }),
        }
    }
}

/// How a question is answered.
enum Plan {
    /// Both words at the same positions of one input.
    Shared(Read),
    /// Two inputs, each with its own normaliser.
    Apart(Read, Read),
}

/// Questions planned at once while a GPU works.
const AHEAD: usize = 4096;

pub(crate) fn joined<T>(thread: Started<'_, T>) -> T {
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

impl System for TransformerModel {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::of_batches(match self.devices.len() {
            0 => 128 * self.options.threads.max(1),
            // A GPU wants thousands at once; what a killed run asks again is a second's work.
            devices => 16_384 * devices,
        })
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        collect_answers(self, batch)
    }

    /// Hands the answers of every kind of pass on before the next begins.
    fn answer_each(&self, batch: &[Query<'_>], on: &mut AnswerSink<'_>) -> Result<(), SystemError> {
        let mut parts: BTreeMap<Route, Vec<usize>> = BTreeMap::new();
        for (index, query) in batch.iter().enumerate() {
            let route = self.route(&query.question);
            parts.entry(route).or_default().push(index);
        }
        // Most batches need one kind of pass, and nothing is copied.
        if let (1, Some(route)) = (parts.len(), parts.keys().next()) {
            on(&mut self.answer_by(*route, batch)?.into_iter().enumerate());
            return Ok(());
        }
        for (route, indices) in parts {
            let part: Vec<Query<'_>> = indices.iter().map(|index| batch[*index].clone()).collect();
            let answers = self.answer_by(route, &part);
            let answers = answers.map_err(|error| error.in_batch(|place| indices[place]))?;
            on(&mut indices.into_iter().zip(answers));
        }
        Ok(())
    }
}

/// The passes that answer a question. A batch is divided by them, so that lines of any order fill them as well as sorted ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Route {
    TextPair,
    Continuations,
    Sentence,
    Words,
}

impl TransformerModel {
    fn route(&self, question: &Question) -> Route {
        match question {
            Question::TextPair { .. } => Route::TextPair,
            Question::Continuations { .. } => Route::Continuations,
            Question::Likelihood { .. }
            | Question::Embedded { .. }
            | Question::FilledBlank { .. }
                if self.card.kind == ModelKind::Masked =>
            {
                Route::Sentence
            }
            _ => Route::Words,
        }
    }

    fn answer_by(&self, route: Route, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        match route {
            Route::TextPair => self.answer_text_pairs(batch),
            Route::Continuations => self.answer_continuations(batch),
            Route::Sentence => {
                self.refuse_what_a_filler_cannot_answer(batch)?;
                self.answer_sentences(batch)
            }
            Route::Words if self.devices.is_empty() => {
                Ok(self.answer_plans(&self.plan_all(batch)?)?)
            }
            Route::Words => self.observe_ahead(batch),
        }
    }

    fn plan_all(&self, batch: &[Query<'_>]) -> Result<Vec<Plan>, SystemError> {
        let plans = batch.iter().enumerate().map(|(index, query)| {
            self.plan(&query.question)
                .map_err(|error| error.about(index))
        });
        plans.collect()
    }

    /// The same on all threads: a GPU reads faster than one thread tokenises.
    fn plan_with_threads(&self, batch: &[Query<'_>]) -> Result<Vec<Plan>, SystemError> {
        let share = batch.len().div_ceil(self.options.threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let parts: Vec<_> = batch
                .chunks(share)
                .map(|part| spawn_or_run(scope, || self.plan_all(part)))
                .collect();
            let mut plans = Vec::with_capacity(batch.len());
            for part in parts {
                let before = plans.len();
                plans.extend(joined(part).map_err(|error| error.in_batch(|place| before + place))?);
            }
            Ok(plans)
        })
    }

    /// Tokenises the next questions while the GPU answers the ones before.
    fn observe_ahead(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        let ahead = AHEAD * self.devices.len().max(1);
        let parts: Vec<&[Query<'_>]> = batch.chunks(ahead).collect();
        let mut answers = Vec::with_capacity(batch.len());
        std::thread::scope(|scope| {
            let plan = |part| spawn_or_run(scope, move || self.plan_with_threads(part));
            let mut next = parts.first().map(|part| plan(*part));
            let mut later = parts.iter().skip(1);
            while let Some(planned) = next {
                let before = answers.len();
                let plans = joined(planned);
                let plans = plans.map_err(|error| error.in_batch(|place| before + place))?;
                next = later.next().map(|part| plan(*part));
                answers.extend(self.answer_plans(&plans)?);
            }
            Ok(answers)
        })
    }

    fn answer_plans(&self, plans: &[Plan]) -> Result<Vec<Answer>, LmError> {
        let mut shared = Vec::new();
        let mut apart = Vec::new();
        for plan in plans {
            match plan {
                Plan::Shared(read) => shared.push(read),
                Plan::Apart(first, second) => apart.extend([first, second]),
            }
        }
        let mut logits = self.read_logits(&shared)?.into_iter();
        let mut log_probabilities = self.read_log_probabilities(&apart)?.into_iter();
        let mut answers = Vec::with_capacity(plans.len());
        for plan in plans {
            let natural = match plan {
                Plan::Shared(_) => {
                    let found = logits.next().expect("every plan is read once");
                    mean(found.iter().map(|words| words[0] - words[1]))
                }
                Plan::Apart(..) => {
                    let first = log_probabilities.next().expect("both texts are read");
                    let second = log_probabilities.next().expect("both texts are read");
                    mean(first.iter().map(|words| words[0]))
                        - mean(second.iter().map(|words| words[0]))
                }
            };
            answers.push(Answer::Log10Ratio(natural / std::f64::consts::LN_10));
        }
        Ok(answers)
    }
}
