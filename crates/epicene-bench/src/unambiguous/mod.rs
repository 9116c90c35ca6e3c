//! Unambiguous gender: the sentence says who the nurse is; does the translation?
//!
//! Renduchintala and Williams, "Investigating Failures of Automatic Translation in the Case of
//! Unambiguous Gender". A grammar writes the sentences (section 4 of the specification), the aligned
//! word of the translation is tagged (section 5), and tables follow section 6.

pub mod author_files;
pub mod cells;
pub mod counts;
mod figures;
pub mod grammar;
mod items;
mod judging;
pub mod labels;
mod measures;
pub mod nonce;
mod options;
mod precomputed;
mod published;
pub mod sets;
mod tagging;
mod tally;
mod views;
mod words;

pub use options::{Pick, UnambiguousOptions};

use epicene_core::{
    Answer, InputError, Item, ModelKind, Question, Row, SystemCard, TextFile, View,
};

use self::sets::SetName;
use crate::{
    AnswerSheet, Benchmark, BuiltIn, JudgeRules, Judgement, MeasureOptions, Tally, TranslationFile,
    Unit, translations,
};

/// The twenty languages of the paper, then those it tried and could not evaluate (specification, 8).
pub const LANGUAGES: [&str; 35] = [
    "be", "ca", "cs", "de", "el", "es", "fr", "he", "hi", "hr", "it", "lt", "lv", "pl", "pt", "ro",
    "ru", "sr", "uk", "ur", "af", "ar", "fa", "fi", "gl", "hu", "id", "ja", "ko", "nl", "no", "sv",
    "ta", "tr", "zh",
];

#[doc = include_str!("../../data/cards/unambiguous.md")]
pub struct Unambiguous;

impl Benchmark for Unambiguous {
    fn name(&self) -> &'static str {
        measures::NAME
    }

    fn summary(&self) -> &'static str {
        "the sentence says who the nurse is: does the translation agree?"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/unambiguous.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        Some("s")
    }

    fn built_in(&self, name: &str) -> Option<Result<BuiltIn, InputError>> {
        let set: SetName = name.parse().ok()?;
        let fault = |error: grammar::GrammarError| InputError::new(name, error.to_string());
        Some(set.grammar().map_err(fault).map(|grammar| {
            let sentences = grammar.sentences().zip(1..);
            BuiltIn {
                version: set.to_string(),
                source: format!("{set}\n{}", set.text()),
                items: sentences
                    .map(|(sentence, number)| sets::item(number, sentence, None))
                    .collect(),
            }
        }))
    }

    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        sets::read(&data[0])
    }

    fn languages(&self) -> Vec<&'static str> {
        LANGUAGES.to_vec()
    }

    fn check_input(&self, role: &str, file: &TextFile) -> Result<(), InputError> {
        match role.split_once(':') {
            Some((kind, language)) if precomputed::ROLES.contains(&kind) => {
                if !LANGUAGES.contains(&language) {
                    let message = format!("unknown language `{language}` in the role `{role}`");
                    return Err(InputError::new(&file.path, message));
                }
                precomputed::check(kind, file)
            }
            _ => {
                let roles = precomputed::ROLES
                    .map(|role| format!("{role}:LANG"))
                    .join(", ");
                let message =
                    format!("unambiguous has no use for an input `{role}` (known: {roles})");
                Err(InputError::new(&file.path, message))
            }
        }
    }

    fn units(&self, kind: ModelKind) -> Vec<Unit> {
        match kind {
            ModelKind::Translator => {
                let unit = |language: &str| Unit {
                    name: format!("lang:{language}"),
                    scorer: "translate",
                };
                LANGUAGES.map(unit).to_vec()
            }
            ModelKind::Masked | ModelKind::Causal => Vec::new(),
        }
    }

    fn question(&self, item: &Item, unit: &Unit, _kind: ModelKind) -> Question {
        Question::Translate {
            text: item.text.clone(),
            to: unit.name.trim_start_matches("lang:").to_owned(),
        }
    }

    fn read_answers(
        &self,
        files: &[TextFile],
        _kind: Option<ModelKind>,
        _items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError> {
        match files.first() {
            None => Ok(Vec::new()),
            Some(file) => Err(
                InputError::new(&file.path, "unambiguous measures translations")
                    .with_hint("give the file with --mt file:PATH --lang LANG"),
            ),
        }
    }

    fn read_translations(
        &self,
        files: &[TranslationFile],
        items: &[Item],
        allow_missing: bool,
    ) -> Result<Vec<AnswerSheet>, InputError> {
        translations::sheets(files, items, allow_missing)
    }

    fn judge(&self, _: &Item, _: &str, _: &Answer, _: &MeasureOptions) -> Judgement {
        // Verdicts come from the tally: the aligner learns from all translations.
        Judgement::of_preference(0.0)
    }

    fn judges_together(&self) -> bool {
        true
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        Box::new(tally::UnambiguousTally::new(systems, probes))
    }

    fn baselines(&self) -> Vec<Row> {
        published::rows()
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }

    fn choices(&self, options: &MeasureOptions) -> Option<Vec<(&'static str, String)>> {
        let roles = options.inputs.keys();
        let mut given: Vec<&str> = roles.filter_map(|role| role.split(':').next()).collect();
        given.sort_unstable();
        given.dedup();
        let has = |role: &str| given.contains(&role);
        let judge = match (has("result") || has("aligned") || has("tag"), options.judge) {
            (true, _) => "given-tags",
            (false, JudgeRules::Published) => "occupation-published",
            (false, JudgeRules::Default) => "occupation-default",
        };
        let aligner = match given.iter().any(|role| *role != "result") {
            true => "given",
            false => "fast_align-grow-diag-final-and",
        };
        let choices = options.unambiguous;
        let mut named = vec![
            ("judge", judge.to_owned()),
            ("aligner", aligner.to_owned()),
            ("pick", choices.pick.to_string()),
            ("rates", "wilson".to_owned()),
            ("bootstrap", format!("occupations-{}", options.replicates)),
        ];
        if choices.labelled_only {
            named.push(("occupation", "labelled".to_owned()));
        }
        Some(named)
    }
}
