//! The append-only log of observations. Lines are written with one call as soon as their answers are
//! there: whatever kills the process, only lines being written can be lost, and a torn last
//! line is recognised by its missing newline.
//!
//! The last field of a line, `sum`, is a checksum over everything before it: an answer that was changed
//! by hand or by a bad disk is an error, not a number. Logs of format 1 have none.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use epicene_core::Observation;
use epicene_io::input::{read_line, size};
use epicene_io::limits::LONGEST_LINE;
use epicene_io::regular;

use crate::{RunError, Sums, sums};

/// Appends observations.
#[derive(Debug)]
pub(crate) struct LogWriter {
    path: PathBuf,
    file: File,
    /// What was added and is not yet written.
    lines: Vec<u8>,
    sums: Sums,
}

/// Reads observations back, line by line. A last line without newline is still being written (or
/// was torn by a kill) and does not count.
#[derive(Debug)]
pub(crate) struct LogReader {
    path: PathBuf,
    reader: BufReader<File>,
    /// Files that come after this one, the last first.
    later: Vec<PathBuf>,
    line: Vec<u8>,
    number: u64,
    sums: Sums,
}

impl LogWriter {
    /// Opens for appending; cuts a torn last line off. A link is not followed: cutting what it points
    /// at could harm somebody else's file.
    pub fn open(path: &Path, sums: Sums) -> Result<LogWriter, RunError> {
        if path.is_symlink() {
            let error = std::io::Error::other("is a symbolic link; a log is a plain file");
            return Err(RunError::io(path)(error));
        }
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(path)
            .map_err(RunError::io(path))?;
        let whole = end_of_last_line(&mut file).map_err(RunError::io(path))?;
        file.set_len(whole).map_err(RunError::io(path))?;
        Ok(LogWriter {
            path: path.to_owned(),
            file,
            lines: Vec::new(),
            sums,
        })
    }

    /// Adds an observation, which [`LogWriter::write`] writes.
    /// What cannot be written stops the run; what was added before is written first.
    pub fn add(&mut self, observation: &Observation<'_>) -> Result<(), RunError> {
        let encoded = encode(observation, self.sums, &mut self.lines);
        if encoded.is_err() {
            self.write()?;
        }
        encoded.map_err(RunError::io(&self.path))
    }

    pub fn write(&mut self) -> Result<(), RunError> {
        let written = self.file.write_all(&self.lines);
        self.lines.clear();
        written.map_err(RunError::io(&self.path))
    }

    /// Makes sure that the lines outlive a power cut, not only a killed process.
    pub fn sync(&self) -> Result<(), RunError> {
        self.file.sync_data().map_err(RunError::io(&self.path))
    }
}

/// Adds the line of an observation.
pub(crate) fn encode(
    observation: &Observation<'_>,
    sums: Sums,
    lines: &mut Vec<u8>,
) -> std::io::Result<()> {
    let start = lines.len();
    serde_json::to_writer(&mut *lines, observation)?;
    if sums == Sums::Required {
        sums::seal(lines, start);
    }
    lines.push(b'\n');
    // A line that no reader takes would make the whole log unreadable.
    if (lines.len() - start) as u64 > LONGEST_LINE {
        lines.truncate(start);
        return Err(std::io::Error::other(format!(
            "item {}: an answer of more than {}",
            observation.item,
            size(LONGEST_LINE)
        )));
    }
    Ok(())
}

/// One line of a log, or what is wrong with it.
pub fn read_observation(line: &[u8], sums: Sums) -> Result<Observation<'_>, String> {
    let observation = serde_json::from_slice(line)
        .map_err(|error| format!("not an answer record ({})", column_only(&error)))?;
    if sums == Sums::Required {
        sums::check(line)?;
    }
    Ok(observation)
}

/// A JSON error without its own line number, which is always 1 here.
fn column_only(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let cut = text.rfind(" at line ").unwrap_or(text.len());
    format!("{}, column {}", &text[..cut], error.column())
}

/// Length of the file up to and including its last newline.
fn end_of_last_line(file: &mut File) -> std::io::Result<u64> {
    const STEP: u64 = 1 << 16;
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut buffer = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(STEP);
        file.seek(SeekFrom::Start(start))?;
        buffer.clear();
        Read::take(&mut *file, end - start).read_to_end(&mut buffer)?;
        if let Some(newline) = buffer.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + newline as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

impl LogReader {
    pub fn open(path: &Path, sums: Sums) -> Result<LogReader, RunError> {
        let file = regular::open(path).map_err(RunError::io(path))?;
        Ok(LogReader {
            path: path.to_owned(),
            reader: BufReader::with_capacity(1 << 18, file),
            later: Vec::new(),
            line: Vec::new(),
            number: 0,
            sums,
        })
    }

    /// Several files as one log; `None` where there are none.
    pub fn open_all(paths: Vec<PathBuf>, sums: Sums) -> Result<Option<LogReader>, RunError> {
        let mut later = paths;
        later.reverse();
        let Some(first) = later.pop() else {
            return Ok(None);
        };
        let mut reader = LogReader::open(&first, sums)?;
        reader.later = later;
        Ok(Some(reader))
    }

    /// The next observation; it borrows the reader's line buffer.
    pub fn read(&mut self) -> Result<Option<Observation<'_>>, RunError> {
        loop {
            read_line(&mut self.reader, &mut self.line).map_err(RunError::io(&self.path))?;
            if self.line.last() == Some(&b'\n') {
                break;
            }
            let Some(next) = self.later.pop() else {
                return Ok(None);
            };
            let file = regular::open(&next).map_err(RunError::io(&next))?;
            self.reader = BufReader::with_capacity(1 << 18, file);
            (self.path, self.number) = (next, 0);
        }
        self.number += 1;
        read_observation(&self.line, self.sums)
            .map(Some)
            .map_err(|message| RunError::BadLine {
                path: self.path.clone(),
                line: self.number,
                message,
            })
    }

    /// An error about the line read last.
    pub fn complain(&self, message: String) -> RunError {
        RunError::BadLine {
            path: self.path.clone(),
            line: self.number,
            message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epicene_core::Answer;

    fn observation(item: u64) -> Observation<'static> {
        Observation {
            key: format!("{item:032x}").into(),
            item,
            system: "an \"odd\" name".into(),
            unit: "template:1".into(),
            scorer: "masked-pair".into(),
            answer: Answer::Log10Ratio(0.1 * item as f64),
        }
    }

    fn append(writer: &mut LogWriter, item: u64) {
        writer.add(&observation(item)).unwrap();
        writer.write().unwrap();
    }

    fn items(path: &Path) -> Vec<u64> {
        let mut reader = LogReader::open(path, Sums::Required).unwrap();
        let mut seen = Vec::new();
        while let Some(observation) = reader.read().unwrap() {
            seen.push(observation.item);
        }
        seen
    }

    #[test]
    fn an_answer_that_no_reader_takes_is_not_logged_and_those_before_it_are() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        let mut writer = LogWriter::open(&path, Sums::Required).unwrap();
        writer.add(&observation(1)).unwrap();
        let long = Observation {
            answer: Answer::Translation("x".repeat(17 << 20)),
            ..observation(2)
        };
        let error = writer.add(&long).unwrap_err().to_string();
        assert!(
            error.contains("item 2: an answer of more than 16 MiB"),
            "{error}"
        );
        append(&mut writer, 3);
        assert_eq!(items(&path), [1, 3]);
    }

    #[test]
    fn a_log_cut_at_any_byte_keeps_every_whole_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        let mut writer = LogWriter::open(&path, Sums::Required).unwrap();
        for item in 1..=4 {
            append(&mut writer, item);
        }
        drop(writer);
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let lines = whole[..cut].iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert_eq!(items(&path), (1..=lines).collect::<Vec<_>>());
            let mut writer = LogWriter::open(&path, Sums::Required).unwrap();
            append(&mut writer, 9);
            let expected: Vec<u64> = (1..=lines).chain([9]).collect();
            assert_eq!(items(&path), expected, "cut at byte {cut}");
        }
    }

    #[test]
    fn a_changed_line_is_noticed_and_an_old_log_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        for sums in [Sums::Absent, Sums::Required] {
            let mut writer = LogWriter::open(&path, sums).unwrap();
            append(&mut writer, 7);
            let line = std::fs::read(&path).unwrap();
            assert_eq!(read_observation(&line, sums), Ok(observation(7)));
            // 0.1.0 reads both: it does not look at fields it does not know.
            assert_eq!(read_observation(&line, Sums::Absent), Ok(observation(7)));
            std::fs::remove_file(&path).unwrap();
            if sums == Sums::Absent {
                assert!(read_observation(&line, Sums::Required).is_err());
                continue;
            }
            for place in 0..line.len() - 1 {
                let mut changed = line.clone();
                changed[place] ^= 1;
                let read = read_observation(&changed, sums);
                assert!(read.is_err(), "{}", String::from_utf8_lossy(&changed));
            }
        }
    }

    #[test]
    fn a_torn_line_longer_than_the_search_step_is_cut() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        append(&mut LogWriter::open(&path, Sums::Required).unwrap(), 1);
        let mut bytes = std::fs::read(&path).unwrap();
        let whole = bytes.len() as u64;
        bytes.extend(vec![b'x'; 200_000]);
        std::fs::write(&path, &bytes).unwrap();
        LogWriter::open(&path, Sums::Required).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), whole);
    }
}
