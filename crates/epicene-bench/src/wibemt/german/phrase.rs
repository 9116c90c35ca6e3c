//! Our own reading of a translation: the noun with the determiner before it.
//!
//! Beyond the authors' matching it tells plurals from singulars, reads both genders named together and
//! gender-inclusive spellings as neutral, finds the list's nouns in compounds and in oblique cases, and in a
//! verb sentence prefers the subject.

use super::super::label::Label;
use super::nouns::{Form, Nouns};
use super::{Classified, Part, without_punctuation};

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

struct Found<'a> {
    place: usize,
    label: Label,
    rule: &'static str,
    /// The determiner, where one decided.
    determiner: Option<&'a str>,
}

pub fn classify(text: &str, nouns: &Nouns, part: Part) -> Classified {
    if let Some(spelling) = inclusive_spelling(text, nouns) {
        return Classified::new(Label::Neutral, "inclusive-spelling", vec![spelling]);
    }
    let plain = without_punctuation(text);
    let words: Vec<&str> = plain.split_whitespace().collect();
    if part == Part::Adjective
        && let Some(name) = words
            .iter()
            .find(|word| ["Debonair", "Suave"].contains(word))
    {
        return Classified::new(Label::Wrong, "name", vec![(*name).to_owned()]);
    }
    let found: Vec<Found<'_>> = (0..words.len())
        .filter_map(|place| {
            let form = *nouns.forms.get(words[place])?;
            Some(read(&words, place, form, part))
        })
        .collect();
    if let Some(both) = named_together(&words, text, &found) {
        return both;
    }
    let evidence = |found: &Found<'_>| {
        let determiner = found.determiner.map(str::to_owned);
        let words = determiner
            .into_iter()
            .chain([words[found.place].to_owned()]);
        words.collect::<Vec<_>>()
    };
    // Other things may be named anywhere; the occupation is what was asked for.
    let people: Vec<&Found<'_>> = found.iter().filter(|f| f.label != Label::Wrong).collect();
    let wrong: Vec<&Found<'_>> = found.iter().filter(|f| f.label == Label::Wrong).collect();
    let chosen = match part {
        Part::Verb => people.first().or(wrong.first()),
        Part::Adjective => {
            let agree = people.iter().all(|found| found.label == people[0].label);
            match agree {
                true => people.first().or(wrong.first()),
                false => {
                    let words = people.iter().map(|found| words[found.place].to_owned());
                    return Classified::unresolved("several-classes", words.collect());
                }
            }
        }
    };
    match chosen {
        Some(found) => Classified::new(found.label, found.rule, evidence(found)),
        None => compound(&words, nouns, part)
            .or_else(|| untranslated(&plain, nouns))
            .unwrap_or_else(|| Classified::unresolved("nothing-found", Vec::new())),
    }
}

fn read<'a>(words: &[&'a str], place: usize, form: Form, part: Part) -> Found<'a> {
    let determiner = determiner(words, place);
    let lower = determiner.map(|(word, _)| word.to_lowercase());
    let lower = lower.as_deref();
    let shown = determiner.map(|(word, _)| word);
    let found = |label, rule, determiner| Found {
        place,
        label,
        rule,
        determiner,
    };
    let after_die = matches!(lower, Some("die" | "diese" | "alle" | "viele" | "beide"));
    match form {
        // "Die Sanitäter": no masculine noun stands after "die" in the singular.
        Form::Noun(Label::Male) if after_die && looks_plural(words[place]) => {
            found(Label::Wrong, "plural", shown)
        }
        Form::Noun(label) => found(label, "list", None),
        Form::Plural => found(Label::Wrong, "plural", None),
        Form::Oblique => match lower {
            Some("die" | "diese" | "alle" | "viele" | "beide") => {
                found(Label::Wrong, "plural", shown)
            }
            // "Der Matrosen tanzt" is no German; the subject is never oblique.
            _ if part == Part::Verb && place < SUBJECT_WORDS => {
                found(Label::Wrong, "oblique-subject", shown)
            }
            _ => found(Label::Male, "oblique", shown),
        },
        Form::Strong => found(Label::Male, "list", None),
        Form::Loan | Form::ByArticle(_) => {
            let oblique = form == Form::ByArticle(true);
            let dative = determiner.is_some_and(|(_, at)| {
                at > 0 && DATIVE.contains(&words[at - 1].to_lowercase().as_str())
            });
            match lower.and_then(|word| gender_after(word, oblique, dative, form == Form::Loan)) {
                Some(label) => found(label, "article", shown),
                None => found(Label::Wrong, "no-article", shown),
            }
        }
    }
}

/// The determiner before a noun, over adjectives in between, with its place.
fn determiner<'a>(words: &[&'a str], place: usize) -> Option<(&'a str, usize)> {
    const FARTHEST: usize = 4;
    for at in (place.saturating_sub(FARTHEST)..place).rev() {
        let word = words[at].to_lowercase();
        if is_determiner(&word) {
            return Some((words[at], at));
        }
        // Another noun is between: the determiner belongs to it.
        if at > 0 && words[at].starts_with(char::is_uppercase) {
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
fn named_together(words: &[&str], text: &str, found: &[Found<'_>]) -> Option<Classified> {
    for pair in found.windows(2) {
        let genders = [pair[0].label, pair[1].label];
        let both = genders.contains(&Label::Female) && genders.contains(&Label::Male);
        let between = &words[pair[0].place + 1..pair[1].place];
        let joined = between
            .iter()
            .any(|word| JOINING.contains(&word.to_lowercase().as_str()))
            || (between.is_empty()
                || between
                    .iter()
                    .all(|word| is_determiner(&word.to_lowercase())))
                && text.contains('/');
        if both && joined && between.len() <= 4 {
            let evidence = words[pair[0].place..=pair[1].place].iter();
            let evidence = evidence.map(|word| (*word).to_owned()).collect();
            return Some(Classified::new(Label::Neutral, "both-genders", evidence));
        }
    }
    None
}

/// "Lehrer*in", "Ärzt:in", "Student/-in", "KöchIn", "Koch (Köchin)": everybody is meant.
fn inclusive_spelling(text: &str, nouns: &Nouns) -> Option<String> {
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
            whole.then(|| format!("{stem}{end}"))
        })
    })
}

/// A compound of a noun of the list: "Grundschullehrerin".
fn compound(words: &[&str], nouns: &Nouns, part: Part) -> Option<Classified> {
    let reach = match part {
        Part::Verb => words.len().min(SUBJECT_WORDS),
        Part::Adjective => words.len(),
    };
    // The longest ending decides: "-ärztin" before "-in".
    let mut best: Option<(usize, Classified)> = None;
    for word in words[..reach]
        .iter()
        .filter(|word| word.starts_with(char::is_uppercase))
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
                if longer && word.len() > entry.len() + 2 && word.ends_with(&entry.to_lowercase()) {
                    let evidence = vec![(*word).to_owned()];
                    best = Some((entry.len(), Classified::new(label, "compound", evidence)));
                }
            }
        }
    }
    best.map(|(_, found)| found)
}

/// The English word, left as it is.
fn untranslated(plain: &str, nouns: &Nouns) -> Option<Classified> {
    let lower = plain.to_lowercase();
    let english = nouns.occupation.to_lowercase();
    let found = lower.contains(&english);
    found.then(|| Classified::new(Label::Wrong, "untranslated", vec![english]))
}
