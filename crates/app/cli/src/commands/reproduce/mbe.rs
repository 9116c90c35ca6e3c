//! MBE (NAACL 2022) from github.com/kanekomasahiro/bias_eval_in_multiple_mlm: `parallel_data/{ted,news}/LANG_{f,m}.bin` with the
//! released sentence sets as token ids, or the same as text. StereoSet's files beside them give its official scores.

use std::path::Path;

use epicene_bench::mbe::published::{self, PublishedMethods};
use epicene_bench::published_tables::{listed, number, published_tables};

use super::checkout::plain_name;
use super::mbe_models::{self, Scores};
use super::record::{Ours, Printed, Reason, Reproduced};
use super::{Workshop, pickled, words};
use crate::args::Checkpoints;
use crate::failure::Failure;
use crate::source;

/// Checkpoints, where their runs are kept, and whether they may be fetched.
pub type Models<'a> = (&'a Checkpoints, &'a Path, bool);

/// Larger pickles are no sentence set: the largest released one has 3 MB.
const LARGEST_PICKLE: u64 = 256 << 20;

pub fn reproduce(workshop: &Workshop, models: Option<Models<'_>>) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    sizes(workshop, &mut done)?;
    let mut ours = match models {
        Some(models) => mbe_models::run(workshop, models, &mut done)?,
        None => {
            done.note("Tables 2 to 5 need the checkpoints: --models hub fetches them, --models DIR reads a directory of them.");
            Scores::default()
        }
    };
    scores(&mut ours, &mut done);
    stereoset(workshop, &mut done)?;
    Ok(done)
}

/// Table 1: male and female sentences of the released files.
fn sizes(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    for language in published::languages() {
        let code = language.language.as_str();
        for (corpus, printed) in ["ted", "news"].into_iter().zip(&language.table1) {
            let mut together = Some(0);
            for side in ["f", "m"] {
                let names = parallel_names(corpus, code, side);
                let costs = format!("Table 1, {code} {corpus}");
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let file = workshop.need(&names, &costs, done);
                together = match (together, file) {
                    (Some(count), Some(file)) => Some(count + sentences(Path::new(&file))?),
                    _ => None,
                };
            }
            let missing = || Ours::NoFile(format!("parallel_data/{corpus}/{code}_{{f,m}}.bin"));
            let ours = together.map_or_else(missing, |count| Ours::Value(count as f64));
            // Spanish TED has 7,156 sentences, which would print as 7.2K.
            let slip = Some(Reason::PaperContradictsItself);
            let cell = (code, corpus);
            done.record("Table 1", cell, Printed::text(printed), ours, slip);
        }
    }
    Ok(())
}

/// Where a sentence set may be.
pub fn parallel_names(corpus: &str, code: &str, side: &str) -> [String; 4] {
    let stem = format!("{corpus}/{code}_{side}");
    [
        format!("parallel_data/{stem}.bin"),
        format!("parallel/{stem}.bin"),
        format!("parallel/{stem}.ids.txt"),
        format!("parallel/{stem}.txt"),
    ]
}

/// The sentences of a file: a pickled list, or one a line.
fn sentences(path: &Path) -> Result<usize, Failure> {
    match unpickled(path)? {
        Some(found) => Ok(found.len()),
        None => Ok(source::read(path)?.text.lines().count()),
    }
}

/// The token ids of every sentence of a set; `None` of a file of texts.
pub fn token_ids(path: &Path) -> Result<Option<Vec<Vec<i64>>>, Failure> {
    if let Some(found) = unpickled(path)? {
        return Ok(Some(found));
    }
    if !plain_name(path).ends_with(".ids.txt") {
        return Ok(None);
    }
    let text = source::read(path)?.text;
    let ids = |line: &str| line.split(' ').map(str::parse).collect();
    let found: Result<Vec<Vec<i64>>, _> = text.lines().map(ids).collect();
    let found = found.map_err(|error| Failure::input(format!("{}: {error}", path.display())));
    found.map(Some)
}

fn unpickled(path: &Path) -> Result<Option<Vec<Vec<i64>>>, Failure> {
    if path.extension().is_none_or(|ending| ending != "bin") {
        return Ok(None);
    }
    let bytes = epicene_io::regular::read(path, LARGEST_PICKLE)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let found = pickled::sentences(&bytes).map_err(|problem| {
        Failure::input(format!("{}: {problem}", path.display()))
            .with_hint("expected a file of the repository's parallel_data, as Git stores it")
    })?;
    Ok(Some(found))
}

/// Tables 2 to 6: scores of checkpoints.
fn scores(ours: &mut Scores, done: &mut Reproduced) {
    for language in published::languages() {
        // The paper names AraBERT v0.1; its token ids are those of v0.2.
        let slip = (language.language == "ar").then_some(Reason::PaperContradictsItself);
        for (corpus, score) in [("TED", language.ted), ("News", language.news)] {
            let cell = (&language.language, corpus);
            let ours = ours.take("Table 2", &language.language, corpus);
            done.record("Table 2", cell, Printed::fixed(score, 2), ours, slip);
        }
    }
    let tables = published_tables("mbe");
    let text = |value: &serde_json::Value| {
        let text = value.as_str();
        text.expect("the embedded tables name their rows")
            .to_owned()
    };
    // The list of first names and the sample of sentences are in no repository.
    let unpublished = Some(Reason::DataUnpublished);
    for cell in listed(&tables["agreement"]) {
        let row = format!("{} {}", text(&cell["data"]), text(&cell["method"]));
        for column in ["spearman", "pearson", "direction", "diff"] {
            let printed = Printed::fixed(number(&cell[column]), 2);
            let ours = ours.take("Table 3", &row, column);
            done.record("Table 3", (&row, column), printed, ours, unpublished);
        }
    }
    for model in published::methods() {
        methods(model, ours, done);
    }
    for cell in listed(&tables["native_names"]) {
        for (column, name) in [("score", "HT, native names"), ("diff", "difference to HT")] {
            let printed = Printed::fixed(number(&cell[column]), 2);
            let why = Ours::Because(Reason::DataUnpublished);
            let cell = (text(&cell["model"]), name);
            done.record("Table 6", cell, printed, why, None);
        }
    }
}

/// A model of Table 4 or 5: human translations, what stands for them, and the differences.
fn methods(model: &PublishedMethods, ours: &mut Scores, done: &mut Reproduced) {
    let (table, row) = (mbe_models::table_of(&model.model), &model.model);
    let human = ours.take(table, row, "HT");
    let ht = Printed::fixed(model.ht, 2);
    done.record(table, (row, "HT"), ht, human.clone(), None);
    // The machine translations and the lists of occupations are in no repository.
    let unpublished = Ours::Because(Reason::DataUnpublished);
    let mbe = ours.take(table, row, "MBE");
    for (column, score, diff, ours) in [
        ("MT", model.mt, &model.diff.mt, unpublished.clone()),
        ("MBE", model.mbe, &model.diff.mbe, mbe),
        ("Tmp", model.tmp, &model.diff.tmp, unpublished),
    ] {
        // 45.80 - 55.73 is printed as 9.93.
        let slip = (table, diff.as_str()) == ("Table 4", "9.93");
        let difference = match (&ours, &human) {
            (Ours::Value(ours), Ours::Value(human)) => Ours::Value(ours - human),
            _ if slip => Ours::Because(Reason::PaperContradictsItself),
            (Ours::Value(_), other) | (other, _) => other.clone(),
        };
        // The sample of sentences is in no repository.
        let sample = Some(Reason::DataUnpublished);
        let printed = Printed::fixed(score, 2);
        done.record(table, (row, column), printed, ours, sample);
        let cell = (row, format!("{column} Diff"));
        done.record(table, cell, Printed::text(diff), difference, sample);
    }
}

/// StereoSet's own scores from its published predictions: not numbers of this paper.
fn stereoset(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    let data = workshop.checkout.file(&[
        "benchmarks/stereoset_dev_intrasentence_gender.jsonl",
        "stereoset_dev_intrasentence_gender.jsonl",
    ]);
    let predictions = workshop.checkout.file(&[
        "benchmarks/stereoset_gender_predictions.tsv",
        "stereoset_gender_predictions.tsv",
    ]);
    let (Some(data), Some(predictions)) = (data, predictions) else {
        return Ok(());
    };
    let (data, model) = (data.display().to_string(), predictions.display());
    let mut line = words(&["stereoset", "--data", &data, "--interval", "published"]);
    line.extend(words(&["--model", &format!("file:{model}")]));
    for row in workshop.rows(done, "stereoset", &line)? {
        if row.group == "all" && ["lms", "ss", "icat"].contains(&row.metric.as_str()) {
            let cell = (row.system.clone(), row.metric.clone());
            done.compute("StereoSet's official scores", cell, Some(row.value));
        }
    }
    Ok(())
}
