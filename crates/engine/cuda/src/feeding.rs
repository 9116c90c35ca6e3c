//! The second half of a layer on the device: a network that all tokens pass through, experts that they choose, or both.

use super::CudaError;
use super::device::{Buffer, Device};
use super::experts::DeviceExperts;
use super::operations::{Operations, Tensor};
use super::product::{Lines, Product};
use super::weights::{DeviceLinear, vector};
use epicene_kernels::{Activation, Linear};
use epicene_transformer::{FeedForward, Layer};

#[derive(Debug)]
pub struct DeviceFeeding {
    network: Option<DeviceNetwork>,
    experts: Option<DeviceExperts>,
}

impl DeviceFeeding {
    pub fn new(device: &Device, layer: &Layer) -> Result<DeviceFeeding, CudaError> {
        let network = if layer.feed_forward.input.is_empty() {
            None
        } else {
            Some(DeviceNetwork::new(device, &layer.feed_forward)?)
        };
        let experts = match &layer.experts {
            Some(experts) => Some(DeviceExperts::new(device, experts)?),
            None => None,
        };
        if network.is_none() && experts.is_none() {
            return Err(CudaError::Unsupported("a layer without a network"));
        }
        Ok(DeviceFeeding { network, experts })
    }

    pub fn numbers_per_token(&self) -> usize {
        let network = self.network.as_ref();
        let experts = self.experts.as_ref();
        network.map_or(0, |network| network.input.outputs + network.output.inputs)
            + experts.map_or(0, DeviceExperts::numbers_per_token)
    }

    /// What is added to the residual stream, with the bias that is still to be added.
    pub fn apply(
        &self,
        operations: &Operations,
        input: &Tensor,
    ) -> Result<(Tensor, Option<&Buffer>), CudaError> {
        let shared = match &self.network {
            Some(network) => Some(network.apply(operations, input)?),
            None => None,
        };
        let bias = self
            .network
            .as_ref()
            .and_then(|network| network.output.bias.as_ref());
        match (&self.experts, shared) {
            (Some(experts), shared) => {
                if let Some(shared) = &shared {
                    operations.activate(shared, bias, Activation::Identity)?;
                }
                Ok((experts.apply(operations, input, shared.as_ref())?, None))
            }
            (None, shared) => Ok((shared.expect("a layer has a network or experts"), bias)),
        }
    }
}

/// Linear maps of equal slices of the input, side by side; one as a rule.
#[derive(Debug)]
struct Grouped {
    maps: Vec<DeviceLinear>,
    bias: Option<Buffer>,
    inputs: usize,
    outputs: usize,
}

impl Grouped {
    fn new(device: &Device, maps: &[Linear]) -> Result<Grouped, CudaError> {
        let bias: Vec<f32> = maps.iter().flat_map(|map| map.bias.clone()).collect();
        let maps = maps.iter().map(|map| DeviceLinear::new(device, map));
        let maps = maps.collect::<Result<Vec<DeviceLinear>, _>>()?;
        let sum = |size: fn(&DeviceLinear) -> usize| maps.iter().map(size).sum();
        Ok(Grouped {
            bias: vector(device, &bias)?,
            inputs: sum(|map| map.inputs),
            outputs: sum(|map| map.outputs),
            maps,
        })
    }

    fn apply(&self, operations: &Operations, input: &Tensor) -> Result<Tensor, CudaError> {
        if let [one] = self.maps.as_slice() {
            return operations.linear(one, input);
        }
        input.must_have(0, self.inputs);
        let out = operations.tensor(input.rows, self.outputs)?;
        let (mut from, mut to) = (0, 0);
        for map in &self.maps {
            operations.device.product(Product {
                rows: input.rows,
                inputs: map.inputs,
                outputs: map.outputs,
                input: columns_from(input, from),
                weights: Lines::of(&map.weight, 0, map.inputs),
                out: columns_from(&out, to),
                out_precision: operations.device.precision(),
                times: 1,
            })?;
            from += map.inputs;
            to += map.outputs;
        }
        Ok(out)
    }
}

/// Rows from a column on.
fn columns_from(tensor: &Tensor, first: usize) -> Lines<'_> {
    Lines {
        first,
        ..Lines::of(&tensor.buffer, 0, tensor.columns)
    }
}

#[derive(Debug)]
struct DeviceNetwork {
    input: Grouped,
    gated: bool,
    activation: Activation,
    bound: Option<f32>,
    /// Standard deviations above the mean below which gates are closed.
    cutoff: Option<f32>,
    output: Grouped,
}

impl DeviceNetwork {
    fn new(device: &Device, network: &FeedForward) -> Result<DeviceNetwork, CudaError> {
        Ok(DeviceNetwork {
            input: Grouped::new(device, &network.input)?,
            gated: network.gated,
            activation: network.activation,
            bound: network.bound,
            cutoff: network.cutoff,
            output: Grouped::new(device, &network.output)?,
        })
    }

    fn apply(&self, operations: &Operations, input: &Tensor) -> Result<Tensor, CudaError> {
        let inner = self.input.apply(operations, input)?;
        let mut bias = self.input.bias.as_ref();
        let inner = if self.gated {
            if let Some(deviations) = self.cutoff {
                operations.activate(&inner, bias.take(), Activation::Identity)?;
                operations.cut_off(&inner, inner.columns / 2, deviations)?;
            }
            operations.gate(&inner, bias, None, self.activation, self.bound)?
        } else {
            operations.activate(&inner, bias, self.activation)?;
            inner
        };
        self.output.apply(operations, &inner)
    }
}
