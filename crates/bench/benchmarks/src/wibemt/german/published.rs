//! The authors' matching, as the specification words it: deleted punctuation, entries as substrings, and the
//! article where a noun is the same for both genders.

use epicene_core::{Span, Verdict};

use super::super::label::Label;
use super::nouns::Nouns;
use super::plain::Plain;
use super::{ChallengePart, found, unresolved};

/// Occupations whose sentences with an adjective the authors went over again with the article rules.
const DECIDED_AGAIN: [&str; 3] = ["CEO", "clerk", "supervisor"];

const MASCULINE_OBLIQUE: [&str; 5] = ["den", "dem", "des", "beim", "vom"];

pub fn classify(text: &str, nouns: &Nouns, part: ChallengePart) -> Verdict {
    let plain = Plain::of(&format!("{text} "));
    if part == ChallengePart::Adjective {
        for name in [" Debonair", " Suave"] {
            if let Some(start) = plain.text.find(name) {
                let evidence = plain.span(start + 1, start + name.len());
                return found(Label::Wrong, "name", [evidence]);
            }
        }
        if DECIDED_AGAIN.contains(&nouns.occupation)
            && let Some(found) = by_article(&plain, nouns, part)
        {
            return found;
        }
    }
    let mut hits: Vec<(Label, Span)> = Vec::new();
    for (label, entries, endings) in [
        (Label::Female, &nouns.feminine, &[""][..]),
        (Label::Male, &nouns.masculine, &["", "s"]),
        (Label::Neutral, &nouns.neutral, &["", "s"]),
        (Label::Wrong, &nouns.wrong, &["", "s", "in"]),
    ] {
        // The genitive is looked for in sentences with adjectives alone.
        let endings = endings
            .iter()
            .filter(|ending| part == ChallengePart::Adjective || **ending != "s");
        let hit = entries.iter().find_map(|entry| {
            let mut endings = endings.clone();
            endings.find_map(|ending| find(&plain, entry, ending, part))
        });
        hits.extend(hit.map(|span| (label, span)));
    }
    match hits.as_slice() {
        [(label, span)] => found(*label, "list", [*span]),
        [] => by_article(&plain, nouns, part).unwrap_or_else(|| unresolved("nothing-found", [])),
        several => unresolved("several-classes", several.iter().map(|(_, span)| *span)),
    }
}

/// Where the entry with the ending stands before a space, and in sentences with adjectives behind one.
fn find(plain: &Plain, entry: &str, ending: &str, part: ChallengePart) -> Option<Span> {
    let text = &plain.text;
    text.match_indices(entry).find_map(|(start, _)| {
        let rest = &text[start + entry.len()..];
        let bounded = part == ChallengePart::Verb || text[..start].ends_with(' ');
        let ends = rest
            .strip_prefix(ending)
            .is_some_and(|rest| rest.starts_with(' '));
        (bounded && ends).then(|| plain.span(start, start + entry.len() + ending.len()))
    })
}

/// Case-dependent nouns: the two words before them decide.
fn by_article(plain: &Plain, nouns: &Nouns, part: ChallengePart) -> Option<Verdict> {
    let words: Vec<(String, Span)> = plain
        .split(|c| c == ' ')
        .iter()
        .map(|word| (word.text.to_lowercase(), word.span))
        .collect();
    let mut feminine = None;
    let mut nominative = |noun: &str| -> Option<Verdict> {
        for (before, evidence) in occurrences(&words, noun) {
            if before.contains(&"der") {
                return Some(found(Label::Male, "article-nominative", evidence));
            }
            if before.contains(&"die") && feminine.is_none() {
                feminine = Some(found(Label::Female, "article-nominative", evidence));
            }
        }
        None
    };
    for noun in nouns.article.iter().chain(&nouns.loans) {
        let article = nominative(&noun.to_lowercase());
        if article.is_some() && !is_oblique_loan(&words, nouns, part) {
            return article;
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
                return Some(found(Label::Male, "article-oblique", evidence));
            }
            let loan = nouns.loans.iter().any(|loan| loan.to_lowercase() == noun);
            if !loan && before.iter().any(|word| ["der", "die"].contains(word)) {
                let oblique = || found(Label::Female, "article-oblique", evidence);
                feminine = feminine.or_else(|| Some(oblique()));
            }
        }
    }
    feminine
}

/// Our substitute for the authors' list of sentences with the loan word in object position.
fn is_oblique_loan(words: &[(String, Span)], nouns: &Nouns, part: ChallengePart) -> bool {
    part == ChallengePart::Adjective
        && nouns.loans.iter().any(|loan| {
            occurrences(words, &loan.to_lowercase())
                .iter()
                .any(|(before, _)| before.iter().any(|word| MASCULINE_OBLIQUE.contains(word)))
        })
}

/// The words before each occurrence of a noun, nearest first, with what to show.
fn occurrences<'a>(words: &'a [(String, Span)], noun: &str) -> Vec<(Vec<&'a str>, Vec<Span>)> {
    let places = (1..words.len()).filter(|&place| words[place].0 == noun);
    places
        .map(|place| {
            let seen = &words[place.saturating_sub(2)..=place];
            let before = seen[..seen.len() - 1].iter().rev();
            let shown = seen.iter().filter(|(word, _)| !word.is_empty());
            (
                before.map(|(word, _)| word.as_str()).collect(),
                shown.map(|(_, span)| *span).collect(),
            )
        })
        .collect()
}
