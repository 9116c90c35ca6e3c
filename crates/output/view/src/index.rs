//! Where the items of a run are in their file, and a number for every label. Made once, in the background, by reading the file
//! through; after that any page is a few reads.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use epicene_bench::Benchmark;
use epicene_core::{Item, Items};
use epicene_io::regular;

/// No such label.
const NO_LABEL: u16 = u16::MAX;
/// Labels with more values than this are text, not a choice.
const VALUES: usize = 4000;

#[derive(Debug, Default)]
pub struct ItemIndex {
    offsets: Vec<u64>,
    pub labels: Vec<LabelIndex>,
}

#[derive(Debug)]
pub struct LabelIndex {
    pub name: String,
    pub values: Vec<String>,
    codes: Vec<u16>,
}

impl LabelIndex {
    /// Whether an item has the value with this number.
    pub fn is(&self, code: u16, item: usize) -> bool {
        self.codes.get(item) == Some(&code)
    }
}

impl ItemIndex {
    pub fn build(path: &Path, benchmark: &dyn Benchmark) -> io::Result<ItemIndex> {
        let mut offsets = Vec::new();
        let mut labels: BTreeMap<String, (BTreeMap<String, u16>, Vec<u16>)> = BTreeMap::new();
        each_line(path, 0, |offset, line| {
            let item = read_item(line, benchmark)?;
            let place = offsets.len();
            offsets.push(offset);
            for name in item.labels.keys() {
                let value = item.labels.get(name).unwrap_or("");
                let known = labels.entry(name.to_owned()).or_default();
                let next = known.0.len();
                if next > VALUES && !known.0.contains_key(value) {
                    continue;
                }
                let code = *known.0.entry(value.to_owned()).or_insert(next as u16);
                known.1.resize(place, NO_LABEL);
                known.1.push(code);
            }
            Ok(())
        })?;
        offsets.shrink_to_fit();
        let labels = labels
            .into_iter()
            .filter(|(_, (values, _))| values.len() <= VALUES);
        let labels = labels.map(|(name, (values, mut codes))| {
            codes.resize(offsets.len(), NO_LABEL);
            codes.shrink_to_fit();
            let named = values.into_iter().map(|(value, code)| (code, value));
            let mut named: Vec<(u16, String)> = named.collect();
            named.sort_unstable();
            let values = named.into_iter().map(|(_, value)| value).collect();
            LabelIndex {
                name,
                values,
                codes,
            }
        });
        Ok(ItemIndex {
            labels: labels.collect(),
            offsets,
        })
    }

    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    pub fn label(&self, name: &str, value: &str) -> Option<(&LabelIndex, u16)> {
        let label = self.labels.iter().find(|label| label.name == name)?;
        let code = label.values.iter().position(|known| known == value)?;
        Some((label, u16::try_from(code).ok()?))
    }

    /// The line of an item.
    pub fn line(&self, path: &Path, item: usize) -> io::Result<Vec<u8>> {
        line_at(path, self.offsets[item])
    }
}

/// An item with the labels that rows know it by.
pub fn read_item(line: &[u8], benchmark: &dyn Benchmark) -> io::Result<Item> {
    let mut item: Item = serde_json::from_slice(line)?;
    let mut alone = Items::default();
    alone.push(&item);
    for (name, value) in (benchmark.card().facets)(alone.get(0)) {
        item.labels.insert(name, &value);
    }
    Ok(item)
}

/// The whole lines of a file that begin at `start` or after it, with where each begins; returns where the last one ends. A
/// file that is not there has none.
pub fn each_line(
    path: &Path,
    start: u64,
    mut see: impl FnMut(u64, &[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    let mut file = match regular::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(start),
        Err(error) => return Err(error),
    };
    file.seek(SeekFrom::Start(start))?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let mut offset = start;
    let mut line = Vec::new();
    loop {
        let bytes = epicene_io::input::read_line(&mut reader, &mut line)?;
        if bytes == 0 || line.last() != Some(&b'\n') {
            return Ok(offset);
        }
        see(offset, &line)?;
        offset += bytes as u64;
    }
}

pub fn line_at(path: &Path, offset: u64) -> io::Result<Vec<u8>> {
    let mut file = regular::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut line = Vec::new();
    let mut reader = BufReader::with_capacity(1 << 12, file);
    reader.read_until(b'\n', &mut line)?;
    Ok(line)
}
