//! The authors' matching, as the specification words it: deleted punctuation, entries as substrings, and the
//! article where a noun is the same for both genders.

use super::super::label::Label;
use super::nouns::Nouns;
use super::{Classified, Part, without_punctuation};

/// Occupations whose sentences with an adjective the authors went over again with the article rules.
const DECIDED_AGAIN: [&str; 3] = ["CEO", "clerk", "supervisor"];

const MASCULINE_OBLIQUE: [&str; 5] = ["den", "dem", "des", "beim", "vom"];

pub fn classify(text: &str, nouns: &Nouns, part: Part) -> Classified {
    let plain = format!("{} ", without_punctuation(text));
    let lower = plain.to_lowercase();
    if part == Part::Adjective {
        for name in [" Debonair", " Suave"] {
            if plain.contains(name) {
                return Classified::new(Label::Wrong, "name", vec![name.trim().to_owned()]);
            }
        }
        if DECIDED_AGAIN.contains(&nouns.occupation)
            && let Some(found) = by_article(&lower, nouns, part)
        {
            return found;
        }
    }
    let mut found: Vec<(Label, String)> = Vec::new();
    for (label, entries, endings) in [
        (Label::Female, &nouns.feminine, &[""][..]),
        (Label::Male, &nouns.masculine, &["", "s"]),
        (Label::Neutral, &nouns.neutral, &["", "s"]),
        (Label::Wrong, &nouns.wrong, &["", "s", "in"]),
    ] {
        // The genitive is looked for in sentences with adjectives alone.
        let endings = endings
            .iter()
            .filter(|ending| part == Part::Adjective || **ending != "s");
        let hit = entries.iter().find_map(|entry| {
            let mut endings = endings.clone();
            let ending = endings.find(|ending| has(&plain, entry, ending, part))?;
            Some(format!("{entry}{ending}"))
        });
        found.extend(hit.map(|entry| (label, entry)));
    }
    match found.as_slice() {
        [(label, entry)] => Classified::new(*label, "list", vec![entry.clone()]),
        [] => by_article(&lower, nouns, part)
            .unwrap_or_else(|| Classified::unresolved("nothing-found", Vec::new())),
        several => {
            let evidence = several.iter().map(|(_, entry)| entry.clone()).collect();
            Classified::unresolved("several-classes", evidence)
        }
    }
}

/// Whether the entry with the ending stands before a space, and in sentences with adjectives behind one.
fn has(plain: &str, entry: &str, ending: &str, part: Part) -> bool {
    plain.match_indices(entry).any(|(start, _)| {
        let rest = &plain[start + entry.len()..];
        let bounded = part == Part::Verb || plain[..start].ends_with(' ');
        bounded
            && rest
                .strip_prefix(ending)
                .is_some_and(|rest| rest.starts_with(' '))
    })
}

/// Case-dependent nouns: the two words before them decide.
fn by_article(lower: &str, nouns: &Nouns, part: Part) -> Option<Classified> {
    let words: Vec<&str> = lower.split(' ').collect();
    let mut feminine = None;
    let mut nominative = |noun: &str| -> Option<Classified> {
        for (before, evidence) in occurrences(&words, noun) {
            if before.contains(&"der") {
                return Some(Classified::new(Label::Male, "article-nominative", evidence));
            }
            if before.contains(&"die") && feminine.is_none() {
                feminine = Some(Classified::new(
                    Label::Female,
                    "article-nominative",
                    evidence,
                ));
            }
        }
        None
    };
    for noun in nouns.article.iter().chain(&nouns.loans) {
        let found = nominative(&noun.to_lowercase());
        if found.is_some() && !is_oblique_loan(&words, nouns, part) {
            return found;
        }
    }
    let weak = match nouns.occupation {
        "receptionist" => Some("rezeptionisten".to_owned()),
        _ => None,
    };
    let oblique = nouns
        .article
        .iter()
        .map(|noun| format!("{}n", noun.to_lowercase()));
    let loans = nouns.loans.iter().map(|loan| loan.to_lowercase());
    for noun in oblique.chain(weak).chain(loans) {
        for (before, evidence) in occurrences(&words, &noun) {
            if before.iter().any(|word| MASCULINE_OBLIQUE.contains(word)) {
                return Some(Classified::new(Label::Male, "article-oblique", evidence));
            }
            let loan = nouns.loans.iter().any(|loan| loan.to_lowercase() == noun);
            if !loan && before.iter().any(|word| ["der", "die"].contains(word)) {
                feminine = feminine.or(Some(Classified::new(
                    Label::Female,
                    "article-oblique",
                    evidence,
                )));
            }
        }
    }
    feminine
}

/// Our substitute for the authors' list of sentences with the loan word in object position.
fn is_oblique_loan(words: &[&str], nouns: &Nouns, part: Part) -> bool {
    part == Part::Adjective
        && nouns.loans.iter().any(|loan| {
            occurrences(words, &loan.to_lowercase())
                .iter()
                .any(|(before, _)| before.iter().any(|word| MASCULINE_OBLIQUE.contains(word)))
        })
}

/// The words before each occurrence of a noun, nearest first, with what to show.
fn occurrences<'a>(words: &[&'a str], noun: &str) -> Vec<(Vec<&'a str>, Vec<String>)> {
    let places = (1..words.len()).filter(|&place| words[place] == noun);
    places
        .map(|place| {
            let before: Vec<&str> = words[place.saturating_sub(2)..place]
                .iter()
                .rev()
                .copied()
                .collect();
            let shown = words[place.saturating_sub(2)..=place]
                .iter()
                .map(|word| (*word).to_owned());
            (before.clone(), shown.collect())
        })
        .collect()
}
