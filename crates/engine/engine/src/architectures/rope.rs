//! How `config.json` describes rotary positions: the older fields (`rope_theta`, `rope_scaling`)
//! and the newer `rope_parameters`, one for all layers or one for each kind of layer.

use serde_json::{Map, Value};

use epicene_checkpoint::{CheckpointError, Config, Writer, same, short};
use epicene_kernels::Rotary;

/// Where the older files keep a kind of layer's rotary positions.
#[derive(Debug, Clone, Copy)]
pub struct Rope {
    /// The kind of layer as newer files call it: `full_attention`, `sliding_attention`.
    pub kind: &'static str,
    /// The older field of the base, and what it is where no file says.
    pub base: &'static str,
    pub default_base: f64,
    /// Whether the older `rope_scaling` is about these layers.
    pub scaled: bool,
    /// Whether the newer description has a part for each kind of layer.
    pub by_kind: bool,
    /// Whether positions may have sections for time, height and width (Qwen-VL), which are equal in text.
    pub sections: bool,
}

/// Rotary positions of all layers of most models.
pub const PLAIN: Rope = Rope {
    kind: "full_attention",
    base: "rope_theta",
    default_base: 10_000.0,
    scaled: true,
    by_kind: false,
    sections: false,
};

/// Rotary positions, and how many tokens they are good for where longer texts change them.
#[derive(Debug)]
pub struct Turning {
    pub rotary: Rotary,
    pub longest: Option<usize>,
}

/// The rotary positions of layers of one kind; `share` of each head turns.
pub fn rotary(
    config: &Config,
    rope: Rope,
    head_size: usize,
    share: f64,
) -> Result<Turning, CheckpointError> {
    let turned = share * head_size as f64;
    if !(share > 0.0 && share <= 1.0) || turned < 2.0 || !(turned as usize).is_multiple_of(2) {
        return Err(config.bad(
            "partial_rotary_factor",
            format!(
                "is {share}: rotary positions turn an even number of a head's {head_size} features"
            ),
        ));
    }
    let parameters = parameters(config, rope)?;
    let scaling = match (&parameters, config.stored("rope_scaling")) {
        (Some(_), Some(_)) if rope.scaled => {
            return Err(config.bad("rope_scaling", "is given together with `rope_parameters`"));
        }
        (Some(parameters), _) => Some((*parameters).clone()),
        (None, Some(Value::Object(scaling))) if rope.scaled => Some(scaling.clone()),
        (None, Some(_)) if rope.scaled => return Err(config.unknown("rope_scaling")),
        _ => None,
    };
    let scaling = scaling.unwrap_or_default();
    let base = match scaling.get("rope_theta") {
        None => config.positive(rope.base, rope.default_base)?,
        Some(base) => {
            if let Some(other) = config.stored(rope.base)
                && !same(base, other)
            {
                let problem = format!("is {other}, but `rope_parameters` has {base}");
                return Err(config.bad(rope.base, problem));
            }
            match base.as_f64() {
                Some(base) if base > 0.0 => base,
                _ => return Err(config.bad("rope_theta", format!("is {base}, not above zero"))),
            }
        }
    };
    let mut rotary = Rotary::new(turned as usize, base);
    let scaling = Scaling {
        config,
        fields: &scaling,
        base,
        sections: rope.sections,
    };
    let longest = scaling.apply(&mut rotary)?;
    Ok(Turning { rotary, longest })
}

/// The newer description of one kind of layer.
fn parameters(config: &Config, rope: Rope) -> Result<Option<&Map<String, Value>>, CheckpointError> {
    const FIELD: &str = "rope_parameters";
    let Some(all) = config.stored(FIELD) else {
        return Ok(None);
    };
    if config.writer() == Writer::Four {
        // Version 4 does not read them.
        return Err(config.unknown_field(FIELD, all));
    }
    let one = match all.get("full_attention").or(all.get("sliding_attention")) {
        Some(_) => all.get(rope.kind).filter(|one| !one.is_null()),
        None if rope.by_kind => return Err(config.unknown(FIELD)),
        None => Some(all),
    };
    match one {
        None => Ok(None),
        Some(Value::Object(one)) => Ok(Some(one)),
        Some(_) => Err(config.unknown(FIELD)),
    }
}

struct Scaling<'a> {
    config: &'a Config,
    fields: &'a Map<String, Value>,
    base: f64,
    sections: bool,
}

/// The field with the length of the training texts, inside a scaling or outside.
const TRAINED: &str = "original_max_position_embeddings";

impl Scaling<'_> {
    fn bad(&self, problem: String) -> CheckpointError {
        let field = match self.config.stored("rope_parameters") {
            Some(_) => "rope_parameters",
            None => "rope_scaling",
        };
        self.config.bad(field, problem)
    }

    fn positive(&self, name: &str) -> Result<f64, CheckpointError> {
        match self.fields.get(name).map(|value| (value, value.as_f64())) {
            Some((_, Some(number))) if number > 0.0 => Ok(number),
            Some((value, _)) => Err(self.bad(format!("has `{name}` {}", short(value)))),
            None => Err(self.bad(format!("has no number `{name}`"))),
        }
    }

    /// As `positive`; none where it is absent, null, or zero.
    fn optional(&self, name: &str) -> Result<Option<f64>, CheckpointError> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) if value.as_f64() == Some(0.0) => Ok(None),
            Some(_) => self.positive(name).map(Some),
        }
    }

    /// The length a model was trained with, and how many times longer texts it is stretched to. Phi-3 has a field for the
    /// length; version 4 takes the factor from it, and under LongRoPE looks for the length nowhere else.
    fn stretch(&self, long: bool) -> Result<(f64, f64), CheckpointError> {
        let longest = self.config.size(&["max_position_embeddings"])? as f64;
        let outside = if self.config.declares(TRAINED) {
            self.config.optional_size(TRAINED)?
        } else {
            None
        };
        let (stated, inside) = (self.optional("factor")?, self.optional(TRAINED)?);
        let (trained, factor) = match (outside, self.config.writer()) {
            (Some(trained), Writer::Four) => (trained as f64, None),
            (Some(trained), Writer::Five) => (trained as f64, stated),
            (None, Writer::Four) if long => {
                if inside.is_some_and(|inside| inside != longest) {
                    self.config.remark_writer();
                }
                (longest, Some(self.positive("factor")?))
            }
            (None, _) => (inside.unwrap_or(longest), stated),
        };
        Ok((trained, factor.unwrap_or(longest / trained)))
    }

    /// YaRN (Peng et al. 2023): slow turns are stretched, fast ones are not, those between partly.
    fn yarn(&self, rotary: &mut Rotary) -> Result<(), CheckpointError> {
        let (trained, factor) = self.stretch(false)?;
        let grown = |share: f64| {
            if factor > 1.0 {
                0.1 * share * factor.ln() + 1.0
            } else {
                1.0
            }
        };
        rotary.factor = match (
            self.optional("attention_factor")?,
            self.optional("mscale")?,
            self.optional("mscale_all_dim")?,
        ) {
            (Some(factor), ..) => factor,
            (None, Some(mscale), Some(all)) => grown(mscale) / grown(all),
            _ => grown(1.0),
        } as f32;
        let dimensions = 2.0 * rotary.frequencies.len() as f64;
        let place = |turns: f64| {
            let turns = trained / (turns * std::f64::consts::TAU);
            dimensions * turns.ln() / (2.0 * self.base.ln())
        };
        let mut low = place(self.optional("beta_fast")?.unwrap_or(32.0));
        let mut high = place(self.optional("beta_slow")?.unwrap_or(1.0));
        match self.fields.get("truncate") {
            None | Some(Value::Null | Value::Bool(true)) => {
                low = low.floor();
                high = high.ceil();
            }
            Some(Value::Bool(false)) => {}
            Some(value) => return Err(self.bad(format!("has `truncate` {}", short(value)))),
        }
        let (low, high) = (low.max(0.0), high.min(dimensions - 1.0));
        let width = if low == high { 0.001 } else { high - low };
        for (place, frequency) in rotary.frequencies.iter_mut().enumerate() {
            let exact = f64::from(*frequency);
            let stretched = ((place as f64 - low) / width).clamp(0.0, 1.0);
            *frequency = (exact / factor * stretched + exact * (1.0 - stretched)) as f32;
        }
        Ok(())
    }

    /// LongRoPE (Ding et al. 2024): a factor for each turn. Texts longer than those of the training have others.
    fn long(&self, rotary: &mut Rotary) -> Result<usize, CheckpointError> {
        let (trained, factor) = self.stretch(true)?;
        rotary.factor = match self.optional("attention_factor")? {
            Some(factor) => factor,
            None if factor <= 1.0 => 1.0,
            None => (1.0 + factor.ln() / trained.ln()).sqrt(),
        } as f32;
        let count = rotary.frequencies.len();
        for name in ["short_factor", "long_factor"] {
            let stated = self.fields.get(name).and_then(Value::as_array);
            let factors: Option<Vec<f64>> =
                stated.and_then(|all| all.iter().map(Value::as_f64).collect());
            let factors = factors.filter(|factors| {
                factors.len() == count && factors.iter().all(|factor| *factor > 0.0)
            });
            let Some(factors) = factors else {
                return Err(self.bad(format!("has no `{name}` of {count} numbers above zero")));
            };
            if name == "short_factor" {
                for (frequency, factor) in rotary.frequencies.iter_mut().zip(factors) {
                    *frequency = (f64::from(*frequency) / factor) as f32;
                }
            }
        }
        Ok(trained as usize)
    }

    /// Rescales the frequencies. Gives the longest text this holds for.
    fn apply(&self, rotary: &mut Rotary) -> Result<Option<usize>, CheckpointError> {
        let kind = match (self.fields.get("rope_type"), self.fields.get("type")) {
            (Some(kind), Some(other)) if kind != other => {
                return Err(self.bad(format!("has `rope_type` {kind} and `type` {other}")));
            }
            (kind, other) => kind.or(other),
        };
        let kind = match kind {
            None | Some(Value::Null) => "default",
            Some(Value::String(kind)) => kind,
            Some(kind) => return Err(self.bad(format!("has `rope_type` {kind}"))),
        };
        let more: &[&str] = match kind {
            "default" => &[],
            "linear" | "dynamic" => &["factor"],
            "llama3" => &[
                "factor",
                "high_freq_factor",
                "low_freq_factor",
                "original_max_position_embeddings",
            ],
            "yarn" => &[
                "attention_factor",
                "beta_fast",
                "beta_slow",
                "factor",
                "mscale",
                "mscale_all_dim",
                TRAINED,
                "truncate",
            ],
            "longrope" | "su" => &[
                "attention_factor",
                "factor",
                "long_factor",
                TRAINED,
                "short_factor",
            ],
            "mrope" if self.sections => &[],
            kind => {
                return Err(self.bad(format!("is of type `{kind}`, which is not supported")));
            }
        };
        let common = ["partial_rotary_factor", "rope_theta", "rope_type", "type"];
        let sections = ["mrope_section", "mrope_interleaved"];
        for (field, value) in self.fields {
            let sectioned = self.sections && sections.contains(&field.as_str());
            let known =
                sectioned || common.contains(&field.as_str()) || more.contains(&field.as_str());
            if !known && !value.is_null() {
                return Err(self.bad(format!(
                    "has `{field}` {}, which is not supported",
                    short(value)
                )));
            }
        }
        match kind {
            "linear" => {
                let factor = self.positive("factor")? as f32;
                rotary.frequencies.iter_mut().for_each(|f| *f /= factor);
            }
            // Plain up to the trained length; longer texts get other frequencies.
            "dynamic" => {
                self.positive("factor")?;
                return self.config.size(&["max_position_embeddings"]).map(Some);
            }
            "yarn" => self.yarn(rotary)?,
            "longrope" | "su" => return self.long(rotary).map(Some),
            "llama3" => {
                let factor = self.positive("factor")?;
                let (low, high) = (
                    self.positive("low_freq_factor")?,
                    self.positive("high_freq_factor")?,
                );
                let trained = self.positive("original_max_position_embeddings")?;
                if low > high {
                    return Err(self.bad("has `low_freq_factor` above the high one".to_owned()));
                }
                for frequency in &mut rotary.frequencies {
                    let exact = f64::from(*frequency);
                    let turns = trained * exact / std::f64::consts::TAU;
                    // Llama 4 has no band between slow and fast.
                    let smooth = if low == high {
                        f64::from(turns >= low)
                    } else {
                        ((turns - low) / (high - low)).clamp(0.0, 1.0)
                    };
                    *frequency = ((1.0 - smooth) * exact / factor + smooth * exact) as f32;
                }
            }
            _ => {}
        }
        Ok(None)
    }
}

/// Whether each layer sees everything or a window, as `layer_types` says, or by the rule given.
pub fn sliding_layers(
    config: &Config,
    layers: usize,
    rule: impl Fn(usize) -> bool,
) -> Result<Vec<bool>, CheckpointError> {
    const FIELD: &str = "layer_types";
    let Some(stated) = config.get(FIELD) else {
        return Ok((0..layers).map(rule).collect());
    };
    let types = stated.as_array().filter(|types| types.len() == layers);
    let types = types.ok_or_else(|| {
        let problem = format!(
            "is {}, not a kind for each of {layers} layers",
            short(stated)
        );
        config.bad(FIELD, problem)
    })?;
    types
        .iter()
        .map(|kind| match kind.as_str() {
            Some("sliding_attention") => Ok(true),
            Some("full_attention") => Ok(false),
            _ => Err(config.bad(
                FIELD,
                format!("has {}, which is not supported", short(kind)),
            )),
        })
        .collect()
}

/// The share of each head that turns, in `rope_parameters` or in a field of its own.
pub fn partial(config: &Config, field: &str, default: f64) -> Result<f64, CheckpointError> {
    let newer = config
        .stored("rope_parameters")
        .and_then(|parameters| parameters.get("partial_rotary_factor"));
    let older = config.number(field, default)?;
    match newer {
        None => Ok(older),
        Some(newer) => match newer.as_f64() {
            Some(share) if config.stored(field).is_none() || share == older => Ok(share),
            _ => {
                let problem = format!("is {older}, but `rope_parameters` has {}", short(newer));
                Err(config.bad(field, problem))
            }
        },
    }
}

/// Which layers have positions: as listed (1 for those that have), or all but every fourth.
pub fn turning_layers(config: &Config, count: usize) -> Result<Vec<bool>, CheckpointError> {
    const FIELD: &str = "no_rope_layers";
    let every = if config.declares("no_rope_layer_interval") {
        config.optional_size("no_rope_layer_interval")?.unwrap_or(4)
    } else {
        4
    };
    match config.stored(FIELD) {
        Some(listed) if listed.as_array().is_none_or(|list| !list.is_empty()) => {
            let list = listed.as_array().filter(|list| list.len() == count);
            let list = list.and_then(|list| {
                let turns = |value: &Value| match value.as_u64() {
                    Some(turns @ 0..=1) => Some(turns == 1),
                    _ => value.as_bool(),
                };
                list.iter().map(turns).collect()
            });
            list.ok_or_else(|| {
                let problem = format!("is {}, not 0 or 1 for each layer", short(listed));
                config.bad(FIELD, problem)
            })
        }
        _ => Ok((0..count)
            .map(|layer| !(layer + 1).is_multiple_of(every))
            .collect()),
    }
}
