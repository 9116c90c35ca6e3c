//! A chat service with its cache in front: a question that was answered once is never asked again, and every answer is
//! written down as it comes.

use std::collections::HashSet;
use std::str::FromStr;
use std::sync::{Arc, Mutex, OnceLock};

use epicene_core::{
    Answer, Capabilities, ChatAnswer, ChatQuestion, Cost, ErrorKind, Note, Query, Question,
    ServerCard, System, SystemCard, SystemError, counted,
};
use epicene_io::stop;
use epicene_io::waiting;
use epicene_lm::chat::{ChatService, chat_questions};
use serde::Serialize;

use crate::Budget;
use crate::cache::{Cache, Store};
use crate::cached::WAIT;

pub struct CachedChat {
    service: ChatService,
    cache: Cache,
    fresh: bool,
    price: Option<TokenPrice>,
    store: OnceLock<Store>,
    spent: Mutex<Spent>,
    budget: Option<Arc<Budget>>,
}

/// What a million tokens cost in dollars, in and out, as the user has it from the service: lists change too often to be kept
/// here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenPrice {
    input: f64,
    output: f64,
}

/// What came of the questions.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    asked: u64,
    from_cache: u64,
    tokens_in: u64,
    tokens_out: u64,
}

impl TokenPrice {
    /// Dollars for so many tokens in and out.
    pub fn estimate(&self, tokens_in: u64, tokens_out: u64) -> f64 {
        (tokens_in as f64 * self.input + tokens_out as f64 * self.output) / 1e6
    }
}

impl FromStr for TokenPrice {
    type Err = String;

    /// `0.15,0.60`
    fn from_str(given: &str) -> Result<TokenPrice, String> {
        let price = |text: &str| {
            let price: f64 = text.trim().parse().ok()?;
            (price >= 0.0 && price.is_finite()).then_some(price)
        };
        let prices = given.split_once(',');
        let prices = prices.and_then(|(input, output)| Some((price(input)?, price(output)?)));
        let (input, output) = prices.ok_or_else(|| {
            format!("`{given}` is not two prices, of a million tokens in and out, e.g. 0.15,0.60")
        })?;
        Ok(TokenPrice { input, output })
    }
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

/// Tokens of a text, which nobody counts here.
fn tokens_of(text: &str) -> u64 {
    text.chars().count().div_ceil(4) as u64
}

fn tokens(question: &ChatQuestion) -> u64 {
    let letters: usize = question
        .messages
        .iter()
        .map(|message| message.content.chars().count())
        .sum();
    letters.div_ceil(4) as u64 + 8
}

impl CachedChat {
    pub fn new(
        service: ChatService,
        cache: Cache,
        fresh: bool,
        price: Option<TokenPrice>,
        budget: Option<Arc<Budget>>,
    ) -> CachedChat {
        CachedChat {
            service,
            cache,
            fresh,
            price,
            store: OnceLock::new(),
            spent: Mutex::default(),
            budget,
        }
    }

    fn is_paid(&self) -> bool {
        self.service.is_paid()
    }

    fn store(&self) -> Result<&Store, SystemError> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let opened = self.cache.store(
            self.service.card(),
            self.service.addresses().as_deref(),
            ("question", "answer"),
            self.fresh,
            self.service.server()?.as_ref(),
        )?;
        Ok(self.store.get_or_init(|| opened))
    }

    fn kept(&self, key: &str) -> Result<Option<ChatAnswer>, SystemError> {
        let found = self.store()?.get(key)?;
        // What cannot be read any more is asked again.
        let answer: Option<ChatAnswer> = found.and_then(|text| serde_json::from_str(&text).ok());
        if let Some(answer) = &answer {
            self.service.take_over(answer)?;
        }
        Ok(answer)
    }

    /// An answer from the cache, or from the service. Nobody pays for a question that another process is paying for.
    fn one(&self, question: &ChatQuestion) -> Result<ChatAnswer, SystemError> {
        let key = key(question);
        if let Some(kept) = self.kept(&key)? {
            self.add_up(|spent| spent.from_cache += 1);
            return Ok(kept);
        }
        if !self.is_paid() {
            return self.ask(question, &key);
        }
        let store = self.store()?;
        let mut shown = None;
        loop {
            let is_ours = store.claim(&[&key])? == [true];
            // What was released before is in the store by now.
            store.refresh()?;
            let answer = match self.kept(&key)? {
                Some(kept) => {
                    self.add_up(|spent| spent.from_cache += 1);
                    Some(Ok(kept))
                }
                None => is_ours.then(|| self.ask(question, &key)),
            };
            if is_ours {
                store.release(&[&key])?;
            }
            if let Some(answer) = answer {
                return answer;
            }
            shown.get_or_insert_with(|| {
                waiting::begin(|| {
                    "waiting for an answer that another process is paying for".to_owned()
                })
            });
            stop::pause(WAIT).map_err(|interrupted| {
                SystemError::new(ErrorKind::Failed, interrupted.to_string())
            })?;
        }
    }

    fn ask(&self, question: &ChatQuestion, key: &str) -> Result<ChatAnswer, SystemError> {
        let tokens_in = tokens(question);
        let cost = |tokens_out: u64| {
            self.price
                .map_or(0.0, |p| p.estimate(tokens_in, tokens_out))
        };
        let most = cost(u64::from(question.max_tokens));
        let budget = self.budget.as_ref();
        if let Some(budget) = budget {
            budget.take(most)?;
        }
        let answer = self.service.ask(question)?;
        let text = serde_json::to_string(&answer).expect("an answer is plain data");
        self.store()?.add(&[(key, &text)], self.is_paid())?;
        let thoughts = answer.reasoning.as_deref().unwrap_or_default();
        let tokens_out = tokens_of(&answer.text) + tokens_of(thoughts);
        if let Some(budget) = budget {
            budget.give_back((most - cost(tokens_out)).max(0.0))?;
        }
        self.add_up(|spent| {
            spent.asked += 1;
            spent.tokens_in += tokens_in;
            spent.tokens_out += tokens_out;
        });
        Ok(answer)
    }

    fn add_up(&self, more: impl FnOnce(&mut Spent)) {
        more(&mut self.spent.lock().unwrap_or_else(|b| b.into_inner()));
    }
}

impl System for CachedChat {
    fn card(&self) -> &SystemCard {
        self.service.card()
    }

    fn capabilities(&self) -> Capabilities {
        self.service.capabilities()
    }

    fn option_probabilities(&self, unit: &str) -> Result<bool, SystemError> {
        self.service.option_probabilities(unit)
    }

    fn server(&self) -> Result<Option<ServerCard>, SystemError> {
        self.service.server()
    }

    fn check_server(&self) -> Result<(), SystemError> {
        let asked = self.spent.lock().unwrap_or_else(|b| b.into_inner()).asked;
        if asked == 0 {
            return Ok(());
        }
        let checked = self.service.check_server();
        if checked.is_err() {
            self.store()?.disown()?;
        }
        checked
    }

    fn accept(&self, kept: &Answer) -> Result<(), SystemError> {
        self.service.accept(kept)
    }

    /// Tokens are estimates: four characters each, and the longest answers.
    fn cost(
        &self,
        questions: &mut dyn Iterator<Item = Question>,
    ) -> Result<Option<Cost>, SystemError> {
        if !self.is_paid() {
            return Ok(None);
        }
        let mut seen = HashSet::new();
        let (mut tokens_in, mut tokens_out) = (0, 0);
        for question in questions {
            let Question::Chat(question) = question else {
                continue;
            };
            let key = key(&question);
            if !self.store()?.has(&key) && seen.insert(key) {
                tokens_in += tokens(&question);
                tokens_out += u64::from(question.max_tokens);
            }
        }
        let count = seen.len() as u64;
        let dollars = match (count, self.price) {
            (0, _) => Some(0.0),
            (_, price) => price.map(|price| price.estimate(tokens_in, tokens_out)),
        };
        let cost = match dollars {
            Some(dollars) => format!("at most about {dollars:.2} USD at the price you gave"),
            None => "at an unknown price (--price IN,OUT names it)".to_owned(),
        };
        Ok(Some(Cost {
            count,
            dollars,
            words: format!(
                "{} to ask, about {tokens_in} tokens in and at most {tokens_out} out, {cost}",
                counted(count, "question", "questions"),
            ),
        }))
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        let questions = chat_questions(self.service.card(), batch)?;
        let work = |place: usize| {
            let answer = self.one(questions[place]);
            answer.map_err(|error| error.about(place))
        };
        let answers = self.service.each(questions.len(), work)?;
        let answer = |answer| Answer::Chat(Box::new(answer));
        Ok(answers.into_iter().map(answer).collect())
    }

    fn notes(&self) -> Vec<Note> {
        let spent = *self.spent.lock().unwrap_or_else(|b| b.into_inner());
        if spent.asked == 0 && spent.from_cache == 0 {
            return Vec::new();
        }
        let cost = self
            .price
            .map(|price| price.estimate(spent.tokens_in, spent.tokens_out))
            .filter(|_| spent.asked > 0)
            .map_or_else(String::new, |dollars| {
                format!(" (about {dollars:.2} USD, an estimate)")
            });
        vec![Note::Info(format!(
            "asked {}{cost}; {} in the cache",
            counted(spent.asked, "question", "questions"),
            counted(spent.from_cache, "answer was", "answers were")
        ))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_two_numbers() {
        let price: TokenPrice = "0.5, 2".parse().unwrap();
        assert_eq!(price.estimate(1_000_000, 500_000), 1.5);
        for bad in ["", "1", "1,-2", "1,x", "inf,1"] {
            assert!(bad.parse::<TokenPrice>().is_err(), "{bad}");
        }
    }
}
