//! Input with an object a line, as people pipe it: read line by line, a fault named with its line.

use std::io::BufRead;

use epicene_core::InputError;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// A line as text, or where it is none.
pub fn text_of(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        format!(
            "invalid UTF-8 at byte {} of the line",
            error.valid_up_to() + 1
        )
    })
}

/// Lines that are not empty, with their number.
pub struct NumberedLines<R> {
    pub name: String,
    pub number: u64,
    input: R,
}

impl<R: BufRead> NumberedLines<R> {
    pub fn new(name: String, input: R) -> NumberedLines<R> {
        NumberedLines {
            name,
            number: 0,
            input,
        }
    }

    pub fn next(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        loop {
            let mut bytes = Vec::new();
            let count = self
                .input
                .read_until(b'\n', &mut bytes)
                .map_err(|error| Failure::input(format!("{}: {error}", self.name)))?;
            if count == 0 {
                return Ok(None);
            }
            self.number += 1;
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(bytes));
            }
        }
    }
}

/// Lines that are JSON objects.
pub struct JsonLines<R> {
    pub lines: NumberedLines<R>,
    /// What helps whoever wrote a line that cannot be read.
    pub hint: &'static str,
}

impl<R: BufRead> JsonLines<R> {
    pub fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Failure> {
        loop {
            let Some(bytes) = self.lines.next()? else {
                return Ok(None);
            };
            let text = text_of(&bytes).map_err(|message| self.complain(message))?;
            let text = match self.lines.number {
                1 => text.strip_prefix('\u{feff}').unwrap_or(text),
                _ => text,
            };
            if text.trim().is_empty() {
                continue;
            }
            // A list would be taken for the fields in their order.
            if !text.trim_start().starts_with('{') {
                return Err(self.complain("this is no JSON object".to_owned()));
            }
            let object =
                serde_json::from_str(text).map_err(|error| self.complain(error.to_string()))?;
            return Ok(Some(object));
        }
    }

    pub fn complain(&self, message: String) -> Failure {
        InputError::new(&self.lines.name, message)
            .at_line(self.lines.number)
            .with_hint(self.hint)
            .into()
    }
}
