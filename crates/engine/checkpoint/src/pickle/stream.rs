//! The format of PyTorch 0.1.10 to 1.5, and of `_use_new_zipfile_serialization=False` since: five pickles one behind the other
//! (a magic number, the version of the format, the machine that wrote it, the state dict, the keys of its storages), then for
//! each key the count of its numbers and the numbers. The state dict is read by the same machine as that of the archive.

use std::collections::BTreeMap;

use epicene_io::quote::shown;

use super::super::weight_file::WeightFile;
use super::machine::{Envelope, PickleError, Storage, Unpickled, Value, unpickle};
use super::zip::ByteRange;
use super::{LONGEST_PICKLE, Refused, complaint};

/// The magic number behind the opcode of a pickle's protocol, and a frame.
const MAGIC: &[u8] = b"\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.";
const FRAME: u8 = 0x95;
const FRAME_LENGTH: usize = 9;
/// The only version of the format there ever was.
const VERSION: i64 = 1001;
/// Pickles are read in pieces: most are shorter than this.
const FIRST_PIECE: u64 = 1 << 20;

pub struct Stream {
    /// The state dict's.
    pub pickle: Vec<u8>,
    /// Where the pickle of keys begins.
    keys: u64,
}

impl Stream {
    /// None where a file does not begin with the magic number.
    pub fn of(part: &WeightFile, begin: &[u8]) -> Result<Option<Stream>, Refused> {
        let [0x80, 2..=5, rest @ ..] = begin else {
            return Ok(None);
        };
        let framed = rest.first() == Some(&FRAME);
        let rest = rest.get(if framed { FRAME_LENGTH } else { 0 }..);
        let Some(behind) = rest.and_then(|rest| rest.strip_prefix(MAGIC)) else {
            return Ok(None);
        };
        let at = (begin.len() - behind.len()) as u64;
        let (version, at) = read(part, at, |read| match read.values[read.top] {
            Value::Number(version) => Some(version),
            _ => None,
        })?;
        if version != Some(VERSION) {
            return Err("of a version of PyTorch's old format that there never was".into());
        }
        let (little, at) = read(part, at, little_endian)?;
        if little != Some(true) {
            return Err("not written by a little-endian machine".into());
        }
        let (pickle, keys) = piece(part, at)?;
        Ok(Some(Stream { pickle, keys }))
    }

    /// Every storage with its place, in the order the file has them in.
    pub fn places<'a>(
        &self,
        storages: &BTreeMap<&'a str, &Storage<'_>>,
        part: &WeightFile,
    ) -> Result<BTreeMap<&'a str, ByteRange>, Refused> {
        let (listed, mut at) = read(part, self.keys, keys)?;
        let listed = listed.ok_or("its list of storages is none")?;
        let mut places = BTreeMap::new();
        for key in listed {
            let about =
                |problem: &str| Refused::Bad(format!("storage `{}` {problem}", shown(&key)));
            let Some((key, storage)) = storages.get_key_value(key.as_str()) else {
                return Err(about("belongs to no tensor"));
            };
            let mut count = [0; 8];
            if part.length - at < count.len() as u64 {
                return Err(about("is cut off"));
            }
            part.read_bytes(at, &mut count)?;
            at += count.len() as u64;
            if u64::from_le_bytes(count) != storage.count {
                return Err(about("has another count of numbers than its tensors say"));
            }
            let size = storage.size().filter(|size| *size <= part.length - at);
            let size = size.ok_or_else(|| about("is cut off"))?;
            if places.insert(*key, ByteRange { start: at, size }).is_some() {
                return Err(about("occurs twice"));
            }
            at += size;
        }
        if let Some(key) = storages.keys().find(|key| !places.contains_key(*key)) {
            return Err(format!("no storage `{}` in it", shown(key)).into());
        }
        if at == part.length {
            Ok(places)
        } else {
            Err("it goes on after its last storage".into())
        }
    }
}

/// What a dictionary about the machine says of its byte order.
fn little_endian(read: &Unpickled<'_>) -> Option<bool> {
    let Value::Dict(entries) = &read.values[read.top] else {
        return None;
    };
    entries.iter().find_map(
        |(key, value)| match (&read.values[*key], &read.values[*value]) {
            (Value::Text("little_endian"), Value::Bool(little)) => Some(*little),
            _ => None,
        },
    )
}

fn keys(read: &Unpickled<'_>) -> Option<Vec<String>> {
    let Value::List(keys) = &read.values[read.top] else {
        return None;
    };
    let key = |id: &usize| match read.values[*id] {
        Value::Text(key) => Some(key.to_owned()),
        _ => None,
    };
    keys.iter().map(key).collect()
}

/// What a pickle says, and where the next one begins.
fn read<Found>(
    part: &WeightFile,
    at: u64,
    found: impl Fn(&Unpickled<'_>) -> Found,
) -> Result<(Found, u64), Refused> {
    let (bytes, next) = piece(part, at)?;
    let read = unpickle(&bytes, Envelope::Stream);
    let read = read.map_err(|error| complaint(error, &part.name))?;
    Ok((found(&read), next))
}

/// The bytes of the pickle that begins at a place, and where it ends.
fn piece(part: &WeightFile, at: u64) -> Result<(Vec<u8>, u64), Refused> {
    let rest = part.length - at;
    let mut size = FIRST_PIECE;
    loop {
        let mut bytes = vec![0; size.min(rest) as usize];
        part.read_bytes(at, &mut bytes)?;
        match unpickle(&bytes, Envelope::Stream) {
            Ok(read) => {
                let length = read.length;
                bytes.truncate(length);
                return Ok((bytes, at + length as u64));
            }
            Err(PickleError::Cut(..)) if size < rest && size < LONGEST_PICKLE => size *= 4,
            Err(error) => return Err(complaint(error, &part.name)),
        }
    }
}
