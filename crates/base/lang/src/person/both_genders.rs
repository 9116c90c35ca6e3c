//! A person of whom both genders are named: "Tänzerin oder Tänzer", "le ou la juge", "Arzt (m/w/d)", "LehrerIn", and two whole
//! translations ("Lekár spal. / Lekárka spala."). They say no gender, whichever of the two an aligner links.
//!
//! Only translations of one and the same English noun are two forms: "Arzt oder Lehrerin" are two people.

use super::context::is_preposition;
use super::view::{Kind, PersonNoun, View};
use super::{Cells, judge};
use crate::occupation::{NounGender, Role, both_forms, fold_into};

/// How far apart two forms may stand: "al médico (o a la médica)".
const REACH: usize = 6;

/// "or" and "and" of a language. "ar" is "with" in Latvian, "o" is "about" in Czech and an article in Portuguese: no list serves all.
fn words(code: &str) -> [&'static [&'static str]; 2] {
    match code {
        "ar" => [&["أو", "او"], &[]],
        "be" => [&["або", "ці"], &["і", "й", "ды"]],
        "bg" => [&["или"], &["и"]],
        "ca" => [&["o"], &["i"]],
        "cs" => [&["nebo", "anebo", "či", "resp", "respektive"], &["a", "i"]],
        "de" => [&["oder", "bzw", "beziehungsweise", "resp"], &["und"]],
        "el" => [&["ή"], &["και", "κι"]],
        "es" => [&["o", "u"], &["y", "e"]],
        "fr" => [&["ou"], &["et"]],
        "gl" | "pt" => [&["ou"], &["e"]],
        "he" => [&["או"], &[]],
        "hi" => [&["या", "अथवा"], &["और", "एवं"]],
        "hr" | "sr" => [&["ili", "или", "odnosno", "односно"], &["i", "и"]],
        "it" => [&["o", "od", "oppure"], &["e", "ed"]],
        "lt" => [&["ar", "arba"], &["ir"]],
        "lv" => [&["vai"], &["un"]],
        "pl" => [&["lub", "albo", "czy"], &["i", "oraz"]],
        "ro" => [&["sau", "ori"], &["și"]],
        "ru" => [&["или", "либо"], &["и"]],
        "sk" => [&["alebo", "či", "resp"], &["a", "i", "aj"]],
        "sl" => [&["ali", "oziroma", "oz"], &["in"]],
        "uk" => [&["або", "чи"], &["і", "й", "та"]],
        "ur" => [&["یا"], &["اور"]],
        _ => [&[], &[]],
    }
}

/// "Each" and "every", as the words are compared.
const EACH: &[&str] = &[
    "jede",
    "jeder",
    "jedem",
    "jeden",
    "jedes",
    "chaque",
    "cada",
    "ogni",
    "ciascun",
    "ciascuna",
    "каждый",
    "каждая",
    "кожен",
    "кожна",
    "кожны",
    "кожная",
    "każdy",
    "każda",
    "každý",
    "každá",
    "svaki",
    "svaka",
    "сваки",
    "свака",
    "vsak",
    "vsaka",
    "всеки",
    "всяка",
    "fiecare",
    "kiekvienas",
    "kiekviena",
    "katrs",
    "katra",
    "κάθε",
    "καθε",
    "כל",
    "كل",
    "हर",
    "ہر",
];

/// What stands between two forms.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    Or,
    And,
}

/// A word or sign between two forms, as the language has it.
pub(super) fn between(view: &View, at: usize) -> Option<Between> {
    let grammar = view.sentence.grammar;
    let word = view.word(at);
    let mut folded = String::new();
    let mut is_one = |words: &[&str]| {
        words.iter().any(|known| {
            fold_into(known, grammar.fold, &mut folded);
            folded == word
        })
    };
    let [or, and] = words(grammar.code);
    match word {
        "/" | "(" | "|" => Some(Between::Or),
        _ if is_one(or) => Some(Between::Or),
        _ if is_one(and) => Some(Between::And),
        _ => None,
    }
}

/// "and" of the language.
pub(super) fn is_and(view: &View, at: usize) -> bool {
    between(view, at) == Some(Between::And)
}

/// How both genders of one person are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// By two forms: "Ärztinnen und Ärzte", "le ou la juge".
    Forms,
    /// In one word: "Ärzt*in", "alumnes".
    Inclusive,
}

/// How both genders of the person at `at` are named, if they are.
pub(crate) fn named(view: &View, at: usize) -> Option<Naming> {
    let text = view.tokens.get(at).map_or("", |token| &*token.text);
    let french = view.sentence.grammar.code == "fr";
    if written_on(view, at)
        || both_forms::first(view.word(at)).is_some()
        || french && both_forms::has_french_hyphen(view.word(at))
        || both_forms::is_binnen_i(text)
        || is_for_all(view, at + 1)
        || view.in_place_of_ending(at).is_some()
        || neutral_article(view, at)
    {
        return Some(Naming::Inclusive);
    }
    let forms = articles(view, at) || is_hyphenated_pair(view, at) || two_forms(view, at);
    forms.then_some(Naming::Forms)
}

/// Spanish "les directores", whose article is made for everybody; elsewhere "les" is no article of a noun.
fn neutral_article(view: &View, at: usize) -> bool {
    const ARTICLES: [&str; 6] = ["les", "unes", "todes", "nuestres", "aquelles", "algunes"];
    let before = at.checked_sub(1).map_or("", |before| view.word(before));
    view.sentence.grammar.code == "es" && ARTICLES.contains(&before)
}

/// Another form of the same noun near by, of the other gender.
fn two_forms(view: &View, at: usize) -> bool {
    if view.of_one_gender {
        return false;
    }
    let near = at.saturating_sub(REACH)..view.len().min(at + REACH + 1);
    let person = |other: usize| {
        let noun = view.listed(other);
        view.translates(other) || noun.is_some_and(|noun| noun.kind == Kind::Person)
    };
    near.filter(|&other| other != at && view.is_word(other) && person(other))
        .any(|other| {
            let (first, second) = (at.min(other), at.max(other));
            let joined = match joined(view, first, second) {
                Some(Between::Or) => true,
                // "Ärztinnen und Ärzte"; a man and a woman in the singular are two people, unless each is meant.
                Some(Between::And) => {
                    let plural = |&at: &usize| {
                        noun(view, at)
                            .is_some_and(|noun| !noun.cells.and(Cells::PLURALS).is_empty())
                    };
                    [first, second].iter().all(plural)
                        || first > 0 && EACH.contains(&view.word(first - 1))
                }
                None => false,
            };
            joined && is_one_noun(view, at, other) && differ(view, at, other)
        })
        || alternative(view, at)
}

/// Hindi "छात्र-छात्राएँ", Russian "студенты-студентки": two forms of one noun, no woman with a trade ("женщина-врач").
fn is_hyphenated_pair(view: &View, at: usize) -> bool {
    let Some((one, other)) = view.word(at).split_once('-') else {
        return false;
    };
    let alike = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let shorter = one.chars().count().min(other.chars().count());
    let gender = |word: &str| {
        let noun = view.reading(at, word);
        let noun = noun.filter(|noun| noun.kind == Kind::Person && !noun.epicene);
        noun.map(|noun| noun.cells.genders())
    };
    let differ = match (gender(one), gender(other)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    };
    alike >= 3 && alike * 2 > shorter && differ
}

fn noun(view: &View, at: usize) -> Option<PersonNoun> {
    let term = view.term(at).map(|(noun, _)| noun);
    term.or_else(|| view.listed(at))
}

/// Most letters of an ending that is written behind a noun.
const LONGEST: usize = 8;

/// "Studenti/ky", "φοιτητές/-τριες", "Student_ki", "Mokytojas (-a)", "студент(к)и": letters behind a sign that make the noun's
/// other form, by the lexicons. No language needs a list of such endings.
fn written_on(view: &View, at: usize) -> bool {
    let sign = at + 1;
    let bracket = matches!(view.word(sign), "(" | "[");
    let separates = matches!(
        view.word(sign),
        "/" | "*" | "_" | ":" | "·" | "•" | "." | "|"
    );
    if !bracket && !separates {
        return false;
    }
    let hyphen = usize::from(view.word(sign + 1) == "-");
    let tail = sign + 1 + hyphen;
    let joined =
        |first: usize, second: usize| match (view.tokens.get(first), view.tokens.get(second)) {
            (Some(first), Some(second)) => first.end == second.start,
            _ => false,
        };
    let close = !bracket || matches!(view.word(tail + 1), ")" | "]");
    let apart = bracket || joined(at, sign);
    let letters = view.word(tail);
    let length = letters.chars().count();
    if !view.is_word(tail) || !close || !apart || !joined(sign, sign + 1) || length > LONGEST {
        return false;
    }
    let word = view.word(at);
    let Some(own) = noun(view, at).filter(|noun| !noun.epicene) else {
        return false;
    };
    // "студент(к)и": what follows the bracket belongs to both forms.
    let goes_on = bracket && joined(tail + 1, tail + 2) && view.is_word(tail + 2);
    let rest = if goes_on { view.word(tail + 2) } else { "" };
    let least = word.chars().count().div_ceil(2);
    let stems = word.char_indices().map(|(start, _)| start).skip(least);
    let is_other = |end: usize| {
        // "studenții/-ele": the stem's last consonant is softened before an i.
        let stem = match word[..end].strip_suffix('ț') {
            Some(hard) => format!("{hard}t"),
            None => word[..end].to_owned(),
        };
        let other = format!("{stem}{letters}{rest}");
        let noun = view
            .reading(at, &other)
            .filter(|noun| noun.kind == Kind::Person);
        noun.is_some_and(|noun| {
            let listed = |noun: PersonNoun| {
                if noun.citation.is_empty() {
                    noun.cells.genders()
                } else {
                    noun.citation.genders()
                }
            };
            let [own, other] = [own, noun].map(listed);
            !noun.epicene && own != other && own.and(other).is_empty()
        })
    };
    stems.chain([word.len()]).any(is_other)
}

/// "Arzt", "Ärztin" begin alike; "Forscher und Wissenschaftlerinnen" are two groups, though both translate "scientists".
fn is_one_noun(view: &View, at: usize, other: usize) -> bool {
    let prefixes = &view.sentence.lexicon.prefixes;
    let stem = |at: usize| -> Vec<char> {
        let word = view.word(at);
        // "והמורות": "and" and the article, not "and" alone.
        let bare = prefixes
            .iter()
            .filter_map(|prefix| word.strip_prefix(&**prefix))
            .min_by_key(|rest| rest.len());
        let letters = bare.unwrap_or(word).chars();
        letters.map(without_accent).collect()
    };
    // Two nouns for the same English one may differ more than two that no lexicon joins.
    let joined = view.translates(at) && view.translates(other);
    let (mut one, mut other) = (stem(at), stem(other));
    // "طلاب", "طالبات": the consonants are the noun.
    if matches!(view.sentence.grammar.code, "ar" | "he" | "ur") {
        let vowel = |letter: &char| !matches!(letter, 'ا' | 'و' | 'ي' | 'ו' | 'י');
        one.retain(vowel);
        other.retain(vowel);
    }
    let alike = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let shorter = one.len().min(other.len());
    alike >= 2
        && if joined {
            2 * alike >= shorter
        } else {
            4 * alike >= 3 * shorter
        }
}

/// "ä" of "Ärztin", "í" of "heroína".
fn without_accent(letter: char) -> char {
    match letter {
        'ä' | 'á' | 'à' => 'a',
        'é' | 'è' | 'ě' => 'e',
        'í' => 'i',
        'ö' | 'ó' => 'o',
        'ü' | 'ú' | 'ů' => 'u',
        'č' => 'c',
        'ž' => 'z',
        letter => letter,
    }
}

/// Whether one is a man and the other a woman: by the nouns, or by what stands beside them where those do not tell.
fn differ(view: &View, at: usize, other: usize) -> bool {
    let by_noun = |at: usize| {
        let noun = noun(view, at).filter(|noun| !noun.epicene)?;
        let single = noun.citation.single().or_else(|| noun.cells.single());
        let of_pair = view
            .is_masculine_of_pair(at)
            .then_some(NounGender::Masculine);
        single.or(of_pair)
    };
    let shown = |at: usize| judge::at_noun(view, at).gender;
    let pair = if view.word(at) == view.word(other) {
        [shown(at), shown(other)]
    } else {
        [at, other].map(|at| by_noun(at).or_else(|| shown(at)))
    };
    let has = |gender| pair.contains(&Some(gender));
    has(NounGender::Masculine) && has(NounGender::Feminine)
}

/// What joins the nouns at two places, where nothing else but articles, adjectives and prepositions stands between.
fn joined(view: &View, first: usize, second: usize) -> Option<Between> {
    let start = view.term(first).map_or(first, |(_, span)| *span.end());
    let end = view.term(second).map_or(second, |(_, span)| *span.start());
    // "الطلاب والطالبات": the conjunction is written with the noun.
    let semitic = matches!(view.sentence.grammar.code, "ar" | "he");
    if semitic && start + 1 == end && view.word(end).starts_with(['و', 'ו']) {
        return Some(Between::And);
    }
    let mut found = None;
    for at in start + 1..end {
        match between(view, at) {
            // "o" is "or" in Italian and Spanish: only the words behind it are the second form's.
            Some(kind) if found.is_none() || at == start + 2 => {
                found = Some(found.map_or(kind, |_| Between::Or));
            }
            _ if found.is_none() => return None,
            // "bzw."
            _ if view.word(at) == "." && at == start + 2 => {}
            _ => {
                let role = view.sentence.role(at);
                let leads = matches!(
                    role,
                    Some(Role::Determiner(_) | Role::Adjective(_) | Role::Skip)
                );
                let short = view.word(at).chars().count() < 3
                    && matches!(role, Some(Role::Stop | Role::Dative));
                if !leads && !short && !is_preposition(view.word(at)) {
                    return None;
                }
            }
        }
    }
    found
}

/// Two articles before the noun: "le ou la", "der/die", "O(a)", "un/e", "los/as".
fn articles(view: &View, at: usize) -> bool {
    let mut last = at;
    loop {
        let Some(before) = last.checked_sub(1) else {
            return false;
        };
        last = before;
        let adjective = matches!(
            view.sentence.role(last),
            Some(Role::Adjective(_) | Role::Skip)
        );
        if !adjective || last + 3 < at {
            break;
        }
    }
    let written = both_forms::first(view.word(last)).map(|first| view.sentence.lexicon.role(first));
    if matches!(written, Some(Some(Role::Determiner(_)))) {
        return true;
    }
    let closed = view.word(last) == ")";
    let inner = last - usize::from(closed && last > 0);
    let (Some(mark), Some(base)) = (inner.checked_sub(1), inner.checked_sub(2)) else {
        return false;
    };
    let determiner = |at: usize| match view.sentence.role(at) {
        Some(Role::Determiner(genders)) => Some(genders),
        _ => None,
    };
    let Some(one) = determiner(base) else {
        return false;
    };
    let sign = !view.is_word(mark);
    // "los y las estudiantes"
    let or = between(view, mark).is_some() || matches!(view.word(mark), "*" | ":" | "_");
    if !or || closed != (view.word(mark) == "(") {
        return false;
    }
    match determiner(inner) {
        Some(other) => {
            let (one_word, other_word) = (view.word(base), view.word(inner));
            // "der" may be feminine, too; "dieser oder jener" is one gender.
            let german = view.sentence.grammar.code == "de"
                && one_word != other_word
                && german_stem(one_word) == german_stem(other_word);
            one.and(other).is_empty() || german
        }
        None => sign && both_forms::is_ending(view.word(inner)),
    }
}

fn german_stem(article: &str) -> &str {
    let endings = ["ie", "er", "em", "en", "es", "as", "e"];
    let stem = endings
        .iter()
        .find_map(|ending| article.strip_suffix(ending));
    stem.unwrap_or(article)
}

/// First letters of "man" and "woman", as job advertisements abbreviate them.
const LETTERS: [&str; 16] = [
    "mf", "mw", "md", "wd", "hf", "hm", "mk", "mž", "mz", "мж", "чж", "vm", "vs", "αγ", "זנ", "ذا",
];

/// "(m/w/d)", "(h/f)", "m/f".
fn is_for_all(view: &View, at: usize) -> bool {
    let at = at + usize::from(view.word(at) == "(");
    let letters = [view.word(at), view.word(at + 2)];
    let pair = |one: &str, other: &str| LETTERS.contains(&format!("{one}{other}").as_str());
    view.word(at + 1) == "/"
        && letters.iter().all(|letter| letter.chars().count() == 1)
        && (pair(letters[0], letters[1]) || pair(letters[1], letters[0]))
}

/// Whether the whole sentence is given again with the other gender: behind a slash, a bar or in brackets, at the same place.
fn alternative(view: &View, at: usize) -> bool {
    let is_sign = |at: &usize| matches!(view.word(*at), "/" | "|" | "(");
    if !(0..view.len()).any(|at| is_sign(&at)) {
        return false;
    }
    let signs = (0..view.len()).filter(is_sign).map(|sign| sign + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(signs).collect();
    let place = |at: usize| {
        let start = starts.iter().rev().find(|start| **start <= at);
        at - start.copied().unwrap_or(0)
    };
    let segment = |at: usize| starts.iter().filter(|start| **start <= at).count();
    // More than the noun is said again: "the nurse / caregiver slept" are two people.
    let goes_on = |at: usize| view.is_word(at + 1);
    (0..view.len())
        .filter(|&other| segment(other) != segment(at) && place(other).abs_diff(place(at)) <= 1)
        .filter(|&other| goes_on(at) && goes_on(other) || is_one_noun(view, at, other))
        .any(|other| view.is_word(other) && view.translates(other) && differ(view, at, other))
}
