//! Weights on their way from a file to the device, a piece at a time: a checkpoint is never in this
//! machine's memory as a whole.

use std::any::Any;
use std::sync::Arc;

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::CudaError;
use super::clock::Phase;
use super::device::{Buffer, Device};
use super::upload::PIECE;
use epicene_checkpoint::{CheckpointError, DeviceMemory, RowRun, Table, Weights};
use epicene_kernels::{DistanceBias, Linear, Narrow, Norm, Precision};

/// Weights whose matrices go to a device when they are loaded, or are rounded in this machine's memory.
#[derive(Debug)]
pub struct Placed {
    pub weights: Arc<dyn Weights>,
    pub device: Option<Arc<Device>>,
    pub narrow: Option<Narrow>,
}

impl Weights for Placed {
    fn inner(&self) -> Option<&dyn Weights> {
        Some(&*self.weights)
    }

    fn device(&self) -> Option<&dyn DeviceMemory> {
        self.device
            .as_deref()
            .map(|device| device as &dyn DeviceMemory)
    }

    fn narrow(&self) -> Option<Narrow> {
        self.narrow
    }
}

/// Numbers in the precision of a device, as bytes.
pub fn narrowed(values: &[f32], precision: Precision) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * precision.bytes()];
    narrow_to(values, precision, &mut bytes);
    bytes
}

fn narrow_to(values: &[f32], precision: Precision, out: &mut [u8]) {
    match precision {
        Precision::F32 => out.copy_from_slice(bytemuck::cast_slice(values)),
        Precision::F16 => {
            let mut narrow = vec![f16::ZERO; values.len()];
            narrow.convert_from_f32_slice(values);
            out.copy_from_slice(bytemuck::cast_slice(narrow.reinterpret_cast()));
        }
        Precision::Bf16 => {
            let mut narrow = vec![bf16::ZERO; values.len()];
            narrow.convert_from_f32_slice(values);
            out.copy_from_slice(bytemuck::cast_slice(narrow.reinterpret_cast()));
        }
    }
}

impl DeviceMemory for Device {
    fn place_rows(
        &self,
        weights: &dyn Weights,
        runs: &[RowRun<'_>],
        columns: usize,
    ) -> Result<Arc<dyn Any + Send + Sync>, CheckpointError> {
        Ok(Arc::new(place_rows(weights, self, runs, columns)?))
    }

    fn place_values(&self, values: &[f32]) -> Result<Arc<dyn Any + Send + Sync>, CheckpointError> {
        Ok(Arc::new(self.upload(&narrowed(values, self.precision()))?))
    }
}

/// Runs of rows of stored tensors, one after the other.
fn place_rows(
    weights: &dyn Weights,
    device: &Device,
    runs: &[RowRun<'_>],
    columns: usize,
) -> Result<Buffer, CheckpointError> {
    let precision = device.precision();
    let row_bytes = columns * precision.bytes();
    let rows: usize = runs.iter().map(|run| run.rows).sum();
    let buffer = device.allocate(rows * row_bytes)?;
    let at_once = (PIECE / row_bytes.max(1)).max(1);
    let (mut pieces, mut sources, mut offset) = (Vec::new(), Vec::new(), 0);
    for run in runs {
        let end = run.first + run.rows;
        for start in (run.first..end).step_by(at_once) {
            let count = at_once.min(end - start);
            pieces.push((offset, count * row_bytes));
            sources.push((run.tensor, start * columns, count * columns));
            offset += count * row_bytes;
        }
    }
    device.fill(&buffer, &pieces, |piece, bytes| {
        let (tensor, first, numbers) = sources[piece];
        let clock = &device.clock;
        let kept = || weights.read_kept(tensor, first, precision, bytes);
        if !clock.timed(Phase::Reading, kept)? {
            let mut wide = vec![0.0; numbers];
            clock.timed(Phase::Reading, || weights.read(tensor, first, &mut wide))?;
            clock.timed(Phase::Converting, || narrow_to(&wide, precision, bytes));
        }
        Ok(())
    })?;
    Ok(buffer)
}

/// A whole table of rows.
pub fn place_table(device: &Device, table: &Table) -> Result<Buffer, CheckpointError> {
    let weights = table.weights();
    let whole = RowRun {
        tensor: table.name(),
        first: 0,
        rows: table.rows,
    };
    place_rows(&**weights, device, &[whole], table.columns)
}

/// A linear map on the device; its bias stays f32.
#[derive(Debug)]
pub struct DeviceLinear {
    pub weight: Arc<Buffer>,
    pub bias: Option<Buffer>,
    pub outputs: usize,
    pub inputs: usize,
}

impl DeviceLinear {
    pub fn new(device: &Device, linear: &Linear) -> Result<DeviceLinear, CudaError> {
        if !linear.weight.inputs.is_multiple_of(4) || !linear.weight.outputs.is_multiple_of(4) {
            return Err(CudaError::ODD_LAYER);
        }
        DeviceLinear::of_any_width(device, linear)
    }

    /// For kernels that do not take four numbers at a time, but for the one that adds a bias.
    pub fn of_odd_width(device: &Device, linear: &Linear) -> Result<DeviceLinear, CudaError> {
        if linear.bias.is_empty() {
            DeviceLinear::of_any_width(device, linear)
        } else {
            DeviceLinear::new(device, linear)
        }
    }

    /// For kernels that do not take four numbers at a time.
    pub fn of_any_width(device: &Device, linear: &Linear) -> Result<DeviceLinear, CudaError> {
        let Some(weight) = linear.weight.device_buffer::<Buffer>() else {
            return Err(CudaError::Unsupported(
                "weights that are made while loading",
            ));
        };
        Ok(DeviceLinear {
            weight,
            bias: vector(device, &linear.bias)?,
            outputs: linear.weight.outputs,
            inputs: linear.weight.inputs,
        })
    }
}

/// f32 numbers on the device; nothing where there are none.
pub fn vector(device: &Device, values: &[f32]) -> Result<Option<Buffer>, CudaError> {
    if values.is_empty() {
        Ok(None)
    } else {
        device.upload(values).map(Some)
    }
}

/// A norm on the device, with the kernels' number for its kind.
#[derive(Debug)]
pub struct DeviceNorm {
    pub kind: i32,
    /// How many numbers it has weights for: a row's, a head's, or those of all heads.
    pub width: usize,
    /// Whether each head has its own.
    each: bool,
    pub weight: Buffer,
    pub bias: Option<Buffer>,
    pub epsilon: f32,
}

impl DeviceNorm {
    pub fn new(device: &Device, norm: &Norm) -> Result<DeviceNorm, CudaError> {
        let (mut weights, mut biases) = (Vec::new(), Vec::new());
        let (mut kind, mut smallest) = (0, 0.0);
        let norms = match norm {
            Norm::Each(norms) => norms.as_slice(),
            one => std::slice::from_ref(one),
        };
        for norm in norms {
            let (own, epsilon) = match norm {
                Norm::Layer {
                    weight,
                    bias,
                    epsilon,
                } => {
                    weights.extend_from_slice(weight);
                    biases.extend_from_slice(bias);
                    (1, *epsilon)
                }
                Norm::RootMeanSquare { weight, epsilon } => {
                    weights.extend_from_slice(weight);
                    (2, *epsilon)
                }
                Norm::Each(_) => return Err(CudaError::Unsupported("norms within norms")),
            };
            if kind != 0 && (kind, smallest) != (own, epsilon) {
                return Err(CudaError::Unsupported("heads with norms of several kinds"));
            }
            (kind, smallest) = (own, epsilon);
        }
        Ok(DeviceNorm {
            kind,
            width: weights.len(),
            each: matches!(norm, Norm::Each(_)),
            weight: device.upload(&weights)?,
            bias: vector(device, &biases)?,
            epsilon: smallest,
        })
    }

    /// Whether it takes so many numbers as one row.
    pub fn is_one_of(&self, width: usize) -> bool {
        self.width == width && !self.each
    }

    pub fn maybe(device: &Device, norm: Option<&Norm>) -> Result<Option<DeviceNorm>, CudaError> {
        norm.map(|norm| DeviceNorm::new(device, norm)).transpose()
    }
}

/// What attention adds for the distance between query and key, on the device (T5).
#[derive(Debug)]
pub struct DeviceDistances {
    /// A row for the heads for each distance from `-farthest` to `farthest`.
    pub rows: Buffer,
    pub farthest: usize,
}

impl DeviceDistances {
    pub fn maybe(
        device: &Device,
        bias: Option<&DistanceBias>,
    ) -> Result<Option<DeviceDistances>, CudaError> {
        let Some(bias) = bias else {
            return Ok(None);
        };
        // Beyond it all distances are alike.
        let farthest = bias.farthest.max(bias.table.rows);
        let mut rows = Vec::with_capacity((2 * farthest + 1) * bias.table.columns);
        for distance in 0..=2 * farthest {
            // The distance is query less key.
            let (query, key) = (
                distance.saturating_sub(farthest),
                farthest.saturating_sub(distance),
            );
            rows.extend_from_slice(bias.of(query, key));
        }
        Ok(Some(DeviceDistances {
            rows: device.upload(&rows)?,
            farthest,
        }))
    }
}
