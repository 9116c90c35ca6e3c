//! `pytorch_model.bin`: the state dict that `torch.save` writes, read without running anything.
//!
//! The file is a zip archive: `data.pkl` says which tensors there are, `data/KEY` holds the numbers of one storage each. Before
//! PyTorch 1.6 it was a stream of pickles with the storages behind them ([`stream`]).
//! Loading it in Python runs what the pickle names. Here its machine ([`machine`]) knows the names of a state dict and
//! no others, and what comes of it is a table of contents like that of safetensors.

mod machine;
mod stream;
mod zip;

use std::collections::{BTreeMap, BTreeSet};

use epicene_io::quote::shown;

use super::CheckpointError;
use super::error::Shape;
use super::stored::StoredTensors;
use super::weight_file::{Strided, Tensor, WeightFile};
use epicene_kernels::Precision;
use machine::{Envelope, PickleError, Storage, Unpickled, Value, View, unpickle, width};
use stream::Stream;
use zip::{ByteRange, entries};

/// Longer pickles than this hold more than names and shapes.
const LONGEST_PICKLE: u64 = 64 << 20;

/// Where a tar archive says that it is one: the format before PyTorch 0.1.10.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// Why a file is refused.
#[derive(Debug)]
enum Refused {
    Bad(String),
    Below(CheckpointError),
}

impl From<CheckpointError> for Refused {
    fn from(error: CheckpointError) -> Refused {
        Refused::Below(error)
    }
}

impl From<&str> for Refused {
    fn from(problem: &str) -> Refused {
        Refused::Bad(problem.to_owned())
    }
}

impl From<String> for Refused {
    fn from(problem: String) -> Refused {
        Refused::Bad(problem)
    }
}

/// The pickle of a file, and where its storages are looked for.
enum Format {
    Archive(Archive, BTreeMap<String, ByteRange>),
    Stream(Stream),
}

impl Format {
    fn of(part: &WeightFile) -> Result<Format, Refused> {
        let mut begin = vec![0; part.length.min(512) as usize];
        part.read_bytes(0, &mut begin)?;
        let (at, mark) = TAR;
        if let Some(stream) = Stream::of(part, &begin)? {
            Ok(Format::Stream(stream))
        } else if begin.get(at..at + mark.len()) == Some(mark) {
            Err("in the format of PyTorch before 0.1.10, which is not supported".into())
        } else if begin.starts_with(b"PK\x03\x04") {
            let entries = entries(part)?;
            Ok(Format::Archive(Archive::of(part, &entries)?, entries))
        } else {
            Err("not what torch.save writes".into())
        }
    }

    fn pickle(&self) -> (&[u8], Envelope) {
        match self {
            Format::Archive(archive, _) => (&archive.pickle, Envelope::Archive),
            Format::Stream(stream) => (&stream.pickle, Envelope::Stream),
        }
    }
}

/// The complaint about a pickle.
fn complaint(error: PickleError, file: &str) -> Refused {
    match error {
        PickleError::Global(global) => Refused::Below(CheckpointError::PickledCode {
            file: file.to_owned(),
            global: shown(&global),
        }),
        PickleError::Bad(at, problem) => format!("byte {at} of its pickle: {problem}").into(),
        PickleError::Cut(at, problem) => format!("byte {at} of its pickle: {problem}").into(),
    }
}

/// Adds the tensors of a file.
pub fn add(found: &mut StoredTensors, mut part: WeightFile) -> Result<(), CheckpointError> {
    let name = part.name.clone();
    let bad = |problem: String| CheckpointError::Pickled {
        file: name.clone(),
        problem: shown(&problem),
    };
    let refused = |refused: Refused| match refused {
        Refused::Bad(problem) => bad(problem),
        Refused::Below(error) => error,
    };
    let format = Format::of(&part).map_err(refused)?;
    let (pickle, envelope) = format.pickle();
    let read = unpickle(pickle, envelope).map_err(|error| refused(complaint(error, &name)))?;
    if read.length != pickle.len() {
        return Err(bad("its pickle goes on after its end".to_owned()));
    }
    let storages = named_storages(&read).map_err(&bad)?;
    let places = match &format {
        Format::Archive(archive, entries) => {
            part.big_endian = archive.big_endian;
            archive.places(&storages, entries).map_err(&bad)?
        }
        Format::Stream(stream) => stream.places(&storages, &part).map_err(refused)?,
    };
    let Value::Dict(state) = &read.values[read.top] else {
        return Err(bad("not a dictionary of tensors".to_owned()));
    };
    let mut seen = BTreeSet::new();
    for (key, value) in state {
        let Value::Text(tensor) = read.values[*key] else {
            return Err(bad("a tensor whose name is no text".to_owned()));
        };
        let about = |problem: String| bad(format!("`{}`: {problem}", shown(tensor)));
        if !seen.insert(tensor) {
            return Err(about("occurs twice".to_owned()));
        }
        let Value::Tensor(view) = &read.values[*value] else {
            return Err(about("is no tensor".to_owned()));
        };
        let Value::Storage(storage) = &read.values[view.storage] else {
            return Err(about("has no storage".to_owned()));
        };
        let layout = Layout::of(view, storage).map_err(&about)?;
        let precision = match storage.kind {
            "FloatStorage" => Precision::F32,
            "HalfStorage" => Precision::F16,
            "BFloat16Storage" => Precision::Bf16,
            "LongStorage" | "IntStorage" | "ShortStorage" | "CharStorage" | "ByteStorage"
            | "BoolStorage" => {
                found.add_integers(tensor.to_owned());
                continue;
            }
            kind => {
                return Err(CheckpointError::Dtype {
                    file: name,
                    tensor: tensor.to_owned(),
                    dtype: kind.to_owned(),
                });
            }
        };
        let stored = Tensor {
            part: found.next_part(),
            precision,
            shape: layout.shape,
            start: places[storage.key].start + view.offset * width(storage.kind) as u64,
            strided: layout.strided,
        };
        if !found.add_tensor(tensor.to_owned(), stored) {
            return Err(about("is in another shard too".to_owned()));
        }
    }
    found.add_part(part);
    Ok(())
}

/// Every storage that a pickle names; one that several values name must be the same in all.
fn named_storages<'a, 'v>(
    read: &'v Unpickled<'a>,
) -> Result<BTreeMap<&'a str, &'v Storage<'a>>, String> {
    let mut known: BTreeMap<&str, &Storage<'_>> = BTreeMap::new();
    for value in &read.values {
        let Value::Storage(storage) = value else {
            continue;
        };
        let other = *known.entry(storage.key).or_insert(storage);
        if other != storage {
            return Err(format!("storage `{}` is of two kinds", shown(storage.key)));
        }
    }
    Ok(known)
}

/// What an archive says about itself.
struct Archive {
    /// The folder everything lies in.
    root: String,
    pickle: Vec<u8>,
    big_endian: bool,
}

impl Archive {
    fn of(part: &WeightFile, entries: &BTreeMap<String, ByteRange>) -> Result<Archive, Refused> {
        let mut roots = entries
            .keys()
            .filter_map(|name| name.strip_suffix("/data.pkl"))
            .filter(|root| !root.contains('/'));
        let root = roots.next().ok_or("no data.pkl in it")?.to_owned();
        if roots.next().is_some() {
            return Err("more than one data.pkl in it".into());
        }
        let entry = |name: &str| entries.get(&format!("{root}/{name}")).copied();
        if entry("constants.pkl").is_some() {
            return Err("a TorchScript program, not a state dict".into());
        }
        let read = |place: ByteRange, most: u64| -> Result<Vec<u8>, Refused> {
            if place.size > most {
                return Err(Refused::Bad(format!("a pickle of {} bytes", place.size)));
            }
            let mut bytes = vec![0; place.size as usize];
            part.read_bytes(place.start, &mut bytes)?;
            Ok(bytes)
        };
        let big_endian = match entry("byteorder") {
            None => false,
            Some(place) => match read(place, 16)?.as_slice() {
                b"little" => false,
                b"big" => true,
                _ => return Err("a byte order that is none".into()),
            },
        };
        let pickle = entry("data.pkl").ok_or("no data.pkl in it")?;
        Ok(Archive {
            pickle: read(pickle, LONGEST_PICKLE)?,
            root,
            big_endian,
        })
    }

    /// Every storage with its place.
    fn places<'a>(
        &self,
        storages: &BTreeMap<&'a str, &Storage<'_>>,
        entries: &BTreeMap<String, ByteRange>,
    ) -> Result<BTreeMap<&'a str, ByteRange>, String> {
        let mut places = BTreeMap::new();
        for (key, storage) in storages {
            let place = entries.get(&format!("{}/data/{key}", self.root));
            let place = *place.ok_or_else(|| format!("no storage `{}` in it", shown(key)))?;
            if storage.size() != Some(place.size) {
                return Err(format!(
                    "storage `{}` has {} bytes, not those of {} numbers",
                    shown(key),
                    place.size,
                    storage.count
                ));
            }
            places.insert(*key, place);
        }
        Ok(places)
    }
}

/// A tensor's shape, and its strides where its numbers do not lie row by row.
struct Layout {
    shape: Vec<usize>,
    strided: Option<Strided>,
}

impl Layout {
    /// Every number of the tensor must lie in its storage, each in a place of its own.
    fn of(view: &View, storage: &Storage<'_>) -> Result<Layout, String> {
        let sizes = |all: &[u64]| -> Option<Vec<usize>> {
            all.iter().map(|size| usize::try_from(*size).ok()).collect()
        };
        let outside = || {
            format!(
                "{} numbers at {} reach outside the {} of its storage",
                Shape(sizes(&view.shape).unwrap_or_default()),
                view.offset,
                storage.count
            )
        };
        let shape = sizes(&view.shape).ok_or_else(outside)?;
        let strides = sizes(&view.strides).ok_or_else(outside)?;
        if shape.contains(&0) {
            return if view.offset <= storage.count {
                Ok(Layout {
                    shape,
                    strided: None,
                })
            } else {
                Err(outside())
            };
        }
        // From the last number of one dimension to the first: the span must grow past it with the next.
        let mut dimensions: Vec<(usize, usize)> = strides
            .iter()
            .copied()
            .zip(shape.iter().copied())
            .filter(|(_, size)| *size > 1)
            .collect();
        dimensions.sort_unstable();
        let mut span = 1usize;
        for (stride, size) in dimensions {
            if stride < span {
                return Err("numbers that share their places".to_owned());
            }
            let reach = stride.checked_mul(size - 1);
            span = reach
                .and_then(|reach| reach.checked_add(span))
                .ok_or_else(outside)?;
        }
        let end = view.offset.checked_add(span as u64);
        if end.is_none_or(|end| end > storage.count) {
            return Err(outside());
        }
        let mut expected = 1;
        let mut row_by_row = true;
        for (size, stride) in shape.iter().zip(&strides).rev() {
            row_by_row &= *size == 1 || *stride == expected;
            expected *= size;
        }
        Ok(Layout {
            strided: (!row_by_row).then(|| Strided::new(strides, span)),
            shape,
        })
    }
}
