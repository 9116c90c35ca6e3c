//! Static word vectors, read so that a file of two million words needs memory for the words asked for.
//!
//! Four layouts are told apart by their first bytes: text with a header (word2vec, fastText `.vec`), text
//! without (GloVe), word2vec binary, fastText `.bin` with its character n-grams. On them stands the
//! gender score of a word ([`score`]; WiBeMT, section 2.1).

mod fasttext;
mod reading;
pub mod score;
mod text;
mod word2vec;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use epicene_core::InputError;
use epicene_io::Input;

use reading::{io_error, peek};

/// How a file of vectors is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A line `count dimension`, then a word and its numbers on each line.
    HeadedText,
    /// The lines alone.
    PlainText,
    /// A line `count dimension`, then words with little-endian 32-bit floats.
    Word2vecBinary,
    /// fastText's model file: dictionary, input matrix, character n-grams.
    FastTextBinary,
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layout::HeadedText => "text with header",
            Layout::PlainText => "GloVe text",
            Layout::Word2vecBinary => "word2vec binary",
            Layout::FastTextBinary => "fastText binary",
        })
    }
}

/// The vectors of the words asked for, from one file.
#[derive(Debug, Clone)]
pub struct WordVectors {
    /// File name without directories and extensions.
    pub name: String,
    pub layout: Layout,
    pub dimension: usize,
    /// Words in the file.
    pub words: u64,
    pub vectors: BTreeMap<String, Vec<f32>>,
    /// Words asked for that the file has more than once; the first is kept.
    pub repeated: BTreeSet<String>,
    /// Words that are not in the vocabulary and were put together from character n-grams.
    pub composed: BTreeSet<String>,
}

/// What to read.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    pub words: &'a BTreeSet<String>,
    /// Whether fastText's n-grams may stand in for words it does not have.
    pub compose: bool,
}

/// Reads the vectors of the words asked for. The whole file is checked: a short line, a number that is
/// none, a wrong dimension or a truncated file is an error that says where.
pub fn load(path: &Path, request: &Request<'_>) -> Result<WordVectors, InputError> {
    let shown = path.display().to_string();
    let file = File::open(path).map_err(|error| io_error(&shown, &error))?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let start = reader
        .fill_buf()
        .map_err(|error| io_error(&shown, &error))?;
    if start.is_empty() {
        return Err(InputError::new(&shown, "the file is empty"));
    }
    if start.starts_with(&fasttext::MAGIC) {
        return fasttext::read(&shown, name(path), reader, request);
    }
    let unpacked = Input::new(shown.clone(), reader)?;
    let reader = BufReader::with_capacity(1 << 18, unpacked.reader);
    stream(&shown, name(path), reader, request)
}

/// Text and word2vec binary are read from front to back.
fn stream(
    shown: &str,
    name: String,
    mut reader: impl BufRead,
    request: &Request<'_>,
) -> Result<WordVectors, InputError> {
    let start = peek(&mut reader, 1 << 12, shown)?;
    if start.starts_with(&fasttext::MAGIC) {
        return Err(
            InputError::new(shown, "fastText's binary models are read unpacked only")
                .with_hint("unpack it with gunzip first"),
        );
    }
    let reader = std::io::Cursor::new(start.clone()).chain_buffered(reader);
    match word2vec::header(&start) {
        None => text::read(shown, name, None, reader, request),
        Some(header) if word2vec::is_binary(&start[header.length..]) => {
            word2vec::read(shown, name, header, reader, request)
        }
        Some(header) => text::read(shown, name, Some(header), reader, request),
    }
}

/// `crawl-300d-2M.vec.gz` is crawl-300d-2M.
fn name(path: &Path) -> String {
    let file = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let bare = file.strip_suffix(".gz").unwrap_or(&file);
    let known = [".vec", ".txt", ".bin", ".w2v", ".glove"];
    let stem = known.iter().find_map(|ending| bare.strip_suffix(ending));
    stem.unwrap_or(bare).to_owned()
}

/// `Read::chain` that stays buffered.
trait ChainBuffered: BufRead + Sized {
    fn chain_buffered<R: BufRead>(self, next: R) -> std::io::Chain<Self, R> {
        std::io::Read::chain(self, next)
    }
}

impl<T: BufRead> ChainBuffered for T {}
