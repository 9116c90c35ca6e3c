//! MT-GenEval (Currey et al., EMNLP 2022): sentences of Wikipedia whose gender is said, with references of both
//! genders. Does a word of the wrong one get in?

mod compare;
mod data;
mod hypotheses;
mod lines;
mod measures;
mod metric_table;
mod options;
mod views;
mod words;

use epicene_core::{
    Answer, Finding, Gender, InputError, Item, ItemRef, Language, Outcome, Row, Span, TextFile,
    Verdict, View,
};

pub use options::{CONTEXT, SPLIT, SUBSET, WORDS};

use crate::options::INTERVAL;
use crate::wording;
use crate::{
    AnswerFile, BenchError, Benchmark, Card, ColumnView, Compared, Drawn, Judged, Measured,
    Options, Sampling, Sheets, Verdicts,
};
use words::Shown;

/// Languages of both subsets.
const LANGUAGES: [&str; 8] = ["ar", "de", "es", "fr", "hi", "it", "pt", "ru"];

fn languages() -> Vec<Language> {
    let known = LANGUAGES.map(|code| Language::find(code).expect("the registry has it"));
    known.to_vec()
}

pub static CARD: Card = Card {
    data: Some("mtgeneval"),
    choose: Some(data::choose_files),
    by_language: true,
    languages,
    options: &[&SUBSET, &SPLIT, &CONTEXT, &WORDS, &INTERVAL],
    // Both lines of a pair are one sentence.
    resamples: true,
    sampling: Sampling {
        unit: "segment",
        strata: "subset",
        of: |item| {
            let subset = item.label(data::SUBSET_LABEL)?;
            Some(Drawn::new(
                subset,
                item.label(data::PAIR).unwrap_or(item.id),
            ))
        },
    },
    metrics: metric_table::METRICS,
    examples: &[
        "epicene run mtgeneval --mt hf:Helsinki-NLP/opus-mt-en-de --lang de",
        "epicene run mtgeneval --mt nmt=file:de.txt --lang de",
        "epicene run mtgeneval --mt deepl: --lang de,fr --yes",
    ],
    ..Card::new(
        "mtgeneval",
        "the source says who is a man and who a woman: does a word of the wrong gender get in?",
        include_str!("mtgeneval.md"),
    )
};

#[doc = include_str!("mtgeneval.md")]
pub(crate) struct MtGenEval;

/// The part of a translation that is judged. Files hold the second sentence alone, and are taken as they are.
fn judged_part<'a>(view: &ColumnView<'_>, item: ItemRef<'_>, text: &'a str) -> &'a str {
    if view.system().source.starts_with("file:") {
        text
    } else {
        &text[data::judged_from(item, text)..]
    }
}

fn gender(item: ItemRef<'_>) -> Option<Gender> {
    match item.label(data::GENDER)? {
        "masculine" => Some(Gender::Masculine),
        "feminine" => Some(Gender::Feminine),
        _ => None,
    }
}

/// What the words of a line show of the gender that was asked for. Where the context does not say which it is, a line
/// is only right or wrong.
fn finding(item: ItemRef<'_>, shown: Shown) -> Finding {
    match (shown, gender(item)) {
        (Shown::None, _) => Finding::Unmarked,
        (Shown::Both, _) => Finding::Both,
        (Shown::Own, Some(gender)) => gender.into(),
        (Shown::Other, Some(gender)) => gender.opposite().into(),
        (Shown::Own, None) => Finding::Common,
        (Shown::Other, None) => Finding::Mistranslated,
    }
}

impl Benchmark for MtGenEval {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
        data::items(data, options)
    }

    fn read_answers(&self, files: &[AnswerFile], items: &[Item], _options: &Options) -> Sheets {
        hypotheses::sheets(files, items)
    }

    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        let how = options.get(&WORDS);
        let cells = column.each(|item, answer| {
            let text = match answer {
                Answer::Translation(text) => text,
                Answer::Missing => return Some(Verdict::new(Finding::NoAnswer, "")),
                _ => return None,
            };
            let part = judged_part(column, item, text);
            let skipped = text[..text.len() - part.len()].chars().count();
            let references = item.label(data::REFERENCE).zip(item.label(data::OTHER))?;
            let unique = words::unique(references.0, references.1, how);
            let (shown, evidence) = words::evidence(part, &unique, how);
            let spans = evidence.iter().filter_map(|word| {
                let span = word.span?;
                let place = |character: u32| character as usize + skipped;
                Some(Span::new(place(span.start), place(span.end)))
            });
            Some(Verdict::new(finding(item, shown), shown.rule()).with_evidence(spans))
        });
        let name = match how {
            options::Words::Published => "published",
            options::Words::Unicode => "unicode",
        };
        Ok(Verdicts::new(cells?).by("words", name))
    }

    /// The authors' decision: correct unless a word of the other reference alone is there.
    fn outcome(&self, item: ItemRef<'_>, finding: Finding) -> Option<Outcome> {
        let own = gender(item).map(Finding::from);
        Some(match finding {
            Finding::NoAnswer => Outcome::Inconclusive,
            Finding::Unmarked | Finding::Common => Outcome::Correct,
            found if Some(found) == own => Outcome::Correct,
            _ => Outcome::Wrong,
        })
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        wording::added(self, judged, measures::measure(judged)?)
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        compare::compare(judged, first, second)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let mut views = views::views(rows);
        views.extend(wording::view(rows));
        views
    }
}
