//! Translations somebody already has (specification, section 6): two files for the counterfactual sentences, one for the
//! contextual ones, or a table that names its sources.

use epicene_core::{Answer, InputError, Item, ModelKind, TextFile, Unit, counted, there_are};

use super::CARD;
use super::data::{CONTEXTUAL, GENDER, SUBSET_LABEL};
use crate::python::lines;
use crate::translations::{TranslationFile, given_by};
use crate::{AnswerFile, AnswerSheet, translations};

/// Which items a file of lines is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SourcePart {
    All,
    Masculine,
    Feminine,
    Context,
}

impl SourcePart {
    fn of_name(name: &str) -> Option<SourcePart> {
        let name = name.to_lowercase();
        match () {
            () if name.contains("context") => Some(SourcePart::Context),
            () if name.contains("feminine") => Some(SourcePart::Feminine),
            () if name.contains("masculine") => Some(SourcePart::Masculine),
            () => None,
        }
    }

    fn holds(self, item: &Item) -> bool {
        let contextual = item.label(SUBSET_LABEL) == Some(CONTEXTUAL);
        let gender = item.label(GENDER);
        match self {
            SourcePart::All => true,
            SourcePart::Context => contextual,
            SourcePart::Masculine => !contextual && gender == Some("masculine"),
            SourcePart::Feminine => !contextual && gender == Some("feminine"),
        }
    }
}

/// One sheet for each system; its files fill each other's gaps.
pub fn sheets(files: &[AnswerFile], items: &[Item]) -> Result<Vec<AnswerSheet>, InputError> {
    let mut sheets: Vec<(AnswerSheet, bool)> = Vec::new();
    for (index, given) in files.iter().enumerate() {
        let TranslationFile {
            file,
            system,
            language,
            allow_missing,
        } = given_by(&CARD, given)?;
        let place = match sheets.iter().position(|(sheet, _)| sheet.system == system) {
            Some(place) => place,
            None => {
                let answers = vec![Answer::Missing; items.len()];
                let sheet = AnswerSheet {
                    system: system.to_owned(),
                    kind: ModelKind::Translator,
                    files: Vec::new(),
                    units: vec![(Unit::into_language(language), answers)],
                };
                sheets.push((sheet, allow_missing));
                sheets.len() - 1
            }
        };
        let sheet = &mut sheets[place].0;
        sheet.files.push(index);
        fill(file, items, &mut sheet.units[0].1)?;
    }
    for (sheet, allow_missing) in &sheets {
        let answers = &sheet.units[0].1;
        let missing = |(_, answer): &(&Item, &Answer)| **answer == Answer::Missing;
        let gaps: Vec<&Item> = items
            .iter()
            .zip(answers)
            .filter(missing)
            .map(|(item, _)| item)
            .collect();
        if let Some(first) = gaps.first()
            && (!allow_missing || gaps.len() == items.len())
        {
            let message = format!(
                "{} of {} sentences of {} have no translation, first: {}",
                gaps.len(),
                items.len(),
                sheet.system,
                first.id
            );
            let path = &files[sheet.files[0]].file().path;
            return Err(InputError::new(path, message).with_hint(
                "give all files of a system under one name (--mt NAME=file:…), choose a part with --subset, or give --allow-missing",
            ));
        }
    }
    Ok(sheets.into_iter().map(|(sheet, _)| sheet).collect())
}

fn fill(file: &TextFile, items: &[Item], answers: &mut [Answer]) -> Result<(), InputError> {
    let mut put = |place: usize, text: &str| {
        if answers[place] != Answer::Missing {
            let message = format!("{} has a translation in another file", items[place].id);
            return Err(InputError::new(&file.path, message));
        }
        answers[place] = Answer::Translation(text.to_owned());
        Ok(())
    };
    if let Some(table) = translations::table(file)? {
        for (place, item) in items.iter().enumerate() {
            if let Some(text) = table.get(&item.text) {
                put(place, text)?;
            }
        }
        return Ok(());
    }
    let found = lines(&file.text);
    let part = SourcePart::of_name(&file.name).unwrap_or(SourcePart::All);
    let places: Vec<usize> = (0..items.len())
        .filter(|place| part.holds(&items[*place]))
        .collect();
    if found.len() != places.len() {
        let message = format!(
            "{}, the data has {} here",
            there_are(found.len(), "line", "lines"),
            counted(places.len(), "sentence", "sentences")
        );
        return Err(InputError::new(&file.path, message).with_hint(
            "a file has one translation a line; its name says which sentences it is of: masculine, feminine or context",
        ));
    }
    for (place, text) in places.into_iter().zip(found) {
        put(place, text)?;
    }
    Ok(())
}
