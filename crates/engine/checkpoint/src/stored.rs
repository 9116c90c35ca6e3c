//! Tensors in files, whatever container they lie in and in however many files (`part.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use serde::Deserialize;

use super::weight_file::{Data, Tensor, WeightFile, unreadable};
use super::{CheckpointError, Weights};
use super::{pickle, safetensors};
use epicene_kernels::Precision;

/// The tensors of one file or of several shards.
#[derive(Debug, Default)]
pub struct StoredTensors {
    parts: Vec<WeightFile>,
    tensors: BTreeMap<String, Tensor>,
    /// Integers, such as position ids, which older exports carry along and no model reads.
    integers: BTreeSet<String>,
    /// Those of plain bytes, in which numbers may be packed.
    bytes: BTreeMap<String, Bytes>,
    /// Those of eight-bit floats, which only somebody who knows their scales can read.
    eight_bits: BTreeMap<String, Bytes>,
}

#[derive(Debug)]
pub struct Bytes {
    pub part: usize,
    pub shape: Vec<usize>,
    pub start: u64,
}

#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

/// A kind of container: how its files are called, and who reads their tables of contents.
struct Container {
    whole: &'static str,
    index: &'static str,
    add: fn(&mut StoredTensors, WeightFile) -> Result<(), CheckpointError>,
}

/// In the order of preference.
const CONTAINERS: [Container; 2] = [
    Container {
        whole: "model.safetensors",
        index: "model.safetensors.index.json",
        add: safetensors::add,
    },
    Container {
        whole: "pytorch_model.bin",
        index: "pytorch_model.bin.index.json",
        add: pickle::add,
    },
];

impl StoredTensors {
    /// `model.safetensors` or the shards its index names; where there is neither, `pytorch_model.bin` or its shards.
    pub fn open(directory: &Path) -> Result<StoredTensors, CheckpointError> {
        let mut found = StoredTensors::default();
        for container in &CONTAINERS {
            if directory.join(container.whole).exists() {
                (container.add)(&mut found, WeightFile::open(directory, container.whole)?)?;
                return Ok(found);
            }
            if directory.join(container.index).exists() {
                found.add_shards(directory, container)?;
                return Ok(found);
            }
        }
        Err(without_weights(directory))
    }

    fn add_shards(
        &mut self,
        directory: &Path,
        container: &Container,
    ) -> Result<(), CheckpointError> {
        let index = container.index;
        let text = epicene_io::regular::read_to_string(
            &directory.join(index),
            epicene_io::limits::LARGEST_TEXT,
        )
        .map_err(|error| unreadable(index, &error))?;
        let read: Index =
            serde_json::from_str(&text).map_err(|error| CheckpointError::Malformed {
                file: index.to_owned(),
                problem: error.to_string(),
            })?;
        let files: BTreeSet<&String> = read.weight_map.values().collect();
        for file in files {
            if file.contains(['/', '\\']) || !directory.join(file).exists() {
                return Err(CheckpointError::Missing {
                    directory: directory.display().to_string(),
                    wanted: format!("{file}, which {index} names"),
                });
            }
            (container.add)(self, WeightFile::open(directory, file)?)?;
        }
        for (tensor, file) in &read.weight_map {
            if self.shape(tensor).is_none() && !self.integers.contains(tensor) {
                return Err(CheckpointError::NoTensor {
                    file: file.clone(),
                    tensor: tensor.clone(),
                });
            }
        }
        Ok(())
    }

    /// One file of a directory, in the format its name tells.
    pub fn open_file(directory: &Path, name: &str) -> Result<StoredTensors, CheckpointError> {
        let mut found = StoredTensors::default();
        let add = if name.ends_with(".bin") {
            pickle::add
        } else {
            safetensors::add
        };
        add(&mut found, WeightFile::open(directory, name)?)?;
        Ok(found)
    }

    /// Weights in safetensors that are part of the program.
    pub fn from_bytes(name: &str, bytes: &'static [u8]) -> Result<StoredTensors, CheckpointError> {
        StoredTensors::from_shards(&[(name, bytes)])
    }

    /// Several files of weights that are part of the program.
    pub fn from_shards(shards: &[(&str, &'static [u8])]) -> Result<StoredTensors, CheckpointError> {
        let mut found = StoredTensors::default();
        for (name, bytes) in shards {
            let part = WeightFile {
                name: (*name).to_owned(),
                data: Data::Bytes(bytes),
                length: bytes.len() as u64,
                big_endian: false,
            };
            safetensors::add(&mut found, part)?;
        }
        Ok(found)
    }

    /// Whether the numbers lie in files of `torch.save`.
    pub fn is_pickled(&self) -> bool {
        self.parts.iter().any(|part| part.name.ends_with(".bin"))
    }

    /// The number the next file will have.
    pub(crate) fn next_part(&self) -> usize {
        self.parts.len()
    }

    pub(crate) fn add_part(&mut self, part: WeightFile) {
        self.parts.push(part);
    }

    /// Whether there was none of this name.
    pub(crate) fn add_tensor(&mut self, name: String, tensor: Tensor) -> bool {
        self.tensors.insert(name, tensor).is_none()
    }

    /// Also counts as integers.
    pub(crate) fn add_bytes(&mut self, name: String, bytes: Bytes) {
        self.integers.insert(name.clone());
        self.bytes.insert(name, bytes);
    }

    pub(crate) fn add_eight_bits(&mut self, name: String, bytes: Bytes) {
        self.eight_bits.insert(name, bytes);
    }

    pub(crate) fn is_eight_bits(&self, name: &str) -> bool {
        self.eight_bits.contains_key(name)
    }

    /// Fills `out` with the bytes of a tensor of eight-bit floats.
    pub(crate) fn read_eight_bits(
        &self,
        name: &str,
        first: usize,
        out: &mut [u8],
    ) -> Result<(), CheckpointError> {
        self.read_stored(self.eight_bits.get(name), name, first, out)
    }

    fn read_stored(
        &self,
        stored: Option<&Bytes>,
        name: &str,
        first: usize,
        out: &mut [u8],
    ) -> Result<(), CheckpointError> {
        let Some(bytes) = stored else {
            return Err(CheckpointError::NoTensor {
                file: self.file_of(name).to_owned(),
                tensor: name.to_owned(),
            });
        };
        self.parts[bytes.part].read_bytes(bytes.start + first as u64, out)
    }

    /// Whether there was none of this name.
    pub(crate) fn add_integers(&mut self, name: String) -> bool {
        self.integers.insert(name)
    }
}

fn without_weights(directory: &Path) -> CheckpointError {
    if let Some(error) = super::adapter::is_alone(directory) {
        return error;
    }
    CheckpointError::Missing {
        directory: directory.display().to_string(),
        wanted: "model.safetensors".to_owned(),
    }
}

impl StoredTensors {
    /// A tensor that has the numbers asked for, and its file.
    fn place(
        &self,
        name: &str,
        first: usize,
        count: usize,
    ) -> Result<(&Tensor, &WeightFile), CheckpointError> {
        if self.is_eight_bits(name) {
            return Err(CheckpointError::Dtype {
                file: self.file_of(name).to_owned(),
                tensor: name.to_owned(),
                dtype: "eight-bit floats".to_owned(),
            });
        }
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
        Ok((tensor, &self.parts[tensor.part]))
    }
}

impl Weights for StoredTensors {
    fn shape(&self, name: &str) -> Option<&[usize]> {
        let eight_bits = self
            .eight_bits
            .get(name)
            .map(|bytes| bytes.shape.as_slice());
        let tensor = self.tensors.get(name).map(|tensor| tensor.shape.as_slice());
        tensor.or(eight_bits)
    }

    fn precision(&self, name: &str) -> Option<Precision> {
        let sixteen = self.is_eight_bits(name).then_some(Precision::Bf16);
        let tensor = self.tensors.get(name).map(|tensor| tensor.precision);
        tensor.or(sixteen)
    }

    fn read(&self, name: &str, mut first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        let (tensor, part) = self.place(name, first, out.len())?;
        if tensor.precision == Precision::F32 && cfg!(target_endian = "little") {
            return tensor.read(part, first, bytemuck::cast_slice_mut(out));
        }
        // A piece at a time through a small buffer that stays in the cache.
        let width = tensor.precision.bytes();
        let mut bytes = [0u8; 16384];
        for piece in out.chunks_mut(bytes.len() / width) {
            let bytes = &mut bytes[..piece.len() * width];
            tensor.read(part, first, bytes)?;
            first += piece.len();
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
        let (tensor, part) = self.place(name, first, out.len() / precision.bytes())?;
        if tensor.precision != precision {
            return Ok(false);
        }
        tensor.read(part, first, out)?;
        Ok(true)
    }

    fn byte_tensors(&self) -> Vec<(&str, &[usize])> {
        self.bytes
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.shape.as_slice()))
            .collect()
    }

    fn read_bytes(&self, name: &str, first: usize, out: &mut [u8]) -> Result<(), CheckpointError> {
        self.read_stored(self.bytes.get(name), name, first, out)
    }

    fn names(&self) -> Vec<&str> {
        let all = self.tensors.keys().chain(self.eight_bits.keys());
        let mut names: Vec<&str> = all.map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    fn file_of(&self, name: &str) -> &str {
        let eight_bits = self.eight_bits.get(name).map(|bytes| bytes.part);
        let found = self.tensors.get(name).map(|tensor| tensor.part);
        let found = found.or(eight_bits);
        match self.parts.get(found.unwrap_or(0)) {
            Some(part) if self.parts.len() > 1 && found.is_none() => {
                let pickled = part.name.ends_with(".bin");
                CONTAINERS[usize::from(pickled)].index
            }
            Some(part) => &part.name,
            None => CONTAINERS[0].whole,
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
