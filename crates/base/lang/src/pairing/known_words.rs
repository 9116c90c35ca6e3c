//! Lines that go together by words whose translation is known: kin, and the occupation lexicon.
//!
//! Generated sets repeat their sentences with one word changed, in a fixed order; moved by a line they
//! look as regular as before, and only knowledge of the words shows it.

use std::collections::BTreeMap;

use super::kin::Kin;
use super::{LEAST_LINES, SHIFTS, Seen, further, shuffled};
use crate::occupation::OccupationJudge;

/// Brother, sister, father and mother.
pub fn kin(sources: &[&str], targets: &[&str], language: &str) -> Seen {
    let Some(kin) = Kin::of(language) else {
        return Seen::Unclear;
    };
    let wanted: Vec<Option<usize>> = sources
        .iter()
        .map(|source| Kin::in_source(source))
        .collect();
    let found: Vec<Vec<usize>> = targets.iter().map(|target| kin.in_target(target)).collect();
    judged(&wanted, &found)
}

/// Numbers, which stay as they are.
pub fn numbers(sources: &[&str], targets: &[&str]) -> Seen {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut of_line = |line: &str| -> Vec<usize> {
        let digits = line.split(|letter: char| !letter.is_ascii_digit());
        let mut found = Vec::new();
        for number in digits.filter(|digits| !digits.is_empty()) {
            let next = known.len();
            found.push(*known.entry(number.to_owned()).or_insert(next));
        }
        found
    };
    let wanted: Vec<Option<usize>> = sources
        .iter()
        .map(|s| of_line(s).first().copied())
        .collect();
    let found: Vec<Vec<usize>> = targets.iter().map(|target| of_line(target)).collect();
    judged(&wanted, &found)
}

/// Occupations that the judge's lexicon knows.
pub fn occupations(named: &[Option<&str>], targets: &[&str], language: &str) -> Seen {
    let Some(judge) = OccupationJudge::for_language(language) else {
        return Seen::Unclear;
    };
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let wanted: Vec<Option<usize>> = named
        .iter()
        .map(|occupation| {
            let next = numbers.len();
            occupation.map(|occupation| *numbers.entry(occupation).or_insert(next))
        })
        .collect();
    if numbers.len() < 2 || named.len() != targets.len() {
        return Seen::Unclear;
    }
    let found: Vec<Vec<usize>> = targets
        .iter()
        .map(|target| {
            let tokens = judge.tokens(target);
            let has = |(name, _): &(&&str, &usize)| !judge.find(&tokens, name).is_empty();
            numbers
                .iter()
                .filter(has)
                .map(|(_, &number)| number)
                .collect()
        })
        .collect();
    judged(&wanted, &found)
}

/// Which word each source has, and which each target has.
fn judged(wanted: &[Option<usize>], found: &[Vec<usize>]) -> Seen {
    let count = wanted.len().min(found.len());
    let rate = |partner: &dyn Fn(usize) -> usize| {
        let (mut hits, mut of) = (0usize, 0usize);
        for line in 0..count {
            if let Some(word) = wanted[partner(line)]
                && !found[line].is_empty()
            {
                of += 1;
                hits += usize::from(found[line].contains(&word));
            }
        }
        (hits as f64 / of.max(1) as f64, of)
    };
    let (here, of) = rate(&|line| line);
    if of < LEAST_LINES || 2 * of < count {
        return Seen::Unclear;
    }
    let orders: Vec<Vec<usize>> = (0..4).map(|seed| shuffled(count, seed)).collect();
    let chance = orders.iter().map(|order| rate(&|line| order[line]).0);
    let chance = chance.sum::<f64>() / orders.len() as f64;
    let moved = SHIFTS.map(|by| (by, rate(&|line| further(line, by, count)).0));
    let best = moved.into_iter().fold(
        (0, here),
        |best, next| if next.1 > best.1 { next } else { best },
    );
    match best {
        (by, there) if there > here + 0.25 => Seen::Moved(by),
        _ if here > chance + 0.25 => Seen::InOrder,
        _ if here < chance + 0.08 && chance < 0.5 => Seen::Unrelated,
        _ => Seen::Unclear,
    }
}
