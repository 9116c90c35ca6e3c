//! Hyper-parameters as `config.json` would give them, so that whatever builds a model from a
//! Hugging Face checkpoint builds it from a GGUF file too.

use serde_json::{Map, Value, json};

use super::families::{Family, ROTARY_FACTORS};
use super::layout::Heads;
use super::{Gguf, GgufError, Tensor};

/// What Llama 3.1 and its successors stretch their rotary positions with; only the factor differs
/// between them, and only the outcome is stored.
const LOW_FREQUENCY_FACTOR: f64 = 1.0;
const HIGH_FREQUENCY_FACTOR: f64 = 4.0;
const TRAINED_LENGTH: f64 = 8192.0;

/// The fields of `config.json`.
pub fn config(gguf: &Gguf) -> Result<Map<String, Value>, GgufError> {
    let family = Family::of(gguf)?;
    let reader = Reader {
        gguf,
        name: family.name,
    };
    let mut fields = reader.common()?;
    if let Value::Object(own) = (family.config)(&reader)? {
        fields.extend(own);
    }
    fields.retain(|_, value| !value.is_null());
    Ok(fields)
}

/// What a file's keys say.
#[derive(Debug)]
pub struct Reader<'a> {
    gguf: &'a Gguf,
    /// The prefix of its keys.
    name: &'static str,
}

/// How many experts there are, and how many a token takes.
#[derive(Debug, Clone, Copy)]
pub struct Experts {
    pub count: u64,
    pub chosen: u64,
}

impl Reader<'_> {
    fn key(&self, name: &str) -> String {
        format!("{}.{name}", self.name)
    }

    pub fn bad(&self, name: &str, problem: &str) -> GgufError {
        self.gguf.bad(&self.key(name), problem)
    }

    pub fn count(&self, name: &str) -> Result<u64, GgufError> {
        let stored = self.number(name)?;
        stored.ok_or_else(|| self.bad(name, "is missing"))
    }

    pub fn size(&self, name: &str) -> Result<u64, GgufError> {
        match self.count(name)? {
            0 => Err(self.bad(name, "is zero")),
            size => Ok(size),
        }
    }

    pub fn number(&self, name: &str) -> Result<Option<u64>, GgufError> {
        self.gguf.number(&self.key(name))
    }

    pub fn size_or(&self, name: &str, default: u64) -> Result<u64, GgufError> {
        Ok(self.number(name)?.unwrap_or(default))
    }

    pub fn real(&self, name: &str) -> Result<Option<f64>, GgufError> {
        self.gguf.real(&self.key(name))
    }

    pub fn needed_real(&self, name: &str) -> Result<f64, GgufError> {
        self.real(name)?.ok_or_else(|| self.bad(name, "is missing"))
    }

    pub fn has(&self, tensor: &str) -> bool {
        self.gguf.tensor(tensor).is_some()
    }

    pub fn needed_tensor(&self, name: &str) -> Result<&Tensor, GgufError> {
        self.gguf.tensor(name).ok_or_else(|| GgufError::NoTensor {
            file: self.gguf.file().to_owned(),
            tensor: name.to_owned(),
        })
    }

    /// One row of a tensor.
    pub fn row(&self, tensor: &Tensor, row: usize) -> Result<Vec<f32>, GgufError> {
        let mut stored = vec![0f32; tensor.columns()];
        self.gguf.row(tensor, row, &mut stored)?;
        Ok(stored)
    }

    /// A list of numbers, which must be there.
    pub fn reals(&self, name: &str) -> Result<&[f32], GgufError> {
        let stored = self.gguf.array(&self.key(name))?;
        let stored = stored.ok_or_else(|| self.bad(name, "is missing"))?;
        let numbers = stored.as_f32s();
        numbers.ok_or_else(|| self.bad(name, "is not a list of numbers"))
    }

    /// The width of the networks: one for all layers, or one for each.
    fn inner(&self) -> Result<Value, GgufError> {
        const NAME: &str = "feed_forward_length";
        let stored = self.gguf.get(&self.key(NAME));
        match stored.and_then(|value| value.as_array()?.as_u64s()) {
            Some(each) => Ok(json!(each)),
            None => Ok(json!(self.size(NAME)?)),
        }
    }

    pub fn heads(&self) -> Result<Heads, GgufError> {
        Heads::of(self.gguf, self.name)
    }

    /// From the keys, or the width of a query divided by the heads.
    pub fn head_size(&self) -> Result<u64, GgufError> {
        let hidden = self.size("embedding_length")?;
        let shared = hidden / self.heads()?.query as u64;
        let size = self.size_or("attention.key_length", shared)?;
        if self.size_or("attention.value_length", size)? == size {
            Ok(size)
        } else {
            Err(self.bad("attention.value_length", "differs from that of keys"))
        }
    }

    /// The share of a head that rotary positions turn.
    pub fn turned(&self) -> Result<f64, GgufError> {
        let size = self.head_size()?;
        Ok(self.size_or("rope.dimension_count", size)? as f64 / size.max(1) as f64)
    }

    fn common(&self) -> Result<Map<String, Value>, GgufError> {
        let embedding = self.needed_tensor("token_embd.weight")?;
        let mut fields = Map::new();
        let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        set("vocab_size", json!(embedding.rows()));
        set("tie_word_embeddings", json!(!self.has("output.weight")));
        set(
            "max_position_embeddings",
            json!(self.size("context_length")?),
        );
        set("hidden_size", json!(self.size("embedding_length")?));
        set("num_hidden_layers", json!(self.size("block_count")?));
        set("num_attention_heads", json!(self.heads()?.query));
        set("intermediate_size", self.inner()?);
        let token = |name: &str| self.gguf.number(&format!("tokenizer.ggml.{name}_token_id"));
        set("bos_token_id", json!(token("bos")?));
        set("eos_token_id", json!(token("eos")?));
        Ok(fields)
    }

    /// Llama's fields, and a relative's own.
    pub fn llama(&self, [kind, class]: [&str; 2], own: Value) -> Result<Value, GgufError> {
        let size = self.head_size()?;
        if self.size_or("rope.dimension_count", size)? != size {
            return Err(self.bad("rope.dimension_count", "is not the size of a head"));
        }
        self.like_llama([kind, class], own)
    }

    /// The same where a part of each head turns.
    pub fn turning(&self, named: [&str; 2], own: Value) -> Result<Value, GgufError> {
        let mut fields =
            self.like_llama(named, json!({"partial_rotary_factor": self.turned()?}))?;
        extend(&mut fields, own);
        Ok(fields)
    }

    fn like_llama(&self, [kind, class]: [&str; 2], own: Value) -> Result<Value, GgufError> {
        let size = self.head_size()?;
        let mut fields = json!({
            "model_type": kind,
            "architectures": [class],
            "hidden_act": "silu",
            "num_key_value_heads": self.heads()?.key,
            "head_dim": size,
            "rms_norm_eps": self.real("attention.layer_norm_rms_epsilon")?,
            "rope_theta": self.base()?,
            "rope_scaling": self.scaling(size)?,
        });
        extend(&mut fields, own);
        Ok(fields)
    }

    /// Refuses heads of a size of their own, where the checkpoint has no field for it.
    pub fn needs_shared_width(&self) -> Result<(), GgufError> {
        let shared = self.size("embedding_length")? / self.heads()?.query as u64;
        if self.head_size()? == shared {
            Ok(())
        } else {
            Err(self.bad("attention.key_length", "is not the width of a head"))
        }
    }

    pub fn base(&self) -> Result<f64, GgufError> {
        Ok(self.real("rope.freq_base")?.unwrap_or(10_000.0))
    }

    pub fn window(&self) -> Result<Option<u64>, GgufError> {
        let stored = self.number("attention.sliding_window")?;
        Ok(stored.filter(|&window| window > 0))
    }

    pub fn flag(&self, name: &str) -> Result<Option<bool>, GgufError> {
        self.gguf.flag(&self.key(name))
    }

    pub fn experts(&self) -> Result<Option<Experts>, GgufError> {
        match self.size_or("expert_count", 0)? {
            0 => Ok(None),
            count => Ok(Some(Experts {
                count,
                chosen: self.size("expert_used_count")?,
            })),
        }
    }

    pub fn needed_experts(&self) -> Result<Experts, GgufError> {
        self.experts()?
            .ok_or_else(|| self.bad("expert_count", "is missing"))
    }

    /// The numbers of a tensor that is no weight.
    pub fn numbers(&self, tensor: &str) -> Result<Option<Vec<f32>>, GgufError> {
        let Some(tensor) = self.gguf.tensor(tensor) else {
            return Ok(None);
        };
        let mut stored = vec![0f32; tensor.elements()];
        self.gguf.read(tensor, 0, &mut stored)?;
        Ok(Some(stored))
    }

    /// Which layers see a window: as the file says, else all but one of every `period`.
    pub fn layer_types(&self, period: u64) -> Result<Vec<&'static str>, GgufError> {
        const PATTERN: &str = "attention.sliding_window_pattern";
        let count = self.size("block_count")?;
        let named = |sliding: bool| {
            if sliding {
                "sliding_attention"
            } else {
                "full_attention"
            }
        };
        let stored = self.gguf.get(&self.key(PATTERN));
        if let Some(each) = stored.and_then(|value| value.as_array()?.as_bools()) {
            return if each.len() as u64 == count {
                Ok(each.iter().copied().map(named).collect())
            } else {
                Err(self.bad(PATTERN, "has another length than the model layers"))
            };
        }
        let period = self.size_or(PATTERN, period)?.max(1);
        if count > 1 << 16 {
            return Err(self.bad("block_count", "is absurd"));
        }
        Ok((1..=count)
            .map(|layer| named(!layer.is_multiple_of(period)))
            .collect())
    }

    /// `rope_scaling`, from the keys or from the factors that are stored instead of it.
    pub fn scaling(&self, head_size: u64) -> Result<Option<Value>, GgufError> {
        if let Some(stored) = self.numbers(ROTARY_FACTORS)? {
            return self.stretched(&stored, head_size).map(Some);
        }
        let kind = self.gguf.text(&self.key("rope.scaling.type"))?;
        let factor = match self.real("rope.scaling.factor")? {
            Some(factor) => Some(factor),
            // What the key was called at first.
            None => self.real("rope.scale_linear")?,
        };
        match (kind, factor) {
            (None | Some("none"), None) | (Some("none"), Some(_)) => Ok(None),
            (None | Some("linear"), Some(1.0)) => Ok(None),
            (None | Some("linear"), Some(factor)) => {
                Ok(Some(json!({"rope_type": "linear", "factor": factor})))
            }
            (Some("yarn"), Some(factor)) => {
                let trained = "rope.scaling.original_context_length";
                let own = |name: &str| self.real(&format!("rope.scaling.yarn_{name}"));
                Ok(Some(json!({
                    "rope_type": "yarn",
                    "factor": factor,
                    "original_max_position_embeddings": self.size(trained)?,
                    "beta_fast": own("beta_fast")?,
                    "beta_slow": own("beta_slow")?,
                    "attention_factor": own("attn_factor")?,
                    "extrapolation_factor": own("ext_factor")?.filter(|share| *share != 1.0),
                })))
            }
            (Some(kind), factor) => Ok(Some(json!({"rope_type": kind, "factor": factor}))),
        }
    }

    /// The parameters of Llama 3's stretching that give the stored factors, checked against each.
    fn stretched(&self, stored: &[f32], head_size: u64) -> Result<Value, GgufError> {
        let base = self.real("rope.freq_base")?.unwrap_or(10_000.0);
        let factor = f64::from(stored.iter().copied().fold(1.0, f32::max));
        let agrees = stored.len() as u64 == head_size / 2
            && stored.iter().enumerate().all(|(i, found)| {
                let frequency = base.powf(-2.0 * i as f64 / head_size as f64);
                let turns = TRAINED_LENGTH * frequency / std::f64::consts::TAU;
                let smooth =
                    (turns - LOW_FREQUENCY_FACTOR) / (HIGH_FREQUENCY_FACTOR - LOW_FREQUENCY_FACTOR);
                let smooth = smooth.clamp(0.0, 1.0);
                let expected = 1.0 / ((1.0 - smooth) / factor + smooth);
                (f64::from(*found) / expected - 1.0).abs() < 1e-3
            });
        if !agrees {
            return Err(GgufError::Malformed {
                file: self.gguf.file().to_owned(),
                place: format!("tensor `{ROTARY_FACTORS}`"),
                problem:
                    "not the factors of Llama 3's stretched positions, the only ones supported"
                        .to_owned(),
            });
        }
        Ok(json!({
            "rope_type": "llama3",
            "factor": factor,
            "low_freq_factor": LOW_FREQUENCY_FACTOR,
            "high_freq_factor": HIGH_FREQUENCY_FACTOR,
            "original_max_position_embeddings": TRAINED_LENGTH as u64,
        }))
    }
}

/// With further fields.
pub fn extend(fields: &mut Value, own: Value) {
    if let (Value::Object(fields), Value::Object(own)) = (fields, own) {
        fields.extend(own);
    }
}
