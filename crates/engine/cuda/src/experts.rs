//! Mixtures of experts on the GPU; its twin on CPU is `epicene-transformer/src/experts.rs`.
//!
//! Tokens choose on the device, and their rows are sorted by expert there; how many rows each expert has comes back, a
//! number for each, because products need their sizes.

use std::sync::Arc;

use cudarc::driver::CudaFunction;

use super::CudaError;
use super::device::{Argument, Buffer, Device};
use super::operations::{Operations, ROW_THREADS, Tensor, grid, int};
use super::product::{Lines, Product};
use super::weights::{DeviceLinear, vector};
use epicene_kernels::{Activation, Precision};
use epicene_transformer::{Expert, Experts, FeedForward, Groups, Scoring};

use Argument::{Float, Int};

/// Experts that a token may choose among: as many scores as a block's shared memory holds.
const MOST_EXPERTS: usize = 2048;

#[derive(Debug)]
pub struct ExpertKernels {
    route: CudaFunction,
    count: CudaFunction,
    place: CudaFunction,
    gather: CudaFunction,
    add: CudaFunction,
}

impl ExpertKernels {
    pub fn load(device: &Device) -> Result<ExpertKernels, CudaError> {
        let own = |name: &str| device.kernel(&format!("{name}_{}", device.precision().name()));
        Ok(ExpertKernels {
            route: device.kernel("route")?,
            count: device.kernel("count_chosen")?,
            place: device.kernel("place_chosen")?,
            gather: own("gather_chosen")?,
            add: own("add_chosen")?,
        })
    }
}

#[derive(Debug)]
pub struct DeviceExperts {
    router: DeviceLinear,
    chosen: usize,
    sigmoid: bool,
    correction: Option<Buffer>,
    groups: Option<Groups>,
    to_one: bool,
    scale: f32,
    weighs_input: bool,
    shared_gate: Option<DeviceLinear>,
    /// Of each expert, the maps in and out.
    experts: Vec<[Arc<Buffer>; 2]>,
    /// Of all experts, one after the other.
    input_bias: Option<Buffer>,
    output_bias: Option<Buffer>,
    hidden: usize,
    inner: usize,
    activation: Activation,
    bound: Option<f32>,
}

impl DeviceExperts {
    pub fn new(device: &Device, experts: &Experts) -> Result<DeviceExperts, CudaError> {
        let router = &experts.router;
        let networks: Option<Vec<&FeedForward>> = experts
            .experts
            .iter()
            .map(|expert| match expert {
                Expert::Here(network) => Some(network),
                Expert::InFile(_) => None,
            })
            .collect();
        let networks = networks.ok_or(CudaError::Unsupported("experts that stay in their file"))?;
        let Some(first) = networks.first() else {
            return Err(CudaError::Unsupported("a mixture without experts"));
        };
        if networks.len() > MOST_EXPERTS {
            return Err(CudaError::Unsupported("more than 2,048 experts"));
        }
        let mut maps = Vec::with_capacity(networks.len());
        let (mut input_bias, mut output_bias) = (Vec::new(), Vec::new());
        for network in &networks {
            let ([input], [output], true) = (
                network.input.as_slice(),
                network.output.as_slice(),
                network.gated,
            ) else {
                return Err(CudaError::Unsupported("experts without a gate"));
            };
            let (input, output) = (
                DeviceLinear::new(device, input)?,
                DeviceLinear::new(device, output)?,
            );
            maps.push([input.weight, output.weight]);
        }
        for network in &networks {
            input_bias.extend_from_slice(&network.input[0].bias);
            output_bias.extend_from_slice(&network.output[0].bias);
        }
        Ok(DeviceExperts {
            router: DeviceLinear::of_any_width(device, &router.logits)?,
            chosen: router.chosen,
            sigmoid: router.scoring == Scoring::Sigmoid,
            correction: vector(device, &router.correction)?,
            groups: router.groups,
            to_one: router.to_one,
            scale: router.scale,
            weighs_input: router.weighs_input,
            shared_gate: match &experts.shared_gate {
                Some(gate) => Some(DeviceLinear::of_any_width(device, gate)?),
                None => None,
            },
            experts: maps,
            input_bias: vector(device, &input_bias)?,
            output_bias: vector(device, &output_bias)?,
            hidden: first.output[0].outputs(),
            inner: first.output[0].weight.inputs,
            activation: first.activation,
            bound: first.bound,
        })
    }

    pub fn numbers_per_token(&self) -> usize {
        self.chosen * (2 * self.hidden + 3 * self.inner) + 2 * self.experts.len()
    }

    /// What the experts of each token give, with what all tokens pass through added.
    pub fn apply(
        &self,
        operations: &Operations,
        input: &Tensor,
        shared: Option<&Tensor>,
    ) -> Result<Tensor, CudaError> {
        input.must_have(0, self.hidden);
        let device = &operations.device;
        let kernels = &operations.experts;
        let (count, entries) = (self.experts.len(), input.rows * self.chosen);
        let logits = operations.linear_to(&self.router, input, Precision::F32)?;
        let gate = match &self.shared_gate {
            Some(gate) => Some(operations.linear_to(gate, input, Precision::F32)?),
            None => None,
        };
        let four = |numbers: usize| device.allocate(4 * numbers);
        let (experts, weights) = (four(entries)?, four(entries)?);
        let groups = self.groups.unwrap_or(Groups {
            count: 0,
            kept: 0,
            best: 0,
        });
        let arguments = [
            (&logits.buffer).into(),
            self.router.bias.as_ref().into(),
            int(count),
            Int(i32::from(self.sigmoid)),
            self.correction.as_ref().into(),
            int(groups.count),
            int(groups.kept),
            int(groups.best),
            int(self.chosen),
            Int(i32::from(self.to_one)),
            Float(self.scale),
            (&experts).into(),
            (&weights).into(),
        ];
        let scratch = 4 * (3 * count + groups.count);
        device.launch(&kernels.route, grid(input.rows), 32, scratch, &arguments)?;
        let counts = four(count)?;
        let arguments = [(&experts).into(), int(entries), (&counts).into()];
        device.launch(&kernels.count, grid(count), 256, 0, &arguments)?;
        let (row_of, entry_of, expert_of) = (four(entries)?, four(entries)?, four(entries)?);
        let arguments = [
            (&experts).into(),
            int(entries),
            (&counts).into(),
            (&row_of).into(),
            (&entry_of).into(),
            (&expert_of).into(),
        ];
        device.launch(&kernels.place, grid(count), 256, 0, &arguments)?;
        let rows = operations.tensor(entries, self.hidden)?;
        let early = self.weighs_input.then_some(&weights);
        let arguments = [
            (&input.buffer).into(),
            (&entry_of).into(),
            early.into(),
            int(self.chosen),
            int(self.hidden),
            (&rows.buffer).into(),
        ];
        device.launch(&kernels.gather, grid(entries), ROW_THREADS, 0, &arguments)?;
        let counts: Vec<i32> = device.download(&counts, count)?;
        let counts: Vec<usize> = counts.iter().map(|rows| *rows as usize).collect();
        let inner = operations.tensor(entries, 2 * self.inner)?;
        self.each(operations, &counts, 0, &rows, &inner)?;
        let bias = self.input_bias.as_ref();
        let inner = operations.gate(&inner, bias, Some(&expert_of), self.activation, self.bound)?;
        let given = rows;
        self.each(operations, &counts, 1, &inner, &given)?;
        let out = operations.tensor(input.rows, self.hidden)?;
        let late = (!self.weighs_input).then_some(&weights);
        let arguments = [
            (&given.buffer).into(),
            (&row_of).into(),
            (&experts).into(),
            late.into(),
            int(self.chosen),
            self.output_bias.as_ref().into(),
            shared.map(|shared| &shared.buffer).into(),
            gate.as_ref().map(|gate| &gate.buffer).into(),
            self.shared_gate
                .as_ref()
                .and_then(|gate| gate.bias.as_ref())
                .into(),
            int(self.hidden),
            (&out.buffer).into(),
        ];
        device.launch(&kernels.add, grid(input.rows), ROW_THREADS, 0, &arguments)?;
        Ok(out)
    }

    /// Every expert's map in (0) or out (1) on its own rows.
    fn each(
        &self,
        operations: &Operations,
        counts: &[usize],
        which: usize,
        from: &Tensor,
        to: &Tensor,
    ) -> Result<(), CudaError> {
        let mut first = 0;
        for (maps, rows) in self.experts.iter().zip(counts) {
            operations.device.product(Product {
                rows: *rows,
                inputs: from.columns,
                outputs: to.columns,
                input: Lines::of(&from.buffer, first, from.columns),
                weights: Lines::of(&maps[which], 0, from.columns),
                out: Lines::of(&to.buffer, first, to.columns),
                out_precision: operations.device.precision(),
                times: 1,
            })?;
            first += rows;
        }
        Ok(())
    }
}
