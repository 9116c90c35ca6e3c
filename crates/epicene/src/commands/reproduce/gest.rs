//! GEST (arXiv 2311.18711): `gest.csv`, `predictions/`, `translations/SYSTEM/LANG/translations.csv.gz`, annotated swaps.

use std::path::Path;

use epicene_bench::gest::published::UNTABLED;
use epicene_bench::gest::read_items;
use epicene_bench::published_tables::{listed, named, number, published_tables};
use epicene_core::{Row, Unit};
use serde_json::Value;

use super::{Reproduced, Workshop, gest_slavic, words};
use crate::failure::Failure;
use crate::source;

const TABLES: [(&str, &str, &str); 2] = [
    ("table9_english_mlm", "Table 9", "Table 9, bounds"),
    ("table10_english_glm", "Table 10", "Table 10, bounds"),
];

pub fn reproduce(workshop: &Workshop) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    let Some(data) = workshop.need("gest.csv", "Tables 3, 5 to 10", &mut done) else {
        return Ok(done);
    };
    sizes(&data, &mut done)?;
    english(workshop, &data, &mut done)?;
    translations(workshop, &data, &mut done)?;
    gest_slavic::reproduce(workshop, &mut done)?;
    done.cannot(
        "Table 1",
        "collection numbers: `epicene data lint gest --statistics` counts a data set",
    );
    done.cannot(
        "Table 2",
        "names and definitions of the stereotypes: `epicene list stereotypes`",
    );
    done.cannot("Table 4", "verdicts of people on 540 translations, which are not published; `epicene audit` makes such tables");
    done.cannot(
        "Tables 7, 11, Figures 6, 14",
        "the table of pairs (gender_variants) and the translations it was made from are not published; with one: epicene run gest --pairs FILE --model file:slavic_mlm.csv.gz",
    );
    done.cannot(
        "Appendix G",
        "no numbers are printed; `epicene reproduce experiment inducing` counts on the Slovak translations",
    );
    Ok(done)
}

/// Sentences of each stereotype, as the paper's list of them has it.
const SENTENCES: [u32; 16] = [
    254, 215, 256, 207, 200, 197, 243, 251, 229, 215, 231, 222, 222, 194, 208, 221,
];

fn sizes(data: &str, done: &mut Reproduced) -> Result<(), Failure> {
    let items = read_items(&source::read(Path::new(data))?, None)?;
    for (id, paper) in (1..).zip(SENTENCES) {
        let own = items
            .iter()
            .filter(|item| item.label("stereotype") == Some(id.to_string().as_str()));
        let (what, ours) = (format!("stereotype {id}, sentences"), own.count() as f64);
        done.check(
            "Table 2, sentences",
            what,
            (f64::from(paper), Some(ours)),
            0,
        );
    }
    Ok(())
}

fn english(workshop: &Workshop, data: &str, done: &mut Reproduced) -> Result<(), Failure> {
    let published = published_tables("gest_english");
    let masked = workshop.need("predictions/english_mlm.csv.gz", "Tables 9 and 3", done);
    let causal = workshop.need("predictions/english_glm.csv.gz", "Tables 10 and 3", done);
    let (Some(masked), Some(causal)) = (masked, causal) else {
        return Ok(());
    };
    // In the prediction files but in no table.
    let mut line = words(&["gest", "--exclude", UNTABLED, "--interval", "published"]);
    line.extend(words(&["--data", data]));
    line.extend(words(&[
        "--model",
        &format!("file:{masked}"),
        "--model",
        &format!("file:{causal}"),
    ]));
    let means = workshop.need("predictions/winobias.csv", "Figure 8", done);
    if let Some(means) = &means {
        line.extend(words(&["--winobias", means]));
    }
    let swaps = workshop.need("gender-swap-annotations.txt", "Table 5", done);
    if let Some(swaps) = &swaps {
        line.extend(words(&["--swap-pairs", swaps]));
    }
    let rows = workshop.rows(done, &line)?;
    for (key, table, bounds) in TABLES {
        for (model, cells) in named(&published[key]) {
            if model == UNTABLED {
                continue;
            }
            for template in listed(&cells["templates"]) {
                let unit = format!("template:{}", template["paper_template_id"]);
                for cell in listed(&template["per_stereotype"]) {
                    let group = format!("stereotype:{}", cell["stereotype"]);
                    let place = [model.as_str(), &unit, &group];
                    let printed = &cell["published"];
                    done.row(table, &rows, place, "q", (number(&printed[1]), 2));
                    let row = find(&rows, place, "q");
                    for (side, name) in [(0, "low"), (2, "high")] {
                        let ours = row.and_then(|row| if side == 0 { row.low } else { row.high });
                        let what = format!("{model} {unit} {group} {name}");
                        done.check(bounds, what, (number(&printed[side]), ours), 2);
                    }
                }
            }
            let place = [model.as_str(), "all", "all"];
            let rate = number(&cells["g_s_mean_over_templates"]);
            done.row("Figure 4", &rows, place, "g_s", (rate, 4));
        }
    }
    done.notes.push(
        "Bounds: the paper's come from a bootstrap without a seed; ours are its limit, so that the second decimal may differ.".to_owned(),
    );
    for (key, system) in [("english_mlm", "all:masked"), ("english_glm", "all:causal")] {
        for metric in ["q_m", "q_f", "q_fam"] {
            let paper = number(&published["table3"][key][metric]);
            done.row(
                "Table 3, English",
                &rows,
                [system, "all", "all"],
                metric,
                (paper, 6),
            );
        }
    }
    for (key, metric) in [
        ("q_between_models", "r_models"),
        ("q_between_templates", "r_templates"),
        ("instance_between_models", "r_models_items"),
        ("instance_between_templates", "r_templates_items"),
    ] {
        let paper = number(&published["correlations"][key]);
        done.row(
            "Section 5.3, correlations",
            &rows,
            ["all"; 3],
            metric,
            (paper, 6),
        );
    }
    boxes(
        "Figure 3, English",
        &published["feminine_rank_box_stats"],
        &rows,
        "all",
        done,
    );
    if means.is_some() {
        for (split, cell) in named(&published["winobias"]) {
            let unit = format!("split:{}", split.replace('_', "-"));
            let paper = number(&cell["pearson"]);
            done.row(
                "Figure 8, WinoBias",
                &rows,
                ["all", &unit, "all"],
                "r_winobias",
                (paper, 6),
            );
            for (model, ghat) in named(&cell["ghat"]) {
                done.row(
                    "Figure 8, WinoBias",
                    &rows,
                    [model, &unit, "all"],
                    "ghat_s",
                    (number(ghat), 6),
                );
            }
        }
    }
    if swaps.is_some() {
        for metric in ["positive", "negative"] {
            for (label, count) in named(&published["table5_first_letter"][metric]) {
                let group = format!("label:{label}");
                let place = ["first-letter", "swap-pairs", &group];
                done.row("Table 5", &rows, place, metric, (number(count), 0));
            }
        }
    }
    Ok(())
}

fn find<'a>(rows: &'a [Row], [system, unit, group]: [&str; 3], metric: &str) -> Option<&'a Row> {
    rows.iter().find(|row| {
        row.system == system && row.unit == unit && row.group == group && row.metric == metric
    })
}

fn boxes(
    table: &'static str,
    published: &Value,
    rows: &[Row],
    system: &str,
    done: &mut Reproduced,
) {
    for (place, cell) in listed(published).iter().enumerate() {
        let group = format!("stereotype:{}", place + 1);
        for (key, metric) in [
            ("q1", "rank_q1"),
            ("median", "rank_median"),
            ("q3", "rank_q3"),
            ("mean", "rank_mean"),
        ] {
            let place = [system, "all", group.as_str()];
            done.row(table, rows, place, metric, (number(&cell[key]), 4));
        }
    }
}

fn translations(workshop: &Workshop, data: &str, done: &mut Reproduced) -> Result<(), Failure> {
    let published = published_tables("gest_mt");
    let (mut line, mut languages) = (
        words(&["gest", "--interval", "published", "--data", data]),
        Vec::new(),
    );
    let mut there = Vec::new();
    let mut lacking = 0;
    for (system, cells) in named(&published["systems"]) {
        for (language, cell) in named(cells) {
            match workshop.file(&format!(
                "translations/{system}/{language}/translations.csv.gz"
            )) {
                Some(file) => {
                    line.extend(words(&["--mt", &format!("{system}=file:{file}")]));
                    languages.push(language.as_str());
                    there.push((system, language, cell));
                }
                None => lacking += 1,
            }
        }
    }
    if there.is_empty() {
        done.cannot(
            "Tables 6 and 8, Figure 2",
            "there are no translations/SYSTEM/LANG/translations.csv.gz",
        );
        return Ok(());
    }
    line.extend(words(&["--lang", &languages.join(",")]));
    let rows = workshop.rows(done, &line)?;
    for (system, language, cell) in there {
        let unit = Unit::into_language(language);
        for one in listed(&cell["per_stereotype"]) {
            let group = format!("stereotype:{}", one["stereotype"]);
            let paper = number(&one["mean"]);
            done.row("Table 8", &rows, [system, &unit, &group], "p", (paper, 2));
        }
        for metric in ["f_s", "f_m"] {
            done.row(
                "Figure 2",
                &rows,
                [system, &unit, "all"],
                metric,
                (number(&cell[metric]), 3),
            );
        }
        done.row(
            "Table 6",
            &rows,
            [system, &unit, "all"],
            "yield",
            (number(&cell["n"]), 0),
        );
    }
    done.notes.push("Translations: the paper's verdicts rest on parses that are not published; ours on rules over raw text.".to_owned());
    if lacking > 0 {
        let why = format!("{lacking} of 32 system-language pairs are not there");
        done.cannot("Table 3 and Figure 3, translation", why);
        return Ok(());
    }
    let table3 = &published_tables("gest_english")["table3"]["mt_notebook"];
    for metric in ["p_m", "p_f", "p_fam"] {
        let place = ["all:translator", "all", "all"];
        done.row(
            "Table 3, translation",
            &rows,
            place,
            metric,
            (number(&table3[metric]), 4),
        );
    }
    boxes(
        "Figure 3, translation",
        &published["feminine_rank_box_stats"],
        &rows,
        "all:translator",
        done,
    );
    Ok(())
}
