//! Weights in eight-bit floats under a scale for each block (DeepSeek-V3 and its kin: `quantization_config` with `fp8`): a matrix
//! `NAME` is stored as E4M3, and `NAME_scale_inv` has a number for each block of rows and columns, which its numbers are
//! multiplied by. Products are rounded to bfloat16, as the authors' own conversion and `transformers` do.

use half::bf16;

use super::{CheckpointError, StoredTensors, Weights};
use epicene_kernels::Precision;

const SCALES: &str = "_scale_inv";

/// Weights some of which are in eight bits.
#[derive(Debug)]
pub struct EightBits {
    weights: StoredTensors,
    /// Rows and columns of a block.
    block: [usize; 2],
}

impl EightBits {
    pub fn over(weights: StoredTensors, block: [usize; 2]) -> Result<EightBits, CheckpointError> {
        for name in weights.names() {
            if !weights.is_eight_bits(name) {
                continue;
            }
            let scales = weights.shape(&scales_of(name));
            let expected = match weights.shape(name) {
                Some([rows, columns]) => {
                    Some([rows.div_ceil(block[0]), columns.div_ceil(block[1])])
                }
                _ => None,
            };
            if expected.is_none_or(|expected| scales != Some(&expected)) {
                return Err(CheckpointError::Malformed {
                    file: weights.file_of(name).to_owned(),
                    problem: format!(
                        "`{}` has no number for each block of `{name}`",
                        scales_of(name)
                    ),
                });
            }
        }
        Ok(EightBits { weights, block })
    }

    /// Whether a tensor is the scales of another.
    fn is_scales(&self, name: &str) -> bool {
        let of = name.strip_suffix(SCALES);
        of.is_some_and(|name| self.weights.is_eight_bits(name))
    }
}

fn scales_of(name: &str) -> String {
    format!("{name}{SCALES}")
}

/// A sign, four bits of exponent, three of fraction; nothing is infinite, and only all ones is no number.
fn widen(byte: u8) -> f32 {
    let sign = if byte & 0x80 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(byte >> 3 & 15), f32::from(byte & 7) / 8.0);
    match (exponent, byte & 7) {
        (15, 7) => f32::NAN,
        (0, _) => sign * fraction * 2f32.powi(-6),
        _ => sign * (1.0 + fraction) * 2f32.powi(exponent - 7),
    }
}

impl Weights for EightBits {
    fn inner(&self) -> Option<&dyn Weights> {
        Some(&self.weights)
    }

    fn shape(&self, name: &str) -> Option<&[usize]> {
        self.weights.shape(name).filter(|_| !self.is_scales(name))
    }

    fn precision(&self, name: &str) -> Option<Precision> {
        self.weights
            .precision(name)
            .filter(|_| !self.is_scales(name))
    }

    fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        let columns = match self.weights.shape(name) {
            Some([_, columns]) if self.weights.is_eight_bits(name) => *columns,
            _ => return self.weights.read(name, first, out),
        };
        let mut bytes = vec![0; out.len()];
        self.weights.read_eight_bits(name, first, &mut bytes)?;
        let across = columns.div_ceil(self.block[1]);
        let mut scales = vec![0.0; across];
        let mut row_of_scales = None;
        for (place, (byte, out)) in (first..).zip(bytes.iter().zip(out)) {
            let (row, column) = (
                place / columns / self.block[0],
                place % columns / self.block[1],
            );
            if row_of_scales != Some(row) {
                self.weights
                    .read(&scales_of(name), row * across, &mut scales)?;
                row_of_scales = Some(row);
            }
            *out = bf16::from_f32(widen(*byte) * scales[column]).to_f32();
        }
        Ok(())
    }

    fn read_kept(
        &self,
        name: &str,
        first: usize,
        precision: Precision,
        out: &mut [u8],
    ) -> Result<bool, CheckpointError> {
        if self.weights.is_eight_bits(name) {
            Ok(false)
        } else {
            self.weights.read_kept(name, first, precision, out)
        }
    }

    fn names(&self) -> Vec<&str> {
        let mut names = self.weights.names();
        names.retain(|name| !self.is_scales(name));
        names
    }
}

#[cfg(test)]
mod tests {
    use super::widen;

    #[test]
    fn eight_bits_are_widened() {
        for (byte, wanted) in [
            (0x00, 0.0),
            (0x01, 2f32.powi(-9)),
            (0x07, 7.0 * 2f32.powi(-9)),
            (0x08, 2f32.powi(-6)),
            (0x38, 1.0),
            (0xb9, -1.125),
            (0x7e, 448.0),
            (0xfe, -448.0),
        ] {
            assert_eq!(widen(byte), wanted, "{byte:#x}");
        }
        assert!(widen(0x7f).is_nan() && widen(0xff).is_nan());
    }
}
