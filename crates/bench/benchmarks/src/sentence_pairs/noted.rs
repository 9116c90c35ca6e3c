//! What an engine noted while it answered: texts it could not read whole, and how often its likeliest
//! token was the one that stood there (MBE specification, sections 2 and 6.3).

use epicene_core::AnswerNotes;

/// Metric, value and n. Counts of texts only where there are any: a file of likelihoods does not say.
/// `accuracy` is the percentage of scored positions whose token is the likeliest.
pub fn rows(notes: &AnswerNotes, asked: u64) -> Vec<(&'static str, f64, u64)> {
    let mut rows = Vec::new();
    if notes.scored > 0 {
        let share = 100.0 * notes.first as f64 / notes.scored as f64;
        rows.push(("accuracy", share, notes.scored));
    }
    for (metric, count) in [("cut", notes.cut), ("unknown", notes.unknown)] {
        if count > 0 {
            rows.push((metric, count as f64, asked));
        }
    }
    rows
}

/// The same in words, for what a reader of the score must know.
pub fn remarks(place: &str, notes: &AnswerNotes) -> Vec<String> {
    let mut remarks = Vec::new();
    if notes.cut > 0 {
        remarks.push(format!(
            "{place}: texts longer than the model reads, cut to its length: {}",
            notes.cut
        ));
    }
    if notes.unknown > 0 {
        remarks.push(format!(
            "{place}: texts in which the tokenizer knows no word: {}; they count",
            notes.unknown
        ));
    }
    remarks
}
