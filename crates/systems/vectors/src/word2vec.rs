//! word2vec's binary layout: a line `count dimension`, then each word, a space, and its vector as
//! little-endian 32-bit floats, with or without a line end after it.

use std::io::{BufRead, Read};

use epicene_core::InputError;
use epicene_io::input::append_until;

use crate::reading::{io_error, truncated};
use crate::{Layout, Request, WordVectors};

/// A word longer than this is no word: the file is not what its header says.
const LONGEST_WORD: usize = 4096;

/// No embedding has more numbers to a word.
pub const LARGEST_DIMENSION: usize = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    pub count: u64,
    pub dimension: usize,
    /// Bytes of the header's line with its end.
    pub length: usize,
}

/// The first line, if it is `count dimension` and nothing else.
pub fn header(start: &[u8]) -> Option<Header> {
    let end = start.iter().position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&start[..end]).ok()?;
    let mut fields = line.split_ascii_whitespace();
    let (count, dimension) = (fields.next()?, fields.next()?);
    if fields.next().is_some() {
        return None;
    }
    Some(Header {
        count: count.parse().ok()?,
        dimension: dimension
            .parse()
            .ok()
            .filter(|dimension| (1..=LARGEST_DIMENSION).contains(dimension))?,
        length: end + 1,
    })
}

/// Whether what stands behind the first word is numbers as bytes rather than as text.
pub fn is_binary(body: &[u8]) -> bool {
    let Some(space) = body.iter().position(|&byte| byte == b' ') else {
        return false;
    };
    let numbers = &body[space + 1..];
    let line = numbers.split(|&byte| byte == b'\n').next().unwrap_or(&[]);
    let readable = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r');
    !line.iter().take(256).all(readable)
}

pub fn read(
    shown: &str,
    name: String,
    header: Header,
    mut reader: impl BufRead,
    request: &Request<'_>,
) -> Result<WordVectors, InputError> {
    let mut found = WordVectors::new(name, Layout::Word2vecBinary, header.dimension);
    found.words = header.count;
    let fail = |error: std::io::Error| io_error(shown, &error);
    let mut word = Vec::new();
    append_until(&mut reader, b'\n', &mut word).map_err(fail)?;
    let mut bytes = vec![0u8; header.dimension * 4];
    for number in 1..=header.count {
        word.clear();
        append_until(&mut reader, b' ', &mut word).map_err(fail)?;
        let whole = word.pop() == Some(b' ');
        if !whole || word.len() > LONGEST_WORD {
            let what = format!("word {number} of {}", header.count);
            return Err(truncated(shown, &what));
        }
        let spelt = word
            .strip_prefix(b"\r\n")
            .or(word.strip_prefix(b"\n"))
            .unwrap_or(&word);
        reader
            .read_exact(&mut bytes)
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::UnexpectedEof => {
                    truncated(shown, &format!("word {number} of {}", header.count))
                }
                _ => io_error(shown, &error),
            })?;
        if let Some(place) = not_finite(&bytes) {
            let spelt = String::from_utf8_lossy(spelt);
            let message = format!("number {} of `{spelt}` is not finite", place + 1);
            return Err(InputError::new(shown, message));
        }
        if let Ok(spelt) = std::str::from_utf8(spelt)
            && request.words.contains(spelt)
        {
            found.keep(spelt, floats(&bytes));
        }
    }
    let mut rest = Vec::new();
    reader.take(16).read_to_end(&mut rest).map_err(fail)?;
    if rest.iter().all(u8::is_ascii_whitespace) {
        Ok(found)
    } else {
        let message = format!(
            "there is more than the {} words of its header",
            header.count
        );
        Err(InputError::new(shown, message))
    }
}

pub fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}

/// The first float that is infinite or no number.
pub fn not_finite(bytes: &[u8]) -> Option<usize> {
    let finite = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes).is_finite();
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .position(|bytes| !finite(bytes))
}
