//! The kernels by name, with their arguments in order.

use std::sync::Arc;

use cudarc::driver::CudaFunction;
use cudarc::driver::sys::CUfunction_attribute;

use super::CudaError;
use super::attending::AttentionKernels;
use super::best::BestKernels;
use super::copies::CopyKernels;
use super::device::{Argument, Buffer, Device};
use super::experts::ExpertKernels;
use super::product::{Lines, Product};
use super::spans::SpanKernels;
use super::weights::{DeviceLinear, DeviceNorm};
use epicene_kernels::Precision;

use Argument::{Float, Int, Long, Pointer};

/// Threads of a block that works on one row.
pub(super) const ROW_THREADS: u32 = 256;

/// Rows of numbers on the device.
#[derive(Debug)]
pub struct Tensor {
    pub buffer: Buffer,
    pub rows: usize,
    pub columns: usize,
}

impl Tensor {
    /// Stops where a kernel would reach beyond it: at least so many rows, exactly so wide.
    pub fn must_have(&self, rows: usize, columns: usize) {
        assert!(
            self.rows >= rows && self.columns == columns,
            "a tensor of {} x {} is used as one of {rows} x {columns}",
            self.rows,
            self.columns
        );
    }
}

/// Rows of a list that single queries look at.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// Where each row's part of the list begins, and how much of it the row sees.
    pub firsts: Argument,
    pub lengths: Argument,
    pub list: Argument,
}

/// What goes back into the residual stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    Nothing,
    Sum,
    Normed,
}

/// The kernels of one precision.
#[derive(Debug)]
pub(super) struct Kernels {
    pub(super) embed: CudaFunction,
    pub(super) add_norm: CudaFunction,
    pub(super) activate: CudaFunction,
    pub(super) gate: CudaFunction,
    pub(super) multiply: CudaFunction,
    pub(super) cut_off: CudaFunction,
    pub(super) norm_columns: CudaFunction,
    pub(super) resize_heads: CudaFunction,
    pub(super) unfold_latent: CudaFunction,
    pub(super) scatter: CudaFunction,
    pub(super) logits: CudaFunction,
    pub(super) narrow: CudaFunction,
    pub(super) gather: CudaFunction,
}

impl Kernels {
    fn load(device: &Device, precision: Precision) -> Result<Kernels, CudaError> {
        let named = |name: &str| device.kernel(&format!("{name}_{}", precision.name()));
        Ok(Kernels {
            embed: named("embed")?,
            add_norm: named("add_norm")?,
            activate: named("activate")?,
            gate: named("gate")?,
            multiply: named("multiply")?,
            cut_off: named("cut_off")?,
            norm_columns: named("norm_columns")?,
            resize_heads: named("resize_heads")?,
            unfold_latent: named("unfold_latent")?,
            scatter: named("scatter")?,
            logits: named("logits")?,
            narrow: named("narrow")?,
            gather: named("gather")?,
        })
    }
}

/// Everything a model does on its device.
#[derive(Debug)]
pub struct Operations {
    pub device: Arc<Device>,
    pub(super) own: Kernels,
    pub(super) full: Kernels,
    pub(super) start_fold: CudaFunction,
    pub(super) fold_logits: CudaFunction,
    pub(super) finish_fold: CudaFunction,
    pub(super) add_positions: CudaFunction,
    pub(super) attention: AttentionKernels,
    pub(super) best: BestKernels,
    pub(super) experts: ExpertKernels,
    pub(super) spans: SpanKernels,
    pub(super) copies: CopyKernels,
}

pub(super) fn int(size: usize) -> Argument {
    Int(i32::try_from(size).expect("sizes of a layer fit 32 bits"))
}

pub(super) fn long(size: usize) -> Argument {
    Long(i64::try_from(size).expect("sizes of a buffer fit 63 bits"))
}

pub(super) fn grid(count: usize) -> (u32, u32) {
    let blocks = u32::try_from(count).expect("blocks of a grid fit 32 bits");
    (blocks, 1)
}

/// Blocks for a loop over `count` numbers, four at a time.
pub(super) fn blocks(count: usize) -> (u32, u32) {
    let blocks = count.div_ceil(4 * ROW_THREADS as usize).clamp(1, 8192);
    grid(blocks)
}

impl Operations {
    pub fn new(device: Arc<Device>) -> Result<Operations, CudaError> {
        Ok(Operations {
            own: Kernels::load(&device, device.precision())?,
            full: Kernels::load(&device, Precision::F32)?,
            start_fold: device.kernel("start_fold")?,
            fold_logits: device.kernel("fold_logits")?,
            finish_fold: device.kernel("finish_fold")?,
            add_positions: device.kernel("add_positions")?,
            attention: AttentionKernels::load(&device)?,
            best: BestKernels::load(&device)?,
            experts: ExpertKernels::load(&device)?,
            spans: SpanKernels::load(&device)?,
            copies: CopyKernels::load(&device)?,
            device,
        })
    }

    /// A tensor in the device's precision.
    pub fn tensor(&self, rows: usize, columns: usize) -> Result<Tensor, CudaError> {
        self.tensor_of(rows, columns, self.device.precision())
    }

    pub fn tensor_of(
        &self,
        rows: usize,
        columns: usize,
        precision: Precision,
    ) -> Result<Tensor, CudaError> {
        Ok(Tensor {
            buffer: self.device.allocate(rows * columns * precision.bytes())?,
            rows,
            columns,
        })
    }

    #[allow(clippy::too_many_arguments)]
    pub fn embed(
        &self,
        table: &Buffer,
        ids: Argument,
        positions: Argument,
        position_rows: Option<&Buffer>,
        constant: Option<&Buffer>,
        scale: f32,
        tokens: usize,
        columns: usize,
    ) -> Result<Tensor, CudaError> {
        let out = self.tensor_of(tokens, columns, Precision::F32)?;
        let arguments = [
            table.into(),
            ids,
            positions,
            position_rows.into(),
            constant.into(),
            Float(scale),
            int(columns),
            (&out.buffer).into(),
        ];
        let device = &self.device;
        device.launch(&self.own.embed, grid(tokens), ROW_THREADS, 0, &arguments)?;
        Ok(out)
    }

    /// Sum and norm in one sweep; see the kernel.
    pub fn add_norm(
        &self,
        residual: Option<&Tensor>,
        added: &[(&Tensor, Option<&Buffer>)],
        norm: Option<&DeviceNorm>,
        keep: Keep,
        out: Option<&Tensor>,
    ) -> Result<(), CudaError> {
        self.add_norm_with(&self.own.add_norm, residual, added, norm, keep, out)
    }

    /// The same where everything is f32.
    pub fn norm_full(&self, rows: &Tensor, norm: &DeviceNorm) -> Result<(), CudaError> {
        let kernel = &self.full.add_norm;
        self.add_norm_with(kernel, Some(rows), &[], Some(norm), Keep::Normed, None)
    }

    fn add_norm_with(
        &self,
        kernel: &CudaFunction,
        residual: Option<&Tensor>,
        added: &[(&Tensor, Option<&Buffer>)],
        norm: Option<&DeviceNorm>,
        keep: Keep,
        out: Option<&Tensor>,
    ) -> Result<(), CudaError> {
        let shape = residual.or(added.first().map(|(tensor, _)| *tensor));
        let Some(shape) = shape else {
            return Ok(());
        };
        for tensor in added.iter().map(|(tensor, _)| *tensor).chain(out) {
            tensor.must_have(shape.rows, shape.columns);
        }
        let term = |place: usize| -> [Argument; 2] {
            match added.get(place) {
                Some((tensor, bias)) => [(&tensor.buffer).into(), (*bias).into()],
                None => [Pointer(0), Pointer(0)],
            }
        };
        let (first, second) = (term(0), term(1));
        let arguments = [
            residual.map(|tensor| &tensor.buffer).into(),
            first[0],
            first[1],
            second[0],
            second[1],
            norm.map(|norm| &norm.weight).into(),
            norm.and_then(|norm| norm.bias.as_ref()).into(),
            Float(norm.map_or(0.0, |norm| norm.epsilon)),
            Int(norm.map_or(0, |norm| norm.kind)),
            int(shape.columns),
            Int(keep as i32),
            out.map(|tensor| &tensor.buffer).into(),
        ];
        let shared = shape.columns * 4;
        self.allow_shared(kernel, shared)?;
        let threads = u32::try_from((shape.columns / 4).div_ceil(32) * 32)
            .unwrap_or(ROW_THREADS)
            .clamp(32, ROW_THREADS);
        self.device
            .launch(kernel, grid(shape.rows), threads, shared, &arguments)
    }

    pub(super) fn allow_shared(
        &self,
        kernel: &CudaFunction,
        bytes: usize,
    ) -> Result<(), CudaError> {
        if bytes <= 48 << 10 {
            return Ok(());
        }
        if bytes > self.device.shared_limit {
            return Err(CudaError::Unsupported(
                "a sentence or layer too large for its shared memory",
            ));
        }
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = i32::try_from(bytes).expect("shared memory is smaller than 2 GiB");
        kernel.set_attribute(attribute, bytes)?;
        Ok(())
    }

    /// The product alone: the bias goes to whatever reads the result.
    pub fn linear(&self, map: &DeviceLinear, input: &Tensor) -> Result<Tensor, CudaError> {
        self.linear_to(map, input, self.device.precision())
    }

    pub fn linear_to(
        &self,
        map: &DeviceLinear,
        input: &Tensor,
        precision: Precision,
    ) -> Result<Tensor, CudaError> {
        input.must_have(0, map.inputs);
        let out = self.tensor_of(input.rows, map.outputs, precision)?;
        self.device.product(Product {
            rows: input.rows,
            inputs: map.inputs,
            outputs: map.outputs,
            input: Lines::of(&input.buffer, 0, map.inputs),
            weights: Lines::of(&map.weight, 0, map.inputs),
            out: Lines::of(&out.buffer, 0, map.outputs),
            out_precision: precision,
            times: 1,
        })?;
        Ok(out)
    }
}
