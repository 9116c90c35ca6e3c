//! Chat templates and tokenizers made to end a process: by stack, by memory, by time. The lists beside this file are also
//! read by the tests of the program and of the Python package. `{"repeat": X, "times": N}` stands for N copies of X,
//! `{"join": […]}` for texts one after another, `{"hex": "…"}` for bytes that are no text.

use serde_json::Value;

/// Writes out what a value stands for.
fn expanded(value: &Value) -> Value {
    let repeated = |value: &Value| {
        let times = value.get("times")?.as_u64()? as usize;
        Some((expanded(value.get("repeat")?), times))
    };
    match value {
        Value::Array(values) => {
            let each = |value: &Value| match repeated(value) {
                Some((one, times)) => vec![one; times],
                None => vec![expanded(value)],
            };
            values.iter().flat_map(each).collect()
        }
        Value::Object(fields) => {
            if let Some((one, times)) = repeated(value) {
                return Value::String(one.as_str().expect("a text is repeated").repeat(times));
            }
            if let Some(pieces) = value.get("join").and_then(Value::as_array) {
                let text = |piece: &Value| match expanded(piece) {
                    Value::String(text) => text,
                    other => panic!("no text: {other}"),
                };
                return Value::String(pieces.iter().map(text).collect());
            }
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| (name.clone(), expanded(value)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// Chat templates.
pub fn templates() -> Vec<String> {
    let all: Vec<Value> = serde_json::from_str(include_str!("templates.json")).unwrap();
    let text = |value: &Value| expanded(value).as_str().unwrap().to_owned();
    all.iter().map(text).collect()
}

/// Files `tokenizer.json`: this one with a part that does harm, and such as are no tokenizers at all.
pub fn tokenizers(base: &Value) -> Vec<Vec<u8>> {
    let all: Value = serde_json::from_str(include_str!("tokenizers.json")).unwrap();
    let with = |parts: &Value| {
        let mut json = base.clone();
        for (name, part) in expanded(parts).as_object().unwrap() {
            json[name] = part.clone();
        }
        serde_json::to_vec(&json).unwrap()
    };
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    let raw = |value: &Value| match value.get("hex").and_then(Value::as_str) {
        Some(digits) => digits.as_bytes().chunks(2).map(byte).collect(),
        None => expanded(value).as_str().unwrap().as_bytes().to_vec(),
    };
    let parts = all["parts"].as_array().unwrap().iter().map(with);
    parts
        .chain(all["files"].as_array().unwrap().iter().map(raw))
        .collect()
}
