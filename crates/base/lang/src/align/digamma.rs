//! The digamma function as fast_align computes it.

/// ψ(x) for x > 0: upward recurrence to 7, then the asymptotic series in x − 1/2.
pub fn digamma(x: f64) -> f64 {
    let mut x = x;
    let mut below = 0.0;
    while x < 7.0 {
        below -= 1.0 / x;
        x += 1.0;
    }
    let y = x - 0.5;
    let inverse = 1.0 / y;
    let square = inverse * inverse;
    let fourth = square * square;
    below + y.ln() + (1.0 / 24.0) * square - (7.0 / 960.0) * fourth
        + (31.0 / 8064.0) * fourth * square
        - (127.0 / 30720.0) * fourth * fourth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // scipy.special.digamma.
        for (x, expected) in [
            (0.01, -100.560_885_457_868_67),
            (1.0, -0.577_215_664_901_532_9),
            (2.5, 0.703_156_640_645_243_1),
            (10.0, 2.251_752_589_066_721),
            (1234.5, 7.118_016_231_827_998),
        ] {
            assert!((digamma(x) - expected).abs() < 1e-8, "{x}: {}", digamma(x));
        }
    }
}
