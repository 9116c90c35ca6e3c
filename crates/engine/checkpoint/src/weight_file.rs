//! One file of tensors, and where the numbers of a tensor lie in it.
//!
//! Numbers are read where they are needed, by position, instead of through a memory map: the rows
//! of a 250,000-word vocabulary that a run touches would pull sixteen pages each into memory, and a
//! file that shrinks under a map kills the process instead of giving an error.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use epicene_io::limits::LARGEST_TEXT;
use epicene_io::position::read_at;
use epicene_io::regular;

use super::CheckpointError;
use epicene_kernels::Precision;

#[derive(Debug)]
pub enum Data {
    File(File),
    Bytes(&'static [u8]),
}

/// One file of tensors.
#[derive(Debug)]
pub struct WeightFile {
    /// File name, for messages.
    pub name: String,
    pub data: Data,
    pub length: u64,
    /// Whether the most significant byte of a number comes first.
    pub big_endian: bool,
}

#[derive(Debug)]
pub struct Tensor {
    /// Its file, by number.
    pub part: usize,
    pub precision: Precision,
    pub shape: Vec<usize>,
    /// First byte in its file.
    pub start: u64,
    /// Where the numbers do not lie row by row.
    pub strided: Option<Strided>,
}

/// A view whose numbers lie in another order than they are read in, each once.
#[derive(Debug)]
pub struct Strided {
    /// Numbers from one to the next of each dimension.
    strides: Vec<usize>,
    /// Numbers from the first to the last.
    span: usize,
    /// As they are read in, little-endian; made when the tensor is first read.
    ordered: OnceLock<Vec<u8>>,
}

impl Strided {
    pub fn new(strides: Vec<usize>, span: usize) -> Strided {
        Strided {
            strides,
            span,
            ordered: OnceLock::new(),
        }
    }
}

pub(crate) fn unreadable(file: &str, error: &std::io::Error) -> CheckpointError {
    CheckpointError::Unreadable {
        file: file.to_owned(),
        problem: error.to_string(),
    }
}

impl WeightFile {
    pub(crate) fn open(directory: &Path, name: &str) -> Result<WeightFile, CheckpointError> {
        let file =
            regular::open(&directory.join(name)).map_err(|error| unreadable(name, &error))?;
        let length = file
            .metadata()
            .map_err(|error| unreadable(name, &error))?
            .len();
        Ok(WeightFile {
            name: name.to_owned(),
            data: Data::File(file),
            length,
            big_endian: false,
        })
    }

    pub fn read_bytes(&self, start: u64, out: &mut [u8]) -> Result<(), CheckpointError> {
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

    /// Numbers of so many bytes each, little-endian.
    fn read_numbers(
        &self,
        start: u64,
        width: usize,
        out: &mut [u8],
    ) -> Result<(), CheckpointError> {
        self.read_bytes(start, out)?;
        if self.big_endian {
            out.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        }
        Ok(())
    }
}

impl Tensor {
    /// The numbers from `first` on as they are kept, little-endian.
    pub(crate) fn read(
        &self,
        part: &WeightFile,
        first: usize,
        out: &mut [u8],
    ) -> Result<(), CheckpointError> {
        let width = self.precision.bytes();
        let Some(strided) = &self.strided else {
            return part.read_numbers(self.start + (first * width) as u64, width, out);
        };
        if strided.ordered.get().is_none() {
            let ordered = self.ordered(part, strided, width)?;
            // Another thread may have been faster; it made the same.
            let _ = strided.ordered.set(ordered);
        }
        if let Some(ordered) = strided.ordered.get() {
            out.copy_from_slice(&ordered[first * width..][..out.len()]);
        }
        Ok(())
    }

    fn ordered(
        &self,
        part: &WeightFile,
        strided: &Strided,
        width: usize,
    ) -> Result<Vec<u8>, CheckpointError> {
        let mut all = vec![0; strided.span * width];
        part.read_numbers(self.start, width, &mut all)?;
        let count: usize = self.shape.iter().product();
        let mut ordered = Vec::with_capacity(count * width);
        for number in 0..count {
            let mut rest = number;
            let mut place = 0;
            for (size, stride) in self.shape.iter().zip(&strided.strides).rev() {
                place += rest % size * stride;
                rest /= size;
            }
            ordered.extend_from_slice(&all[place * width..][..width]);
        }
        Ok(ordered)
    }
}

/// A file of a directory, if it is there.
pub fn read_file(directory: &Path, name: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
    let path = directory.join(name);
    if path.exists() {
        regular::read(&path, LARGEST_TEXT)
            .map(Some)
            .map_err(|error| CheckpointError::Unreadable {
                file: name.to_owned(),
                problem: error.to_string(),
            })
    } else {
        Ok(None)
    }
}
