//! Writes a stream plain, as gzip or as Zstandard, by the name of its file.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Bytes in a Zstandard frame; a stream is frames one after the other.
const FRAME: usize = 1 << 20;

pub enum PackedWriter<W: Write> {
    Plain(BufWriter<W>),
    Gzip(GzEncoder<BufWriter<W>>),
    Zstandard { out: BufWriter<W>, waiting: Vec<u8> },
}

impl<W: Write> PackedWriter<W> {
    pub fn plain(out: W) -> PackedWriter<W> {
        PackedWriter::Plain(BufWriter::with_capacity(1 << 16, out))
    }

    /// Packed as the name of the file says.
    pub fn named(path: &Path, file: W) -> PackedWriter<W> {
        let out = BufWriter::with_capacity(1 << 16, file);
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => PackedWriter::Gzip(GzEncoder::new(out, Compression::default())),
            Some("zst") => PackedWriter::Zstandard {
                out,
                waiting: Vec::new(),
            },
            _ => PackedWriter::Plain(out),
        }
    }

    /// Ends the stream, which would be cut short otherwise, and gives back what it was written to.
    pub fn finish(self) -> io::Result<W> {
        let out = match self {
            PackedWriter::Plain(out) => out,
            PackedWriter::Gzip(out) => out.finish()?,
            PackedWriter::Zstandard {
                mut out,
                mut waiting,
            } => {
                write_frame(&mut out, &mut waiting)?;
                out
            }
        };
        out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

fn write_frame(out: &mut impl Write, waiting: &mut Vec<u8>) -> io::Result<()> {
    if !waiting.is_empty() {
        out.write_all(&compress_to_vec(&waiting[..], CompressionLevel::Fastest))?;
        waiting.clear();
    }
    Ok(())
}

impl<W: Write> Write for PackedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            PackedWriter::Plain(out) => out.write(bytes),
            PackedWriter::Gzip(out) => out.write(bytes),
            PackedWriter::Zstandard { out, waiting } => {
                waiting.extend_from_slice(bytes);
                if waiting.len() >= FRAME {
                    write_frame(out, waiting)?;
                }
                Ok(bytes.len())
            }
        }
    }

    /// Plain text goes out at once; packed streams are not cut up for it.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            PackedWriter::Plain(out) => out.flush(),
            PackedWriter::Gzip(_) | PackedWriter::Zstandard { .. } => Ok(()),
        }
    }
}
