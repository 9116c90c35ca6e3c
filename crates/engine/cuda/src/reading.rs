//! Groups of sentences through the device: all numbers up in one copy, all work queued without a
//! wait, all answers back in one copy.

use super::CudaError;
use super::batch::{BatchPlaces, Integers, at};
use super::device::Argument;
use super::forward::DeviceModel;
use super::operations::Tensor;
use epicene_transformer::{Batch, Depth};

/// A batch, and the (read row, token) pairs whose logits are wanted.
#[derive(Debug)]
pub struct Request {
    pub batch: Batch,
    pub pairs: Vec<(usize, u32)>,
}

/// What one batch gave when whole sentences were looked at.
#[derive(Debug, Default)]
pub struct Looked {
    /// Rows of hidden states, all tokens.
    pub hidden: Vec<f32>,
    pub received: Vec<f64>,
    /// For each pair, the log-probability.
    pub log_probabilities: Vec<f64>,
}

impl DeviceModel {
    /// For each request, for each pair, its logit or its log-probability.
    pub fn read(&self, requests: &[Request], normalised: bool) -> Result<Vec<Vec<f64>>, CudaError> {
        let Some(head) = &self.head else {
            return Err(CudaError::Unsupported("a model without its head"));
        };
        let mut integers = Integers::default();
        let places: Vec<(BatchPlaces, usize, usize)> = requests
            .iter()
            .map(|request| {
                let batch = BatchPlaces::new(&mut integers, &request.batch);
                let rows = integers.add(request.pairs.iter().map(|(row, _)| *row));
                let tokens = integers.add(request.pairs.iter().map(|(_, token)| *token as usize));
                (batch, rows, tokens)
            })
            .collect();
        let device = self.device();
        let base = device.upload(integers.values())?;
        let pairs: usize = requests.iter().map(|request| request.pairs.len()).sum();
        let rows: usize = requests
            .iter()
            .map(|request| request.batch.read.positions.len())
            .sum();
        let logits = device.allocate(4 * pairs)?;
        let normalisers = device.allocate(8 * if normalised { rows } else { 0 })?;
        let (mut pair, mut row) = (0u64, 0u64);
        for (request, (batch, pair_rows, pair_tokens)) in requests.iter().zip(&places) {
            let forward = self.forward(&batch.on(&base), Depth::Read, false)?;
            let mut found = head.rows(&self.operations, forward)?;
            let out = Argument::Pointer(logits.pointer() + 4 * pair);
            let count = request.pairs.len();
            head.logits(
                &self.operations,
                &found,
                at(&base, *pair_rows),
                at(&base, *pair_tokens),
                count,
                out,
            )?;
            if normalised {
                let out = Argument::Pointer(normalisers.pointer() + 8 * row);
                head.normalisers(&self.operations, &mut found, out)?;
            }
            pair += count as u64;
            row += request.batch.read.positions.len() as u64;
        }
        let normalisers: Vec<f64> = if normalised {
            device.download(&normalisers, rows)?
        } else {
            vec![0.0; rows]
        };
        let logits: Vec<f32> = device.download(&logits, pairs)?;
        let (mut logit, mut first) = (logits.iter(), 0);
        Ok(requests
            .iter()
            .map(|request| {
                let values = request.pairs.iter().zip(logit.by_ref());
                let values = values
                    .map(|((row, _), logit)| f64::from(*logit) - normalisers[first + row])
                    .collect();
                first += request.batch.read.positions.len();
                values
            })
            .collect())
    }

    /// Hidden states of every token, left on the device.
    pub fn encode(&self, batch: &Batch) -> Result<Tensor, CudaError> {
        let mut integers = Integers::default();
        let places = BatchPlaces::new(&mut integers, batch);
        let base = self.device().upload(integers.values())?;
        Ok(self.forward(&places.on(&base), Depth::All, false)?.hidden)
    }

    /// Whole sentences of one batch.
    pub fn look(
        &self,
        request: &Request,
        hidden: bool,
        attention: bool,
    ) -> Result<Looked, CudaError> {
        let mut integers = Integers::default();
        let batch = BatchPlaces::new(&mut integers, &request.batch);
        let rows = integers.add(request.pairs.iter().map(|(row, _)| *row));
        let tokens = integers.add(request.pairs.iter().map(|(_, token)| *token as usize));
        let device = self.device();
        let base = device.upload(integers.values())?;
        let mut forward = self.forward(&batch.on(&base), Depth::All, attention)?;
        let mut looked = Looked::default();
        if let Some(received) = forward.received.take() {
            looked.received = device.download(&received, request.batch.ids.len())?;
        }
        if hidden {
            let count = forward.hidden.rows * forward.hidden.columns;
            looked.hidden = device.download(&forward.hidden.buffer, count)?;
            let unscaled = 1.0 / self.head_scale;
            looked
                .hidden
                .iter_mut()
                .for_each(|value| *value *= unscaled);
        }
        if request.pairs.is_empty() {
            return Ok(looked);
        }
        let Some(head) = &self.head else {
            return Err(CudaError::Unsupported("a model without its head"));
        };
        let count = forward.hidden.rows;
        let mut found = head.rows(&self.operations, forward)?;
        let logits = device.allocate(4 * request.pairs.len())?;
        let normalisers = device.allocate(8 * count)?;
        head.logits(
            &self.operations,
            &found,
            at(&base, rows),
            at(&base, tokens),
            request.pairs.len(),
            (&logits).into(),
        )?;
        head.normalisers(&self.operations, &mut found, (&normalisers).into())?;
        let logits: Vec<f32> = device.download(&logits, request.pairs.len())?;
        let normalisers: Vec<f64> = device.download(&normalisers, count)?;
        looked.log_probabilities = request
            .pairs
            .iter()
            .zip(&logits)
            .map(|((row, _), logit)| f64::from(*logit) - normalisers[*row])
            .collect();
        Ok(looked)
    }
}
