//! The parts a transformer layer is made of.

use crate::curves::Curve;
use crate::matrix::{Matrix, View, Workspace};
use crate::packed::{Keeping, PackedMatrix};
use crate::product::times_packed;
use crate::simd;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Activation {
    Identity,
    Gelu,
    GeluTanh,
    Silu,
    Relu,
    Tanh,
    /// Nemotron.
    ReluSquared,
    Xielu(Xielu),
    Curve(Curve),
}

/// Apertus' activation, whose two bends are learned: a parabola above zero, an exponential below.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Xielu {
    pub above: f32,
    pub below: f32,
    pub beta: f32,
    pub epsilon: f32,
}

impl Xielu {
    fn of(self, x: f32) -> f32 {
        let bend = if x > 0.0 {
            self.above * x * x
        } else {
            self.below * (x.min(self.epsilon).exp_m1() - x)
        };
        bend + self.beta * x
    }
}

impl Activation {
    /// By the name `config.json` uses.
    pub fn named(name: &str) -> Option<Activation> {
        Some(match name {
            "gelu" | "gelu_python" => Activation::Gelu,
            "gelu_new" | "gelu_pytorch_tanh" | "gelu_python_tanh" | "gelu_fast"
            | "gelu_accurate" => Activation::GeluTanh,
            "silu" | "swish" => Activation::Silu,
            "relu" => Activation::Relu,
            "relu2" => Activation::ReluSquared,
            "tanh" => Activation::Tanh,
            "linear" => Activation::Identity,
            name => Activation::Curve(Curve::named(name)?),
        })
    }

    pub fn apply(self, values: &mut [f32]) {
        match self {
            Activation::Identity => {}
            Activation::Gelu => simd::gelu(values),
            Activation::GeluTanh => simd::gelu_tanh(values),
            Activation::Silu => simd::silu(values),
            Activation::Relu => simd::relu(values),
            Activation::Tanh => simd::tanh_all(values),
            Activation::ReluSquared => values.iter_mut().for_each(|x| *x = x.max(0.0) * x.max(0.0)),
            Activation::Xielu(curve) => values.iter_mut().for_each(|x| *x = curve.of(*x)),
            Activation::Curve(curve) => curve.apply(values),
        }
    }
}

/// A linear map with its bias (empty where there is none).
#[derive(Debug)]
pub struct Linear {
    pub weight: PackedMatrix,
    pub bias: Vec<f32>,
}

impl Linear {
    /// From weights that are in memory already, outputs x inputs.
    pub fn from_rows(
        outputs: usize,
        inputs: usize,
        keeping: Keeping,
        rows: &[f32],
        bias: Vec<f32>,
    ) -> Linear {
        let packed = PackedMatrix::pack(outputs, inputs, keeping, |first, out| {
            out.copy_from_slice(&rows[first * inputs..first * inputs + out.len()]);
            Ok::<(), std::convert::Infallible>(())
        });
        match packed {
            Ok(weight) => Linear { weight, bias },
            Err(never) => match never {},
        }
    }

    pub fn outputs(&self) -> usize {
        self.weight.outputs
    }

    pub fn apply(&self, workspace: &mut Workspace, input: View<'_>, then: Activation) -> Matrix {
        let mut out = workspace.matrix(input.rows, self.weight.outputs);
        let stride = out.columns;
        let finish = |piece: &mut [f32], first: usize| {
            if !self.bias.is_empty() {
                simd::add(piece, &self.bias[first..first + piece.len()]);
            }
            then.apply(piece);
        };
        times_packed(
            workspace,
            input,
            &self.weight,
            &mut out.data,
            stride,
            &finish,
        );
        out
    }
}

/// Normalisation of each token's row.
#[derive(Debug, Clone)]
pub enum Norm {
    Layer {
        weight: Vec<f32>,
        /// Empty where there is none.
        bias: Vec<f32>,
        epsilon: f32,
    },
    RootMeanSquare {
        weight: Vec<f32>,
        epsilon: f32,
    },
    /// One for each head (Cohere, StableLM).
    Each(Vec<Norm>),
}

impl Norm {
    /// How many numbers it takes at once.
    pub fn width(&self) -> usize {
        match self {
            Norm::Layer { weight, .. } | Norm::RootMeanSquare { weight, .. } => weight.len(),
            Norm::Each(norms) => norms.iter().map(Norm::width).sum(),
        }
    }

    /// The same norm with a factor on what it gives.
    pub fn scaled(&self, factor: f32) -> Norm {
        let times = |values: &[f32]| values.iter().map(|value| value * factor).collect();
        match self {
            Norm::Layer {
                weight,
                bias,
                epsilon,
            } => Norm::Layer {
                weight: times(weight),
                bias: times(bias),
                epsilon: *epsilon,
            },
            Norm::RootMeanSquare { weight, epsilon } => Norm::RootMeanSquare {
                weight: times(weight),
                epsilon: *epsilon,
            },
            Norm::Each(norms) => Norm::Each(norms.iter().map(|norm| norm.scaled(factor)).collect()),
        }
    }

    pub fn apply(&self, matrix: &mut Matrix) {
        self.apply_to(&mut matrix.data);
    }

    /// Rows of the norm's own width, one after the other.
    pub fn apply_to(&self, values: &mut [f32]) {
        match self {
            Norm::Layer {
                weight,
                bias,
                epsilon,
            } => {
                for row in values.chunks_exact_mut(weight.len()) {
                    simd::layer_norm(row, weight, bias, *epsilon);
                }
            }
            Norm::RootMeanSquare { weight, epsilon } => {
                for row in values.chunks_exact_mut(weight.len()) {
                    simd::rms_norm(row, weight, *epsilon);
                }
            }
            Norm::Each(norms) => {
                for row in values.chunks_exact_mut(self.width()) {
                    let mut rest = row;
                    for norm in norms {
                        let (own, others) = rest.split_at_mut(norm.width());
                        norm.apply_to(own);
                        rest = others;
                    }
                }
            }
        }
    }
}

/// Rotary position embedding: pairs (i, i + half) of the first dimensions of each head turn with
/// the token's position.
#[derive(Debug, Clone)]
pub struct Rotary {
    /// Radians per position, for each pair.
    pub frequencies: Vec<f32>,
    /// Factor on cosines and sines (long-context scalings); 1 as a rule.
    pub factor: f32,
}

impl Rotary {
    pub fn new(dimensions: usize, base: f64) -> Rotary {
        let frequencies = (0..dimensions / 2)
            .map(|i| (1.0 / base.powf((2 * i) as f64 / dimensions as f64)) as f32)
            .collect();
        Rotary {
            frequencies,
            factor: 1.0,
        }
    }

    /// Turns every head of `matrix`'s first `heads * size` columns, row r by `positions[r]`.
    pub fn apply(&self, matrix: &mut Matrix, heads: usize, size: usize, positions: &[usize]) {
        let half = self.frequencies.len();
        let mut cosines = vec![0.0; half];
        let mut sines = vec![0.0; half];
        let mut current = usize::MAX;
        for (row, position) in positions.iter().enumerate() {
            if *position != current {
                current = *position;
                for (i, frequency) in self.frequencies.iter().enumerate() {
                    let (sine, cosine) = (current as f32 * frequency).sin_cos();
                    cosines[i] = cosine * self.factor;
                    sines[i] = sine * self.factor;
                }
            }
            let row = matrix.row_mut(row);
            for head in row[..heads * size].chunks_exact_mut(size) {
                simd::rotate(&mut head[..2 * half], &cosines, &sines);
            }
        }
    }
}
