//! Attention on the device: queries, keys and values from a layer's input, what they see, and what comes of it.

use super::CudaError;
use super::attending::{Asking, Scores};
use super::batch::{DeviceBatch, Growing};
use super::device::{Buffer, Device};
use super::filling::Filling;
use super::latent::DeviceLatent;
use super::operations::{Operations, Tensor};
use super::spans::DeviceSpan;
use super::weights::{DeviceLinear, DeviceNorm, vector};
use epicene_kernels::{Activation, AttentionShape, Norm, Precision};
use epicene_transformer::Attention;

#[derive(Debug)]
pub struct DeviceAttention {
    how: AttentionShape,
    scores: Scores,
    pub query: DeviceLinear,
    pub key_value: DeviceLinear,
    key_bias: Option<Buffer>,
    value_bias: Option<Buffer>,
    pub output: DeviceLinear,
    rotary: Option<(Buffer, usize, f32)>,
    query_norm: Option<DeviceNorm>,
    key_norm: Option<DeviceNorm>,
    value_norm: Option<DeviceNorm>,
    /// Bound of queries, keys and values.
    clip: Option<f32>,
    latent: Option<DeviceLatent>,
    span: Option<DeviceSpan>,
}

/// Queries, and keys and values, with the biases that the first operation on them adds.
struct Projected<'a> {
    query: Tensor,
    key_value: Tensor,
    query_bias: Option<&'a Buffer>,
    key_bias: Option<&'a Buffer>,
    value_bias: Option<&'a Buffer>,
}

impl DeviceAttention {
    pub fn new(device: &Device, attention: &Attention) -> Result<DeviceAttention, CudaError> {
        let mut how = attention.how.clone();
        let latent = attention.latent.is_some();
        if latent {
            // Heads are filled up with zeros anyway.
            how.head_size = how.head_size.next_multiple_of(4);
        }
        let filling = Filling::of(how.head_size)?;
        if filling.is_needed() && attention.span.is_some() {
            return Err(CudaError::Unsupported(
                "convolutions beside heads whose width is no multiple of four",
            ));
        }
        for (norm, heads) in [
            (&attention.query_norm, how.heads),
            (&attention.key_norm, how.key_heads),
            (&attention.value_norm, 1),
        ] {
            let widths = [how.head_size, heads * how.head_size];
            if norm
                .as_ref()
                .is_some_and(|norm| !widths.contains(&norm.width()))
            {
                return Err(CudaError::Unsupported("norms over some of the heads"));
            }
        }
        how.head_size = filling.head_size();
        let biases = filling.numbers(&attention.key_value.bias);
        let keys = how.key_heads * how.head_size;
        let (key_bias, value_bias) = if biases.is_empty() || latent {
            (None, None)
        } else {
            (
                vector(device, &biases[..keys])?,
                vector(device, &biases[keys..])?,
            )
        };
        let norm = |norm: &Option<Norm>| -> Result<Option<DeviceNorm>, CudaError> {
            let filled = norm.as_ref().map(|norm| filling.norm(norm)).transpose()?;
            DeviceNorm::maybe(device, filled.as_ref())
        };
        let to_heads = |map| {
            if latent {
                DeviceLinear::of_odd_width(device, map)
            } else {
                filling.outputs(device, map)
            }
        };
        Ok(DeviceAttention {
            scores: Scores::new(device, attention, filling)?,
            query: to_heads(&attention.query)?,
            key_value: to_heads(&attention.key_value)?,
            key_bias,
            value_bias,
            output: if latent {
                DeviceLinear::of_odd_width(device, &attention.output)?
            } else {
                filling.inputs(device, &attention.output)?
            },
            rotary: match &attention.rotary {
                Some(turns) => Some((
                    device.upload(&turns.frequencies)?,
                    turns.frequencies.len(),
                    turns.factor,
                )),
                None => None,
            },
            query_norm: norm(&attention.query_norm)?,
            key_norm: norm(&attention.key_norm)?,
            value_norm: norm(&attention.value_norm)?,
            clip: attention.clip,
            latent: match &attention.latent {
                Some(latent) => Some(DeviceLatent::new(device, latent)?),
                None => None,
            },
            span: match &attention.span {
                Some(span) => Some(DeviceSpan::new(device, span)?),
                None => None,
            },
            how,
        })
    }

    /// Bytes of a token's keys and values, where it has its own.
    pub fn kept_bytes(&self, precision: Precision) -> usize {
        if self.key_value.outputs == 0 {
            return 0;
        }
        2 * self.how.key_heads * self.how.head_size * precision.bytes()
    }

    /// Numbers that one token needs here, generously.
    pub fn numbers_per_token(&self) -> usize {
        let heads = self.how.heads * self.how.head_size;
        let relative = self.scores.relative_numbers(self.how.heads);
        4 * heads + 2 * self.key_value.outputs + relative
    }

    fn project<'a>(
        &'a self,
        operations: &Operations,
        batch: &DeviceBatch,
        asking: &Tensor,
        asked: &Asking,
        input: &Tensor,
        whole: bool,
    ) -> Result<Projected<'a>, CudaError> {
        let how = &self.how;
        let mut projected = match &self.latent {
            Some(latent) => {
                let (query, key_value) = latent.project(operations, self, how, asking, input)?;
                Projected {
                    query,
                    key_value,
                    query_bias: None,
                    key_bias: None,
                    value_bias: None,
                }
            }
            // The first operation on the heads adds the bias: a norm, the rotation, or attention itself.
            None => Projected {
                query: operations.linear(&self.query, asking)?,
                key_value: operations.linear(&self.key_value, input)?,
                query_bias: self.query.bias.as_ref(),
                key_bias: self.key_bias.as_ref(),
                value_bias: self.value_bias.as_ref(),
            },
        };
        let normed = self.value_norm.is_some();
        let whole = whole || self.scores.is_relative() || self.span.is_some() || normed;
        if self.latent.is_none() && (whole || self.clip.is_some()) {
            let all = self.key_value.bias.as_ref();
            match self.clip.filter(|_| self.query_norm.is_none()) {
                Some(bound) => {
                    operations.bound(&projected.query, projected.query_bias.take(), bound)?;
                    operations.bound(&projected.key_value, all, bound)?;
                }
                None => {
                    let plain = Activation::Identity;
                    operations.activate(&projected.query, projected.query_bias.take(), plain)?;
                    operations.activate(&projected.key_value, all, plain)?;
                }
            }
            (projected.key_bias, projected.value_bias) = (None, None);
        }
        let rotary = self
            .rotary
            .as_ref()
            .map(|(frequencies, half, factor)| (frequencies, *half, *factor));
        for (tensor, bias, norm, heads, positions) in [
            (
                &projected.query,
                &mut projected.query_bias,
                self.query_norm.as_ref(),
                how.heads,
                asked.positions,
            ),
            (
                &projected.key_value,
                &mut projected.key_bias,
                self.key_norm.as_ref(),
                how.key_heads,
                batch.positions,
            ),
        ] {
            let width = heads * how.head_size;
            if tensor.columns == 0 {
                // Keys and values are another layer's.
                continue;
            }
            let over_all = norm.filter(|norm| norm.is_one_of(width) && heads > 1);
            if let Some(norm) = over_all {
                operations.norm_columns(tensor, bias.take(), norm, width, tensor)?;
                if let Some(bound) = self.clip {
                    operations.bound(tensor, None, bound)?;
                }
            }
            let of_heads = norm.filter(|_| over_all.is_none());
            if rotary.is_some() || of_heads.is_some() {
                let size = how.head_size;
                let bias = bias.take();
                operations.rotate(tensor, 0, bias, heads, size, of_heads, rotary, positions)?;
            }
        }
        if let Some(norm) = &self.value_norm {
            let (heads, size, norm) = (how.key_heads, how.head_size, Some(norm));
            let (values, at) = (&projected.key_value, batch.positions);
            operations.rotate(values, heads * size, None, heads, size, norm, None, at)?;
        }
        Ok(projected)
    }

    /// What a layer adds, and its own keys and values. `growing` has those that are kept from pass to pass, and this layer's
    /// number. Where another layer's are read, they are `keys`, and the number is that layer's.
    #[allow(clippy::too_many_arguments)]
    pub fn apply(
        &self,
        operations: &Operations,
        batch: &DeviceBatch,
        input: &Tensor,
        only_read: bool,
        received: Option<&Buffer>,
        growing: Option<(&Growing<'_>, usize)>,
        keys: Option<&Tensor>,
    ) -> Result<(Tensor, Tensor), CudaError> {
        let how = &self.how;
        let chosen = if only_read {
            Some(operations.gather(input, batch.read_rows, batch.reads)?)
        } else {
            None
        };
        let asking = chosen.as_ref().unwrap_or(input);
        let asked = if only_read {
            Asking {
                starts: batch.read_starts,
                positions: batch.read_positions,
            }
        } else {
            Asking {
                starts: batch.starts,
                positions: batch.positions,
            }
        };
        let whole = growing.is_some();
        let projected = self.project(operations, batch, asking, &asked, input, whole)?;
        let query = &projected.query;
        let key_value = keys.unwrap_or(&projected.key_value);
        let mut listed = None;
        if let Some((growing, index)) = growing {
            let cache = &growing.cache.layers[index];
            if keys.is_none() {
                operations.scatter(key_value, 0, growing.slots, key_value.columns, cache)?;
            }
            let seen = if only_read { growing.read } else { growing.all };
            listed = (!growing.fresh).then_some((cache, seen));
        }
        let mut mixed = match listed {
            Some((cache, seen)) => {
                operations.attend_listed(how, &self.scores, query, cache, seen)?
            }
            None => {
                let by_head = match received {
                    Some(_) => Some(operations.device.zeros(4 * how.heads * batch.tokens)?),
                    None => None,
                };
                let biases = [
                    projected.query_bias.into(),
                    projected.key_bias.into(),
                    projected.value_bias.into(),
                ];
                let mixed = operations.attend(
                    how,
                    &self.scores,
                    query,
                    key_value,
                    biases,
                    batch,
                    &asked,
                    by_head.as_ref(),
                )?;
                if let (Some(by_head), Some(received)) = (&by_head, received) {
                    operations.sum_heads(by_head, how.heads, batch.tokens, received)?;
                }
                mixed
            }
        };
        if let Some(span) = &self.span {
            mixed = span.apply(operations, batch, &asked, input, asking, query, &mixed)?;
        }
        if let Some(latent) = &self.latent {
            mixed = operations.resize_heads(&mixed, how.heads, latent.value)?;
        }
        let out = operations.linear(&self.output, &mixed)?;
        Ok((out, projected.key_value))
    }
}
