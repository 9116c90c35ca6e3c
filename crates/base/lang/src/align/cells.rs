//! Which words meet: every pair of a source and a target word that occur in one sentence pair is a
//! cell of the lexical table. Cells are numbered in the order in which they are met.

use super::parallel_text::Side;

/// Above this many (source position, target position) pairs, cells are looked up again in every
/// pass instead of being stored (4 bytes each).
const STORED_AT_MOST: usize = 100_000_000;

/// Above this many (source position, target position) pairs in one sentence pair, only those near its diagonal count, so that
/// memory grows with the words and not with their square.
const DENSE_AT_MOST: usize = 1 << 18;
/// Source positions of a target position near the diagonal.
const BAND: usize = 128;

/// The source positions that each target position of a sentence pair may be linked to: all, or a band about the diagonal.
#[derive(Debug, Clone, Copy)]
pub struct Band {
    source: usize,
    target: usize,
    /// Positions in the band of every target position.
    pub width: usize,
}

impl Band {
    pub fn of(source: usize, target: usize) -> Band {
        let is_dense = source.saturating_mul(target) <= DENSE_AT_MOST;
        let width = if is_dense { source } else { source.min(BAND) };
        Band {
            source,
            target,
            width,
        }
    }

    pub fn is_dense(self) -> bool {
        self.width == self.source
    }

    /// The first source position of a target position, both from 0.
    pub fn start(self, target: usize) -> usize {
        if self.is_dense() {
            return 0;
        }
        let middle = target * self.source / self.target;
        middle
            .saturating_sub(self.width / 2)
            .min(self.source - self.width)
    }

    fn len(self) -> usize {
        self.width * self.target
    }
}

pub struct Cells {
    index: CellIndex,
    /// The cell of every (target position, source position) of every sentence, if it is stored.
    places: Option<Vec<u32>>,
    /// Where a sentence begins in `places`.
    starts: Vec<usize>,
    /// The source word of each cell.
    pub source_of: Vec<u32>,
}

impl Cells {
    pub fn new(source: &Side, target: &Side, pairs: usize) -> Cells {
        let mut starts = Vec::with_capacity(pairs + 1);
        let mut total = 0;
        for pair in 0..pairs {
            starts.push(total);
            total += Band::of(source.sentence(pair).len(), target.sentence(pair).len()).len();
        }
        starts.push(total);
        let mut cells = Cells {
            index: CellIndex::default(),
            places: (total <= STORED_AT_MOST).then(|| Vec::with_capacity(total)),
            starts,
            source_of: Vec::new(),
        };
        for pair in 0..pairs {
            let (words, others) = (source.sentence(pair), target.sentence(pair));
            let band = Band::of(words.len(), others.len());
            for (j, f) in others.iter().enumerate() {
                for e in &words[band.start(j)..band.start(j) + band.width] {
                    let cell = cells.index.number(*e, *f);
                    if cell as usize == cells.source_of.len() {
                        cells.source_of.push(*e);
                    }
                    if let Some(places) = &mut cells.places {
                        places.push(cell);
                    }
                }
            }
        }
        cells
    }

    pub fn len(&self) -> usize {
        self.source_of.len()
    }

    /// The cells of a sentence pair's band, target word by target word; `room` holds them where they are not
    /// stored.
    pub fn of<'a>(
        &'a self,
        pair: usize,
        source: &[u32],
        target: &[u32],
        room: &'a mut Vec<u32>,
    ) -> &'a [u32] {
        match &self.places {
            Some(places) => &places[self.starts[pair]..self.starts[pair + 1]],
            None => {
                room.clear();
                let band = Band::of(source.len(), target.len());
                for (j, f) in target.iter().enumerate() {
                    let source = &source[band.start(j)..band.start(j) + band.width];
                    room.extend(source.iter().map(|e| self.index.find(*e, *f)));
                }
                room
            }
        }
    }
}

/// An open-addressing table from (source word, target word) to the number of their cell.
#[derive(Default)]
struct CellIndex {
    keys: Vec<u64>,
    numbers: Vec<u32>,
    len: u32,
}

const FREE: u64 = u64::MAX;

impl CellIndex {
    fn slot(&self, key: u64) -> usize {
        let mask = self.keys.len() - 1;
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (hash ^ (hash >> 32)) as usize & mask;
        while self.keys[slot] != key && self.keys[slot] != FREE {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn number(&mut self, e: u32, f: u32) -> u32 {
        if (self.len as usize + 1) * 2 > self.keys.len() {
            self.grow();
        }
        let key = u64::from(e) << 32 | u64::from(f);
        let slot = self.slot(key);
        if self.keys[slot] == FREE {
            self.keys[slot] = key;
            self.numbers[slot] = self.len;
            self.len += 1;
        }
        self.numbers[slot]
    }

    fn find(&self, e: u32, f: u32) -> u32 {
        self.numbers[self.slot(u64::from(e) << 32 | u64::from(f))]
    }

    fn grow(&mut self) {
        let size = (self.keys.len() * 2).max(1024);
        let keys = std::mem::replace(&mut self.keys, vec![FREE; size]);
        let numbers = std::mem::replace(&mut self.numbers, vec![0; size]);
        for (key, number) in keys.into_iter().zip(numbers) {
            if key != FREE {
                let slot = self.slot(key);
                self.keys[slot] = key;
                self.numbers[slot] = number;
            }
        }
    }
}
