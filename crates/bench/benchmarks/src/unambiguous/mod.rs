//! Unambiguous gender: the sentence says who the nurse is; does the translation?
//!
//! Renduchintala and Williams, "Investigating Failures of Automatic Translation in the Case of
//! Unambiguous Gender". A grammar writes the sentences (section 4 of the specification), the aligned
//! word of the translation is tagged (section 5), and tables follow section 6.

mod author_files;
mod cells;
mod clustered;
mod columns;
mod counts;
mod facets;
mod figures;
mod formulas;
pub mod grammar;
mod judging;
pub mod labels;
mod measures;
mod metric_table;
pub mod nonce;
mod options;
mod precomputed;
mod published;
mod sentences;
pub mod sets;
mod tagging;
mod views;
mod words;

pub use options::{LABELLED_ONLY, PICK, Pick};

use epicene_core::{
    Finding, InputError, Item, ItemRef, Language, Outcome, Row, SharedLabels, TextFile, View,
};
use epicene_lang::occupation::OccupationJudge;

use self::sets::SetName;
use crate::formula::{self, Formulas};
use crate::inputs::{By, InputSpec};
use crate::options::{DETECTOR, INTERVAL};
use crate::person_lexicon::{self, LEXICON};
use crate::wording;
use crate::{
    BenchError, Benchmark, Card, ColumnView, Compared, Judged, MadeData, Measured, Options,
    Verdicts,
};

/// The twenty languages of the paper, then those it tried and could not evaluate (specification, 8).
pub(crate) const PAPER_LANGUAGES: [&str; 35] = [
    "be", "ca", "cs", "de", "el", "es", "fr", "he", "hi", "hr", "it", "lt", "lv", "pl", "pt", "ro",
    "ru", "sr", "uk", "ur", "af", "ar", "fa", "fi", "gl", "hu", "id", "ja", "ko", "nl", "no", "sv",
    "ta", "tr", "zh",
];

/// The paper's languages, and all that the occupation judge knows besides.
fn languages() -> Vec<Language> {
    let paper = PAPER_LANGUAGES.map(|code| Language::find(code).expect("the registry has it"));
    let mut languages = paper.to_vec();
    let known = OccupationJudge::known().into_iter();
    languages.extend(known.filter(|language| !paper.contains(language)));
    languages
}

/// A file with a line for each sentence.
macro_rules! given {
    ($role:literal, $help:literal) => {
        InputSpec {
            by_line: true,
            unread: |asking, language| precomputed::unread($role, asking, language),
            ..InputSpec::new($role, By::Language, $help, |file, _| {
                precomputed::check($role, file)
            })
        }
    };
}

static CARD: Card = Card {
    data: Some("s"),
    files: &["unambiguous.csv"],
    languages,
    judges: |language| OccupationJudge::of(language).is_some(),
    options: &[&DETECTOR, &PICK, &LABELLED_ONLY, &INTERVAL],
    resamples: true,
    sampling: clustered::SAMPLING,
    inputs: &[
        given!("result", "One tag a line: the occupation's gender"),
        given!("aligned", "Lines of source->target->tag"),
        given!("tok", "Tokens of the translations"),
        given!("tag", "A tag for each token"),
        given!("align", "Links between words: 0-0 1-2"),
        InputSpec {
            unread: precomputed::lexicon_unread,
            unused: |verdicts| {
                let given = ("judge", "given-tags");
                let mut how = verdicts.how.iter();
                let is_given = how.any(|(name, value)| (*name, value.as_str()) == given);
                is_given.then_some(precomputed::WITHOUT_TAGS)
            },
            ..InputSpec::new(
                LEXICON,
                By::Language,
                "Nouns for persons, believed before ours (--detector epicene)",
                person_lexicon::check,
            )
        },
    ],
    check_inputs: precomputed::check_together,
    metrics: metric_table::METRICS,
    scopes: metric_table::SCOPES,
    facets: facets::facets,
    audit_question: |item| match sentences::occupation(item) {
        Some(occupation) => formula::gender_of(occupation),
        None => formula::gender_of_occupation(item),
    },
    baselines: published::baselines,
    examples: &[
        "epicene run unambiguous --size s --mt file:de.txt.gz --lang de",
        "epicene run unambiguous --size xs --mt apertium: --lang es",
        "epicene run unambiguous --size s --mt nmt=file:de.txt --lang de --detector published",
    ],
    sizes: &["xs", "s", "xl"],
    ..Card::new(
        "unambiguous",
        "the sentence says who the nurse is: does the translation agree?",
        include_str!("unambiguous.md"),
    )
};

#[doc = include_str!("unambiguous.md")]
pub struct Unambiguous;

impl Benchmark for Unambiguous {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn make_data(&self, name: &str, _: &Options) -> Option<Result<MadeData, InputError>> {
        let set: SetName = name.parse().ok()?;
        let fault = |error: grammar::GrammarError| InputError::new(name, error.to_string());
        Some(set.grammar().map_err(fault).map(|grammar| {
            let sentences = grammar.sentences().zip(1..);
            let mut labels = SharedLabels::default();
            MadeData {
                version: set.to_string(),
                source: format!("{set}\n{}", set.text()),
                items: sentences
                    .map(|(sentence, number)| labels.share(sets::item(number, sentence, None)))
                    .collect(),
            }
        }))
    }

    fn items(&self, data: &[TextFile], _options: &Options) -> Result<Vec<Item>, InputError> {
        sets::read(&data[0])
    }

    /// The aligner learns from all translations of a column.
    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        tagging::judge(column, options)
    }

    fn outcome(&self, item: ItemRef<'_>, finding: Finding) -> Option<Outcome> {
        Some(Outcome::of(sentences::expected(item)?, finding))
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        let mut measured = columns::measure(judged)?;
        published::places(&mut measured, judged);
        wording::added(self, judged, measured)
    }

    fn formulas(&self, judged: &Judged<'_>, _column: &ColumnView<'_>) -> Formulas {
        let sentences = sentences::Sentences::of(&judged.table.items)?;
        Ok(formulas::formulas(sentences))
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        columns::compare(judged, first, second)
    }

    fn author_files(&self, judged: &Judged<'_>) -> Result<Vec<(String, String)>, BenchError> {
        columns::author_files(judged)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let mut views = views::views(rows);
        views.extend(wording::view(rows));
        views
    }
}
