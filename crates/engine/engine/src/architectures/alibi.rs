//! The slopes of attention with linear biases (Press et al. 2022), as the models that have them count them.

/// BLOOM's and Falcon's: powers of one number, and for heads beyond a power of two every other power of its root.
pub fn slopes(heads: usize) -> Vec<f32> {
    let below = 1 << heads.max(1).ilog2();
    let base = |count: usize| -> f32 {
        let exponent = -((count as f64).log2() - 3.0);
        2f64.powf(-(2f64.powf(exponent))) as f32
    };
    let first = (1..=below).map(|power| base(below).powi(power as i32));
    let more = (0..heads - below).map(|place| base(2 * below).powi(2 * place as i32 + 1));
    first.chain(more).collect()
}

/// MPT's: those of the next power of two, every other one first where there are fewer heads.
pub fn mpt_slopes(heads: usize, steepest: f64) -> Vec<f32> {
    let above = heads.next_power_of_two();
    let all: Vec<f32> = (1..=above)
        .map(|power| 2f64.powf(-(power as f64) * steepest / above as f64) as f32)
        .collect();
    if above == heads {
        return all;
    }
    let odd = all.iter().skip(1).step_by(2);
    let even = all.iter().step_by(2);
    odd.chain(even).take(heads).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_paper() {
        let paper: Vec<f32> = (1..=8).map(|power| 0.5f32.powi(power)).collect();
        assert_eq!(slopes(8), paper);
        assert_eq!(mpt_slopes(8, 8.0), paper);
        // Twelve heads: those of eight, then every other of sixteen.
        let twelve = slopes(12);
        assert_eq!(twelve[..8], paper);
        assert!((twelve[8] - 0.5f32.sqrt()).abs() < 1e-6);
        assert_eq!(mpt_slopes(12, 8.0)[0], 0.5);
    }
}
