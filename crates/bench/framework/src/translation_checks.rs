//! Whether translations are what they are said to be: translated at all, in the language that was named, each
//! beside its sentence. What is refused here would otherwise be measured, confidently and wrongly.

use epicene_core::{Answer, Item, counted};
use epicene_lang::identify::{Finding, Foreign, foreign_lines, identify, language_name};
use epicene_lang::pairing::{Pairing, pairing};

use crate::spoiled::is_garbled;
use crate::text_warnings::is_many;

/// Lines below which nothing is said.
const LEAST_LINES: usize = 5;
/// Lines whose language and order are looked at; of more, these are read in stretches from all over the file.
const MOST_LINES: usize = 60_000;
const STRETCHES: usize = 30;
/// Lines that a block of another language has at least.
const LEAST_BLOCK: usize = 30;

/// What a look at translations found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    /// They are something else, for sure: what, and what to do.
    pub wrong: Option<(String, String)>,
    /// What could not be told, or is odd about some of them.
    pub warnings: Vec<String>,
    /// What could not be checked; it goes into the signature.
    pub unchecked: Vec<&'static str>,
}

impl Look {
    fn wrong(message: String, hint: String) -> Look {
        Look {
            wrong: Some((message, hint)),
            ..Look::default()
        }
    }
}

/// Looks at one system's translations into one language; tags of words are no sentences, and pass. Where each translation
/// names its source, the order needs no check of its own.
pub fn look(items: &[Item], answers: &[Answer], language: &str, names_sources: bool) -> Look {
    let pairs: Vec<(&Item, &str)> = items
        .iter()
        .zip(answers)
        .filter_map(|(item, answer)| match answer {
            Answer::Translation(text) if !text.trim().is_empty() => Some((item, text.as_str())),
            _ => None,
        })
        .collect();
    if !are_sentences(answers) {
        return Look::default();
    }
    if pairs.len() < LEAST_LINES {
        return Look {
            unchecked: vec!["order", "language"],
            ..Look::default()
        };
    }
    if let Some(wrong) = untranslated(&pairs, language).or_else(|| garbled(&pairs)) {
        return wrong;
    }
    let all = pairs.len();
    let pairs = stretches(&pairs);
    let mut look = in_language(&pairs, language);
    look.warnings.extend(without_accents(&pairs, language));
    let say_sampled = |mut look: Look| {
        let said = look.wrong.iter_mut().map(|(message, _)| message);
        for message in said.chain(&mut look.warnings) {
            *message += &format!(" ({} of {all} lines were read)", pairs.len());
        }
        look
    };
    if pairs.len() < all {
        look = say_sampled(look);
    }
    if look.wrong.is_none() {
        // Lines of another order are a surer sign than a language that cannot be told.
        match in_order(&pairs, language) {
            Order::Wrong(wrong) if pairs.len() < all => return say_sampled(wrong),
            Order::Wrong(wrong) => return wrong,
            Order::Unclear if !names_sources => look.unchecked.push("order"),
            Order::Unclear | Order::Fine => {}
        }
    }
    look
}

/// At most [`MOST_LINES`] of so many lines, in stretches of neighbours, so that blocks and shifts by a line can be seen.
pub(crate) fn read_lines(count: usize) -> Vec<usize> {
    if count <= MOST_LINES {
        return (0..count).collect();
    }
    let length = MOST_LINES / STRETCHES;
    let last = count - length;
    (0..STRETCHES)
        .map(|stretch| last * stretch / (STRETCHES - 1))
        .flat_map(|start| start..start + length)
        .collect()
}

fn stretches<T: Copy>(lines: &[T]) -> Vec<T> {
    let read = read_lines(lines.len());
    read.into_iter().map(|line| lines[line]).collect()
}

/// What a measure should say of translations whose language is another one, whoever made them.
pub fn language_warning(texts: &[&str], language: &str) -> Option<String> {
    if !has_words(texts.iter().copied()) {
        return None;
    }
    let name = language_name(language);
    let read = stretches(texts);
    let texts = &*read;
    if let Finding::Other(evidence) = identify(texts.iter().copied(), language).finding {
        let other = evidence.languages();
        return Some(format!(
            "the translations read as {other}, not as {name}: the numbers are not to be trusted"
        ));
    }
    let foreign = foreign_lines(texts.iter().copied(), language)?;
    let (other, lines, of) = (foreign.languages(), foreign.lines, texts.len());
    Some(format!(
        "{lines} of {of} translations read as {other}, not as {name}: they are read with the rules of {name}"
    ))
}

/// Whether texts are enough, and most of them more than one word.
pub fn has_words<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    let (mut all, mut words) = (0, 0);
    for text in texts {
        all += 1;
        words += usize::from(text.trim().contains(' '));
    }
    all >= LEAST_LINES && 2 * words >= all
}

/// Whether answers are sentences: tags, numbers and aligned words are not.
pub fn are_sentences(answers: &[Answer]) -> bool {
    let texts = || {
        answers.iter().filter_map(|answer| match answer {
            Answer::Translation(text) if !text.trim().is_empty() => Some(text),
            _ => None,
        })
    };
    // Chinese and Japanese are written without spaces.
    let is_sentence = |text: &&String| {
        let spaced = text.trim().contains(' ') && !text.contains("->");
        spaced || text.chars().any(|letter| letter > '\u{2e80}')
    };
    2 * texts().filter(is_sentence).count() > texts().count()
}

pub fn bare(text: &str) -> impl Iterator<Item = char> {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase)
}

/// Lines that repeat their sentence: half of them, or a tenth where another language is translated into English, whose detector
/// would find nothing in the source (specification `into-english`, section 6).
fn untranslated(pairs: &[(&Item, &str)], language: &str) -> Option<Look> {
    let (most, sentence) = match language {
        "en" => (10, "source sentence"),
        _ => (2, "English sentence"),
    };
    let same: Vec<&(&Item, &str)> = pairs
        .iter()
        .filter(|(item, text)| bare(&item.text).eq(bare(text)))
        .collect();
    (most * same.len() > pairs.len()).then(|| {
        let message = format!(
            "not translated: {} of {} lines are the {sentence} itself, first {} `{}`",
            same.len(),
            pairs.len(),
            same[0].0.id,
            same[0].1
        );
        Look::wrong(message, hint(language, None))
    })
}

/// Text in a mistaken encoding has other words than the file.
fn garbled(pairs: &[(&Item, &str)]) -> Option<Look> {
    let found = || pairs.iter().filter(|(_, text)| is_garbled(text));
    let (count, of) = (found().count(), pairs.len());
    let (item, text) = found().next().filter(|_| is_many(count, of))?;
    Some(Look::wrong(
        format!(
            "{count} of {of} translations are garbled, as UTF-8 that was read in another encoding is, first {} `{text}`",
            item.id
        ),
        "save the file as UTF-8 again; --trust-language measures it as it is, and the signature says so"
            .to_owned(),
    ))
}

/// Languages that hardly write a page without letters beyond those of English.
const ACCENTED: [&str; 20] = [
    "bs", "cs", "da", "de", "es", "et", "fi", "fr", "hr", "hu", "is", "lt", "lv", "pl", "pt", "ro",
    "sk", "sl", "sv", "tr",
];
/// Lines of which one has such a letter.
const LEAST_ACCENTED: usize = 200;

/// A text that lost its accents has other words, and fewer that a judge knows.
fn without_accents(pairs: &[(&Item, &str)], language: &str) -> Option<String> {
    let code = language.split(['-', '_']).next().unwrap_or(language);
    let is_plain = |text: &str| {
        !text
            .chars()
            .any(|letter| letter.is_alphabetic() && !letter.is_ascii())
    };
    let plain = ACCENTED.contains(&code) && pairs.iter().all(|(_, text)| is_plain(text));
    (plain && pairs.len() >= LEAST_ACCENTED).then(|| {
        format!(
            "none of {} translations has a letter with an accent, which {} is written with: were the accents lost?",
            pairs.len(),
            language_name(language)
        )
    })
}

fn hint(language: &str, found: Option<&str>) -> String {
    let instead = found.map_or_else(String::new, |code| format!(" or --lang {code}"));
    let name = language_name(language);
    format!(
        "give the file of translations into {name}{instead}; --trust-language measures it as it is, and the signature says so"
    )
}

fn in_language(pairs: &[(&Item, &str)], language: &str) -> Look {
    let texts = || pairs.iter().map(|(_, text)| *text);
    let reading = identify(texts(), language);
    let name = language_name(language);
    match reading.finding {
        Finding::Agrees | Finding::Unclear | Finding::Unchecked => {
            if let Some(foreign) = foreign_lines(texts(), language) {
                return partly_foreign(pairs, &foreign, language);
            }
            let mut look = Look::default();
            if reading.finding != Finding::Agrees {
                look.unchecked.push("language");
            }
            if reading.finding == Finding::Unclear {
                let words = counted(
                    reading.lines,
                    "line does not tell whether it is",
                    "lines do not tell whether they are",
                );
                look.warnings.push(format!("{words} {name}"));
            }
            look
        }
        Finding::Other(evidence) => {
            let other = evidence.languages();
            let mut message = format!(
                "this is {other}, not {name}: {} of {} lines read as {other}, {} as {name}",
                evidence.speak_for, reading.lines, evidence.speak_against
            );
            if let Some((script, share)) = evidence.script {
                let percent = 100.0 * share;
                message += &format!("; {percent:.0} % of the letters are {script:?}");
            } else if !evidence.words.is_empty() {
                message += &format!("; words of {other}: {}", evidence.words.join(", "));
            }
            let (number, text) = &evidence.line;
            let id = &pairs[number - 1].0.id;
            message += &format!("; {id} is `{text}`");
            let hint = hint(language, evidence.codes.first().copied());
            Look::wrong(message, hint)
        }
    }
}

/// A block of another language was put there; scattered lines may be a weak translator's.
fn partly_foreign(pairs: &[(&Item, &str)], foreign: &Foreign, language: &str) -> Look {
    let (other, name) = (foreign.languages(), language_name(language));
    let (start, end) = foreign.block;
    let id = |line: usize| &pairs[line].0.id;
    let (item, text) = pairs[foreign.first];
    let message = format!(
        "{} of {} translations read as {other}, not as {name}, most of them from {} to {}; first {} `{text}`",
        foreign.lines,
        pairs.len(),
        id(start),
        id(end - 1),
        item.id
    );
    let is_block = end - start >= LEAST_BLOCK && foreign.in_block * 10 >= foreign.lines * 8;
    if is_block && !foreign.is_variety && 2 * foreign.in_block > end - start {
        return Look::wrong(message, hint(language, None));
    }
    Look {
        warnings: vec![format!("{message}; they are read with the rules of {name}")],
        ..Look::default()
    }
}

/// What a look at the order found.
enum Order {
    Fine,
    Unclear,
    Wrong(Look),
}

fn in_order(pairs: &[(&Item, &str)], language: &str) -> Order {
    let sources: Vec<&str> = pairs.iter().map(|(item, _)| item.text.as_str()).collect();
    let targets: Vec<&str> = pairs.iter().map(|(_, text)| *text).collect();
    let occupations: Vec<Option<&str>> = pairs
        .iter()
        .map(|(item, _)| item.label("occupation"))
        .collect();
    let id = |line: usize| pairs[line.min(pairs.len() - 1)].0.id.as_str();
    let message = match pairing(&sources, &targets, language, &occupations) {
        Pairing::InOrder => return Order::Fine,
        Pairing::Unclear => return Order::Unclear,
        Pairing::Moved { by, lines } => {
            let further = if by > 0 { "further on" } else { "before" };
            let lines_away = if by.abs() == 1 { "line" } else { "lines" };
            format!(
                "the order is not that of the data: from {} to {} the translations fit the sentences {} {lines_away} {further}; beside {} stands `{}`",
                id(lines.0),
                id(lines.1 - 1),
                by.abs(),
                id(lines.0),
                targets[lines.0]
            )
        }
        Pairing::Unrelated { lines } => format!(
            "the order is not that of the data: from {} to {} the translations fit their sentences no better than in any other order; beside `{}` stands `{}`",
            id(lines.0),
            id(lines.1 - 1),
            sources[lines.0],
            targets[lines.0]
        ),
    };
    Order::Wrong(Look::wrong(
        message,
        "a table with `from` and `to` needs no order; --trust-language measures the file as it is, and the signature says so"
            .to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_at(pairs: &[(&str, &str)], language: &str) -> Look {
        let items: Vec<Item> = pairs
            .iter()
            .map(|(from, _)| Item::new("t:1", *from))
            .collect();
        let answers: Vec<Answer> = pairs
            .iter()
            .map(|(_, to)| Answer::Translation((*to).to_owned()))
            .collect();
        look(&items, &answers, language, false)
    }

    #[test]
    fn long_files_are_read_in_stretches_of_neighbours() {
        let lines: Vec<usize> = (0..1_800_006).collect();
        let read = stretches(&lines);
        assert_eq!(read.len(), MOST_LINES);
        assert_eq!((read.first(), read.last()), (lines.first(), lines.last()));
        let breaks = read.windows(2).filter(|two| two[1] != two[0] + 1).count();
        assert_eq!(breaks, STRETCHES - 1);
        assert!(read.windows(2).all(|two| two[0] < two[1]));
        assert_eq!(stretches(&[1; MOST_LINES]).len(), MOST_LINES);
    }

    #[test]
    fn what_is_no_translation_is_refused_with_its_evidence() {
        let english = "I was at home because I had no time.";
        let message = |look: Look| match look {
            Look {
                wrong: Some((message, _)),
                ..
            } => message,
            other => format!("{other:?}"),
        };
        let copied = [(english, english); 6];
        assert!(message(look_at(&copied, "sk")).contains("6 of 6 lines are the English sentence"));
        let czech = [(english, "Byl jsem doma, protože jsem neměl čas."); 6];
        let found = message(look_at(&czech, "sk"));
        assert!(
            found.contains("this is Czech, not Slovak") && found.contains("jsem"),
            "{found}"
        );
        let fine = look_at(&czech, "cs");
        assert_eq!((fine.wrong, fine.warnings.len()), (None, 0));
        assert_eq!(fine.unchecked, ["order"]);
        let tags = [(english, "Masc"); 6];
        assert_eq!(look_at(&tags, "sk"), Look::default());
        let unsure = look_at(&[(english, "Brno Praha Plzeň"); 6], "cs");
        assert_eq!(unsure.warnings.len(), 1);
        assert_eq!(unsure.unchecked, ["language", "order"]);
        let sentences: Vec<String> = (0..LEAST_ACCENTED)
            .map(|line| format!("Byla jsem doma, kdyz jsem {line} krat nemela cas."))
            .collect();
        let lost: Vec<(&str, &str)> = sentences.iter().map(|text| (english, &**text)).collect();
        let found = look_at(&lost, "cs").warnings.join(" ");
        assert!(found.contains("a letter with an accent"), "{found}");
        let garbled = [(english, "ByÅ‚em w domu, bo nie miaÅ‚em czasu."); 6];
        assert!(message(look_at(&garbled, "pl")).contains("6 of 6 translations are garbled"));
    }
}
