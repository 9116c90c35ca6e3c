//! GEST (arXiv 2311.18711) from github.com/kinit-sk/gest: `data/gest.csv`, `predictions/english_{mlm,glm}/MODEL_template-K.txt`,
//! `translations/SYSTEM/LANG/translations.csv`, `gender-swap-annotations.txt`; or score files joined to one table.

use std::path::Path;

use epicene_bench::gest::published::UNTABLED;
use epicene_bench::gest::read_items;
use epicene_bench::published_tables::{listed, named, number, published_tables};
use epicene_core::{Row, Unit};
use serde_json::Value;

use super::record::{Ours, Printed, Reason, Reproduced};
use super::{Workshop, find, from_rows, gest_slavic, high, low, value, words};
use crate::failure::Failure;
use crate::source;

/// Rows of a run, or the file that it lacks.
pub type Found = Result<Vec<Row>, String>;

/// What a column of a paper prints of a row.
type Cell = fn(&Row) -> Option<f64>;

/// Bounds of a mean with the columns they stand in.
pub const CELLS: [(&str, Cell); 3] = [("lower", low), ("mean", value), ("upper", high)];

pub fn reproduce(workshop: &Workshop) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    let costs = "Tables 1, 3, 5, 6, 8, 9 and 10, Section 4.2.3, Figures 2 to 5 and 8";
    let data = workshop.need(&["gest.csv"], costs, &mut done);
    sizes(data.as_deref(), &mut done)?;
    english(workshop, data.as_deref(), &mut done)?;
    human_check(&mut done);
    translations(workshop, data.as_deref(), &mut done)?;
    gest_slavic::reproduce(workshop, &mut done)?;
    Ok(done)
}

/// Table 1: sentences of each stereotype.
const SENTENCES: [u32; 16] = [
    254, 215, 256, 207, 200, 197, 243, 251, 229, 215, 231, 222, 222, 194, 208, 221,
];

fn sizes(data: Option<&str>, done: &mut Reproduced) -> Result<(), Failure> {
    let items = match data {
        Some(data) => Some(read_items(&source::read(Path::new(data))?, None)?),
        None => None,
    };
    for (id, printed) in (1..).zip(SENTENCES) {
        let id = id.to_string();
        let ours = items.as_ref().map(|items| {
            let own = items
                .iter()
                .filter(|item| item.label("stereotype") == Some(id.as_str()));
            own.count() as f64
        });
        let ours = ours.map_or(Ours::NoFile("gest.csv".to_owned()), Ours::Value);
        let printed = Printed::fixed(f64::from(printed), 0);
        let cell = (format!("stereotype {id}"), "samples");
        done.record("Table 1", cell, printed, ours, None);
    }
    Ok(())
}

/// Score files of a folder, or the joined table.
pub fn scores(workshop: &Workshop, task: &str, costs: &str, done: &mut Reproduced) -> Vec<String> {
    let folder = format!("predictions/{task}");
    let files = workshop.checkout.files_in(&folder, ".txt");
    if !files.is_empty() {
        let names = files.iter().map(|path| path.display().to_string());
        return names.collect();
    }
    let joined = [format!("{folder}.csv")];
    let found = workshop.checkout.file(&[joined[0].as_str()]);
    if found.is_none() {
        let path = workshop.checkout.expected(&folder).join("*.txt");
        done.lacks(&path, costs);
    }
    found
        .map(|path| path.display().to_string())
        .into_iter()
        .collect()
}

/// `--model file:PATH` for every file.
pub fn models(files: &[String]) -> Vec<String> {
    let given = files.iter();
    given
        .flat_map(|file| ["--model".to_owned(), format!("file:{file}")])
        .collect()
}

/// The run of English models, with WinoBias and the annotated swaps where they are.
struct English {
    rows: Found,
    /// Rows of masked and of causal models need their own scores.
    masked: Option<String>,
    causal: Option<String>,
    swaps: Option<String>,
}

fn run_english(
    workshop: &Workshop,
    data: Option<&str>,
    done: &mut Reproduced,
) -> Result<English, Failure> {
    let masked = scores(
        workshop,
        "english_mlm",
        "Tables 3 and 9, Figures 4, 5, 8",
        done,
    );
    let causal = scores(
        workshop,
        "english_glm",
        "Tables 3 and 10, Figures 4, 5",
        done,
    );
    let means = workshop.need(&["predictions/winobias.csv"], "Figure 8", done);
    let swaps = workshop.need(&["gender-swap-annotations.txt"], "Table 5", done);
    let lack = |files: &[String], task: &str| {
        files
            .is_empty()
            .then(|| format!("predictions/{task}/*.txt"))
    };
    let mut english = English {
        rows: Err("gest.csv".to_owned()),
        masked: lack(&masked, "english_mlm"),
        causal: lack(&causal, "english_glm"),
        swaps: swaps
            .is_none()
            .then(|| "gender-swap-annotations.txt".to_owned()),
    };
    let Some(data) = data else {
        return Ok(english);
    };
    if masked.is_empty() && causal.is_empty() {
        english.rows = Err("predictions/english_mlm/*.txt".to_owned());
        return Ok(english);
    }
    // In the prediction files but in no table.
    let mut line = words(&["gest", "--interval", "published"]);
    line.extend(words(&["--estimate", "published", "--data", data]));
    if !causal.is_empty() {
        line.extend(words(&["--exclude", UNTABLED]));
    }
    line.extend(models(&[masked.clone(), causal].concat()));
    if let Some(means) = means.filter(|_| !masked.is_empty()) {
        line.extend(words(&["--winobias", &means]));
    }
    if let Some(swaps) = swaps {
        line.extend(words(&["--swap-pairs", &swaps]));
    }
    english.rows = Ok(workshop.rows(done, "english", &line)?);
    Ok(english)
}

fn english(workshop: &Workshop, data: Option<&str>, done: &mut Reproduced) -> Result<(), Failure> {
    let published = published_tables("gest_english");
    let english = run_english(workshop, data, done)?;
    let of_kind = |lack: &Option<String>| match lack {
        Some(path) => Err(path.clone()),
        None => english.rows.clone(),
    };
    let (masked, causal) = (of_kind(&english.masked), of_kind(&english.causal));
    for (key, table, rows) in [
        ("table9_english_mlm", "Table 9", &masked),
        ("table10_english_glm", "Table 10", &causal),
    ] {
        for (model, cells) in named(&published[key]) {
            if model == UNTABLED {
                continue;
            }
            for (place, template) in (1..).zip(listed(&cells["templates"])) {
                let template_id = &template["paper_template_id"];
                // Table 10 numbers the two templates of causal models 1 and 2.
                let row = format!("{model}, row {place} (template {template_id})");
                let unit = format!("template:{template_id}");
                let cells = ([model.as_str(), &unit], template);
                let reasons = [None, Some(Reason::UnseededBootstrap)];
                means(done, table, &row, rows, cells, reasons);
            }
            if let Ok(rows) = rows {
                let own = find(rows, [model.as_str(), "all", "all"], "g_s");
                done.compute("Figure 4", (model, "g_s"), own.and_then(value));
            }
        }
    }
    for (key, name, system, rows) in [
        ("english_mlm", "English MLM", "all:masked", &masked),
        ("english_glm", "English GLM", "all:causal", &causal),
    ] {
        for metric in ["q_m", "q_f", "q_fam"] {
            let printed = Printed::fixed(number(&published["table3"][key][metric]), 2);
            let ours = from_rows(rows, [system, "all", "all"], metric, value);
            done.record("Table 3", (name, metric), printed, ours, None);
        }
    }
    // Correlations are over both kinds.
    let both = masked.and(causal);
    for (key, metric) in [
        ("q_between_models", "r_models"),
        ("q_between_templates", "r_templates"),
        ("instance_between_models", "r_models_items"),
        ("instance_between_templates", "r_templates_items"),
    ] {
        let printed = Printed::fixed(number(&published["correlations"][key]), 2);
        let ours = from_rows(&both, ["all"; 3], metric, value);
        let cell = ("mean correlation", key.replace('_', " "));
        done.record("Section 4.2.3", cell, printed, ours, None);
    }
    if let Ok(rows) = &both {
        boxes("Figure 5", rows, "all", done);
    }
    if let Ok(rows) = &english.rows {
        for row in rows {
            if ["r_winobias", "ghat_s"].contains(&row.metric.as_str()) {
                let cell = (row.system.clone(), format!("{} {}", row.unit, row.metric));
                done.compute("Figure 8", cell, Some(row.value));
            }
        }
    }
    let swaps = match english.swaps {
        Some(path) => Err(path),
        None => english.rows,
    };
    for metric in ["positive", "negative"] {
        for (label, count) in named(&published["table5_first_letter"][metric]) {
            let group = format!("label:{label}");
            let place = ["first-letter", "swap-pairs", &group];
            let ours = from_rows(&swaps, place, metric, value);
            let printed = Printed::fixed(number(count), 0);
            done.record("Table 5", (metric, label), printed, ours, None);
        }
    }
    Ok(())
}

/// A line of Tables 9 to 11: lower bound, mean and upper bound of sixteen stereotypes.
pub fn means(
    done: &mut Reproduced,
    table: &'static str,
    row: &str,
    rows: &Found,
    ([system, unit], cells): ([&str; 2], &Value),
    [of_mean, of_bounds]: [Option<Reason>; 2],
) {
    for cell in listed(&cells["per_stereotype"]) {
        let group = format!("stereotype:{}", cell["stereotype"]);
        for (place, (name, of)) in CELLS.into_iter().enumerate() {
            let printed = Printed::fixed(number(&cell["published"][place]), 2);
            let ours = from_rows(rows, [system, unit, &group], "q", of);
            let column = format!("{} {name}", group.replace(':', " "));
            let reason = if name == "mean" { of_mean } else { of_bounds };
            done.record(table, (row, column), printed, ours, reason);
        }
    }
}

/// Ranks of a box plot.
pub fn boxes(figure: &'static str, rows: &[Row], system: &str, done: &mut Reproduced) {
    let metrics = ["rank_q1", "rank_median", "rank_q3", "rank_mean"];
    for row in rows {
        if row.system == system && row.unit == "all" && metrics.contains(&row.metric.as_str()) {
            let cell = (row.group.replace(':', " "), row.metric.clone());
            done.compute(figure, cell, Some(row.value));
        }
    }
}

/// Table 4: what people said about 540 predictions.
const VERDICTS: [(&str, [u32; 3]); 3] = [
    ("predicted masculine", [179, 0, 1]),
    ("predicted feminine", [3, 177, 0]),
    ("predicted unknown", [30, 10, 140]),
];

fn human_check(done: &mut Reproduced) {
    for (row, counts) in VERDICTS {
        for (column, count) in ["masculine", "feminine", "neutral"].into_iter().zip(counts) {
            let printed = Printed::fixed(f64::from(count), 0);
            let ours = Ours::Because(Reason::HumanLabelsUnpublished);
            done.record("Table 4", (row, column), printed, ours, None);
        }
    }
}

fn translations(
    workshop: &Workshop,
    data: Option<&str>,
    done: &mut Reproduced,
) -> Result<(), Failure> {
    let published = published_tables("gest_mt");
    let (mut line, mut languages) = (words(&["gest", "--detector", "published"]), Vec::new());
    line.extend(words(&[
        "--interval",
        "published",
        "--estimate",
        "published",
    ]));
    line.extend(data.into_iter().flat_map(|data| words(&["--data", data])));
    let mut pairs = Vec::new();
    for (system, cells) in named(&published["systems"]) {
        for (language, cell) in named(cells) {
            let name = format!("translations/{system}/{language}/translations.csv");
            let costs = format!("Tables 6 and 8 of {system} {language}, Table 3, Figures 2 and 3");
            let file = workshop.need(&[&name], &costs, done);
            if let Some(file) = &file {
                line.extend(words(&["--mt", &format!("{system}=file:{file}")]));
                languages.push(language.as_str());
            }
            pairs.push((system, language, cell, file.is_none().then_some(name)));
        }
    }
    let rows: Found = match data {
        Some(_) if !languages.is_empty() => {
            line.extend(words(&["--lang", &languages.join(",")]));
            Ok(workshop.rows(done, "translation", &line)?)
        }
        Some(_) => Err("translations/SYSTEM/LANG/translations.csv".to_owned()),
        None => Err("gest.csv".to_owned()),
    };
    let parses = Some(Reason::ParsesUnpublished);
    for (system, language, cell, lack) in &pairs {
        let own: Found = match lack {
            Some(path) => Err(path.clone()),
            None => rows.clone(),
        };
        let unit = Unit::into_language(language);
        let row = format!("{system} {language}");
        let printed = Printed::fixed(number(&cell["n"]), 0);
        let ours = from_rows(&own, [system, &unit, "all"], "yield", value);
        done.record("Table 6", (&row, "predictions"), printed, ours, parses);
        for one in listed(&cell["per_stereotype"]) {
            let group = format!("stereotype:{}", one["stereotype"]);
            for (name, of) in CELLS {
                let printed = Printed::fixed(number(&one[name]), 2);
                let ours = from_rows(&own, [system, &unit, &group], "p", of);
                let column = format!("{} {name}", group.replace(':', " "));
                done.record("Table 8", (&row, column), printed, ours, parses);
            }
        }
        if let Ok(rows) = &own {
            for metric in ["f_m", "f_s"] {
                let found = find(rows, [system, &unit, "all"], metric);
                done.compute("Figure 2", (&row, metric), found.and_then(value));
            }
        }
    }
    // Means and ranks are over all pairs.
    let lacking = pairs.into_iter().find_map(|(.., lack)| lack);
    let all = match lacking {
        Some(path) => Err(path),
        None => rows,
    };
    let table3 = &published_tables("gest_english")["table3"]["mt_notebook"];
    for metric in ["p_m", "p_f", "p_fam"] {
        let printed = Printed::fixed(number(&table3[metric]), 2);
        let ours = from_rows(&all, ["all:translator", "all", "all"], metric, value);
        done.record("Table 3", ("MT", metric), printed, ours, parses);
    }
    if let Ok(rows) = &all {
        boxes("Figure 3", rows, "all:translator", done);
    }
    done.note(
        "Tables 6 and 8: the paper reads genders from parses that are not published; epicene reads them from the text by rules.",
    );
    Ok(())
}
