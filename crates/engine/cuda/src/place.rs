//! Where a model is put: on the GPU that was named, on one that is found, or on CPU.

use std::sync::Arc;
use std::time::Instant;

use super::{Cards, CudaError, Device, Dtype, Placed, Placement};
use epicene_checkpoint::{CheckpointError, Weights};
use epicene_kernels::{Keeping, Narrow, Precision};

/// Memory that is left for the work itself.
const RESERVE: usize = 1 << 30;

/// A model, and what runs it on each device.
pub struct Placing<Model, OnDevice> {
    pub model: Model,
    /// One for each GPU, in the order they were named; none on CPU.
    pub devices: Vec<OnDevice>,
    /// Why there is no device, where one was looked for, and what a CPU computes otherwise than was asked.
    pub not_on_device: Option<String>,
    /// How weights are kept and what is computed with them, as cards and signatures say it.
    pub dtype: String,
    /// For each GPU, where the time of loading went, in words.
    pub loading: Vec<String>,
}

/// bf16 on a processor without instructions for it.
const ONLY_STORED: &str =
    "bf16 is only stored: products are in f32, because this CPU has no instructions for bf16";

/// The same for a model on CPU.
fn described(stored: Precision, narrow: Option<Narrow>) -> String {
    match (stored, narrow) {
        (Precision::F32, None) => "f32".to_owned(),
        (stored, narrow) => format!("{}+{}", stored.name(), narrow.map_or("f32", Narrow::name)),
    }
}

/// Loads a model where it is wanted. `load` builds it from weights that say where they go, `upload`
/// takes over what lies on the device then.
pub fn place<Model, OnDevice>(
    placement: Placement,
    dtype: Option<Dtype>,
    stored: Precision,
    weights: &Arc<dyn Weights>,
    load: impl Fn(Arc<dyn Weights>) -> Result<Model, CheckpointError>,
    upload: impl Fn(Arc<Device>, &Model) -> Result<OnDevice, CheckpointError>,
) -> Result<Placing<Model, OnDevice>, CheckpointError> {
    let on_cpu = |reason: Option<String>| {
        let narrow = dtype.map_or(Ok(None), Dtype::on_cpu)?;
        let is_multiplied = |narrow| Keeping::rounded(narrow) == Keeping::Rounded(narrow);
        let only_stored = narrow
            .filter(|narrow| !is_multiplied(*narrow))
            .map(|_| ONLY_STORED.to_owned());
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
            devices: Vec::new(),
            not_on_device: match (reason, only_stored) {
                (Some(reason), Some(words)) => Some(format!("{reason}; {words}")),
                (reason, words) => reason.or(words),
            },
            dtype: described(stored, narrow),
            loading: Vec::new(),
        })
    };
    let cards = match placement {
        Placement::Cpu => return on_cpu(None),
        Placement::Cuda(cards) => cards,
        // The usual machine: no driver, nothing to say.
        Placement::Auto if !Device::driver_present() => return on_cpu(None),
        Placement::Auto => Cards::one(0),
    };
    let on_device = dtype.unwrap_or(Dtype::of(stored));
    let placed = || -> Result<Placing<Model, OnDevice>, CheckpointError> {
        let (mut placed, mut loading) = (Vec::new(), Vec::new());
        let mut model = None;
        // One after the other: the file is read once, and lies in memory for the others.
        for ordinal in cards.iter() {
            let started = Instant::now();
            let device = Device::open(ordinal, on_device)?;
            let (opened, started) = (started.elapsed(), Instant::now());
            refuse_what_does_not_fit(&device, &**weights)?;
            let own = load(Arc::new(Placed {
                weights: weights.clone(),
                device: Some(device.clone()),
                narrow: None,
            }))?;
            placed.push(upload(device.clone(), &own)?);
            device.synchronize()?;
            loading.push(device.clock.in_words(opened, started.elapsed()));
            model.get_or_insert(own);
        }
        Ok(Placing {
            devices: placed,
            model: model.expect("a list of GPUs has one at least"),
            not_on_device: None,
            dtype: format!("{on_device}@cuda"),
            loading,
        })
    };
    match placed() {
        // What only a GPU computes is not computed otherwise.
        Err(CheckpointError::Device { message, .. })
            if placement == Placement::Auto && dtype.is_none_or(|dtype| dtype.on_cpu().is_ok()) =>
        {
            on_cpu(Some(message))
        }
        other => other,
    }
}

/// Where a model runs: names of GPUs with their arithmetic, or why none is used where one was looked for.
pub fn in_words<'a>(
    devices: impl Iterator<Item = &'a Arc<Device>>,
    not_on_device: Option<&str>,
) -> Option<String> {
    let devices: Vec<&Arc<Device>> = devices.collect();
    let Some(first) = devices.first() else {
        return not_on_device.map(|reason| format!("cpu ({reason})"));
    };
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    Some(format!("{}, {}", names.join(" + "), first.dtype))
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
    if needed > free {
        Err(CudaError::Memory {
            needed_gb: needed as f64 / 1e9,
            free_gb: free as f64 / 1e9,
        })
    } else {
        Ok(())
    }
}
