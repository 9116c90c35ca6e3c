//! GEST's section 4.3, Slavic masked models. With `gender_variants.csv` and the scores: Tables 7 and 11, Table 3's last row, Section
//! 4.3.3. Without it, the printed means of Table 11 still give the correlations, the ranks of Figure 7 and most of Table 3's row.

use epicene_bench::published_tables::{listed, named, number, published_tables};
use epicene_core::{Row, Unit};
use serde_json::Value;

use super::gest::{Found, boxes, means, models, scores};
use super::record::{Printed, Reason, Reproduced};
use super::{Workshop, find, from_rows, value, words};
use crate::failure::Failure;

const LANGUAGES: [&str; 9] = ["be", "ru", "uk", "hr", "sl", "sr", "cs", "pl", "sk"];
const VARIANTS: &str = "gender_variants.csv";

pub fn reproduce(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    let published = published_tables("gest_slavic");
    let costs = "Tables 7 and 11, Table 3 (Slavic MLM, family), Figures 6 and 14";
    let variants = workshop.need(&[VARIANTS], costs, done);
    let scores = scores(workshop, "slavic_mlm", "Table 11, Figures 6 and 14", done);
    let pairs = match (&variants, scores.is_empty()) {
        (Some(variants), false) => Ok(from_pairs(workshop, done, variants, &scores, &published)?),
        (Some(_), true) => Err("predictions/slavic_mlm/*.txt".to_owned()),
        (None, _) => Err(VARIANTS.to_owned()),
    };
    table7(done, &pairs, &published);
    // Which pairs a model was asked about, only its tokenizer knows.
    let lacks_tokenizers = done.missing.iter().any(|m| m.path.contains("tokenizers"));
    let tokens = lacks_tokenizers.then_some(Reason::CheckpointNeeded);
    for (model, languages) in named(&published["models"]) {
        for language in LANGUAGES {
            let unit = Unit::into_language(language);
            let row = format!("{model} {language}");
            let cells = ([model.as_str(), &unit], &languages[language]);
            let bounds = tokens.unwrap_or(Reason::UnseededBootstrap);
            means(
                done,
                "Table 11",
                &row,
                &pairs,
                cells,
                [tokens, Some(bounds)],
            );
            if let Ok(rows) = &pairs {
                let own = find(rows, [model, &unit, "all"], "g_s");
                done.compute("Figure 6", (&row, "g_s"), own.and_then(value));
            }
        }
    }
    if let Ok(rows) = &pairs {
        let kept = rows.iter().filter(|row| row.metric == "pairs");
        for row in kept.filter(|row| row.group == "all") {
            let cell = (row.system.clone(), format!("{} pairs", row.unit));
            done.compute("Section 4.3.2", cell, Some(row.value));
        }
    }
    aggregates(workshop, done, (pairs, tokens), &published)
}

/// The published pairs with the published scores. A pair counts where one token differs, which needs the models' tokenizers.
fn from_pairs(
    workshop: &Workshop,
    done: &mut Reproduced,
    variants: &str,
    scores: &[String],
    published: &Value,
) -> Result<Vec<Row>, Failure> {
    let mut line = words(&["gest-pairs", "--pairs", variants]);
    line.extend(words(&[
        "--interval",
        "published",
        "--estimate",
        "published",
    ]));
    line.extend(models(scores));
    let mut lacking = Vec::new();
    for model in named(&published["models"]).keys() {
        let names = [
            format!("tokenizers/{model}.json"),
            format!("tokenizers/{model}/tokenizer.json"),
        ];
        match workshop.checkout.file(&[&names[0], &names[1]]) {
            Some(path) => {
                let given = format!("{model}={}", path.display());
                line.extend(words(&["--tokenizer", &given]));
            }
            None => lacking.push(names[0].clone()),
        }
    }
    if let Some(first) = lacking.first() {
        let path = workshop.checkout.expected(first);
        done.lacks(
            &path,
            "the exact pairs of Table 11: which pairs differ in one token of a model",
        );
    }
    workshop.rows(done, "slavic", &line)
}

fn table7(done: &mut Reproduced, pairs: &Found, published: &Value) {
    for (translator, languages) in named(&published["table7"]) {
        for (language, count) in named(languages) {
            let unit = Unit::into_language(language);
            let group = format!("translator:{translator}");
            let ours = from_rows(pairs, ["all", &unit, &group], "pairs_table7", value);
            let printed = Printed::fixed(number(count), 0);
            done.record("Table 7", (translator, language), printed, ours, None);
        }
    }
}

/// Correlations, ranks and means over models and languages.
fn aggregates(
    workshop: &Workshop,
    done: &mut Reproduced,
    (pairs, tokens): (Found, Option<Reason>),
    published: &Value,
) -> Result<(), Failure> {
    let names: Vec<&str> = named(&published["models"])
        .keys()
        .map(String::as_str)
        .collect();
    // The paper's own averages leave multilingual BERT out.
    let xlm: Vec<&str> = names
        .iter()
        .copied()
        .filter(|n| n.starts_with("xlm"))
        .collect();
    let from_means = pairs.is_err();
    let joint = run(workshop, done, "slavic-xlm", &xlm, published)?;
    for (metric, key) in [
        ("r_units", "all_pairs"),
        ("r_models", "between_models_same_language"),
        ("r_languages", "between_languages_same_model"),
    ] {
        let printed = Printed::fixed(number(&published["correlations_xlm"][key]), 2);
        let ours = from_rows(&Ok(joint.clone()), ["all"; 3], metric, value);
        let cell = ("mean correlation, XLM models", key.replace('_', " "));
        done.record("Section 4.3.3", cell, printed, ours, None);
    }
    boxes("Figure 7", &joint, "all", done);
    let rows = match &pairs {
        Ok(rows) => rows.clone(),
        Err(_) => run(workshop, done, "slavic", &names, published)?,
    };
    let table3 = &published_tables("gest_english")["table3"]["slavic_mlm_notebook"];
    for metric in ["q_m", "q_f", "q_fam"] {
        // Means by stereotype do not say which sentences are about the family.
        let rows = match &pairs {
            Err(path) if metric == "q_fam" => Err(path.clone()),
            _ => Ok(rows.clone()),
        };
        let printed = Printed::fixed(number(&table3[metric]), 2);
        let ours = from_rows(&rows, ["all:masked", "all", "all"], metric, value);
        done.record("Table 3", ("Slavic MLM", metric), printed, ours, tokens);
    }
    done.note(if from_means {
        "Section 4.3.3, Figure 7 and Table 3's Slavic row come from the means that Table 11 prints."
    } else {
        "Section 4.3.3 and Figure 7 come from the means that Table 11 prints."
    });
    Ok(())
}

/// One pair for each mean of Table 11, with the logarithm of that mean as its score.
fn run(
    workshop: &Workshop,
    done: &mut Reproduced,
    name: &'static str,
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
                    let cells = listed(&published["models"][*model][language]["per_stereotype"]);
                    number(&cells[id - 1]["est_mean"]).ln().to_string()
                })
                .collect();
            scores += &(cells.join(",") + "\n");
        }
    }
    let pairs = workshop.write(&format!("{name}_pairs.csv"), &pairs)?;
    let scores = workshop.write(&format!("{name}.csv"), &scores)?;
    let mut line = words(&["gest", "--pairs", &pairs, "--interval", "published"]);
    line.extend(words(&["--estimate", "published"]));
    line.extend(words(&["--model", &format!("file:{scores}")]));
    workshop.rows(done, name, &line)
}
