//! Keys and values from a narrow row in between (DeepSeek), on the GPU; its twin on CPU is `epicene-transformer/src/latent.rs`.

use super::CudaError;
use super::attention::DeviceAttention;
use super::device::Device;
use super::operations::{Operations, Tensor};
use super::weights::{DeviceLinear, DeviceNorm};
use epicene_kernels::AttentionShape;
use epicene_transformer::Latent;

#[derive(Debug)]
pub struct DeviceLatent {
    query: Option<(DeviceLinear, DeviceNorm)>,
    down: DeviceLinear,
    norm: DeviceNorm,
    rank: usize,
    turning: usize,
    still: usize,
    pub value: usize,
}

impl DeviceLatent {
    pub fn new(device: &Device, latent: &Latent) -> Result<DeviceLatent, CudaError> {
        Ok(DeviceLatent {
            query: match &latent.query {
                Some((down, norm)) => Some((
                    DeviceLinear::of_odd_width(device, down)?,
                    DeviceNorm::new(device, norm)?,
                )),
                None => None,
            },
            down: DeviceLinear::of_odd_width(device, &latent.down)?,
            norm: DeviceNorm::new(device, &latent.norm)?,
            rank: latent.norm.width(),
            turning: latent.turning,
            still: latent.still,
            value: latent.value,
        })
    }

    /// Queries and keys before they are turned, and values.
    pub fn project(
        &self,
        operations: &Operations,
        attention: &DeviceAttention,
        how: &AttentionShape,
        asking: &Tensor,
        input: &Tensor,
    ) -> Result<(Tensor, Tensor), CudaError> {
        let packed = match &self.query {
            None => operations.with_bias(&attention.query, asking)?,
            Some((down, norm)) => {
                let narrow = operations.linear(down, asking)?;
                let bias = down.bias.as_ref();
                operations.norm_columns(&narrow, bias, norm, narrow.columns, &narrow)?;
                operations.with_bias(&attention.query, &narrow)?
            }
        };
        let query = operations.resize_heads(&packed, how.heads, how.head_size)?;
        let down = operations.with_bias(&self.down, input)?;
        let narrow = operations.tensor(down.rows, self.rank)?;
        operations.norm_columns(&down, None, &self.norm, self.rank, &narrow)?;
        let up = operations.with_bias(&attention.key_value, &narrow)?;
        let (turning, still, value) = (self.turning, self.still, self.value);
        let key_value =
            operations.unfold_latent(&up, &down, self.rank, how, [turning, still, value])?;
        Ok((query, key_value))
    }
}
