//! The zip archive that `torch.save` writes: its table of contents, and nothing is unpacked. Entries are stored as they
//! are, so that a tensor's numbers are read where they lie. What a careless writer or an attacker could add (entries
//! twice, inside each other, compressed, outside the file) is refused.

use std::collections::BTreeMap;

use super::super::weight_file::WeightFile;
use super::Refused;

/// Larger tables of contents than this are none.
const LARGEST_DIRECTORY: u64 = 64 << 20;
const END: u32 = 0x0605_4b50;
const END_LENGTH: u64 = 22;
const LONGEST_COMMENT: u64 = 0xffff;
const LOCATOR_64: u32 = 0x0706_4b50;
const LOCATOR_64_LENGTH: u64 = 20;
const END_64: u32 = 0x0606_4b50;
const ENTRY: u32 = 0x0201_4b50;
const LOCAL: u32 = 0x0403_4b50;
const LOCAL_LENGTH: u64 = 30;

/// Where the bytes of an entry lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteRange {
    pub start: u64,
    pub size: u64,
}

/// The entries of an archive by their names.
pub fn entries(part: &WeightFile) -> Result<BTreeMap<String, ByteRange>, Refused> {
    let directory = directory(part)?;
    let mut bytes = vec![0; directory.size as usize];
    part.read_bytes(directory.start, &mut bytes)?;
    let mut reader = Fields(&bytes);
    let mut found = BTreeMap::new();
    let mut taken: Vec<(u64, u64)> = Vec::new();
    for _ in 0..directory.count {
        let (name, header, size) = entry(&mut reader)?;
        let place = local(part, &name, header, size)?;
        let end = place.start.checked_add(size);
        if end.is_none_or(|end| end > directory.start) {
            return Err(Refused::Bad(format!("`{name}` ends outside the file")));
        }
        taken.push((header, place.start + size));
        if found.insert(name.clone(), place).is_some() {
            return Err(Refused::Bad(format!("`{name}` occurs twice")));
        }
    }
    if !reader.0.is_empty() {
        return Err("its table of contents has more than the entries it counts".into());
    }
    taken.sort_unstable();
    if taken.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return Err("entries that overlap".into());
    }
    Ok(found)
}

struct Directory {
    start: u64,
    size: u64,
    count: u64,
}

fn directory(part: &WeightFile) -> Result<Directory, Refused> {
    let length = part.length;
    let tail = (END_LENGTH + LONGEST_COMMENT).min(length);
    let mut bytes = vec![0; tail as usize];
    part.read_bytes(length - tail, &mut bytes)?;
    // The comment behind it reaches to the end of the file.
    let at = (0..=bytes.len().saturating_sub(END_LENGTH as usize))
        .rev()
        .find(|at| {
            let mut fields = Fields(&bytes[*at..]);
            let comment = bytes.len().saturating_sub(at + END_LENGTH as usize);
            fields.u32() == Some(END)
                && bytes.get(at + 20..at + 22) == Some(&(comment as u16).to_le_bytes())
        })
        .ok_or("no zip archive, or one that is cut off")?;
    let end = length - tail + at as u64;
    let mut fields = Fields(&bytes[at + 4..]);
    let (disk, directory_disk) = (fields.u16(), fields.u16());
    let (here, count) = (fields.u16(), fields.u16());
    let (size, start) = (fields.u32(), fields.u32());
    let (Some(count), Some(size), Some(start)) = (count, size, start) else {
        return Err("cut off".into());
    };
    let found = match (count, size, start) {
        (0xffff, _, _) | (_, u32::MAX, _) | (_, _, u32::MAX) => directory_64(part, end)?,
        _ if disk != Some(0) || directory_disk != Some(0) || here != Some(count) => {
            return Err("an archive in several parts".into());
        }
        _ => Directory {
            start: start.into(),
            size: size.into(),
            count: count.into(),
        },
    };
    if found.size > LARGEST_DIRECTORY {
        return Err(Refused::Bad(format!(
            "a table of contents of {} bytes",
            found.size
        )));
    }
    match found.start.checked_add(found.size) {
        Some(stop) if stop <= end => Ok(found),
        _ => Err("its table of contents is outside the file".into()),
    }
}

/// The table of contents of an archive of more than 4 GiB.
fn directory_64(part: &WeightFile, end: u64) -> Result<Directory, Refused> {
    let mut locator = [0; LOCATOR_64_LENGTH as usize];
    let at = end.checked_sub(LOCATOR_64_LENGTH).ok_or("cut off")?;
    part.read_bytes(at, &mut locator)?;
    let mut fields = Fields(&locator);
    let (mark, _disk, record) = (fields.u32(), fields.u32(), fields.u64());
    let record = match (mark, record) {
        (Some(LOCATOR_64), Some(record)) if record.checked_add(56).is_some_and(|e| e <= at) => {
            record
        }
        _ => return Err("a large archive without its end record".into()),
    };
    let mut bytes = [0; 56];
    part.read_bytes(record, &mut bytes)?;
    let mut fields = Fields(&bytes);
    let mark = fields.u32();
    fields.skip(8 + 2 + 2 + 4 + 4);
    let (here, count) = (fields.u64(), fields.u64());
    match (mark, count, fields.u64(), fields.u64()) {
        (Some(END_64), Some(count), Some(size), Some(start)) if here == Some(count) => {
            Ok(Directory { start, size, count })
        }
        _ => Err("a large archive without its end record".into()),
    }
}

/// Name, place of the local header and size of the next entry.
fn entry(fields: &mut Fields<'_>) -> Result<(String, u64, u64), Refused> {
    let cut = || Refused::from("its table of contents is cut off");
    if fields.u32() != Some(ENTRY) {
        return Err(cut());
    }
    fields.skip(4);
    let (flags, method) = (fields.u16(), fields.u16());
    fields.skip(8);
    let (packed, size) = (fields.u32().ok_or_else(cut)?, fields.u32().ok_or_else(cut)?);
    let lengths = [fields.u16(), fields.u16(), fields.u16()];
    fields.skip(8);
    let header = fields.u32().ok_or_else(cut)?;
    let [Some(name), Some(extra), Some(comment)] = lengths else {
        return Err(cut());
    };
    let name = fields.bytes(name.into()).ok_or_else(cut)?;
    let name = str::from_utf8(name).map_err(|_| Refused::from("a name that is no text"))?;
    let extra = fields.bytes(extra.into()).ok_or_else(cut)?;
    fields.bytes(comment.into()).ok_or_else(cut)?;
    let bad = |problem: &str| Refused::Bad(format!("`{name}` {problem}"));
    if flags.is_none_or(|flags| flags & 1 == 1) {
        return Err(bad("is encrypted"));
    }
    if method != Some(0) {
        return Err(bad("is compressed, which torch.save never does"));
    }
    let mut wide = Fields(wide_numbers(extra));
    // In this order, those alone that do not fit their narrow places.
    let mut number = |narrow: u32| match narrow {
        u32::MAX => wide.u64(),
        narrow => Some(narrow.into()),
    };
    let (Some(size), Some(packed), Some(header)) = (number(size), number(packed), number(header))
    else {
        return Err(bad("has no size"));
    };
    if packed == size {
        Ok((name.to_owned(), header, size))
    } else {
        Err(bad("has two sizes"))
    }
}

/// The extra field with sizes of 64 bits.
fn wide_numbers(extra: &[u8]) -> &[u8] {
    let mut fields = Fields(extra);
    while let (Some(kind), Some(length)) = (fields.u16(), fields.u16()) {
        match (fields.bytes(length.into()), kind) {
            (Some(bytes), 1) => return bytes,
            (Some(_), _) => {}
            (None, _) => break,
        }
    }
    &[]
}

/// Where the bytes behind a local header begin; the header must name the same entry.
fn local(part: &WeightFile, name: &str, header: u64, size: u64) -> Result<ByteRange, Refused> {
    let bad = || Refused::Bad(format!("`{name}` is not where the table of contents says"));
    let behind = header.checked_add(LOCAL_LENGTH + name.len() as u64);
    if behind.is_none_or(|behind| behind > part.length) {
        return Err(bad());
    }
    let mut bytes = vec![0; LOCAL_LENGTH as usize + name.len()];
    part.read_bytes(header, &mut bytes)?;
    let (fixed, found) = bytes.split_at(LOCAL_LENGTH as usize);
    let mut fields = Fields(fixed);
    let mark = fields.u32();
    fields.skip(22);
    let (length, extra) = (fields.u16(), fields.u16());
    match (mark, length, extra) {
        (Some(LOCAL), Some(length), Some(extra))
            if usize::from(length) == name.len() && found == name.as_bytes() =>
        {
            let start = header + bytes.len() as u64 + u64::from(extra);
            Ok(ByteRange { start, size })
        }
        _ => Err(bad()),
    }
}

/// Little-endian numbers, one after the other.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (now, later) = self.0.split_at_checked(count)?;
        self.0 = later;
        Some(now)
    }

    fn skip(&mut self, count: usize) {
        self.0 = self.0.get(count..).unwrap_or_default();
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.bytes(2)?.try_into().ok()?))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?))
    }
}
