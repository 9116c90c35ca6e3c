//! The safetensors container: eight bytes of header length, a JSON header, raw numbers.
//!
//! Numbers are read where they are needed, by position, instead of through a memory map: the rows
//! of a 250,000-word vocabulary that a run touches would pull sixteen pages each into memory, and a
//! file that shrinks under a map kills the process instead of giving an error.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use serde::Deserialize;

use super::error::Shape;
use super::{CheckpointError, Weights};
use crate::cpu::Precision;

/// Larger headers than this are not headers.
const LONGEST_HEADER: u64 = 100_000_000;

#[derive(Debug)]
enum Data {
    File(File),
    Bytes(&'static [u8]),
}

#[derive(Debug)]
struct Part {
    /// File name, for messages.
    name: String,
    data: Data,
}

#[derive(Debug)]
struct Tensor {
    part: usize,
    precision: Precision,
    shape: Vec<usize>,
    /// First byte in its file.
    start: u64,
}

/// The tensors of one file or of several shards.
#[derive(Debug, Default)]
pub struct SafeTensors {
    parts: Vec<Part>,
    tensors: BTreeMap<String, Tensor>,
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [u64; 2],
}

#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

impl SafeTensors {
    /// `model.safetensors`, or the shards that `model.safetensors.index.json` names.
    pub fn open(directory: &Path) -> Result<SafeTensors, CheckpointError> {
        let mut found = SafeTensors::default();
        if directory.join("model.safetensors").exists() {
            found.add_file(directory, "model.safetensors")?;
            return Ok(found);
        }
        const INDEX: &str = "model.safetensors.index.json";
        let path = directory.join(INDEX);
        if !path.exists() {
            return Err(without_weights(directory));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| unreadable(INDEX, &error))?;
        let index: Index =
            serde_json::from_str(&text).map_err(|error| CheckpointError::Malformed {
                file: INDEX.to_owned(),
                problem: error.to_string(),
            })?;
        let mut files: Vec<&String> = index.weight_map.values().collect();
        files.sort();
        files.dedup();
        for file in files {
            if file.contains(['/', '\\']) || !directory.join(file).exists() {
                return Err(CheckpointError::Missing {
                    directory: directory.display().to_string(),
                    wanted: format!("{file}, which {INDEX} names"),
                });
            }
            found.add_file(directory, file)?;
        }
        for (tensor, file) in &index.weight_map {
            if !found.tensors.contains_key(tensor) {
                return Err(CheckpointError::NoTensor {
                    file: file.clone(),
                    tensor: tensor.clone(),
                });
            }
        }
        Ok(found)
    }

    /// One file of a directory.
    pub fn open_file(directory: &Path, name: &str) -> Result<SafeTensors, CheckpointError> {
        let mut found = SafeTensors::default();
        found.add_file(directory, name)?;
        Ok(found)
    }

    /// Weights that are part of the program.
    pub fn from_bytes(name: &str, bytes: &'static [u8]) -> Result<SafeTensors, CheckpointError> {
        let mut found = SafeTensors::default();
        found.add(name.to_owned(), Data::Bytes(bytes), bytes.len() as u64)?;
        Ok(found)
    }

    /// Several files of weights that are part of the program.
    pub fn from_shards(shards: &[(&str, &'static [u8])]) -> Result<SafeTensors, CheckpointError> {
        let mut found = SafeTensors::default();
        for (name, bytes) in shards {
            found.add((*name).to_owned(), Data::Bytes(bytes), bytes.len() as u64)?;
        }
        Ok(found)
    }

    fn add_file(&mut self, directory: &Path, name: &str) -> Result<(), CheckpointError> {
        let file = File::open(directory.join(name)).map_err(|error| unreadable(name, &error))?;
        let length = file
            .metadata()
            .map_err(|error| unreadable(name, &error))?
            .len();
        self.add(name.to_owned(), Data::File(file), length)
    }

    fn add(&mut self, name: String, data: Data, length: u64) -> Result<(), CheckpointError> {
        let malformed = |problem: String| CheckpointError::Malformed {
            file: name.clone(),
            problem,
        };
        let part = Part {
            name: name.clone(),
            data,
        };
        if length < 8 {
            return Err(malformed("shorter than its own header".to_owned()));
        }
        let mut size = [0; 8];
        part.read_bytes(0, &mut size)?;
        let size = u64::from_le_bytes(size);
        if size > LONGEST_HEADER {
            return Err(malformed(format!("a header of {size} bytes")));
        }
        if 8 + size > length {
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
                // Position ids and the like, which older exports carry along.
                "I64" | "I32" | "U8" | "BOOL" => continue,
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
            if (8 + size).checked_add(end).is_none_or(|end| end > length) {
                return Err(CheckpointError::Truncated { file: name, tensor });
            }
            self.tensors.insert(
                tensor,
                Tensor {
                    part: self.parts.len(),
                    precision,
                    shape: entry.shape,
                    start: 8 + size + start,
                },
            );
        }
        self.parts.push(part);
        Ok(())
    }
}

fn without_weights(directory: &Path) -> CheckpointError {
    for file in [
        "pytorch_model.bin",
        "pytorch_model.bin.index.json",
        "model.pt",
        "pytorch_model.pt",
    ] {
        if directory.join(file).exists() {
            return CheckpointError::Pickled {
                directory: directory.display().to_string(),
                file: file.to_owned(),
            };
        }
    }
    if let Some(error) = super::adapter::is_alone(directory) {
        return error;
    }
    CheckpointError::Missing {
        directory: directory.display().to_string(),
        wanted: "model.safetensors".to_owned(),
    }
}

pub(super) fn unreadable(file: &str, error: &std::io::Error) -> CheckpointError {
    CheckpointError::Unreadable {
        file: file.to_owned(),
        problem: error.to_string(),
    }
}

impl Part {
    fn read_bytes(&self, start: u64, out: &mut [u8]) -> Result<(), CheckpointError> {
        match &self.data {
            Data::File(file) => {
                read_at(file, start, out).map_err(|error| unreadable(&self.name, &error))
            }
            Data::Bytes(bytes) => {
                let from = usize::try_from(start)
                    .ok()
                    .and_then(|start| bytes.get(start..));
                match from {
                    Some(mut from) => from
                        .read_exact(out)
                        .map_err(|error| unreadable(&self.name, &error)),
                    None => Err(CheckpointError::Unreadable {
                        file: self.name.clone(),
                        problem: "ends too early".to_owned(),
                    }),
                }
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, start: u64, out: &mut [u8]) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, start)
}

#[cfg(windows)]
fn read_at(file: &File, mut start: u64, mut out: &mut [u8]) -> std::io::Result<()> {
    while !out.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, out, start)?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        start += count as u64;
        out = &mut out[count..];
    }
    Ok(())
}

impl SafeTensors {
    /// A tensor, and where the numbers from `first` on begin in its file.
    fn place(
        &self,
        name: &str,
        first: usize,
        count: usize,
    ) -> Result<(&Tensor, u64), CheckpointError> {
        let Some(tensor) = self.tensors.get(name) else {
            return Err(CheckpointError::NoTensor {
                file: self.file_of(name).to_owned(),
                tensor: name.to_owned(),
            });
        };
        if first + count > tensor.shape.iter().product() {
            return Err(CheckpointError::Truncated {
                file: self.file_of(name).to_owned(),
                tensor: name.to_owned(),
            });
        }
        let start = tensor.start + (first * tensor.precision.bytes()) as u64;
        Ok((tensor, start))
    }
}

impl Weights for SafeTensors {
    fn shape(&self, name: &str) -> Option<&[usize]> {
        self.tensors.get(name).map(|tensor| tensor.shape.as_slice())
    }

    fn precision(&self, name: &str) -> Option<Precision> {
        self.tensors.get(name).map(|tensor| tensor.precision)
    }

    fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        let (tensor, mut start) = self.place(name, first, out.len())?;
        let part = &self.parts[tensor.part];
        if tensor.precision == Precision::F32 && cfg!(target_endian = "little") {
            return part.read_bytes(start, bytemuck::cast_slice_mut(out));
        }
        // A piece at a time through a small buffer that stays in the cache.
        let width = tensor.precision.bytes();
        let mut bytes = [0u8; 16384];
        for piece in out.chunks_mut(bytes.len() / width) {
            let bytes = &mut bytes[..piece.len() * width];
            part.read_bytes(start, bytes)?;
            start += bytes.len() as u64;
            widen(tensor.precision, bytes, piece);
        }
        Ok(())
    }

    fn read_kept(
        &self,
        name: &str,
        first: usize,
        precision: Precision,
        out: &mut [u8],
    ) -> Result<bool, CheckpointError> {
        let (tensor, start) = self.place(name, first, out.len() / precision.bytes())?;
        if tensor.precision != precision {
            return Ok(false);
        }
        self.parts[tensor.part].read_bytes(start, out)?;
        Ok(true)
    }

    fn names(&self) -> Vec<&str> {
        self.tensors.keys().map(String::as_str).collect()
    }

    fn file_of(&self, name: &str) -> &str {
        let part = self.tensors.get(name).map_or(0, |tensor| tensor.part);
        match self.parts.get(part) {
            Some(_) if self.parts.len() > 1 && !self.tensors.contains_key(name) => {
                "model.safetensors.index.json"
            }
            Some(part) => &part.name,
            None => "model.safetensors",
        }
    }
}

fn widen(precision: Precision, bytes: &[u8], out: &mut [f32]) {
    match precision {
        Precision::F32 => {
            for (value, bytes) in out.iter_mut().zip(bytes.chunks_exact(4)) {
                *value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            }
        }
        Precision::F16 => {
            let mut narrow = [f16::ZERO; 256];
            for (out, bytes) in out.chunks_mut(256).zip(bytes.chunks(512)) {
                let narrow = &mut narrow[..out.len()];
                for (value, bytes) in narrow.iter_mut().zip(bytes.chunks_exact(2)) {
                    *value = f16::from_le_bytes([bytes[0], bytes[1]]);
                }
                narrow.convert_to_f32_slice(out);
            }
        }
        Precision::Bf16 => {
            for (value, bytes) in out.iter_mut().zip(bytes.chunks_exact(2)) {
                *value = bf16::from_le_bytes([bytes[0], bytes[1]]).to_f32();
            }
        }
    }
}
