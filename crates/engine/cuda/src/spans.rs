//! Convolutions on the device: ConvBERT's beside attention, and DeBERTa's over the embeddings.

use cudarc::driver::CudaFunction;

use super::CudaError;
use super::attending::Asking;
use super::batch::DeviceBatch;
use super::device::{Argument, Buffer, Device};
use super::operations::{Keep, Operations, ROW_THREADS, Tensor, grid, int};
use super::stream::Stream;
use super::weights::{DeviceLinear, DeviceNorm, vector};
use epicene_kernels::{Activation, Precision};
use epicene_transformer::{Convolution, SpanConvolution};

#[derive(Debug)]
pub struct SpanKernels {
    depthwise: CudaFunction,
    mix: CudaFunction,
    add_shifted: CudaFunction,
}

impl SpanKernels {
    pub fn load(device: &Device) -> Result<SpanKernels, CudaError> {
        let own = |name: &str| device.kernel(&format!("{name}_{}", device.precision().name()));
        Ok(SpanKernels {
            depthwise: own("span_depthwise")?,
            mix: own("span_mix")?,
            add_shifted: own("add_shifted")?,
        })
    }
}

#[derive(Debug)]
pub struct DeviceSpan {
    kernel: usize,
    depthwise: Buffer,
    pointwise: DeviceLinear,
    weights: DeviceLinear,
    values: DeviceLinear,
}

impl DeviceSpan {
    pub fn new(device: &Device, span: &SpanConvolution) -> Result<DeviceSpan, CudaError> {
        Ok(DeviceSpan {
            kernel: span.kernel,
            depthwise: device.upload(&span.depthwise)?,
            pointwise: DeviceLinear::new(device, &span.pointwise)?,
            weights: DeviceLinear::of_any_width(device, &span.weights)?,
            values: DeviceLinear::new(device, &span.values)?,
        })
    }

    /// What attention mixed, with what the convolution gives beside it.
    #[allow(clippy::too_many_arguments)]
    pub fn apply(
        &self,
        operations: &Operations,
        batch: &DeviceBatch,
        asked: &Asking,
        input: &Tensor,
        asking: &Tensor,
        query: &Tensor,
        attended: &Tensor,
    ) -> Result<Tensor, CudaError> {
        let (device, kernels) = (&operations.device, &operations.spans);
        let heads = self.weights.outputs / self.kernel;
        let spans = operations.tensor(asking.rows, input.columns)?;
        let arguments = [
            (&input.buffer).into(),
            (&self.depthwise).into(),
            int(self.kernel),
            batch.starts,
            asked.starts,
            asked.positions,
            int(batch.sentences),
            int(input.columns),
            (&spans.buffer).into(),
        ];
        let rows = grid(asking.rows);
        device.launch(&kernels.depthwise, rows, ROW_THREADS, 0, &arguments)?;
        let keys = operations.linear(&self.pointwise, &spans)?;
        query.must_have(keys.rows, keys.columns);
        operations.multiply(&keys, self.pointwise.bias.as_ref(), query, 0)?;
        let made = operations.linear(&self.weights, &keys)?;
        let values = operations.with_bias(&self.values, input)?;
        attended.must_have(asking.rows, values.columns);
        let out = operations.tensor(asking.rows, 2 * values.columns)?;
        let arguments = [
            (&attended.buffer).into(),
            (&made.buffer).into(),
            self.weights.bias.as_ref().into(),
            (&values.buffer).into(),
            int(self.kernel),
            int(heads),
            batch.starts,
            asked.starts,
            asked.positions,
            int(batch.sentences),
            int(values.columns),
            (&out.buffer).into(),
        ];
        let shared = 4 * heads * self.kernel;
        device.launch(&kernels.mix, rows, ROW_THREADS, shared, &arguments)?;
        Ok(out)
    }
}

#[derive(Debug)]
pub struct DeviceConvolution {
    taps: Vec<DeviceLinear>,
    bias: Option<Buffer>,
    activation: Activation,
    norm: DeviceNorm,
}

impl DeviceConvolution {
    pub fn new(device: &Device, convolution: &Convolution) -> Result<DeviceConvolution, CudaError> {
        let taps = convolution.taps.iter();
        Ok(DeviceConvolution {
            taps: taps
                .map(|tap| DeviceLinear::new(device, tap))
                .collect::<Result<_, _>>()?,
            bias: vector(device, &convolution.bias)?,
            activation: convolution.activation,
            norm: DeviceNorm::new(device, &convolution.norm)?,
        })
    }

    pub(super) fn apply(
        &self,
        stream: &mut Stream<'_>,
        batch: &DeviceBatch,
        embedded: &Tensor,
    ) -> Result<(), CudaError> {
        let operations = stream.operations;
        let device = &operations.device;
        let (rows, columns) = (embedded.rows, embedded.columns);
        let sum = Tensor {
            buffer: device.zeros(rows * columns * Precision::F32.bytes())?,
            rows,
            columns,
        };
        let reach = self.taps.len() as i32 / 2;
        for (tap, map) in (0..).zip(&self.taps) {
            let moved = operations.linear(map, embedded)?;
            let arguments = [
                (&sum.buffer).into(),
                (&moved.buffer).into(),
                batch.starts,
                int(batch.sentences),
                Argument::Int(tap - reach),
                int(columns),
            ];
            let kernel = &operations.spans.add_shifted;
            device.launch(kernel, grid(rows), ROW_THREADS, 0, &arguments)?;
        }
        operations.activate_full(&sum, self.bias.as_ref(), self.activation)?;
        stream.pending.push((operations.narrow(&sum)?, None));
        stream.copy = Some(stream.normed(&self.norm, Keep::Normed)?);
        Ok(())
    }
}
