//! The tidy table as CSV. Standard output is rows and nothing else; a file also carries the
//! signature, in a last line that starts with `#`.

use std::io::{self, Write};

use crate::{Exporter, Results};

pub struct CsvExporter {
    pub signature_line: bool,
}

impl Exporter for CsvExporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(&mut *out);
        for row in &results.rows {
            writer.serialize(row).map_err(plain)?;
        }
        writer.flush()?;
        drop(writer);
        if self.signature_line {
            for warning in results.warned() {
                writeln!(out, "# warning: {}", warning.replace(['\n', '\r'], " "))?;
            }
            writeln!(out, "# signature: {}", results.signature)
        } else {
            Ok(())
        }
    }
}

/// The reason itself, so that a reader who went away is told from a full disk.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
