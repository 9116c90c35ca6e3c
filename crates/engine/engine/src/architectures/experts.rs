//! Mixtures of experts as files store them: a matrix for each expert, or all of them in one tensor.
//!
//! Experts are the largest part of such a model and few of them are needed at once. Where all of them together do not fit
//! into memory they stay in the file, and are read when a token has chosen them.

use std::sync::Arc;

use super::decoder::Decoder;
use epicene_checkpoint::{Bias, CheckpointError, Loader, Writer};
use epicene_kernels::{Activation, Linear, available_memory};
use epicene_transformer::{
    Attention, Expert, Experts, FeedForward, Groups, Layer, Norms, Router, Scoring,
};

/// What part of the memory that is free experts may take.
const SHARE_OF_MEMORY: f64 = 0.7;

/// How the experts of a layer are stored.
#[derive(Debug, Clone)]
pub enum Stored {
    /// A gate, what it gates, and an output for each: `PART.NUMBER.NAME.weight`.
    Each {
        part: String,
        names: [&'static str; 3],
    },
    /// Experts x outputs x inputs, a gate's rows before those it gates.
    Stacked { input: String, output: String },
    /// Experts x inputs x outputs, likewise (Llama 4).
    Turned { input: String, output: String },
    /// Gates and what they gate by turns, with biases and a bound (gpt-oss): experts x inputs x outputs, or four-bit
    /// blocks experts x outputs x inputs, or each expert's under Llama's names (llama.cpp's files).
    ByTurns { part: String, bound: f32 },
}

/// The mixtures of a model, all of one kind.
#[derive(Debug)]
pub struct Mixture<'a> {
    decoder: &'a Decoder<'a>,
    count: usize,
    inner: usize,
    in_memory: bool,
    pub chosen: usize,
    pub scoring: Scoring,
    pub groups: Option<Groups>,
    pub to_one: bool,
    pub scale: f32,
    pub weighs_input: bool,
}

impl<'a> Mixture<'a> {
    /// `count` experts of `inner` features, of which a token takes the fields' `num_experts_per_tok`: a softmax, its chosen
    /// part made to add up to one. `layers` have such.
    pub fn new(
        decoder: &'a Decoder<'a>,
        count: usize,
        inner: usize,
        layers: usize,
    ) -> Result<Mixture<'a>, CheckpointError> {
        let chosen = decoder.config.size(&["num_experts_per_tok"])?;
        if chosen > count {
            let problem = format!("is {chosen}, but there are {count} experts");
            return Err(decoder.config.bad("num_experts_per_tok", problem));
        }
        let numbers = [3, layers, count, inner, decoder.hidden]
            .iter()
            .fold(1f64, |product, size| product * *size as f64);
        let bytes = numbers * decoder.loader.main_precision().bytes() as f64;
        Ok(Mixture {
            decoder,
            count,
            inner,
            // A GPU holds all of them, or the model is rejected.
            in_memory: decoder.loader.is_on_device()
                || available_memory().is_none_or(|free| bytes < SHARE_OF_MEMORY * free as f64),
            chosen,
            scoring: Scoring::Softmax,
            groups: None,
            to_one: true,
            scale: 1.0,
            weighs_input: false,
        })
    }

    /// The mixture of one layer; `correction` is added to its scores for the choice alone.
    pub fn load(
        &self,
        router: &str,
        bias: Bias,
        correction: Option<&str>,
        stored: Stored,
    ) -> Result<Experts, CheckpointError> {
        let decoder = self.decoder;
        let source = Arc::new(Source {
            loader: decoder.loader.clone(),
            stored,
            count: self.count,
            hidden: decoder.hidden,
            inner: self.inner,
            activation: decoder.activation,
        });
        Ok(Experts {
            router: Router {
                logits: decoder
                    .loader
                    .exact()
                    .linear(router, self.count, decoder.hidden, bias)?,
                chosen: self.chosen,
                scoring: self.scoring,
                correction: match correction {
                    Some(name) => self.above_zero(decoder.loader.vector(name, self.count)?),
                    None => Vec::new(),
                },
                groups: self.groups,
                to_one: self.to_one,
                scale: self.scale,
                weighs_input: self.weighs_input,
            },
            experts: (0..self.count)
                .map(|number| Source::open(&source, number, self.in_memory))
                .collect::<Result<_, _>>()?,
            shared_gate: None,
        })
    }

    /// A layer whose network is the mixture alone.
    pub fn layer(
        &self,
        attention: Attention,
        norms: Norms,
        router: &str,
        stored: Stored,
    ) -> Result<Layer, CheckpointError> {
        Ok(Layer {
            experts: Some(self.load(router, Bias::None, None, stored)?),
            ..Layer::new(attention, FeedForward::none(), norms)
        })
    }

    /// Corrections moved up together where one is below zero, which changes no choice: scores are above zero then, and those
    /// outside the chosen groups, which become zero, are never chosen. So the authors have it, and version 5 of
    /// `transformers`; in version 4 such an expert may come after those of other groups.
    fn above_zero(&self, mut correction: Vec<f32>) -> Vec<f32> {
        let lowest = correction.iter().copied().fold(0.0, f32::min);
        let chosen_from = self.groups.filter(|groups| groups.kept < groups.count);
        if lowest < 0.0 && chosen_from.is_some() {
            correction.iter_mut().for_each(|value| *value -= lowest);
            if self.decoder.config.writer() == Writer::Four {
                self.decoder.config.remark("as-transformers-5");
            }
        }
        correction
    }
}

/// Where experts are read from, now or later.
#[derive(Debug)]
struct Source {
    loader: Loader,
    stored: Stored,
    count: usize,
    hidden: usize,
    inner: usize,
    activation: Activation,
}

impl Source {
    fn open(
        source: &Arc<Source>,
        number: usize,
        in_memory: bool,
    ) -> Result<Expert, CheckpointError> {
        if in_memory {
            return source.read(number).map(Expert::Here);
        }
        // Errors in the file are reported now, so that reading later cannot fail.
        source.check(number)?;
        let source = source.clone();
        Ok(Expert::InFile(Box::new(move || source.read(number))))
    }

    fn check(&self, number: usize) -> Result<(), CheckpointError> {
        let (count, hidden, inner) = (self.count, self.hidden, self.inner);
        let loader = &self.loader;
        match &self.stored {
            Stored::Each { part, names } => {
                for (place, name) in names.iter().enumerate() {
                    let shape = if place == 2 {
                        [hidden, inner]
                    } else {
                        [inner, hidden]
                    };
                    loader.expect(&format!("{part}.{number}.{name}.weight"), &shape)?;
                }
            }
            Stored::Stacked { input, output } => {
                loader.expect(input, &[count, 2 * inner, hidden])?;
                loader.expect(output, &[count, hidden, inner])?;
            }
            Stored::Turned { input, output } => {
                loader.expect(input, &[count, hidden, 2 * inner])?;
                loader.expect(output, &[count, inner, hidden])?;
            }
            // Biases are read anyway.
            Stored::ByTurns { .. } => drop(self.read(number)?),
        }
        Ok(())
    }

    fn read(&self, number: usize) -> Result<FeedForward, CheckpointError> {
        let (count, hidden, inner) = (self.count, self.hidden, self.inner);
        let loader = &self.loader;
        let without_bias = |weight| Linear {
            weight,
            bias: Vec::new(),
        };
        let (input, output) = match &self.stored {
            Stored::Each { part, names } => {
                let [gate, gated, output] = names.map(|name| format!("{part}.{number}.{name}"));
                (
                    loader.linears(&[&gate, &gated], inner, hidden, Bias::None)?,
                    loader.linear(&output, hidden, inner, Bias::None)?,
                )
            }
            Stored::Stacked { input, output } => {
                let whole = |name: &str, outputs: usize, inputs: usize| {
                    let rows: Vec<usize> = (0..outputs).collect();
                    loader.slice(name, [count, outputs, inputs], number, &rows)
                };
                (
                    without_bias(whole(input, 2 * inner, hidden)?),
                    without_bias(whole(output, hidden, inner)?),
                )
            }
            Stored::Turned { input, output } => {
                let whole = |name: &str, inputs: usize, outputs: usize| {
                    let columns: Vec<usize> = (0..outputs).collect();
                    loader.turned_slice(name, [count, inputs, outputs], number, &columns)
                };
                (
                    without_bias(whole(input, hidden, 2 * inner)?),
                    without_bias(whole(output, inner, hidden)?),
                )
            }
            Stored::ByTurns { part, bound } => return self.by_turns(number, part, *bound),
        };
        Ok(FeedForward::gated(input, self.activation, output))
    }

    fn by_turns(
        &self,
        number: usize,
        part: &str,
        bound: f32,
    ) -> Result<FeedForward, CheckpointError> {
        let (count, hidden, inner) = (self.count, self.hidden, self.inner);
        let own = |name: &str| format!("{part}.{number}.{name}");
        let (gate, gated) = (own("gate_proj"), own("up_proj"));
        if self.loader.has(&format!("{gate}.weight")) {
            let input = self
                .loader
                .linears(&[&gate, &gated], inner, hidden, Bias::Needed)?;
            let output = self
                .loader
                .linear(&own("down_proj"), hidden, inner, Bias::Needed)?;
            return Ok(FeedForward {
                bound: Some(bound),
                cutoff: None,
                ..FeedForward::gated(input, self.activation, output)
            });
        }
        let even = (0..inner).map(|place| 2 * place);
        let gates_first: Vec<usize> = even.clone().chain(even.map(|place| place + 1)).collect();
        let in_order: Vec<usize> = (0..hidden).collect();
        let map = |name: &str, inputs: usize, outputs: usize, order: &[usize]| {
            let name = format!("{part}.{name}");
            let blocks = format!("{name}_blocks");
            let weight = if self.loader.has(&blocks) {
                self.loader
                    .slice(&blocks, [count, outputs, inputs], number, order)?
            } else {
                self.loader
                    .turned_slice(&name, [count, inputs, outputs], number, order)?
            };
            let all =
                self.loader
                    .slice_values(&format!("{name}_bias"), [count, outputs], number)?;
            let bias = order.iter().map(|place| all[*place]).collect();
            Ok::<Linear, CheckpointError>(Linear { weight, bias })
        };
        Ok(FeedForward {
            bound: Some(bound),
            cutoff: None,
            ..FeedForward::gated(
                map("gate_up_proj", hidden, 2 * inner, &gates_first)?,
                self.activation,
                map("down_proj", inner, hidden, &in_order)?,
            )
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::architectures::mixtral;
    use epicene_checkpoint::{Config, StoredTensors};
    use epicene_kernels::{Matrix, Workspace};

    #[test]
    fn experts_in_the_file_give_what_those_in_memory_give() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checkpoints/mixtral");
        let config = fs::read_to_string(directory.join("config.json")).unwrap();
        let config = Config::parse(&config).unwrap();
        let config = config.read_with(mixtral::FIELDS).unwrap();
        let weights = Arc::new(StoredTensors::open(&directory).unwrap());
        let decoder = Decoder::llama(&config, weights).unwrap();
        let mut mixture = Mixture::new(&decoder, 5, decoder.inner, decoder.layers).unwrap();
        let part = "model.layers.0.block_sparse_moe";
        let stored = |names| Stored::Each {
            part: format!("{part}.experts"),
            names,
        };
        let mut input = Matrix::zeros(7, decoder.hidden);
        for (place, value) in input.data.iter_mut().enumerate() {
            *value = ((place * place % 23) as f32 - 11.0) / 8.0;
        }
        let mut given = Vec::new();
        for in_memory in [true, false] {
            mixture.in_memory = in_memory;
            let router = format!("{part}.gate");
            let experts = mixture
                .load(&router, Bias::None, None, stored(["w1", "w3", "w2"]))
                .unwrap();
            assert_eq!(matches!(experts.experts[0], Expert::Here(_)), in_memory);
            let out = experts.apply(&mut Workspace::default(), &input, None);
            given.push(out.unwrap().data);
            // Errors in the file are reported before the first question.
            let wrong = mixture.load(&router, Bias::None, None, stored(["w1", "w3", "w4"]));
            let message = wrong.unwrap_err().to_string();
            assert!(message.contains("experts.0.w4.weight"), "{message}");
        }
        assert!(given[0].iter().any(|value| *value != 0.0));
        assert_eq!(given[0], given[1]);
    }
}
