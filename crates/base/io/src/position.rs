//! Bytes of an open file by their place. A file has one position, which its clones share: two threads that seek and read
//! would read each other's bytes, so nobody seeks.

use std::fs::File;
use std::io;

/// Fills `out` with the bytes from `start` on.
#[cfg(unix)]
pub fn read_at(file: &File, start: u64, out: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, start)
}

/// Fills `out` with the bytes from `start` on.
#[cfg(windows)]
pub fn read_at(file: &File, mut start: u64, mut out: &mut [u8]) -> io::Result<()> {
    while !out.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, out, start)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        start += count as u64;
        out = &mut out[count..];
    }
    Ok(())
}

/// Writes all of `bytes` from `start` on.
#[cfg(unix)]
pub fn write_at(file: &File, start: u64, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, start)
}

/// Writes all of `bytes` from `start` on.
#[cfg(windows)]
pub fn write_at(file: &File, mut start: u64, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_write(file, bytes, start)?;
        start += count as u64;
        bytes = &bytes[count..];
    }
    Ok(())
}
