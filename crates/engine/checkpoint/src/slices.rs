//! Matrices and vectors that are stored as one tensor with others: experts, and what one layer has of all.

use super::{CheckpointError, Loader};
use epicene_kernels::PackedMatrix;

impl Loader {
    /// Rows of one of several matrices that are stored as one tensor.
    pub fn slice(
        &self,
        name: &str,
        shape: [usize; 3],
        which: usize,
        rows: &[usize],
    ) -> Result<PackedMatrix, CheckpointError> {
        let tensor = self.checked(name, &shape)?;
        let order: Vec<(usize, usize)> =
            rows.iter().map(|row| (0, which * shape[1] + row)).collect();
        self.pack(&[tensor], &order, shape[2])
    }

    /// Columns of one of several matrices that are stored as one tensor, inputs first.
    pub fn turned_slice(
        &self,
        name: &str,
        shape: [usize; 3],
        which: usize,
        columns: &[usize],
    ) -> Result<PackedMatrix, CheckpointError> {
        let tensor = self.checked(name, &shape)?;
        let [_, inputs, stored] = shape;
        let mut all = vec![0.0; inputs * stored];
        self.weights()
            .read(&tensor, which * inputs * stored, &mut all)?;
        if let Some(device) = self.device() {
            let column = |column: &usize| all[*column..].iter().step_by(stored).copied();
            let rows: Vec<f32> = columns.iter().flat_map(column).collect();
            let buffer = device.place_values(&rows)?;
            return Ok(PackedMatrix::on_device(columns.len(), inputs, buffer));
        }
        let keeping = self.keeping(&tensor, inputs)?;
        PackedMatrix::pack(columns.len(), inputs, keeping, |first, out| {
            for (row, column) in out.chunks_exact_mut(inputs).zip(&columns[first..]) {
                let from = all[*column..].iter().step_by(stored);
                row.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            }
            Ok(())
        })
    }

    /// One of several vectors that are stored as one tensor.
    pub fn slice_values(
        &self,
        name: &str,
        shape: [usize; 2],
        which: usize,
    ) -> Result<Vec<f32>, CheckpointError> {
        let tensor = self.checked(name, &shape)?;
        let mut values = vec![0.0; shape[1]];
        self.weights()
            .read(&tensor, which * shape[1], &mut values)?;
        Ok(values)
    }
}
