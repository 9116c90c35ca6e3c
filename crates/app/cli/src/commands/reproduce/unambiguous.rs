//! Unambiguous gender (ACL 2022) from github.com/arendu/Unambiguous-gender-bias: `generated/SIZE/source.{en,feats,ans}` and
//! `generated/SIZE/MODEL/target.LANG.tok.result`, one tag a line. Tables 3 and 4 are printed of XL; S and its first 14,976
//! sentences give numbers that the paper does not print.

use std::path::PathBuf;

use epicene_core::{Row, Unit};

use epicene_bench::published_tables::{named, number, published_tables};
use epicene_bench::unambiguous::sets::SetName;
use serde_json::Value;

use super::gest::Found;
use super::record::{Printed, Reproduced};
use super::{Workshop, find, from_rows, value, words};
use crate::failure::Failure;
use crate::source;

const MODELS: [&str; 4] = ["m2m_100_1.2B", "m2m_100_418M", "mbart50_m2m", "opus-mt"];
const LANGUAGES: [&str; 20] = [
    "be", "ca", "cs", "de", "el", "es", "fr", "he", "hi", "hr", "it", "lt", "lv", "pl", "pt", "ro",
    "ru", "sr", "uk", "ur",
];
/// Sentences of S that the first release translated.
const PIPELINE: &str = "14976";

pub fn reproduce(workshop: &Workshop) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    for (size, count) in [("xs", 1_536.0), ("s", 59_520.0), ("xl", 1_800_006.0)] {
        let set: SetName = size.parse().map_err(Failure::usage)?;
        let made = set.grammar().map(|grammar| grammar.count() as f64);
        let ours = super::record::Ours::of(made.ok());
        let printed = Printed::fixed(count, 0);
        let cell = ("sentences", size.to_uppercase());
        done.record("Section 3", cell, printed, ours, None);
    }
    tables(workshop, &mut done)?;
    small(workshop, &mut done)?;
    pipeline(workshop, &mut done)?;
    Ok(done)
}

/// A file of result tags by size, model and language.
fn result(workshop: &Workshop, [size, model, language]: [&str; 3]) -> Option<PathBuf> {
    let mut names = vec![
        format!("generated/{size}/{model}/target.{language}.tok.result"),
        format!("tagged/{size}/{model}/target.{language}.tok.result"),
        format!("aligned/{size}/{model}/target.{language}.tok.result"),
        format!("generated/{size}/{model}/target.{language}.result"),
    ];
    if model == MODELS[0] {
        names.push(format!("{size}_m2m1.2B_{language}.result"));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    workshop.checkout.file(&names)
}

/// The sentences of a size: the authors' three files joined, or the ones that epicene read before, or made anew.
fn sentences(
    workshop: &Workshop,
    size: &str,
    done: &mut Reproduced,
) -> Result<Vec<String>, Failure> {
    let of = |ending: &str| {
        let name = format!("generated/{size}/source.{ending}");
        workshop.checkout.file(&[&name])
    };
    if let (Some(texts), Some(features), Some(answers)) = (of("en"), of("feats"), of("ans")) {
        let [texts, features, answers] =
            [&texts, &features, &answers].map(|path| source::read(path));
        let (texts, features, answers) = (texts?, features?, answers?);
        let lines = texts.text.lines().count();
        if features.text.lines().count() != lines || answers.text.lines().count() != lines {
            return Err(Failure::input(format!(
                "{}: source.en, source.feats and source.ans have different numbers of lines",
                texts.path
            ))
            .with_hint("clone the repository again: the files belong together line by line"));
        }
        let (mut joined, mut mended) = (String::new(), 0);
        let rows = texts
            .text
            .lines()
            .zip(features.text.lines())
            .zip(answers.text.lines());
        for ((text, features), answer) in rows {
            let wrong = text.starts_with("She is ") && answer.trim() == "_EXP_M_";
            let (features, answer) = if wrong {
                mended += 1;
                (features.replace("_CLUE_Pr_M_", "_CLUE_Pr_F_"), "_EXP_F_")
            } else {
                (features.to_owned(), answer.trim())
            };
            joined += &format!("{}\t{}\t{answer}\n", text.trim(), features.trim());
        }
        if mended > 0 {
            done.note(format!(
                "{}: {mended} sentences that begin with \"She is\" are labelled masculine; epicene counts them as feminine, as the authors' analysis does.",
                answers.path
            ));
        }
        let data = workshop.write(&format!("source_{size}.tsv"), &joined)?;
        return Ok(words(&["--data", &data]));
    }
    if size == "s" {
        let old = workshop.checkout.file(&["source_s_58032.tsv"]);
        let data = old.map_or("s-without-nanny".to_owned(), |path| {
            path.display().to_string()
        });
        return Ok(words(&["--data", &data]));
    }
    Ok(words(&["--size", size]))
}

/// The run of one size with the models and languages whose tags are there.
fn run(
    workshop: &Workshop,
    done: &mut Reproduced,
    (size, name): (&str, &'static str),
    files: &[(&str, &str, PathBuf)],
) -> Result<Vec<Row>, Failure> {
    let mut line = words(&["unambiguous", "--interval", "published"]);
    line.extend(sentences(workshop, size, done)?);
    let mut languages = Vec::new();
    for (model, language, path) in files {
        line.extend(words(&[
            "--mt",
            &format!("{model}=file:{}", path.display()),
        ]));
        languages.push(*language);
    }
    line.extend(words(&["--lang", &languages.join(",")]));
    workshop.rows(done, name, &line)
}

/// What is printed of a model in a language: Table 3's shares, Table 4's differences.
const PRINTED: [(&str, &str, &str, &[&str]); 2] = [
    (
        "Table 3",
        "table3_correct_wrong_na",
        "all",
        &["correct", "wrong", "na"],
    ),
    (
        "Table 4",
        "table4_deltaM_deltaF",
        "no-adjective",
        &["delta_m_rounded", "delta_f_rounded"],
    ),
];

/// Tables 3 and 4 on XL.
fn tables(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    let published = published_tables("unambiguous");
    let mut rows: Vec<(&str, Found)> = Vec::new();
    for model in MODELS {
        let keys = named(&published[PRINTED[0].1]).keys();
        let printed: Vec<&str> = keys
            .filter_map(|key| key.strip_prefix(model)?.strip_prefix('/'))
            .collect();
        let mut files = Vec::new();
        for language in &printed {
            let path = result(workshop, ["xl", model, language]);
            files.extend(path.map(|path| (model, *language, path)));
        }
        let lacking: Vec<&str> = printed
            .iter()
            .copied()
            .filter(|language| !files.iter().any(|(_, there, _)| there == language))
            .collect();
        let pattern = format!("generated/xl/{model}/target.LANG.tok.result");
        if !lacking.is_empty() {
            let costs = format!("Tables 3 and 4 of {model}: {}", lacking.join(", "));
            done.lacks(&workshop.checkout.root().join(&pattern), costs);
        }
        rows.push((
            model,
            if files.is_empty() {
                Err(pattern)
            } else {
                Ok(run(workshop, done, ("xl", "xl"), &files)?)
            },
        ));
    }
    for (table, key, group, metrics) in PRINTED {
        for (key, cells) in named(&published[key]) {
            let (model, language) = key
                .rsplit_once('/')
                .expect("the embedded cells are MODEL/LANGUAGE");
            let own = rows.iter().find(|(name, _)| *name == model);
            let (_, own) = own.expect("the embedded tables have the paper's four models");
            let own = lacking(own, model, language);
            record(
                done,
                table,
                &own,
                [model, language, group],
                (cells, metrics),
            );
        }
    }
    Ok(())
}

/// Rows of a model that has not the language lack that file.
fn lacking(rows: &Found, model: &str, language: &str) -> Found {
    let unit = Unit::into_language(language);
    match rows {
        Ok(rows) if !rows.iter().any(|row| row.unit == unit) => {
            Err(format!("generated/xl/{model}/target.{language}.tok.result"))
        }
        rows => rows.clone(),
    }
}

fn record(
    done: &mut Reproduced,
    table: &'static str,
    rows: &Found,
    [model, language, group]: [&str; 3],
    (cells, metrics): (&Value, &[&str]),
) {
    let unit = Unit::into_language(language);
    for (place, metric) in metrics.iter().enumerate() {
        let printed = Printed::fixed(number(&cells[place]), 2);
        let ours = from_rows(rows, [model, &unit, group], metric, value);
        let cell = (format!("{model} {language}"), *metric);
        done.record(table, cell, printed, ours, None);
    }
}

/// The measures of Tables 3 and 4 on S, and the authors' counts behind their figures.
fn small(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    for (place, model) in MODELS.into_iter().enumerate() {
        let found = |language: &&'static str| {
            let path = result(workshop, ["s", model, language])?;
            Some((model, *language, path))
        };
        let files: Vec<_> = LANGUAGES.iter().filter_map(found).collect();
        if files.is_empty() {
            if place == 0 {
                let path = format!("generated/s/{model}/target.LANG.tok.result");
                let path = workshop.checkout.root().join(path);
                done.lacks(&path, "Figures 1 to 4, 6 and 7");
            }
            continue;
        }
        // The paper's figures are of the first model.
        let name = if place == 0 { "s" } else { "s-other" };
        let rows = run(workshop, done, ("s", name), &files)?;
        for (_, language, _) in files {
            shares(done, "Tables 3 and 4 on S", &rows, [model, language]);
            let unit = Unit::into_language(language);
            for metric in ["correct", "wrong", "na"] {
                let found = find(&rows, [model, &unit, "all"], metric);
                let count = found.and_then(|row| Some((row.value * row.n? as f64).round()));
                let cell = (
                    format!("{model} {language}"),
                    format!("{metric}, sentences"),
                );
                done.compute("Analysis of S", cell, count);
            }
        }
    }
    Ok(())
}

fn shares(done: &mut Reproduced, place: &'static str, rows: &[Row], [model, language]: [&str; 2]) {
    let unit = Unit::into_language(language);
    for (_, _, group, metrics) in PRINTED {
        for metric in metrics {
            let found = find(rows, [model, &unit, group], metric);
            let cell = (format!("{model} {language}"), *metric);
            done.compute(place, cell, found.and_then(value));
        }
    }
}

/// The first release: tags of the first 14,976 sentences of S.
fn pipeline(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    let found = |language: &&'static str| {
        let name = format!("pipeline_14976/{language}.result");
        Some((*language, workshop.checkout.file(&[&name])?))
    };
    let there: Vec<(&str, PathBuf)> = LANGUAGES.iter().filter_map(found).collect();
    if there.is_empty() {
        return Ok(());
    }
    let model = MODELS[0];
    let mut line = words(&[
        "unambiguous",
        "--limit",
        PIPELINE,
        "--interval",
        "published",
    ]);
    line.extend(sentences(workshop, "s", done)?);
    for (_, path) in &there {
        line.extend(words(&[
            "--mt",
            &format!("{model}=file:{}", path.display()),
        ]));
    }
    let codes: Vec<&str> = there.iter().map(|(language, _)| *language).collect();
    line.extend(words(&["--lang", &codes.join(",")]));
    let rows = workshop.rows(done, "pipeline", &line)?;
    for language in codes {
        shares(
            done,
            "Table 3 on the first 14,976 sentences of S",
            &rows,
            [model, language],
        );
    }
    Ok(())
}
