//! Files from outside: plain, gzip, Zstandard, xz or Parquet, told by their first bytes and not by their name, and
//! never more of them than was agreed. A packed file of 400 kB can hold gigabytes; a stream can have no
//! line end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use epicene_core::{InputError, TextFile};
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

use crate::digest::sha256_hex;
use crate::zstandard::Frames;
use crate::{columns, guard};

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const XZ: [u8; 4] = [0xfd, b'7', b'z', b'X'];
/// KiB a file may want for its dictionary: `xz -9` wants 64 MiB.
const XZ_MEMORY: u32 = 256 << 10;
const BUFFER: usize = 1 << 18;

/// A packed file may unpack to this many times its size…
pub(crate) const MULTIPLE: u64 = 100;
/// …or to this much, whichever is more.
pub const FLOOR: u64 = 64 << 20;
/// The largest file that is held in memory.
pub(crate) const LARGEST_WHOLE: u64 = 2 << 30;
/// Longer lines are no lines.
pub(crate) const LONGEST_LINE: u64 = 16 << 20;

const HINT: &str = "if the file is what you want, --max-input SIZE allows more";

/// What the user allows one file to unpack to; 0 stands for the limits above.
static ALLOWED: AtomicU64 = AtomicU64::new(0);

/// Sets the limit of every file read from now on, in bytes.
pub fn allow(bytes: u64) {
    ALLOWED.store(bytes, Ordering::Relaxed);
}

fn allowed() -> Option<u64> {
    match ALLOWED.load(Ordering::Relaxed) {
        0 => None,
        bytes => Some(bytes),
    }
}

/// A stream of text with the name messages give it.
pub struct Input {
    pub name: String,
    pub reader: Box<dyn Read + Send>,
    /// What a broken stream is called: a file cut short in transit is the usual reason.
    pub packing: Packing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Plain,
    Gzip,
    Zstandard,
    Xz,
}

impl Packing {
    pub fn name(self) -> &'static str {
        match self {
            Packing::Plain => "plain",
            Packing::Gzip => "gzip",
            Packing::Zstandard => "zstd",
            Packing::Xz => "xz",
        }
    }
}

impl Input {
    pub fn open(path: &Path) -> Result<Input, InputError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| InputError::new(&name, error.to_string()))?;
        Input::new(name, file)
    }

    /// Unpacks whatever the stream is packed with, as far as it is allowed to.
    pub fn new(name: String, mut stream: impl Read + Send + 'static) -> Result<Input, InputError> {
        let failed = |error: io::Error| InputError::new(&name, error.to_string());
        let mut head = Vec::with_capacity(4);
        stream
            .by_ref()
            .take(4)
            .read_to_end(&mut head)
            .map_err(failed)?;
        let packing = match &head[..] {
            head if head.starts_with(&GZIP) => Packing::Gzip,
            head if head.starts_with(&ZSTANDARD) => Packing::Zstandard,
            head if head.starts_with(&XZ) => Packing::Xz,
            _ => Packing::Plain,
        };
        let taken = Arc::new(AtomicU64::new(0));
        let counted = Counted {
            inner: Cursor::new(head).chain(stream),
            taken: Arc::clone(&taken),
        };
        let whole = BufReader::with_capacity(BUFFER, counted);
        let reader: Box<dyn Read + Send> = match packing {
            Packing::Plain => Box::new(whole),
            Packing::Gzip => Box::new(MultiGzDecoder::new(whole)),
            Packing::Zstandard => Box::new(Frames::new(whole)),
            Packing::Xz => Box::new(XzReader::new_mem_limit(whole, true, XZ_MEMORY)),
        };
        let limited = Limited {
            reader,
            packing,
            taken,
            given: 0,
            allowed: allowed(),
        };
        Ok(Input {
            name,
            reader: Box::new(limited),
            packing,
        })
    }

    /// The stream line by line.
    pub fn lines(self) -> Lines {
        Lines {
            inner: BufReader::with_capacity(1 << 16, self.reader),
            open: 0,
        }
    }

    /// What a failed read means: a broken file, or one that is larger than was allowed.
    pub fn complaint(name: &str, packing: Packing, error: &io::Error) -> InputError {
        if error.kind() == io::ErrorKind::FileTooLarge {
            return InputError::new(name, error.to_string()).with_hint(HINT);
        }
        let what = match packing {
            Packing::Plain => error.to_string(),
            packing => format!("broken {} file: {error}", packing.name()),
        };
        let hint = match error.kind() {
            io::ErrorKind::IsADirectory => "this is a directory; name a file in it",
            _ => "the file may be truncated; fetch it again",
        };
        InputError::new(name, what).with_hint(hint)
    }
}

/// Counts the bytes taken from a packed stream.
struct Counted<R> {
    inner: R,
    taken: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Ends a stream with an error where it gives more than it may.
struct Limited {
    reader: Box<dyn Read + Send>,
    packing: Packing,
    taken: Arc<AtomicU64>,
    given: u64,
    allowed: Option<u64>,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A decoder that panics has met a file it was not made for.
        let count = match self.packing {
            Packing::Plain => self.reader.read(buffer)?,
            _ => guard::catch(|| self.reader.read(buffer)).map_err(io::Error::other)??,
        };
        self.given += count as u64;
        let limit = match (self.allowed, self.packing) {
            (Some(limit), _) => limit,
            (None, Packing::Plain) => return Ok(count),
            (None, _) => {
                let taken = self.taken.load(Ordering::Relaxed);
                taken.saturating_mul(MULTIPLE).max(FLOOR)
            }
        };
        if self.given <= limit {
            return Ok(count);
        }
        Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            match self.allowed {
                Some(limit) => format!("the file holds more than {} (--max-input)", size(limit)),
                None => format!(
                    "the file unpacks to more than {MULTIPLE} times its size and more than {}",
                    size(FLOOR)
                ),
            },
        ))
    }
}

/// A number of bytes for people.
pub fn size(bytes: u64) -> String {
    for (unit, name) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] {
        if bytes >= unit && bytes.is_multiple_of(unit) {
            return format!("{} {name}", bytes / unit);
        }
    }
    format!("{bytes} bytes")
}

/// One line with its end into `line`, which is cleared first; 0 at the end of the stream.
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    append_until(reader, b'\n', line)
}

/// Appends up to and including `end`, but no more than a line may have.
pub fn append_until(reader: &mut impl BufRead, end: u8, line: &mut Vec<u8>) -> io::Result<usize> {
    let count = reader.take(LONGEST_LINE + 1).read_until(end, line)?;
    if count as u64 > LONGEST_LINE {
        return Err(endless_line());
    }
    Ok(count)
}

fn endless_line() -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("a line of more than {}", size(LONGEST_LINE)),
    )
}

/// A stream whose lines have an end, for readers that take any `BufRead`.
pub struct Lines {
    inner: BufReader<Box<dyn Read + Send>>,
    /// Bytes since the last line end.
    open: u64,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Lines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.open > LONGEST_LINE {
            return Err(endless_line());
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        let taken = &self.inner.buffer()[..count];
        self.open = match taken.iter().rposition(|&byte| byte == b'\n') {
            Some(place) => (count - place - 1) as u64,
            None => self.open + count as u64,
        };
        self.inner.consume(count);
    }
}

/// A whole file as text.
pub fn read_text(path: &Path) -> Result<TextFile, InputError> {
    let shown = path.display().to_string();
    let file = File::open(path).map_err(|error| InputError::new(&shown, error.to_string()))?;
    let name = path
        .file_name()
        .map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    read_text_from(&shown, &name, file)
}

/// A whole stream as text: unpacked, checked to be UTF-8, without a byte order mark.
pub fn read_text_from(shown: &str, name: &str, stream: impl Read) -> Result<TextFile, InputError> {
    let limit = allowed().unwrap_or(LARGEST_WHOLE);
    let too_large = |what: &str| {
        let message = format!("{what} more than {}", size(limit));
        InputError::new(shown, message).with_hint(HINT)
    };
    let read = |stream: &mut dyn Read, packing: Packing| {
        let mut bytes = Vec::new();
        stream
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| Input::complaint(shown, packing, &error))?;
        Ok::<Vec<u8>, InputError>(bytes)
    };
    let mut stream = stream;
    let packed = read(&mut stream, Packing::Plain)?;
    if packed.len() as u64 > limit {
        return Err(too_large("the file has"));
    }
    let sha256 = sha256_hex(&packed);
    let packs = [&GZIP[..], &ZSTANDARD, &XZ]
        .iter()
        .any(|magic| packed.starts_with(magic));
    let bytes = if packs {
        let mut input = Input::new(shown.to_owned(), Cursor::new(packed))?;
        let bytes = read(&mut input.reader, input.packing)?;
        if bytes.len() as u64 > limit {
            return Err(too_large("the file unpacks to"));
        }
        bytes
    } else {
        packed
    };
    let bytes = if bytes.starts_with(columns::MAGIC) {
        let table = columns::json_lines(bytes, limit);
        let table =
            table.map_err(|message| InputError::new(shown, message).with_hint(columns::CONVERT))?;
        table.into_bytes()
    } else {
        bytes
    };
    InputError::utf8(shown, &bytes)?;
    let mut text = String::from_utf8(bytes).unwrap_or_default();
    // Spreadsheets like to put a byte order mark in front.
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    if text.trim().is_empty() {
        return Err(InputError::new(shown, "the file is empty"));
    }
    Ok(TextFile {
        path: shown.to_owned(),
        name: name.to_owned(),
        sha256,
        text,
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(bytes: u64) -> Vec<u8> {
        let mut out = GzEncoder::new(Vec::new(), Compression::default());
        let block = vec![b'a'; 1 << 20];
        for _ in 0..bytes >> 20 {
            out.write_all(&block).unwrap();
        }
        out.finish().unwrap()
    }

    #[test]
    fn a_directory_is_not_called_a_broken_file() {
        let error = read_text(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_err();
        let hint = error.hint.unwrap();
        assert!(hint.contains("name a file in it"), "{hint}");
    }

    #[test]
    fn a_bomb_is_defused_and_a_large_file_is_read() {
        let bomb = packed(FLOOR + (2 << 20));
        assert!(bomb.len() < 100_000);
        let error = read_text_from("bomb.gz", "bomb.gz", &bomb[..]).unwrap_err();
        assert!(
            error.message.contains("more than 100 times its size"),
            "{error}"
        );
        assert!(
            error
                .hint
                .as_deref()
                .is_some_and(|hint| hint.contains("--max-input"))
        );
        let fits = packed(FLOOR);
        let file = read_text_from("fits.gz", "fits.gz", &fits[..]).unwrap();
        assert_eq!(file.text.len() as u64, FLOOR);
    }

    #[test]
    fn a_stream_without_line_ends_is_no_line() {
        let mut endless = BufReader::new(io::repeat(b'x'));
        let mut line = Vec::new();
        let error = read_line(&mut endless, &mut line).unwrap_err();
        assert!(error.to_string().contains("a line of more than 16 MiB"));
        let mut text = BufReader::new(&b"one\ntwo"[..]);
        assert_eq!(read_line(&mut text, &mut line).unwrap(), 4);
        assert_eq!(read_line(&mut text, &mut line).unwrap(), 3);
        assert_eq!(line, b"two");
        assert_eq!(read_line(&mut text, &mut line).unwrap(), 0);
    }

    #[test]
    fn broken_files_are_called_broken() {
        let whole = packed(1 << 20);
        let error = read_text_from("x.gz", "x.gz", &whole[..whole.len() / 2]).unwrap_err();
        assert!(error.message.starts_with("broken gzip file"), "{error}");
        let zstd = [&ZSTANDARD[..], b"\x00\xff\xff\xff\xff\xff\xff"].concat();
        let error = read_text_from("x.zst", "x.zst", &zstd[..]).unwrap_err();
        assert!(error.message.starts_with("broken zstd file"), "{error}");
    }
}
