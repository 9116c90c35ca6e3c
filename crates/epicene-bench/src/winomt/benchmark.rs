//! WinoMT as a benchmark of translators.

use epicene_core::{
    Answer, InputError, Item, ModelKind, Question, Row, SystemCard, TextFile, View,
};
use epicene_lang::occupation::OccupationJudge;

use super::human::HumanLabels;
use super::published::{Lexicon, Predictor};
use super::tally::{ALIGN, HUMAN, LEXICON, TAGS, WinomtTally};
use super::{data, judging, views};
use crate::{
    AnswerSheet, Benchmark, BuiltIn, JudgeRules, Judgement, MeasureOptions, Tally, TranslationFile,
    Unit, translations, winograd,
};

/// Languages the authors have rules for.
const PUBLISHED: [&str; 8] = ["ar", "de", "es", "fr", "he", "it", "ru", "uk"];

#[doc = include_str!("../../data/cards/winomt.md")]
pub struct Winomt;

impl Benchmark for Winomt {
    fn name(&self) -> &'static str {
        "winomt"
    }

    fn summary(&self) -> &'static str {
        "does a translated occupation have the gender its pronoun says?"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/winomt.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        Some("winomt")
    }

    fn data_files(&self) -> Vec<String> {
        vec!["en.txt".to_owned()]
    }

    fn built_in(&self, name: &str) -> Option<Result<BuiltIn, InputError>> {
        let items = || data::read(&[winograd::winomt_table()?]);
        (name == winograd::NAME).then(|| winograd::built_in(items()))
    }

    fn choose_files(&self, present: &[String]) -> Vec<String> {
        data::choose_files(present)
    }

    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        data::read(data)
    }

    fn languages(&self) -> Vec<&'static str> {
        let mut known: Vec<&'static str> = OccupationJudge::languages();
        known.extend(PUBLISHED);
        known.sort_unstable();
        known.dedup();
        known
    }

    fn check_input(&self, role: &str, file: &TextFile) -> Result<(), InputError> {
        let (kind, language) = role.split_once(':').unwrap_or((role, ""));
        let language = language.rsplit(':').next().unwrap_or("");
        let known = self.languages().contains(&language);
        match kind {
            ALIGN if known => judging::read_links(file).map(drop),
            LEXICON if known => Lexicon::read(file).map(drop),
            TAGS if known => Predictor::new(language, None, Some(file)).map(drop),
            HUMAN if known => HumanLabels::read(file).map(drop),
            _ => {
                let message = format!("winomt has no use for an input `{role}`");
                let hint = "known: align:LANG, lexicon:LANG, tags:LANG, human:LANG, each also as ROLE:SYSTEM:LANG";
                Err(InputError::new(&file.path, message).with_hint(hint))
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

    /// Verdicts need the aligner, which learns from all translations: [`Tally::judgement`] gives them.
    fn judge(
        &self,
        _item: &Item,
        _unit: &str,
        _answer: &Answer,
        _options: &MeasureOptions,
    ) -> Judgement {
        Judgement {
            verdict: 'u',
            outcome: "inconclusive",
            rule: "not-judged-alone",
            evidence: Vec::new(),
        }
    }

    fn judges_together(&self) -> bool {
        true
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        Box::new(WinomtTally::new(systems, probes))
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }

    fn choices(&self, options: &MeasureOptions) -> Option<Vec<(&'static str, String)>> {
        let given = options.inputs.keys().any(|role| role.starts_with("align:"));
        let judge = match options.judge {
            JudgeRules::Published => "winomt-published",
            JudgeRules::Default => "occupation-default",
        };
        Some(vec![
            ("judge", judge.to_owned()),
            (
                "aligner",
                if given { "given" } else { "fast-align-forward" }.to_owned(),
            ),
            (
                "interval",
                format!("wilson+bootstrap-{}", options.replicates),
            ),
        ])
    }
}
