//! Every architecture against `transformers`: tiny random checkpoints with the numbers it gives.
//!
//! The files are made by `tools/reference/tiny_checkpoints.py`; what a golden file holds is said
//! there. All agree to 1e-4; files in sixteen bits to 2e-2.

use crate::support;
use crate::support::{floats, golden, ids, query, ratio, text};
use epicene_core::{Query, Question};
use epicene_engine::{System, TransformerModel, Wanted};
use serde_json::Value;

/// Largest differences found in one checkpoint.
#[derive(Debug, Default)]
struct Differences {
    logits: f64,
    scores: f64,
    hidden: f64,
    attention: f64,
    likelihood: f64,
}

fn worst(so_far: &mut f64, found: f64, wanted: f64) {
    *so_far = so_far.max((found - wanted).abs());
    assert!(found.is_finite());
}

fn list<'a>(golden: &'a Value, key: &str) -> &'a [Value] {
    golden[key].as_array().map_or(&[], Vec::as_slice)
}

fn compare(name: &str, golden: &Value) -> Differences {
    let model = match support::open(name) {
        Ok(model) => model,
        // One that cannot be read is as far away as can be.
        Err(error) => {
            println!("{name}: {error}");
            return Differences {
                logits: f64::INFINITY,
                ..Differences::default()
            };
        }
    };
    let mut differences = Differences::default();
    for entry in list(golden, "logits") {
        let positions: Vec<usize> = ids(&entry["positions"])
            .iter()
            .map(|p| *p as usize)
            .collect();
        let found = model.all_logits(&ids(&entry["ids"]), &positions).unwrap();
        for (found, wanted) in found.iter().zip(entry["values"].as_array().unwrap()) {
            for (found, wanted) in found.iter().zip(floats(wanted)) {
                worst(&mut differences.logits, f64::from(*found), wanted);
            }
        }
    }
    let mut queries: Vec<(Query<'_>, f64)> = Vec::new();
    for entry in list(golden, "masked").iter().chain(list(golden, "pairs")) {
        let (masculine, feminine) = (text(&entry["masculine"]), text(&entry["feminine"]));
        assert_eq!(
            model.encode(masculine).unwrap(),
            ids(&entry["ids_m"]),
            "{name}: {masculine}"
        );
        assert_eq!(
            model.encode(feminine).unwrap(),
            ids(&entry["ids_f"]),
            "{name}: {feminine}"
        );
        let question = Question::MaskedPair {
            masculine: masculine.to_owned(),
            feminine: feminine.to_owned(),
            one_token: false,
        };
        queries.push((query(question), entry["score"].as_f64().unwrap()));
    }
    for entry in list(golden, "causal") {
        let prompt = text(&entry["prompt"]);
        let (masculine, feminine) = (text(&entry["masculine"]), text(&entry["feminine"]));
        assert_eq!(
            model.encode(prompt).unwrap(),
            ids(&entry["ids"]),
            "{name}: {prompt}"
        );
        assert_eq!(
            u64::from(model.word(masculine).unwrap()),
            entry["id_m"].as_u64().unwrap(),
            "{name}"
        );
        assert_eq!(
            u64::from(model.word(feminine).unwrap()),
            entry["id_f"].as_u64().unwrap(),
            "{name}"
        );
        let question = Question::NextWord {
            prompt: prompt.to_owned(),
            masculine: masculine.to_owned(),
            feminine: feminine.to_owned(),
        };
        queries.push((query(question), entry["score"].as_f64().unwrap()));
    }
    let (queries, wanted): (Vec<Query<'_>>, Vec<f64>) = queries.into_iter().unzip();
    if !queries.is_empty() {
        for (answer, wanted) in model.answer(&queries).unwrap().iter().zip(wanted) {
            worst(&mut differences.scores, ratio(answer), wanted);
        }
    }
    for entry in list(golden, "sentence_log_likelihood") {
        let found = model.log_likelihoods(&[text(&entry["text"])]).unwrap()[0];
        worst(
            &mut differences.likelihood,
            found,
            entry["value"].as_f64().unwrap(),
        );
    }
    // `transformers` 4 lists ModernBERT's states before the last norm; the head gets them after it.
    if name != "modernbert" {
        compare_hidden(&model, golden, &mut differences);
    }
    compare_attention(&model, golden, &mut differences);
    differences
}

fn compare_hidden(model: &TransformerModel, golden: &Value, differences: &mut Differences) {
    for entry in list(golden, "hidden") {
        let wanted = Wanted {
            hidden: true,
            ..Wanted::default()
        };
        let reading = model
            .look(&[text(&entry["text"])], wanted)
            .unwrap()
            .remove(0);
        assert_eq!(reading.ids, ids(&entry["ids"]));
        // The first position, and the mean over what is between the special tokens.
        for (found, wanted) in reading
            .hidden
            .row(0)
            .iter()
            .zip(floats(&entry["layer_last"]))
        {
            worst(&mut differences.hidden, f64::from(*found), wanted);
        }
        let content = 1..reading.ids.len() - 1;
        for (column, wanted) in floats(&entry["content_mean"]).into_iter().enumerate() {
            let sum: f64 = content
                .clone()
                .map(|row| f64::from(reading.hidden.row(row)[column]))
                .sum();
            worst(&mut differences.hidden, sum / content.len() as f64, wanted);
        }
    }
}

fn compare_attention(model: &TransformerModel, golden: &Value, differences: &mut Differences) {
    for entry in list(golden, "attention_mean") {
        let wanted = Wanted {
            attention: true,
            log_probabilities: entry["aul"].is_number() && model.has_head(),
            ..Wanted::default()
        };
        let reading = model
            .look(&[text(&entry["text"])], wanted)
            .unwrap()
            .remove(0);
        for (found, wanted) in reading.attention.iter().zip(floats(&entry["received"])) {
            worst(&mut differences.attention, *found, wanted);
        }
        if wanted.log_probabilities {
            let content = 1..reading.ids.len() - 1;
            let count = content.len() as f64;
            let aul: f64 = content
                .clone()
                .map(|i| reading.log_probabilities[i])
                .sum::<f64>()
                / count;
            let aula: f64 = content
                .map(|i| reading.attention[i] * reading.log_probabilities[i])
                .sum::<f64>()
                / count;
            worst(
                &mut differences.likelihood,
                aul,
                entry["aul"].as_f64().unwrap(),
            );
            worst(
                &mut differences.likelihood,
                aula,
                entry["aula"].as_f64().unwrap(),
            );
        }
    }
}

#[test]
fn every_architecture_agrees_with_transformers() {
    let mut failures = Vec::new();
    for name in support::checkpoints() {
        let differences = compare(&name, &golden(&name));
        println!("{name:24} {differences:.7?}");
        let narrow = name.ends_with("16");
        let most = if narrow { 2e-2 } else { 1e-4 };
        if differences.logits > most
            || differences.scores > most
            || differences.hidden > most
            || differences.attention > most
            || differences.likelihood > most
        {
            failures.push((name, differences));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
