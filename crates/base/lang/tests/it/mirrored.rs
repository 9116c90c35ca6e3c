//! Hard sentences in both genders: `{уморен|уморена}` stands for a masculine and a feminine wording, and the
//! first column for the verdicts of the two (`mf`; `uu`: shows nothing of the speaker). A judge that leans
//! shows here, since each line is judged both ways round. Sentences of our own, written before the judge
//! had seen them; for persons the linked words stand in square brackets, as in `tests/persons`.

use crate::support::first_person_gold::wordings;
use crate::support::marked;
use std::fs;
use std::path::{Path, PathBuf};

use epicene_core::Language;
use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Mode};
use epicene_lang::occupation::{JudgeMode, OccupationJudge};

/// The tables of a folder by language, with the number of each line.
pub(crate) fn tables(folder: &str) -> Vec<(String, Vec<(usize, String)>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/mirrored")
        .join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let table = |path: PathBuf| {
        let code = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let lines: Vec<(usize, String)> = (1..)
            .zip(fs::read_to_string(&path).unwrap().lines())
            .filter(|(_, line)| !line.starts_with('#'))
            .map(|(number, line)| (number, line.to_owned()))
            .collect();
        assert!(lines.len() >= 15, "{code}: only {} lines", lines.len());
        (code, lines)
    };
    files.into_iter().map(table).collect()
}

#[test]
fn the_speaker_is_judged_alike_in_both_genders() {
    let mut faults = Vec::new();
    for (code, lines) in tables("first_person") {
        let strict = Detector::of(Language::find(&code).unwrap(), Mode::Strict).unwrap();
        for (number, line) in lines {
            let (wanted, text) = line.split_once('\t').expect("two columns");
            for (text, wanted) in wordings(text).iter().zip(wanted.chars()) {
                let verdict = strict.judge(text);
                let found = verdict.gender().map_or('u', Gender::letter);
                if found != wanted {
                    let rule = verdict.rule;
                    faults.push(format!(
                        "{code}:{number}: {wanted}, not {found} ({rule}): {text}"
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn persons_are_judged_alike_in_both_genders() {
    let mut faults = Vec::new();
    for (code, lines) in tables("persons") {
        let judge = OccupationJudge::for_language(&code).unwrap();
        for (number, line) in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let [noun, wanted, text] = fields[..] else {
                panic!("persons/{code}:{number}: not three columns");
            };
            for (marked, wanted) in wordings(text).iter().zip(wanted.chars()) {
                let (text, inside) = marked::unmark(marked);
                let tokens = judge.tokens(&text);
                let linked: Vec<usize> = (0..tokens.len())
                    .filter(|&at| inside[tokens[at].start])
                    .collect();
                let verdict = judge.judge(&text, &tokens, &linked, noun, JudgeMode::Default);
                let found = marked::letter(verdict.finding);
                if found != wanted.to_string() {
                    let rule = verdict.rule;
                    faults.push(format!(
                        "{code}:{number}: {wanted}, not {found} ({rule}): {marked}"
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
