//! The files of a recipe: one of the tiny checkpoints with a few fields and tensors changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use epicene_checkpoint::{StoredTensors, Weights};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::{list, tests};
use crate::support::{self, text};

/// A tensor in memory: rows x columns, or one row.
#[derive(Clone)]
struct Tensor {
    shape: Vec<usize>,
    values: Vec<f32>,
}

impl Tensor {
    fn columns(&self) -> usize {
        *self.shape.last().unwrap()
    }

    fn scaled(mut self, scale: f64) -> Tensor {
        self.values.iter_mut().for_each(|v| *v *= scale as f32);
        self
    }

    fn turned(mut self) -> Tensor {
        let rows = self.shape[0];
        let width = self.values.len() / rows;
        self.values = (0..rows)
            .rev()
            .flat_map(|row| self.values[row * width..(row + 1) * width].to_vec())
            .collect();
        self
    }

    fn part(&self, rows: i64, columns: i64) -> Tensor {
        let count = |wanted: i64, all: usize| usize::try_from(wanted).unwrap_or(all);
        let (rows, columns) = (count(rows, self.shape[0]), count(columns, self.columns()));
        let width = self.columns();
        Tensor {
            shape: vec![rows, columns],
            values: (0..rows)
                .flat_map(|row| self.values[row * width..row * width + columns].to_vec())
                .collect(),
        }
    }

    fn transposed(&self) -> Tensor {
        let (rows, columns) = (self.shape[0], self.columns());
        Tensor {
            shape: vec![columns, rows],
            values: (0..columns)
                .flat_map(|column| (0..rows).map(move |row| row * columns + column))
                .map(|place| self.values[place])
                .collect(),
        }
    }
}

type Tensors = BTreeMap<String, Tensor>;

fn stored(directory: &Path) -> Tensors {
    let file = StoredTensors::open(directory).unwrap();
    let names: Vec<String> = file.names().into_iter().map(str::to_owned).collect();
    names
        .into_iter()
        .map(|name| {
            let shape = file.shape(&name).unwrap().to_vec();
            let mut values = vec![0.0; shape.iter().product()];
            file.read(&name, 0, &mut values).unwrap();
            (name, Tensor { shape, values })
        })
        .collect()
}

fn store(path: &Path, tensors: &Tensors) {
    let mut header = Map::new();
    let mut data = Vec::new();
    for (name, tensor) in tensors {
        let start = data.len();
        data.extend(tensor.values.iter().flat_map(|value| value.to_le_bytes()));
        let place =
            json!({"dtype": "F32", "shape": tensor.shape, "data_offsets": [start, data.len()]});
        header.insert(name.clone(), place);
    }
    let header = Value::Object(header).to_string();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.into_bytes());
    bytes.extend(data);
    fs::write(path, bytes).unwrap();
}

/// The steps of a recipe, from tensors of `source` into `tensors`.
fn change(tensors: &mut Tensors, source: &Tensors, steps: &[Value]) {
    for step in steps {
        let name = text(&step[1]).to_owned();
        let from = || source[text(&step[2])].clone();
        let made = match text(&step[0]) {
            "drop" => {
                tensors.remove(&name);
                continue;
            }
            "copy" => {
                let made = from().scaled(step[3].as_f64().unwrap());
                if step[4].as_bool().unwrap() {
                    made.turned()
                } else {
                    made
                }
            }
            "part" => {
                let size = |place: usize| step[place].as_i64().unwrap();
                from()
                    .part(size(3), size(4))
                    .scaled(step[5].as_f64().unwrap())
            }
            "turned" => {
                let rank = step[3].as_i64().unwrap();
                let part = match text(&step[4]) {
                    "in" => from().part(-1, rank),
                    _ => from().part(rank, -1),
                };
                part.transposed().scaled(step[5].as_f64().unwrap())
            }
            other => panic!("no step {other}"),
        };
        tensors.insert(name, made);
    }
}

fn change_json(path: &Path, fields: &Value, drop: &[Value]) {
    let mut data: Map<String, Value> = match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).unwrap(),
        Err(_) => Map::new(),
    };
    for (field, value) in fields.as_object().into_iter().flatten() {
        data.insert(field.clone(), value.clone());
    }
    for field in drop {
        data.remove(text(field));
    }
    fs::write(path, Value::Object(data).to_string()).unwrap();
}

/// In settings of the tokenizer and of `generate`, null takes a field out.
fn settings(path: &Path, fields: &Value) {
    let fields = fields.as_object().cloned().unwrap_or_default();
    let (gone, set): (Map<_, _>, Map<_, _>) =
        fields.into_iter().partition(|(_, value)| value.is_null());
    let gone: Vec<Value> = gone.into_iter().map(|(field, _)| json!(field)).collect();
    change_json(path, &Value::Object(set), &gone);
}

pub fn make(recipe: &Value) -> TempDir {
    let base = text(&recipe["base"]);
    let source = if base.contains('/') {
        tests().join(base)
    } else {
        support::directory(base)
    };
    let directory = tempfile::tempdir().unwrap();
    let to = directory.path();
    for entry in fs::read_dir(&source).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name != "golden.json" && !name.starts_with("config_") {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
    change_json(
        &to.join("config.json"),
        &recipe["config"],
        list(recipe, "drop"),
    );
    for (file, key) in [
        ("tokenizer_config.json", "tokenizer"),
        ("generation_config.json", "generation"),
        ("special_tokens_map.json", "special"),
        ("added_tokens.json", "added"),
    ] {
        if recipe.get(key).is_some() {
            settings(&to.join(file), &recipe[key]);
        }
    }
    for file in list(recipe, "without") {
        let _ = fs::remove_file(to.join(text(file)));
    }
    let before = stored(&source);
    if !list(recipe, "tensors").is_empty() {
        let mut tensors = before.clone();
        change(&mut tensors, &before, list(recipe, "tensors"));
        store(&to.join("model.safetensors"), &tensors);
    }
    if let Some(adapter) = recipe.get("adapter") {
        let mut tensors = Tensors::new();
        change(&mut tensors, &before, list(adapter, "tensors"));
        store(&to.join("adapter_model.safetensors"), &tensors);
        change_json(&to.join("adapter_config.json"), &adapter["config"], &[]);
    }
    directory
}
