//! Weights in four bits (MXFP4, Open Compute Project 2023): blocks of 32 numbers of four bits each under one power of two.
//! A tensor is stored as two of bytes, `NAME_blocks` and `NAME_scales`; here it is one of numbers, `NAME_blocks`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{CheckpointError, Weights};
use epicene_kernels::Precision;

/// Numbers of a block, and the bytes they take.
const BLOCK: usize = 32;
const BYTES: usize = BLOCK / 2;
/// A sign, two bits of exponent, one of fraction.
const VALUES: [f32; 16] = [
    0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0,
];
/// The power of two that is stored as zero.
const BIAS: i32 = 127;

/// Weights some of which are in four bits.
#[derive(Debug)]
pub struct FourBits {
    weights: Arc<dyn Weights>,
    /// Shapes of the numbers.
    tensors: BTreeMap<String, Vec<usize>>,
}

impl FourBits {
    pub fn over(weights: Arc<dyn Weights>) -> Result<FourBits, CheckpointError> {
        let mut tensors = BTreeMap::new();
        for (name, shape) in weights.byte_tensors() {
            let Some(stem) = name.strip_suffix("_blocks") else {
                continue;
            };
            let malformed = |problem: String| CheckpointError::Malformed {
                file: weights.file_of(name).to_owned(),
                problem: format!("`{name}`: {problem}"),
            };
            let Some((&BYTES, blocks)) = shape.split_last() else {
                return Err(malformed(format!("blocks are not of {BYTES} bytes")));
            };
            let scales = format!("{stem}_scales");
            let found = weights
                .byte_tensors()
                .into_iter()
                .find(|(name, _)| *name == scales);
            if found.is_none_or(|(_, shape)| shape != blocks) {
                return Err(malformed(format!(
                    "`{scales}` has no number for each block"
                )));
            }
            let mut shape = blocks.to_vec();
            if let Some(last) = shape.last_mut() {
                *last *= BLOCK;
            }
            tensors.insert(name.to_owned(), shape);
        }
        Ok(FourBits { weights, tensors })
    }
}

/// The numbers of whole blocks.
fn widen(blocks: &[u8], scales: &[u8], out: &mut [f32]) {
    for ((block, scale), out) in blocks
        .chunks_exact(BYTES)
        .zip(scales)
        .zip(out.chunks_exact_mut(BLOCK))
    {
        let scale = 2f32.powi(i32::from(*scale) - BIAS);
        for (byte, out) in block.iter().zip(out.chunks_exact_mut(2)) {
            out[0] = VALUES[usize::from(byte & 15)] * scale;
            out[1] = VALUES[usize::from(byte >> 4)] * scale;
        }
    }
}

impl Weights for FourBits {
    fn inner(&self) -> Option<&dyn Weights> {
        Some(&*self.weights)
    }

    fn shape(&self, name: &str) -> Option<&[usize]> {
        match self.tensors.get(name) {
            Some(shape) => Some(shape),
            None => self.weights.shape(name),
        }
    }

    /// Sixteen bits hold every such number.
    fn precision(&self, name: &str) -> Option<Precision> {
        if self.tensors.contains_key(name) {
            Some(Precision::Bf16)
        } else {
            self.weights.precision(name)
        }
    }

    fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        let Some(stem) = name
            .strip_suffix("_blocks")
            .filter(|_| self.tensors.contains_key(name))
        else {
            return self.weights.read(name, first, out);
        };
        let (start, end) = (first / BLOCK, (first + out.len()).div_ceil(BLOCK));
        let mut blocks = vec![0; (end - start) * BYTES];
        let mut scales = vec![0; end - start];
        self.weights.read_bytes(name, start * BYTES, &mut blocks)?;
        self.weights
            .read_bytes(&format!("{stem}_scales"), start, &mut scales)?;
        let mut wide = vec![0.0; (end - start) * BLOCK];
        widen(&blocks, &scales, &mut wide);
        out.copy_from_slice(&wide[first - start * BLOCK..][..out.len()]);
        Ok(())
    }

    fn read_kept(
        &self,
        name: &str,
        first: usize,
        precision: Precision,
        out: &mut [u8],
    ) -> Result<bool, CheckpointError> {
        if self.tensors.contains_key(name) {
            Ok(false)
        } else {
            self.weights.read_kept(name, first, precision, out)
        }
    }

    fn names(&self) -> Vec<&str> {
        let wide = self.tensors.keys().map(String::as_str);
        self.weights.names().into_iter().chain(wide).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bits_are_widened_low_half_first() {
        let mut blocks = [0u8; BYTES];
        blocks[0] = 0x2f;
        blocks[BYTES - 1] = 0x71;
        let mut out = [9.0; BLOCK];
        widen(&blocks, &[129], &mut out);
        assert_eq!(out[..3], [-24.0, 4.0, 0.0]);
        assert_eq!(out[BLOCK - 2..], [2.0, 24.0]);
    }
}
