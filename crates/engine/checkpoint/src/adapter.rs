//! Low-rank adapters (LoRA, Hu et al. 2021) beside the weights they change: `adapter_config.json` and
//! `adapter_model.safetensors` (or `.bin`), as `peft` saves them. A matrix W is read as W + B·A·alpha/r (alpha/√r with
//! `use_rslora`); an adapter of any other kind is refused.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::defaults::same;
use super::{CheckpointError, Config, StoredTensors, Weights};
use epicene_kernels::Precision;

const CONFIG: &str = "adapter_config.json";
const WEIGHTS: &str = "adapter_model.safetensors";
const PICKLED: &str = "adapter_model.bin";
/// What `peft` puts in front of every name.
const PREFIX: &str = "base_model.model.";

/// Settings that change nothing once an adapter is trained.
const HARMLESS: &[&str] = &[
    "auto_mapping",
    "base_model_name_or_path",
    "ensure_weight_tying",
    "exclude_modules",
    "inference_mode",
    "layers_pattern",
    "layers_to_transform",
    "lora_dropout",
    "megatron_core",
    "peft_version",
    "qalora_group_size",
    "revision",
    "target_modules",
    "task_type",
];

/// Settings that are read below.
const UNDERSTOOD: &[&str] = &[
    "fan_in_fan_out",
    "lora_alpha",
    "peft_type",
    "r",
    "use_rslora",
];

/// The weights of a directory with its adapter merged in, if it has one. The remark for the system's card comes with
/// them.
pub fn merged(
    directory: &Path,
    weights: Arc<dyn Weights>,
) -> Result<(Arc<dyn Weights>, Option<String>), CheckpointError> {
    let has = |name: &str| directory.join(name).exists();
    let bad = |problem: String| CheckpointError::Adapter {
        directory: directory.display().to_string(),
        problem,
    };
    let stored = if has(WEIGHTS) || !has(PICKLED) {
        WEIGHTS
    } else {
        PICKLED
    };
    match (has(CONFIG), has(stored)) {
        (false, false) => Ok((weights, None)),
        (true, false) => Err(bad(format!(
            "{CONFIG} beside the weights, but no {WEIGHTS}"
        ))),
        (false, true) => Err(bad(format!("{stored} beside the weights, but no {CONFIG}"))),
        (true, true) => {
            let text = epicene_io::regular::read_to_string(
                &directory.join(CONFIG),
                epicene_io::limits::LARGEST_TEXT,
            )
            .map_err(|error| super::weight_file::unreadable(CONFIG, &error))?;
            let config = Config::parse_file(CONFIG, &text)?;
            let stored = StoredTensors::open_file(directory, stored)?;
            let adapted =
                Adapted::of(&config, &stored, weights).map_err(|problem| match problem {
                    Problem::Here(problem) => bad(problem),
                    Problem::Below(error) => error,
                })?;
            let remark = format!("adapter={}", adapted.deltas.len());
            Ok((Arc::new(adapted), Some(remark)))
        }
    }
}

/// Whether a directory holds an adapter and nothing it could be merged into.
pub fn is_alone(directory: &Path) -> Option<CheckpointError> {
    let found = [CONFIG, WEIGHTS, PICKLED]
        .into_iter()
        .find(|name| directory.join(name).exists())?;
    Some(CheckpointError::Adapter {
        directory: directory.display().to_string(),
        problem: format!("{found}, but no weights of the model it adapts"),
    })
}

enum Problem {
    Here(String),
    Below(CheckpointError),
}

impl From<CheckpointError> for Problem {
    fn from(error: CheckpointError) -> Problem {
        Problem::Below(error)
    }
}

/// The product of two narrow matrices, added to a stored one.
#[derive(Debug)]
struct Delta {
    /// r x inputs.
    down: Vec<f32>,
    /// outputs x r, the scale in it.
    up: Vec<f32>,
    rank: usize,
    inputs: usize,
    /// The stored matrix has its inputs first (GPT-2).
    transposed: bool,
}

#[derive(Debug)]
struct Adapted {
    weights: Arc<dyn Weights>,
    deltas: BTreeMap<String, Delta>,
}

impl Adapted {
    fn of(
        config: &Config,
        adapter: &StoredTensors,
        weights: Arc<dyn Weights>,
    ) -> Result<Adapted, Problem> {
        let neutral: &[(&str, Value)] = &[
            ("alpha_pattern", json!({})),
            ("bias", json!("none")),
            ("init_lora_weights", json!(true)),
            ("loftq_config", json!({})),
            ("lora_bias", json!(false)),
            ("rank_pattern", json!({})),
            ("use_dora", json!(false)),
            ("use_qalora", json!(false)),
        ];
        for (field, value) in config.entries() {
            let known = UNDERSTOOD.contains(&field) || HARMLESS.contains(&field);
            let plain = neutral
                .iter()
                .any(|(name, neutral)| *name == field && same(neutral, value));
            if !known && !plain && !value.is_null() && *value != json!([]) {
                return Err(config.unknown_field(field, value).into());
            }
        }
        if config.text("peft_type") != Some("LORA") {
            return Err(Problem::Here(format!(
                "{CONFIG}: only adapters of type LORA are merged"
            )));
        }
        let rank = config.size(&["r"])?;
        let alpha = config.number("lora_alpha", 8.0)?;
        let transposed = config.flag("fan_in_fan_out", false)?;
        let scale = if config.flag("use_rslora", false)? {
            alpha / (rank as f64).sqrt()
        } else {
            alpha / rank as f64
        };
        let mut deltas = BTreeMap::new();
        for name in adapter.names() {
            let part = name.strip_prefix(PREFIX).unwrap_or(name);
            let strip = |ending: &str| part.strip_suffix(ending);
            let down = strip(".lora_A.weight").or_else(|| strip(".lora_A.default.weight"));
            let Some(module) = down else {
                if strip(".lora_B.weight")
                    .or_else(|| strip(".lora_B.default.weight"))
                    .is_none()
                {
                    return Err(Problem::Here(format!(
                        "{WEIGHTS}: `{name}` is no part of a LoRA"
                    )));
                }
                continue;
            };
            let target = target(&*weights, module)
                .ok_or_else(|| Problem::Here(format!("{WEIGHTS}: the model has no `{module}`")))?;
            let up = name.replace(".lora_A.", ".lora_B.");
            let stored = weights.shape(&target).unwrap_or_default();
            let (outputs, inputs) = match (stored, transposed) {
                ([outputs, inputs], false) | ([inputs, outputs], true) => (*outputs, *inputs),
                _ => return Err(Problem::Here(format!("{WEIGHTS}: `{target}` is no matrix"))),
            };
            let read = |name: &str, shape: [usize; 2]| -> Result<Vec<f32>, Problem> {
                if adapter.shape(name) != Some(&shape) {
                    let [rows, columns] = shape;
                    let problem = format!("{WEIGHTS}: `{name}` is not {rows} x {columns}");
                    return Err(Problem::Here(problem));
                }
                let mut values = vec![0.0; shape[0] * shape[1]];
                adapter.read(name, 0, &mut values)?;
                Ok(values)
            };
            let mut delta = Delta {
                down: read(name, [rank, inputs])?,
                up: read(&up, [outputs, rank])?,
                rank,
                inputs,
                transposed,
            };
            delta.up.iter_mut().for_each(|value| *value *= scale as f32);
            deltas.insert(target, delta);
        }
        if 2 * deltas.len() != adapter.names().len() {
            return Err(Problem::Here(format!(
                "{WEIGHTS}: matrices without their other half"
            )));
        }
        Ok(Adapted { weights, deltas })
    }
}

/// The tensor an adapter's module is called in the file: with its prefix, or without (`h.0` for `transformer.h.0`).
fn target(weights: &dyn Weights, module: &str) -> Option<String> {
    let full = format!("{module}.weight");
    let bare = full.split_once('.').map(|(_, rest)| rest.to_owned());
    [Some(full), bare]
        .into_iter()
        .flatten()
        .find(|name| weights.shape(name).is_some())
}

impl Delta {
    /// Adds the product to numbers that begin at element `first` of the stored matrix.
    fn add(&self, columns: usize, first: usize, out: &mut [f32]) {
        let mut place = first;
        let mut rest = out;
        while !rest.is_empty() {
            let (row, column) = (place / columns, place % columns);
            let count = rest.len().min(columns - column);
            let (now, later) = rest.split_at_mut(count);
            for k in 0..self.rank {
                if self.transposed {
                    let factor = self.down[k * self.inputs + row];
                    let line = self.up[k..].iter().step_by(self.rank).skip(column);
                    now.iter_mut()
                        .zip(line)
                        .for_each(|(to, b)| *to += factor * b);
                } else {
                    let factor = self.up[row * self.rank + k];
                    let line = &self.down[k * self.inputs..][column..column + count];
                    now.iter_mut()
                        .zip(line)
                        .for_each(|(to, a)| *to += factor * a);
                }
            }
            place += count;
            rest = later;
        }
    }
}

impl Weights for Adapted {
    fn inner(&self) -> Option<&dyn Weights> {
        Some(&*self.weights)
    }

    /// A sum is not rounded again.
    fn precision(&self, name: &str) -> Option<Precision> {
        if self.deltas.contains_key(name) {
            Some(Precision::F32)
        } else {
            self.weights.precision(name)
        }
    }

    fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        self.weights.read(name, first, out)?;
        if let (Some(delta), Some([_, columns])) = (self.deltas.get(name), self.shape(name)) {
            delta.add(*columns, first, out);
        }
        Ok(())
    }

    fn read_kept(
        &self,
        name: &str,
        first: usize,
        precision: Precision,
        out: &mut [u8],
    ) -> Result<bool, CheckpointError> {
        if self.deltas.contains_key(name) {
            Ok(false)
        } else {
            self.weights.read_kept(name, first, precision, out)
        }
    }
}
