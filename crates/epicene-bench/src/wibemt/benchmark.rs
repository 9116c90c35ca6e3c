//! WiBeMT as a benchmark of translators into German.

use epicene_core::{
    Answer, InputError, Item, ModelKind, Question, Row, SystemCard, TextFile, View,
};

use super::decisions::{DECISIONS_INPUT, Decisions};
use super::german::{self, LIST_VERSION};
use super::label::Label;
use super::tally::WibemtTally;
use super::{challenge, data, other_languages, published, views};
use crate::{
    AnswerSheet, Benchmark, BuiltIn, Judgement, MeasureOptions, Tally, TranslationFile, Unit,
    translations,
};

/// Verb sentences of our own.
const EMBEDDED: &str = "epicene-wibemt";

fn embedded() -> Result<BuiltIn, InputError> {
    let mut bytes = Vec::new();
    let templates = challenge::embedded_templates()?;
    let written = challenge::write_verb_sentences(&templates, &mut bytes);
    let fail = |message: String| InputError::new(EMBEDDED, message);
    written.map_err(|error| fail(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| fail(error.to_string()))?;
    let file = TextFile {
        path: format!("(embedded) {EMBEDDED}"),
        name: format!("{EMBEDDED}.tsv"),
        sha256: String::new(),
        text,
    };
    Ok(BuiltIn {
        version: EMBEDDED.to_owned(),
        items: data::read(&file)?,
        source: file.text,
    })
}

#[doc = include_str!("../../data/cards/wibemt.md")]
pub struct Wibemt;

impl Benchmark for Wibemt {
    fn name(&self) -> &'static str {
        "wibemt"
    }

    fn summary(&self) -> &'static str {
        "what verbs and adjectives do to the gender of translated occupations"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/wibemt.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        Some(EMBEDDED)
    }

    fn data_files(&self) -> Vec<String> {
        vec!["verb_sentences.tsv".to_owned()]
    }

    fn built_in(&self, name: &str) -> Option<Result<BuiltIn, InputError>> {
        (name == EMBEDDED).then(embedded)
    }

    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        data::read(&data[0])
    }

    fn languages(&self) -> Vec<&'static str> {
        other_languages::languages()
    }

    fn check_input(&self, role: &str, file: &TextFile) -> Result<(), InputError> {
        match role {
            DECISIONS_INPUT => Decisions::read(file).map(drop),
            _ => {
                let message =
                    format!("wibemt has no use for an input `{role}` (known: {DECISIONS_INPUT})");
                Err(InputError::new(&file.path, message))
            }
        }
    }

    fn units(&self, kind: ModelKind) -> Vec<Unit> {
        translations::units(kind, &self.languages())
    }

    fn question(&self, item: &Item, unit: &Unit, _kind: ModelKind) -> Question {
        translations::question(item, unit)
    }

    fn read_answers(
        &self,
        files: &[TextFile],
        _kind: Option<ModelKind>,
        _items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError> {
        translations::refuse_models(self.name(), files)
    }

    fn read_translations(
        &self,
        files: &[TranslationFile],
        items: &[Item],
        allow_missing: bool,
    ) -> Result<Vec<AnswerSheet>, InputError> {
        translations::sheets(files, items, allow_missing)
    }

    fn judge(
        &self,
        item: &Item,
        unit: &str,
        answer: &Answer,
        options: &MeasureOptions,
    ) -> Judgement {
        let text = match answer {
            Answer::Translation(text) => text.as_str(),
            _ => "",
        };
        let part = data::part(item).unwrap_or(german::Part::Verb);
        let occupation = item.label(data::OCCUPATION).unwrap_or("");
        let found = other_languages::classify(unit, text, occupation, part, options.judge);
        let verdict = match found.label {
            Some(Label::Female) => 'f',
            Some(Label::Male) => 'm',
            Some(Label::Neutral) => 'n',
            Some(Label::Wrong) | None => 'u',
        };
        let outcome = match (item.label(data::GENDER), found.label) {
            (None, _) => "",
            (Some("female"), Some(Label::Female)) | (Some("male"), Some(Label::Male)) => "correct",
            (_, Some(Label::Female | Label::Male)) => "wrong",
            _ => "inconclusive",
        };
        Judgement {
            verdict,
            outcome,
            rule: found.rule,
            evidence: found.evidence,
        }
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        Box::new(WibemtTally::new(systems, probes))
    }

    fn baselines(&self) -> Vec<Row> {
        published::rows()
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }

    fn choices(&self, options: &MeasureOptions) -> Option<Vec<(&'static str, String)>> {
        Some(vec![
            ("judge", format!("wibemt-{}", options.judge)),
            ("list", LIST_VERSION.to_owned()),
            ("test", "chi2-yates".to_owned()),
            ("rates", "wilson".to_owned()),
        ])
    }
}
