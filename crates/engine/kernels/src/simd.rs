//! Element-wise arithmetic, compiled once for each instruction set and chosen at run time.
//!
//! The bodies are plain loops over slices that the compiler vectorises; sums run over sixteen
//! lanes, so that they come out the same at any vector width.
#![allow(unsafe_code)]

/// Defines a function whose body is compiled for AVX-512, AVX2 and the baseline.
macro_rules! vectorised {
    ($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block) => {
        $(#[$meta])*
        pub fn $name($($arg: $ty),*) $(-> $ret)? {
            #[inline(always)]
            fn body($($arg: $ty),*) $(-> $ret)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq")]
                fn wide($($arg: $ty),*) $(-> $ret)? { body($($arg),*) }
                #[target_feature(enable = "avx2")]
                fn middle($($arg: $ty),*) $(-> $ret)? { body($($arg),*) }
                use crate::processor::{Level, allows};
                if allows(Level::Newest)
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                {
                    // SAFETY: the processor has these instructions.
                    return unsafe { wide($($arg),*) };
                }
                if allows(Level::Avx2) && is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has these instructions.
                    return unsafe { middle($($arg),*) };
                }
            }
            body($($arg),*)
        }
    };
}
pub(crate) use vectorised;

const LANES: usize = 16;

/// e^x to about one unit in the last place, for any x.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const MAGIC: f32 = 12_582_912.0; // 1.5 * 2^23: adding it rounds to a whole number
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + MAGIC;
    let whole = shifted - MAGIC;
    // ln 2 in two parts, the first exact in few bits.
    let r = x - whole * 0.693_359_4 - whole * -2.121_944_4e-4;
    let p = 1.0 / 5040.0;
    let p = p * r + 1.0 / 720.0;
    let p = p * r + 1.0 / 120.0;
    let p = p * r + 1.0 / 24.0;
    let p = p * r + 1.0 / 6.0;
    let p = p * r + 0.5;
    let p = p * r + 1.0;
    let p = p * r + 1.0;
    // The exponent of 2^whole, from the low bits that rounding left in `shifted`.
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    p * power
}

/// erf to 1.5e-7 (Abramowitz and Stegun 7.1.26).
#[inline(always)]
pub(crate) fn erf(x: f32) -> f32 {
    let a = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * a);
    let p = 1.061_405_4;
    let p = p * t - 1.453_152;
    let p = p * t + 1.421_413_7;
    let p = p * t - 0.284_496_74;
    let p = p * t + 0.254_829_6;
    let y = 1.0 - p * t * exp(-a * a);
    y.copysign(x)
}

#[inline(always)]
fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x) + 1.0)
}

#[inline(always)]
fn sum_of(values: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0f32; LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += term(*value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane += term(*value);
    }
    lanes.iter().sum()
}

vectorised! {
    /// Gaussian error linear unit, exact.
    pub fn gelu(values: &mut [f32]) {
        for value in values {
            let x = *value;
            *value = 0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2));
        }
    }
}

vectorised! {
    /// GELU by its tanh approximation (`gelu_new`, `gelu_pytorch_tanh`).
    pub fn gelu_tanh(values: &mut [f32]) {
        for value in values {
            let x = *value;
            let inner = 0.797_884_6 * (x + 0.044_715 * x * x * x);
            *value = 0.5 * x * (1.0 + tanh(inner));
        }
    }
}

vectorised! {
    pub fn silu(values: &mut [f32]) {
        for value in values {
            *value /= 1.0 + exp(-*value);
        }
    }
}

vectorised! {
    pub fn relu(values: &mut [f32]) {
        for value in values {
            *value = value.max(0.0);
        }
    }
}

vectorised! {
    pub fn tanh_all(values: &mut [f32]) {
        for value in values {
            *value = tanh(*value);
        }
    }
}

vectorised! {
    /// `cap * tanh(x / cap)`: keeps logits within bounds (Gemma 2).
    pub fn soft_cap(values: &mut [f32], cap: f32) {
        for value in values {
            *value = cap * tanh(*value / cap);
        }
    }
}

vectorised! {
    pub fn add(values: &mut [f32], other: &[f32]) {
        for (value, other) in values.iter_mut().zip(other) {
            *value += other;
        }
    }
}

vectorised! {
    pub fn multiply(values: &mut [f32], other: &[f32]) {
        for (value, other) in values.iter_mut().zip(other) {
            *value *= other;
        }
    }
}

vectorised! {
    pub fn scale(values: &mut [f32], factor: f32) {
        for value in values {
            *value *= factor;
        }
    }
}

vectorised! {
    pub fn dot(left: &[f32], right: &[f32]) -> f32 {
        let mut lanes = [0f32; LANES];
        let pairs = left.chunks_exact(LANES).zip(right.chunks_exact(LANES));
        for (left, right) in pairs {
            for ((lane, left), right) in lanes.iter_mut().zip(left).zip(right) {
                *lane += left * right;
            }
        }
        let done = left.len().min(right.len()) / LANES * LANES;
        for ((lane, left), right) in lanes.iter_mut().zip(&left[done..]).zip(&right[done..]) {
            *lane += left * right;
        }
        lanes.iter().sum()
    }
}

vectorised! {
    /// The product of one row with each of the rows that begin `stride` after one another.
    pub fn dots(one: &[f32], rows: &[f32], stride: usize, out: &mut [f32]) {
        for (row, out) in out.iter_mut().enumerate() {
            let row = &rows[row * stride..row * stride + one.len()];
            let mut lanes = [0f32; LANES];
            let (chunks, others) = (one.chunks_exact(LANES), row.chunks_exact(LANES));
            let rest = chunks.remainder().iter().zip(others.remainder());
            for (one, row) in chunks.zip(others) {
                for ((lane, one), row) in lanes.iter_mut().zip(one).zip(row) {
                    *lane += one * row;
                }
            }
            for (lane, (one, row)) in lanes.iter_mut().zip(rest) {
                *lane += one * row;
            }
            *out = lanes.iter().sum();
        }
    }
}

vectorised! {
    /// The weighted sum of rows that begin `stride` after one another.
    pub fn mix(weights: &[f32], rows: &[f32], stride: usize, out: &mut [f32]) {
        out.fill(0.0);
        for (row, weight) in weights.iter().enumerate() {
            let row = &rows[row * stride..row * stride + out.len()];
            for (out, value) in out.iter_mut().zip(row) {
                *out += weight * value;
            }
        }
    }
}

vectorised! {
    /// Replaces logits by probabilities.
    pub fn softmax(values: &mut [f32]) {
        let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for value in values.iter_mut() {
            *value = exp(*value - highest);
        }
        let total = sum_of(values, |v| v);
        let factor = 1.0 / total;
        for value in values {
            *value *= factor;
        }
    }
}

vectorised! {
    /// Sum of `e^(x - shift)`: the part of a softmax's normaliser that one chunk contributes.
    pub fn exp_sum(values: &[f32], shift: f32) -> f32 {
        sum_of(values, |v| exp(v - shift))
    }
}

vectorised! {
    pub fn highest(values: &[f32]) -> f32 {
        let mut lanes = [f32::NEG_INFINITY; LANES];
        for chunk in values.chunks(LANES) {
            for (lane, value) in lanes.iter_mut().zip(chunk) {
                *lane = lane.max(*value);
            }
        }
        lanes.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }
}

vectorised! {
    /// Layer normalisation of one row; no shift where `bias` is empty.
    pub fn layer_norm(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
        let count = row.len() as f32;
        let mean = sum_of(row, |v| v) / count;
        let variance = sum_of(row, |v| (v - mean) * (v - mean)) / count;
        let factor = 1.0 / (variance + epsilon).sqrt();
        if bias.is_empty() {
            for (value, weight) in row.iter_mut().zip(weight) {
                *value = (*value - mean) * factor * weight;
            }
        } else {
            for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
                *value = (*value - mean) * factor * weight + bias;
            }
        }
    }
}

vectorised! {
    /// Root-mean-square normalisation of one row.
    pub fn rms_norm(row: &mut [f32], weight: &[f32], epsilon: f32) {
        let factor = 1.0 / (sum_of(row, |v| v * v) / row.len() as f32 + epsilon).sqrt();
        for (value, weight) in row.iter_mut().zip(weight) {
            *value = *value * factor * weight;
        }
    }
}

vectorised! {
    /// Rotates pairs (i, i + half) of one head by the angles whose cosines and sines are given.
    pub fn rotate(head: &mut [f32], cosines: &[f32], sines: &[f32]) {
        let half = cosines.len();
        let (low, high) = head.split_at_mut(half);
        let angles = cosines.iter().zip(sines);
        for ((low, high), (cosine, sine)) in low.iter_mut().zip(high).zip(angles) {
            let (x, y) = (*low, *high);
            *low = x * cosine - y * sine;
            *high = y * cosine + x * sine;
        }
    }
}

vectorised! {
    /// Attention of one token: `query` has all heads side by side; row r of `cache` begins at
    /// `r * 2 * query.len()` and has the keys of all heads, then the values; `rows` says which rows are
    /// seen. `weights` comes in with what is added to the scores, heads x rows, and leaves with the
    /// probabilities.
    pub fn attend_rows(
        query: &[f32],
        size: usize,
        scale: f32,
        cache: &[f32],
        rows: &[u32],
        weights: &mut [f32],
        out: &mut [f32],
    ) {
        let (width, count) = (query.len(), rows.len());
        for (position, row) in rows.iter().enumerate() {
            let key = &cache[*row as usize * 2 * width..][..width];
            let heads = query.chunks_exact(size).zip(key.chunks_exact(size));
            for (head, (query, key)) in heads.enumerate() {
                let mut lanes = [0f32; LANES];
                let (chunks, others) = (query.chunks_exact(LANES), key.chunks_exact(LANES));
                let rest = chunks.remainder().iter().zip(others.remainder());
                for (query, key) in chunks.zip(others) {
                    for ((lane, query), key) in lanes.iter_mut().zip(query).zip(key) {
                        *lane += query * key;
                    }
                }
                for (lane, (query, key)) in lanes.iter_mut().zip(rest) {
                    *lane += query * key;
                }
                weights[head * count + position] += lanes.iter().sum::<f32>() * scale;
            }
        }
        for values in weights.chunks_exact_mut(count) {
            let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for value in values.iter_mut() {
                *value = exp(*value - highest);
            }
            let factor = 1.0 / sum_of(values, |v| v);
            for value in values {
                *value *= factor;
            }
        }
        out.fill(0.0);
        for (position, row) in rows.iter().enumerate() {
            let value = &cache[(*row as usize * 2 + 1) * width..][..width];
            let heads = out.chunks_exact_mut(size).zip(value.chunks_exact(size));
            for (head, (out, value)) in heads.enumerate() {
                let weight = weights[head * count + position];
                for (out, value) in out.iter_mut().zip(value) {
                    *out += weight * value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_accurate_over_the_whole_range() {
        for step in -8600..8800 {
            let x = step as f32 / 100.0;
            let exact = f64::from(x).exp();
            let found = f64::from(exp(x));
            assert!((found / exact - 1.0).abs() < 1e-6, "{x}: {found} {exact}");
        }
        assert!(exp(-1000.0) < 1e-37 && exp(f32::NEG_INFINITY) < 1e-37);
    }

    #[test]
    fn gelu_agrees_with_known_values() {
        // Values of x * Phi(x), to eight digits.
        let mut values = [-3.0f32, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0];
        gelu(&mut values);
        let exact = [
            -0.004_049_694,
            -0.158_655_25,
            -0.154_268_77,
            0.0,
            0.345_731_23,
            0.841_344_7,
            2.995_950_3,
        ];
        for (found, exact) in values.iter().zip(exact) {
            assert!((found - exact).abs() < 1e-6, "{found} {exact}");
        }
    }

    #[test]
    fn softmax_sums_to_one_and_keeps_order() {
        let mut values: Vec<f32> = (0..37).map(|i| (i as f32 * 0.77).sin() * 20.0).collect();
        let before = values.clone();
        softmax(&mut values);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        for i in 1..37 {
            assert_eq!(before[i] > before[i - 1], values[i] > values[i - 1]);
        }
    }
}
