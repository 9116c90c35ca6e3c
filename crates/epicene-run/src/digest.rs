//! SHA-256 as lower-case hexadecimal, the one spelling used in keys, manifests and downloads.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// A digest that is fed piece by piece.
#[derive(Default, Clone)]
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
    pub fn update_from(&mut self, mut reader: impl Read) -> io::Result<u64> {
        let mut buffer = vec![0; 1 << 16];
        let mut total = 0;
        loop {
            let count = reader.read(&mut buffer)?;
            if count == 0 {
                return Ok(total);
            }
            self.0.update(&buffer[..count]);
            total += count as u64;
        }
    }

    pub fn hex(self) -> String {
        hex(&self.0.finalize())
    }

    /// The first 128 bits: enough for keys of any benchmark's size.
    pub fn short_hex(self) -> String {
        hex(&self.0.finalize()[..16])
    }
}

fn hex(bytes: &[u8]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        // FIPS 180-4, appendix B.1.
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
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
