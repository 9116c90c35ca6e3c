//! The person judge on sentences of our own: one table per language in `tests/persons`. Columns: English
//! noun as its sentence has it, verdict (`m f c n`, `-` for none), translation with the linked words in
//! square brackets.

use crate::support::marked;
use std::path::Path;

use epicene_lang::occupation::{JudgeMode, OccupationJudge};

#[test]
fn every_language_judges_its_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/persons");
    let mut faults = Vec::new();
    for code in OccupationJudge::languages() {
        let judge = OccupationJudge::for_language(code).unwrap();
        let table = std::fs::read_to_string(folder.join(format!("{code}.txt"))).unwrap_or_default();
        let mut rows = 0;
        for (number, line) in (1..).zip(table.lines()) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            rows += 1;
            let fields: Vec<&str> = line.split('\t').collect();
            let [noun, expected, marked] = fields[..] else {
                panic!("{code}.txt:{number}: not three columns");
            };
            let (text, inside) = marked::unmark(marked);
            let tokens = judge.tokens(&text);
            let linked: Vec<usize> = (0..tokens.len())
                .filter(|&at| inside[tokens[at].start])
                .collect();
            let verdict = judge.judge(&text, &tokens, &linked, noun, JudgeMode::Default);
            let found = marked::letter(verdict.finding);
            if found != expected {
                let rule = verdict.rule;
                faults.push(format!(
                    "{code}.txt:{number}: expected {expected}, got {found} ({rule}): {marked}"
                ));
            }
        }
        if rows < 10 {
            faults.push(format!("{code}.txt: only {rows} sentences"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
