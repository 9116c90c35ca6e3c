//! What is done to rows between products: biases, activations, gates, norms over columns, copies.

use cudarc::driver::CudaFunction;

use super::CudaError;
use super::device::{Argument, Buffer};
use super::operations::{Operations, ROW_THREADS, Tensor, blocks, grid, int, long};
use super::weights::{DeviceLinear, DeviceNorm};
use epicene_kernels::{Activation, AttentionShape, Curve, Precision};

use Argument::{Float, Int};

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
        Activation::Curve(curve) => plain(match curve {
            Curve::QuickGelu => 9,
            Curve::Gelu10 => 10,
            Curve::HardSwish => 11,
            Curve::Laplace => 12,
            Curve::LeakyRelu => 13,
            Curve::Mish => 14,
            Curve::Relu6 => 15,
            Curve::Sigmoid => 16,
            Curve::SqrtSoftplus => 17,
        }),
    }
}

/// A bound on both sides, as the kernels take it.
fn bounded(bound: f32) -> [Argument; 5] {
    [Int(8), Float(bound), Float(0.0), Float(0.0), Float(0.0)]
}

impl Operations {
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
            Ok(())
        } else {
            self.bend(kernel, values, bias, activation(then))
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

    /// In place: a bias, then each row times columns from `first` on of the same row of `with`.
    pub fn multiply(
        &self,
        values: &Tensor,
        bias: Option<&Buffer>,
        with: &Tensor,
        first: usize,
    ) -> Result<(), CudaError> {
        assert!(
            with.rows >= values.rows && first + values.columns <= with.columns,
            "rows of {} columns are multiplied with {} from {first} on",
            values.columns,
            with.columns
        );
        let count = values.rows * values.columns;
        let arguments = [
            (&values.buffer).into(),
            bias.into(),
            self.column(with, first),
            int(with.columns),
            int(values.columns),
            long(count),
        ];
        let kernel = &self.own.multiply;
        self.device
            .launch(kernel, blocks(count), ROW_THREADS, 0, &arguments)
    }

    /// Where a column of the first row lies, in the device's precision.
    pub(super) fn column(&self, tensor: &Tensor, first: usize) -> Argument {
        let bytes = first * self.device.precision().bytes();
        Argument::Pointer(tensor.buffer.pointer() + bytes as u64)
    }

    /// In place: of the first `width` columns of each row, only what lies so many standard deviations above their mean.
    pub fn cut_off(&self, values: &Tensor, width: usize, deviations: f32) -> Result<(), CudaError> {
        assert!(width <= values.columns, "columns beyond a row are cut off");
        let arguments = [
            (&values.buffer).into(),
            int(values.columns),
            int(width),
            Float(deviations),
        ];
        let kernel = &self.own.cut_off;
        self.device
            .launch(kernel, grid(values.rows), ROW_THREADS, 0, &arguments)
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
        how: &AttentionShape,
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
}
