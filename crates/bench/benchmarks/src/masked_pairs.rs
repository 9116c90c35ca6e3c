//! What benchmarks share that ask masked models for one word in two sentences: one unit, and files of scores with a column for
//! each model.

use epicene_core::{Item, ModelKind, Question, Scorer, Unit};

use crate::{AnswerFile, Ask, Card, Sheets, score_file};

pub fn asks(unit: &str, kind: ModelKind) -> Vec<Ask> {
    match kind {
        ModelKind::Masked => vec![Ask::new(Unit::named(unit), Scorer::MaskedPair)],
        ModelKind::Causal | ModelKind::Translator | ModelKind::Chat => Vec::new(),
    }
}

/// The item's text is the masculine sentence, this label of it the feminine one.
pub fn question(item: &Item, feminine: &str, one_token: bool) -> Question {
    let feminine = item.label(feminine);
    let feminine = feminine.expect("items are made with both sentences");
    Question::MaskedPair {
        masculine: item.text.clone(),
        feminine: feminine.to_owned(),
        one_token,
    }
}

/// One column for each model, rows aligned to the items.
pub fn sheets(card: &Card, unit: &str, files: &[AnswerFile], items: &[Item]) -> Sheets {
    let (files, _) = AnswerFile::of_models(files, card)?;
    score_file::one_column_per_model(&files, &Unit::named(unit), items)
}
