//! GEST's section 6 from what it prints: the pairs of Slavic sentences are not published, but Table 11 has the mean of every model,
//! language and stereotype. One pair for each, with the logarithm of that mean as its score, gives the correlations, the ranks of
//! Figure 7 and Table 3's last row.

use epicene_bench::published_tables::{listed, named, number, published_tables};
use epicene_core::Row;
use serde_json::Value;

use super::{Reproduced, Workshop, words};
use crate::failure::Failure;

const LANGUAGES: [&str; 9] = ["be", "ru", "uk", "hr", "sl", "sr", "cs", "pl", "sk"];

pub fn reproduce(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    let published = published_tables("gest_slavic");
    let models = named(&published["models"]);
    let names: Vec<&str> = models.keys().map(String::as_str).collect();
    // The paper's own averages leave multilingual BERT out.
    let xlm: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| name.starts_with("xlm"))
        .collect();
    let rows = run(workshop, done, "slavic_xlm", &xlm, &published)?;
    let table = "Section 6, correlations, from Table 11's means";
    for (metric, key) in [
        ("r_units", "all_pairs"),
        ("r_models", "between_models_same_language"),
        ("r_languages", "between_languages_same_model"),
    ] {
        let paper = number(&published["correlations_xlm"][key]);
        done.row(table, &rows, ["all"; 3], metric, (paper, 2));
    }
    let boxes = listed(&published["feminine_rank_box_stats_xlm"]);
    for (place, cell) in boxes.iter().enumerate() {
        let group = format!("stereotype:{}", place + 1);
        for (key, metric) in [
            ("q1", "rank_q1"),
            ("median", "rank_median"),
            ("q3", "rank_q3"),
        ] {
            let place = ["all", "all", group.as_str()];
            done.row(
                "Figure 7, from Table 11's means",
                &rows,
                place,
                metric,
                (number(&cell[key]), 0),
            );
        }
    }
    let rows = run(workshop, done, "slavic", &names, &published)?;
    let table3 = &published_tables("gest_english")["table3"]["slavic_mlm_notebook"];
    for metric in ["q_m", "q_f"] {
        let place = ["all:masked", "all", "all"];
        done.row(
            "Table 3, Slavic, from Table 11's means",
            &rows,
            place,
            metric,
            (number(&table3[metric]), 2),
        );
    }
    done.notes.push(
        "Slavic models: printed means have two decimals, so that ranks may differ by one half."
            .to_owned(),
    );
    Ok(())
}

fn run(
    workshop: &Workshop,
    done: &mut Reproduced,
    name: &str,
    models: &[&str],
    published: &Value,
) -> Result<Vec<Row>, Failure> {
    let mut pairs = String::from("translator,language,original,stereotype,male,female\n");
    let mut scores = models.join(",") + "\n";
    for language in LANGUAGES {
        for id in 1..=16 {
            pairs += &format!(
                "printed,{language},I was.,{id},Bol {language} {id},Bola {language} {id}\n"
            );
            let cells: Vec<String> = models
                .iter()
                .map(|model| {
                    let cell = &published["models"][*model][language]["per_stereotype"][id - 1];
                    number(&cell["est_mean"]).ln().to_string()
                })
                .collect();
            scores += &(cells.join(",") + "\n");
        }
    }
    let pairs = workshop.write(&format!("{name}_pairs.csv"), &pairs)?;
    let scores = workshop.write(&format!("{name}.csv"), &scores)?;
    let line = words(&[
        "gest",
        "--pairs",
        &pairs,
        "--model",
        &format!("file:{scores}"),
    ]);
    let line = [line, words(&["--interval", "published"])].concat();
    workshop.rows(done, &line)
}
