//! `pytorch_model.bin`: the state dict that `torch.save` writes, read without running anything.
//!
//! The file is a zip archive: `data.pkl` says which tensors there are, `data/KEY` holds the numbers of one storage each.
//! Loading it in Python runs what the pickle names. Here its machine ([`machine`]) knows the names of a state dict and
//! no others, and what comes of it is a table of contents like that of safetensors.

mod machine;
mod zip;

use std::collections::{BTreeMap, BTreeSet};

use epicene_io::quote::shown;

use super::CheckpointError;
use super::error::Shape;
use super::part::{Part, Strided, Tensor};
use super::stored::StoredTensors;
use crate::cpu::Precision;
use machine::{PickleError, Storage, Unpickled, Value, View, unpickle, width};
use zip::{Place, ZipError, entries};

/// Longer pickles than this hold more than names and shapes.
const LONGEST_PICKLE: u64 = 64 << 20;

/// How the format before PyTorch 1.6 begins: a pickle of its magic number.
const LEGACY: &[u8] = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.";
/// Where a tar archive says that it is one: the format before PyTorch 0.1.10.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// Adds the tensors of a file.
pub fn add(found: &mut StoredTensors, mut part: Part) -> Result<(), CheckpointError> {
    let name = part.name.clone();
    let bad = |problem: String| CheckpointError::Pickled {
        file: name.clone(),
        problem,
    };
    refuse_other_formats(&part, &bad)?;
    let entries = entries(&part).map_err(|error| match error {
        ZipError::Bad(problem) => bad(shown(&problem)),
        ZipError::Below(error) => error,
    })?;
    let archive = Archive::of(&part, &entries).map_err(|error| match error {
        ZipError::Bad(problem) => bad(problem),
        ZipError::Below(error) => error,
    })?;
    part.big_endian = archive.big_endian;
    let read = unpickle(&archive.pickle).map_err(|error| match error {
        PickleError::Global(global) => CheckpointError::PickledCode {
            file: name.clone(),
            global: shown(&global),
        },
        PickleError::Bad(at, problem) => bad(format!("byte {at} of its pickle: {problem}")),
    })?;
    if read.length != archive.pickle.len() {
        return Err(bad("its pickle goes on after its end".to_owned()));
    }
    let storages = archive.storages(&read, &entries).map_err(&bad)?;
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
            return Err(about("is there twice".to_owned()));
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
            start: storages[storage.key].start + view.offset * width(storage.kind) as u64,
            strided: layout.strided,
        };
        if !found.add_tensor(tensor.to_owned(), stored) {
            return Err(about("is in another shard too".to_owned()));
        }
    }
    found.add_part(part);
    Ok(())
}

fn refuse_other_formats(
    part: &Part,
    bad: &impl Fn(String) -> CheckpointError,
) -> Result<(), CheckpointError> {
    let mut begin = vec![0; part.length.min(512) as usize];
    part.read_bytes(0, &mut begin)?;
    let (at, mark) = TAR;
    let old = |version: &str| {
        bad(format!(
            "in the format of PyTorch before {version}, which is not read here"
        ))
    };
    if begin.starts_with(LEGACY) {
        return Err(old("1.6"));
    }
    if begin.get(at..at + mark.len()) == Some(mark) {
        return Err(old("0.1.10"));
    }
    if begin.starts_with(b"PK\x03\x04") {
        Ok(())
    } else {
        Err(bad("not what torch.save writes (a zip archive)".to_owned()))
    }
}

/// What an archive says about itself.
struct Archive {
    /// The folder everything lies in.
    root: String,
    pickle: Vec<u8>,
    big_endian: bool,
}

impl Archive {
    fn of(part: &Part, entries: &BTreeMap<String, Place>) -> Result<Archive, ZipError> {
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
        let read = |place: Place, most: u64| -> Result<Vec<u8>, ZipError> {
            if place.size > most {
                return Err(ZipError::Bad(format!("a pickle of {} bytes", place.size)));
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

    /// Every storage with its place; one that several values name must be the same in all.
    fn storages<'a>(
        &self,
        read: &Unpickled<'a>,
        entries: &BTreeMap<String, Place>,
    ) -> Result<BTreeMap<&'a str, Place>, String> {
        let mut known: BTreeMap<&str, (&Storage<'_>, Place)> = BTreeMap::new();
        for value in &read.values {
            let Value::Storage(storage) = value else {
                continue;
            };
            let key = shown(storage.key);
            if let Some((other, _)) = known.get(storage.key) {
                if *other == storage {
                    continue;
                } else {
                    return Err(format!("storage `{key}` is of two kinds"));
                }
            }
            let place = entries.get(&format!("{}/data/{}", self.root, storage.key));
            let place = *place.ok_or_else(|| format!("no storage `{key}` in it"))?;
            let size = storage.count.checked_mul(width(storage.kind) as u64);
            if size != Some(place.size) {
                return Err(format!(
                    "storage `{key}` has {} bytes, not those of {} numbers",
                    place.size, storage.count
                ));
            }
            known.insert(storage.key, (storage, place));
        }
        Ok(known
            .into_iter()
            .map(|(key, (_, place))| (key, place))
            .collect())
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
