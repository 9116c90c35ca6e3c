//! A translator with its cache in front: what was answered once is never asked again, and every
//! answer is written down before the next request goes out.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use epicene_core::{
    Answer, Capabilities, Cost, Note, Query, Question, ServerCard, System, SystemCard, SystemError,
    counted,
};
use epicene_io::stop;
use epicene_io::threads::spawn_or_run;
use epicene_io::waiting;
use epicene_lm::LmError;

use crate::cache::{Cache, Store};
use crate::{Bill, Budget, Direction, MtError, Price, Translated, Translator};

/// How long another process' request is waited for before the cache is looked at again.
pub(crate) const WAIT: Duration = Duration::from_millis(200);

pub struct CachedTranslator {
    translator: Box<dyn Translator>,
    card: SystemCard,
    cache: Option<Cache>,
    fresh: bool,
    /// Languages a run asks for: their sentences wait for a batch together.
    languages: usize,
    /// By source and target language.
    stores: Mutex<BTreeMap<(String, String), Arc<Store>>>,
    spent: Mutex<Spent>,
    budget: Option<Arc<Budget>>,
}

/// What came of the sentences that were asked for.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    asked: u64,
    characters: u64,
    from_cache: u64,
    missing: u64,
}

impl CachedTranslator {
    /// `name` is what rows call the system, where the user gives one.
    pub fn new(
        translator: Box<dyn Translator>,
        name: Option<&str>,
        cache: Option<Cache>,
        fresh: bool,
        languages: usize,
        budget: Option<Arc<Budget>>,
    ) -> CachedTranslator {
        let mut card = translator.card().clone();
        if let Some(name) = name {
            card.name = name.to_owned();
        }
        let cache = cache.filter(|_| translator.is_cached());
        CachedTranslator {
            translator,
            card,
            cache,
            fresh,
            languages: languages.max(1),
            stores: Mutex::new(BTreeMap::new()),
            spent: Mutex::new(Spent::default()),
            budget,
        }
    }

    pub fn price(&self) -> Option<Price> {
        self.translator.price()
    }

    /// How many sentences are worth having at once.
    pub fn batch(&self) -> usize {
        let limits = self.translator.limits();
        limits.texts.saturating_mul(limits.requests).clamp(1, 4096)
    }

    pub(crate) fn store(&self, direction: Direction<'_>) -> Result<Option<Arc<Store>>, MtError> {
        let Some(cache) = &self.cache else {
            return Ok(None);
        };
        let mut stores = self
            .stores
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        let key = (direction.from.to_owned(), direction.to.to_owned());
        if let Some(store) = stores.get(&key) {
            return Ok(Some(Arc::clone(store)));
        }
        let revision = self.translator.revision(direction);
        let languages = (direction.from, direction.to);
        let card = self.translator.card();
        let server = self.translator.server()?;
        let revision = revision.as_deref();
        let store = cache.store(card, revision, languages, self.fresh, server.as_ref())?;
        let store = Arc::new(store);
        stores.insert(key, Arc::clone(&store));
        Ok(Some(store))
    }

    /// One answer for each text, in order.
    pub fn translate(
        &self,
        texts: &[&str],
        direction: Direction<'_>,
    ) -> Result<Vec<Translated>, MtError> {
        let store = self.store(direction)?;
        let mut known: HashMap<&str, Translated> = HashMap::new();
        let mut missing: Vec<&str> = Vec::new();
        let mut seen = HashSet::new();
        for &text in texts {
            if seen.insert(text) && !look_up(store.as_deref(), &mut known, text)? {
                missing.push(text);
            }
        }
        let mut spent = Spent {
            from_cache: known.len() as u64,
            ..Spent::default()
        };
        if !missing.is_empty() {
            let asked = self.ask(&missing, direction, store.as_deref(), &mut spent);
            self.add_up(spent);
            known.extend(asked?);
        } else {
            self.add_up(spent);
        }
        texts
            .iter()
            .map(|text| {
                known.get(text).cloned().ok_or_else(|| MtError::Server {
                    service: self.card.name.clone(),
                    message: format!("no answer for `{text}`"),
                })
            })
            .collect()
    }

    fn add_up(&self, more: Spent) {
        let mut spent = self
            .spent
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        spent.asked += more.asked;
        spent.characters += more.characters;
        spent.from_cache += more.from_cache;
        spent.missing += more.missing;
    }

    /// Asks for what is not there, request by request, several at once where the service likes
    /// that. What has been answered is stored whatever becomes of the rest. Nobody pays for a sentence that another process
    /// is paying for: it is waited for, or asked for if the other gives up.
    fn ask<'t>(
        &self,
        texts: &[&'t str],
        direction: Direction<'_>,
        store: Option<&Store>,
        spent: &mut Spent,
    ) -> Result<Vec<(&'t str, Translated)>, MtError> {
        let mut answers = Vec::new();
        let mut open = texts.to_vec();
        let mut shown = None;
        loop {
            let others = self.ask_once(&open, direction, store, spent, &mut answers)?;
            if others.is_empty() {
                return Ok(answers);
            }
            open = others;
            shown.get_or_insert_with(|| {
                waiting::begin(|| {
                    let name = &self.card.name;
                    format!("{name}: waiting for answers that another process is paying for")
                })
            });
            stop::pause(WAIT).map_err(|interrupted| MtError::Server {
                service: self.card.name.clone(),
                message: interrupted.to_string(),
            })?;
        }
    }

    /// One round of requests; what others are paying for is left.
    fn ask_once<'t>(
        &self,
        texts: &[&'t str],
        direction: Direction<'_>,
        store: Option<&Store>,
        spent: &mut Spent,
        answers: &mut Vec<(&'t str, Translated)>,
    ) -> Result<Vec<&'t str>, MtError> {
        let requests = self.packed(texts)?;
        let workers = self
            .translator
            .limits()
            .requests
            .clamp(1, 64)
            .min(requests.len());
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let done = Mutex::new((Vec::new(), None, Spent::default(), Vec::new()));
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let Some(batch) = requests.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    return;
                };
                let mut answered = Vec::new();
                let outcome = self.claimed(batch, direction, store, &mut answered);
                let mut done = done.lock().unwrap_or_else(|broken| broken.into_inner());
                for (text, translated) in &answered {
                    done.2.asked += 1;
                    done.2.characters += text.chars().count() as u64;
                    done.2.missing += u64::from(*translated == Translated::Missing);
                }
                done.0.extend(answered);
                match outcome {
                    Ok(left) => {
                        done.2.from_cache += left.stored.len() as u64;
                        done.0.extend(left.stored);
                        done.3.extend(left.others);
                    }
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        done.1.get_or_insert(error);
                    }
                }
            }
        };
        match workers {
            0 | 1 => work(),
            _ => std::thread::scope(|scope| {
                for _ in 0..workers {
                    spawn_or_run(scope, work);
                }
            }),
        }
        let (found, error, counted, others) = done.into_inner().unwrap_or_else(|b| b.into_inner());
        spent.asked += counted.asked;
        spent.characters += counted.characters;
        spent.missing += counted.missing;
        spent.from_cache += counted.from_cache;
        answers.extend(found);
        error.map_or(Ok(others), Err)
    }

    /// One request, for those of its sentences that nobody else is paying for.
    fn claimed<'t>(
        &self,
        batch: &[&'t str],
        direction: Direction<'_>,
        store: Option<&Store>,
        answered: &mut Vec<(&'t str, Translated)>,
    ) -> Result<Left<'t>, MtError> {
        let mut left = Left::default();
        let Some(store) = store.filter(|_| self.translator.price().is_some()) else {
            self.request(batch, direction, store, answered)?;
            return Ok(left);
        };
        let claimed = store.claim(batch)?;
        // What was released before is in the store by now.
        store.refresh()?;
        let (mut ours, mut open) = (Vec::new(), Vec::new());
        for (&text, is_ours) in batch.iter().zip(claimed) {
            match store.get(text)? {
                Some(found) => left.stored.push((text, Translated::Text(found))),
                None if is_ours => open.push(text),
                None => left.others.push(text),
            }
            if is_ours {
                ours.push(text);
            }
        }
        let outcome = if open.is_empty() {
            Ok(())
        } else {
            self.request(&open, direction, Some(store), answered)
        };
        store.release(&ours)?;
        outcome.map(|()| left)
    }

    /// One request, or two halves of it where the service finds it too large.
    fn request<'t>(
        &self,
        batch: &[&'t str],
        direction: Direction<'_>,
        store: Option<&Store>,
        answered: &mut Vec<(&'t str, Translated)>,
    ) -> Result<(), MtError> {
        let characters = batch.iter().map(|text| text.chars().count() as u64).sum();
        let cost = self.price().and_then(|price| price.estimate(characters));
        let budget = self.budget.as_ref().zip(cost);
        if let Some((budget, cost)) = budget {
            budget.take(cost)?;
        }
        let answers = self.translator.translate(batch, direction);
        // What was not answered is not billed, as far as anybody knows; asking again sets money aside again.
        if let (Some((budget, cost)), Err(_)) = (budget, &answers) {
            budget.give_back(cost)?;
        }
        let answers = match answers {
            Err(MtError::Refused { status: 413, .. }) if batch.len() > 1 => {
                let (first, second) = batch.split_at(batch.len() / 2);
                self.request(first, direction, store, answered)?;
                return self.request(second, direction, store, answered);
            }
            Err(error @ MtError::Refused { status: 413, .. }) => {
                return Err(error.of_text(batch[0]));
            }
            other => other?,
        };
        if answers.len() != batch.len() {
            return Err(MtError::Server {
                service: self.card.name.clone(),
                message: format!(
                    "{} texts were asked for and {} answered",
                    batch.len(),
                    answers.len()
                ),
            });
        }
        if let Some(store) = store {
            let pairs: Vec<(&str, &str)> = batch
                .iter()
                .zip(&answers)
                .filter_map(|(text, translated)| match translated {
                    Translated::Text(translation) => Some((*text, translation.as_str())),
                    Translated::Missing => None,
                })
                .collect();
            store.add(&pairs, self.translator.price().is_some())?;
        }
        answered.extend(batch.iter().copied().zip(answers));
        Ok(())
    }

    /// Texts in requests that keep within the translator's limits, in order.
    fn packed<'t>(&self, texts: &[&'t str]) -> Result<Vec<Vec<&'t str>>, MtError> {
        let limits = self.translator.limits();
        let mut requests: Vec<Vec<&str>> = Vec::new();
        let (mut characters, mut bytes) = (0, 0);
        for &text in texts {
            let count = text.chars().count();
            if count > limits.characters || text.len() > limits.bytes {
                let error = MtError::TooLong {
                    service: self.card.name.clone(),
                    characters: count,
                    limit: limits.characters.min(limits.bytes),
                    text: text.chars().take(60).collect::<String>() + "…",
                };
                return Err(error.of_text(text));
            }
            let full = requests.last().is_none_or(|request| {
                request.len() >= limits.texts
                    || characters + count > limits.characters
                    || bytes + text.len() > limits.bytes
            });
            if full {
                requests.push(Vec::new());
                (characters, bytes) = (0, 0);
            }
            characters += count;
            bytes += text.len();
            if let Some(request) = requests.last_mut() {
                request.push(text);
            }
        }
        Ok(requests)
    }
}

/// Sentences of a request that were not asked for.
#[derive(Default)]
struct Left<'t> {
    /// Another process has paid for them.
    stored: Vec<(&'t str, Translated)>,
    /// Another process is paying for them.
    others: Vec<&'t str>,
}

/// Whether the store has a text; it is then among what is known.
fn look_up<'t>(
    store: Option<&Store>,
    known: &mut HashMap<&'t str, Translated>,
    text: &'t str,
) -> Result<bool, MtError> {
    let Some(found) = store.map(|store| store.get(text)).transpose()?.flatten() else {
        return Ok(false);
    };
    known.insert(text, Translated::Text(found));
    Ok(true)
}

impl CachedTranslator {
    /// What the sentences of a bill cost; `None` where asking costs nothing.
    pub fn cost_of(&self, bill: &Bill) -> Option<Cost> {
        let price = self.price()?;
        let dollars = match bill.sentences {
            0 => Some(0.0),
            _ => price.estimate(bill.characters),
        };
        let cost = match dollars {
            Some(dollars) => format!(
                "about {dollars:.2} USD by the price list of {}, an estimate",
                price.as_of
            ),
            None => "at an unknown price".to_owned(),
        };
        Some(Cost {
            count: bill.sentences,
            dollars,
            words: format!(
                "{} to ask for, {} characters, {cost}",
                counted(bill.sentences, "sentence", "sentences"),
                bill.characters
            ),
        })
    }

    fn asked_for<'q>(
        &self,
        index: usize,
        question: &'q Question,
    ) -> Result<(&'q str, Direction<'q>), SystemError> {
        match question {
            Question::Translate { text, from, to } => Ok((text, Direction { from, to })),
            other => {
                let error = LmError::WrongQuestion {
                    system: self.card.name.clone(),
                    scorer: other.scorer().name(),
                };
                Err(error.about(index))
            }
        }
    }
}

impl System for CachedTranslator {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::of_batches(self.batch() * self.languages)
    }

    fn server(&self) -> Result<Option<ServerCard>, SystemError> {
        Ok(self.translator.server()?)
    }

    fn check_server(&self) -> Result<(), SystemError> {
        let spent = *self.spent.lock().unwrap_or_else(|b| b.into_inner());
        if spent.asked == 0 {
            return Ok(());
        }
        let checked = self.translator.check_server();
        if checked.is_err() {
            let stores = self.stores.lock().unwrap_or_else(|b| b.into_inner());
            stores.values().try_for_each(|store| store.disown())?;
        }
        Ok(checked?)
    }

    fn cost(
        &self,
        questions: &mut dyn Iterator<Item = Question>,
    ) -> Result<Option<Cost>, SystemError> {
        if self.price().is_none() {
            return Ok(None);
        }
        let mut bill = Bill::default();
        for (index, question) in questions.enumerate() {
            let (text, direction) = self.asked_for(index, &question)?;
            bill.add(self, text, direction)?;
        }
        Ok(self.cost_of(&bill))
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        let mut by_direction: BTreeMap<Direction<'_>, Vec<(usize, &str)>> = BTreeMap::new();
        for (index, query) in batch.iter().enumerate() {
            let (text, direction) = self.asked_for(index, &query.question)?;
            by_direction
                .entry(direction)
                .or_default()
                .push((index, text));
        }
        let mut answers = vec![Answer::Missing; batch.len()];
        for (direction, asked) in by_direction {
            let texts: Vec<&str> = asked.iter().map(|(_, text)| *text).collect();
            let translated = self.translate(&texts, direction).map_err(|error| {
                let blamed = match &error {
                    MtError::OfText { text, .. } => asked.iter().find(|(_, other)| other == text),
                    _ => None,
                };
                SystemError {
                    question: blamed.map(|(index, _)| *index),
                    ..error.into()
                }
            });
            for ((index, _), translated) in asked.iter().zip(translated?) {
                if let Translated::Text(text) = translated {
                    answers[*index] = Answer::Translation(text);
                }
            }
        }
        Ok(answers)
    }

    /// What came of the sentences, and what was asked for.
    fn notes(&self) -> Vec<Note> {
        let spent = *self
            .spent
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        let mut notes = Vec::new();
        if spent.missing > 0 {
            let missing = counted(
                spent.missing,
                "sentence has no translation; it counts",
                "sentences have no translation; they count",
            );
            notes.push(Note::Warning(format!("{missing} as missing")));
        }
        notes.extend(self.translator.notes().into_iter().map(Note::Warning));
        if spent.asked == 0 && spent.from_cache == 0 {
            return notes;
        }
        let cost = self
            .price()
            .and_then(|price| price.estimate(spent.characters))
            .filter(|_| spent.asked > 0)
            .map_or_else(String::new, |dollars| {
                format!(" (about {dollars:.2} USD, an estimate)")
            });
        notes.push(Note::Info(format!(
            "asked for {}, {} characters{cost}; {} in the cache",
            counted(spent.asked, "sentence", "sentences"),
            spent.characters,
            counted(spent.from_cache, "was", "were")
        )));
        notes
    }
}
