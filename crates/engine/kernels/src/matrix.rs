//! Row-major matrices of activations, and the buffers one thread reuses from layer to layer.

use crate::narrow::NarrowWorkspace;

/// Rows of activations, one for each token.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matrix {
    pub data: Vec<f32>,
    pub rows: usize,
    pub columns: usize,
}

impl Matrix {
    pub fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix {
            data: vec![0.0; rows * columns],
            rows,
            columns,
        }
    }

    pub fn row(&self, row: usize) -> &[f32] {
        &self.data[row * self.columns..(row + 1) * self.columns]
    }

    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.data[row * self.columns..(row + 1) * self.columns]
    }

    pub fn view(&self) -> View<'_> {
        View {
            data: &self.data,
            rows: self.rows,
            columns: self.columns,
            stride: self.columns,
        }
    }

    /// The columns from `first` on, of the rows from `row` on.
    pub fn part(&self, row: usize, rows: usize, first: usize, columns: usize) -> View<'_> {
        match rows {
            0 => View {
                data: &[],
                rows,
                columns,
                stride: self.columns,
            },
            _ => View {
                data: &self.data
                    [row * self.columns + first..(row + rows - 1) * self.columns + first + columns],
                rows,
                columns,
                stride: self.columns,
            },
        }
    }
}

/// A rectangle inside a matrix.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub data: &'a [f32],
    pub rows: usize,
    pub columns: usize,
    pub stride: usize,
}

impl<'a> View<'a> {
    pub fn row(&self, row: usize) -> &'a [f32] {
        &self.data[row * self.stride..row * self.stride + self.columns]
    }

    /// The columns from `first` on, of every row.
    pub fn columns_from(&self, first: usize, columns: usize) -> View<'a> {
        let data = match self.rows {
            0 => self.data,
            rows => &self.data[first..(rows - 1) * self.stride + first + columns],
        };
        View {
            data,
            columns,
            ..*self
        }
    }
}

/// What a thread keeps between operations, so that nothing is allocated anew for each layer.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The left operand of the product at hand, in tiles.
    pub(crate) left: Vec<f32>,
    /// The panel of the right operand at hand, widened, or the whole right operand of a product of
    /// activations.
    pub(crate) right: Vec<f32>,
    pub(crate) narrow: NarrowWorkspace,
    free: Vec<Vec<f32>>,
}

impl Workspace {
    /// A matrix with unspecified contents.
    pub fn matrix(&mut self, rows: usize, columns: usize) -> Matrix {
        let mut data = self.free.pop().unwrap_or_default();
        data.resize(rows * columns, 0.0);
        Matrix {
            data,
            rows,
            columns,
        }
    }

    /// Takes a matrix back for reuse.
    pub fn give(&mut self, matrix: Matrix) {
        self.free.push(matrix.data);
    }
}
