//! The checksum that ends a line of a run's files: what was changed by hand or by a bad disk is an error, not a number.

use epicene_io::digest::line_sum;

/// Whether the lines of a file have checksums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sums {
    Absent,
    Required,
}

const SUM: &[u8] = b",\"sum\":\"";
/// Digits, quotation mark, brace.
const AFTER_SUM: usize = 8 + 2;

/// Puts the sum of the object that begins at `start` into it, as its last field.
pub(crate) fn seal(lines: &mut Vec<u8>, start: usize) {
    // The brace that ends the object moves behind the sum.
    lines.pop();
    let sum = line_sum(&lines[start..]);
    lines.extend_from_slice(SUM);
    lines.extend_from_slice(sum.as_bytes());
    lines.extend_from_slice(b"\"}");
}

/// Whether a line is as it was written, or what is wrong with it.
pub(crate) fn check(line: &[u8]) -> Result<(), String> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let digits = line.len().saturating_sub(AFTER_SUM);
    let (before, after) = line.split_at(digits);
    let Some(before) = before.strip_suffix(SUM) else {
        return Err("the line has no checksum".to_owned());
    };
    if after.strip_suffix(b"\"}") != Some(line_sum(before).as_bytes()) {
        return Err(
            "the checksum does not hold: the line was changed after it was written".to_owned(),
        );
    }
    Ok(())
}
