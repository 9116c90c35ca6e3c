//! Rows that were read meet the vocabulary: normalisers and likeliest tokens, for the rows of many groups
//! together.

use crate::error::LmError;
use crate::model::TransformerModel;
use epicene_kernels::Matrix;
use epicene_transformer::{Distribution, Head};

/// Rows that meet the vocabulary at once.
const BLOCK_ROWS: usize = 1024;
/// Fewer rows than this are not worth a reading of the vocabulary on another thread.
const FEWEST_ROWS: usize = 64;

impl TransformerModel {
    /// What is known of the distributions behind the rows of several groups. The vocabulary is read
    /// and packed once for each block of rows, whatever groups they are from: a group that reads few
    /// positions would spend more on that than on the products.
    pub(crate) fn distributions(
        &self,
        head: &Head,
        groups: &[&Matrix],
    ) -> Result<Vec<Vec<Distribution>>, LmError> {
        let rows: Vec<&[f32]> = groups
            .iter()
            .flat_map(|matrix| matrix.data.chunks_exact(matrix.columns.max(1)))
            .collect();
        let threads = self.options.threads.max(1);
        let blocks = if rows.len() / threads >= FEWEST_ROWS {
            rows.len().div_ceil(BLOCK_ROWS).next_multiple_of(threads)
        } else {
            rows.len().div_ceil(BLOCK_ROWS)
        };
        let size = rows.len().div_ceil(blocks.max(1)).max(1);
        let blocks: Vec<Vec<usize>> = (0..rows.len())
            .step_by(size)
            .map(|first| vec![first, (first + size).min(rows.len())])
            .collect();
        let mut found = self.run(&blocks, |workspace, block| {
            let ours = &rows[block[0]..block[1]];
            let mut matrix = workspace.matrix(ours.len(), ours[0].len());
            for (to, from) in ours.iter().enumerate() {
                matrix.row_mut(to).copy_from_slice(from);
            }
            let distributions = head.distributions(workspace, &matrix)?;
            workspace.give(matrix);
            Ok(vec![(block[0], distributions)])
        })?;
        found.sort_by_key(|(first, _)| *first);
        let mut all = found.into_iter().flat_map(|(_, block)| block);
        Ok(groups
            .iter()
            .map(|matrix| all.by_ref().take(matrix.rows).collect())
            .collect())
    }
}
