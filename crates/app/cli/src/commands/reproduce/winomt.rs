//! WinoMT (ACL 2019) from github.com/gabrielStanovsky/mt_gender: `data/aggregates/en.txt`, `translations/SYSTEM/en-LANG.txt`,
//! lexicons and human labels.

use epicene_core::{Row, Unit};

use epicene_bench::published_tables::{listed, number_or_empty, published_tables};

use super::record::{Ours, Printed, Reason, Reproduced};
use super::{Workshop, find, from_rows, value, words};
use crate::failure::Failure;

/// Languages whose rules need no tagger.
const RULES: [&str; 5] = ["ar", "de", "he", "ru", "uk"];
/// Of these, languages whose rules changed after the paper: our numbers are those of the authors' present rules.
const CHANGED: [&str; 2] = ["ar", "he"];

pub fn reproduce(workshop: &Workshop) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    let names = [
        "aggregates/en.txt",
        "en_2019.tsv",
        "aggregates/en_2019.txt",
        "en.tsv",
    ];
    // The stored translations were made from the sentences of 2019.
    let data = workshop
        .checkout
        .file(&[names[1], names[2], names[0], names[3]]);
    if data.is_none() {
        let path = workshop.checkout.root().join("data").join(names[0]);
        done.lacks(&path, "Table 2, Section 3.4");
    }
    let published = published_tables("winomt");
    let mut line = words(&[
        "winomt",
        "--detector",
        "published",
        "--interval",
        "published",
    ]);
    line.extend(
        data.iter()
            .flat_map(|data| words(&["--data", &data.display().to_string()])),
    );
    let mut languages = Vec::new();
    let mut cells = Vec::new();
    for cell in listed(&published["systems"]) {
        let text = |key: &str| {
            let name = cell[key].as_str();
            name.expect("a cell of the embedded table names system and language")
        };
        let (system, language) = (text("system"), text("language"));
        let name = format!("translations/{system}/en-{language}.txt");
        let found = if RULES.contains(&language) {
            let costs = format!("Table 2, {system} {language}");
            let file = workshop.need(&[&name], &costs, &mut done);
            if let Some(file) = &file {
                line.extend(words(&["--mt", &format!("{system}=file:{file}")]));
                languages.push(language);
            }
            file.is_some()
        } else {
            false
        };
        cells.push((system, language, cell, (!found).then_some(name)));
    }
    for language in ["ru", "uk"] {
        let lexicon = format!("lexicon.{language}.tsv");
        if languages.contains(&language)
            && let Some(file) = workshop.need(&[&lexicon], "Table 2, ru and uk", &mut done)
        {
            line.extend(words(&["--input", &format!("lexicon:{language}={file}")]));
        }
    }
    for language in ["he", "ru"] {
        let labels = format!("human/google.{language}.tsv");
        let there = |(system, into, _, lack): &(&str, &str, _, Option<String>)| {
            (*system, *into, lack.is_none()) == ("google", language, true)
        };
        if cells.iter().any(there)
            && let Some(file) = workshop.need(&[&labels], "Section 3.4", &mut done)
        {
            let input = format!("human:google:{language}={file}");
            line.extend(words(&["--input", &input]));
        }
    }
    let rows: Result<Vec<Row>, String> = if data.is_none() {
        Err(names[0].to_owned())
    } else if languages.is_empty() {
        Err("translations/SYSTEM/en-LANG.txt".to_owned())
    } else {
        line.extend(words(&["--lang", &languages.join(",")]));
        Ok(workshop.rows(&mut done, "winomt", &line)?)
    };
    for (system, language, cell, lack) in cells {
        let unit = Unit::into_language(language);
        let row = format!("{system} {language}");
        for metric in ["acc", "delta_g", "delta_s"] {
            let place = [system, unit.as_str(), "all"];
            if CHANGED.contains(&language) {
                let found = rows
                    .as_ref()
                    .ok()
                    .and_then(|rows| find(rows, place, metric));
                let now = "Table 2 by the authors' present rules";
                done.compute(now, (&row, metric), found.and_then(value));
                continue;
            }
            let Some(printed) = number_or_empty(cell, metric) else {
                continue;
            };
            let ours = match &lack {
                _ if !RULES.contains(&language) => Ours::Because(Reason::ParsesUnpublished),
                Some(path) => Ours::NoFile(path.clone()),
                None => from_rows(&rows, place, metric, value),
            };
            let printed = Printed::fixed(printed, 1);
            done.record("Table 2", (&row, metric), printed, ours, None);
        }
        if let Ok(rows) = &rows {
            let place = [system, unit.as_str(), "all"];
            let agreement = find(rows, place, "human_agreement").and_then(value);
            done.compute("Section 3.4", (&row, "human_agreement"), agreement);
        }
    }
    done.note(
        "Spanish, French and Italian need the output of the authors' tagger: --input tags:es=FILE.",
    );
    Ok(done)
}
