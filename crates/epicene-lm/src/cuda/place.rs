//! Where a model is put: on the GPU that was named, on one that is found, or on the processor.

use std::sync::Arc;

use super::{CudaError, Device, Dtype, Placed, Placement};
use crate::checkpoint::{CheckpointError, Weights};
use crate::cpu::{Narrow, Precision};

/// Memory that is left for the work itself.
const RESERVE: usize = 1 << 30;

/// A model, and what runs it on a device.
pub struct Placing<Model, There> {
    pub model: Model,
    pub device: Option<There>,
    /// Why there is no device, where one was looked for.
    pub not_on_device: Option<String>,
    /// How weights are kept and what is computed with them, as cards and signatures say it.
    pub dtype: String,
}

/// The same for a model on the processor.
fn described(stored: Precision, narrow: Option<Narrow>) -> String {
    match (stored, narrow) {
        (Precision::F32, None) => "f32".to_owned(),
        (stored, narrow) => format!("{}+{}", stored.name(), narrow.map_or("f32", Narrow::name)),
    }
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
        let narrow = dtype.map_or(Ok(None), Dtype::here)?;
        let rounded = Placed {
            weights: weights.clone(),
            device: None,
            narrow,
        };
        Ok(Placing {
            model: load(match narrow {
                None => weights.clone(),
                Some(_) => Arc::new(rounded),
            })?,
            device: None,
            not_on_device,
            dtype: described(stored, narrow),
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
        let dtype = dtype.unwrap_or(Dtype::of(stored));
        let device = Device::open(ordinal, dtype)?;
        refuse_what_does_not_fit(&device, &**weights)?;
        let model = load(Arc::new(Placed {
            weights: weights.clone(),
            device: Some(device.clone()),
            narrow: None,
        }))?;
        Ok(Placing {
            device: Some(there(device, &model)?),
            model,
            not_on_device: None,
            dtype: format!("{dtype}@cuda"),
        })
    };
    match placed() {
        // What only a GPU computes is not computed otherwise.
        Err(CheckpointError::Cuda(reason))
            if placement == Placement::Auto && dtype.is_none_or(|dtype| dtype.here().is_ok()) =>
        {
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
