//! Text from outside, made fit to be shown: a file or a server must not be able to move the cursor, set a
//! terminal's title, hide what stands beside it, or fill the screen.

use std::io::{self, Write};

use epicene_core::acts;

/// Characters of somebody else's text that a message repeats.
pub(crate) const LONGEST_QUOTE: usize = 200;

/// Characters of a whole message.
const LONGEST_MESSAGE: usize = 2000;

fn push_spelt(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c.is_ascii() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
        c => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
    }
}

/// A piece of outside text on one line: at most [`LONGEST_QUOTE`] characters, control characters spelt
/// out.
pub fn shown(text: &str) -> String {
    let mut out = String::new();
    for (place, c) in text.chars().enumerate() {
        if place == LONGEST_QUOTE {
            out.push('…');
            break;
        }
        if acts(c) {
            push_spelt(&mut out, c);
        } else {
            out.push(c);
        }
    }
    out
}

/// A message of ours that may hold text from outside between backticks: long quotations are cut, the
/// whole has an end, and nothing in it acts on a terminal. Line ends stay.
pub fn message(text: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    for (place, part) in text.split('`').enumerate() {
        if place > 0 {
            out.push('`');
        }
        let mut quoted = 0;
        for c in part.chars() {
            quoted += 1;
            if place % 2 == 1 && quoted > LONGEST_QUOTE {
                out.push('…');
                break;
            }
            length += 1;
            if length > LONGEST_MESSAGE {
                out.push('…');
                return out;
            }
            if acts(c) && c != '\n' {
                push_spelt(&mut out, c);
            } else {
                out.push(c);
            }
        }
    }
    out
}

/// Passes text on to a terminal. Line ends, tabs and colours go through; everything else that acts is
/// spelt out.
pub struct TerminalWriter<W: Write> {
    out: W,
    /// Bytes that may be the beginning of a character or of a colour.
    waiting: Vec<u8>,
}

impl<W: Write> TerminalWriter<W> {
    pub fn new(out: W) -> TerminalWriter<W> {
        TerminalWriter {
            out,
            waiting: Vec::new(),
        }
    }

    /// Writes what is whole; with `all`, also what will never be.
    fn drain(&mut self, all: bool) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.waiting);
        let mut clean = String::with_capacity(bytes.len());
        let mut rest: &[u8] = &bytes;
        while !rest.is_empty() {
            let valid = match std::str::from_utf8(rest) {
                Ok(text) => text,
                Err(error) => {
                    let (valid, _) = rest.split_at(error.valid_up_to());
                    std::str::from_utf8(valid).unwrap_or_default()
                }
            };
            let used = push_clean(&mut clean, valid, all);
            rest = &rest[used..];
            if used < valid.len() {
                break;
            }
            // Behind the valid text stands an invalid byte, or a character that is not whole yet.
            if let Some(first) = rest.first() {
                if !all && rest.len() < 4 && may_go_on(rest) {
                    break;
                }
                clean.push_str(&format!("\\x{first:02x}"));
                rest = &rest[1..];
            }
        }
        self.waiting = rest.to_vec();
        self.out.write_all(clean.as_bytes())
    }
}

/// Whether these bytes are the beginning of one character.
fn may_go_on(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Appends text, spelling out what acts; returns how many bytes were dealt with. A colour that is not
/// whole yet is left unless `all`.
fn push_clean(out: &mut String, text: &str, all: bool) -> usize {
    let mut place = 0;
    while let Some(c) = text[place..].chars().next() {
        let width = c.len_utf8();
        if c == '\u{1b}' {
            match colour(&text[place..]) {
                Colour::Whole(length) => {
                    out.push_str(&text[place..place + length]);
                    place += length;
                    continue;
                }
                Colour::Begun if !all => return place,
                Colour::Begun | Colour::No => {}
            }
        }
        if c != '\n' && c != '\t' && acts(c) {
            push_spelt(out, c);
        } else {
            out.push(c);
        }
        place += width;
    }
    place
}

enum Colour {
    Whole(usize),
    Begun,
    No,
}

/// Whether a sequence only resets, sets bold or faint, or sets one of the sixteen colours of the text: all this program
/// writes. Others hide text, or set a background of the same colour as the text.
fn is_plain(codes: &str) -> bool {
    codes.split(';').all(|code| {
        matches!(code.parse::<u8>(), Ok(0..=2 | 22 | 30..=37 | 39 | 90..=97)) || code.is_empty()
    })
}

/// `ESC [ digits and semicolons m`, the only sequence this program writes.
fn colour(text: &str) -> Colour {
    for (place, byte) in text.bytes().enumerate().skip(1).take(20) {
        match (place, byte) {
            (1, b'[') => {}
            (1, _) => return Colour::No,
            (_, b'0'..=b'9' | b';') => {}
            (_, b'm') if is_plain(&text[2..place]) => return Colour::Whole(place + 1),
            _ => return Colour::No,
        }
    }
    if text.len() > 20 {
        Colour::No
    } else {
        Colour::Begun
    }
}

impl<W: Write> Write for TerminalWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        self.drain(false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.drain(true)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_text_is_short_and_does_nothing() {
        assert_eq!(shown("a\x1b[2Jb\r\n\u{9b}m"), "a\\x1b[2Jb\\r\\n\\u{9b}m");
        assert_eq!(shown("\u{202e}txt"), "\\u{202e}txt");
        assert_eq!(shown(&"ž".repeat(5000)).chars().count(), LONGEST_QUOTE + 1);
        let long = format!("x.csv: `{}` is no number", "9".repeat(1 << 20));
        let message = message(&long);
        assert!(message.chars().count() < LONGEST_QUOTE + 40, "{message}");
        assert!(message.ends_with("…` is no number"), "{message}");
        assert!(super::message(&"\x07".repeat(1 << 20)).len() < 10_000);
    }

    #[test]
    fn a_terminal_gets_colours_and_nothing_else_that_acts() {
        let text = "\x1b[1;32mgreen\x1b[0m\tž\n\x1b]0;title\x07\x1b[2J\r\u{9b}\u{1f3c3}\u{202e}a";
        let expected =
            "\x1b[1;32mgreen\x1b[0m\tž\n\\x1b]0;title\\x07\\x1b[2J\\r\\u{9b}\u{1f3c3}\\u{202e}a";
        // However the bytes are cut into writes.
        for size in 1..text.len() {
            let mut writer = TerminalWriter::new(Vec::new());
            for piece in text.as_bytes().chunks(size) {
                writer.write_all(piece).unwrap();
            }
            writer.flush().unwrap();
            assert_eq!(String::from_utf8(writer.out.clone()).unwrap(), expected);
        }
        // What hides text, or swaps its colours, is spelt out as well.
        for codes in [
            "8",
            "7",
            "5",
            "28",
            "1;8",
            "30;40",
            "38;5;0",
            "48;2;0;0;0",
            "38;2;1;2;3",
            "300",
            "0;100",
        ] {
            let mut writer = TerminalWriter::new(Vec::new());
            write!(writer, "\x1b[{codes}mtext").unwrap();
            writer.flush().unwrap();
            let found = String::from_utf8(writer.out.clone()).unwrap();
            assert_eq!(found, format!("\\x1b[{codes}mtext"));
        }
        for codes in ["", "0", "1", "2", "22", "31", "1;33", "39", "97"] {
            let mut writer = TerminalWriter::new(Vec::new());
            write!(writer, "\x1b[{codes}mtext").unwrap();
            writer.flush().unwrap();
            assert_eq!(writer.out, format!("\x1b[{codes}mtext").into_bytes());
        }
        let mut writer = TerminalWriter::new(Vec::new());
        writer.write_all(b"a\xff\xc5b\x1b[3").unwrap();
        writer.flush().unwrap();
        assert_eq!(writer.out, b"a\\xff\\xc5b\\x1b[3");
    }
}
