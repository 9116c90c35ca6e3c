//! CPS and SSS: likelihoods of a sentence that depend on the sentence it is compared with (MBE
//! specification, section 6; "Unmasking the Mask", section 3).

use super::alignment::{Tag, opcodes};

/// The positions two sentences share and those in which they differ, special tokens included.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PairSpans {
    /// U, for the first and for the second sentence; equally many.
    pub shared: [Vec<usize>; 2],
    /// M, likewise.
    pub modified: [Vec<usize>; 2],
}

impl PairSpans {
    /// Aligns two sequences of token ids as the released scripts do (difflib with its `autojunk`).
    pub fn of(first: &[u32], second: &[u32]) -> PairSpans {
        let mut spans = PairSpans::default();
        for opcode in opcodes(first, second, true) {
            let list = match opcode.tag {
                Tag::Equal => &mut spans.shared,
                Tag::Replace | Tag::Delete | Tag::Insert => &mut spans.modified,
            };
            list[0].extend(opcode.a.0..opcode.a.1);
            list[1].extend(opcode.b.0..opcode.b.1);
        }
        spans
    }
}

/// The positions CPS masks, one at a time: the shared ones without the first and the last, which are
/// the special tokens.
pub fn cps_positions(shared: &[usize]) -> &[usize] {
    match shared {
        [_, positions @ .., _] => positions,
        _ => &[],
    }
}

/// CPS: the plain sum of the log-probabilities of the tokens at [`cps_positions`], each taken from the
/// run in which it alone is masked.
pub fn cps(log_prob: &[f64]) -> f64 {
    log_prob.iter().sum()
}

/// SSS: the mean log-probability of the modified tokens, all masked in one run; `None` where a
/// sentence has none.
pub fn sss(log_prob: &[f64]) -> Option<f64> {
    if log_prob.is_empty() {
        None
    } else {
        Some(log_prob.iter().sum::<f64>() / log_prob.len() as f64)
    }
}

/// SSS as the released code computes it: at each of the k masked positions the log-probabilities of
/// all k gold tokens, k × k numbers averaged. `log_prob` holds them row by row; `None` if there are
/// not k × k of them, or none.
pub(crate) fn sss_released(log_prob: &[f64], k: usize) -> Option<f64> {
    if log_prob.len() == k * k {
        sss(log_prob)
    } else {
        None
    }
}

/// StereoSet's own score of a word in its context: the mean probability of its parts, each from the run
/// in which it is masked after the parts before it. `log_prob` holds their logarithms.
pub fn filled_blank(log_prob: &[f64]) -> Option<f64> {
    if log_prob.is_empty() {
        None
    } else {
        let sum: f64 = log_prob.iter().map(|log_prob| log_prob.exp()).sum();
        Some(sum / log_prob.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_a_swapped_word() {
        let spans = PairSpans::of(&[2, 10, 11, 12, 3], &[2, 20, 21, 11, 12, 3]);
        assert_eq!(spans.shared, [vec![0, 2, 3, 4], vec![0, 3, 4, 5]]);
        assert_eq!(spans.modified, [vec![1], vec![1, 2]]);
        assert_eq!(cps_positions(&spans.shared[1]), [3, 4]);
    }

    #[test]
    fn sums_and_means() {
        assert_eq!(cps(&[-1.0, -2.0]), -3.0);
        assert_eq!(sss(&[-1.0, -2.0]), Some(-1.5));
        assert_eq!(sss(&[]), None);
        assert_eq!(sss_released(&[-1.0, -2.0, -3.0, -4.0], 2), Some(-2.5));
        assert_eq!(sss_released(&[-1.0], 2), None);
    }
}
