//! Vectors as text: a word and its numbers on each line, separated by single spaces (or tabs).
//!
//! Words may contain spaces (GloVe 840B has ". . ." and "at name@domain.com"), so the numbers are counted
//! from the end. Numbers of words nobody asked for are looked at but not parsed.

use std::io::BufRead;

use epicene_core::InputError;
use epicene_io::input;

use crate::reading::io_error;
use crate::word2vec::Header;
use crate::{Layout, Request, WordVectors};

pub fn read(
    shown: &str,
    name: String,
    header: Option<Header>,
    mut reader: impl BufRead,
    request: &Request<'_>,
) -> Result<WordVectors, InputError> {
    let layout = match header {
        Some(_) => Layout::HeadedText,
        None => Layout::PlainText,
    };
    let dimension = header.map_or(0, |header| header.dimension);
    let mut found = WordVectors::new(name, layout, dimension);
    let mut line = Vec::new();
    let mut number = 0u64;
    loop {
        let count = input::read_line(&mut reader, &mut line)
            .map_err(|error| unreadable(shown, number, &error))?;
        if count == 0 {
            break;
        }
        number += 1;
        if number == 1 && header.is_some() {
            continue;
        }
        let line = trimmed(&line);
        if line.is_empty() {
            let complaint = InputError::new(shown, "the line is empty").at_line(number);
            return Err(complaint);
        }
        if found.dimension == 0 {
            found.dimension = first_dimension(shown, number, line)?;
        }
        found.words += 1;
        read_line(shown, number, line, &mut found, request)?;
    }
    let expected = header.map(|header| header.count);
    match expected {
        Some(expected) if expected != found.words => {
            let message = format!(
                "the header says {expected} words, there are {}",
                found.words
            );
            Err(InputError::new(shown, message)
                .with_hint("the file may be truncated; fetch it again"))
        }
        _ if found.words == 0 => Err(InputError::new(shown, "there are no vectors")),
        _ => Ok(found),
    }
}

fn unreadable(shown: &str, number: u64, error: &std::io::Error) -> InputError {
    let mut complaint = io_error(shown, error).at_line(number + 1);
    if matches!(
        error.kind(),
        std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::InvalidInput
    ) {
        complaint = complaint.with_hint("the gzip file may be truncated; fetch it again");
    }
    complaint
}

fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let end = line
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\r' | b'\t'));
    &line[..end.map_or(0, |end| end + 1)]
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Without a header the first line says how long vectors are: its numbers, counted from the end.
fn first_dimension(shown: &str, number: u64, line: &[u8]) -> Result<usize, InputError> {
    let fields: Vec<&[u8]> = line.split(|&byte| is_separator(byte)).collect();
    let numbers = fields[1..]
        .iter()
        .rev()
        .take_while(|field| parse(field).is_some())
        .count();
    match numbers {
        0 => Err(InputError::new(
            shown,
            "expected a word and its numbers, separated by spaces",
        )
        .at_line(number)
        .with_hint("readable: word2vec and fastText (.vec, .bin), GloVe text; text may be gzip")),
        _ => Ok(numbers),
    }
}

fn read_line(
    shown: &str,
    number: u64,
    line: &[u8],
    found: &mut WordVectors,
    request: &Request<'_>,
) -> Result<(), InputError> {
    let dimension = found.dimension;
    let complain = |message: String| InputError::new(shown, message).at_line(number);
    let Some(tail) = tail(line, dimension) else {
        let fields = line.split(|&byte| is_separator(byte)).count();
        return Err(complain(format!(
            "there are {} numbers, expected {dimension}",
            fields - 1
        )));
    };
    let word = &line[..tail];
    let numbers = &line[tail + 1..];
    // A word of several parts is a word with spaces; a number among them is a number too many.
    let mut parts = word.split(|&byte| is_separator(byte)).skip(1);
    let extra = parts.clone().count();
    if parts.any(|part| parse(part).is_some()) {
        return Err(complain(format!(
            "there are {} numbers, expected {dimension}",
            dimension + extra
        )));
    }
    let asked = std::str::from_utf8(word)
        .ok()
        .filter(|word| request.words.contains(*word));
    if asked.is_none() && numbers.iter().all(|&byte| looks_numeric(byte)) {
        return Ok(());
    }
    let mut vector = Vec::with_capacity(dimension);
    for (place, field) in numbers.split(|&byte| is_separator(byte)).enumerate() {
        match parse(field) {
            Some(value) if value.is_finite() => vector.push(value),
            Some(_) => {
                let spelt = String::from_utf8_lossy(word);
                return Err(complain(format!(
                    "number {} of `{spelt}` is not finite",
                    place + 1
                )));
            }
            None => {
                let field = String::from_utf8_lossy(field);
                return Err(complain(format!("`{field}` is not a number")));
            }
        }
    }
    if let Some(word) = asked {
        found.keep(word, vector);
    }
    Ok(())
}

/// Where the last `dimension` fields begin: the place of the separator before them.
fn tail(line: &[u8], dimension: usize) -> Option<usize> {
    let mut separators = (0..line.len())
        .rev()
        .filter(|&place| is_separator(line[place]));
    separators.nth(dimension - 1).filter(|&place| place > 0)
}

fn parse(field: &[u8]) -> Option<f32> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

fn looks_numeric(byte: u8) -> bool {
    matches!(
        byte,
        b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E' | b' ' | b'\t'
    )
}
