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
use crate::limits::{EXPANSION, EXPANSION_FLOOR, LARGEST_FILE, LONGEST_LINE, XZ_MEMORY};
use crate::session::Session;
use crate::zstandard::{self, Frames};
use crate::{columns, guard, waiting};

const GZIP: [u8; 2] = [0x1f, 0x8b];
const XZ: [u8; 4] = [0xfd, b'7', b'z', b'X'];
const BUFFER: usize = 1 << 18;

const HINT: &str = "if the file is what you want, --max-input SIZE allows more";

/// What the user allows one file to unpack to, where that is another limit than those above.
fn allowed() -> Option<u64> {
    Session::current()?.largest_input
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
    /// By the first bytes of a stream.
    fn of(head: &[u8]) -> Packing {
        match head {
            head if head.starts_with(&GZIP) => Packing::Gzip,
            head if zstandard::begins(head) => Packing::Zstandard,
            head if head.starts_with(&XZ) => Packing::Xz,
            _ => Packing::Plain,
        }
    }

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
        let file = open_stream(path).map_err(|error| not_opened(&name, &error))?;
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
        let packing = Packing::of(&head);
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
            _ if error.kind() == io::ErrorKind::IsADirectory => "this is a directory".to_owned(),
            Packing::Plain => error.to_string(),
            packing => format!("broken {} file: {error}", packing.name()),
        };
        let hint = match error.kind() {
            io::ErrorKind::IsADirectory => "name a file in it",
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
            (None, _) => expanded(self.taken.load(Ordering::Relaxed)),
        };
        if self.given <= limit {
            return Ok(count);
        }
        Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            match self.allowed {
                Some(limit) => format!("the file holds more than {} (--max-input)", size(limit)),
                None => format!(
                    "the file unpacks to more than {EXPANSION} times its size and more than {}",
                    size(EXPANSION_FLOOR)
                ),
            },
        ))
    }
}

/// As much as a packed file of this size may unpack to.
fn expanded(bytes: u64) -> u64 {
    bytes.saturating_mul(EXPANSION).max(EXPANSION_FLOOR)
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

/// Opens a file or a stream: an input may be a pipe, whose other end may take its time.
fn open_stream(path: &Path) -> io::Result<File> {
    let _shown = waiting::begin(|| format!("waiting for the other end of {}", path.display()));
    File::open(path)
}

/// A whole file as text.
pub fn read_text(path: &Path) -> Result<TextFile, InputError> {
    let shown = path.display().to_string();
    let file = open_stream(path).map_err(|error| not_opened(&shown, &error))?;
    let name = path
        .file_name()
        .map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    read_text_from(&shown, &name, file)
}

fn not_opened(name: &str, error: &io::Error) -> InputError {
    match error.kind() {
        io::ErrorKind::NotFound => {
            InputError::new(name, "there is no such file").with_hint("check the path")
        }
        _ => InputError::new(name, error.to_string()),
    }
}

/// A whole stream as text: unpacked, checked to be UTF-8, without a byte order mark.
pub fn read_text_from(shown: &str, name: &str, stream: impl Read) -> Result<TextFile, InputError> {
    let limit = allowed().unwrap_or(LARGEST_FILE);
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
    let bytes = if Packing::of(&packed) != Packing::Plain {
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
        let table_limit = allowed().unwrap_or_else(|| expanded(bytes.len() as u64).min(limit));
        let table = columns::json_lines(bytes, table_limit).map_err(|problem| {
            let hint = match problem {
                columns::Problem::TooLarge(_) => HINT,
                columns::Problem::Unreadable(_) => columns::CONVERT,
            };
            InputError::new(shown, problem.to_string()).with_hint(hint)
        })?;
        table.into_bytes()
    } else {
        bytes
    };
    if let Some((what, hint)) = not_text(&bytes) {
        return Err(InputError::new(shown, format!("this is {what}, not text")).with_hint(hint));
    }
    let mut text = match utf16(&bytes) {
        Some(text) => text.ok_or_else(|| InputError::new(shown, "the file is not valid UTF-16"))?,
        None => {
            InputError::utf8(shown, &bytes)?;
            String::from_utf8(bytes).unwrap_or_default()
        }
    };
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

/// What a file is that is no text, by its first bytes, and what to do.
fn not_text(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const EXPORT: &str = "export it as CSV or as tab-separated text in UTF-8";
    let kinds: [(&[u8], &str, &str); 6] = [
        (
            b"PK\x03\x04",
            "a spreadsheet (.xlsx, .ods) or a zip archive",
            EXPORT,
        ),
        (b"\xd0\xcf\x11\xe0", "a spreadsheet (.xls)", EXPORT),
        (b"%PDF-", "a PDF file", "give the text itself"),
        (b"SQLite format 3\0", "an SQLite database", EXPORT),
        (
            b"\x93NUMPY",
            "a NumPy array",
            "write it as CSV, e.g. with numpy.savetxt",
        ),
        (
            b"ARROW1\0\0",
            "an Arrow file",
            "convert it to Parquet, CSV or JSON lines",
        ),
    ];
    let found = kinds.iter().find(|(magic, ..)| bytes.starts_with(magic));
    let page = || {
        let start = bytes.trim_ascii_start();
        let named = |tag: &[u8]| {
            let start = start.get(..tag.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(tag))
        };
        let is_page = named(b"<!doctype html") || named(b"<html");
        is_page.then_some((
            "an HTML page",
            "give the file itself, not the page that shows it or links to it",
        ))
    };
    found.map(|(_, what, hint)| (*what, *hint)).or_else(page)
}

/// The text of a file with the byte order mark of UTF-16, as spreadsheets on Windows write "Unicode text"; the inner `None`
/// where it is broken.
fn utf16(bytes: &[u8]) -> Option<Option<String>> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    Some(text.ok().filter(|_| rest.is_empty()))
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
        let bomb = packed(EXPANSION_FLOOR + (2 << 20));
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
        let fits = packed(EXPANSION_FLOOR);
        let file = read_text_from("fits.gz", "fits.gz", &fits[..]).unwrap();
        assert_eq!(file.text.len() as u64, EXPANSION_FLOOR);
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
        let zstd = [
            &[0x28, 0xb5, 0x2f, 0xfd][..],
            b"\x00\xff\xff\xff\xff\xff\xff",
        ]
        .concat();
        let error = read_text_from("x.zst", "x.zst", &zstd[..]).unwrap_err();
        assert!(error.message.starts_with("broken zstd file"), "{error}");
    }

    #[test]
    fn utf16_is_read_and_what_is_no_text_is_named() {
        let text = "from;to\nI was tired;Bola som unavená\n";
        for (mark, big) in [([0xff, 0xfe], false), ([0xfe, 0xff], true)] {
            let mut bytes = mark.to_vec();
            for unit in text.encode_utf16() {
                bytes.extend(if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                });
            }
            let read = read_text_from("t.txt", "t.txt", &bytes[..]).unwrap();
            assert_eq!(read.text, text);
            bytes.pop();
            let error = read_text_from("t.txt", "t.txt", &bytes[..]).unwrap_err();
            assert!(error.to_string().contains("not valid UTF-16"), "{error}");
        }
        for (bytes, what) in [
            (&b"PK\x03\x04\x14\0"[..], "a spreadsheet (.xlsx, .ods)"),
            (b"\xd0\xcf\x11\xe0\xa1", "a spreadsheet (.xls)"),
            (b"%PDF-1.7", "a PDF file"),
        ] {
            let error = read_text_from("f", "f", bytes).unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        }
    }
}
