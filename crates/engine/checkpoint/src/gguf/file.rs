//! A GGUF file, memory-mapped: header, metadata and the table of tensors are read and checked when
//! it is opened; the numbers stay in the file until a row is asked for.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use epicene_io::regular;
use memmap2::Mmap;

use super::blocks::dequantise;
use super::cursor::Cursor;
use super::value::{Array, Value};
use super::{GgufError, Kind};

const MAGIC: [u8; 4] = *b"GGUF";
const DEFAULT_ALIGNMENT: u64 = 32;
/// The format's limit.
const MOST_DIMENSIONS: u32 = 4;
/// Smallest metadata entry: an empty key, a type, one byte.
const SMALLEST_ENTRY: usize = 8 + 4 + 1;
/// Smallest entry of the table: an empty name, no dimensions, type and offset.
const SMALLEST_TENSOR: usize = 8 + 4 + 4 + 8;
/// Largest block, in numbers.
const LARGEST_BLOCK: usize = 256;

pub(super) enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// A tensor's entry in the table. Shapes are as PyTorch writes them: rows first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    pub name: String,
    pub shape: Vec<usize>,
    pub kind: Kind,
    /// First byte of its data, in its file.
    start: usize,
    /// Its file, where a model has several.
    pub(super) part: usize,
}

impl Tensor {
    /// Numbers in a row: the last dimension.
    pub fn columns(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    pub fn rows(&self) -> usize {
        self.elements() / self.columns().max(1)
    }

    pub fn elements(&self) -> usize {
        self.shape.iter().product()
    }

    fn bytes(&self) -> usize {
        self.elements() / self.kind.block() * self.kind.block_bytes()
    }
}

pub struct Gguf {
    pub(super) file: String,
    /// One for each file of a split model.
    pub(super) bytes: Vec<Bytes>,
    version: u32,
    metadata: BTreeMap<String, Value>,
    pub(super) tensors: Vec<Tensor>,
    /// Positions in `tensors`.
    pub(super) by_name: BTreeMap<String, usize>,
}

impl fmt::Debug for Gguf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gguf")
            .field("file", &self.file)
            .field("metadata", &self.metadata.len())
            .field("tensors", &self.tensors.len())
            .finish_non_exhaustive()
    }
}

impl Gguf {
    /// Maps a file, and with one part of a split model all others. They must not be changed while they are open.
    pub fn open(path: &Path) -> Result<Gguf, GgufError> {
        let found = Gguf::open_one(path)?;
        match found.split()? {
            None => Ok(found),
            Some(split) => split.join(path),
        }
    }

    pub(super) fn open_one(path: &Path) -> Result<Gguf, GgufError> {
        let name = match path.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => path.display().to_string(),
        };
        let io = |source| GgufError::Io {
            file: name.clone(),
            source,
        };
        let file = regular::open(path).map_err(io)?;
        // SAFETY: the map is read-only and private to this value. Were another process to shorten
        // the file while it is mapped, reading past its new end would end this one with SIGBUS;
        // there is no way to rule that out, and every reader of mapped checkpoints lives with it.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file) }.map_err(io)?;
        Gguf::read_header(name, Bytes::Mapped(map))
    }

    /// A file that is in memory already; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Gguf, GgufError> {
        let found = Gguf::read_header(name.to_owned(), Bytes::Owned(bytes))?;
        match found.split()? {
            None => Ok(found),
            Some(split) => Err(split.alone(found.file)),
        }
    }

    fn read_header(file: String, bytes: Bytes) -> Result<Gguf, GgufError> {
        let all = bytes.get();
        let mut cursor = Cursor::new(&file, all);
        if !matches!(all.get(..4), Some(magic) if magic == MAGIC) {
            return Err(GgufError::NotGguf { file });
        }
        cursor.array::<4>()?;
        let version = cursor.u32()?;
        match version {
            2 | 3 => {}
            0x0200_0000 | 0x0300_0000 => return Err(GgufError::BigEndian { file }),
            version => return Err(GgufError::Version { file, version }),
        }
        cursor.enter("the number of tensors".to_owned());
        let tensor_count = cursor.count(SMALLEST_TENSOR)?;
        cursor.enter("the number of metadata entries".to_owned());
        let entry_count = cursor.count(SMALLEST_ENTRY)?;
        let mut metadata = BTreeMap::new();
        for entry in 0..entry_count {
            cursor.enter(format!("metadata entry {entry}"));
            let key = cursor.string()?;
            cursor.enter(format!("metadata `{key}`"));
            let value = cursor.value()?;
            if metadata.contains_key(&key) {
                return Err(cursor.malformed("occurs twice"));
            }
            metadata.insert(key, value);
        }
        let alignment = match metadata.get("general.alignment").map(Value::as_u64) {
            None => DEFAULT_ALIGNMENT,
            Some(Some(alignment)) if alignment.is_power_of_two() && alignment <= 1 << 30 => {
                alignment
            }
            Some(_) => {
                cursor.enter("metadata `general.alignment`".to_owned());
                return Err(cursor.malformed("is not a power of two"));
            }
        };
        let mut entries = Vec::new();
        for entry in 0..tensor_count {
            cursor.enter(format!("the entry of tensor {entry}"));
            entries.push(Entry::read(&mut cursor)?);
        }
        let data = (cursor.at() as u64).next_multiple_of(alignment);
        let mut tensors = Vec::with_capacity(entries.len());
        let mut by_name = BTreeMap::new();
        for entry in entries {
            let tensor = entry.placed(&file, data, alignment, all.len() as u64)?;
            if by_name.insert(tensor.name.clone(), tensors.len()).is_some() {
                cursor.enter(format!("tensor `{}`", tensor.name));
                return Err(cursor.malformed("occurs twice"));
            }
            tensors.push(tensor);
        }
        Ok(Gguf {
            file,
            bytes: vec![bytes],
            version,
            metadata,
            tensors,
            by_name,
        })
    }

    /// The file's name, for messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn version(&self) -> u32 {
        self.version
    }

    /// In the order of the file.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    pub fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.by_name
            .get(name)
            .and_then(|position| self.tensors.get(*position))
    }

    pub fn metadata(&self) -> &BTreeMap<String, Value> {
        &self.metadata
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.metadata.get(key)
    }

    /// The complaint that a metadata value is not as it should be.
    pub fn bad(&self, key: &str, problem: impl Into<String>) -> GgufError {
        GgufError::Metadata {
            file: self.file.clone(),
            key: key.to_owned(),
            problem: problem.into(),
        }
    }

    fn typed<'a, T>(
        &'a self,
        key: &str,
        wanted: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, GgufError> {
        match self.get(key) {
            None => Ok(None),
            Some(value) => match read(value) {
                Some(found) => Ok(Some(found)),
                None => Err(self.bad(key, format!("is not {wanted}"))),
            },
        }
    }

    pub fn number(&self, key: &str) -> Result<Option<u64>, GgufError> {
        self.typed(key, "a whole number", Value::as_u64)
    }

    pub fn real(&self, key: &str) -> Result<Option<f64>, GgufError> {
        self.typed(key, "a number", Value::as_f64)
    }

    pub fn flag(&self, key: &str) -> Result<Option<bool>, GgufError> {
        self.typed(key, "true or false", Value::as_bool)
    }

    pub fn text(&self, key: &str) -> Result<Option<&str>, GgufError> {
        self.typed(key, "a string", Value::as_str)
    }

    pub fn array(&self, key: &str) -> Result<Option<&Array>, GgufError> {
        self.typed(key, "an array", Value::as_array)
    }

    /// One row as f32; `out` has as many places as the tensor has columns.
    pub fn row(&self, tensor: &Tensor, row: usize, out: &mut [f32]) -> Result<(), GgufError> {
        self.read(tensor, row.saturating_mul(tensor.columns()), out)
    }

    /// Numbers from element `first` on, row-major, as many as fit `out`: a panel of rows is one
    /// run of blocks. Where the run begins or ends inside a block, that block is unpacked beside.
    pub fn read(&self, tensor: &Tensor, first: usize, out: &mut [f32]) -> Result<(), GgufError> {
        let end = first.saturating_add(out.len());
        let bytes = self
            .bytes
            .get(tensor.part)
            .and_then(|bytes| bytes.get().get(tensor.start..tensor.start + tensor.bytes()));
        let (Some(bytes), true) = (bytes, end <= tensor.elements()) else {
            return Err(GgufError::OutOfRange {
                file: self.file.clone(),
                tensor: tensor.name.clone(),
                first,
                end,
                elements: tensor.elements(),
            });
        };
        let (block, size) = (tensor.kind.block(), tensor.kind.block_bytes());
        let mut buffer = [0f32; LARGEST_BLOCK];
        let mut at = first;
        let mut out = out;
        while !out.is_empty() {
            let (inside, stored) = (at % block, at / block * size);
            let taken = if inside == 0 && out.len() >= block {
                let taken = out.len() / block * block;
                dequantise(tensor.kind, &bytes[stored..], &mut out[..taken]);
                taken
            } else {
                let taken = out.len().min(block - inside);
                dequantise(tensor.kind, &bytes[stored..], &mut buffer[..block]);
                out[..taken].copy_from_slice(&buffer[inside..inside + taken]);
                taken
            };
            at += taken;
            out = &mut out[taken..];
        }
        Ok(())
    }
}

/// A tensor's entry as it is written.
struct Entry {
    name: String,
    /// Fastest first, as the format has them.
    dimensions: Vec<u64>,
    code: u32,
    offset: u64,
}

impl Entry {
    fn read(cursor: &mut Cursor<'_>) -> Result<Entry, GgufError> {
        let name = cursor.string()?;
        cursor.enter(format!("the entry of `{name}`"));
        let count = cursor.u32()?;
        if count > MOST_DIMENSIONS {
            return Err(cursor.malformed(format!("{count} dimensions")));
        }
        let mut dimensions = Vec::with_capacity(count as usize);
        for _ in 0..count {
            dimensions.push(cursor.u64()?);
        }
        Ok(Entry {
            name,
            dimensions,
            code: cursor.u32()?,
            offset: cursor.u64()?,
        })
    }

    /// Checked against the file: a type that is read, whole blocks, an end that is there.
    fn placed(
        self,
        file: &str,
        data: u64,
        alignment: u64,
        length: u64,
    ) -> Result<Tensor, GgufError> {
        let malformed = |problem: String| GgufError::Malformed {
            file: file.to_owned(),
            place: format!("tensor `{}`", self.name),
            problem,
        };
        let kind = Kind::of(self.code).map_err(|stored| GgufError::Type {
            file: file.to_owned(),
            tensor: self.name.clone(),
            stored,
        })?;
        let elements = self
            .dimensions
            .iter()
            .try_fold(1u64, |product, size| product.checked_mul(*size))
            .filter(|elements| *elements > 0)
            .ok_or_else(|| malformed(format!("impossible dimensions {:?}", self.dimensions)))?;
        let block = kind.block() as u64;
        let columns = self.dimensions.first().copied().unwrap_or(1);
        if !columns.is_multiple_of(block) {
            return Err(malformed(format!(
                "rows of {columns} numbers are not whole {} blocks of {block}",
                kind.name()
            )));
        }
        if !self.offset.is_multiple_of(alignment) {
            return Err(malformed(format!(
                "offset {} is not aligned to {alignment}",
                self.offset
            )));
        }
        let end = (elements / block)
            .checked_mul(kind.block_bytes() as u64)
            .and_then(|bytes| data.checked_add(self.offset)?.checked_add(bytes))
            .unwrap_or(u64::MAX);
        if end > length {
            return Err(GgufError::BeyondEnd {
                file: file.to_owned(),
                tensor: self.name,
                end,
                length,
            });
        }
        let shape = self
            .dimensions
            .iter()
            .rev()
            .map(|size| *size as usize)
            .collect();
        Ok(Tensor {
            name: self.name,
            shape,
            kind,
            // Within the file, which is in the address space.
            start: (data + self.offset) as usize,
            part: 0,
        })
    }
}
