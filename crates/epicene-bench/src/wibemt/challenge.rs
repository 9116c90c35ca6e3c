//! The challenge set (WiBeMT, sections 2.2 and 2.3): verb sentences around every occupation, and WinoBias with
//! an adjective before the occupation the pronoun refers to.

use std::io::{self, Write};

use epicene_core::{InputError, TextFile};

use super::base::BaseSentence;
use super::occupations::{self, Class};

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

/// Columns id, sentence, verb, occupation: template by template, occupations by ascending score.
pub fn write_verb_sentences(templates: &[Template], out: &mut dyn Write) -> io::Result<u64> {
    let mut count = 0;
    for template in templates {
        let verb_id = format!("V{}{:02}", template.class, template.number);
        for occupation in occupations::scored() {
            let rank = occupation.rank.unwrap_or(0);
            let sentence = template.text.replace(SLOT, occupation.name);
            writeln!(
                out,
                "{verb_id}Occ{}{rank:02}\t{sentence}\t{}\t{}",
                occupation.class, template.verb, occupation.name
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
