//! Where a model is put: on the GPU that was named, on one that is found, or on the processor.

use std::sync::Arc;

use super::{CudaError, Device, Dtype, Placed, Placement};
use crate::checkpoint::{CheckpointError, Weights};
use crate::cpu::Precision;

/// Memory that is left for the work itself.
const RESERVE: usize = 1 << 30;

/// A model, and what runs it on a device.
pub struct Placing<Model, There> {
    pub model: Model,
    pub device: Option<There>,
    /// Why there is no device, where one was looked for.
    pub not_on_device: Option<String>,
}

/// Loads a model where it is wanted. `load` builds it from weights that say where they go, `there`
/// takes over what lies on the device then.
pub fn place<Model, There>(
    placement: Placement,
    dtype: Option<Dtype>,
    stored: Precision,
    weights: &Arc<dyn Weights>,
    load: impl Fn(Arc<dyn Weights>) -> Result<Model, CheckpointError>,
    there: impl Fn(Arc<Device>, &Model) -> Result<There, CheckpointError>,
) -> Result<Placing<Model, There>, CheckpointError> {
    let here = |not_on_device| {
        Ok(Placing {
            model: load(weights.clone())?,
            device: None,
            not_on_device,
        })
    };
    let ordinal = match placement {
        Placement::Cpu => return here(None),
        Placement::Cuda(ordinal) => ordinal,
        // The usual machine: no driver, nothing to say.
        Placement::Auto if !Device::driver_present() => return here(None),
        Placement::Auto => 0,
    };
    let placed = || -> Result<Placing<Model, There>, CheckpointError> {
        let device = Device::open(ordinal, dtype.unwrap_or(Dtype::of(stored)))?;
        refuse_what_does_not_fit(&device, &**weights)?;
        let model = load(Arc::new(Placed {
            weights: weights.clone(),
            device: device.clone(),
        }))?;
        Ok(Placing {
            device: Some(there(device, &model)?),
            model,
            not_on_device: None,
        })
    };
    match placed() {
        Err(CheckpointError::Cuda(reason)) if placement == Placement::Auto => {
            here(Some(reason.to_string()))
        }
        other => other,
    }
}

fn refuse_what_does_not_fit(device: &Device, weights: &dyn Weights) -> Result<(), CudaError> {
    let numbers: usize = weights
        .names()
        .iter()
        .filter_map(|name| weights.shape(name))
        .map(|shape| shape.iter().product::<usize>())
        .sum();
    let needed = numbers * device.precision().bytes() + RESERVE;
    let free = device.free_bytes()?;
    match needed > free {
        true => Err(CudaError::Memory {
            needed_gb: needed as f64 / 1e9,
            free_gb: free as f64 / 1e9,
        }),
        false => Ok(()),
    }
}
