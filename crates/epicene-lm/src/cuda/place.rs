//! Where a model is put: on the GPU that was named, on one that is found, or on the processor.

use std::sync::Arc;

use super::device::width;
use super::{CudaError, Device, DeviceModel, Dtype, Placed, Placement};
use crate::checkpoint::{CheckpointError, Weights};
use crate::cpu::Precision;
use crate::model::EngineOptions;
use crate::transformer::Transformer;

/// Memory that is left for the work itself.
const RESERVE: usize = 1 << 30;

pub struct Placing {
    pub transformer: Transformer,
    pub device: Option<DeviceModel>,
    /// Why there is no device, where one was looked for.
    pub not_on_device: Option<String>,
}

/// Loads a model where the options want it. `load` builds it from weights that say where they go.
pub fn place(
    options: EngineOptions,
    stored: Precision,
    weights: &Arc<dyn Weights>,
    load: impl Fn(Arc<dyn Weights>) -> Result<Transformer, CheckpointError>,
) -> Result<Placing, CheckpointError> {
    let ordinal = match options.placement {
        Placement::Cpu => None,
        Placement::Cuda(ordinal) => Some(ordinal),
        // The usual machine: no driver, nothing to say.
        Placement::Auto if !Device::driver_present() => None,
        Placement::Auto => Some(0),
    };
    let Some(ordinal) = ordinal else {
        return Ok(Placing {
            transformer: load(weights.clone())?,
            device: None,
            not_on_device: None,
        });
    };
    let dtype = options.dtype.unwrap_or(Dtype::of(stored));
    match on_device(ordinal, dtype, weights, &load) {
        Ok((transformer, device)) => Ok(Placing {
            transformer,
            device: Some(device),
            not_on_device: None,
        }),
        Err(CheckpointError::Cuda(reason)) if options.placement == Placement::Auto => Ok(Placing {
            transformer: load(weights.clone())?,
            device: None,
            not_on_device: Some(reason.to_string()),
        }),
        Err(error) => Err(error),
    }
}

fn on_device(
    ordinal: usize,
    dtype: Dtype,
    weights: &Arc<dyn Weights>,
    load: &impl Fn(Arc<dyn Weights>) -> Result<Transformer, CheckpointError>,
) -> Result<(Transformer, DeviceModel), CheckpointError> {
    let device = Device::open(ordinal, dtype)?;
    let numbers: usize = weights
        .names()
        .iter()
        .filter_map(|name| weights.shape(name))
        .map(|shape| shape.iter().product::<usize>())
        .sum();
    let (needed, free) = (
        numbers * width(dtype.precision()) + RESERVE,
        device.free_bytes()?,
    );
    if needed > free {
        return Err(CheckpointError::Cuda(CudaError::Memory {
            needed_gb: needed as f64 / 1e9,
            free_gb: free as f64 / 1e9,
        }));
    }
    let placed = Arc::new(Placed {
        weights: weights.clone(),
        device: device.clone(),
    });
    let transformer = load(placed)?;
    let model = DeviceModel::new(device, &transformer)?;
    Ok((transformer, model))
}
