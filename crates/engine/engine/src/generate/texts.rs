//! Texts in the making, wherever they are made: prompts in one queue, what was written so far, and what becomes of it
//! when it ends.

use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::mpsc::Sender;

use super::choosing::Draws;
use super::first_choice::is_opening;
use super::{Completion, Ended, Manner, Prompt, TextGenerator};
use crate::error::LmError;

/// A text that is being written.
pub struct Live<'a> {
    /// Which prompt it follows.
    pub place: usize,
    pub prompt: &'a Prompt,
    /// How many tokens are given: the prompt, and what only opened an answer.
    pub given: usize,
    /// What is given, and what was written.
    pub ids: Vec<u32>,
    pub draws: Draws,
    pub first: Vec<f64>,
}

impl Live<'_> {
    /// The sets of tokens that are asked for at its next position.
    pub fn asked(&self) -> &[Vec<u32>] {
        if self.ids.len() == self.given {
            &self.prompt.first
        } else {
            &[]
        }
    }
}

/// What all lanes share.
pub struct Queue<'a> {
    pub generator: &'a TextGenerator,
    pub prompts: &'a [&'a Prompt],
    pub manner: &'a Manner,
    /// The first prompt that no lane has taken.
    pub next: AtomicUsize,
    /// Lanes stop where they are.
    pub failed: AtomicBool,
}

/// Receives completions, each with the index of its prompt.
pub type Done = Sender<(usize, Completion)>;

impl<'a> Queue<'a> {
    pub fn new(
        generator: &'a TextGenerator,
        prompts: &'a [&'a Prompt],
        manner: &'a Manner,
    ) -> Queue<'a> {
        Queue {
            generator,
            prompts,
            manner,
            next: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
        }
    }

    /// The most tokens that one of the texts may have.
    pub fn longest(&self) -> usize {
        let longest = |prompt: &&Prompt| self.manner.longest(prompt.ids.len());
        let longest = self.prompts.iter().map(longest).max().unwrap_or(1);
        longest.max(1) + self.manner.behind_openings
    }

    /// The text of a prompt, before its first token.
    pub fn begin(&self, place: usize) -> Live<'a> {
        let prompt = self.prompts[place];
        Live {
            place,
            prompt,
            given: prompt.ids.len(),
            ids: prompt.ids.clone(),
            draws: Draws::new(self.manner, &prompt.id),
            first: Vec::new(),
        }
    }

    /// Adds the token that was chosen; none where everything is forbidden and there is no way to go on. A text that ends is
    /// done, and not given back.
    pub fn take(
        &self,
        mut live: Live<'a>,
        token: Option<u32>,
        done: &Done,
    ) -> Result<Option<Live<'a>>, LmError> {
        let longest = self.manner.longest(live.given);
        let ended = match token.filter(|_| live.ids.len() < longest) {
            None => Some(Ended::Length),
            Some(token) => {
                live.ids.push(token);
                if self.manner.bans.is_end(token) {
                    Some(Ended::Itself)
                } else if self.generator.stops(&live.ids[live.given..], self.manner)? {
                    Some(Ended::Stop)
                } else {
                    (live.ids.len() >= longest).then_some(Ended::Length)
                }
            }
        };
        let Some(ended) = ended else {
            return Ok(Some(live));
        };
        let written = live.ids[live.given..].to_vec();
        let first = std::mem::take(&mut live.first);
        let completion = self.generator.finish(written, ended, first, self.manner)?;
        let opened = live.given - live.prompt.ids.len();
        if ended == Ended::Length
            && live.ids.len() > live.given
            && opened < self.manner.behind_openings
            && is_opening(&completion.text)
        {
            // As if it had been given: asked again behind it.
            live.given = live.ids.len();
            live.draws = Draws::new(self.manner, &live.prompt.id);
            return Ok(Some(live));
        }
        // If the receiver is gone, it has already reported why.
        let _ = done.send((live.place, completion));
        Ok(None)
    }
}
