//! Regular files: what is kept beside a run, in a cache or in a checkpoint is one. A named pipe in its place would be
//! waited for without end, a device would give bytes without end.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use crate::input::size;

/// Opens a regular file; anything else is an error at once.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // A named pipe is opened without waiting for its other end. Regular files ignore this.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() {
        return Ok(file);
    }
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("{}, a regular file is needed", kind_name(&kind)),
    ))
}

/// What stands in a file's place.
pub(crate) fn kind_name(kind: &std::fs::FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "this is a named pipe";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "this is a device";
        }
        if kind.is_socket() {
            return "this is a socket";
        }
    }
    let _ = kind;
    "this is no file"
}

/// A whole regular file, of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    let too_large = || {
        let message = format!("the file has more than {}", size(limit));
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    if length > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // It may grow while it is read.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok(bytes)
}

/// A whole regular file as text.
pub fn read_to_string(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("invalid UTF-8 at byte {offset}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened_and_nothing_hangs() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.json");
        std::fs::write(&file, "čaj").unwrap();
        assert_eq!(read_to_string(&file, 100).unwrap(), "čaj");
        assert!(
            read(&file, 3)
                .unwrap_err()
                .to_string()
                .contains("more than 3 bytes")
        );
        std::fs::write(&file, b"ab\xe8").unwrap();
        let error = read_to_string(&file, 100).unwrap_err();
        assert_eq!(error.to_string(), "invalid UTF-8 at byte 2");
        assert!(open(folder.path()).is_err());
        #[cfg(unix)]
        {
            let pipe = folder.path().join("pipe");
            rustix::fs::mkfifoat(
                rustix::fs::CWD,
                &pipe,
                rustix::fs::Mode::from_raw_mode(0o600),
            )
            .unwrap();
            let error = open(&pipe).unwrap_err();
            assert!(error.to_string().contains("named pipe"), "{error}");
            let link = folder.path().join("tokenizer.json");
            std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
            let error = read(&link, u64::MAX).unwrap_err();
            assert!(error.to_string().contains("a device"), "{error}");
            // A link to a file is that file.
            let link = folder.path().join("link.json");
            std::os::unix::fs::symlink(&file, &link).unwrap();
            assert_eq!(read(&link, 100).unwrap(), b"ab\xe8");
        }
    }
}
