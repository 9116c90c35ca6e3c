//! The decision about a file: every line is read as every language, and the lines vote.

use std::collections::BTreeMap;

use epicene_core::Script;

use super::profile::{Profile, Seen, profiles};
use super::{base, words};

/// Lines below which nothing is said.
const LEAST_LINES: usize = 5;
/// Lines that are looked at, spread over the file.
const MOST_LINES: usize = 1_000;
/// What one line can weigh, so that a long one does not outvote the rest.
const CAP: f64 = 12.0;
/// How much likelier a line must be in one language than in another to speak for it.
const SPEAKS: f64 = 3.0;

/// What a file looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub finding: Finding,
    /// Lines with letters that were looked at.
    pub lines: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Nothing speaks against the language it is said to be.
    Agrees,
    /// It is another language.
    Other(Evidence),
    /// It is that language or another: too little was there to tell.
    Unclear,
    /// There is no profile of that language, or hardly a line.
    Unchecked,
}

/// Why a file is thought to be in another language.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Codes of the languages it may be.
    pub codes: Vec<&'static str>,
    /// Lines that speak for these, and for the language it is said to be.
    pub speak_for: usize,
    pub speak_against: usize,
    /// Number and text of the line that speaks loudest, counted from 1 among those given.
    pub line: (usize, String),
    /// Words that the other language has and the claimed one has not, the commonest first.
    pub words: Vec<String>,
    /// Where the claimed language is not written like this: the script, and its share of all letters.
    pub script: Option<(Script, f64)>,
}

impl Evidence {
    /// `Croatian, Bosnian or Serbian`.
    pub fn languages(&self) -> String {
        super::joined(&self.codes)
    }
}

/// One line under every profile.
struct ProfiledLine<'a> {
    number: usize,
    text: &'a str,
    scores: Vec<f64>,
}

/// Looks whether lines are in the language they are said to be in.
pub fn identify<'a>(lines: impl Iterator<Item = &'a str>, claimed: &str) -> Reading {
    let code = base(claimed);
    let known = profiles();
    let own: Vec<usize> = (0..known.len())
        .filter(|&place| known[place].stands_for(code))
        .collect();
    let all: Vec<(usize, &str)> = (1..)
        .zip(lines)
        .filter(|(_, line)| line.chars().any(|letter| Script::of(letter).is_some()))
        .collect();
    let mut seen = Seen::default();
    let read: Vec<ProfiledLine<'_>> = spread(&all)
        .into_iter()
        .map(|(number, text)| line(number, text, &mut seen))
        .collect();
    let done = |finding| Reading {
        finding,
        lines: read.len(),
    };
    if own.is_empty() || read.len() < LEAST_LINES {
        return done(Finding::Unchecked);
    }
    let ours = |line: &ProfiledLine<'_>| best(&own, &line.scores);
    let margin =
        |line: &ProfiledLine<'_>, other: usize| (line.scores[other] - ours(line)).clamp(-CAP, CAP);
    let rivals: Vec<usize> = (0..known.len()).filter(|p| !own.contains(p)).collect();
    let (mut winner, mut most) = (None, 0.0);
    for &rival in &rivals {
        let total: f64 = read.iter().map(|line| margin(line, rival)).sum();
        if total > most {
            (winner, most) = (Some(rival), total);
        }
    }
    if let Some(winner) = winner {
        let speak_for = read.iter().filter(|l| margin(l, winner) > SPEAKS).count();
        let speak_against = read.iter().filter(|l| margin(l, winner) < -SPEAKS).count();
        // Four of five lines, and never a few among many that say nothing.
        if speak_for >= 4 && speak_for >= 4 * speak_against && 4 * speak_for >= read.len() {
            let profile = &known[winner];
            let claimed: Vec<&Profile> = own.iter().map(|&place| &known[place]).collect();
            let loudest = read
                .iter()
                .max_by(|a, b| margin(a, winner).total_cmp(&margin(b, winner)));
            return done(Finding::Other(Evidence {
                codes: profile.codes.clone(),
                speak_for,
                speak_against,
                line: loudest.map_or((0, String::new()), |line| {
                    (line.number, line.text.to_owned())
                }),
                words: telling_words(&read, profile, &claimed),
                script: foreign_script(&read, &claimed),
            }));
        }
    }
    // Whether enough lines are likelier in this language than in any other.
    let nearest = |line: &ProfiledLine<'_>| ours(line) - best(&rivals, &line.scores);
    let sure = read.iter().filter(|line| nearest(line) > SPEAKS).count();
    let against = read.iter().filter(|line| nearest(line) < -SPEAKS).count();
    done(if sure >= 2 && 10 * sure >= read.len() && sure > against {
        Finding::Agrees
    } else {
        Finding::Unclear
    })
}

/// At most [`MOST_LINES`], evenly from the whole file.
fn spread<'a>(all: &[(usize, &'a str)]) -> Vec<(usize, &'a str)> {
    let kept = all.len().min(MOST_LINES);
    (0..kept)
        .map(|place| all[place * all.len() / kept])
        .collect()
}

fn line<'a>(number: usize, text: &'a str, seen: &mut Seen) -> ProfiledLine<'a> {
    let mut scores = vec![0.0; profiles().len()];
    for word in words(&text.to_lowercase()) {
        for (score, of_word) in scores.iter_mut().zip(seen.of_word(word)) {
            *score += of_word;
        }
    }
    ProfiledLine {
        number,
        text,
        scores,
    }
}

fn best(places: &[usize], scores: &[f64]) -> f64 {
    let scores = places.iter().map(|&place| scores[place]);
    scores.fold(f64::NEG_INFINITY, f64::max)
}

/// Words that are listed for one language alone, the commonest of the file first.
fn telling_words(read: &[ProfiledLine<'_>], winner: &Profile, claimed: &[&Profile]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let lower: Vec<String> = read.iter().map(|line| line.text.to_lowercase()).collect();
    for word in lower.iter().flat_map(|line| words(line)) {
        if winner.lists(word) && claimed.iter().all(|profile| !profile.lists(word)) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let mut words: Vec<(usize, &str)> = counts.into_iter().map(|(w, count)| (count, w)).collect();
    words.sort_by_key(|(count, word)| (std::cmp::Reverse(*count), *word));
    words
        .into_iter()
        .take(6)
        .map(|(_, word)| word.to_owned())
        .collect()
}

/// The script most letters are of, where the claimed language is not written in it.
fn foreign_script(read: &[ProfiledLine<'_>], claimed: &[&Profile]) -> Option<(Script, f64)> {
    let mut counts: BTreeMap<Script, usize> = BTreeMap::new();
    let letters = read.iter().flat_map(|line| line.text.chars());
    for script in letters.filter_map(Script::of) {
        *counts.entry(script).or_default() += 1;
    }
    let total: usize = counts.values().sum();
    let (script, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let own = claimed
        .iter()
        .any(|profile| profile.scripts.contains(&script));
    (!own).then(|| (script, count as f64 / total as f64))
}
