//! A chat service with its cache in front: a question that was answered once is never asked again, and every answer is
//! written down as it comes.

use std::collections::HashSet;
use std::sync::{Mutex, OnceLock};

use epicene_core::{Answer, ChatAnswer, ChatQuestion, Query, SystemCard};
use epicene_lm::chat::{ChatPrice, ChatService, chat_questions};
use epicene_lm::{LanguageModel, LmError};
use serde::Serialize;

use crate::MtError;
use crate::cache::{Cache, Store};

pub struct CachedChat {
    service: ChatService,
    cache: Cache,
    fresh: bool,
    store: OnceLock<Store>,
    spent: Mutex<ChatSpent>,
}

/// What came of the questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChatSpent {
    pub asked: u64,
    pub from_cache: u64,
    pub tokens_in: u64,
    pub tokens_out: u64,
}

/// What a run would have to ask, each question once. Tokens are estimates: four characters each, and the longest answers.
#[derive(Debug, Default)]
pub struct ChatBill {
    pub questions: u64,
    pub tokens_in: u64,
    pub tokens_out: u64,
    seen: HashSet<String>,
}

/// Everything that could change an answer.
#[derive(Serialize)]
struct Key<'q> {
    messages: &'q [epicene_core::Message],
    options: &'q [String],
    log_probabilities: bool,
    sampling: &'q epicene_core::Sampling,
    max_tokens: u32,
    stop: &'q [String],
}

fn key(question: &ChatQuestion) -> String {
    let key = Key {
        messages: &question.messages,
        options: &question.options,
        log_probabilities: question.log_probabilities,
        sampling: &question.sampling,
        max_tokens: question.max_tokens,
        stop: &question.stop,
    };
    serde_json::to_string(&key).expect("a question is plain data")
}

fn tokens(question: &ChatQuestion) -> u64 {
    let letters: usize = question
        .messages
        .iter()
        .map(|message| message.content.chars().count())
        .sum();
    letters.div_ceil(4) as u64 + 8
}

impl ChatBill {
    /// Counts a question that is not in the cache.
    pub fn add(&mut self, chat: &CachedChat, question: &ChatQuestion) -> Result<(), MtError> {
        let key = key(question);
        if chat.store()?.has(&key) || !self.seen.insert(key) {
            return Ok(());
        }
        self.questions += 1;
        self.tokens_in += tokens(question);
        self.tokens_out += u64::from(question.max_tokens);
        Ok(())
    }
}

impl CachedChat {
    pub fn new(service: ChatService, cache: Cache, fresh: bool) -> CachedChat {
        CachedChat {
            service,
            cache,
            fresh,
            store: OnceLock::new(),
            spent: Mutex::new(ChatSpent::default()),
        }
    }

    pub fn price(&self) -> Option<ChatPrice> {
        self.service.price()
    }

    pub fn spent(&self) -> ChatSpent {
        *self
            .spent
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    fn store(&self) -> Result<&Store, MtError> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let opened = self.cache.store(
            self.service.card(),
            None,
            ("question", "answer"),
            self.fresh,
        )?;
        Ok(self.store.get_or_init(|| opened))
    }

    fn kept(&self, key: &str) -> Result<Option<ChatAnswer>, MtError> {
        let found = self.store()?.get(key)?;
        // What cannot be read any more is asked again.
        Ok(found.and_then(|text| serde_json::from_str(&text).ok()))
    }
}

impl LanguageModel for CachedChat {
    fn card(&self) -> &SystemCard {
        self.service.card()
    }

    fn batch_size(&self) -> usize {
        self.service.batch_size()
    }

    fn option_probabilities(&self, unit: &str) -> Result<bool, LmError> {
        self.service.option_probabilities(unit)
    }

    fn observe(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, LmError> {
        let questions = chat_questions(self.service.card(), batch)?;
        let keys: Vec<String> = questions.iter().map(|question| key(question)).collect();
        let mut answers: Vec<Option<ChatAnswer>> = keys
            .iter()
            .map(|key| self.kept(key))
            .collect::<Result<_, _>>()?;
        let open: Vec<usize> = (0..keys.len())
            .filter(|place| answers[*place].is_none())
            .collect();
        let mut spent = ChatSpent {
            from_cache: (keys.len() - open.len()) as u64,
            ..ChatSpent::default()
        };
        let asked: Vec<&ChatQuestion> = open.iter().map(|place| questions[*place]).collect();
        let durable = self.price().is_some();
        let said = self.service.ask_all(&asked, |place, answer| {
            let text = serde_json::to_string(answer).expect("an answer is plain data");
            let key = keys[open[place]].as_str();
            Ok(self.store()?.add(&[(key, &text)], durable)?)
        })?;
        for (place, answer) in open.into_iter().zip(said) {
            spent.asked += 1;
            spent.tokens_in += tokens(questions[place]);
            spent.tokens_out += answer.text.chars().count().div_ceil(4) as u64;
            answers[place] = Some(answer);
        }
        let mut total = self
            .spent
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        total.asked += spent.asked;
        total.from_cache += spent.from_cache;
        total.tokens_in += spent.tokens_in;
        total.tokens_out += spent.tokens_out;
        Ok(answers
            .into_iter()
            .flatten()
            .map(|answer| Answer::Chat(Box::new(answer)))
            .collect())
    }
}
