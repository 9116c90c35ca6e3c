//! The best next tokens of many rows, found where their logits are: of each row a few numbers come back.

use cudarc::driver::CudaFunction;

use super::CudaError;
use super::device::{Argument, Buffer, Device};
use super::operations::{Operations, Tensor, grid, int};
use super::product::{Lines, Product};
use super::staging::Coming;
use epicene_kernels::Precision;
use epicene_transformer::Rules;

use Argument::{Float, Int};

/// Bytes of logits held at once.
const LOGITS: usize = 4 << 30;
/// Rows of logits begin at multiples of this many: products are written several times faster so.
const ALIGNED: usize = 8;

#[derive(Debug)]
pub struct BestKernels {
    best: CudaFunction,
    pick: CudaFunction,
}

impl BestKernels {
    pub fn load(device: &Device) -> Result<BestKernels, CudaError> {
        Ok(BestKernels {
            best: device.kernel("best_tokens_of")?,
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

/// What is being found, and how it lies.
#[derive(Debug)]
pub struct Finding<'a> {
    coming: Coming<'a>,
    rows: usize,
    wanted: usize,
    pair_rows: Vec<usize>,
}

impl Finding<'_> {
    pub fn wait(self) -> Result<Best, CudaError> {
        let (rows, wanted) = (self.rows, self.wanted);
        // As words of 8 bytes, so that every part is aligned.
        let words: Vec<f64> = self.coming.wait()?;
        let found: &[u8] = bytemuck::cast_slice(&words);
        let (normalisers, found) = found.split_at(8 * rows);
        let (values, found) = found.split_at(4 * rows * wanted);
        let (tokens, found) = found.split_at(4 * rows * wanted);
        let picked = &found[..4 * self.pair_rows.len()];
        let normalisers: &[f64] = bytemuck::cast_slice(normalisers);
        let floats: &[f32] = bytemuck::cast_slice(values);
        let ids: &[i32] = bytemuck::cast_slice(tokens);
        let picked: &[f32] = bytemuck::cast_slice(picked);
        let of_rows = floats.chunks_exact(wanted).zip(ids.chunks_exact(wanted));
        let of_pairs = self.pair_rows.iter().zip(picked);
        Ok(Best {
            tokens: of_rows
                .map(|(values, ids)| {
                    let both = ids.iter().zip(values);
                    both.filter_map(|(id, value)| Some((u32::try_from(*id).ok()?, *value)))
                        .collect()
                })
                .collect(),
            pairs: of_pairs
                .map(|(row, logit)| f64::from(*logit) - normalisers[*row])
                .collect(),
        })
    }
}

/// What is forbidden and penalised, and which single logits are wanted, as lists of integers one after the other.
struct Lists {
    integers: Vec<i32>,
    /// Where `starts`, `middles`, `ruled`, the pairs' rows and their tokens begin.
    places: [usize; 5],
    ruled: usize,
}

impl Lists {
    /// Rows of pairs are counted within their part of `at_once` rows.
    fn new(choosing: Choosing<'_>, at_once: usize) -> Lists {
        let number = |size: usize| i32::try_from(size).expect("places in a batch fit 32 bits");
        let token = |token: &u32| i32::try_from(*token).expect("tokens fit 31 bits");
        let (mut starts, mut middles, mut ruled) = (vec![0], Vec::new(), Vec::new());
        for rules in choosing.rules {
            ruled.extend(rules.forbidden.iter().map(token));
            middles.push(number(ruled.len()));
            // What is forbidden stays so.
            let open = |penalised: &&u32| rules.forbidden.binary_search(penalised).is_err();
            ruled.extend(rules.penalised.iter().filter(open).map(token));
            starts.push(number(ruled.len()));
        }
        let count = ruled.len();
        let pairs = choosing.pairs.iter();
        let lists = [
            starts,
            middles,
            ruled,
            pairs
                .clone()
                .map(|(row, _)| number(row % at_once))
                .collect(),
            pairs.map(|(_, id)| token(id)).collect(),
        ];
        let (mut integers, mut places) = (Vec::new(), [0; 5]);
        for (place, list) in places.iter_mut().zip(lists) {
            *place = integers.len();
            integers.extend(list);
        }
        Lists {
            integers,
            places,
            ruled: count,
        }
    }
}

impl Operations {
    /// `hidden` in the device's precision. All work is queued; what is found comes back in one copy.
    pub fn best(
        &self,
        hidden: &Tensor,
        vocabulary: Vocabulary<'_>,
        choosing: Choosing<'_>,
    ) -> Result<Finding<'_>, CudaError> {
        let rows = choosing.rules.len();
        hidden.must_have(rows, vocabulary.columns);
        let device = &self.device;
        let at_once = (LOGITS / (4 * vocabulary.size)).max(1);
        let lists = Lists::new(choosing, at_once);
        let base = device.upload(&lists.integers)?;
        let at = |list: usize, first: usize| {
            Argument::Pointer(base.pointer() + 4 * (lists.places[list] + first) as u64)
        };
        let aside = device.allocate(4 * lists.ruled)?;
        let (wanted, pairs) = (choosing.wanted.max(1), choosing.pairs);
        // Normalisers of 8 bytes; then values, tokens and picked logits of 4.
        let (values, tokens) = (8 * rows, 8 * rows + 4 * rows * wanted);
        let picked = tokens + 4 * rows * wanted;
        let bytes = picked + 4 * pairs.len();
        let out = device.allocate(8 * bytes.div_ceil(8))?;
        let from = |offset: usize| Argument::Pointer(out.pointer() + offset as u64);
        let finish = [
            vocabulary.bias.into(),
            Float(vocabulary.factor),
            Float(vocabulary.soft_cap.unwrap_or(0.0)),
        ];
        let mut pair = 0;
        for first in (0..rows).step_by(at_once) {
            let count = at_once.min(rows - first);
            let stride = vocabulary.size.next_multiple_of(ALIGNED);
            let logits = self.vocabulary_logits(hidden, vocabulary, first, count, stride)?;
            let own = pairs[pair..].partition_point(|(row, _)| *row < first + count);
            if own > 0 {
                let arguments = [
                    (&logits).into(),
                    int(stride),
                    finish[0],
                    finish[1],
                    finish[2],
                    at(3, pair),
                    at(4, pair),
                    int(own),
                    from(picked + 4 * pair),
                ];
                let blocks = grid(own.div_ceil(256));
                device.launch(&self.best.pick, blocks, 256, 0, &arguments)?;
                pair += own;
            }
            let arguments = [
                (&logits).into(),
                int(vocabulary.size),
                int(stride),
                finish[0],
                finish[1],
                finish[2],
                at(0, first),
                at(1, first),
                at(2, 0),
                (&aside).into(),
                Float(choosing.repetition_penalty),
                Int(i32::from(choosing.greedy)),
                Int(i32::from(choosing.renormalize)),
                int(wanted),
                from(values + 4 * first * wanted),
                from(tokens + 4 * first * wanted),
                from(8 * first),
            ];
            device.launch(&self.best.best, grid(count), 256, 0, &arguments)?;
        }
        Ok(Finding {
            coming: device.bring(&out, 8 * bytes.div_ceil(8))?,
            rows,
            wanted,
            pair_rows: pairs.iter().map(|(row, _)| *row).collect(),
        })
    }

    /// Products of some rows with the whole vocabulary, f32, `stride` apart.
    pub fn vocabulary_logits(
        &self,
        hidden: &Tensor,
        vocabulary: Vocabulary<'_>,
        first: usize,
        count: usize,
        stride: usize,
    ) -> Result<Buffer, CudaError> {
        let logits = self.device.allocate(4 * count * stride)?;
        self.device.product(Product {
            rows: count,
            inputs: vocabulary.columns,
            outputs: vocabulary.size,
            input: Lines::of(&hidden.buffer, first, vocabulary.columns),
            weights: Lines::of(vocabulary.rows, 0, vocabulary.columns),
            out: Lines::of(&logits, 0, stride),
            out_precision: Precision::F32,
            times: 1,
        })?;
        Ok(logits)
    }
}
