//! Texts written by causal models: one token after the other, greedily or drawn, many texts at once.
//!
//! Keys and values of what was read are kept; prompts that begin alike share that work; a finished text leaves
//! its slot to another. No text depends on what else is written, in which order, or on how many threads: every text
//! draws from a stream of its own, named by its prompt. See docs/generation.md.

mod choosing;
mod cpu;
mod first_choice;
mod gpu;
mod lane;
mod manner;
mod open;
mod prefixes;
mod texts;

pub use epicene_io::Moment;
pub use epicene_tokenize::{ChatTemplate, Message};
pub use first_choice::{Position, is_opening, option_log_probabilities, option_of_token};
pub use manner::{Manner, Sampling, Told};

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::sync::mpsc;

use epicene_core::SystemCard;
use epicene_io::stop;
use epicene_io::threads::spawn_or_run;

use cpu::OnProcessor;
use gpu::OnDevice;
use texts::Queue;

use crate::error::LmError;
use crate::model::{TransformerModel, joined};
use epicene_checkpoint::CheckpointError;
use epicene_kernels::PackedMatrix;
use epicene_transformer::Head;

/// What a text is written after.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prompt {
    /// Names the stream of draws.
    pub id: String,
    pub ids: Vec<u32>,
    /// Sets of tokens whose probability as the first token is wanted, or as the first behind what only opens an answer.
    pub first: Vec<Vec<u32>>,
}

/// Why a text ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The model ended it.
    Itself,
    /// One of the texts that end it came.
    Stop,
    /// It reached the longest length.
    Length,
}

impl Ended {
    pub fn name(self) -> &'static str {
        match self {
            Ended::Itself => "end",
            Ended::Stop => "stop",
            Ended::Length => "length",
        }
    }
}

/// A text that was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    /// Without special tokens, and cut before a text that ends it.
    pub text: String,
    /// Everything that was written behind what only opens an answer, the token that ends it included.
    pub ids: Vec<u32>,
    pub ended: Ended,
    /// For each set of tokens asked for, the natural logarithm of its probability as the first token.
    pub first: Vec<f64>,
}

/// A causal model that writes.
#[derive(Debug)]
pub struct TextGenerator {
    model: TransformerModel,
    settings: open::Settings,
    template: Option<ChatTemplate>,
    /// The head in memory.
    head: OnceLock<PackedMatrix>,
}

impl TextGenerator {
    pub fn card(&self) -> &SystemCard {
        &self.model.card
    }

    pub fn model(&self) -> &TransformerModel {
        &self.model
    }

    /// Where it runs, in words.
    pub fn place(&self) -> Option<String> {
        self.model.place()
    }

    /// Where the time of loading went, in words; one line for each GPU.
    pub fn loading(&self) -> &[String] {
        self.model.loading()
    }

    /// The chat template, if the checkpoint has one.
    pub fn template(&self) -> Option<&ChatTemplate> {
        self.template.as_ref()
    }

    /// How texts are written: the checkpoint's settings, with those of `told` in their stead.
    pub fn manner(&self, told: &Told) -> Result<Manner, LmError> {
        let vocabulary = self.model.transformer.embedding.tokens.rows;
        Ok(self.settings.manner(told, vocabulary)?)
    }

    /// Tokens of a text that is continued without a template.
    pub fn plain(&self, text: &str) -> Result<Vec<u32>, LmError> {
        self.model.encode(text)
    }

    /// Tokens of a conversation that the model answers, through its template. `variables` are further ones the template
    /// looks at (`enable_thinking`, …).
    pub fn conversation(
        &self,
        messages: &[Message],
        variables: &BTreeMap<String, serde_json::Value>,
        moment: Moment,
    ) -> Result<Vec<u32>, LmError> {
        let template = self.template.as_ref().ok_or_else(|| LmError::NoTemplate {
            system: self.model.name(),
        })?;
        let text = template
            .render(messages, variables, moment)
            .map_err(|problem| LmError::Template {
                system: self.model.name(),
                problem,
            })?;
        let ids = self.model.tokenizer.parts(&text)?;
        self.model.refuse_unreadable(&text, ids)
    }

    /// The tokens that say `word` at the beginning of an answer: those whose text is the word, with or without a space
    /// before it.
    pub fn spellings(&self, word: &str) -> Result<Vec<u32>, LmError> {
        let rows = self.model.transformer.embedding.tokens.rows;
        let size = self.model.tokenizer.size().min(rows);
        let mut found = Vec::new();
        for id in 0..u32::try_from(size).expect("tokens have 32 bits") {
            if self.model.tokenizer.shown(id)?.trim() == word {
                found.push(id);
            }
        }
        Ok(found)
    }

    /// How many prompts are worth giving at once.
    pub fn batch_size(&self) -> usize {
        match self.model.devices.len() {
            // Of many questions few are answered at length, and those should fill a batch again and again: at its end
            // slots stay empty.
            0 => 64 * cpu::MOST_ROWS * self.model.options.threads.max(1),
            devices => 4096 * devices,
        }
    }

    /// One text for each prompt, in order.
    pub fn write(&self, prompts: &[Prompt], manner: &Manner) -> Result<Vec<Completion>, LmError> {
        let mut completions: Vec<Option<Completion>> = vec![None; prompts.len()];
        self.write_each(prompts, manner, &mut |place, completion| {
            completions[place] = Some(completion);
        })?;
        let every = completions.into_iter();
        Ok(every
            .map(|one| one.expect("without an error every prompt was taken and finished"))
            .collect())
    }

    /// One text for each prompt, told as they are finished. Stops where the program is asked to.
    pub fn write_each(
        &self,
        prompts: &[Prompt],
        manner: &Manner,
        on: &mut dyn FnMut(usize, Completion),
    ) -> Result<(), LmError> {
        let limit = self.model.transformer.longest.unwrap_or(usize::MAX);
        for prompt in prompts {
            if prompt.ids.is_empty() {
                return Err(LmError::EmptyText {
                    system: self.model.name(),
                    text: prompt.id.clone(),
                });
            }
            if prompt.ids.len() > limit {
                return Err(LmError::TooLong {
                    system: self.model.name(),
                    text: prompt.id.clone(),
                    tokens: prompt.ids.len(),
                    limit,
                });
            }
        }
        // What would come out the same is written once.
        let mut places: BTreeMap<Same<'_>, Vec<usize>> = BTreeMap::new();
        for (place, prompt) in prompts.iter().enumerate() {
            let stream = match manner.sampling {
                Some(_) => prompt.id.as_str(),
                None => "",
            };
            let key = (prompt.ids.as_slice(), stream, prompt.first.as_slice());
            places.entry(key).or_default().push(place);
        }
        let groups: Vec<Vec<usize>> = places.into_values().collect();
        let once: Vec<&Prompt> = groups.iter().map(|group| &prompts[group[0]]).collect();
        let queue = &Queue::new(self, &once, manner);
        let (done, written) = mpsc::channel();
        std::thread::scope(|scope| {
            let lanes: Vec<_> = match self.model.devices.as_slice() {
                [] => (0..cpu::threads(queue))
                    .map(|_| {
                        let done = done.clone();
                        spawn_or_run(scope, move || {
                            lane::write(OnProcessor::new(queue), queue, &done)
                        })
                    })
                    .collect(),
                devices => (devices.iter())
                    .map(|device| {
                        let done = done.clone();
                        spawn_or_run(scope, move || {
                            lane::write(OnDevice::new(queue, device), queue, &done)
                        })
                    })
                    .collect(),
            };
            drop(done);
            let mut stopped = Ok(());
            for (group, completion) in written {
                for place in &groups[group] {
                    on(*place, completion.clone());
                }
                if stopped.is_ok() {
                    stopped = stop::check();
                    queue.failed.fetch_or(stopped.is_err(), Ordering::Relaxed);
                }
            }
            let lanes: Vec<Result<(), LmError>> = lanes.into_iter().map(joined).collect();
            lanes.into_iter().collect::<Result<Vec<()>, _>>()?;
            stopped.map_err(|stopped| LmError::Other {
                message: stopped.to_string(),
                hint: None,
            })
        })
    }

    fn head(&self) -> Result<(&Head, &PackedMatrix), LmError> {
        let head = self.model.transformer.head.as_ref();
        let head = head.ok_or_else(|| LmError::NoHead {
            system: self.model.name(),
        })?;
        if let Some(packed) = self.head.get() {
            return Ok((head, packed));
        }
        let packed = head.packed()?;
        Ok((head, self.head.get_or_init(|| packed)))
    }

    /// What was written as text, and where it was cut.
    fn finish(
        &self,
        ids: Vec<u32>,
        ended: Ended,
        first: Vec<f64>,
        manner: &Manner,
    ) -> Result<Completion, CheckpointError> {
        let mut text = self.model.tokenizer.decode_plain(&ids)?;
        if let Some(place) = stop_place(&text, &manner.stop) {
            text.truncate(place);
        }
        Ok(Completion {
            text,
            ids,
            ended,
            first,
        })
    }

    /// Whether what was written has come to a text that ends it.
    fn stops(&self, ids: &[u32], manner: &Manner) -> Result<bool, CheckpointError> {
        if manner.stop.is_empty() {
            return Ok(false);
        }
        let tokenizer = &self.model.tokenizer;
        Ok(
            stop_place(&tokenizer.decode_plain(ids)?, &manner.stop).is_some()
                || stop_place(&tokenizer.decode(ids)?, &manner.stop).is_some(),
        )
    }
}

/// What decides a text: its prompt, the stream of its draws, and what is asked of it.
type Same<'a> = (&'a [u32], &'a str, &'a [Vec<u32>]);

/// Where the first of these texts begins.
fn stop_place(text: &str, stops: &[String]) -> Option<usize> {
    stops.iter().filter_map(|stop| text.find(stop)).min()
}
