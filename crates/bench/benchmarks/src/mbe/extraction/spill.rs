//! Sentences and their hashes on disk, so that neither the sets nor the count of repeats need memory
//! in proportion to the corpus.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};

/// Hashes looked at in one pass.
const HASHES_AT_ONCE: u64 = 1 << 19;

/// Sentences of one set with their lines, in a temporary file without a name.
pub struct Spill {
    file: BufWriter<File>,
    count: u64,
}

/// Adds a sentence to a buffer in the layout of the file. A tab inside would be a column later.
pub fn record(buffer: &mut Vec<u8>, line: u64, text: &str) {
    buffer.extend_from_slice(line.to_string().as_bytes());
    buffer.push(b'\t');
    let start = buffer.len();
    buffer.extend_from_slice(text.as_bytes());
    for byte in &mut buffer[start..] {
        if matches!(*byte, b'\t' | b'\r') {
            *byte = b' ';
        }
    }
    buffer.push(b'\n');
}

impl Spill {
    pub fn new() -> io::Result<Spill> {
        Ok(Spill {
            file: BufWriter::with_capacity(1 << 16, tempfile::tempfile()?),
            count: 0,
        })
    }

    pub fn append(&mut self, records: &[u8], count: u64) -> io::Result<()> {
        self.count += count;
        self.file.write_all(records)
    }

    pub fn len(&self) -> u64 {
        self.count
    }

    /// Every sentence in order.
    pub fn read(&mut self, mut each: impl FnMut(u64, &str) -> io::Result<()>) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.rewind()?;
        let mut reader = BufReader::with_capacity(1 << 16, &*file);
        let mut line = String::new();
        loop {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                break;
            }
            let (number, text) = line.split_once('\t').expect("written with a tab");
            let number = number.parse().expect("written with its number");
            each(number, text.trim_end_matches('\n'))?;
        }
        file.seek(io::SeekFrom::End(0))?;
        Ok(())
    }
}

/// The hashes of sentences, 64 bits each.
pub struct Repeats {
    file: BufWriter<File>,
    count: u64,
}

impl Repeats {
    pub fn new() -> io::Result<Repeats> {
        Ok(Repeats {
            file: BufWriter::new(tempfile::tempfile()?),
            count: 0,
        })
    }

    pub fn add(&mut self, text: &str) -> io::Result<()> {
        self.count += 1;
        self.file.write_all(&hash(text).to_le_bytes())
    }

    /// The hashes of one part of all, sorted.
    fn part(&mut self, part: u64, parts: u64) -> io::Result<Vec<u64>> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.rewind()?;
        let mut reader = BufReader::with_capacity(1 << 16, &*file);
        let mut hashes = Vec::new();
        let mut bytes = [0; 8];
        for _ in 0..self.count {
            reader.read_exact(&mut bytes)?;
            let hash = u64::from_le_bytes(bytes);
            if hash % parts == part {
                hashes.push(hash);
            }
        }
        hashes.sort_unstable();
        Ok(hashes)
    }
}

/// Repeated sentences of the first set, of the second, and different ones that are in both.
pub fn count_repeats(first: &mut Repeats, second: &mut Repeats) -> io::Result<(u64, u64, u64)> {
    let parts = first
        .count
        .max(second.count)
        .div_ceil(HASHES_AT_ONCE)
        .max(1);
    let mut counted = (0, 0, 0);
    for part in 0..parts {
        let (mut ours, mut theirs) = (first.part(part, parts)?, second.part(part, parts)?);
        let lengths = (ours.len(), theirs.len());
        ours.dedup();
        theirs.dedup();
        counted.0 += (lengths.0 - ours.len()) as u64;
        counted.1 += (lengths.1 - theirs.len()) as u64;
        let common = |hash: &&u64| theirs.binary_search(hash).is_ok();
        counted.2 += ours.iter().filter(common).count() as u64;
    }
    Ok(counted)
}

/// FNV-1a, then mixed; among ten million sentences a false repeat has a chance of 3 in a million.
fn hash(text: &str) -> u64 {
    let mut hash = text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_counted_within_and_across() {
        let (mut first, mut second) = (Repeats::new().unwrap(), Repeats::new().unwrap());
        for text in ["a", "b", "a", "a"] {
            first.add(text).unwrap();
        }
        for text in ["a", "c", "c"] {
            second.add(text).unwrap();
        }
        assert_eq!(count_repeats(&mut first, &mut second).unwrap(), (2, 1, 1));
    }

    #[test]
    fn tabs_inside_a_sentence_do_not_survive() {
        let mut spill = Spill::new().unwrap();
        let mut buffer = Vec::new();
        record(&mut buffer, 7, "a\tb");
        spill.append(&buffer, 1).unwrap();
        for _ in 0..2 {
            let mut seen = Vec::new();
            spill
                .read(|line, text| {
                    seen.push((line, text.to_owned()));
                    Ok(())
                })
                .unwrap();
            assert_eq!(seen, [(7, "a b".to_owned())]);
        }
    }
}
