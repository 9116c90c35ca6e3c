//! A checkpoint run here that holds a conversation: its chat template, its own tokens, and options by their exact
//! probabilities at the first answer position.

use std::collections::BTreeMap;
use std::sync::Mutex;

use epicene_core::{
    Answer, AnswerSink, Capabilities, ChatAnswer, ChatQuestion, Finish, ModelKind, Query, System,
    SystemCard, SystemError, collect_answers,
};

use super::chat_questions;
use epicene_engine::LmError;
use epicene_engine::generate::{
    Completion, Ended, Message, Moment, Prompt, TextGenerator, Told, option_of_token,
};

/// Templates that print the day get this one, so that answers do not depend on when they are given.
const DAY: &str = "2026-01-01";
/// Opening marks before a letter that are looked behind.
const MOST_OPENINGS: usize = 3;

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
        let mut found = vec![Vec::new(); options.len()];
        for id in 0..model.usable_tokens() as u32 {
            if let Some(place) = option_of_token(&model.tokenizer().shown(id)?, options) {
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

    /// Answers questions that are asked in the same manner.
    fn write(
        &self,
        questions: &[&ChatQuestion],
        on: &mut dyn FnMut(usize, ChatAnswer),
    ) -> Result<(), SystemError> {
        let one = questions[0];
        let sampling = &one.sampling;
        let tokens = if one.log_probabilities {
            1
        } else {
            one.max_tokens as usize
        };
        let mut manner = self.generator.manner(&Told {
            max_tokens: Some(tokens),
            temperature: Some(sampling.temperature),
            top_p: (sampling.top_p < 1.0).then_some(sampling.top_p),
            top_k: sampling.top_k.map(|top_k| top_k as usize),
            seed: sampling.seed,
            stop: one.stop.clone(),
        })?;
        if one.log_probabilities {
            manner.behind_openings = MOST_OPENINGS;
        }
        let prompts: Vec<Prompt> = questions
            .iter()
            .enumerate()
            .map(|(index, question)| self.prompt(question).map_err(|error| error.about(index)))
            .collect::<Result<_, _>>()?;
        self.generator
            .write_each(&prompts, &manner, &mut |place, completion| {
                on(place, answer(completion, one.log_probabilities));
            })?;
        Ok(())
    }
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

impl System for LocalChat {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::of_batches(self.generator.batch_size())
    }

    fn option_probabilities(&self, _unit: &str) -> Result<bool, SystemError> {
        Ok(true)
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        collect_answers(self, batch)
    }

    fn answer_each(&self, batch: &[Query<'_>], on: &mut AnswerSink<'_>) -> Result<(), SystemError> {
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
            let own: Vec<&ChatQuestion> = group.iter().map(|place| questions[*place]).collect();
            let written = self.write(&own, &mut |place, answer| {
                let answer = Answer::Chat(Box::new(answer));
                on(&mut std::iter::once((group[place], answer)));
            });
            written.map_err(|error| error.in_batch(|place| group[place]))?;
        }
        Ok(())
    }
}
