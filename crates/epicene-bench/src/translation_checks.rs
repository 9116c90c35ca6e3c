//! Whether translations are what they are said to be: translated at all, in the language that was named, each
//! beside its sentence. What is refused here would otherwise be measured, confidently and wrongly.

use epicene_core::{Answer, Item, counted};
use epicene_lang::identify::{Finding, identify, language_name};
use epicene_lang::pairing::{Pairing, pairing};

/// Lines below which nothing is said.
const LEAST_LINES: usize = 5;

/// What a look at translations found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    Fine,
    /// They are something else, for sure.
    Wrong {
        message: String,
        hint: String,
    },
    /// It could not be told; people should know.
    Unsure(String),
}

/// Looks at one system's translations into one language; tags of words are no sentences, and pass.
pub fn look(items: &[Item], answers: &[Answer], language: &str) -> Look {
    let pairs: Vec<(&Item, &str)> = items
        .iter()
        .zip(answers)
        .filter_map(|(item, answer)| match answer {
            Answer::Translation(text) if !text.trim().is_empty() => Some((item, text.as_str())),
            _ => None,
        })
        .collect();
    if pairs.len() < LEAST_LINES || !are_sentences(answers) {
        return Look::Fine;
    }
    if let Some(wrong) = untranslated(&pairs, language) {
        return wrong;
    }
    match in_language(&pairs, language) {
        Look::Fine => in_order(&pairs, language).unwrap_or(Look::Fine),
        // Lines of another order are a surer sign than a language that cannot be told.
        Look::Unsure(text) => in_order(&pairs, language).unwrap_or(Look::Unsure(text)),
        wrong => wrong,
    }
}

/// What a measure should say of translations whose language is another one, whoever made them.
pub fn language_warning(texts: &[&str], language: &str) -> Option<String> {
    if !has_words(texts.iter().copied()) {
        return None;
    }
    let Finding::Other(evidence) = identify(texts.iter().copied(), language).finding else {
        return None;
    };
    Some(format!(
        "the translations read as {}, not as {}: the numbers are not to be trusted",
        evidence.languages(),
        language_name(language)
    ))
}

/// Whether texts are enough, and most of them more than one word.
pub(crate) fn has_words<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
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

pub(crate) fn bare(text: &str) -> impl Iterator<Item = char> {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase)
}

fn untranslated(pairs: &[(&Item, &str)], language: &str) -> Option<Look> {
    let same: Vec<&(&Item, &str)> = pairs
        .iter()
        .filter(|(item, text)| bare(&item.text).eq(bare(text)))
        .collect();
    (2 * same.len() > pairs.len()).then(|| Look::Wrong {
        message: format!(
            "not translated: {} of {} lines are the English sentence itself, first {} `{}`",
            same.len(),
            pairs.len(),
            same[0].0.id,
            same[0].1
        ),
        hint: hint(language, None),
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
    let reading = identify(pairs.iter().map(|(_, text)| *text), language);
    let name = language_name(language);
    match reading.finding {
        Finding::Agrees | Finding::Unchecked => Look::Fine,
        Finding::Unclear => Look::Unsure(format!(
            "{} {name}",
            counted(
                reading.lines,
                "line does not tell whether it is",
                "lines do not tell whether they are"
            )
        )),
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
            Look::Wrong { message, hint }
        }
    }
}

fn in_order(pairs: &[(&Item, &str)], language: &str) -> Option<Look> {
    let sources: Vec<&str> = pairs.iter().map(|(item, _)| item.text.as_str()).collect();
    let targets: Vec<&str> = pairs.iter().map(|(_, text)| *text).collect();
    let occupations: Vec<Option<&str>> = pairs
        .iter()
        .map(|(item, _)| item.label("occupation"))
        .collect();
    let id = |line: usize| pairs[line.min(pairs.len() - 1)].0.id.as_str();
    let message = match pairing(&sources, &targets, language, &occupations) {
        Pairing::InOrder | Pairing::Unclear => return None,
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
    Some(Look::Wrong {
        message,
        hint: "a table with `from` and `to` needs no order; --trust-language measures the file as it is, and the signature says so"
            .to_owned(),
    })
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
        look(&items, &answers, language)
    }

    #[test]
    fn what_is_no_translation_is_refused_with_its_evidence() {
        let english = "I was at home because I had no time.";
        let message = |look: Look| match look {
            Look::Wrong { message, .. } => message,
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
        assert_eq!(look_at(&czech, "cs"), Look::Fine);
        let tags = [(english, "Masc"); 6];
        assert_eq!(look_at(&tags, "sk"), Look::Fine);
        assert!(matches!(
            look_at(&[(english, "Brno Praha Plzeň"); 6], "cs"),
            Look::Unsure(_)
        ));
    }
}
