//! Hyper-parameters as `config.json` would give them, so that whatever builds a model from a
//! Hugging Face checkpoint builds it from a GGUF file too.

use serde_json::{Map, Value, json};

use super::architecture::{Architecture, Heads, ROTARY_FACTORS};
use super::{Gguf, GgufError};

/// What Llama 3.1 and its successors stretch their rotary positions with; only the factor differs
/// between them, and only the outcome is stored.
const LOW_FREQUENCY_FACTOR: f64 = 1.0;
const HIGH_FREQUENCY_FACTOR: f64 = 4.0;
const TRAINED_LENGTH: f64 = 8192.0;

/// The fields of `config.json`.
pub fn config(gguf: &Gguf) -> Result<Map<String, Value>, GgufError> {
    let architecture = Architecture::of(gguf)?;
    let reader = Reader { gguf, architecture };
    if reader.size_or("expert_count", 0)? > 0 {
        return Err(reader.bad(
            "expert_count",
            "is not zero: mixtures of experts are not read",
        ));
    }
    let mut fields = reader.common()?;
    let own = match architecture {
        Architecture::Llama | Architecture::Qwen2 | Architecture::Qwen3 => reader.llama()?,
        Architecture::Gemma | Architecture::Gemma2 | Architecture::Gemma3 => reader.gemma()?,
        Architecture::Phi2 => reader.phi()?,
        Architecture::Gpt2 => reader.gpt2()?,
        Architecture::GptNeox => reader.neox()?,
    };
    if let Value::Object(own) = own {
        fields.extend(own);
    }
    fields.retain(|_, value| !value.is_null());
    Ok(fields)
}

struct Reader<'a> {
    gguf: &'a Gguf,
    architecture: Architecture,
}

impl Reader<'_> {
    fn key(&self, name: &str) -> String {
        format!("{}.{name}", self.architecture.name())
    }

    fn bad(&self, name: &str, problem: &str) -> GgufError {
        self.gguf.bad(&self.key(name), problem)
    }

    fn size(&self, name: &str) -> Result<u64, GgufError> {
        match self.gguf.number(&self.key(name))? {
            Some(size @ 1..) => Ok(size),
            Some(_) => Err(self.bad(name, "is zero")),
            None => Err(self.bad(name, "is missing")),
        }
    }

    fn size_or(&self, name: &str, default: u64) -> Result<u64, GgufError> {
        Ok(self.gguf.number(&self.key(name))?.unwrap_or(default))
    }

    fn real(&self, name: &str) -> Result<Option<f64>, GgufError> {
        self.gguf.real(&self.key(name))
    }

    fn has(&self, tensor: &str) -> bool {
        self.gguf.tensor(tensor).is_some()
    }

    fn heads(&self) -> Result<Heads, GgufError> {
        Heads::of(self.gguf, self.architecture)
    }

    /// From the keys, or the width of a query divided by the heads.
    fn head_size(&self) -> Result<u64, GgufError> {
        let hidden = self.size("embedding_length")?;
        let shared = hidden / self.heads()?.query as u64;
        let size = self.size_or("attention.key_length", shared)?;
        match self.size_or("attention.value_length", size)? == size {
            true => Ok(size),
            false => Err(self.bad("attention.value_length", "differs from that of keys")),
        }
    }

    /// The share of a head that rotary positions turn.
    fn turned(&self) -> Result<f64, GgufError> {
        let size = self.head_size()?;
        Ok(self.size_or("rope.dimension_count", size)? as f64 / size.max(1) as f64)
    }

    fn common(&self) -> Result<Map<String, Value>, GgufError> {
        let embedding = self.gguf.tensor("token_embd.weight");
        let embedding = embedding.ok_or_else(|| GgufError::NoTensor {
            file: self.gguf.file().to_owned(),
            tensor: "token_embd.weight".to_owned(),
        })?;
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
        set(
            "intermediate_size",
            json!(self.size("feed_forward_length")?),
        );
        let token = |name: &str| self.gguf.number(&format!("tokenizer.ggml.{name}_token_id"));
        set("bos_token_id", json!(token("bos")?));
        set("eos_token_id", json!(token("eos")?));
        Ok(fields)
    }

    fn llama(&self) -> Result<Value, GgufError> {
        let window = self.gguf.number(&self.key("attention.sliding_window"))?;
        let (kind, class) = match self.architecture {
            Architecture::Qwen2 => ("qwen2", "Qwen2ForCausalLM"),
            Architecture::Qwen3 => ("qwen3", "Qwen3ForCausalLM"),
            _ if window.is_some() => ("mistral", "MistralForCausalLM"),
            _ => ("llama", "LlamaForCausalLM"),
        };
        let size = self.head_size()?;
        if self.size_or("rope.dimension_count", size)? != size {
            return Err(self.bad("rope.dimension_count", "is not the size of a head"));
        }
        Ok(json!({
            "model_type": kind,
            "architectures": [class],
            "hidden_act": "silu",
            "num_key_value_heads": self.heads()?.key,
            "head_dim": size,
            "rms_norm_eps": self.real("attention.layer_norm_rms_epsilon")?,
            "rope_theta": self.real("rope.freq_base")?.unwrap_or(10_000.0),
            "rope_scaling": self.scaling(size)?,
            "sliding_window": window,
            "attention_bias": kind == "llama" && self.has("blk.0.attn_q.bias"),
            "mlp_bias": self.has("blk.0.ffn_up.bias"),
        }))
    }

    fn gemma(&self) -> Result<Value, GgufError> {
        let size = self.head_size()?;
        let heads = self.heads()?;
        let (kind, class, largest) = match self.architecture {
            Architecture::Gemma2 => ("gemma2", "Gemma2ForCausalLM", Some(46)),
            Architecture::Gemma3 => ("gemma3_text", "Gemma3ForCausalLM", Some(62)),
            _ => ("gemma", "GemmaForCausalLM", None),
        };
        // What queries are scaled by is not stored: the size of a head, except in the 27B models.
        let scalar = match largest == Some(self.size("block_count")?) {
            true => self.size("embedding_length")? / heads.query as u64,
            false => size,
        };
        let third = self.architecture == Architecture::Gemma3;
        let base = if third { 1_000_000.0 } else { 10_000.0 };
        Ok(json!({
            "model_type": kind,
            "architectures": [class],
            "hidden_activation": "gelu_pytorch_tanh",
            "num_key_value_heads": heads.key,
            "head_dim": size,
            "rms_norm_eps": self.real("attention.layer_norm_rms_epsilon")?,
            "rope_theta": self.real("rope.freq_base")?.unwrap_or(base),
            "rope_local_base_freq": match third {
                true => Some(self.real("rope.freq_base_swa")?.unwrap_or(10_000.0)),
                false => None,
            },
            "rope_scaling": self.scaling(size)?,
            "sliding_window": self.gguf.number(&self.key("attention.sliding_window"))?,
            "layer_types": self.layer_types()?,
            "query_pre_attn_scalar": scalar,
            "attn_logit_softcapping": self.real("attn_logit_softcapping")?,
            "final_logit_softcapping": self.real("final_logit_softcapping")?,
            "attention_bias": false,
        }))
    }

    /// Which layers see a window: as the file says, else every other of Gemma 2 and five of six of
    /// Gemma 3.
    fn layer_types(&self) -> Result<Option<Vec<&'static str>>, GgufError> {
        let count = self.size("block_count")?;
        let default = match self.architecture {
            Architecture::Gemma2 => 2,
            Architecture::Gemma3 => 6,
            _ => return Ok(None),
        };
        const PATTERN: &str = "attention.sliding_window_pattern";
        let named = |sliding: bool| {
            if sliding {
                "sliding_attention"
            } else {
                "full_attention"
            }
        };
        let stored = self.gguf.get(&self.key(PATTERN));
        if let Some(each) = stored.and_then(|value| value.as_array()?.as_bools()) {
            return match each.len() as u64 == count {
                true => Ok(Some(each.iter().copied().map(named).collect())),
                false => Err(self.bad(PATTERN, "has another length than the model layers")),
            };
        }
        let period = self.size_or(PATTERN, default)?.max(1);
        if count > 1 << 16 {
            return Err(self.bad("block_count", "is absurd"));
        }
        Ok(Some(
            (1..=count)
                .map(|layer| named(!layer.is_multiple_of(period)))
                .collect(),
        ))
    }

    fn phi(&self) -> Result<Value, GgufError> {
        Ok(json!({
            "model_type": "phi",
            "architectures": ["PhiForCausalLM"],
            "hidden_act": "gelu_new",
            "num_key_value_heads": self.heads()?.key,
            "layer_norm_eps": self.real("attention.layer_norm_epsilon")?,
            "partial_rotary_factor": self.turned()?,
            "rope_theta": self.real("rope.freq_base")?.unwrap_or(10_000.0),
            "rope_scaling": self.scaling(self.head_size()?)?,
        }))
    }

    fn gpt2(&self) -> Result<Value, GgufError> {
        Ok(json!({
            "model_type": "gpt2",
            "architectures": ["GPT2LMHeadModel"],
            "activation_function": "gelu_new",
            "n_embd": self.size("embedding_length")?,
            "n_head": self.heads()?.query,
            "n_layer": self.size("block_count")?,
            "n_inner": self.size("feed_forward_length")?,
            "n_positions": self.size("context_length")?,
            "layer_norm_epsilon": self.real("attention.layer_norm_epsilon")?,
        }))
    }

    fn neox(&self) -> Result<Value, GgufError> {
        Ok(json!({
            "model_type": "gpt_neox",
            "architectures": ["GPTNeoXForCausalLM"],
            "hidden_act": "gelu",
            "layer_norm_eps": self.real("attention.layer_norm_epsilon")?,
            "rotary_pct": self.turned()?,
            "rotary_emb_base": self.real("rope.freq_base")?.unwrap_or(10_000.0),
            "rope_scaling": self.scaling(self.head_size()?)?,
            "use_parallel_residual": self.gguf.flag(&self.key("use_parallel_residual"))?.unwrap_or(true),
        }))
    }

    /// `rope_scaling`, from the keys or from the factors that are stored instead of it.
    fn scaling(&self, head_size: u64) -> Result<Option<Value>, GgufError> {
        if let Some(factors) = self.gguf.tensor(ROTARY_FACTORS) {
            let mut stored = vec![0f32; factors.elements()];
            self.gguf.read(factors, 0, &mut stored)?;
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
                    "not the factors of Llama 3's stretched positions, the only ones known here"
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
