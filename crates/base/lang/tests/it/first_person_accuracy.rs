//! The strict mode on gold that people annotated: it finds nearly all, and hardly ever errs.

use crate::support::first_person_gold as gold;
use crate::support::first_person_gold::{PairScore, Score};
use crate::support::shared;
use epicene_core::Language;
use epicene_lang::first_person::{Detector, Mode, Nouns};

fn rate(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[test]
fn treebank_sentences_are_judged_right() {
    let Some(folder) = shared::shared("gold/first_person") else {
        return;
    };
    let mut pooled = Score::default();
    for language in Detector::languages() {
        if let Some(rows) = gold::rows(&folder, language).unwrap() {
            let detector = Detector::of(language, Mode::Strict).unwrap();
            pooled = pooled.plus(Score::of(&rows, detector));
        }
    }
    assert!(rate(pooled.right, pooled.found) >= 0.99, "precision");
    assert!(
        rate(pooled.right, pooled.men + pooled.women) >= 0.97,
        "recall"
    );
    assert!(
        rate(pooled.false_positives, pooled.others) <= 0.005,
        "false positives"
    );
    assert!(
        rate(pooled.women_called_men, pooled.women) <= 0.002,
        "women called men"
    );
    assert!(
        rate(pooled.men_called_women, pooled.men) <= 0.002,
        "men called women"
    );
}

#[test]
fn minimal_pairs_are_told_apart() {
    let Some(folder) = shared::shared("eurogest/sentences") else {
        return;
    };
    // A twentieth of the Bulgarian pairs differ in something else than gender.
    for (language, least) in [
        (Language::find("cs").unwrap(), 0.97),
        (Language::find("bg").unwrap(), 0.92),
    ] {
        let pairs = gold::pairs(&folder, language).unwrap().unwrap();
        let score = PairScore::of(&pairs, Detector::of(language, Mode::Strict).unwrap());
        let right = rate(score.right, 2 * score.pairs);
        assert!(right >= least, "{language}: {right}");
        let wrong = score.women_called_men + score.men_called_women;
        assert!(
            rate(wrong, 2 * score.pairs) <= 0.005,
            "{language}: {wrong} wrong"
        );
    }
}

/// The stored figures of hard sentences are those of today's detector, in every language. A sentence more or less in the
/// files may move them by half a point.
#[test]
fn stored_figures_of_hard_sentences_are_those_of_the_detector() {
    let Some(traps) = shared::shared("gold/traps/first_person.tsv") else {
        return;
    };
    let table = include_str!("../../data/first_person_accuracy.tsv");
    let number = |cell: &str| -> f64 { cell.trim_end_matches(" %").parse().unwrap() };
    for language in Detector::languages() {
        let start = format!("hard\t{language}\tstrict\t");
        let stored = table.lines().find_map(|line| line.strip_prefix(&start));
        let stored: Vec<&str> = stored
            .unwrap_or_else(|| panic!("{language}"))
            .split('\t')
            .collect();
        let rows = gold::hard(&traps, language).unwrap();
        let score = Score::of(&rows, Detector::of(language, Mode::Strict).unwrap());
        let measured = score.hard_cells(rows.len());
        // The first is a share of 1, the four behind it are percent.
        for (column, most) in [0.005, 0.5, 0.5, 0.5, 0.5].into_iter().enumerate() {
            let far = (number(stored[column]) - number(&measured[column])).abs();
            assert!(
                far <= most,
                "{language}: {stored:?}, now {measured:?}: run `judge_accuracy -- first-person write`"
            );
        }
    }
}

/// The stored figures of minimal pairs are those of today's detector: the page and the reports show them.
#[test]
fn stored_figures_are_those_of_the_detector() {
    let Some(folder) = shared::shared("eurogest/sentences") else {
        return;
    };
    let table = include_str!("../../data/first_person_accuracy.tsv");
    for line in table.lines().filter(|line| line.starts_with("pairs")) {
        let cells: Vec<&str> = line.split('\t').collect();
        let language = Language::find(cells[1]).unwrap();
        let (_, mode) = gold::MODES
            .into_iter()
            .find(|(name, _)| *name == cells[2])
            .unwrap();
        let pairs = gold::pairs(&folder, language).unwrap().unwrap();
        let score = PairScore::of(&pairs, Detector::of(language, mode).unwrap());
        let measured = [
            format!("{:.3}", rate(score.men_right, score.pairs)),
            format!("{:.3}", rate(score.right - score.men_right, score.pairs)),
            format!("{:.2} %", 100.0 * rate(score.women_called_men, score.pairs)),
            format!("{:.2} %", 100.0 * rate(score.men_called_women, score.pairs)),
            format!("{:.2} %", 100.0 * rate(score.unknown(), 2 * score.pairs)),
        ];
        assert_eq!(
            cells[3..8],
            measured,
            "{line}: run `judge_accuracy -- first-person write`"
        );
    }
}

/// Gold knows no nouns: they may add verdicts, and must cost none that verbs and adjectives gave.
#[test]
fn nouns_of_the_lexicon_take_nothing_away() {
    let Some(folder) = shared::shared("gold/first_person") else {
        return;
    };
    for language in Detector::languages() {
        let Some(rows) = gold::rows(&folder, language).unwrap() else {
            continue;
        };
        let listed = Detector::of(language, Mode::Strict).unwrap();
        let (plain, nouns) = (
            Score::of(&rows, listed),
            Score::of(&rows, listed.with_nouns(Nouns::Lexicon)),
        );
        assert!(nouns.right >= plain.right, "{language}: right");
        let wrong =
            |score: Score| score.women_called_men + score.men_called_women + score.false_positives;
        assert!(wrong(nouns) <= wrong(plain), "{language}: wrong");
        // Nouns that name the speaker where no verb does.
        assert!(nouns.found - plain.found <= 3, "{language}: found");
    }
}
