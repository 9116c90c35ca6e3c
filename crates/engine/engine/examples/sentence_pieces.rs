//! Pieces of the lines on standard input, as a JSON array of strings a line: to compare the native reader with
//! SentencePiece itself (`tools/reference/sentencepiece_peer.py`).
//!
//! ```text
//! cargo run -p epicene-engine --example sentence_pieces -- MODEL < lines.txt
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::io::BufRead;

use epicene_tokenize::SentencePiece;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("MODEL")?;
    let model = SentencePiece::parse(&std::fs::read(path)?)?;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = String::from_utf8(line?)?;
        let pieces: Vec<(String, usize)> = model.encode(&line);
        println!("{}", serde_json::to_string(&pieces)?);
    }
    Ok(())
}
