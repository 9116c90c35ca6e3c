//! The kernels by name, with their arguments in order.

use std::sync::Arc;

use cudarc::driver::CudaFunction;
use cudarc::driver::sys::CUfunction_attribute;

use super::CudaError;
use super::best::BestKernels;
use super::device::{Argument, Buffer, Device};
use super::weights::{DeviceDistances, DeviceLinear, DeviceNorm};
use crate::cpu::{Activation, Attending, Precision};

use Argument::{Float, Int, Long, Pointer};

/// Threads of a block that works on one row.
const ROW_THREADS: u32 = 256;

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
    pub longest: usize,
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
    turn: CudaFunction,
    attend: CudaFunction,
    attend_long: CudaFunction,
    attend_listed: CudaFunction,
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
            turn: named("turn")?,
            attend: named("attend")?,
            attend_long: named("attend_long")?,
            attend_listed: named("attend_listed")?,
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
    sum_heads: CudaFunction,
    start_fold: CudaFunction,
    fold_logits: CudaFunction,
    finish_fold: CudaFunction,
    pub(super) best: BestKernels,
}

pub(super) fn int(size: usize) -> Argument {
    Int(i32::try_from(size).expect("sizes of a layer fit 32 bits"))
}

fn long(size: usize) -> Argument {
    Long(i64::try_from(size).expect("sizes of a buffer fit 63 bits"))
}

fn grid(count: usize) -> (u32, u32) {
    let blocks = u32::try_from(count).expect("blocks of a grid fit 32 bits");
    (blocks, 1)
}

/// Blocks for a loop over `count` numbers, four at a time.
fn blocks(count: usize) -> (u32, u32) {
    let blocks = count.div_ceil(4 * ROW_THREADS as usize).clamp(1, 8192);
    grid(blocks)
}

fn activation(activation: Activation) -> Argument {
    Int(match activation {
        Activation::Identity => 0,
        Activation::Gelu => 1,
        Activation::GeluTanh => 2,
        Activation::Silu => 3,
        Activation::Relu => 4,
        Activation::Tanh => 5,
        Activation::ReluSquared | Activation::Xielu(_) => {
            unreachable!("models with these activations are refused when they are placed")
        }
    })
}

impl Operations {
    pub fn new(device: Arc<Device>) -> Result<Operations, CudaError> {
        Ok(Operations {
            own: Kernels::load(&device, device.precision())?,
            full: Kernels::load(&device, Precision::F32)?,
            sum_heads: device.kernel("sum_heads")?,
            start_fold: device.kernel("start_fold")?,
            fold_logits: device.kernel("fold_logits")?,
            finish_fold: device.kernel("finish_fold")?,
            best: BestKernels::load(&device)?,
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

    fn allow_shared(&self, kernel: &CudaFunction, bytes: usize) -> Result<(), CudaError> {
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
        self.device.product(
            input.rows,
            map.inputs,
            map.outputs,
            &input.buffer,
            0,
            &map.weight,
            0,
            &out.buffer,
            precision,
        )?;
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
        if bias.is_none() && then == Activation::Identity {
            return Ok(());
        }
        let count = values.rows * values.columns;
        let arguments = [
            (&values.buffer).into(),
            bias.into(),
            activation(then),
            int(values.columns),
            long(count),
        ];
        self.device
            .launch(kernel, blocks(count), ROW_THREADS, 0, &arguments)
    }

    pub fn gate(
        &self,
        values: &Tensor,
        bias: Option<&Buffer>,
        then: Activation,
    ) -> Result<Tensor, CudaError> {
        let out = self.tensor(values.rows, values.columns / 2)?;
        let arguments = [
            (&values.buffer).into(),
            bias.into(),
            activation(then),
            int(out.columns),
            long(out.rows),
            (&out.buffer).into(),
        ];
        let count = blocks(out.rows * out.columns);
        self.device
            .launch(&self.own.gate, count, ROW_THREADS, 0, &arguments)?;
        Ok(out)
    }

    /// Biases, head norms and rotation of the first `heads` heads of each row, in place.
    #[allow(clippy::too_many_arguments)]
    pub fn turn(
        &self,
        values: &Tensor,
        bias: Option<&Buffer>,
        heads: usize,
        size: usize,
        norm: Option<&DeviceNorm>,
        rotary: Option<(&Buffer, usize, f32)>,
        positions: Argument,
    ) -> Result<(), CudaError> {
        let (frequencies, half, factor) = match rotary {
            Some((frequencies, half, factor)) => (Some(frequencies), half, factor),
            None => (None, 0, 1.0),
        };
        let arguments = [
            (&values.buffer).into(),
            int(values.columns),
            bias.into(),
            int(heads),
            int(size),
            norm.map(|norm| &norm.weight).into(),
            norm.and_then(|norm| norm.bias.as_ref()).into(),
            Float(norm.map_or(0.0, |norm| norm.epsilon)),
            Int(norm.map_or(0, |norm| norm.kind)),
            frequencies.into(),
            int(half),
            Float(factor),
            positions,
        ];
        let warps = heads.clamp(1, 8);
        let threads = u32::try_from(32 * warps).unwrap_or(ROW_THREADS);
        let shared = 4 * (2 * half + warps * size);
        self.device.launch(
            &self.own.turn,
            grid(values.rows),
            threads,
            shared,
            &arguments,
        )
    }

    /// Attention of every head of every sentence; `longest` is the longest sentence's length.
    #[allow(clippy::too_many_arguments)]
    pub fn attend(
        &self,
        how: &Attending,
        queries: &Tensor,
        keys_values: &Tensor,
        biases: [Argument; 3],
        distances: Option<&DeviceDistances>,
        starts: Argument,
        query_starts: Argument,
        query_positions: Argument,
        sentences: usize,
        longest: usize,
        received: Option<&Buffer>,
    ) -> Result<Tensor, CudaError> {
        queries.must_have(0, how.heads * how.head_size);
        keys_values.must_have(0, 2 * how.key_heads * how.head_size);
        let out = self.tensor(queries.rows, how.heads * how.head_size)?;
        let padded = longest.div_ceil(32) * 32;
        let shared =
            |rows: usize| 4 * (rows * how.head_size + 32 * (how.head_size + 1) + rows * padded);
        let (kernel, shared) = match padded {
            ..=512 => (&self.own.attend, shared(16)),
            _ => (&self.own.attend_long, shared(4)),
        };
        self.allow_shared(kernel, shared)?;
        let arguments = [
            (&queries.buffer).into(),
            int(queries.columns),
            (&keys_values.buffer).into(),
            int(keys_values.columns),
            biases[0],
            biases[1],
            biases[2],
            starts,
            query_starts,
            query_positions,
            int(how.heads),
            int(how.key_heads),
            int(how.head_size),
            Float(how.scale),
            Int(i32::from(how.sight.causal)),
            Int(match how.sight.reach {
                Some(reach) => i32::try_from(reach).unwrap_or(i32::MAX),
                None => -1,
            }),
            Float(how.soft_cap.unwrap_or(0.0)),
            distances.map(|distances| &distances.rows).into(),
            int(distances.map_or(0, |distances| distances.farthest)),
            (&out.buffer).into(),
            received.into(),
            int(keys_values.rows),
        ];
        let heads = u32::try_from(how.heads).expect("heads of a layer fit 32 bits");
        // The second dimension of a grid ends at 65,535.
        if sentences > 65_535 {
            return Err(CudaError::Unsupported("more than 65,535 sentences at once"));
        }
        let grid = (heads, u32::try_from(sentences).expect("checked above"));
        self.device.launch(kernel, grid, 128, shared, &arguments)?;
        Ok(out)
    }

    /// Attention of single queries over keys and values that a list names; queries are the first columns of
    /// `queries`.
    pub fn attend_listed(
        &self,
        how: &Attending,
        distances: Option<&DeviceDistances>,
        queries: &Tensor,
        keys_values: &Buffer,
        listed: Listed,
    ) -> Result<Tensor, CudaError> {
        let (heads, size) = (how.heads, how.head_size);
        assert!(
            queries.columns >= heads * size,
            "queries are narrower than their heads"
        );
        let out = self.tensor(queries.rows, heads * size)?;
        let arguments = [
            (&queries.buffer).into(),
            int(queries.columns),
            keys_values.into(),
            int(2 * how.key_heads * size),
            listed.firsts,
            listed.lengths,
            listed.list,
            int(heads),
            int(how.key_heads),
            int(size),
            Float(how.scale),
            Int(match how.sight.reach {
                Some(reach) => i32::try_from(reach).unwrap_or(i32::MAX),
                None => -1,
            }),
            Float(how.soft_cap.unwrap_or(0.0)),
            distances.map(|distances| &distances.rows).into(),
            int(distances.map_or(0, |distances| distances.farthest)),
            int(listed.longest),
            (&out.buffer).into(),
        ];
        let kernel = &self.own.attend_listed;
        let shared = 16 * (size + listed.longest);
        self.allow_shared(kernel, shared)?;
        self.device
            .launch(kernel, grid(queries.rows), 128, shared, &arguments)?;
        Ok(out)
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

    pub fn sum_heads(
        &self,
        by_head: &Buffer,
        heads: usize,
        tokens: usize,
        received: &Buffer,
    ) -> Result<(), CudaError> {
        let arguments = [by_head.into(), int(heads), int(tokens), received.into()];
        let blocks = grid(tokens.div_ceil(256));
        self.device
            .launch(&self.sum_heads, blocks, 256, 0, &arguments)
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
