//! Activations of `transformers` that few models have: computed number by number.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curve {
    /// CLIP's approximation.
    QuickGelu,
    /// GELU between −10 and 10.
    Gelu10,
    HardSwish,
    Laplace,
    LeakyRelu,
    Mish,
    Relu6,
    Sigmoid,
    SqrtSoftplus,
}

impl Curve {
    /// All of them, for tests against the GPU.
    pub const ALL: [Curve; 9] = [
        Curve::QuickGelu,
        Curve::Gelu10,
        Curve::HardSwish,
        Curve::Laplace,
        Curve::LeakyRelu,
        Curve::Mish,
        Curve::Relu6,
        Curve::Sigmoid,
        Curve::SqrtSoftplus,
    ];

    /// By the name `config.json` uses.
    pub fn named(name: &str) -> Option<Curve> {
        Some(match name {
            "quick_gelu" => Curve::QuickGelu,
            "gelu_10" => Curve::Gelu10,
            "hardswish" => Curve::HardSwish,
            "laplace" => Curve::Laplace,
            "leaky_relu" => Curve::LeakyRelu,
            "mish" => Curve::Mish,
            "relu6" => Curve::Relu6,
            "sigmoid" => Curve::Sigmoid,
            "sqrtsoftplus" => Curve::SqrtSoftplus,
            _ => return None,
        })
    }

    pub fn apply(self, values: &mut [f32]) {
        if self == Curve::Gelu10 {
            crate::simd::gelu(values);
        }
        values.iter_mut().for_each(|x| *x = self.of(*x));
    }

    fn of(self, x: f32) -> f32 {
        // Beyond it the logarithm adds nothing, and e^x may be infinite.
        let softplus = || if x > 20.0 { x } else { x.exp().ln_1p() };
        match self {
            Curve::QuickGelu => x / (1.0 + (-1.702 * x).exp()),
            Curve::Gelu10 => x.clamp(-10.0, 10.0),
            Curve::HardSwish => x * (x + 3.0).clamp(0.0, 6.0) / 6.0,
            // Ma et al. 2023 (MEGA): the Laplace approximation of a squared ReLU.
            Curve::Laplace => {
                // As `transformers` rounds them, not 1/√2.
                #[allow(clippy::approx_constant)]
                let (mean, deviation) = (0.707_107, 0.282_095);
                0.5 * (1.0 + crate::simd::erf((x - mean) / (deviation * std::f32::consts::SQRT_2)))
            }
            Curve::LeakyRelu => x.max(0.01 * x),
            Curve::Mish => x * softplus().tanh(),
            Curve::Relu6 => x.clamp(0.0, 6.0),
            Curve::Sigmoid => 1.0 / (1.0 + (-x).exp()),
            Curve::SqrtSoftplus => softplus().sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `transformers.activations.ACT2FN` of 5.22.2 at these places (tools/reference/activations.py).
    const AT: [f32; 7] = [-12.0, -3.5, -0.7, 0.0, 0.4, 2.3, 25.0];

    #[test]
    fn curves_are_those_of_transformers() {
        let table = include_str!("../tests/golden/activations.tsv");
        let mut seen = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let mut cells = line.split('\t');
            let name = cells.next().unwrap_or_default();
            let curve = Curve::named(name).expect("every line names a curve");
            let mut found = AT;
            curve.apply(&mut found);
            for (found, wanted) in found.iter().zip(cells) {
                let wanted: f32 = wanted.parse().unwrap_or(f32::NAN);
                let near = (found - wanted).abs() <= 2e-6 * wanted.abs().max(1.0);
                assert!(near, "{name}: {found}, not {wanted}");
            }
            seen += 1;
        }
        assert_eq!(seen, Curve::ALL.len());
    }
}
