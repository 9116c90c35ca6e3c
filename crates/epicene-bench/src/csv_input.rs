//! CSV from outside, with errors that name the file and the line.

use epicene_core::{InputError, TextFile};

/// Reads records one by one; quoting as in RFC 4180, LF or CRLF.
pub struct CsvInput<'a> {
    path: &'a str,
    reader: csv::Reader<&'a [u8]>,
    record: csv::StringRecord,
}

impl<'a> CsvInput<'a> {
    /// No header is assumed: the first record is a record.
    pub fn new(file: &'a TextFile, delimiter: u8) -> CsvInput<'a> {
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .delimiter(delimiter)
            .from_reader(file.text.as_bytes());
        CsvInput {
            path: &file.path,
            reader,
            record: csv::StringRecord::new(),
        }
    }

    /// Reads the header and requires these columns, in this order.
    pub fn with_header(file: &'a TextFile, header: &[&str]) -> Result<CsvInput<'a>, InputError> {
        let mut input = CsvInput::new(file, b',');
        let found: Vec<String> = match input.next()? {
            Some((_, record)) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
            None => return Err(InputError::new(input.path, "the file is empty")),
        };
        if found != header {
            let message = format!(
                "the header is `{}`, expected `{}`",
                found.join(","),
                header.join(",")
            );
            return Err(InputError::new(input.path, message).at_line(1));
        }
        Ok(input)
    }

    /// The next record with the line it starts on.
    pub fn next(&mut self) -> Result<Option<(u64, &csv::StringRecord)>, InputError> {
        match self.reader.read_record(&mut self.record) {
            Ok(true) => {
                let line = self.record.position().map_or(0, csv::Position::line);
                Ok(Some((line, &self.record)))
            }
            Ok(false) => Ok(None),
            Err(error) => Err(self.explain(&error)),
        }
    }

    pub fn complain(&self, line: u64, message: impl Into<String>) -> InputError {
        InputError::new(self.path, message).at_line(line)
    }

    fn explain(&self, error: &csv::Error) -> InputError {
        let line = error.position().map_or(0, csv::Position::line);
        let message = match error.kind() {
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => {
                let cells = if *len == 1 { "cell" } else { "cells" };
                format!("this row has {len} {cells}, the header has {expected_len}")
            }
            _ => error.to_string(),
        };
        InputError::new(self.path, message).at_line(line)
    }
}
