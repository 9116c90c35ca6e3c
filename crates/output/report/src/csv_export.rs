//! The tidy table as CSV. Standard output is rows and nothing else; a file also carries the
//! signature, in a last line that starts with `#`.

use std::io::{self, Write};

use epicene_core::Row;
use serde::Serialize;

use crate::{Exporter, Results};

pub(crate) struct CsvExporter {
    pub signature_line: bool,
}

impl Exporter for CsvExporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(&mut *out);
        let designed = results.rows.iter().any(|row| row.k.is_some());
        for row in &results.rows {
            if designed {
                writer.serialize(Designed::of(row)).map_err(plain)?;
            } else {
                writer.serialize(row).map_err(plain)?;
            }
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

/// A row with the columns of what was sampled, empty where it has none: every line of a table is as long as its header.
#[derive(Serialize)]
struct Designed<'a> {
    benchmark: &'a str,
    system: &'a str,
    unit: &'a str,
    group: &'a str,
    metric: &'a str,
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
    n: Option<u64>,
    ideal: Option<f64>,
    k: Option<u64>,
    deff: Option<f64>,
    n_eff: Option<f64>,
}

impl<'a> Designed<'a> {
    fn of(row: &'a Row) -> Designed<'a> {
        Designed {
            benchmark: &row.benchmark,
            system: &row.system,
            unit: &row.unit,
            group: &row.group,
            metric: &row.metric,
            value: row.value,
            low: row.low,
            high: row.high,
            n: row.n,
            ideal: row.ideal,
            k: row.k,
            deff: row.deff,
            n_eff: row.n_eff,
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
