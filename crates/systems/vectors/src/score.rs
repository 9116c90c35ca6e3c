//! The gender score of a word (WiBeMT, section 2.1): how much closer it lies to masculine words than to
//! feminine ones, min-max normalised over the list it belongs to, averaged over embeddings and methods.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{InputError, counted};
use epicene_stats::round_half_even;

use crate::WordVectors;

/// Decimals of normalised values and scores.
const DECIMALS: usize = 5;

/// What words are held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// "he" against "she".
    Pronouns,
    /// The words of two lists, each by its mean.
    List,
}

impl Method {
    pub const ALL: [Method; 2] = [Method::Pronouns, Method::List];

    pub fn name(self) -> &'static str {
        match self {
            Method::Pronouns => "pronouns",
            Method::List => "list",
        }
    }
}

/// The words of the list method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceWords {
    pub feminine: Vec<String>,
    pub masculine: Vec<String>,
}

impl ReferenceWords {
    /// Every word a file of vectors is asked for to score `targets`.
    pub fn wanted(&self, targets: &[String]) -> BTreeSet<String> {
        let pronouns = ["he", "she"].map(str::to_owned);
        let lists = self.feminine.iter().chain(&self.masculine);
        lists.chain(targets).cloned().chain(pronouns).collect()
    }
}

/// One normalised value of a word: which embedding, which method.
pub type MethodPart = (usize, Method);

#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    pub word: String,
    /// Mean of the parts; the published score. Positive is masculine.
    pub mean: f64,
    /// Sum of the parts, as the paper words it.
    pub sum: f64,
    pub parts: BTreeMap<MethodPart, f64>,
    /// Whether every embedding and method has a value.
    pub complete: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// Ascending: most feminine first; equal scores in the order of the list.
    pub words: Vec<Scored>,
    /// Words in no embedding.
    pub dropped: Vec<String>,
    /// What the numbers had to do without.
    pub warnings: Vec<String>,
}

/// Scores one list of words. Lists are scored apart: the normalisation is over the list.
pub fn score(
    embeddings: &[WordVectors],
    targets: &[String],
    references: &ReferenceWords,
) -> Result<Scores, InputError> {
    let mut warnings = Vec::new();
    let targets = distinct(targets, &mut warnings);
    let mut parts: BTreeMap<&str, BTreeMap<MethodPart, f64>> = BTreeMap::new();
    for (index, embedding) in embeddings.iter().enumerate() {
        let space = Space::new(embedding, &mut warnings);
        for method in Method::ALL {
            let (feminine, masculine) = space.references(method, references, &mut warnings)?;
            let raw: Vec<(&str, f64)> = targets
                .iter()
                .filter_map(|word| {
                    let unit = space.units.get(word)?;
                    Some((
                        *word,
                        closeness(unit, &masculine) - closeness(unit, &feminine),
                    ))
                })
                .collect();
            for (word, value) in normalised(&raw) {
                parts
                    .entry(word)
                    .or_default()
                    .insert((index, method), value);
            }
        }
    }
    let all = embeddings.len() * Method::ALL.len();
    let mut scores = Scores {
        words: Vec::new(),
        dropped: Vec::new(),
        warnings,
    };
    for word in targets {
        let Some(parts) = parts.remove(word) else {
            scores.dropped.push(word.to_owned());
            continue;
        };
        let sum: f64 = parts.values().sum();
        scores.words.push(Scored {
            word: word.to_owned(),
            mean: round_half_even(sum / parts.len() as f64, DECIMALS),
            sum: round_half_even(sum, DECIMALS),
            complete: parts.len() == all,
            parts,
        });
    }
    scores.words.sort_by(|a, b| a.mean.total_cmp(&b.mean));
    Ok(scores)
}

fn distinct<'a>(targets: &'a [String], warnings: &mut Vec<String>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    let kept: Vec<&str> = targets
        .iter()
        .map(String::as_str)
        .filter(|word| seen.insert(*word))
        .collect();
    if kept.len() < targets.len() {
        let repeats = targets.len() - kept.len();
        warnings.push(counted(
            repeats,
            "word is in the list more than once and counts once",
            "words are in the list more than once and count once",
        ));
    }
    kept
}

/// Vectors of reference words of one gender.
type Side<'a> = Vec<&'a Vec<f64>>;

/// The vectors of one embedding at unit length.
struct Space<'a> {
    name: &'a str,
    units: BTreeMap<&'a str, Vec<f64>>,
}

impl<'a> Space<'a> {
    fn new(embedding: &'a WordVectors, warnings: &mut Vec<String>) -> Space<'a> {
        let name = &embedding.name;
        let mut units = BTreeMap::new();
        for (word, vector) in &embedding.vectors {
            let length = vector
                .iter()
                .map(|&x| f64::from(x).powi(2))
                .sum::<f64>()
                .sqrt();
            if length > 0.0 {
                let unit = vector.iter().map(|&x| f64::from(x) / length).collect();
                units.insert(word.as_str(), unit);
            } else {
                warnings.push(format!(
                    "{name}: `{word}` is all zeros and counts as absent"
                ));
            }
        }
        if !embedding.repeated.is_empty() {
            let repeated: Vec<&str> = embedding.repeated.iter().map(String::as_str).collect();
            warnings.push(format!(
                "{name}: {} there more than once, the first is kept: {}",
                counted(repeated.len(), "word is", "words are"),
                listed(&repeated)
            ));
        }
        if !embedding.composed.is_empty() {
            let composed: Vec<&str> = embedding.composed.iter().map(String::as_str).collect();
            warnings.push(format!(
                "{name}: {} not in the vocabulary, taken from character n-grams: {}",
                counted(composed.len(), "word is", "words are"),
                listed(&composed)
            ));
        }
        Space { name, units }
    }

    /// Feminine and masculine vectors of a method.
    fn references(
        &self,
        method: Method,
        words: &ReferenceWords,
        warnings: &mut Vec<String>,
    ) -> Result<(Side<'_>, Side<'_>), InputError> {
        if method == Method::Pronouns {
            let pronoun = |word: &str| {
                self.units.get(word).map(|unit| vec![unit]).ok_or_else(|| {
                    InputError::new(self.name, format!("there is no vector for `{word}`"))
                        .with_hint("gender scores are measured against `he` and `she`")
                })
            };
            return Ok((pronoun("she")?, pronoun("he")?));
        }
        let mut sides = Vec::new();
        for (gender, words) in [
            ("feminine", &words.feminine),
            ("masculine", &words.masculine),
        ] {
            let found: Side<'_> = words
                .iter()
                .filter_map(|word| self.units.get(word.as_str()))
                .collect();
            let missing: Vec<&str> = words
                .iter()
                .map(String::as_str)
                .filter(|word| !self.units.contains_key(word))
                .collect();
            if found.is_empty() {
                let message = format!("none of the {} {gender} words has a vector", words.len());
                return Err(InputError::new(self.name, message));
            }
            if !missing.is_empty() {
                warnings.push(format!(
                    "{}: {} of {} {gender} words are missing: {}",
                    self.name,
                    missing.len(),
                    words.len(),
                    listed(&missing)
                ));
            }
            sides.push(found);
        }
        let masculine = sides.pop().unwrap_or_default();
        Ok((sides.pop().unwrap_or_default(), masculine))
    }
}

/// The first few of many.
fn listed(words: &[&str]) -> String {
    const SHOWN: usize = 8;
    let mut text = words[..words.len().min(SHOWN)].join(", ");
    if words.len() > SHOWN {
        text += ", …";
    }
    text
}

/// Mean cosine of a unit vector with others.
fn closeness(unit: &[f64], others: &[&Vec<f64>]) -> f64 {
    let cosine = |other: &&Vec<f64>| -> f64 { unit.iter().zip(*other).map(|(a, b)| a * b).sum() };
    others.iter().map(cosine).sum::<f64>() / others.len() as f64
}

/// To [-1, 1] over the list; 0 where all are alike.
fn normalised<'a>(raw: &[(&'a str, f64)]) -> Vec<(&'a str, f64)> {
    let values = || raw.iter().map(|(_, value)| *value);
    let (low, high) = (
        values().fold(f64::INFINITY, f64::min),
        values().fold(f64::NEG_INFINITY, f64::max),
    );
    let scale = |value: f64| {
        if high > low {
            round_half_even(-1.0 + 2.0 * (value - low) / (high - low), DECIMALS)
        } else {
            0.0
        }
    };
    raw.iter()
        .map(|(word, value)| (*word, scale(*value)))
        .collect()
}

impl ReferenceWords {
    /// Words of our own, where no lists are given.
    pub fn embedded() -> ReferenceWords {
        let pairs = include_str!("../data/gender-words.tsv").lines();
        let (feminine, masculine) = pairs
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once('\t'))
            .map(|(feminine, masculine)| (feminine.to_owned(), masculine.to_owned()))
            .unzip();
        ReferenceWords {
            feminine,
            masculine,
        }
    }
}
