//! Records for people and for programs.

use epicene_report::aligned;
use serde_json::{Value, json};

use super::record::{Count, Record, Reproduced};
use super::words;
use crate::args::{Paper, ReproduceArgs, ReproduceFormat};
use crate::commands::pairs::write_csv_line;
use crate::console;
use crate::failure::Failure;

/// Of a table, the numbers that differ most, unless all are wanted.
const WORST: usize = 3;

/// Figures of the papers: the run that has one, its name in a report, and its number in the paper.
pub const NUMBERS: [(Paper, &str, &str, &str); 21] = [
    (Paper::Gest, "translation", "gest-plane", "2"),
    (Paper::Gest, "translation", "gest-ranks", "3"),
    (Paper::Gest, "english", "gest-size", "4"),
    (Paper::Gest, "english", "gest-ranks", "5"),
    (Paper::Gest, "slavic", "gest-templates", "6"),
    (Paper::Gest, "slavic-xlm", "gest-ranks", "7"),
    (Paper::Gest, "english", "gest-winobias", "8"),
    (
        Paper::Gest,
        "translation",
        "gest-stereotypes-translation",
        "11",
    ),
    (Paper::Gest, "english", "gest-stereotypes-masked", "12"),
    (Paper::Gest, "english", "gest-stereotypes-causal", "13"),
    (Paper::Gest, "slavic", "gest-stereotypes", "14"),
    (Paper::Wibemt, "adjectives", "wibemt-feminine", "3"),
    (Paper::Wibemt, "adjectives", "wibemt-correct", "4"),
    (Paper::Wibemt, "verbs", "wibemt-feminine", "2"),
    (Paper::Unambiguous, "s", "unambiguous-configurations", "1"),
    (Paper::Unambiguous, "s", "unambiguous-occupations", "2"),
    (Paper::Unambiguous, "s", "unambiguous-adjectives", "3"),
    (Paper::Unambiguous, "s", "unambiguous-positions", "4"),
    (Paper::Unambiguous, "s", "unambiguous-invented", "5"),
    (
        Paper::Unambiguous,
        "s",
        "unambiguous-adjectives-on-occupation",
        "6",
    ),
    (
        Paper::Unambiguous,
        "s",
        "unambiguous-adjectives-elsewhere",
        "7",
    ),
];

pub fn write(paper: Paper, reproduced: &Reproduced, args: &ReproduceArgs) -> Result<(), Failure> {
    match args.format {
        ReproduceFormat::Table => {
            let text = text(reproduced, args.all);
            console::print(|out| out.write_all(text.as_bytes()))
        }
        ReproduceFormat::Csv => csv(paper, reproduced),
        ReproduceFormat::Json => {
            let whole = as_json(paper, reproduced);
            console::print(|out| writeln!(out, "{whole:#}"))
        }
    }
}

fn shown(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn csv(paper: Paper, reproduced: &Reproduced) -> Result<(), Failure> {
    console::print(|out| {
        writeln!(
            out,
            "paper,place,row,column,printed,ours,ours_as_printed,equal,reason"
        )?;
        for record in &reproduced.records {
            let cells = [
                paper.name(),
                record.place,
                &record.row,
                &record.column,
                &record.printed.to_string(),
                &shown(record.value()),
                &record.as_printed().unwrap_or_default(),
                if record.is_equal() { "yes" } else { "no" },
                &record.reason().unwrap_or_default(),
            ];
            write_csv_line(out, &cells)?;
        }
        for computed in &reproduced.computed {
            let ours = computed.ours.to_string();
            let cells = [
                paper.name(),
                computed.place,
                &computed.row,
                &computed.column,
                "",
                &ours,
                "",
                "",
                "not printed",
            ];
            write_csv_line(out, &cells)?;
        }
        Ok(())
    })
}

fn as_json(paper: Paper, reproduced: &Reproduced) -> Value {
    let records: Vec<Value> = reproduced
        .records
        .iter()
        .map(|record| {
            json!({
                "place": record.place,
                "row": record.row,
                "column": record.column,
                "printed": record.printed.to_string(),
                "ours": record.value(),
                "ours_as_printed": record.as_printed(),
                "equal": record.is_equal(),
                "reason": record.reason(),
            })
        })
        .collect();
    let computed: Vec<Value> = reproduced
        .computed
        .iter()
        .map(|c| json!({"place": c.place, "row": c.row, "column": c.column, "ours": c.ours}))
        .collect();
    let missing: Vec<Value> = reproduced
        .missing
        .iter()
        .map(|missing| json!({"path": missing.path, "costs": missing.costs}))
        .collect();
    let count = |count: Count| {
        json!({
            "printed": count.printed,
            "compared": count.compared,
            "equal": count.equal,
            "reasons": count.reasons,
        })
    };
    let places: serde_json::Map<String, Value> = reproduced
        .places()
        .into_iter()
        .map(|place| (place.to_owned(), count(reproduced.count(Some(place)))))
        .collect();
    json!({
        "paper": paper.name(),
        "counts": count(reproduced.count(None)),
        "places": places,
        "records": records,
        "computed": computed,
        "missing": missing,
        "notes": reproduced.notes,
        "commands": reproduced.commands,
    })
}

/// For people: counts of every table, the numbers that differ, what is missing and what it costs.
fn text(reproduced: &Reproduced, all: bool) -> String {
    let mut text = String::new();
    for place in reproduced.places() {
        let own = |record: &&Record| record.place == place;
        let mut shown: Vec<&Record> = reproduced.records.iter().filter(own).collect();
        let of = shown
            .iter()
            .filter(|r| r.value().is_some() && !r.is_equal());
        let differ = of.count();
        if !all {
            shown.retain(|record| record.value().is_some() && !record.is_equal());
            let size = |record: &Record| record.difference().map_or(0.0, f64::abs);
            shown.sort_by(|a, b| size(b).total_cmp(&size(a)));
            shown.truncate(WORST);
        }
        if shown.is_empty() {
            continue;
        }
        text += &match (all, differ > WORST) {
            (false, true) => format!(
                "{place}: {WORST} of {differ} numbers that differ (--all shows every number)\n"
            ),
            (false, false) => format!("{place}: numbers that differ\n"),
            (true, _) => format!("{place}\n"),
        };
        let mut lines = vec![words(&["", "", "printed", "ours", "reason"])];
        lines.extend(shown.into_iter().map(|record| {
            vec![
                record.row.clone(),
                record.column.clone(),
                record.printed.to_string(),
                record.as_printed().unwrap_or_else(|| "-".to_owned()),
                record.reason().unwrap_or_default(),
            ]
        }));
        text += &(aligned(&lines, 2) + "\n");
    }
    text += "Numbers that the paper prints\n";
    text += &summary(reproduced);
    text += &computed(reproduced, all);
    for note in &reproduced.notes {
        text += &format!("\n{note}\n");
    }
    if !reproduced.missing.is_empty() {
        text += "\nFiles that are missing, and what they cost\n";
        let lines = reproduced.missing.iter();
        let lines: Vec<Vec<String>> = lines
            .map(|missing| vec![missing.path.clone(), missing.costs.clone()])
            .collect();
        text += &aligned(&lines, 2);
    }
    text += "\nCommands\n";
    for command in &reproduced.commands {
        text += &format!("  {command}\n");
    }
    text
}

fn summary(reproduced: &Reproduced) -> String {
    let head = ["", "printed", "compared", "equal", "why not"];
    let mut lines = vec![words(&head)];
    let places = reproduced.places().into_iter().map(Some).chain([None]);
    for place in places {
        let count = reproduced.count(place);
        let mut why: Vec<String> = Vec::new();
        let mut files = 0;
        for (reason, count) in &count.reasons {
            if reason.starts_with("file missing") {
                files += count;
            } else {
                why.push(format!("{count} {reason}"));
            }
        }
        if files > 0 {
            why.push(format!("{files} file missing"));
        }
        lines.push(vec![
            place.unwrap_or("together").to_owned(),
            count.printed.to_string(),
            count.compared.to_string(),
            count.equal.to_string(),
            why.join(", "),
        ]);
    }
    aligned(&lines, 1)
}

/// Numbers of figures, and others that no page of the paper has.
fn computed(reproduced: &Reproduced, all: bool) -> String {
    if reproduced.computed.is_empty() {
        return String::new();
    }
    let mut text = String::from("\nComputed from the authors' data, not printed\n");
    let mut lines = Vec::new();
    if all {
        lines.extend(reproduced.computed.iter().map(|computed| {
            vec![
                computed.place.to_owned(),
                computed.row.clone(),
                computed.column.clone(),
                format!("{:.4}", computed.ours),
            ]
        }));
        return text + &aligned(&lines, 3);
    }
    let mut places: Vec<(&str, usize)> = Vec::new();
    for computed in &reproduced.computed {
        match places
            .iter_mut()
            .find(|(place, _)| *place == computed.place)
        {
            Some((_, count)) => *count += 1,
            None => places.push((computed.place, 1)),
        }
    }
    for (place, count) in places {
        lines.push(vec![place.to_owned(), count.to_string()]);
    }
    text += &aligned(&lines, 1);
    text
}
