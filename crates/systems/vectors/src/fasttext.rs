//! fastText's model file (`.bin`): a dictionary, then the input matrix with one row for each word and
//! `bucket` rows for character n-grams. The vector of a word is the mean of its row and its n-grams' rows;
//! a word outside the dictionary has n-grams alone.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, Read, Seek, SeekFrom};

use epicene_core::InputError;
use epicene_io::input::append_until;

use crate::reading::{io_error, truncated};
use crate::word2vec::{LARGEST_DIMENSION, floats, not_finite};
use crate::{Layout, Request, WordVectors};

/// 793712314, little-endian.
pub const MAGIC: [u8; 4] = [0xba, 0x16, 0x4f, 0x2f];
const NEWEST_VERSION: i32 = 12;
const SUPERVISED: i32 = 3;
const END_OF_SENTENCE: &str = "</s>";

/// What of the model's arguments is needed to find vectors.
#[derive(Debug, Clone, Copy)]
struct Arguments {
    dimension: usize,
    bucket: u32,
    shortest: usize,
    longest: usize,
}

pub fn read<R: Read + Seek>(
    shown: &str,
    name: String,
    reader: BufReader<R>,
    request: &Request<'_>,
) -> Result<WordVectors, InputError> {
    let mut model = Model { shown, reader };
    let arguments = model.arguments()?;
    let (words, ids) = model.dictionary(request)?;
    if model.byte("its matrix")? != 0 {
        return Err(InputError::new(shown, "the model is quantised (.ftz)")
            .with_hint("use the model as it was before `fasttext quantize`, or its .vec file"));
    }
    let (rows, columns) = (model.long("its matrix")?, model.long("its matrix")?);
    let expected = words + u64::from(arguments.bucket);
    // Models without n-grams may come with or without rows for buckets.
    if columns != arguments.dimension as i64 || rows < words as i64 || rows > expected as i64 {
        let message = format!(
            "the matrix has {rows} rows of {columns}, expected {expected} of {}",
            arguments.dimension
        );
        return Err(InputError::new(shown, message));
    }
    let matrix = Matrix {
        start: model.position()?,
        rows: rows as u64,
        dimension: arguments.dimension,
    };
    model.check_length(&matrix)?;
    model.check_output(&matrix)?;
    let mut found = WordVectors::new(name, Layout::FastTextBinary, arguments.dimension);
    found.words = words;
    found.repeated = ids.repeated;
    for word in request.words {
        let known = ids.first.get(word).copied();
        if known.is_none() && (!request.compose || arguments.longest == 0) {
            continue;
        }
        let mut places: Vec<u64> = known.into_iter().collect();
        if arguments.longest > 0 && word != END_OF_SENTENCE {
            let bucketed = subwords(word, &arguments);
            places.extend(bucketed.into_iter().map(|bucket| words + bucket));
        }
        if places.is_empty() {
            continue;
        }
        if known.is_none() {
            found.composed.insert(word.clone());
        }
        let vector = model.mean(&matrix, &places)?;
        found.keep(word, vector);
    }
    Ok(found)
}

/// Rows of the words asked for.
struct Ids {
    first: BTreeMap<String, u64>,
    repeated: BTreeSet<String>,
}

struct Matrix {
    start: u64,
    rows: u64,
    dimension: usize,
}

struct Model<'a, R> {
    shown: &'a str,
    reader: BufReader<R>,
}

impl<R: Read + Seek> Model<'_, R> {
    fn bytes<const N: usize>(&mut self, what: &str) -> Result<[u8; N], InputError> {
        let mut bytes = [0; N];
        match self.reader.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                Err(truncated(self.shown, what))
            }
            Err(error) => Err(io_error(self.shown, &error)),
        }
    }

    fn byte(&mut self, what: &str) -> Result<u8, InputError> {
        Ok(self.bytes::<1>(what)?[0])
    }

    fn int(&mut self, what: &str) -> Result<i32, InputError> {
        Ok(i32::from_le_bytes(self.bytes(what)?))
    }

    fn long(&mut self, what: &str) -> Result<i64, InputError> {
        Ok(i64::from_le_bytes(self.bytes(what)?))
    }

    fn position(&mut self) -> Result<u64, InputError> {
        let shown = self.shown;
        self.reader
            .stream_position()
            .map_err(|error| io_error(shown, &error))
    }

    fn arguments(&mut self) -> Result<Arguments, InputError> {
        const WHAT: &str = "its header";
        let shown = self.shown;
        self.bytes::<4>(WHAT)?;
        let version = self.int(WHAT)?;
        if version > NEWEST_VERSION {
            let message = format!("version {version} of fastText's format is not known");
            return Err(InputError::new(shown, message)
                .with_hint(format!("versions up to {NEWEST_VERSION} are read")));
        }
        let mut arguments = [0i32; 12];
        for argument in &mut arguments {
            *argument = self.int(WHAT)?;
        }
        self.bytes::<8>(WHAT)?;
        let [dimension, .., model, bucket, shortest, longest, _] = arguments;
        // Old supervised models had no n-grams of characters, whatever their header says.
        let longest = if version == 11 && model == SUPERVISED {
            0
        } else {
            longest
        };
        let sizes = (
            usize::try_from(dimension)
                .ok()
                .filter(|size| (1..=LARGEST_DIMENSION).contains(size)),
            u32::try_from(bucket).ok(),
            usize::try_from(shortest).ok(),
            usize::try_from(longest).ok(),
        );
        match sizes {
            (Some(dimension), Some(bucket), Some(shortest), Some(longest))
                if longest == 0 || bucket > 0 =>
            {
                Ok(Arguments {
                    dimension,
                    bucket,
                    shortest,
                    longest,
                })
            }
            _ => Err(InputError::new(shown, "the header's sizes make no sense")),
        }
    }

    /// The number of words, and the rows of those asked for. Labels of supervised models have no row.
    fn dictionary(&mut self, request: &Request<'_>) -> Result<(u64, Ids), InputError> {
        const WHAT: &str = "its dictionary";
        let shown = self.shown;
        let (size, words) = (self.int(WHAT)?, self.int(WHAT)?);
        self.bytes::<12>(WHAT)?;
        let pruned = self.long(WHAT)?;
        let mut ids = Ids {
            first: BTreeMap::new(),
            repeated: BTreeSet::new(),
        };
        let mut spelt = Vec::new();
        for id in 0..size.max(0) {
            spelt.clear();
            append_until(&mut self.reader, 0, &mut spelt)
                .map_err(|error| io_error(shown, &error))?;
            if spelt.pop() != Some(0) {
                return Err(truncated(shown, WHAT));
            }
            self.bytes::<9>(WHAT)?;
            if let Ok(word) = std::str::from_utf8(&spelt)
                && id < words
                && request.words.contains(word)
                && ids.first.insert(word.to_owned(), id as u64).is_some()
            {
                ids.repeated.insert(word.to_owned());
            }
        }
        if pruned > 0 {
            return Err(
                InputError::new(shown, "the model's dictionary is pruned").with_hint(
                    "use the model as it was before `fasttext quantize`, or its .vec file",
                ),
            );
        }
        u64::try_from(words)
            .map(|words| (words, ids))
            .map_err(|_| InputError::new(shown, "the dictionary's sizes make no sense"))
    }

    /// A file cut off in its matrix is refused before any row is read.
    /// Returns the file's length.
    fn check_length(&mut self, matrix: &Matrix) -> Result<u64, InputError> {
        let shown = self.shown;
        let end = self
            .reader
            .seek(SeekFrom::End(0))
            .map_err(|error| io_error(shown, &error))?;
        // Rows come from the file: their product may be more than any file has.
        let needed = matrix
            .rows
            .saturating_mul(matrix.dimension as u64 * 4)
            .saturating_add(matrix.start);
        if end < needed {
            Err(truncated(shown, "its matrix"))
        } else {
            Ok(end)
        }
    }

    /// The output matrix is not used, but a file that ends in it was cut off, and its beginning may be another file's.
    fn check_output(&mut self, input: &Matrix) -> Result<(), InputError> {
        const WHAT: &str = "its output matrix";
        let shown = self.shown;
        let start = input.start + input.rows * input.dimension as u64 * 4;
        self.reader
            .seek(SeekFrom::Start(start))
            .map_err(|error| io_error(shown, &error))?;
        if self.byte(WHAT)? != 0 {
            return Err(
                InputError::new(shown, "the output matrix is quantised").with_hint(
                    "use the model as it was before `fasttext quantize`, or its .vec file",
                ),
            );
        }
        let (rows, columns) = (self.long(WHAT)?, self.long(WHAT)?);
        let rows = match u64::try_from(rows) {
            Ok(rows) if columns == input.dimension as i64 => rows,
            _ => {
                let message = format!(
                    "the output matrix has {rows} rows of {columns}, expected rows of {}",
                    input.dimension
                );
                return Err(InputError::new(shown, message));
            }
        };
        let output = Matrix {
            start: self.position()?,
            rows,
            dimension: input.dimension,
        };
        let end = self.check_length(&output)?;
        let used = output.start + rows * input.dimension as u64 * 4;
        if end > used {
            let message = format!("{} bytes follow the last matrix", end - used);
            return Err(InputError::new(shown, message).with_hint("fetch the file again"));
        }
        Ok(())
    }

    /// The mean of some rows, summed as fastText does, in 32 bits.
    fn mean(&mut self, matrix: &Matrix, places: &[u64]) -> Result<Vec<f32>, InputError> {
        let shown = self.shown;
        let mut mean = vec![0f32; matrix.dimension];
        let mut bytes = vec![0u8; matrix.dimension * 4];
        for &place in places {
            if place >= matrix.rows {
                return Err(InputError::new(shown, format!("there is no row {place}")));
            }
            let start = matrix.start + place * bytes.len() as u64;
            self.reader
                .seek(SeekFrom::Start(start))
                .and_then(|_| self.reader.read_exact(&mut bytes))
                .map_err(|error| io_error(shown, &error))?;
            if not_finite(&bytes).is_some() {
                let message = format!("row {place} of the matrix has a number that is not finite");
                return Err(InputError::new(shown, message));
            }
            for (sum, value) in mean.iter_mut().zip(floats(&bytes)) {
                *sum += value;
            }
        }
        let factor = 1.0 / places.len() as f32;
        mean.iter_mut().for_each(|value| *value *= factor);
        Ok(mean)
    }
}

/// Buckets of the character n-grams of `<word>`, in fastText's order.
fn subwords(word: &str, arguments: &Arguments) -> Vec<u64> {
    let marked = format!("<{word}>");
    let starts: Vec<usize> = marked.char_indices().map(|(place, _)| place).collect();
    let end_of = |index: usize| starts.get(index).copied().unwrap_or(marked.len());
    let mut buckets = Vec::new();
    for (first, &start) in starts.iter().enumerate() {
        for length in 1..=arguments.longest.min(starts.len() - first) {
            let end = end_of(first + length);
            // The marks alone are no n-grams.
            let mark = length == 1 && (first == 0 || end == marked.len());
            if length >= arguments.shortest && !mark {
                let ngram = &marked.as_bytes()[start..end];
                buckets.push(u64::from(hash(ngram) % arguments.bucket));
            }
        }
    }
    buckets
}

/// FNV-1a over signed characters, as fastText has it.
fn hash(ngram: &[u8]) -> u32 {
    ngram.iter().fold(2_166_136_261, |hash: u32, &byte| {
        let signed = i32::from(byte as i8) as u32;
        (hash ^ signed).wrapping_mul(16_777_619)
    })
}
