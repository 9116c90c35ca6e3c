//! Weights packed once into the panels a kernel reads: `Kernel::columns` output features side by side, depth-major.
//! Sixteen-bit weights stay sixteen-bit in memory.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use half::{bf16, f16};

use crate::kernel::Kernel;
use crate::narrow::{Narrow, NarrowPanels};
use crate::narrow_kernel::{self, NarrowKernel};

/// How numbers are kept in a file and in packed weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    F32,
    F16,
    Bf16,
}

impl Precision {
    /// Bytes of one number.
    pub fn bytes(self) -> usize {
        match self {
            Precision::F32 => 4,
            Precision::F16 | Precision::Bf16 => 2,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::F16 => "f16",
            Precision::Bf16 => "bf16",
        }
    }
}

/// How packed weights are kept, and so what products with them are computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// As they are stored; products in f32.
    Wide(Precision),
    /// Rounded; products below f32.
    Rounded(Narrow),
}

impl Keeping {
    /// Numbers of this format. bf16 is only stored, not multiplied, where the processor has no instructions for it.
    pub fn rounded(narrow: Narrow) -> Keeping {
        match NarrowKernel::best(narrow) {
            Some(_) => Keeping::Rounded(narrow),
            None => Keeping::Wide(Precision::Bf16),
        }
    }

    /// Outputs of a panel.
    fn width(self) -> usize {
        match self {
            Keeping::Wide(_) => Kernel::best().columns,
            Keeping::Rounded(_) => narrow_kernel::COLUMNS,
        }
    }
}

#[derive(Debug)]
pub(crate) enum Panels {
    F32(Vec<f32>),
    F16(Vec<f16>),
    Bf16(Vec<bf16>),
    Rounded(NarrowPanels),
    /// Row by row in a GPU's memory. Only the crate that put them there knows the type, so that kernels need no GPU.
    OnDevice(Arc<dyn Any + Send + Sync>),
}

/// A weight matrix (outputs x inputs) in panels.
#[derive(Debug)]
pub struct PackedMatrix {
    pub(crate) panels: Panels,
    pub outputs: usize,
    pub inputs: usize,
}

impl PackedMatrix {
    /// Packs `outputs` rows of `inputs` weights. `read` fills a buffer with consecutive rows; it is
    /// called for one panel at a time, in order, so that the matrix is never there twice.
    pub fn pack<E>(
        outputs: usize,
        inputs: usize,
        keeping: Keeping,
        mut read: impl FnMut(usize, &mut [f32]) -> Result<(), E>,
    ) -> Result<PackedMatrix, E> {
        let width = keeping.width();
        let mut rows = vec![0.0; width * inputs];
        let mut panel = vec![0.0; width * inputs];
        let mut panels = Panels::with_capacity(outputs, inputs, keeping);
        for first in (0..outputs).step_by(width) {
            let count = width.min(outputs - first);
            read(first, &mut rows[..count * inputs])?;
            rows[count * inputs..].fill(0.0);
            panels.push(&rows, width, inputs, &mut panel);
        }
        Ok(PackedMatrix {
            panels,
            outputs,
            inputs,
        })
    }

    /// Packs the outputs `range` of weights stored inputs first: `stored` outputs for each input.
    pub fn from_columns(
        all: &[f32],
        stored: usize,
        range: Range<usize>,
        keeping: Keeping,
    ) -> PackedMatrix {
        let inputs = all.len() / stored.max(1);
        let packed = PackedMatrix::pack(range.len(), inputs, keeping, |first, out| {
            let count = out.len() / inputs.max(1);
            let start = range.start + first;
            for (input, values) in all.chunks_exact(stored).enumerate() {
                for (row, value) in values[start..start + count].iter().enumerate() {
                    out[row * inputs + input] = *value;
                }
            }
            Ok::<(), std::convert::Infallible>(())
        });
        match packed {
            Ok(packed) => packed,
            Err(never) => match never {},
        }
    }
}

impl PackedMatrix {
    /// Weights in a GPU's memory.
    pub fn on_device(
        outputs: usize,
        inputs: usize,
        buffer: Arc<dyn Any + Send + Sync>,
    ) -> PackedMatrix {
        PackedMatrix {
            panels: Panels::OnDevice(buffer),
            outputs,
            inputs,
        }
    }

    /// The GPU's buffer that [`PackedMatrix::on_device`] was given, if it has this type.
    pub fn device_buffer<Buffer: Any + Send + Sync>(&self) -> Option<Arc<Buffer>> {
        match &self.panels {
            Panels::OnDevice(buffer) => Arc::clone(buffer).downcast().ok(),
            _ => None,
        }
    }
}

impl Panels {
    fn with_capacity(outputs: usize, inputs: usize, keeping: Keeping) -> Panels {
        let width = keeping.width();
        let length = outputs.div_ceil(width) * width * inputs;
        match keeping {
            Keeping::Wide(Precision::F32) => Panels::F32(Vec::with_capacity(length)),
            Keeping::Wide(Precision::F16) => Panels::F16(Vec::with_capacity(length)),
            Keeping::Wide(Precision::Bf16) => Panels::Bf16(Vec::with_capacity(length)),
            Keeping::Rounded(narrow) => {
                Panels::Rounded(NarrowPanels::with_capacity(narrow, outputs, inputs))
            }
        }
    }

    /// Adds a panel of `width` rows; `panel` is a buffer of their size.
    fn push(&mut self, rows: &[f32], width: usize, inputs: usize, panel: &mut [f32]) {
        if let Panels::Rounded(panels) = self {
            return panels.push(rows, inputs);
        }
        transpose(rows, width, inputs, inputs, panel);
        let panel = panel.iter();
        match self {
            Panels::F32(panels) => panels.extend(panel),
            Panels::F16(panels) => panels.extend(panel.map(|v| f16::from_f32(*v))),
            Panels::Bf16(panels) => panels.extend(panel.map(|v| bf16::from_f32(*v))),
            Panels::Rounded(_) | Panels::OnDevice(_) => {}
        }
    }
}

/// `out[depth][row] = rows[row][depth]`, in blocks that stay in the cache.
fn transpose(rows: &[f32], count: usize, depth: usize, stride: usize, out: &mut [f32]) {
    const STEP: usize = 16;
    for first in (0..depth).step_by(STEP) {
        let steps = STEP.min(depth - first);
        for row in 0..count {
            let values = &rows[row * stride + first..row * stride + first + steps];
            for (step, value) in values.iter().enumerate() {
                out[(first + step) * count + row] = *value;
            }
        }
    }
}
