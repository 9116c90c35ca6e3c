//! Attention's kernels with their arguments in order, and what is added to its scores.

use cudarc::driver::CudaFunction;

use super::CudaError;
use super::batch::DeviceBatch;
use super::device::{Argument, Buffer, Device};
use super::filling::Filling;
use super::operations::{Listed, Operations, ROW_THREADS, Tensor, grid, int};
use super::product::{Lines, Product};
use super::weights::{DeviceDistances, DeviceNorm, narrowed, vector};
use epicene_kernels::{AttentionShape, DistanceBias, Matrix, Precision, Relative};
use epicene_transformer::Attention;

use Argument::{Float, Int, Pointer};

/// How far apart two tokens may be for relative positions.
const FARTHEST: usize = 8191;

#[derive(Debug)]
pub struct AttentionKernels {
    turn: CudaFunction,
    attend: CudaFunction,
    attend_long: CudaFunction,
    listed: CudaFunction,
    listed_four: CudaFunction,
    /// By the matrix units, for four and eight heads; in sixteen bits only.
    grouped: Option<[CudaFunction; 2]>,
    sum_heads: CudaFunction,
}

impl AttentionKernels {
    pub fn load(device: &Device) -> Result<AttentionKernels, CudaError> {
        let own = |name: &str| device.kernel(&format!("{name}_{}", device.precision().name()));
        Ok(AttentionKernels {
            turn: own("turn")?,
            attend: own("attend")?,
            attend_long: own("attend_long")?,
            listed: own("attend_listed")?,
            listed_four: own("attend_listed_four")?,
            grouped: match device.precision() {
                Precision::F32 => None,
                _ => Some([own("attend_grouped_four")?, own("attend_grouped_eight")?]),
            },
            sum_heads: device.kernel("sum_heads")?,
        })
    }
}

/// Which tokens ask: where each sentence's queries start, and their positions.
#[derive(Debug, Clone, Copy)]
pub struct Asking {
    pub starts: Argument,
    pub positions: Argument,
}

/// What is added to the scores of a layer.
#[derive(Debug, Default)]
pub struct Scores {
    distances: Option<DeviceDistances>,
    /// With the factor on what is rounded; 0 where nothing is.
    slopes: Option<(Buffer, f32)>,
    sinks: Option<Buffer>,
    relative: Option<DeviceRelative>,
}

impl Scores {
    pub fn new(
        device: &Device,
        attention: &Attention,
        filling: Filling,
    ) -> Result<Scores, CudaError> {
        let how = &attention.how;
        Ok(Scores {
            slopes: match &how.slopes {
                Some(slopes) => {
                    let rounded = slopes.rounded.unwrap_or(0.0);
                    Some((device.upload(&slopes.of_heads)?, rounded))
                }
                None => None,
            },
            sinks: match &how.sinks {
                Some(sinks) => vector(device, sinks)?,
                None => None,
            },
            relative: match &attention.relative {
                Some(relative) => Some(DeviceRelative::new(device, relative, filling)?),
                None => None,
            },
            ..Scores::by_distance(device, how.bias.as_deref())?
        })
    }

    pub fn by_distance(device: &Device, bias: Option<&DistanceBias>) -> Result<Scores, CudaError> {
        Ok(Scores {
            distances: DeviceDistances::maybe(device, bias)?,
            ..Scores::default()
        })
    }

    pub fn is_relative(&self) -> bool {
        self.relative.is_some()
    }

    /// Numbers that a token has for relative positions, at most.
    pub fn relative_numbers(&self, heads: usize) -> usize {
        let relative = self.relative.as_ref();
        relative.map_or(0, |relative| 2 * heads * relative.rows.min(512))
    }

    /// Distances, slopes and sinks, as the kernels take them.
    fn arguments(&self) -> [[Argument; 2]; 2] {
        let distances = self.distances.as_ref();
        let slopes = self.slopes.as_ref();
        [
            [
                distances.map(|distances| &distances.rows).into(),
                int(distances.map_or(0, |distances| distances.farthest)),
            ],
            [
                slopes.map(|(slopes, _)| slopes).into(),
                Float(slopes.map_or(0.0, |(_, rounded)| *rounded)),
            ],
        ]
    }
}

/// Content that looks at relative positions, and the other way round (DeBERTa).
#[derive(Debug)]
struct DeviceRelative {
    keys: Option<Buffer>,
    queries: Option<Buffer>,
    rows: usize,
    columns: usize,
    /// The row of each distance from -FARTHEST on, here and there.
    row_of: Vec<i32>,
    row_of_there: Buffer,
}

impl DeviceRelative {
    fn new(
        device: &Device,
        relative: &Relative,
        filling: Filling,
    ) -> Result<DeviceRelative, CudaError> {
        let place = |matrix: &Matrix| -> Result<Option<Buffer>, CudaError> {
            if matrix.rows == 0 {
                return Ok(None);
            }
            let bytes = narrowed(&filling.numbers(&matrix.data), device.precision());
            device.upload(&bytes).map(Some)
        };
        let row_of: Vec<i32> = (0..=2 * FARTHEST)
            .map(|distance| {
                let (query, key) = (
                    distance.saturating_sub(FARTHEST),
                    FARTHEST.saturating_sub(distance),
                );
                i32::try_from(relative.row(query, key)).expect("rows of a table fit 32 bits")
            })
            .collect();
        Ok(DeviceRelative {
            keys: place(&relative.keys)?,
            queries: place(&relative.queries)?,
            rows: relative.keys.rows.max(relative.queries.rows),
            columns: filling.width(relative.keys.columns.max(relative.queries.columns)),
            row_of_there: device.upload(&row_of)?,
            row_of,
        })
    }

    /// The first row that sentences of this length use, and how many.
    fn used(&self, longest: usize) -> Result<(usize, usize), CudaError> {
        let far = longest.saturating_sub(1);
        if far > FARTHEST {
            return Err(CudaError::Unsupported(
                "sentences of more than 8,192 tokens with relative positions",
            ));
        }
        let row = |place: usize| self.row_of[place] as usize;
        let low = row(FARTHEST - far);
        Ok((low, row(FARTHEST + far) - low + 1))
    }

    /// Products of each token's heads with some rows of a table, rows x heads x count.
    fn products(
        &self,
        operations: &Operations,
        table: Option<&Buffer>,
        tokens: &Tensor,
        how: &AttentionShape,
        (low, count): (usize, usize),
    ) -> Result<Option<Tensor>, CudaError> {
        let Some(table) = table else {
            return Ok(None);
        };
        let (heads, size) = (how.heads, how.head_size);
        let out = operations.tensor_of(tokens.rows, heads * count, Precision::F32)?;
        operations.device.product(Product {
            rows: tokens.rows,
            inputs: size,
            outputs: count,
            input: Lines {
                next: size,
                ..Lines::of(&tokens.buffer, 0, tokens.columns)
            },
            weights: Lines {
                next: size,
                ..Lines::of(table, low, self.columns)
            },
            out: Lines {
                next: count,
                ..Lines::of(&out.buffer, 0, heads * count)
            },
            out_precision: Precision::F32,
            times: heads,
        })?;
        Ok(Some(out))
    }
}

fn reach(how: &AttentionShape) -> Argument {
    Int(match how.mask.reach {
        Some(reach) => i32::try_from(reach).unwrap_or(i32::MAX),
        None => -1,
    })
}

impl Operations {
    /// Biases, head norms and rotation of `heads` heads of each row from a column on, in place.
    #[allow(clippy::too_many_arguments)]
    pub fn rotate(
        &self,
        values: &Tensor,
        first: usize,
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
        assert!(
            first + heads * size <= values.columns,
            "{heads} heads of {size} lie beyond rows of {}",
            values.columns
        );
        let next_head = norm.map_or(0, |norm| if norm.width > size { size } else { 0 });
        let arguments = [
            self.column(values, first),
            int(values.columns),
            bias.into(),
            int(heads),
            int(size),
            norm.map(|norm| &norm.weight).into(),
            norm.and_then(|norm| norm.bias.as_ref()).into(),
            int(next_head),
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
        let kernel = &self.attention.turn;
        self.device
            .launch(kernel, grid(values.rows), threads, shared, &arguments)
    }

    /// Attention of every head of every sentence.
    #[allow(clippy::too_many_arguments)]
    pub fn attend(
        &self,
        how: &AttentionShape,
        scores: &Scores,
        queries: &Tensor,
        keys_values: &Tensor,
        biases: [Argument; 3],
        batch: &DeviceBatch,
        asked: &Asking,
        received: Option<&Buffer>,
    ) -> Result<Tensor, CudaError> {
        queries.must_have(0, how.heads * how.head_size);
        keys_values.must_have(0, 2 * how.key_heads * how.head_size);
        let (mut low, mut count) = (0, 0);
        let (mut by_query, mut by_key) = (None, None);
        if let Some(relative) = &scores.relative {
            (low, count) = relative.used(batch.longest)?;
            let (keys, used) = (relative.keys.as_ref(), (low, count));
            by_query = relative.products(self, keys, queries, how, used)?;
            let table = relative.queries.as_ref();
            by_key = relative.products(self, table, keys_values, how, used)?;
        }
        let relative = scores.relative.as_ref();
        let out = self.tensor(queries.rows, how.heads * how.head_size)?;
        let padded = batch.longest.div_ceil(32) * 32;
        let shared =
            |rows: usize| 4 * (rows * how.head_size + 32 * (how.head_size + 1) + rows * padded);
        let (kernel, shared) = match padded {
            ..=512 => (&self.attention.attend, shared(16)),
            _ => (&self.attention.attend_long, shared(4)),
        };
        self.allow_shared(kernel, shared)?;
        let [distances, slopes] = scores.arguments();
        let buffer = |tensor: &Option<Tensor>| match tensor {
            Some(tensor) => (&tensor.buffer).into(),
            None => Pointer(0),
        };
        let arguments = [
            (&queries.buffer).into(),
            int(queries.columns),
            (&keys_values.buffer).into(),
            int(keys_values.columns),
            biases[0],
            biases[1],
            biases[2],
            batch.starts,
            asked.starts,
            asked.positions,
            int(how.heads),
            int(how.key_heads),
            int(how.head_size),
            Float(how.scale),
            Int(i32::from(how.mask.causal)),
            reach(how),
            Float(how.soft_cap.unwrap_or(0.0)),
            distances[0],
            distances[1],
            slopes[0],
            slopes[1],
            scores.sinks.as_ref().into(),
            buffer(&by_query),
            buffer(&by_key),
            relative.map(|relative| &relative.row_of_there).into(),
            int(low),
            int(count),
            int(FARTHEST),
            (&out.buffer).into(),
            received.into(),
            int(keys_values.rows),
        ];
        let heads = u32::try_from(how.heads).expect("heads of a layer fit 32 bits");
        // The second dimension of a grid ends at 65,535.
        if batch.sentences > 65_535 {
            return Err(CudaError::Unsupported("more than 65,535 sentences at once"));
        }
        let grid = (
            heads,
            u32::try_from(batch.sentences).expect("checked above"),
        );
        self.device.launch(kernel, grid, 128, shared, &arguments)?;
        Ok(out)
    }

    /// Attention of single queries over keys and values that a list names; queries are the first columns of
    /// `queries`.
    pub fn attend_listed(
        &self,
        how: &AttentionShape,
        scores: &Scores,
        queries: &Tensor,
        keys_values: &Buffer,
        listed: Listed,
    ) -> Result<Tensor, CudaError> {
        const WARPS: usize = 4;
        let (heads, size) = (how.heads, how.head_size);
        assert!(
            queries.columns >= heads * size,
            "queries are narrower than their heads"
        );
        let out = self.tensor(queries.rows, heads * size)?;
        let share = heads / how.key_heads;
        let [distances, slopes] = scores.arguments();
        let arguments = [
            (&queries.buffer).into(),
            int(queries.columns),
            keys_values.into(),
            int(2 * how.key_heads * size),
            listed.firsts,
            listed.lengths,
            listed.list,
            int(queries.rows),
            int(heads),
            int(how.key_heads),
            int(size),
            Float(how.scale),
            reach(how),
            Float(how.soft_cap.unwrap_or(0.0)),
            distances[0],
            distances[1],
            slopes[0],
            slopes[1],
            scores.sinks.as_ref().into(),
            (&out.buffer).into(),
        ];
        let (kernel, at_once) = match (&self.attention.grouped, share) {
            (Some([four, eight]), 2..=8) if size.is_multiple_of(32) && size <= 128 => match share {
                ..=4 => (four, 4),
                _ => (eight, 8),
            },
            (_, 1) => (&self.attention.listed, 1),
            _ => (&self.attention.listed_four, 4),
        };
        let warps = queries.rows * how.key_heads * share.div_ceil(at_once);
        let threads = u32::try_from(32 * WARPS).expect("a block is small");
        let blocks = grid(warps.div_ceil(WARPS));
        self.device.launch(kernel, blocks, threads, 0, &arguments)?;
        Ok(out)
    }

    pub fn sum_heads(
        &self,
        by_head: &Buffer,
        heads: usize,
        tokens: usize,
        received: &Buffer,
    ) -> Result<(), CudaError> {
        let arguments = [by_head.into(), int(heads), int(tokens), received.into()];
        let (kernel, blocks) = (&self.attention.sum_heads, grid(tokens.div_ceil(256)));
        self.device.launch(kernel, blocks, 256, 0, &arguments)
    }
}
