//! The person judge on people in real translations: bounds that a change must not cross. Without the
//! reference data the test skips; with `CI=true` that is a failure.

use crate::support::person_gold as gold;
use crate::support::shared;
use epicene_lang::occupation::OccupationJudge;

/// Language, links, least percent right, most percent of women called men and of men called women.
const BOUNDS: &[(&str, &str, f64, f64)] = &[
    ("de", "given", 98.0, 1.0),
    ("de", "built-in", 94.0, 2.0),
    ("fr", "given", 94.5, 1.5),
    ("fr", "built-in", 93.0, 2.5),
    ("hi", "given", 87.0, 1.0),
    ("hi", "built-in", 83.0, 2.0),
    ("ru", "given", 96.5, 2.0),
    ("ru", "built-in", 91.0, 3.0),
];

#[test]
fn people_in_real_translations_are_judged_right() {
    let Some(folder) = shared::shared("gold/persons") else {
        return;
    };
    let mut faults = Vec::new();
    for (code, links, least_right, most_wrong) in BOUNDS {
        let judge = OccupationJudge::for_language(code).unwrap();
        let rows = gold::rows(&folder, code).unwrap();
        let mut tally = gold::Tally::default();
        for (row, verdict) in rows.iter().zip(gold::verdicts(judge, &rows, links)) {
            tally.add(row, verdict.gender());
        }
        let percent = |count: usize, of: usize| 100.0 * count as f64 / of as f64;
        let right = percent(tally.right, tally.people);
        let women = percent(tally.woman_as_man, tally.women);
        let men = percent(tally.man_as_woman, tally.people - tally.women);
        if right < *least_right || women > *most_wrong || men > *most_wrong {
            faults.push(format!(
                "{code} {links}: {right:.1} right, {women:.1} / {men:.1} wrong"
            ));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
