//! `{"signature": "...", "rows": [ {…} ]}` with exactly the keys of the tidy table, one row a line.

use std::io::{self, Write};

use crate::{Exporter, Results};

pub struct JsonExporter;

impl Exporter for JsonExporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let signature = serde_json::to_string(&results.signature)?;
        writeln!(out, "{{\"signature\": {signature}, \"rows\": [")?;
        for (index, row) in results.rows.iter().enumerate() {
            let end = if index + 1 == results.rows.len() {
                ""
            } else {
                ","
            };
            writeln!(out, "{}{end}", serde_json::to_string(row)?)?;
        }
        writeln!(out, "]}}")
    }
}
