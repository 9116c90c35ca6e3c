//! Translators, as a benchmark sees them: something that is given sentences and answers in another
//! language.
//!
//! A translator may be a service over HTTPS, a rule-based system in a process of its own, or a
//! model run here. Whichever it is, it is asked through [`CachedTranslator`], which writes every
//! answer down before it asks for the next.

pub mod apertium;
mod bill;
mod budget;
mod cache;
mod cached;
mod cached_chat;
mod claims;
mod copy;
mod entities;
mod error;
mod file;
mod kind;
mod languages;
mod local;
mod prompted;
mod service;
mod spec;

pub use bill::Bill;
pub use budget::Budget;
pub use cache::Cache;
pub use cached::CachedTranslator;
pub use cached_chat::{CachedChat, TokenPrice};
pub use error::MtError;
pub use kind::{Form, Opening, catalogue, forms, open};
pub use service::read_chat_answer;
pub use spec::{Named, TranslatorSpec};

use epicene_core::{ServerCard, SystemCard};

/// From which language into which, as codes of the registry ([`Language`](epicene_core::Language)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Direction<'a> {
    pub from: &'a str,
    pub to: &'a str,
}

/// Translates in any direction it knows.
pub trait Translator: Send + Sync {
    /// Everything that could change a translation is in the card: the source holds the options,
    /// the revision the version of what answered.
    fn card(&self) -> &SystemCard;

    fn limits(&self) -> Limits;

    /// Refuses a direction it cannot translate in, where it can know before it is asked.
    fn check_direction(&self, _direction: Direction<'_>) -> Result<(), MtError> {
        Ok(())
    }

    /// The version of what translates in this direction, where directions are separate systems.
    fn revision(&self, _direction: Direction<'_>) -> Option<String> {
        self.card().revision.clone()
    }

    /// The server that answers, where the card does not say which: it is asked who it is.
    fn server(&self) -> Result<Option<ServerCard>, MtError> {
        Ok(None)
    }

    /// Refuses answers of a server whose model was changed while it was asked.
    fn check_server(&self) -> Result<(), MtError> {
        Ok(())
    }

    /// What a million characters cost, where asking costs money.
    fn price(&self) -> Option<Price> {
        None
    }

    /// What people should know about the answers so far.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether its answers are worth keeping.
    fn is_cached(&self) -> bool {
        true
    }

    /// One answer for each text, in order. The same text gets the same answer whatever else is in
    /// the batch. A batch keeps within [`limits`](Translator::limits).
    fn translate(
        &self,
        batch: &[&str],
        direction: Direction<'_>,
    ) -> Result<Vec<Translated>, MtError>;
}

/// How much is asked in one call, and how many calls at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Texts in one request.
    pub texts: usize,
    /// Unicode characters in one request, all texts together.
    pub characters: usize,
    /// Bytes of UTF-8 in one request, all texts together.
    pub bytes: usize,
    /// Requests that may be under way at the same time.
    pub requests: usize,
}

impl Limits {
    /// Those of a model here, which uses the threads itself.
    pub(crate) fn of_batches(texts: usize) -> Limits {
        Limits {
            texts,
            characters: usize::MAX,
            bytes: usize::MAX,
            requests: 1,
        }
    }
}

/// What came of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Translated {
    Text(String),
    /// The system was asked, more than once, and has no answer: it is counted as such.
    Missing,
}

/// A list price, for estimates: what is billed is between the user and the service, and contracts, free quotas and taxes are not
/// known here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// US dollars for a million characters; `None` where it depends on the user's contract or on
    /// the model.
    pub dollars_per_million: Option<f64>,
    /// When the list was read.
    pub as_of: &'static str,
}

impl Price {
    /// As the lists of 2025-10 have it.
    pub(crate) const fn listed(dollars_per_million: f64) -> Price {
        Price {
            dollars_per_million: Some(dollars_per_million),
            as_of: "2025-10",
        }
    }

    pub fn estimate(&self, characters: u64) -> Option<f64> {
        self.dollars_per_million
            .map(|dollars| dollars * characters as f64 / 1e6)
    }

    /// `about 20 USD per million characters (2025-10)`, or nothing where it depends.
    pub fn words(&self) -> Option<String> {
        let dollars = self.dollars_per_million?;
        Some(format!(
            "about {dollars} USD per million characters ({})",
            self.as_of
        ))
    }
}
