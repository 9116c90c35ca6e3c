//! Takes the parts of a model out of a checkpoint, with every shape checked and every legacy name
//! tried.

use std::ops::Range;
use std::sync::Arc;

use super::error::Shape;
use super::weights::{DeviceMemory, RowRun, Table};
use super::{CheckpointError, Weights, keeping};
use epicene_kernels::{Keeping, Linear, Matrix, Norm, PackedMatrix, Precision};

/// Whether a linear map comes with a bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    Needed,
    IfThere,
    None,
}

impl Bias {
    pub fn needed_if(needed: bool) -> Bias {
        if needed { Bias::Needed } else { Bias::None }
    }
}

/// Reads tensors by the names `transformers` gives them today; files that call them otherwise
/// (no prefix, `gamma` and `beta`) are understood too.
#[derive(Debug, Clone)]
pub struct Loader {
    weights: Arc<dyn Weights>,
    /// Prefix of the model without its head, with the dot; absent in files of the bare encoder.
    prefix: &'static str,
    /// Whether matrices stay in this machine's memory, whatever device there is.
    stays_on_cpu: bool,
    /// Whether they are computed with in f32, whatever was asked for.
    exact: bool,
}

impl Loader {
    pub fn new(weights: Arc<dyn Weights>, prefix: &'static str) -> Loader {
        Loader {
            weights,
            prefix,
            stays_on_cpu: false,
            exact: false,
        }
    }

    /// The same, for matrices that are used while a model is loaded: they stay on CPU.
    pub fn on_cpu(&self) -> Loader {
        Loader {
            stays_on_cpu: true,
            exact: true,
            ..self.clone()
        }
    }

    /// The same, for matrices whose products decide something: they are never rounded below what is stored.
    pub fn exact(&self) -> Loader {
        Loader {
            exact: true,
            ..self.clone()
        }
    }

    /// How a matrix of so many inputs is packed.
    pub(crate) fn keeping(&self, tensor: &str, inputs: usize) -> Result<Keeping, CheckpointError> {
        if self.exact {
            Ok(Keeping::Wide(self.precision(tensor)))
        } else {
            keeping(&*self.weights, tensor, inputs)
        }
    }

    pub(crate) fn device(&self) -> Option<&dyn DeviceMemory> {
        self.weights.device().filter(|_| !self.stays_on_cpu)
    }

    /// A linear map whose weights were put together here, outputs x inputs.
    pub fn made(
        &self,
        outputs: usize,
        inputs: usize,
        rows: &[f32],
        bias: Vec<f32>,
    ) -> Result<Linear, CheckpointError> {
        Ok(match self.device() {
            // Nothing stored says how, so it is f32 unless less was asked for.
            None => {
                let keeping = self.keeping("", inputs)?;
                Linear::from_rows(outputs, inputs, keeping, rows, bias)
            }
            Some(device) => Linear {
                weight: PackedMatrix::on_device(outputs, inputs, device.place_values(rows)?),
                bias,
            },
        })
    }

    /// The name under which the file has a tensor.
    pub(crate) fn find(&self, name: &str) -> Option<String> {
        let bare = name.strip_prefix(self.prefix);
        for name in [Some(name), bare].into_iter().flatten() {
            if self.weights.shape(name).is_some() {
                return Some(name.to_owned());
            }
            let legacy = match name.rsplit_once('.') {
                Some((norm, "weight")) => format!("{norm}.gamma"),
                Some((norm, "bias")) => format!("{norm}.beta"),
                _ => continue,
            };
            if self.weights.shape(&legacy).is_some() {
                return Some(legacy);
            }
        }
        None
    }

    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    pub(crate) fn checked(
        &self,
        name: &str,
        expected: &[usize],
    ) -> Result<String, CheckpointError> {
        let Some(found) = self.find(name) else {
            return Err(self.missing(name));
        };
        let shape = self.weights.shape(&found).unwrap_or_default();
        if shape != expected {
            return Err(CheckpointError::Shape {
                file: self.weights.file_of(&found).to_owned(),
                tensor: found.clone(),
                found: Shape(shape.to_vec()),
                expected: Shape(expected.to_vec()),
            });
        }
        self.weights.note(&found);
        Ok(found)
    }

    /// The complaint that a tensor is not there.
    pub fn missing(&self, name: &str) -> CheckpointError {
        CheckpointError::NoTensor {
            file: self.weights.file_of(name).to_owned(),
            tensor: name.to_owned(),
        }
    }

    pub(crate) fn weights(&self) -> &Arc<dyn Weights> {
        &self.weights
    }

    fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, CheckpointError> {
        let name = self.checked(name, shape)?;
        let mut values = vec![0.0; shape.iter().product()];
        self.weights.read(&name, 0, &mut values)?;
        Ok(values)
    }

    pub fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, CheckpointError> {
        self.values(name, &[length])
    }

    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, CheckpointError> {
        self.values(name, shape)
    }

    pub fn matrix(
        &self,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> Result<Matrix, CheckpointError> {
        Ok(Matrix {
            data: self.values(name, &[rows, columns])?,
            rows,
            columns,
        })
    }

    /// A table whose rows stay in the file until they are read.
    pub fn table(&self, name: &str, rows: usize, columns: usize) -> Result<Table, CheckpointError> {
        let name = self.checked(name, &[rows, columns])?;
        Ok(Table::new(self.weights.clone(), name, rows, columns))
    }

    /// Layer normalisation; the bias may be absent where the architecture has none.
    pub fn layer_norm(
        &self,
        name: &str,
        width: usize,
        epsilon: f64,
        bias: Bias,
    ) -> Result<Norm, CheckpointError> {
        Ok(Norm::Layer {
            weight: self.vector(&format!("{name}.weight"), width)?,
            bias: self.bias(name, width, bias)?,
            epsilon: epsilon as f32,
        })
    }

    /// Root-mean-square normalisation; `offset` is added to the stored weights (1 in Gemma).
    pub fn rms_norm(
        &self,
        name: &str,
        width: usize,
        epsilon: f64,
        offset: f32,
    ) -> Result<Norm, CheckpointError> {
        let mut weight = self.vector(&format!("{name}.weight"), width)?;
        weight.iter_mut().for_each(|value| *value += offset);
        Ok(Norm::RootMeanSquare {
            weight,
            epsilon: epsilon as f32,
        })
    }

    fn bias(&self, name: &str, width: usize, bias: Bias) -> Result<Vec<f32>, CheckpointError> {
        let name = format!("{name}.bias");
        match bias {
            Bias::None => Ok(Vec::new()),
            Bias::IfThere if !self.has(&name) => Ok(Vec::new()),
            Bias::Needed | Bias::IfThere => self.vector(&name, width),
        }
    }

    /// A linear map from `inputs` to `outputs` features.
    pub fn linear(
        &self,
        name: &str,
        outputs: usize,
        inputs: usize,
        bias: Bias,
    ) -> Result<Linear, CheckpointError> {
        self.linears(&[name], outputs, inputs, bias)
    }

    /// Several linear maps of one input, side by side.
    pub fn linears(
        &self,
        names: &[&str],
        outputs: usize,
        inputs: usize,
        bias: Bias,
    ) -> Result<Linear, CheckpointError> {
        let mut tensors = Vec::with_capacity(names.len());
        let mut biases = Vec::new();
        for name in names {
            tensors.push(self.checked(&format!("{name}.weight"), &[outputs, inputs])?);
            biases.extend(self.bias(name, outputs, bias)?);
        }
        // Only now is it known that there are so many.
        let rows: Vec<(usize, usize)> = (0..names.len())
            .flat_map(|tensor| (0..outputs).map(move |row| (tensor, row)))
            .collect();
        if !biases.is_empty() && biases.len() != rows.len() {
            biases.clear();
        }
        Ok(Linear {
            weight: self.pack(&tensors, &rows, inputs)?,
            bias: biases,
        })
    }

    /// Some rows of a stored matrix, in the order given.
    pub fn linear_rows(
        &self,
        name: &str,
        stored: usize,
        inputs: usize,
        rows: &[usize],
        bias: Bias,
    ) -> Result<Linear, CheckpointError> {
        self.chosen_rows(&[(name, stored, rows)], inputs, bias)
    }

    /// Some rows of several stored matrices, one after the other: (name, stored rows, rows wanted).
    pub fn chosen_rows(
        &self,
        parts: &[(&str, usize, &[usize])],
        inputs: usize,
        bias: Bias,
    ) -> Result<Linear, CheckpointError> {
        let mut tensors = Vec::with_capacity(parts.len());
        let mut order = Vec::new();
        let mut biases = Vec::new();
        for (place, (name, stored, rows)) in parts.iter().enumerate() {
            tensors.push(self.checked(&format!("{name}.weight"), &[*stored, inputs])?);
            order.extend(rows.iter().map(|row| (place, *row)));
            let all = self.bias(name, *stored, bias)?;
            if !all.is_empty() {
                biases.extend(rows.iter().map(|row| all[*row]));
            }
        }
        if biases.len() != order.len() {
            biases.clear();
        }
        Ok(Linear {
            weight: self.pack(&tensors, &order, inputs)?,
            bias: biases,
        })
    }

    /// Some outputs of a map stored inputs first (GPT-2's `Conv1D`).
    pub fn transposed(
        &self,
        name: &str,
        inputs: usize,
        stored: usize,
        outputs: Range<usize>,
    ) -> Result<Linear, CheckpointError> {
        let tensor = self.checked(&format!("{name}.weight"), &[inputs, stored])?;
        let keeping = self.keeping(&tensor, inputs)?;
        let mut all = vec![0.0; inputs * stored];
        self.weights.read(&tensor, 0, &mut all)?;
        let weight = match self.device() {
            None => PackedMatrix::from_columns(&all, stored, outputs.clone(), keeping),
            Some(device) => {
                let column = |output: usize| all[output..].iter().step_by(stored).copied();
                let rows: Vec<f32> = outputs.clone().flat_map(column).collect();
                let buffer = device.place_values(&rows)?;
                PackedMatrix::on_device(outputs.len(), inputs, buffer)
            }
        };
        let bias = self.bias(name, stored, Bias::Needed)?;
        Ok(Linear {
            weight,
            bias: bias[outputs].to_vec(),
        })
    }

    /// Refuses a tensor that is missing or misshapen, without reading it.
    pub fn expect(&self, name: &str, shape: &[usize]) -> Result<(), CheckpointError> {
        self.checked(name, shape).map(drop)
    }

    /// Whether matrices go to another device as they are read.
    pub fn is_on_device(&self) -> bool {
        self.device().is_some()
    }

    fn precision(&self, tensor: &str) -> Precision {
        self.weights.precision(tensor).unwrap_or(Precision::F32)
    }

    pub(crate) fn pack(
        &self,
        tensors: &[String],
        rows: &[(usize, usize)],
        inputs: usize,
    ) -> Result<PackedMatrix, CheckpointError> {
        if let Some(device) = self.device() {
            let mut runs: Vec<RowRun<'_>> = Vec::new();
            for (tensor, row) in rows {
                let name = tensors[*tensor].as_str();
                match runs.last_mut() {
                    Some(run) if run.tensor == name && run.first + run.rows == *row => {
                        run.rows += 1;
                    }
                    _ => runs.push(RowRun {
                        tensor: name,
                        first: *row,
                        rows: 1,
                    }),
                }
            }
            let buffer = device.place_rows(&*self.weights, &runs, inputs)?;
            return Ok(PackedMatrix::on_device(rows.len(), inputs, buffer));
        }
        let first = tensors.first().map_or("", String::as_str);
        let keeping = self.keeping(first, inputs)?;
        PackedMatrix::pack(rows.len(), inputs, keeping, |first, out| {
            let mut wanted = &rows[first..first + out.len() / inputs];
            let mut out = out;
            // Runs of consecutive rows are read at once.
            while let Some((tensor, row)) = wanted.first() {
                let run = wanted
                    .iter()
                    .enumerate()
                    .take_while(|(i, next)| **next == (*tensor, row + i))
                    .count();
                let (now, later) = out.split_at_mut(run * inputs);
                self.weights.read(&tensors[*tensor], row * inputs, now)?;
                wanted = &wanted[run..];
                out = later;
            }
            Ok(())
        })
    }

    /// How most of the numbers are kept, for the record.
    pub fn main_precision(&self) -> Precision {
        let mut counts = [0usize; 3];
        for name in self.weights.names() {
            let size: usize = self
                .weights
                .shape(name)
                .unwrap_or_default()
                .iter()
                .product();
            match self.precision(name) {
                Precision::F32 => counts[0] += size,
                Precision::F16 => counts[1] += size,
                Precision::Bf16 => counts[2] += size,
            }
        }
        let largest = counts.iter().copied().max().unwrap_or_default();
        match counts.iter().position(|count| *count == largest) {
            Some(1) => Precision::F16,
            Some(2) => Precision::Bf16,
            _ => Precision::F32,
        }
    }
}
