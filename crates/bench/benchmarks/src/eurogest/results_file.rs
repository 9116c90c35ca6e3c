//! Results of the authors' script as answers (specification, section 6): one CSV a language with the two probabilities of
//! every row.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_core::{Answer, InputError, Item, Language, ModelKind, TextFile, Unit};

use super::{UNIT, data, tables};
use crate::AnswerSheet;
use crate::csv_input::CsvInput;

/// How far above 1 rounding may put a probability.
const SLACK: f64 = 1e-6;

/// One sheet for each system: files of one directory are one system's languages.
pub fn sheets(files: &[TextFile], items: &[Item]) -> Result<Vec<AnswerSheet>, InputError> {
    let mut systems: Vec<(String, Vec<usize>)> = Vec::new();
    let mut found: Vec<BTreeMap<(u32, Language), Answer>> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let Some(entry) = tables::language_of(&file.name) else {
            let message = format!(
                "the name `{}` does not say which language this is",
                file.name
            );
            return Err(InputError::new(&file.path, message)
                .with_hint("results are one file a language: english.csv, spanish.csv"));
        };
        let system = system_name(file);
        let place = match systems.iter().position(|(name, _)| *name == system) {
            Some(place) => place,
            None => {
                systems.push((system, Vec::new()));
                found.push(BTreeMap::new());
                systems.len() - 1
            }
        };
        systems[place].1.push(index);
        read(file, entry.language, &mut found[place])?;
    }
    let mut sheets = Vec::new();
    for ((system, files_of), found) in systems.into_iter().zip(&found) {
        let mut missing = Vec::new();
        let mut answers = Vec::with_capacity(items.len());
        for item in items {
            let place = data::place(item).and_then(|(id, code)| Some((id, Language::find(code)?)));
            match place.and_then(|place| found.get(&place)) {
                Some(answer) => answers.push(answer.clone()),
                None => {
                    missing.push(item.id.as_str());
                    answers.push(Answer::Missing);
                }
            }
        }
        if let Some(first) = missing.first() {
            let message = format!(
                "{} of {} rows have no result, first: {first}",
                missing.len(),
                items.len()
            );
            let path = &files[files_of[0]].path;
            return Err(InputError::new(path, message).with_hint(
                "give --data the tables these results were made from, and --lang its languages",
            ));
        }
        sheets.push(AnswerSheet {
            system,
            kind: ModelKind::Causal,
            files: files_of,
            units: vec![(Unit::named(UNIT), answers)],
        });
    }
    Ok(sheets)
}

/// The directory's name: files are named by their language.
fn system_name(file: &TextFile) -> String {
    let parent = Path::new(&file.path).parent().and_then(Path::file_name);
    match parent {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "results".to_owned(),
    }
}

fn read(
    file: &TextFile,
    language: Language,
    found: &mut BTreeMap<(u32, Language), Answer>,
) -> Result<(), InputError> {
    let mut input = CsvInput::new(file, b',');
    let names: Vec<String> = match input.next()? {
        Some((_, record)) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
        None => Vec::new(),
    };
    let column = |name: &str| {
        let place = names.iter().position(|known| known == name);
        place.ok_or_else(|| {
            InputError::new(&file.path, format!("there is no column `{name}`"))
                .at_line(1)
                .with_hint("results have the columns GEST_ID, masc_prob and fem_prob")
        })
    };
    let columns = [
        column("GEST_ID")?,
        column("masc_prob")?,
        column("fem_prob")?,
    ];
    while let Some((place, record)) = input.next()? {
        let number = |column: usize| record[column].trim().parse::<f64>();
        let [Ok(id), Ok(masculine), Ok(feminine)] = columns.map(number) else {
            return Err(place.complain(file, "GEST_ID, masc_prob or fem_prob is no number"));
        };
        let possible = |p: f64| p.is_finite() && p >= 0.0;
        if !possible(masculine) || !possible(feminine) {
            return Err(place.complain(file, "a probability is negative or not finite"));
        }
        if masculine.max(feminine) > 1.0 + SLACK {
            let message = "a probability is above 1";
            return Err(place.complain(file, message).with_hint(
                "masc_prob and fem_prob are probabilities; of a loss or a negative log-likelihood x it is exp(-x)",
            ));
        }
        if id.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&id) {
            return Err(place.complain(file, format!("GEST_ID {id} is no whole number")));
        }
        if masculine == 0.0 || feminine == 0.0 {
            let message = "a probability is 0: the sum of a long text underflows in the script";
            return Err(place
                .complain(file, message)
                .with_hint("let the script take means, or ask the model here"));
        }
        let answer = Answer::Log10Ratio((masculine / feminine).log10());
        if found.insert((id as u32, language), answer).is_some() {
            return Err(place.complain(file, format!("GEST_ID {id} stands above already")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_probability_is_refused_by_line() {
        let english = Language::find("en").unwrap();
        for (row, message) in [
            ("2,2.5,1.5", "line 3: a probability is above 1"),
            ("2,-0.5,0.5", "line 3: a probability is negative"),
            ("2.5,0.1,0.2", "line 3: GEST_ID 2.5 is no whole number"),
            ("1,0.1,0.2", "line 3: GEST_ID 1 stands above already"),
        ] {
            let file = TextFile {
                path: "m/english.csv".to_owned(),
                name: "english.csv".to_owned(),
                sha256: String::new(),
                text: format!("GEST_ID,masc_prob,fem_prob\n1,1.0,0.2\n{row}\n"),
            };
            let error = read(&file, english, &mut BTreeMap::new()).unwrap_err();
            assert!(error.to_string().contains(message), "{row}: {error}");
        }
    }
}
