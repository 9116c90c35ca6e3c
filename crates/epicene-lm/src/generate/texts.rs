//! Texts in the making, wherever they are made: what was written so far, and what becomes of it when it ends.

use super::choosing::Draws;
use super::{Completion, Ended, Manner, Prompt, TextGenerator};
use crate::LmError;

/// A text that is being written.
pub struct Live {
    /// Which prompt it follows.
    pub place: usize,
    /// The prompt, and what was written.
    pub ids: Vec<u32>,
    pub draws: Draws,
    pub first: Vec<f64>,
}

/// Some prompts' texts.
pub struct Texts<'a> {
    generator: &'a TextGenerator,
    pub prompts: &'a [&'a Prompt],
    manner: &'a Manner,
    pub live: Vec<Live>,
    pub done: Vec<(usize, Completion)>,
}

impl<'a> Texts<'a> {
    pub fn new(
        generator: &'a TextGenerator,
        prompts: &'a [&'a Prompt],
        manner: &'a Manner,
    ) -> Texts<'a> {
        Texts {
            generator,
            prompts,
            manner,
            live: Vec::new(),
            done: Vec::new(),
        }
    }

    pub fn prompt_of(&self, live: &Live) -> &'a Prompt {
        self.prompts[live.place]
    }

    /// The text of a prompt, before its first token.
    pub fn begin(&self, place: usize) -> Live {
        let prompt = self.prompts[place];
        Live {
            place,
            ids: prompt.ids.clone(),
            draws: Draws::new(self.manner, &prompt.id),
            first: Vec::new(),
        }
    }

    /// Adds the token that was chosen; none where everything is forbidden and there is no way to go on. A text that ends is
    /// done, and not given back.
    pub fn take(&mut self, mut live: Live, token: Option<u32>) -> Result<Option<Live>, LmError> {
        let prompt = self.prompts[live.place].ids.len();
        let longest = self.manner.longest(prompt);
        let ended = match token.filter(|_| live.ids.len() < longest) {
            None => Some(Ended::Length),
            Some(token) => {
                live.ids.push(token);
                if self.manner.bans.is_end(token) {
                    Some(Ended::Itself)
                } else if self.generator.stops(&live.ids[prompt..], self.manner)? {
                    Some(Ended::Stop)
                } else {
                    (live.ids.len() >= longest).then_some(Ended::Length)
                }
            }
        };
        let Some(ended) = ended else {
            return Ok(Some(live));
        };
        let ids = live.ids.split_off(prompt);
        let completion = self.generator.finish(ids, ended, live.first, self.manner)?;
        self.done.push((live.place, completion));
        Ok(None)
    }
}

/// Completions in the order of their prompts.
pub fn in_order(count: usize, done: Vec<(usize, Completion)>) -> Vec<Completion> {
    let mut completions: Vec<Option<Completion>> = vec![None; count];
    for (place, completion) in done {
        completions[place] = Some(completion);
    }
    let every = completions.into_iter();
    every
        .map(|one| one.expect("without an error every prompt was taken and finished"))
        .collect()
}
