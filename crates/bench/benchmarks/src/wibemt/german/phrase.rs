//! Our own reading of a translation: the noun with the determiner before it.
//!
//! Beyond the authors' matching it tells plurals from singulars, reads both genders named together and
//! gender-inclusive spellings as neutral, finds the list's nouns in compounds and in oblique cases, and in a
//! verb sentence prefers the subject.

use epicene_core::{Span, Verdict};

use super::super::label::Label;
use super::nouns::{Form, Nouns};
use super::plain::{Plain, Word};
use super::{ChallengePart, found, unresolved};

/// In a verb sentence the occupation is the subject: it stands among the first words.
const SUBJECT_WORDS: usize = 5;

/// Words that may join two genders: "die Tänzerin oder der Tänzer".
const JOINING: [&str; 5] = ["oder", "und", "bzw", "beziehungsweise", "respektive"];

/// After these, "der" is a feminine dative.
const DATIVE: [&str; 13] = [
    "mit",
    "von",
    "bei",
    "zu",
    "nach",
    "aus",
    "seit",
    "gegenüber",
    "außer",
    "neben",
    "dank",
    "samt",
    "vor",
];

/// A noun of the list among the words of a translation.
struct Noun {
    place: usize,
    label: Label,
    rule: &'static str,
    /// The determiner, where one decided.
    determiner: Option<usize>,
}

pub fn classify(text: &str, nouns: &Nouns, part: ChallengePart) -> Verdict {
    if let Some(spelling) = inclusive_spelling(text, nouns) {
        return found(Label::Neutral, "inclusive-spelling", [spelling]);
    }
    let plain = Plain::of(text);
    let words = plain.words();
    if part == ChallengePart::Adjective
        && let Some(name) = words
            .iter()
            .find(|word| ["Debonair", "Suave"].contains(&word.text))
    {
        return found(Label::Wrong, "name", [name.span]);
    }
    let listed: Vec<Noun> = (0..words.len())
        .filter_map(|place| {
            let form = *nouns.forms.get(words[place].text)?;
            Some(read(&words, place, form, part))
        })
        .collect();
    if let Some(both) = named_together(&words, text, &listed) {
        return both;
    }
    // Other things may be named anywhere; the occupation is what was asked for.
    let people: Vec<&Noun> = listed.iter().filter(|f| f.label != Label::Wrong).collect();
    let wrong: Vec<&Noun> = listed.iter().filter(|f| f.label == Label::Wrong).collect();
    let chosen = match part {
        ChallengePart::Verb => people.first().or(wrong.first()),
        ChallengePart::Adjective => {
            let agree = people.iter().all(|found| found.label == people[0].label);
            if !agree {
                let spans = people.iter().map(|noun| words[noun.place].span);
                return unresolved("several-classes", spans);
            }
            people.first().or(wrong.first())
        }
    };
    match chosen {
        Some(noun) => {
            let deciding = noun.determiner.into_iter().chain([noun.place]);
            found(noun.label, noun.rule, deciding.map(|at| words[at].span))
        }
        None => compound(&words, nouns, part)
            .or_else(|| untranslated(&plain, nouns))
            .unwrap_or_else(|| unresolved("nothing-found", [])),
    }
}

fn read(words: &[Word<'_>], place: usize, form: Form, part: ChallengePart) -> Noun {
    let shown = determiner(words, place);
    let lower = shown.map(|at| words[at].text.to_lowercase());
    let lower = lower.as_deref();
    let found = |label, rule, determiner| Noun {
        place,
        label,
        rule,
        determiner,
    };
    let after_die = matches!(lower, Some("die" | "diese" | "alle" | "viele" | "beide"));
    match form {
        // "Die Sanitäter": no masculine noun stands after "die" in the singular.
        Form::Noun(Label::Male) if after_die && looks_plural(words[place].text) => {
            found(Label::Wrong, "plural", shown)
        }
        Form::Noun(label) => found(label, "list", None),
        Form::Plural => found(Label::Wrong, "plural", None),
        Form::Oblique => match lower {
            Some("die" | "diese" | "alle" | "viele" | "beide") => {
                found(Label::Wrong, "plural", shown)
            }
            // "Der Matrosen tanzt" is no German; the subject is never oblique.
            _ if part == ChallengePart::Verb && place < SUBJECT_WORDS => {
                found(Label::Wrong, "oblique-subject", shown)
            }
            _ => found(Label::Male, "oblique", shown),
        },
        Form::Strong => found(Label::Male, "list", None),
        Form::Loan | Form::ByArticle(_) => {
            let oblique = form == Form::ByArticle(true);
            let dative = shown.is_some_and(|at| {
                at > 0 && DATIVE.contains(&words[at - 1].text.to_lowercase().as_str())
            });
            match lower.and_then(|word| gender_after(word, oblique, dative, form == Form::Loan)) {
                Some(label) => found(label, "article", shown),
                None => found(Label::Wrong, "no-article", shown),
            }
        }
    }
}

/// Where the determiner before a noun stands, over adjectives in between.
fn determiner(words: &[Word<'_>], place: usize) -> Option<usize> {
    const FARTHEST: usize = 4;
    for at in (place.saturating_sub(FARTHEST)..place).rev() {
        let word = words[at].text;
        if is_determiner(&word.to_lowercase()) {
            return Some(at);
        }
        // Another noun is between: the determiner belongs to it.
        if at > 0 && word.starts_with(char::is_uppercase) {
            return None;
        }
    }
    None
}

fn is_determiner(word: &str) -> bool {
    const OTHERS: [&str; 16] = [
        "der", "die", "das", "den", "dem", "des", "beim", "vom", "zum", "zur", "am", "im", "alle",
        "viele", "beide", "jede",
    ];
    const STEMS: [&str; 10] = [
        "ein", "kein", "dies", "jed", "mein", "sein", "ihr", "unser", "jen", "welch",
    ];
    OTHERS.contains(&word)
        || STEMS.iter().any(|stem| {
            let ending = word.strip_prefix(stem);
            ending.is_some_and(|ending| ["", "e", "er", "en", "em", "es"].contains(&ending))
        })
}

/// What a determiner says about a noun that is the same for both genders; `None` where it says plural or
/// nothing.
fn gender_after(word: &str, oblique: bool, dative: bool, loan: bool) -> Option<Label> {
    let ein = ["ein", "kein", "mein", "sein", "ihr", "unser"].contains(&word);
    let ending = |ending: &str| word.len() > 4 && word.ends_with(ending);
    match word {
        "den" | "dem" | "des" | "beim" | "vom" | "zum" | "am" | "im" => Some(Label::Male),
        "zur" => Some(Label::Female),
        // "der Angestellten": feminine genitive or dative. "mit der CEO": feminine dative.
        "der" if oblique || (loan && dative) => Some(Label::Female),
        "der" => Some(Label::Male),
        // "die Angestellten" are several.
        "die" if oblique => None,
        "die" => Some(Label::Female),
        _ if ein => Some(Label::Male),
        _ if ending("en") || ending("em") || ending("es") => Some(Label::Male),
        _ if ending("er") && (oblique || loan) => Some(Label::Female),
        _ if ending("er") => Some(Label::Male),
        _ if ending("e") && !oblique => Some(Label::Female),
        _ => None,
    }
}

/// Whether a masculine noun's nominative is also its plural.
fn looks_plural(noun: &str) -> bool {
    ["er", "el", "en"]
        .iter()
        .any(|ending| noun.ends_with(ending))
}

/// Both genders with a joining word or a slash between them.
fn named_together(words: &[Word<'_>], text: &str, nouns: &[Noun]) -> Option<Verdict> {
    for pair in nouns.windows(2) {
        let genders = [pair[0].label, pair[1].label];
        let both = genders.contains(&Label::Female) && genders.contains(&Label::Male);
        let between = &words[pair[0].place + 1..pair[1].place];
        let joined = between
            .iter()
            .any(|word| JOINING.contains(&word.text.to_lowercase().as_str()))
            || (between.is_empty()
                || between
                    .iter()
                    .all(|word| is_determiner(&word.text.to_lowercase())))
                && text.contains('/');
        if both && joined && between.len() <= 4 {
            let evidence = words[pair[0].place..=pair[1].place].iter();
            let evidence = evidence.map(|word| word.span);
            return Some(found(Label::Neutral, "both-genders", evidence));
        }
    }
    None
}

/// "Lehrer*in", "Ärzt:in", "Student/-in", "KöchIn", "Koch (Köchin)": everybody is meant.
fn inclusive_spelling(text: &str, nouns: &Nouns) -> Option<Span> {
    // Most texts have no such mark at all.
    let marked = text.contains(['*', ':', '_', '/', '(', '·', '•']) || text.contains("In");
    if !marked {
        return None;
    }
    nouns.stems.iter().find_map(|stem| {
        text.match_indices(stem.as_str()).find_map(|(start, _)| {
            let rest = &text[start + stem.len()..];
            let end = [
                "In", "*in", ":in", "_in", "/in", "/-in", "·in", "•in", "(in)", "*In", ":In",
            ]
            .iter()
            .find(|ending| rest.starts_with(**ending))?;
            let after = rest[end.len()..].chars().next();
            let whole = !after.is_some_and(char::is_alphabetic);
            let length = stem.chars().count() + end.chars().count();
            let first = text[..start].chars().count();
            whole.then(|| Span::new(first, first + length))
        })
    })
}

/// A compound of a noun of the list: "Grundschullehrerin".
fn compound(words: &[Word<'_>], nouns: &Nouns, part: ChallengePart) -> Option<Verdict> {
    let reach = match part {
        ChallengePart::Verb => words.len().min(SUBJECT_WORDS),
        ChallengePart::Adjective => words.len(),
    };
    // The longest ending decides: "-ärztin" before "-in".
    let mut best: Option<(usize, Verdict)> = None;
    for word in words[..reach]
        .iter()
        .filter(|word| word.text.starts_with(char::is_uppercase))
    {
        for (entries, label) in [
            (&nouns.feminine, Label::Female),
            (&nouns.masculine, Label::Male),
            (&nouns.neutral, Label::Neutral),
        ] {
            for entry in entries.iter().filter(|entry| entry.chars().count() >= 4) {
                let longer = best
                    .as_ref()
                    .is_none_or(|(length, _)| entry.len() > *length);
                let ends = word.text.ends_with(&entry.to_lowercase());
                if longer && word.text.len() > entry.len() + 2 && ends {
                    best = Some((entry.len(), found(label, "compound", [word.span])));
                }
            }
        }
    }
    best.map(|(_, verdict)| verdict)
}

/// The English word, left as it is.
fn untranslated(plain: &Plain, nouns: &Nouns) -> Option<Verdict> {
    let english = nouns.occupation.to_lowercase();
    if !plain.text.to_lowercase().contains(&english) {
        return None;
    }
    let parts: Vec<&str> = english.split_whitespace().collect();
    let words = plain.words();
    let place = words.windows(parts.len()).find(|words| {
        let mut pairs = words.iter().zip(&parts);
        pairs.all(|(word, part)| word.text.to_lowercase().contains(part))
    });
    let evidence = place.into_iter().flatten().map(|word| word.span);
    Some(found(Label::Wrong, "untranslated", evidence))
}
