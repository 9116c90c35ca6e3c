//! SHA-256 as lower-case hexadecimal, the one spelling used in keys, manifests and downloads; and git's
//! SHA-1, by which the hub names small files.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// A digest that is fed piece by piece.
#[derive(Debug, Default, Clone)]
pub struct Sha256Digest(Sha256);

impl Sha256Digest {
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Feeds a field with its length before it, so that ("ab", "c") and ("a", "bc") differ.
    pub fn update_field(&mut self, field: &[u8]) {
        self.0.update((field.len() as u64).to_le_bytes());
        self.0.update(field);
    }

    /// Reads to the end; returns the number of bytes.
    pub fn update_from(&mut self, reader: impl Read) -> io::Result<u64> {
        each_block(reader, |block| self.0.update(block))
    }

    pub fn hex(self) -> String {
        hex(&self.0.finalize())
    }

    /// The first 128 bits: enough for keys of any benchmark's size.
    pub fn short_hex(self) -> String {
        hex(&self.0.finalize()[..16])
    }
}

fn each_block(mut reader: impl Read, mut feed: impl FnMut(&[u8])) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 16];
    let mut total = 0;
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            return Ok(total);
        }
        feed(&buffer[..count]);
        total += count as u64;
    }
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut digest = Sha256Digest::default();
    digest.update(bytes);
    digest.hex()
}

/// Eight digits that change when a line does: against accidents and edits by hand, not against malice.
pub fn line_sum(line: &[u8]) -> String {
    hex(&Sha256::digest(line)[..4])
}

/// What a file must hash to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checksum {
    Sha256(String),
    /// SHA-1 over `blob LENGTH\0` and the contents, as git names a file.
    Git(String),
}

impl Checksum {
    /// What a hash means by its length, as the hub uses them; none if it is no such hash.
    pub fn of_length(text: &str) -> Option<Checksum> {
        let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match text.len() {
            64 if digits => Some(Checksum::Sha256(text.to_ascii_lowercase())),
            40 if digits => Some(Checksum::Git(text.to_ascii_lowercase())),
            _ => None,
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Checksum::Sha256(_) => "SHA-256",
            Checksum::Git(_) => "git SHA-1",
        }
    }

    pub fn expected(&self) -> &str {
        match self {
            Checksum::Sha256(hash) | Checksum::Git(hash) => hash,
        }
    }

    /// The hash of this kind of `length` bytes.
    pub fn of(&self, reader: impl Read, length: u64) -> io::Result<String> {
        match self {
            Checksum::Sha256(_) => {
                let mut digest = Sha256Digest::default();
                digest.update_from(reader)?;
                Ok(digest.hex())
            }
            Checksum::Git(_) => {
                let mut digest = sha1::Sha1::new();
                digest.update(format!("blob {length}\0"));
                each_block(reader, |block| digest.update(block))?;
                Ok(hex(&digest.finalize()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        // FIPS 180-4, appendix B.1; `printf 'hello\n' | git hash-object --stdin`.
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let git = Checksum::of_length("ce013625030ba8dba906f756967f9e9ca394464a").unwrap();
        assert_eq!(git.of(&b"hello\n"[..], 6).unwrap(), git.expected());
        assert_eq!(Checksum::of_length("config.json-etag"), None);
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        let digest = |fields: &[&str]| {
            let mut digest = Sha256Digest::default();
            for field in fields {
                digest.update_field(field.as_bytes());
            }
            digest.short_hex()
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
