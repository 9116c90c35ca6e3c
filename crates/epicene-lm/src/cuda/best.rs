//! The best next tokens of many rows, found where their logits are: of each row a few numbers come back.

use cudarc::driver::CudaFunction;

use super::CudaError;
use super::device::{Argument, Buffer, Device};
use super::operations::{Operations, Tensor, int};
use crate::bans::Rules;
use crate::cpu::Precision;

use Argument::{Float, Int};

/// Bytes of logits held at once.
const LOGITS: usize = 1 << 30;
/// Tokens that a thread of the kernel can keep.
const FEW: usize = 16;

#[derive(Debug)]
pub struct BestKernels {
    one: CudaFunction,
    few: CudaFunction,
    any: CudaFunction,
    pick: CudaFunction,
}

impl BestKernels {
    pub fn load(device: &Device) -> Result<BestKernels, CudaError> {
        Ok(BestKernels {
            one: device.kernel("best_tokens_one")?,
            few: device.kernel("best_tokens_few")?,
            any: device.kernel("best_tokens_any")?,
            pick: device.kernel("pick_logits")?,
        })
    }
}

/// The rows of a vocabulary, and what is done to a product with them.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary<'a> {
    pub rows: &'a Buffer,
    pub size: usize,
    pub columns: usize,
    pub bias: Option<&'a Buffer>,
    pub factor: f32,
    pub soft_cap: Option<f32>,
}

/// What is wanted of each row.
#[derive(Debug, Clone, Copy)]
pub struct Choosing<'a> {
    /// One for each row.
    pub rules: &'a [Rules],
    /// Best tokens of a row.
    pub wanted: usize,
    pub repetition_penalty: f32,
    /// Whether the penalty weighs logits, and not log-probabilities.
    pub greedy: bool,
    pub renormalize: bool,
    /// (row, token) pairs whose log-probabilities are wanted too, in the order of the rows.
    pub pairs: &'a [(usize, u32)],
}

/// What was found.
#[derive(Debug, Default)]
pub struct Best {
    /// For each row its best tokens with their log-probabilities.
    pub tokens: Vec<Vec<(u32, f32)>>,
    /// For each pair its log-probability, before anything is forbidden.
    pub pairs: Vec<f64>,
}

impl Operations {
    /// `hidden` in the device's precision.
    pub fn best(
        &self,
        hidden: &Tensor,
        vocabulary: Vocabulary<'_>,
        choosing: Choosing<'_>,
    ) -> Result<Best, CudaError> {
        hidden.must_have(choosing.rules.len(), vocabulary.columns);
        let mut best = Best::default();
        let at_once = (LOGITS / (4 * vocabulary.size)).max(1);
        let mut pairs = choosing.pairs;
        for first in (0..choosing.rules.len()).step_by(at_once) {
            let count = at_once.min(choosing.rules.len() - first);
            let here = pairs.partition_point(|(row, _)| *row < first + count);
            let (own, later) = pairs.split_at(here);
            pairs = later;
            self.best_of_some(hidden, vocabulary, choosing, first, count, own, &mut best)?;
        }
        Ok(best)
    }

    #[allow(clippy::too_many_arguments)]
    fn best_of_some(
        &self,
        hidden: &Tensor,
        vocabulary: Vocabulary<'_>,
        choosing: Choosing<'_>,
        first: usize,
        count: usize,
        pairs: &[(usize, u32)],
        best: &mut Best,
    ) -> Result<(), CudaError> {
        let device = &self.device;
        let logits = self.vocabulary_logits(hidden, vocabulary, first, count)?;
        let rules = &choosing.rules[first..first + count];
        let mut integers: Vec<i32> = Vec::new();
        let number = |size: usize| i32::try_from(size).expect("places in a batch fit 32 bits");
        let token = |token: &u32| i32::try_from(*token).expect("tokens fit 31 bits");
        let (mut starts, mut middles, mut ruled) = (vec![0], Vec::new(), Vec::new());
        for rules in rules {
            ruled.extend(rules.forbidden.iter().map(token));
            middles.push(number(ruled.len()));
            // What is forbidden stays so.
            let open = |penalised: &&u32| rules.forbidden.binary_search(penalised).is_err();
            ruled.extend(rules.penalised.iter().filter(open).map(token));
            starts.push(number(ruled.len()));
        }
        let lists = [
            starts,
            middles,
            ruled.clone(),
            pairs.iter().map(|(row, _)| number(row - first)).collect(),
            pairs.iter().map(|(_, id)| token(id)).collect(),
        ];
        let mut places = Vec::with_capacity(lists.len());
        for list in lists {
            places.push(integers.len() as u64);
            integers.extend(list);
        }
        let base = device.upload(&integers)?;
        let at = |list: usize| Argument::Pointer(base.pointer() + 4 * places[list]);
        let aside = device.allocate(4 * ruled.len())?;
        let wanted = choosing.wanted;
        // Values, tokens and picked logits of 4 bytes; normalisers of 8 before them.
        let bytes = 8 * count + 8 * count * wanted + 4 * pairs.len();
        let out = device.allocate(8 * bytes.div_ceil(8))?;
        let from = |offset: usize| Argument::Pointer(out.pointer() + offset as u64);
        let (values, tokens) = (8 * count, 8 * count + 4 * count * wanted);
        let picked = tokens + 4 * count * wanted;
        let finish = [
            vocabulary.bias.into(),
            Float(vocabulary.factor),
            Float(vocabulary.soft_cap.unwrap_or(0.0)),
        ];
        if !pairs.is_empty() {
            let arguments = [
                (&logits).into(),
                int(vocabulary.size),
                finish[0],
                finish[1],
                finish[2],
                at(3),
                at(4),
                int(pairs.len()),
                from(picked),
            ];
            let blocks = u32::try_from(pairs.len().div_ceil(256)).expect("a grid fits 32 bits");
            device.launch(&self.best.pick, (blocks, 1), 256, 0, &arguments)?;
        }
        let kernel = match wanted {
            0 | 1 => &self.best.one,
            2..=FEW => &self.best.few,
            _ => &self.best.any,
        };
        let arguments = [
            (&logits).into(),
            int(vocabulary.size),
            finish[0],
            finish[1],
            finish[2],
            at(0),
            at(1),
            at(2),
            (&aside).into(),
            Float(choosing.repetition_penalty),
            Int(i32::from(choosing.greedy)),
            Int(i32::from(choosing.renormalize)),
            int(wanted),
            from(values),
            from(tokens),
            from(0),
        ];
        let blocks = u32::try_from(count).expect("a grid fits 32 bits");
        device.launch(kernel, (blocks, 1), 256, 0, &arguments)?;
        // As words of 8 bytes, so that every part is aligned.
        let words: Vec<f64> = device.download(&out, bytes.div_ceil(8))?;
        let found: &[u8] = bytemuck::cast_slice(&words);
        let normalisers: &[f64] = bytemuck::cast_slice(&found[..values]);
        let floats: &[f32] = bytemuck::cast_slice(&found[values..tokens]);
        let ids: &[i32] = bytemuck::cast_slice(&found[tokens..picked]);
        let picked: &[f32] = bytemuck::cast_slice(&found[picked..bytes]);
        let rows = floats.chunks_exact(wanted).zip(ids.chunks_exact(wanted));
        best.tokens.extend(rows.map(|(values, ids)| {
            let both = ids.iter().zip(values);
            both.filter_map(|(id, value)| Some((u32::try_from(*id).ok()?, *value)))
                .collect()
        }));
        let numbers = pairs.iter().zip(picked);
        best.pairs
            .extend(numbers.map(|((row, _), logit)| f64::from(*logit) - normalisers[row - first]));
        Ok(())
    }

    /// Products of some rows with the whole vocabulary, f32.
    pub fn vocabulary_logits(
        &self,
        hidden: &Tensor,
        vocabulary: Vocabulary<'_>,
        first: usize,
        count: usize,
    ) -> Result<Buffer, CudaError> {
        let logits = self.device.allocate(4 * count * vocabulary.size)?;
        self.device.product(
            count,
            vocabulary.columns,
            vocabulary.size,
            &hidden.buffer,
            first,
            vocabulary.rows,
            0,
            &logits,
            Precision::F32,
        )?;
        Ok(logits)
    }
}
