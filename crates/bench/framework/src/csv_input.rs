//! CSV from outside, read in one place so that every error names the file and the line.

use epicene_core::{InputError, TextFile};
use epicene_io::limits::MOST_COLUMNS;

/// Where a record starts. The reader's own line numbers do not count blank lines, so the line is
/// counted when it is needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordStart {
    byte: usize,
}

impl RecordStart {
    fn of(position: Option<&csv::Position>) -> RecordStart {
        let byte = position.map_or(0, |position| position.byte() as usize);
        RecordStart { byte }
    }

    /// Whether the record that ends at `end` swallowed the rest of the file after a quotation mark.
    fn never_closes(self, file: &TextFile, end: usize) -> bool {
        let Some(raw) = file.text.as_bytes().get(self.byte..end) else {
            return false;
        };
        let marks = raw.iter().filter(|&&byte| byte == b'"').count();
        let opens = |pair: &[u8]| pair[1] == b'"' && matches!(pair[0], b',' | b';' | b'\n');
        end >= file.text.len()
            && marks % 2 == 1
            && (raw.starts_with(b"\"") || raw.windows(2).any(opens))
    }

    pub fn complain(self, file: &TextFile, message: impl Into<String>) -> InputError {
        InputError::new(&file.path, message).at_line(self.line(file))
    }

    /// The line of the file, from 1.
    pub fn line(self, file: &TextFile) -> u64 {
        let text = file.text.as_bytes();
        let blank = text[self.byte.min(text.len())..]
            .iter()
            .take_while(|byte| matches!(byte, b'\n' | b'\r'))
            .count();
        let before = &text[..(self.byte + blank).min(text.len())];
        before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1
    }
}

/// The ids of a file, which are each there once.
#[derive(Debug, Default)]
pub struct Ids(std::collections::BTreeSet<String>);

impl Ids {
    /// Takes an id of a `row` or a `sentence`; the message says that it was there already.
    pub fn take(&mut self, what: &str, id: &str) -> Result<(), String> {
        if self.0.insert(id.to_owned()) {
            Ok(())
        } else {
            Err(format!("{what} {id}: the id stands here twice"))
        }
    }
}

/// Reads records one by one; quoting as in RFC 4180, LF or CRLF.
pub struct CsvInput<'a> {
    file: &'a TextFile,
    quoting: bool,
    reader: csv::Reader<&'a [u8]>,
    record: csv::StringRecord,
}

impl<'a> CsvInput<'a> {
    /// No header is assumed: the first record is a record. Where commas are expected, semicolons do as well: spreadsheets
    /// write them in countries that write decimal commas.
    pub fn new(file: &'a TextFile, delimiter: u8) -> CsvInput<'a> {
        let first = file.text.lines().next().unwrap_or_default();
        let delimiter = match delimiter {
            b',' if first.contains(';') && !first.contains([',', '\t']) => b';',
            _ => delimiter,
        };
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            // Quotation marks quote in CSV; in tab-separated text they are text.
            .quoting(delimiter != b'\t')
            .delimiter(delimiter)
            .from_reader(file.text.as_bytes());
        CsvInput {
            file,
            quoting: delimiter != b'\t',
            reader,
            record: csv::StringRecord::new(),
        }
    }

    /// Reads the header and requires these columns, in this order.
    pub fn with_header(file: &'a TextFile, header: &[&str]) -> Result<CsvInput<'a>, InputError> {
        let mut input = CsvInput::new(file, b',');
        let found: Vec<String> = match input.next()? {
            Some((_, record)) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
            None => return Err(InputError::new(&file.path, "the file is empty")),
        };
        if found != header {
            let message = format!(
                "the header is `{}`, expected `{}`",
                found.join(","),
                header.join(",")
            );
            return Err(InputError::new(&file.path, message).at_line(1));
        }
        Ok(input)
    }

    /// Reads the header and finds these columns by their names.
    pub fn columns<const N: usize>(&mut self, names: [&str; N]) -> Result<[usize; N], InputError> {
        let file = self.file;
        let Some((place, header)) = self.next()? else {
            return Err(InputError::new(&file.path, "the file is empty"));
        };
        let mut found = [0; N];
        for (column, name) in found.iter_mut().zip(names) {
            let mut cells = header.iter();
            let at = cells.position(|cell| cell.trim_start_matches('\u{feff}').trim() == name);
            *column = at.ok_or_else(|| {
                place.complain(file, format!("the header has no column `{name}`"))
            })?;
        }
        Ok(found)
    }

    /// The next record with its place in the file, for complaints.
    #[expect(
        clippy::should_implement_trait,
        reason = "a record borrows the reader, which no iterator allows"
    )]
    pub fn next(&mut self) -> Result<Option<(RecordStart, &csv::StringRecord)>, InputError> {
        match self.reader.read_record(&mut self.record) {
            Ok(true) => {
                let place = RecordStart::of(self.record.position());
                let columns = self.record.len();
                if columns > MOST_COLUMNS {
                    let message = format!("{columns} columns; at most {MOST_COLUMNS} are read");
                    return Err(place.complain(self.file, message));
                }
                let end = self.reader.position().byte() as usize;
                if self.quoting && place.never_closes(self.file, end) {
                    return Err(place.complain(self.file, "a quotation mark is never closed"));
                }
                Ok(Some((place, &self.record)))
            }
            Ok(false) => Ok(None),
            Err(error) => Err(self.explain(&error)),
        }
    }

    pub fn complain(&self, place: RecordStart, message: impl Into<String>) -> InputError {
        place.complain(self.file, message)
    }

    fn explain(&self, error: &csv::Error) -> InputError {
        let message = match error.kind() {
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => {
                let cells = if *len == 1 { "cell" } else { "cells" };
                format!("this row has {len} {cells}, the header has {expected_len}")
            }
            _ => error.to_string(),
        };
        RecordStart::of(error.position()).complain(self.file, message)
    }
}
