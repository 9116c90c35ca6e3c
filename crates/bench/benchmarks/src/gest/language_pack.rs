//! A language pack that a run brings: kept with the run, so that its verdicts can be made again without the folder.

use std::collections::BTreeMap;

use epicene_core::{InputError, Language, TextFile};
use epicene_lang::first_person::Detector;
use epicene_lang::first_person::pack::Pack;

use crate::Options;
use crate::inputs::{By, InputSpec};

/// Role of the pack in a run.
pub const LANGUAGE_PACK: &str = "language-pack";

pub(crate) const INPUT: InputSpec = InputSpec {
    unread: |asking, _| {
        let mut units = asking
            .columns
            .iter()
            .map(|column| column.ask.unit.language());
        let file = asking.options.inputs.get(LANGUAGE_PACK)?;
        let language = read(file).ok()?.language();
        let is_asked = units.any(|unit| unit == Some(language));
        (!is_asked).then_some("translations into the pack's language")
    },
    ..InputSpec::new(
        LANGUAGE_PACK,
        By::Run,
        "A language of your own, as --language-pack DIR keeps it",
        |file, _| read(file).map(drop),
    )
};

/// The files of a pack as one text.
pub fn bundle(files: &BTreeMap<String, String>) -> String {
    serde_json::to_string(files).expect("texts by their names")
}

fn read(file: &TextFile) -> Result<Pack, InputError> {
    let files: BTreeMap<String, String> = serde_json::from_str(&file.text).map_err(|error| {
        InputError::new(&file.path, format!("this is no language pack ({error})"))
    })?;
    Pack::read(&files).map_err(|error| {
        let message = format!("{}: {}", error.file, error.message);
        InputError::new(&file.path, message).with_hint(error.hint)
    })
}

/// The detector of a language that the run's pack brings.
pub(crate) fn detector(
    options: &Options,
    language: Language,
) -> Result<Option<Detector>, InputError> {
    let Some(file) = options.inputs.get(LANGUAGE_PACK) else {
        return Ok(None);
    };
    let pack = read(file)?;
    Ok((pack.language() == language).then(|| pack.detector()))
}
