//! The kernels by name, with their arguments in order.

use std::sync::Arc;

use cudarc::driver::CudaFunction;
use cudarc::driver::sys::CUfunction_attribute;

use super::CudaError;
use super::attending::AttentionKernels;
use super::best::BestKernels;
use super::device::{Argument, Buffer, Device};
use super::experts::ExpertKernels;
use super::product::{Lines, Product};
use super::spans::SpanKernels;
use super::weights::{DeviceLinear, DeviceNorm};
use crate::cpu::{Activation, Attending, Precision};

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
struct Kernels {
    embed: CudaFunction,
    add_norm: CudaFunction,
    activate: CudaFunction,
    gate: CudaFunction,
    norm_columns: CudaFunction,
    resize_heads: CudaFunction,
    unfold_latent: CudaFunction,
    scatter: CudaFunction,
    logits: CudaFunction,
    narrow: CudaFunction,
    gather: CudaFunction,
}

impl Kernels {
    fn load(device: &Device, precision: Precision) -> Result<Kernels, CudaError> {
        let named = |name: &str| device.kernel(&format!("{name}_{}", precision.name()));
        Ok(Kernels {
            embed: named("embed")?,
            add_norm: named("add_norm")?,
            activate: named("activate")?,
            gate: named("gate")?,
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
    own: Kernels,
    full: Kernels,
    start_fold: CudaFunction,
    fold_logits: CudaFunction,
    finish_fold: CudaFunction,
    add_positions: CudaFunction,
    pub(super) attention: AttentionKernels,
    pub(super) best: BestKernels,
    pub(super) experts: ExpertKernels,
    pub(super) spans: SpanKernels,
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

/// An activation's number and the numbers it is given.
fn activation(activation: Activation) -> [Argument; 5] {
    let plain = |number| [Int(number), Float(0.0), Float(0.0), Float(0.0), Float(0.0)];
    match activation {
        Activation::Identity => plain(0),
        Activation::Gelu => plain(1),
        Activation::GeluTanh => plain(2),
        Activation::Silu => plain(3),
        Activation::Relu => plain(4),
        Activation::Tanh => plain(5),
        Activation::ReluSquared => plain(6),
        Activation::Xielu(curve) => [
            Int(7),
            Float(curve.above),
            Float(curve.below),
            Float(curve.beta),
            Float(curve.epsilon),
        ],
    }
}

/// A bound on both sides, as the kernels take it.
fn bounded(bound: f32) -> [Argument; 5] {
    [Int(8), Float(bound), Float(0.0), Float(0.0), Float(0.0)]
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

    pub fn activate(
        &self,
        values: &Tensor,
        bias: Option<&Buffer>,
        then: Activation,
    ) -> Result<(), CudaError> {
        self.activate_with(&self.own.activate, values, bias, then)
    }

    pub fn activate_full(
        &self,
        values: &Tensor,
        bias: Option<&Buffer>,
        then: Activation,
    ) -> Result<(), CudaError> {
        self.activate_with(&self.full.activate, values, bias, then)
    }

    fn activate_with(
        &self,
        kernel: &CudaFunction,
        values: &Tensor,
        bias: Option<&Buffer>,
        then: Activation,
    ) -> Result<(), CudaError> {
        match bias.is_none() && then == Activation::Identity {
            true => Ok(()),
            false => self.bend(kernel, values, bias, activation(then)),
        }
    }

    /// In place: a bias, then a bound on both sides.
    pub fn bound(
        &self,
        values: &Tensor,
        bias: Option<&Buffer>,
        bound: f32,
    ) -> Result<(), CudaError> {
        self.bend(&self.own.activate, values, bias, bounded(bound))
    }

    fn bend(
        &self,
        kernel: &CudaFunction,
        values: &Tensor,
        bias: Option<&Buffer>,
        [kind, above, below, beta, epsilon]: [Argument; 5],
    ) -> Result<(), CudaError> {
        let count = values.rows * values.columns;
        let arguments = [
            (&values.buffer).into(),
            bias.into(),
            kind,
            above,
            below,
            beta,
            epsilon,
            int(values.columns),
            long(count),
        ];
        self.device
            .launch(kernel, blocks(count), ROW_THREADS, 0, &arguments)
    }

    /// A linear map with its bias.
    pub fn with_bias(&self, map: &DeviceLinear, input: &Tensor) -> Result<Tensor, CudaError> {
        let out = self.linear(map, input)?;
        self.activate(&out, map.bias.as_ref(), Activation::Identity)?;
        Ok(out)
    }

    /// Rows of a gate and what it gates; `groups` says which row of biases a row has, where there are several.
    pub fn gate(
        &self,
        values: &Tensor,
        bias: Option<&Buffer>,
        groups: Option<&Buffer>,
        then: Activation,
        bound: Option<f32>,
    ) -> Result<Tensor, CudaError> {
        let out = self.tensor(values.rows, values.columns / 2)?;
        let [kind, above, below, beta, epsilon] = activation(then);
        let arguments = [
            (&values.buffer).into(),
            bias.into(),
            groups.into(),
            kind,
            above,
            below,
            beta,
            epsilon,
            Float(bound.unwrap_or(0.0)),
            int(out.columns),
            long(out.rows),
            (&out.buffer).into(),
        ];
        let count = blocks(out.rows * out.columns);
        self.device
            .launch(&self.own.gate, count, ROW_THREADS, 0, &arguments)?;
        Ok(out)
    }

    /// A bias, then a norm over the first `width` columns of each row, to the same columns of `to`.
    pub fn norm_columns(
        &self,
        from: &Tensor,
        bias: Option<&Buffer>,
        norm: &DeviceNorm,
        width: usize,
        to: &Tensor,
    ) -> Result<(), CudaError> {
        assert!(
            width <= from.columns.min(to.columns) && width == norm.width && from.rows <= to.rows,
            "a norm over {width} columns of {} to {}",
            from.columns,
            to.columns
        );
        let arguments = [
            (&from.buffer).into(),
            int(from.columns),
            bias.into(),
            (&norm.weight).into(),
            norm.bias.as_ref().into(),
            Float(norm.epsilon),
            Int(norm.kind),
            int(width),
            (&to.buffer).into(),
            int(to.columns),
        ];
        let (kernel, shared) = (&self.own.norm_columns, 4 * width);
        self.allow_shared(kernel, shared)?;
        self.device
            .launch(kernel, grid(from.rows), ROW_THREADS, shared, &arguments)
    }

    /// Heads of another width: what is new is zero.
    pub fn resize_heads(
        &self,
        from: &Tensor,
        heads: usize,
        size: usize,
    ) -> Result<Tensor, CudaError> {
        let out = self.tensor(from.rows, heads * size)?;
        let arguments = [
            (&from.buffer).into(),
            int(from.columns / heads),
            int(heads),
            int(size),
            (&out.buffer).into(),
        ];
        let kernel = &self.own.resize_heads;
        self.device
            .launch(kernel, grid(from.rows), ROW_THREADS, 0, &arguments)?;
        Ok(out)
    }

    /// Keys and values of all heads from latent attention's rows; widths of the turning and still parts and of a value.
    pub fn unfold_latent(
        &self,
        up: &Tensor,
        down: &Tensor,
        rank: usize,
        how: &Attending,
        [turning, still, value]: [usize; 3],
    ) -> Result<Tensor, CudaError> {
        up.must_have(down.rows, how.heads * (still + value));
        down.must_have(0, rank + turning);
        let out = self.tensor(down.rows, 2 * how.heads * how.head_size)?;
        let arguments = [
            (&up.buffer).into(),
            (&down.buffer).into(),
            int(down.columns),
            int(rank),
            int(how.heads),
            int(turning),
            int(still),
            int(value),
            int(how.head_size),
            (&out.buffer).into(),
        ];
        let kernel = &self.own.unfold_latent;
        self.device
            .launch(kernel, grid(down.rows), ROW_THREADS, 0, &arguments)?;
        Ok(out)
    }

    /// Rows of a table onto f32 rows.
    pub fn add_positions(
        &self,
        values: &Tensor,
        positions: Argument,
        rows: &Buffer,
    ) -> Result<(), CudaError> {
        let arguments = [
            (&values.buffer).into(),
            positions,
            rows.into(),
            int(values.columns),
        ];
        let kernel = &self.add_positions;
        self.device
            .launch(kernel, grid(values.rows), ROW_THREADS, 0, &arguments)
    }

    /// Columns of each row from `first` on, to the rows of `to` that are named.
    pub fn scatter(
        &self,
        from: &Tensor,
        first: usize,
        rows: Argument,
        columns: usize,
        to: &Buffer,
    ) -> Result<(), CudaError> {
        assert!(
            first + columns <= from.columns,
            "columns beyond a row are scattered"
        );
        let arguments = [
            (&from.buffer).into(),
            int(from.columns),
            int(first),
            rows,
            int(columns),
            to.into(),
        ];
        let kernel = &self.own.scatter;
        self.device
            .launch(kernel, grid(from.rows), ROW_THREADS, 0, &arguments)
    }

    pub fn gather(&self, from: &Tensor, rows: Argument, count: usize) -> Result<Tensor, CudaError> {
        self.gather_with(&self.own.gather, from, rows, count, self.device.precision())
    }

    pub fn gather_full(
        &self,
        from: &Tensor,
        rows: Argument,
        count: usize,
    ) -> Result<Tensor, CudaError> {
        self.gather_with(&self.full.gather, from, rows, count, Precision::F32)
    }

    fn gather_with(
        &self,
        kernel: &CudaFunction,
        from: &Tensor,
        rows: Argument,
        count: usize,
        precision: Precision,
    ) -> Result<Tensor, CudaError> {
        let out = self.tensor_of(count, from.columns, precision)?;
        let arguments = [
            (&from.buffer).into(),
            rows,
            int(from.columns),
            (&out.buffer).into(),
        ];
        self.device
            .launch(kernel, grid(count), ROW_THREADS, 0, &arguments)?;
        Ok(out)
    }

    /// f32 rows in the device's precision.
    pub fn narrow(&self, from: &Tensor) -> Result<Tensor, CudaError> {
        let out = self.tensor(from.rows, from.columns)?;
        let count = from.rows * from.columns;
        let arguments = [(&from.buffer).into(), long(count), (&out.buffer).into()];
        self.device
            .launch(&self.own.narrow, blocks(count), ROW_THREADS, 0, &arguments)?;
        Ok(out)
    }

    /// The logit of each (row, token) pair, written from `out` on.
    #[allow(clippy::too_many_arguments)]
    pub fn logits(
        &self,
        rows: &Tensor,
        decoder: &Buffer,
        bias: Option<&Buffer>,
        soft_cap: Option<f32>,
        pair_rows: Argument,
        pair_tokens: Argument,
        pairs: usize,
        out: Argument,
    ) -> Result<(), CudaError> {
        let arguments = [
            (&rows.buffer).into(),
            decoder.into(),
            bias.into(),
            Float(soft_cap.unwrap_or(0.0)),
            int(rows.columns),
            pair_rows,
            pair_tokens,
            int(pairs),
            out,
        ];
        let blocks = grid(pairs.div_ceil(8));
        self.device
            .launch(&self.own.logits, blocks, ROW_THREADS, 0, &arguments)
    }

    pub fn start_fold(&self, peaks: &Buffer, sums: &Buffer, rows: usize) -> Result<(), CudaError> {
        let arguments = [peaks.into(), sums.into(), int(rows)];
        self.device.launch(
            &self.start_fold,
            grid(rows.div_ceil(256)),
            256,
            0,
            &arguments,
        )
    }

    #[allow(clippy::too_many_arguments)]
    pub fn fold_logits(
        &self,
        chunk: &Buffer,
        rows: usize,
        columns: usize,
        first: usize,
        bias: Option<&Buffer>,
        soft_cap: Option<f32>,
        peaks: &Buffer,
        sums: &Buffer,
    ) -> Result<(), CudaError> {
        let arguments = [
            chunk.into(),
            int(columns),
            int(first),
            bias.into(),
            Float(soft_cap.unwrap_or(0.0)),
            peaks.into(),
            sums.into(),
        ];
        self.device
            .launch(&self.fold_logits, grid(rows), ROW_THREADS, 0, &arguments)
    }

    pub fn finish_fold(
        &self,
        peaks: &Buffer,
        sums: &Buffer,
        rows: usize,
        out: Argument,
    ) -> Result<(), CudaError> {
        let arguments = [peaks.into(), sums.into(), int(rows), out];
        self.device.launch(
            &self.finish_fold,
            grid(rows.div_ceil(256)),
            256,
            0,
            &arguments,
        )
    }
}
