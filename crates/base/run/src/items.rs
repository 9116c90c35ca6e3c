//! The items of a run on disk. Sets of millions are read block by block, so that memory does not
//! grow with them; asking and checking mostly walk in order, so one block is kept. What is wanted out of order is read by
//! itself.

use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use epicene_core::Item;
use epicene_io::OutputFile;
use epicene_io::input::read_line;

use crate::{RunError, Sums, sums};

const BLOCK: usize = 1024;

/// `items.jsonl`, opened for reading.
#[derive(Debug)]
pub struct ItemStore {
    path: PathBuf,
    /// Byte offset of every line.
    offsets: Vec<u64>,
    sums: Sums,
    cache: RefCell<CachedBlock>,
}

#[derive(Debug, Default)]
struct CachedBlock {
    number: Option<usize>,
    items: Vec<Item>,
    /// The block of the item that was read by itself last.
    wanted: Option<usize>,
}

impl ItemStore {
    /// Writes the items, each with its checksum; the file is whole or absent. Two items with one id are refused.
    pub fn write(path: &Path, items: impl IntoIterator<Item = Item>) -> Result<usize, RunError> {
        let mut file = OutputFile::create(path).map_err(RunError::io(path))?;
        let mut seen = HashSet::new();
        let mut count = 0;
        let mut line = Vec::new();
        for item in items {
            if !seen.insert(hash_of(&item.id)) {
                return Err(RunError::RepeatedId { id: item.id });
            }
            line.clear();
            serde_json::to_writer(&mut line, &item)
                .map_err(|error| RunError::io(path)(error.into()))?;
            sums::seal(&mut line, 0);
            line.push(b'\n');
            file.write_all(&line).map_err(RunError::io(path))?;
            count += 1;
        }
        file.finish().map_err(RunError::io(path))?;
        Ok(count)
    }

    /// Whether a file begins with an item and its checksum, as this type writes them.
    pub(crate) fn is_ours(path: &Path) -> Result<bool, RunError> {
        let file = match epicene_io::regular::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(RunError::io(path)(error)),
        };
        let mut line = Vec::new();
        let bytes = read_line(&mut BufReader::new(file), &mut line).map_err(RunError::io(path))?;
        Ok(bytes > 0 && sums::check(&line).is_ok())
    }

    pub fn open(path: &Path, sums: Sums) -> Result<ItemStore, RunError> {
        let file = epicene_io::regular::open(path).map_err(RunError::io(path))?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut offsets = Vec::new();
        let mut offset = 0;
        let mut line = Vec::new();
        loop {
            let bytes = read_line(&mut reader, &mut line).map_err(RunError::io(path))?;
            if bytes == 0 {
                break;
            }
            offsets.push(offset);
            offset += bytes as u64;
        }
        Ok(ItemStore {
            path: path.to_owned(),
            offsets,
            sums,
            cache: RefCell::default(),
        })
    }

    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Lends the item at `index` (from 0) to `use_item`.
    pub fn with<T>(&self, index: usize, use_item: impl FnOnce(&Item) -> T) -> Result<T, RunError> {
        let number = index / BLOCK;
        let mut cache = self.cache.borrow_mut();
        let missing = || self.bad_line(index as u64 + 1, "no such item".to_owned());
        if cache.number != Some(number) {
            let next = cache.number.map_or(0, |kept| kept + 1) == number;
            // Whoever wants a second item of a block walks through it.
            if !next && cache.wanted.replace(number) != Some(number) {
                let found = self.read_lines(index, index + 1)?;
                return Ok(use_item(found.first().ok_or_else(missing)?));
            }
            *cache = CachedBlock {
                number: Some(number),
                items: self.read_lines(number * BLOCK, (number + 1) * BLOCK)?,
                wanted: None,
            };
        }
        let item = cache.items.get(index % BLOCK).ok_or_else(missing)?;
        Ok(use_item(item))
    }

    pub fn get(&self, index: usize) -> Result<Item, RunError> {
        self.with(index, Item::clone)
    }

    /// The items of some lines, counted from 0.
    fn read_lines(&self, first: usize, end: usize) -> Result<Vec<Item>, RunError> {
        let mut file = epicene_io::regular::open(&self.path).map_err(RunError::io(&self.path))?;
        let Some(&start) = self.offsets.get(first) else {
            return Err(self.bad_line(first as u64 + 1, "no such item".to_owned()));
        };
        file.seek(SeekFrom::Start(start))
            .map_err(RunError::io(&self.path))?;
        let length = self.offsets.get(end).map_or(u64::MAX, |end| end - start);
        let mut items = Vec::with_capacity(end - first);
        let mut reader = BufReader::new(file.take(length));
        let mut line = Vec::new();
        let mut line_number = first as u64;
        while read_line(&mut reader, &mut line).map_err(RunError::io(&self.path))? > 0 {
            line_number += 1;
            let item = serde_json::from_slice(&line)
                .map_err(|error| self.bad_line(line_number, error.to_string()))?;
            if self.sums == Sums::Required {
                sums::check(&line).map_err(|message| self.bad_line(line_number, message))?;
            }
            items.push(item);
        }
        Ok(items)
    }

    fn bad_line(&self, line: u64, message: String) -> RunError {
        RunError::BadItem {
            path: self.path.clone(),
            line,
            message,
        }
    }
}

/// 128 bits of an id: millions of them are told apart without being kept.
fn hash_of(id: &str) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, id).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_back_in_any_order_across_blocks() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("items.jsonl");
        let count = BLOCK * 2 + 7;
        let items = (0..count).map(|i| Item::new(format!("t:{i}"), format!("text {i}\nžluť")));
        assert_eq!(ItemStore::write(&path, items).unwrap(), count);
        let store = ItemStore::open(&path, Sums::Required).unwrap();
        assert_eq!(store.len(), count);
        for index in [0, count - 1, BLOCK, BLOCK - 1, 5, 2 * BLOCK] {
            assert_eq!(store.get(index).unwrap().id, format!("t:{index}"));
        }
    }

    #[test]
    fn two_items_with_one_id_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("items.jsonl");
        let items = ["a", "b", "a"].map(|id| Item::new(id, "text"));
        let error = ItemStore::write(&path, items).unwrap_err();
        assert!(error.to_string().contains("the id `a`"), "{error}");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_broken_line_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("items.jsonl");
        std::fs::write(&path, "{\"id\":\"a\",\"text\":\"b\"}\n{broken\n").unwrap();
        let store = ItemStore::open(&path, Sums::Absent).unwrap();
        let error = store.get(1).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }

    #[test]
    fn a_label_that_was_changed_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("items.jsonl");
        let items = ["1", "2"].map(|label| Item::new(label, "text").with_label("sex", label));
        ItemStore::write(&path, items).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, written.replace("\"sex\":\"2\"", "\"sex\":\"1\"")).unwrap();
        let store = ItemStore::open(&path, Sums::Required).unwrap();
        let error = store.get(1).unwrap_err().to_string();
        assert!(error.contains("line 2: the checksum"), "{error}");
    }
}
