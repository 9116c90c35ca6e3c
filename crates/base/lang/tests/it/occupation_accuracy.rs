//! The occupation judge against the Unambiguous authors' tags, WinoMT's human labels and German
//! labels of our own. Without the reference data the tests skip; with `CI=true` that is a failure.

use crate::shared_data;
use crate::support::{occupations, winomt};
use std::path::PathBuf;

use epicene_lang::occupation::{JudgeMode, OccupationJudge};

fn data() -> Option<PathBuf> {
    shared_data::shared("unambiguous/NOTICE").map(|_| shared_data::data())
}

/// Sentences with the same and with the opposite gender, of those tagged Masc or Fem.
fn compare(judge: &OccupationJudge, sentences: &[occupations::Sentence]) -> (f64, f64) {
    let (mut same, mut opposite, mut all) = (0.0, 0.0, 0.0);
    for sentence in sentences {
        if !matches!(sentence.tag.as_str(), "Masc" | "Fem") {
            continue;
        }
        let verdict = judge.judge(
            &sentence.text,
            &sentence.tokens,
            &sentence.positions,
            &sentence.occupation,
            JudgeMode::Published,
        );
        all += 1.0;
        match occupations::tag(verdict.finding) {
            tag if tag == sentence.tag => same += 1.0,
            "Masc" | "Fem" => opposite += 1.0,
            _ => {}
        }
    }
    (same / all, opposite / all)
}

/// Least share of the same gender, largest share of the opposite one.
const BOUNDS: &[(&str, f64, f64)] = &[
    ("be", 0.90, 0.04),
    ("ca", 0.95, 0.02),
    ("de", 0.95, 0.02),
    ("el", 0.95, 0.02),
    ("es", 0.95, 0.02),
    ("fr", 0.95, 0.02),
    ("hi", 0.90, 0.04),
    ("hr", 0.95, 0.02),
    ("lv", 0.95, 0.02),
    ("pl", 0.95, 0.02),
    ("ro", 0.95, 0.02),
    ("ru", 0.95, 0.02),
    ("ur", 0.90, 0.04),
];

#[test]
fn published_mode_gives_the_authors_gender() {
    let Some(data) = data() else { return };
    for (code, same_bound, opposite_bound) in BOUNDS {
        let judge = OccupationJudge::for_language(code).unwrap();
        let sentences = occupations::pipeline(&data, judge).unwrap();
        let (same, opposite) = compare(judge, &sentences);
        assert!(same >= *same_bound, "{code}: same {same:.4}");
        assert!(
            opposite <= *opposite_bound,
            "{code}: opposite {opposite:.4}"
        );
    }
}

#[test]
fn so_it_does_with_the_built_in_aligner() {
    let Some(data) = data() else { return };
    for (code, same_bound, opposite_bound) in
        [("es", 0.95, 0.02), ("hr", 0.95, 0.02), ("ur", 0.90, 0.04)]
    {
        let judge = OccupationJudge::for_language(code).unwrap();
        let mut sentences = occupations::pipeline(&data, judge).unwrap();
        occupations::use_built_in_aligner(&data, judge, &mut sentences);
        let (same, opposite) = compare(judge, &sentences);
        assert!(same >= same_bound, "{code}: same {same:.4}");
        assert!(opposite <= opposite_bound, "{code}: opposite {opposite:.4}");
    }
}

fn agreement(judge: &OccupationJudge, rows: &[winomt::Labelled]) -> f64 {
    let agree = rows.iter().filter(|row| {
        let mode = JudgeMode::Default;
        let verdict = judge.judge(
            &row.text,
            &row.tokens,
            &row.positions,
            &row.occupation,
            mode,
        );
        verdict.finding.letter() == row.label
    });
    agree.count() as f64 / rows.len() as f64
}

/// Of the two Italian annotators, who agree with each other on 86 of 100, the first is asked. The Russian ones label the gender
/// of the noun where it says nothing of the person ("ребёнок", "подросток"); the judge calls these neutral.
#[test]
fn default_mode_agrees_with_people() {
    let Some(data) = data() else { return };
    for (code, file, bound) in [
        ("es", "google.es.tsv.gz", 0.92),
        ("he", "google.he.tsv.gz", 0.90),
        ("it", "google.it.1.tsv.gz", 0.92),
        ("ru", "google.ru.tsv.gz", 0.91),
    ] {
        let judge = OccupationJudge::for_language(code).unwrap();
        let sets = winomt::human(&data, judge);
        let (_, rows) = sets.iter().find(|(name, _)| name == file).unwrap();
        let share = agreement(judge, rows);
        assert!(share >= bound, "{file}: {share:.3}");
    }
}

#[test]
fn default_mode_agrees_with_our_german_labels() {
    let Some(data) = data() else { return };
    let judge = OccupationJudge::for_language("de").unwrap();
    let rows = winomt::labelled(
        &data,
        judge,
        include_str!("../occupations/winomt_german.tsv"),
    );
    assert_eq!(rows.len(), 200);
    let share = agreement(judge, &rows);
    assert!(share >= 0.90, "{share:.3}");
}
