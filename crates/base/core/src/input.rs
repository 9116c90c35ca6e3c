//! Something in a file from outside is not as it should be: which file, which line, what, and what
//! to do about it.

use std::error::Error;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    pub file: String,
    /// From 1, where one line is to blame.
    pub line: Option<u64>,
    pub message: String,
    pub hint: Option<String>,
}

impl InputError {
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> InputError {
        InputError {
            file: file.into(),
            line: None,
            message: message.into(),
            hint: None,
        }
    }

    pub fn at_line(mut self, line: u64) -> InputError {
        self.line = Some(line);
        self
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> InputError {
        self.hint = Some(hint.into());
        self
    }

    /// Bytes as text, or the line of the first byte that is not UTF-8.
    pub fn utf8<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a str, InputError> {
        std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            InputError::new(file, "invalid UTF-8")
                .at_line(line)
                .with_hint("convert the file to UTF-8, for example with iconv")
        })
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl Error for InputError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_bad_byte_is_found() {
        let error = InputError::utf8("x.csv", b"a\nb\n\xff\n").unwrap_err();
        assert_eq!(error.to_string(), "x.csv, line 3: invalid UTF-8");
    }
}
