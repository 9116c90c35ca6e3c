//! A checkpoint run here that holds a conversation: its chat template, its own tokens, and options by their exact
//! probabilities at the first answer position.

use std::collections::BTreeMap;
use std::sync::Mutex;

use epicene_core::{Answer, ChatAnswer, ChatQuestion, Finish, ModelKind, Query, SystemCard};

use super::{chat_questions, is_opening, option_of_token};
use crate::generate::{Completion, Ended, Message, Moment, Prompt, TextGenerator, Told};
use crate::{LanguageModel, LmError};

/// Templates that print the day get this one, so that answers do not depend on when they are given.
const DAY: &str = "2026-01-01";
/// Opening marks before a letter that are looked behind.
const MOST_OPENINGS: usize = 3;

/// Choices that are read at once: enough for their prompts to share beginnings.
const LETTERS_AT_ONCE: usize = 512;

pub struct LocalChat {
    generator: TextGenerator,
    card: SystemCard,
    /// Tokens of each option, by the options.
    spellings: Mutex<BTreeMap<Vec<String>, Vec<Vec<u32>>>>,
}

impl LocalChat {
    /// Refuses a checkpoint without a chat template.
    pub fn new(generator: TextGenerator) -> Result<LocalChat, LmError> {
        if generator.template().is_none() {
            return Err(LmError::NoTemplate {
                system: generator.card().name.clone(),
            });
        }
        let mut card = generator.card().clone();
        card.kind = ModelKind::Chat;
        Ok(LocalChat {
            generator,
            card,
            spellings: Mutex::new(BTreeMap::new()),
        })
    }

    /// Where it runs, in words.
    pub fn place(&self) -> Option<String> {
        self.generator.place()
    }

    /// Where the time of loading went, in words; one line for each GPU.
    pub fn loading(&self) -> &[String] {
        self.generator.loading()
    }

    /// The tokens that begin each option.
    fn spellings(&self, options: &[String]) -> Result<Vec<Vec<u32>>, LmError> {
        let mut known = self
            .spellings
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        if let Some(found) = known.get(options) {
            return Ok(found.clone());
        }
        let model = self.generator.model();
        let rows = model.transformer.embedding.tokens.rows;
        let mut found = vec![Vec::new(); options.len()];
        for id in 0..model.tokenizer.size().min(rows) as u32 {
            if let Some(place) = option_of_token(&model.tokenizer.shown(id)?, options) {
                found[place].push(id);
            }
        }
        known.insert(options.to_vec(), found.clone());
        Ok(found)
    }

    fn prompt(&self, question: &ChatQuestion) -> Result<Prompt, LmError> {
        let message =
            |one: &epicene_core::Message| Message::new(one.role.name(), one.content.as_str());
        let messages: Vec<Message> = question.messages.iter().map(message).collect();
        let moment = Moment::of_day(DAY).expect("the day is a day");
        let texts: Vec<&str> = question
            .messages
            .iter()
            .map(|one| one.content.as_str())
            .collect();
        Ok(Prompt {
            id: texts.join("\u{1f}"),
            ids: self
                .generator
                .conversation(&messages, &BTreeMap::new(), moment)?,
            first: if question.log_probabilities {
                self.spellings(&question.options)?
            } else {
                Vec::new()
            },
        })
    }

    /// Answers to questions that are asked in the same manner.
    fn write(&self, questions: &[&ChatQuestion]) -> Result<Vec<ChatAnswer>, LmError> {
        let one = questions[0];
        let sampling = &one.sampling;
        let tokens = if one.log_probabilities {
            1
        } else {
            one.max_tokens as usize
        };
        let manner = self.generator.manner(&Told {
            max_tokens: Some(tokens),
            temperature: Some(sampling.temperature),
            top_p: (sampling.top_p < 1.0).then_some(sampling.top_p),
            top_k: sampling.top_k.map(|top_k| top_k as usize),
            seed: sampling.seed,
            stop: one.stop.clone(),
        })?;
        let mut prompts: Vec<Prompt> = questions
            .iter()
            .map(|question| self.prompt(question))
            .collect::<Result<_, _>>()?;
        let mut written = self.generator.write(&prompts, &manner)?;
        if one.log_probabilities {
            for _ in 0..MOST_OPENINGS {
                let open: Vec<usize> = (0..written.len())
                    .filter(|place| opens(&written[*place]))
                    .collect();
                if open.is_empty() {
                    break;
                }
                for place in &open {
                    let id = written[*place].ids[0];
                    prompts[*place].ids.push(id);
                }
                let again: Vec<Prompt> = open.iter().map(|place| prompts[*place].clone()).collect();
                for (place, completion) in
                    open.into_iter().zip(self.generator.write(&again, &manner)?)
                {
                    written[place] = completion;
                }
            }
        }
        Ok(written
            .into_iter()
            .map(|completion| answer(completion, one.log_probabilities))
            .collect())
    }
}

/// Whether all that was written opens an answer.
fn opens(completion: &Completion) -> bool {
    completion.ended == Ended::Length && !completion.ids.is_empty() && is_opening(&completion.text)
}

fn answer(completion: Completion, log_probabilities: bool) -> ChatAnswer {
    let finish = match completion.ended {
        Ended::Itself | Ended::Stop => Finish::Stop,
        Ended::Length => Finish::Length,
    };
    let thinks = completion.text.trim_start().starts_with("<think");
    let shown = |value: &f64| value.is_finite().then_some(value.min(0.0));
    ChatAnswer {
        options: (log_probabilities && !thinks)
            .then(|| completion.first.iter().map(shown).collect()),
        ..ChatAnswer::new(completion.text, finish)
    }
}

impl LanguageModel for LocalChat {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn batch_size(&self) -> usize {
        self.generator.batch_size()
    }

    fn option_probabilities(&self, _unit: &str) -> Result<bool, LmError> {
        Ok(true)
    }

    fn observe(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, LmError> {
        let mut answers = vec![Answer::Missing; batch.len()];
        self.observe_each(batch, &mut |place, answer| answers[place] = answer)?;
        Ok(answers)
    }

    fn observe_each(
        &self,
        batch: &[Query<'_>],
        on: &mut dyn FnMut(usize, Answer),
    ) -> Result<(), LmError> {
        let questions = chat_questions(&self.card, batch)?;
        let mut alike: Vec<Vec<usize>> = Vec::new();
        for (place, question) in questions.iter().enumerate() {
            let same = |group: &&mut Vec<usize>| {
                let other = questions[group[0]];
                (other.max_tokens, other.log_probabilities)
                    == (question.max_tokens, question.log_probabilities)
                    && other.sampling == question.sampling
                    && other.stop == question.stop
            };
            match alike.iter_mut().find(same) {
                Some(group) => group.push(place),
                None => alike.push(vec![place]),
            }
        }
        for group in alike {
            // Letters need no company to be written; texts fill a batch together.
            let piece = match questions[group[0]].log_probabilities {
                true => LETTERS_AT_ONCE,
                false => group.len(),
            };
            for piece in group.chunks(piece) {
                let own: Vec<&ChatQuestion> = piece.iter().map(|place| questions[*place]).collect();
                for (place, answer) in piece.iter().zip(self.write(&own)?) {
                    on(*place, Answer::Chat(Box::new(answer)));
                }
            }
        }
        Ok(())
    }
}
