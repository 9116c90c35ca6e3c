//! The answers of the worked example, line by line and byte for byte.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_core::{DataCard, Metric, MetricRange, ModelKind, SystemCard};
use epicene_report::export::{Layout, Sample, Settings, StoredRun, When};
use serde_json::Value;

use crate::shared_data::shared;

const METRICS: &[Metric] = &[Metric::headline("acc", "accuracy, %", 100.0, ["", ""])
    .within(MetricRange::percent("accuracy"))];

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The archive with the answers of `epicene report --items`.
fn archived(examples: &Path) -> StoredRun {
    let folder = examples.join("winomt-run");
    let (manifest, measures) = (
        read(&folder.join("manifest.json")),
        read(&folder.join("measures.json")),
    );
    let system = &manifest["systems"][0];
    let lines = std::fs::read_to_string(folder.join("items.jsonl")).unwrap();
    let sample = |line: &str| {
        let item: Value = serde_json::from_str(line).unwrap();
        let labels = item["labels"].as_object().unwrap();
        Sample {
            id: text(&item["id"]),
            text: text(&item["text"]),
            labels: labels
                .iter()
                .map(|(key, value)| (key.clone(), text(value)))
                .collect(),
            system: text(&item["system"]),
            unit: text(&item["unit"]),
            answer: item["observation"]["translation"]
                .as_str()
                .map(str::to_owned),
            observation: item["observation"].clone(),
            outcome: item["outcome"].as_str().map(str::to_owned),
            rule: text(&item["rule"]),
            evidence: item["evidence"]
                .as_array()
                .unwrap()
                .iter()
                .map(text)
                .collect(),
            finding: text(&item["finding"]),
        }
    };
    let data = &manifest["data"];
    StoredRun {
        benchmark: text(&manifest["benchmark"]),
        metrics: METRICS,
        epicene: text(&manifest["epicene"]),
        signature: text(&measures["signature"]),
        data: DataCard {
            name: text(&data["name"]),
            version: text(&data["version"]),
            sha256: text(&data["sha256"]),
            items: data["items"].as_u64().unwrap() as usize,
        },
        source_url: None,
        systems: vec![SystemCard {
            name: text(&system["name"]),
            source: text(&system["source"]),
            revision: system["revision"].as_str().map(str::to_owned),
            dtype: None,
            tokenizer: None,
            kind: ModelKind::Translator,
        }],
        seed: 0,
        bootstrap: 1000,
        limit: Some(12),
        items: 12,
        rows: serde_json::from_value(measures["rows"].clone()).unwrap(),
        finished: None,
        samples: Some(lines.lines().map(sample).collect()),
    }
}

fn settings() -> Settings {
    Settings {
        organization: Some("Example Org".to_owned()),
        relationship: Some("third_party".to_owned()),
        model_ids: BTreeMap::from([("google".to_owned(), "google/translate-2019".to_owned())]),
        date: Some(When {
            seconds: 1_794_949_200,
            text: "2026-11-17T21:00:00Z".to_owned(),
        }),
        ..Settings::default()
    }
}

#[test]
fn answers_of_the_example_are_exported_byte_for_byte() {
    let Some(folder) = shared("interchange") else {
        return;
    };
    let examples = folder.join("examples");
    let run = archived(&examples);
    for (layout, place) in [(Layout::Eee, "eee"), (Layout::LmEval, "lm_eval")] {
        let exported = layout.exporter().files(&run, &settings()).unwrap();
        let samples = exported
            .files
            .iter()
            .find(|file| file.path.ends_with(".jsonl"))
            .unwrap();
        let path = examples.join(place).join(&samples.path);
        assert_eq!(
            samples.text,
            std::fs::read_to_string(&path).unwrap(),
            "{}",
            samples.path
        );
        // The record beside them says the same of them as the example.
        let record = exported
            .files
            .iter()
            .find(|file| file.path.ends_with(".json"))
            .unwrap();
        let expected = read(&examples.join(place).join(&record.path));
        let found: Value = serde_json::from_str(&record.text).unwrap();
        for key in [
            "detailed_evaluation_results",
            "task_hashes",
            "evaluation_id",
        ] {
            assert_eq!(found.get(key), expected.get(key), "{key}");
        }
    }
}

#[test]
fn answers_without_right_or_wrong_are_no_record_of_every_eval_ever() {
    let Some(folder) = shared("interchange") else {
        return;
    };
    let mut run = archived(&folder.join("examples"));
    for sample in run.samples.iter_mut().flatten() {
        sample.outcome = None;
    }
    let error = Layout::Eee.exporter().files(&run, &settings()).unwrap_err();
    assert!(error.message.contains("no right answers"), "{error}");
    assert!(Layout::LmEval.exporter().files(&run, &settings()).is_ok());
}

/// A value that its metric cannot have, or that is not there, does not leave.
#[test]
fn impossible_numbers_are_refused_and_absent_ones_left_out() {
    let Some(folder) = shared("interchange") else {
        return;
    };
    let whole = archived(&folder.join("examples"));
    let of = |value: Option<f64>| {
        let mut run = whole.clone();
        run.samples = None;
        run.rows.retain(|row| row.metric == "acc");
        run.rows[0].value = value;
        Layout::Eee.exporter().files(&run, &settings())
    };
    assert!(of(Some(100.0)).is_ok());
    assert!(
        of(Some(100.5))
            .unwrap_err()
            .message
            .contains("lies between 0 and 100")
    );
    let exported = of(None).unwrap();
    assert_eq!(exported.left_out, ["lang:de all acc: no finite value"]);
}
