//! The challenge set (WiBeMT, sections 2.2 and 2.3): verb sentences around every occupation, and WinoBias with
//! an adjective before the occupation the pronoun refers to.

use std::io::{self, Write};

use epicene_core::{InputError, TextFile};

use super::base::BaseSentence;
use super::occupations::{self, Class};
use crate::csv_input::CsvInput;

/// A verb sentence with a place for the occupation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Feminine or masculine.
    pub class: Class,
    /// From 1 within its class.
    pub number: usize,
    pub verb: String,
    pub text: String,
}

const SLOT: &str = "{occ}";

/// Sentences of our own with the paper's verbs.
pub fn embedded_templates() -> Result<Vec<Template>, InputError> {
    let file = TextFile {
        path: "(embedded) verb-sentences.tsv".to_owned(),
        name: "verb-sentences.tsv".to_owned(),
        sha256: String::new(),
        text: include_str!("../../data/wibemt/verb-sentences.tsv").to_owned(),
    };
    templates(&file)
}

/// Templates from a table: the authors' (id, class, template, verb) or ours (class, verb, template), told apart
/// by the header.
pub fn templates(file: &TextFile) -> Result<Vec<Template>, InputError> {
    let mut lines = (1u64..)
        .zip(file.text.lines())
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let header: Vec<&str> = match lines.next() {
        Some((_, header)) => header.split('\t').map(str::trim).collect(),
        None => return Err(InputError::new(&file.path, "the file is empty")),
    };
    let place = |names: &[&str]| header.iter().position(|cell| names.contains(cell));
    let (Some(class_at), Some(text_at), Some(verb_at)) = (
        place(&["class"]),
        place(&["template"]),
        place(&["verb", "verb_field_in_data"]),
    ) else {
        return Err(InputError::new(
            &file.path,
            "the header needs the columns class, template and verb",
        )
        .at_line(1)
        .with_hint(format!(
            "a template is a sentence with {SLOT} for the occupation; class is F or M"
        )));
    };
    let mut templates: Vec<Template> = Vec::new();
    for (number, line) in lines {
        let complain = |message: String| InputError::new(&file.path, message).at_line(number);
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.len() != header.len() {
            let message = format!("there are {} cells, expected {}", cells.len(), header.len());
            return Err(complain(message));
        }
        let class = match cells[class_at] {
            "F" => Class::Feminine,
            "M" => Class::Masculine,
            other => return Err(complain(format!("the class is `{other}`, expected F or M"))),
        };
        if !cells[text_at].contains(SLOT) {
            return Err(complain(format!("the template has no {SLOT}")));
        }
        let before = templates.iter().filter(|known| known.class == class);
        templates.push(Template {
            class,
            number: before.count() + 1,
            verb: cells[verb_at].to_owned(),
            text: cells[text_at].to_owned(),
        });
    }
    Ok(templates)
}

/// Feminine and masculine adjectives in rank order.
pub fn adjectives() -> Vec<(Class, &'static str)> {
    let table = include_str!("../../data/wibemt/adjectives.tsv").lines();
    let rows = table.filter(|line| !line.starts_with('#')).skip(1);
    rows.filter_map(|line| {
        let (class, adjective) = line.split_once('\t')?;
        Some((class.parse().ok()?, adjective))
    })
    .collect()
}

/// A word with its class: an occupation with its third, or an adjective.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassedWord {
    pub word: String,
    pub class: Class,
    /// From 1 within its class.
    pub rank: usize,
}

/// Adjectives of each class that are taken of a list with scores (the paper's number).
const ADJECTIVES_OF_CLASS: usize = 10;

/// The occupations of the paper that have a score, most feminine first.
pub fn paper_occupations() -> Vec<ClassedWord> {
    let each = occupations::scored();
    each.map(|occupation| ClassedWord {
        word: occupation.name.to_owned(),
        class: occupation.class,
        rank: occupation.rank.unwrap_or(0) as usize,
    })
    .collect()
}

/// Words with a class (F, N, M) or a score, as `reproduce wordscore` prints it, in ascending order of the score. Scores say
/// nothing but ranks: occupations are cut into thirds, as in the paper.
pub fn own_occupations(file: &TextFile) -> Result<Vec<ClassedWord>, InputError> {
    classed(file, |place, count| match 3 * place / count {
        0 => Some(Class::Feminine),
        1 => Some(Class::Neutral),
        _ => Some(Class::Masculine),
    })
}

/// The same of adjectives: with scores, the most feminine and the most masculine ten, or half of them each.
pub fn own_adjectives(file: &TextFile) -> Result<Vec<ClassedWord>, InputError> {
    let found = classed(file, |place, count| {
        let taken = ADJECTIVES_OF_CLASS.min(count / 2);
        match place {
            place if place < taken => Some(Class::Feminine),
            place if place >= count - taken => Some(Class::Masculine),
            _ => None,
        }
    })?;
    match found.iter().find(|word| word.class == Class::Neutral) {
        Some(word) => Err(InputError::new(
            &file.path,
            format!("the class of the adjective `{}` is N", word.word),
        )
        .with_hint("adjectives are F or M")),
        None => Ok(found),
    }
}

fn classed(
    file: &TextFile,
    class_of: impl Fn(usize, usize) -> Option<Class>,
) -> Result<Vec<ClassedWord>, InputError> {
    let first = file.text.lines().next().unwrap_or_default();
    let mut input = CsvInput::new(file, if first.contains('\t') { b'\t' } else { b',' });
    let header: Vec<String> = match input.next()? {
        Some((_, cells)) => cells
            .iter()
            .map(|cell| cell.trim().to_lowercase())
            .collect(),
        None => return Err(InputError::new(&file.path, "the file is empty")),
    };
    let place = |names: &[&str]| {
        header
            .iter()
            .position(|cell| names.contains(&cell.as_str()))
    };
    let word_at = place(&["word", "occupation", "adjective"]);
    let (class_at, score_at) = (place(&["class"]), place(&["score"]));
    let (Some(word_at), true) = (word_at, class_at.is_some() || score_at.is_some()) else {
        return Err(InputError::new(
            &file.path,
            "the header needs the columns word, and class or score",
        )
        .at_line(1)
        .with_hint(
            "the output of `epicene reproduce wordscore` has word and score; class is F, N or M",
        ));
    };
    let mut words: Vec<(String, Option<Class>, f64)> = Vec::new();
    while let Some((place, cells)) = input.next()? {
        let cell = |at: usize| cells.get(at).unwrap_or("").trim();
        let word = cell(word_at);
        let bad = |message: String| place.complain(file, message);
        if word.is_empty() {
            return Err(bad("the word is empty".to_owned()));
        }
        if words.iter().any(|(known, ..)| known == word) {
            return Err(bad(format!("`{word}` is there already")));
        }
        let class = class_at.map(|at| {
            let letter = cell(at);
            letter
                .parse()
                .map_err(|()| bad(format!("the class is `{letter}`, expected F, N or M")))
        });
        let score = match (class_at, score_at) {
            (None, Some(at)) => {
                let score = cell(at)
                    .parse::<f64>()
                    .ok()
                    .filter(|score| score.is_finite());
                score.ok_or_else(|| bad(format!("the score of `{word}` is `{}`", cell(at))))?
            }
            _ => 0.0,
        };
        words.push((word.to_owned(), class.transpose()?, score));
    }
    words.sort_by(|one, other| one.2.total_cmp(&other.2));
    let count = words.len();
    let mut found: Vec<ClassedWord> = Vec::new();
    for (place, (word, class, _)) in words.into_iter().enumerate() {
        let Some(class) = class.or_else(|| class_of(place, count)) else {
            continue;
        };
        let rank = 1 + found.iter().filter(|known| known.class == class).count();
        found.push(ClassedWord { word, class, rank });
    }
    if found.is_empty() {
        return Err(InputError::new(&file.path, "there are no words"));
    }
    Ok(found)
}

/// Columns id, sentence, verb, occupation: template by template, occupations by ascending score.
pub fn write_verb_sentences(
    templates: &[Template],
    occupations: &[ClassedWord],
    out: &mut dyn Write,
) -> io::Result<u64> {
    let mut count = 0;
    for template in templates {
        let verb_id = format!("V{}{:02}", template.class, template.number);
        for ClassedWord { word, class, rank } in occupations {
            let sentence = template.text.replace(SLOT, word);
            writeln!(
                out,
                "{verb_id}Occ{class}{rank:02}\t{sentence}\t{}\t{word}",
                template.verb
            )?;
            count += 1;
        }
    }
    Ok(count)
}

/// Columns gender, index, sentence, phrase, class of the occupation, adjective, class of the adjective, id: each
/// sentence bare, then with the feminine, then with the masculine adjectives.
pub fn write_extended_winobias(
    base: &[BaseSentence],
    adjectives: &[(Class, &str)],
    out: &mut dyn Write,
) -> io::Result<u64> {
    let mut count = 0;
    for bare in base {
        let sentence = bare.normalised();
        let noun = sentence.noun();
        let class = occupations::find(noun).map_or(Class::Masculine, |known| known.class);
        let start: String = noun.chars().take(2).collect();
        count += 1;
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{class}\t---\t---\t{count:05}{start}{class}NaNa",
            sentence.gender, sentence.index, sentence.text, sentence.phrase
        )?;
        for (adjective_class, adjective) in adjectives {
            count += 1;
            let text = sentence.with_adjective(adjective);
            let beginning: String = adjective.chars().take(2).collect();
            writeln!(
                out,
                "{}\t{}\t{text}\t{}\t{class}\t{adjective}\t{adjective_class}\t{count:05}{start}{class}{beginning}{adjective_class}",
                sentence.gender, sentence.index, sentence.phrase
            )?;
        }
    }
    Ok(count)
}
