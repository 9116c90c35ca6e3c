//! The safetensors container: eight bytes of header length, a JSON header, raw numbers.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::CheckpointError;
use super::error::Shape;
use super::stored::{Bytes, StoredTensors};
use super::weight_file::{Tensor, WeightFile};
use epicene_kernels::Precision;

/// Larger headers than this are not headers.
const LONGEST_HEADER: u64 = 100_000_000;

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [u64; 2],
}

/// Adds the tensors of a file.
pub fn add(found: &mut StoredTensors, part: WeightFile) -> Result<(), CheckpointError> {
    let name = part.name.clone();
    let malformed = |problem: String| CheckpointError::Malformed {
        file: name.clone(),
        problem,
    };
    if part.length < 8 {
        return Err(malformed("shorter than its own header".to_owned()));
    }
    let mut size = [0; 8];
    part.read_bytes(0, &mut size)?;
    let size = u64::from_le_bytes(size);
    if size > LONGEST_HEADER {
        return Err(malformed(format!("a header of {size} bytes")));
    }
    if 8 + size > part.length {
        return Err(malformed("the file ends inside its header".to_owned()));
    }
    let mut header = vec![0; size as usize];
    part.read_bytes(8, &mut header)?;
    let header: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(&header).map_err(|error| malformed(error.to_string()))?;
    for (tensor, entry) in header {
        if tensor == "__metadata__" {
            continue;
        }
        let entry: Entry = serde_json::from_value(entry)
            .map_err(|error| malformed(format!("`{tensor}`: {error}")))?;
        let (precision, width) = match entry.dtype.as_str() {
            "F32" => (Precision::F32, 4),
            "F16" => (Precision::F16, 2),
            "BF16" => (Precision::Bf16, 2),
            "U8" | "F8_E4M3" => {
                let [start, end] = entry.data_offsets;
                let length = entry
                    .shape
                    .iter()
                    .try_fold(1u64, |product, size| product.checked_mul(*size as u64));
                let inside = (8 + size)
                    .checked_add(end)
                    .is_some_and(|end| end <= part.length);
                if length != end.checked_sub(start) || !inside {
                    return Err(CheckpointError::Truncated { file: name, tensor });
                }
                let bytes = Bytes {
                    part: found.next_part(),
                    shape: entry.shape,
                    start: 8 + size + start,
                };
                if entry.dtype == "U8" {
                    found.add_bytes(tensor, bytes);
                } else {
                    found.add_eight_bits(tensor, bytes);
                }
                continue;
            }
            // Position ids and the like, which older exports carry along.
            "I64" | "I32" | "BOOL" => {
                found.add_integers(tensor);
                continue;
            }
            dtype => {
                return Err(CheckpointError::Dtype {
                    file: name,
                    tensor,
                    dtype: dtype.to_owned(),
                });
            }
        };
        let count = entry
            .shape
            .iter()
            .try_fold(1u64, |product, size| product.checked_mul(*size as u64));
        let [start, end] = entry.data_offsets;
        if count.and_then(|count| count.checked_mul(width)) != end.checked_sub(start) {
            return Err(malformed(format!(
                "`{tensor}`: {} bytes for {} numbers of {}",
                end.saturating_sub(start),
                Shape(entry.shape),
                entry.dtype
            )));
        }
        if (8 + size)
            .checked_add(end)
            .is_none_or(|end| end > part.length)
        {
            return Err(CheckpointError::Truncated { file: name, tensor });
        }
        let stored = Tensor {
            part: found.next_part(),
            precision,
            shape: entry.shape,
            start: 8 + size + start,
            strided: None,
        };
        found.add_tensor(tensor, stored);
    }
    found.add_part(part);
    Ok(())
}
