//! MBE (NAACL 2022): `benchmarks/` with StereoSet's official predictions, `parallel/` with the released sets.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_bench::mbe::published;

use super::{Reproduced, Workshop, words};
use crate::failure::Failure;
use crate::source;

pub fn reproduce(workshop: &Workshop) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    sizes(workshop, &mut done)?;
    stereoset(workshop, &mut done)?;
    // Signed differences are arithmetic of the printed columns.
    for model in published::methods() {
        let wins = (model.ht * 2.62).round();
        let what = format!("{} HT as a share of 262 pairs", model.model);
        done.check(
            "Tables 4 to 6, HT",
            what,
            (model.ht, Some(100.0 * wins / 262.0)),
            2,
        );
    }
    done.cannot("Table 2", "needs the eight checkpoints: epicene run mbe --data SETS --model hf:NAME, for each language");
    done.cannot("Table 3", "needs the eleven checkpoints: epicene run crows-pairs and stereoset, then `epicene reproduce experiment table3 original=RUN mbe=RUN`");
    done.cannot(
        "Tables 4 to 6, MT",
        "the machine translations are not published; with some: `epicene reproduce experiment human-machine`",
    );
    done.cannot("Tables 4 to 6, Tmp", "the occupation lists are not published: `epicene reproduce experiment template` has as many of our own");
    done.cannot(
        "Section 6, names",
        "needs the checkpoints: `epicene reproduce experiment replace-names`, then run crows-pairs",
    );
    done.cannot(
        "Section 7, preservation",
        "only a figure is printed; `epicene reproduce experiment preservation` on OPUS files",
    );
    Ok(done)
}

/// Table 1: male and female sentences of the released files.
fn sizes(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    for language in published::languages() {
        let code = &language.language;
        for (corpus, count) in [
            ("ted", language.ted_sentences),
            ("news", language.news_sentences),
        ] {
            let files: Vec<String> = ["f", "m"]
                .iter()
                .filter_map(|side| {
                    workshop.file(&format!("parallel/{corpus}/{code}_{side}.ids.txt.gz"))
                })
                .collect();
            let (Some(count), [female, male]) = (count, files.as_slice()) else {
                continue;
            };
            let lines = |path: &String| -> Result<usize, Failure> {
                Ok(source::read(Path::new(path))?.text.lines().count())
            };
            let ours = lines(female)? + lines(male)?;
            done.check(
                "Table 1, sentences",
                format!("{code} {corpus}"),
                (count as f64, Some(ours as f64)),
                0,
            );
        }
    }
    Ok(())
}

/// StereoSet's own scores of eleven models from their published predictions.
fn stereoset(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    let table = "StereoSet, official scores (gender)";
    let names = [
        "benchmarks/stereoset_dev_intrasentence_gender.jsonl",
        "benchmarks/stereoset_gender_predictions.tsv.gz",
        "benchmarks/stereoset_gender_official_scores.json",
    ];
    let files: Vec<String> = names
        .iter()
        .filter_map(|name| workshop.need(name, table, done))
        .collect();
    let [data, predictions, path] = files.as_slice() else {
        return Ok(());
    };
    let line = words(&[
        "stereoset",
        "--data",
        data,
        "--model",
        &format!("file:{predictions}"),
        "--interval",
        "published",
    ]);
    let rows = workshop.rows(done, &line)?;
    let text = source::read(Path::new(path))?.text;
    let scores: BTreeMap<String, serde_json::Value> = serde_json::from_str(&text)
        .map_err(|error| Failure::input(format!("{path}: broken JSON: {error}")))?;
    for (model, cell) in &scores {
        for (key, metric) in [
            ("LM Score", "lms"),
            ("SS Score", "ss"),
            ("ICAT Score", "icat"),
        ] {
            let paper = cell[key]
                .as_f64()
                .ok_or_else(|| Failure::input(format!("{path}: {model} has no number `{key}`")))?;
            let found = rows
                .iter()
                .find(|row| row.system == *model && row.group == "all" && row.metric == metric);
            done.check(
                table,
                format!("{model} {metric}"),
                (paper, found.map(|row| row.value)),
                4,
            );
        }
    }
    Ok(())
}
