//! The same reads on one GPU or several: groups as large as memory allows, dealt out to them and queued one after the other.

use epicene_core::ModelKind;
use epicene_io::threads::spawn_or_run;

use crate::error::LmError;
use crate::model::reading::{Found, Pass, Read, Reading, Wanted, groups, in_order};
use crate::model::{TransformerModel, joined};
use epicene_cuda::{CudaError, DeviceModel, Request};
use epicene_kernels::Matrix;
use epicene_transformer::{Batch, Sequence};

impl TransformerModel {
    fn cuda(&self, error: CudaError) -> LmError {
        LmError::Cuda {
            system: self.name(),
            error,
        }
    }

    /// Groups of sentences that fill every GPU, dealt out one by one, and what `work` makes of each GPU's.
    pub(crate) fn dealt_out<T: Send>(
        &self,
        lengths: impl Iterator<Item = usize>,
        work: impl Fn(&DeviceModel, Vec<Vec<usize>>) -> Result<Vec<T>, CudaError> + Sync,
    ) -> Result<Vec<T>, LmError> {
        let devices = self.devices.len();
        let budget = self.devices.iter().map(|device| device.budget).min();
        let mut hands: Vec<Vec<Vec<usize>>> = vec![Vec::new(); devices];
        let groups = groups(lengths, devices, budget.unwrap_or(1));
        for (place, group) in groups.into_iter().enumerate() {
            hands[place % devices].push(group);
        }
        let hands = self.devices.iter().zip(hands);
        let done: Vec<Result<Vec<T>, CudaError>> = match devices {
            1 => hands.map(|(device, groups)| work(device, groups)).collect(),
            _ => std::thread::scope(|scope| {
                let work = &work;
                let threads: Vec<_> = hands
                    .map(|(device, groups)| spawn_or_run(scope, move || work(device, groups)))
                    .collect();
                threads.into_iter().map(joined).collect()
            }),
        };
        let mut all = Vec::new();
        for done in done {
            all.extend(done.map_err(|error| self.cuda(error))?);
        }
        Ok(all)
    }

    pub(crate) fn read_on_devices(
        &self,
        reads: &[&Read],
        passes: &[Pass],
        normalised: bool,
    ) -> Result<Vec<Found>, LmError> {
        let lengths = passes.iter().map(|pass| pass.sequence.ids.len());
        let found = self.dealt_out(lengths, |device, groups| {
            let requests: Vec<Request> = groups
                .iter()
                .map(|group| {
                    let batch = Batch::of(group.iter().map(|pass| &passes[*pass].sequence));
                    let mut pairs = Vec::new();
                    for (place, pass) in group.iter().enumerate() {
                        let pass = &passes[*pass];
                        let first = batch.read.starts[place];
                        for (position, tokens) in
                            pass.requests.iter().flat_map(|request| &reads[*request].at)
                        {
                            let row = pass.sequence.read.partition_point(|read| read < position);
                            pairs.extend(tokens.iter().map(|token| (first + row, *token)));
                        }
                    }
                    Request { batch, pairs }
                })
                .collect();
            let values = device.read(&requests, normalised)?;
            let mut found = Vec::with_capacity(reads.len());
            for (group, values) in groups.iter().zip(values) {
                let mut values = values.into_iter();
                for pass in group {
                    for request in &passes[*pass].requests {
                        let at = reads[*request].at.iter();
                        let values =
                            at.map(|(_, tokens)| values.by_ref().take(tokens.len()).collect());
                        found.push((*request, values.collect()));
                    }
                }
            }
            Ok(found)
        })?;
        Ok(in_order(reads.len(), found))
    }

    pub(crate) fn look_on_devices(
        &self,
        sequences: &[Sequence],
        wanted: Wanted,
    ) -> Result<Vec<(usize, Reading)>, LmError> {
        let lengths = sequences.iter().map(|sequence| sequence.ids.len());
        self.dealt_out(lengths, |device, groups| {
            let mut readings = Vec::with_capacity(sequences.len());
            for group in groups {
                self.look_on_device(device, sequences, &group, wanted, &mut readings)?;
            }
            Ok(readings)
        })
    }

    fn look_on_device(
        &self,
        device: &DeviceModel,
        sequences: &[Sequence],
        group: &[usize],
        wanted: Wanted,
        readings: &mut Vec<(usize, Reading)>,
    ) -> Result<(), CudaError> {
        let layers = &self.transformer.layers;
        let heads: usize = layers.iter().map(|layer| layer.attention.how.heads).sum();
        let batch = Batch::of(group.iter().map(|sentence| &sequences[*sentence]));
        let mut pairs = Vec::new();
        if wanted.log_probabilities {
            for (place, sentence) in group.iter().enumerate() {
                let first = batch.starts[place];
                let ids = sequences[*sentence].ids.iter().enumerate();
                pairs.extend(ids.filter_map(|(position, token)| {
                    let row = match self.card.kind {
                        ModelKind::Masked => Some(position),
                        ModelKind::Causal | ModelKind::Translator | ModelKind::Chat => {
                            position.checked_sub(1)
                        }
                    };
                    row.map(|row| (first + row, *token))
                }));
            }
        }
        let request = Request { batch, pairs };
        let looked = device.look(&request, wanted.hidden, wanted.attention)?;
        let mut values = looked.log_probabilities.into_iter();
        let columns = looked.hidden.len() / request.batch.ids.len().max(1);
        for (place, sentence) in group.iter().enumerate() {
            let range = request.batch.starts[place]..request.batch.starts[place + 1];
            let length = range.len();
            let mut reading = Reading {
                ids: sequences[*sentence].ids.clone(),
                ..Reading::default()
            };
            if wanted.hidden {
                reading.hidden = Matrix {
                    data: looked.hidden[range.start * columns..range.end * columns].to_vec(),
                    rows: length,
                    columns,
                };
            }
            if wanted.attention {
                let share = 1.0 / (heads * length) as f64;
                let received = looked.received[range].iter();
                reading.attention = received.map(|sum| sum * share).collect();
            }
            if wanted.log_probabilities {
                let causal = self.card.kind != ModelKind::Masked;
                reading.log_probabilities = Vec::with_capacity(length);
                reading.log_probabilities.extend(causal.then_some(0.0));
                let rest = length - usize::from(causal);
                reading.log_probabilities.extend(values.by_ref().take(rest));
            }
            readings.push((*sentence, reading));
        }
        Ok(())
    }

    pub(crate) fn all_logits_on_device(
        &self,
        ids: &[u32],
        positions: &[usize],
        vocabulary: usize,
    ) -> Result<Vec<Vec<f32>>, LmError> {
        let vocabulary = u32::try_from(vocabulary).expect("tokens have 32 bits");
        let every: Vec<u32> = (0..vocabulary).collect();
        let read = Read {
            ids: ids.to_vec(),
            at: positions
                .iter()
                .map(|position| (*position, every.clone()))
                .collect(),
        };
        let found = self.read_logits(&[&read])?;
        let found = found.into_iter().flatten();
        Ok(found
            .map(|logits| logits.into_iter().map(|logit| logit as f32).collect())
            .collect())
    }
}
