//! Copies of the residual stream (Gemma 3n): a layer reads and changes the active one, the others follow it.

use cudarc::driver::CudaFunction;

use super::CudaError;
use super::device::{Argument, Buffer, Device};
use super::operations::{Operations, ROW_THREADS, Tensor, blocks, grid, int, long};
use super::product::{Lines, Product};
use super::weights::DeviceLinear;
use epicene_kernels::Precision;

use Argument::{Float, Int};

#[derive(Debug)]
pub struct CopyKernels {
    level: CudaFunction,
    predict: CudaFunction,
    correct: CudaFunction,
    add: CudaFunction,
    join: CudaFunction,
}

impl CopyKernels {
    pub fn load(device: &Device) -> Result<CopyKernels, CudaError> {
        let own = |name: &str| device.kernel(&format!("{name}_{}", device.precision().name()));
        Ok(CopyKernels {
            level: device.kernel("level_copies")?,
            predict: own("predict_copies")?,
            correct: own("correct_copies")?,
            add: own("add_to_copies")?,
            join: own("join")?,
        })
    }
}

/// All copies of a token side by side, in f32. The active one is also in rows of its own, which whoever changes the copies
/// is given.
pub(super) struct Copies<'a> {
    pub(super) operations: &'a Operations,
    pub(super) rows: Tensor,
    pub(super) count: usize,
    pub(super) active: usize,
}

impl<'a> Copies<'a> {
    /// The embedding and what maps make of it, with its magnitude; and the active one of them.
    pub(super) fn of(
        operations: &'a Operations,
        embedded: &Tensor,
        narrow: &Tensor,
        maps: &[DeviceLinear],
        active: usize,
    ) -> Result<(Copies<'a>, Tensor), CudaError> {
        let count = 1 + maps.len();
        let (rows, width) = (embedded.rows, embedded.columns);
        let copies = Copies {
            operations,
            rows: operations.tensor_of(rows, count * width, Precision::F32)?,
            count,
            active,
        };
        for (place, map) in (1..).zip(maps) {
            copies.map(place, map, Lines::of(&narrow.buffer, 0, width))?;
        }
        let active = copies.level(embedded, Some(active))?;
        Ok((copies, active))
    }

    /// Columns of one copy.
    fn width(&self) -> usize {
        self.rows.columns / self.count
    }

    /// A map's product becomes a copy.
    fn map(&self, place: usize, map: &DeviceLinear, input: Lines<'_>) -> Result<(), CudaError> {
        let width = self.width();
        assert!(
            (map.inputs, map.outputs) == (width, width),
            "a map from copy to copy has another width"
        );
        self.operations.device.product(Product {
            rows: self.rows.rows,
            inputs: width,
            outputs: width,
            input,
            weights: Lines::of(&map.weight, 0, width),
            out: Lines {
                first: place * width,
                ..Lines::of(&self.rows.buffer, 0, self.rows.columns)
            },
            out_precision: Precision::F32,
            times: 1,
        })
    }

    /// The first copy is `first`, which may be the copies themselves, and the others get its magnitude; one of them, or the
    /// mean of all.
    fn level(&self, first: &Tensor, chosen: Option<usize>) -> Result<Tensor, CudaError> {
        let (rows, width) = (self.rows.rows, self.width());
        assert!(
            first.rows == rows && first.columns >= width,
            "copies have rows of their own for each token"
        );
        let operations = self.operations;
        let out = operations.tensor_of(rows, width, Precision::F32)?;
        let arguments = [
            (&first.buffer).into(),
            int(first.columns),
            (&self.rows.buffer).into(),
            int(self.count),
            int(width),
            chosen.map_or(Int(-1), int),
            (&out.buffer).into(),
        ];
        let kernel = &operations.copies.level;
        let device = &operations.device;
        device.launch(kernel, grid(rows), ROW_THREADS, 0, &arguments)?;
        Ok(out)
    }

    /// Those of some tokens only.
    pub(super) fn gather(&mut self, rows: Argument, count: usize) -> Result<(), CudaError> {
        self.rows = self.operations.gather_full(&self.rows, rows, count)?;
        Ok(())
    }

    /// The mean of all, the others through their maps.
    pub(super) fn mean(self, maps: &[DeviceLinear]) -> Result<Tensor, CudaError> {
        let narrow = self.operations.narrow(&self.rows)?;
        for (place, map) in (1..).zip(maps) {
            let copy = Lines {
                first: place * self.width(),
                ..Lines::of(&narrow.buffer, 0, narrow.columns)
            };
            self.map(place, map, copy)?;
        }
        self.level(&self.rows, None)
    }

    /// What a router gave, the factor on it, its map, and which copies there are.
    fn mixing(&self, routed: &Tensor, map: &DeviceLinear) -> [Argument; 6] {
        [
            (&routed.buffer).into(),
            Float(1.0 / self.width() as f32),
            (&*map.weight).into(),
            int(self.count),
            int(self.width()),
            int(self.active),
        ]
    }

    /// Stops where sizes are others than the kernels take them to be.
    fn check(&self, routed: &Tensor, map: &DeviceLinear, outputs: usize, active: &Tensor) {
        routed.must_have(self.rows.rows, self.count);
        active.must_have(self.rows.rows, self.width());
        assert!(
            (map.inputs, map.outputs) == (self.count, outputs),
            "a map of shares has another number of copies"
        );
    }

    /// Every copy takes something of all; the active one is put into `active`.
    pub(super) fn predict(
        &self,
        routed: &Tensor,
        map: &DeviceLinear,
        active: &Tensor,
    ) -> Result<(), CudaError> {
        self.check(routed, map, self.count * self.count, active);
        let operations = self.operations;
        let first = [(&self.rows.buffer).into()];
        let last = [(&active.buffer).into()];
        let arguments = [&first[..], &self.mixing(routed, map), &last].concat();
        let (kernel, rows) = (&operations.copies.predict, grid(self.rows.rows));
        let shared = 4 * self.count * (self.count + ROW_THREADS as usize);
        operations.allow_shared(kernel, shared)?;
        let device = &operations.device;
        device.launch(kernel, rows, ROW_THREADS, shared, &arguments)
    }

    /// Every copy takes its part of what the active one was changed to; that one, weighed, in the device's precision.
    pub(super) fn correct(
        &self,
        routed: &Tensor,
        map: &DeviceLinear,
        changed: &Tensor,
        weight: Option<&Buffer>,
    ) -> Result<Tensor, CudaError> {
        self.check(routed, map, self.count, changed);
        let operations = self.operations;
        let out = operations.tensor(self.rows.rows, self.width())?;
        let first = [(&self.rows.buffer).into(), (&changed.buffer).into()];
        let last = [weight.into(), (&out.buffer).into()];
        let arguments = [&first[..], &self.mixing(routed, map), &last].concat();
        let (kernel, rows) = (&operations.copies.correct, grid(self.rows.rows));
        let shared = 4 * self.count;
        let device = &operations.device;
        device.launch(kernel, rows, ROW_THREADS, shared, &arguments)?;
        Ok(out)
    }

    /// All but the first take a row; the active one is put into `active`.
    pub(super) fn add(&self, added: &Tensor, active: &Tensor) -> Result<(), CudaError> {
        for tensor in [added, active] {
            tensor.must_have(self.rows.rows, self.width());
        }
        let operations = self.operations;
        let arguments = [
            (&self.rows.buffer).into(),
            (&added.buffer).into(),
            int(self.count),
            int(self.width()),
            int(self.active),
            (&active.buffer).into(),
        ];
        let (kernel, rows) = (&operations.copies.add, grid(self.rows.rows));
        let device = &operations.device;
        device.launch(kernel, rows, ROW_THREADS, 0, &arguments)
    }
}

impl Operations {
    /// Onto f32 rows three others, and a factor on the sum.
    pub fn join(&self, sums: &Tensor, added: [&Tensor; 3], factor: f32) -> Result<(), CudaError> {
        for tensor in added {
            tensor.must_have(sums.rows, sums.columns);
        }
        let count = sums.rows * sums.columns;
        let [first, second, third] = added.map(|tensor| (&tensor.buffer).into());
        let sums = (&sums.buffer).into();
        let arguments = [sums, first, second, third, Float(factor), long(count)];
        let kernel = &self.copies.join;
        self.device
            .launch(kernel, blocks(count), ROW_THREADS, 0, &arguments)
    }
}
