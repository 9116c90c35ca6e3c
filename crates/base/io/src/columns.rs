//! Parquet, as the hub stores data sets: a flat table becomes JSON lines, which every reader of tables knows. Columns inside columns
//! and packings that would need a C library of their own are refused with the way to convert them.

use std::time::Duration;

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Map, Value};

use crate::bounded::{self, Bounds, Exceeded};
use crate::limits::{EXPANSION_FLOOR, MOST_COLUMNS, TABLE_STACK};

/// How a Parquet file begins, and ends.
pub const MAGIC: &[u8] = b"PAR1";

/// What to do with a table that cannot be read here.
pub(crate) const CONVERT: &str = "convert it, e.g. python -c \"import pandas; pandas.read_parquet('FILE').to_json('FILE.jsonl', orient='records', lines=True)\"";

/// Why a table is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("{0}")]
    TooLarge(String),
    #[error("{0}")]
    Unreadable(String),
}

/// The rows as JSON objects, one a line; no more than `limit` bytes.
pub fn json_lines(file: Vec<u8>, limit: u64) -> Result<String, Problem> {
    // The reader trusts what pages say of themselves: it may panic, or ask for any amount of memory.
    let room = (file.len() as u64).saturating_add(limit.saturating_mul(3));
    let bounds = Bounds {
        stack: TABLE_STACK,
        memory: usize::try_from(room.max(EXPANSION_FLOOR)).unwrap_or(usize::MAX),
        time: Duration::MAX,
    };
    match bounded::run(bounds, move || read(file, limit)) {
        Ok(read) => read,
        Err(Exceeded::Memory(_)) => Err(too_large(limit)),
        Err(other) => Err(Problem::Unreadable(format!("broken Parquet file: {other}"))),
    }
}

fn too_large(limit: u64) -> Problem {
    Problem::TooLarge(format!(
        "the table unpacks to more than {}",
        crate::input::size(limit)
    ))
}

fn read(file: Vec<u8>, limit: u64) -> Result<String, Problem> {
    let broken = |error: parquet::errors::ParquetError| {
        Problem::Unreadable(format!("broken Parquet file: {error}"))
    };
    let reader = SerializedFileReader::new(Bytes::from(file)).map_err(broken)?;
    let metadata = reader.metadata();
    let columns = metadata.file_metadata().schema_descr().num_columns();
    if columns > MOST_COLUMNS {
        return Err(Problem::Unreadable(format!(
            "the table has {columns} columns; at most {MOST_COLUMNS} are read"
        )));
    }
    // A table that is honest is refused before it is read.
    let unpacked: u64 = metadata
        .row_groups()
        .iter()
        .map(|group| u64::try_from(group.total_byte_size()).unwrap_or(u64::MAX))
        .fold(0, u64::saturating_add);
    if unpacked > limit {
        return Err(too_large(limit));
    }
    let expected = metadata.file_metadata().num_rows();
    let mut rows = 0;
    let mut text = String::new();
    for row in reader.get_row_iter(None).map_err(broken)? {
        let row = row.map_err(broken)?;
        rows += 1;
        let mut object = Map::new();
        for (name, field) in row.get_column_iter() {
            let value = value(field).map_err(|what| {
                Problem::Unreadable(format!(
                    "column `{name}`, row {rows}: {what} is no cell of a table"
                ))
            })?;
            object.insert(name.clone(), value);
        }
        text += &Value::Object(object).to_string();
        text.push('\n');
        if text.len() as u64 > limit {
            return Err(too_large(limit));
        }
    }
    if rows != expected {
        return Err(Problem::Unreadable(format!(
            "broken Parquet file: it has {rows} rows and says {expected}"
        )));
    }
    Ok(text)
}

/// A cell, or what it is instead.
fn value(field: &Field) -> Result<Value, &'static str> {
    Ok(match field {
        Field::Null => Value::Null,
        Field::Bool(value) => Value::from(*value),
        Field::Byte(value) => Value::from(*value),
        Field::Short(value) => Value::from(*value),
        Field::Int(value) => Value::from(*value),
        Field::Long(value) => Value::from(*value),
        Field::UByte(value) => Value::from(*value),
        Field::UShort(value) => Value::from(*value),
        Field::UInt(value) => Value::from(*value),
        Field::ULong(value) => Value::from(*value),
        Field::Float(value) => Value::from(*value),
        Field::Double(value) => Value::from(*value),
        Field::Str(text) => Value::from(text.as_str()),
        Field::Bytes(bytes) => match std::str::from_utf8(bytes.data()) {
            Ok(text) => Value::from(text),
            Err(_) => return Err("a run of bytes"),
        },
        Field::ListInternal(_) => return Err("a list"),
        Field::Group(_) | Field::MapInternal(_) => return Err("a table"),
        other => Value::from(other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u64 = 1 << 20;

    fn table(name: &str) -> Vec<u8> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables/");
        std::fs::read(format!("{path}{name}.parquet")).unwrap()
    }

    #[test]
    fn a_table_of_pyarrow_in_three_packings() {
        let snappy = json_lines(table("spanish.snappy"), LIMIT).unwrap();
        let lines: Vec<Value> = snappy
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0]["GEST_ID"], 3);
        assert_eq!(lines[0]["Neutral"], Value::Null);
        assert_eq!(lines[1]["Source"], "I said \"no\" once.");
        assert_eq!(lines[2]["Neutral"], "Corrí a casa.\u{2028}¡Sí!");
        for packing in ["gzip", "none"] {
            assert_eq!(
                json_lines(table(&format!("spanish.{packing}")), LIMIT).unwrap(),
                snappy
            );
        }
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let whole = table("spanish.snappy");
        for (bytes, limit, message) in [
            (table("nested"), LIMIT, "column `words`, row 1: a list"),
            (table("spanish.zstd"), LIMIT, "zstd"),
            (whole.clone(), 10, "more than 10 bytes"),
            (
                whole[..whole.len() / 2].to_vec(),
                LIMIT,
                "broken Parquet file",
            ),
            (MAGIC.to_vec(), LIMIT, "broken Parquet file"),
        ] {
            let error = json_lines(bytes, limit).unwrap_err().to_string();
            assert!(
                error.to_lowercase().contains(&message.to_lowercase()),
                "{error}"
            );
        }
        // No byte of it, changed, ends the program.
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x55;
            let _ = json_lines(bytes, LIMIT);
        }
    }
}
