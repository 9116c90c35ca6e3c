//! Rows as an Arrow table, in the columns of every export. Whoever speaks Arrow's C interface reads it without a copy and
//! without a dependency of ours.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use arrow_schema::ArrowError;
use epicene_core::Row;

/// Whether some row knows what was sampled.
pub fn has_design(rows: &[Row]) -> bool {
    rows.iter()
        .any(|row| row.k.is_some() || row.deff.is_some() || row.n_eff.is_some())
}

pub fn stream(rows: &[Row]) -> Result<FFI_ArrowArrayStream, ArrowError> {
    let text = |of: fn(&Row) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
    };
    let number = |of: fn(&Row) -> Option<f64>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<Float64Array>())
    };
    let count = |of: fn(&Row) -> Option<u64>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<UInt64Array>())
    };
    let value: ArrayRef = Arc::new(Float64Array::from_iter_values(
        rows.iter().map(|row| row.value),
    ));
    let mut columns = vec![
        text(|row| &row.benchmark),
        text(|row| &row.system),
        text(|row| &row.unit),
        text(|row| &row.group),
        text(|row| &row.metric),
        value,
        number(|row| row.low),
        number(|row| row.high),
        count(|row| row.n),
        number(|row| row.ideal),
    ];
    let mut names = Row::COLUMNS.to_vec();
    if has_design(rows) {
        names.extend(Row::DESIGN);
        columns.extend([
            count(|row| row.k),
            number(|row| row.deff),
            number(|row| row.n_eff),
        ]);
    }
    let batch = RecordBatch::try_from_iter_with_nullable(names.into_iter().zip(columns).map(
        |(name, column)| {
            let nullable = column.null_count() > 0
                || !matches!(
                    name,
                    "benchmark" | "system" | "unit" | "group" | "metric" | "value"
                );
            (name, column, nullable)
        },
    ))?;
    let schema = batch.schema();
    let batches = RecordBatchIterator::new([Ok(batch)], schema);
    Ok(FFI_ArrowArrayStream::new(Box::new(batches)))
}
