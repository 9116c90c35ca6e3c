//! Alignment against Python's difflib, AUL and AULA against the tiny reference model.

use epicene_engine::likelihood::{
    PairSpans, attention_received, aul, aula, cps_positions, mean_embedding, opcodes,
};
use serde_json::Value;

use crate::shared_data::shared;

fn json(part: &str) -> Option<Value> {
    let text = std::fs::read_to_string(shared(part)?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

fn ids(value: &Value) -> Vec<u32> {
    serde_json::from_value(value.clone()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    serde_json::from_value(value.clone()).unwrap()
}

fn same_opcodes(a: &[u32], b: &[u32], autojunk: bool, expected: &Value) {
    let found: Vec<Value> = opcodes(a, b, autojunk)
        .iter()
        .map(|code| serde_json::json!([code.tag.name(), code.a.0, code.a.1, code.b.0, code.b.1]))
        .collect();
    assert_eq!(&Value::Array(found), expected, "{a:?} {b:?}");
}

#[test]
fn difflib_opcodes_are_reproduced() {
    let Some(reference) = json("mbe/reference_stats/difflib_opcodes.json") else {
        return;
    };
    let cases = reference["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 72);
    for case in cases {
        same_opcodes(&ids(&case["a"]), &ids(&case["b"]), true, &case["opcodes"]);
    }
}

/// The 72 cases above never need the heuristic; these do (`tools/reference/difflib_autojunk.py`).
#[test]
fn popular_elements_are_treated_as_python_does() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../golden/difflib_autojunk.json")).unwrap();
    let mut differ = 0;
    for case in &cases {
        let number = |name: &str| case[name].as_u64().unwrap();
        let mut x = number("seed");
        let mut draw = || {
            x = (1_103_515_245 * x + 12_345) % (1 << 31);
            ((x >> 16) % number("alphabet")) as u32
        };
        let length = number("length") as usize;
        let a: Vec<u32> = (0..length + 7).map(|_| draw()).collect();
        let changed = |(place, element): (usize, &u32)| match place as u64 % number("every") {
            0 => draw(),
            _ => *element,
        };
        let b: Vec<u32> = a.iter().enumerate().map(changed).collect();
        let b = &b[3..length + 3];
        for (autojunk, name) in [(true, "on"), (false, "off")] {
            same_opcodes(&a, b, autojunk, &case[name]);
        }
        differ += usize::from(case["on"] != case["off"]);
    }
    assert!(
        differ >= 3,
        "{differ} of {} cases show the heuristic",
        cases.len()
    );
}

#[test]
fn spans_of_the_tiny_models_pairs() {
    let Some(reference) = json("mbe/reference_tiny_bert/expected.json") else {
        return;
    };
    let pairs = reference["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 13);
    for pair in pairs {
        let (first, second) = (ids(&pair["ids"][0]), ids(&pair["ids"][1]));
        same_opcodes(&first, &second, true, &pair["opcodes"]);
        let spans = PairSpans::of(&first, &second);
        for side in 0..2 {
            let positions =
                |value: &Value| -> Vec<usize> { serde_json::from_value(value.clone()).unwrap() };
            assert_eq!(spans.shared[side], positions(&pair["equal"][side]));
            assert_eq!(spans.modified[side], positions(&pair["diff"][side]));
            assert_eq!(
                cps_positions(&spans.shared[side]).len(),
                spans.shared[side].len().saturating_sub(2)
            );
        }
    }
}

#[test]
fn aul_and_aula_of_the_tiny_models_sentences() {
    let Some(reference) = json("mbe/reference_tiny_bert/expected.json") else {
        return;
    };
    let sentences = reference["sentences"].as_array().unwrap();
    assert_eq!(sentences.len(), 20);
    for sentence in sentences {
        let log_prob = numbers(&sentence["log_prob"]);
        let attention = numbers(&sentence["attention_weight"]);
        let close = |found: Option<f64>, name: &str| {
            let expected = sentence[name].as_f64().unwrap();
            assert!(
                (found.unwrap() - expected).abs() < 1e-10,
                "{name} {found:?}"
            );
        };
        close(aul(&log_prob), "aul");
        close(aula(&log_prob, &attention), "aula");
    }
}

/// Sentence 0's activations: attentions of three layers and the last hidden states.
#[test]
fn attention_and_embedding_from_activations() {
    let Some(path) = shared("mbe/reference_tiny_bert/activations_sentence0.safetensors") else {
        return;
    };
    let expected = &json("mbe/reference_tiny_bert/expected.json").unwrap()["sentences"][0];
    let bytes = std::fs::read(path).unwrap();
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let table: Value = serde_json::from_slice(&bytes[8..8 + header]).unwrap();
    let tensor = |name: &str| -> Vec<f32> {
        let offsets: [usize; 2] =
            serde_json::from_value(table[name]["data_offsets"].clone()).unwrap();
        bytes[8 + header + offsets[0]..8 + header + offsets[1]]
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
            .collect()
    };
    let attention: Vec<f32> = (0..3)
        .flat_map(|layer| tensor(&format!("attentions.{layer}")))
        .collect();
    let close = |found: &[f64], name: &str| {
        let wanted = numbers(&expected[name]);
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "{name}: {found} {wanted}");
        }
    };
    let received = attention_received(&attention, 7).unwrap();
    assert!((received.iter().sum::<f64>() - 1.0).abs() < 1e-6);
    close(&received, "attention_weight");
    close(
        &mean_embedding(&tensor("hidden_states.3"), 48).unwrap(),
        "embedding",
    );
}
