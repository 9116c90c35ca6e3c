//! Heads of odd widths, filled up with zeros to a width that the kernels take: the zeros change no score, and what is mixed
//! of them meets zeros again.

use std::sync::Arc;

use super::CudaError;
use super::device::Device;
use super::weights::{DeviceLinear, vector};
use epicene_kernels::{Linear, Norm};

/// The widest head.
const WIDEST: usize = 256;

/// How many features heads have, and with how many they are filled up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filling {
    from: usize,
    to: usize,
}

impl Filling {
    pub fn of(head_size: usize) -> Result<Filling, CudaError> {
        if head_size > WIDEST {
            Err(CudaError::Unsupported("heads wider than 256"))
        } else {
            Ok(Filling {
                from: head_size,
                to: head_size.next_multiple_of(4),
            })
        }
    }

    pub fn is_needed(self) -> bool {
        self.from != self.to
    }

    /// Features of a head on the device.
    pub fn head_size(self) -> usize {
        self.to
    }

    /// So many features of heads side by side, on the device.
    pub fn width(self, width: usize) -> usize {
        width / self.from * self.to
    }

    /// Rows of heads side by side.
    pub fn numbers(self, values: &[f32]) -> Vec<f32> {
        if self.is_needed() {
            filled(values, self.from, self.to)
        } else {
            values.to_vec()
        }
    }

    /// A map to heads side by side.
    pub fn outputs(self, device: &Device, map: &Linear) -> Result<DeviceLinear, CudaError> {
        if !self.is_needed() {
            return DeviceLinear::new(device, map);
        }
        let plain = DeviceLinear::of_any_width(device, map)?;
        if !plain.inputs.is_multiple_of(4) {
            return Err(CudaError::ODD_LAYER);
        }
        let row = plain.inputs * device.precision().bytes();
        Ok(DeviceLinear {
            weight: self.weight(device, &plain, row)?,
            bias: vector(device, &self.numbers(&map.bias))?,
            outputs: self.width(plain.outputs),
            inputs: plain.inputs,
        })
    }

    /// A map from heads side by side.
    pub fn inputs(self, device: &Device, map: &Linear) -> Result<DeviceLinear, CudaError> {
        if !self.is_needed() {
            return DeviceLinear::new(device, map);
        }
        let plain = DeviceLinear::of_any_width(device, map)?;
        if !plain.outputs.is_multiple_of(4) {
            return Err(CudaError::ODD_LAYER);
        }
        Ok(DeviceLinear {
            weight: self.weight(device, &plain, device.precision().bytes())?,
            inputs: self.width(plain.inputs),
            ..plain
        })
    }

    /// A map's weights, where a feature of a head has so many bytes. No published checkpoint has such heads: they go through
    /// this machine's memory.
    fn weight(
        self,
        device: &Device,
        map: &DeviceLinear,
        bytes: usize,
    ) -> Result<Arc<super::Buffer>, CudaError> {
        let all = map.outputs * map.inputs * device.precision().bytes();
        let stored: Vec<u8> = device.download(&map.weight, all)?;
        let filled = filled(&stored, self.from * bytes, self.to * bytes);
        Ok(Arc::new(device.upload(&filled)?))
    }

    /// A norm of heads that does the same to filled ones.
    pub fn norm(self, norm: &Norm) -> Result<Norm, CudaError> {
        match norm {
            _ if !self.is_needed() => Ok(norm.clone()),
            Norm::RootMeanSquare { weight, epsilon } => {
                // The mean of the squares is taken over more numbers.
                let share = self.from as f32 / self.to as f32;
                let mut weight = self.numbers(weight);
                weight.iter_mut().for_each(|weight| *weight *= share.sqrt());
                Ok(Norm::RootMeanSquare {
                    weight,
                    epsilon: epsilon * share,
                })
            }
            Norm::Each(norms) => {
                let norms = norms.iter().map(|norm| self.norm(norm));
                Ok(Norm::Each(norms.collect::<Result<_, _>>()?))
            }
            Norm::Layer { .. } => Err(CudaError::Unsupported(
                "layer norms of heads whose width is no multiple of four",
            )),
        }
    }
}

/// Runs of `from` values, each filled up to `to` of them.
fn filled<T: bytemuck::Zeroable + Copy>(values: &[T], from: usize, to: usize) -> Vec<T> {
    let mut out = Vec::with_capacity(values.len() / from * to);
    for run in values.chunks_exact(from) {
        out.extend_from_slice(run);
        out.resize(out.len() + to - from, T::zeroed());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_filled_one_by_one() {
        let filling = Filling::of(3).unwrap();
        assert_eq!(
            filling.numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            [1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0, 0.0]
        );
        assert_eq!((filling.width(6), filling.head_size()), (8, 4));
        assert!(!Filling::of(64).unwrap().is_needed());
        assert!(Filling::of(260).is_err());
    }

    #[test]
    fn a_norm_of_filled_heads_gives_the_same() {
        let weight = vec![0.5, -1.5, 2.0, 0.25, 1.0, 3.0];
        let norm = Norm::RootMeanSquare {
            weight,
            epsilon: 1e-2,
        };
        let filling = Filling::of(6).unwrap();
        let values = [0.3, -0.2, 1.7, 0.9, -2.0, 0.01];
        let row = |data: Vec<f32>| epicene_kernels::Matrix {
            rows: 1,
            columns: data.len(),
            data,
        };
        let mut expected = row(values.to_vec());
        norm.apply(&mut expected);
        let mut found = row(filling.numbers(&values));
        filling.norm(&norm).unwrap().apply(&mut found);
        for (expected, found) in expected.data.iter().zip(&found.data) {
            assert!((expected - found).abs() < 1e-6, "{expected} and {found}");
        }
        assert_eq!(found.data[6..], [0.0, 0.0]);
    }
}
