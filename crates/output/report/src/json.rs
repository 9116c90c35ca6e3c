//! `{"signature": "...", "rows": [ {…} ]}`, and `"warnings"` between them where there are any, with exactly the keys of the tidy table, one row a line.

use std::io::{self, Write};

use crate::{Exporter, Results};

pub struct JsonExporter;

impl Exporter for JsonExporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let signature = serde_json::to_string(&results.signature)?;
        let warned = results.warned();
        let warnings = if warned.is_empty() {
            String::new()
        } else {
            format!("\"warnings\": {}, ", serde_json::to_string(&warned)?)
        };
        writeln!(out, "{{\"signature\": {signature}, {warnings}\"rows\": [")?;
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
