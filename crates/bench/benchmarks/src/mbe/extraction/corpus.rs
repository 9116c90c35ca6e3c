//! A parallel corpus as a stream of blocks of line pairs: readers of their own for both sides, the
//! blocks worked on by all threads, the results taken in the order of the corpus. Memory holds a few
//! blocks whatever the corpus' length, and the number of threads never shows in a result.

use std::io::{self, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use epicene_core::{InputError, there_are};
use epicene_io::Input;
use epicene_io::input::append_until;
use rayon::prelude::*;

/// Lines in a block. Fixed, so that blocks are the same on every machine.
const BLOCK_LINES: usize = 4096;

/// Bytes of a block; lines that are longer on average are no sentences.
const LARGEST_BLOCK: usize = 256 << 20;

/// Two line-aligned files (the OPUS "moses" layout), or one with two columns.
pub enum Corpus {
    Aligned { source: Input, target: Input },
    Table(Input),
}

/// Lines of one side.
struct Block {
    first_line: u64,
    bytes: Vec<u8>,
    /// Where each line ends, line ends excluded, and where the next begins.
    ends: Vec<(usize, usize)>,
}

/// A block of both sides, checked to be text.
pub(crate) struct PairBlock<'a> {
    first_line: u64,
    source: Lines<'a>,
    /// `None` where the source has both columns.
    target: Option<Lines<'a>>,
    name: &'a str,
}

struct Lines<'a> {
    text: &'a str,
    ends: &'a [(usize, usize)],
}

/// A line number (from 1), the English side, the other side.
pub(crate) type LinePair<'a> = (u64, &'a str, &'a str);

impl<'a> PairBlock<'a> {
    pub fn pairs(&self) -> impl Iterator<Item = Result<LinePair<'a>, InputError>> + '_ {
        (0..self.source.ends.len()).map(|index| {
            let line = self.first_line + index as u64;
            let source = self.source.line(index);
            match &self.target {
                Some(target) => Ok((line, source, target.line(index))),
                None => columns(self.name, line, source),
            }
        })
    }
}

fn columns<'a>(name: &str, line: u64, text: &'a str) -> Result<LinePair<'a>, InputError> {
    let mut cells = text.split('\t');
    match (cells.next(), cells.next(), cells.next()) {
        (Some(source), Some(target), None) => Ok((line, source, target)),
        (_, second, _) => {
            let found = match second {
                None => "no tab",
                Some(_) => "more than one tab",
            };
            Err(
                InputError::new(name, format!("there is {found} in this line"))
                    .at_line(line)
                    .with_hint("a table has two columns: English, tab, the other language"),
            )
        }
    }
}

impl<'a> Lines<'a> {
    fn line(&self, index: usize) -> &'a str {
        let start = match index {
            0 => 0,
            _ => self.ends[index - 1].1,
        };
        &self.text[start..self.ends[index].0]
    }
}

impl Block {
    fn lines<'a>(&'a self, name: &str) -> Result<Lines<'a>, InputError> {
        let text = InputError::utf8(name, &self.bytes).map_err(|mut error| {
            error.line = error.line.map(|line| line + self.first_line - 1);
            error
        })?;
        Ok(Lines {
            text,
            ends: &self.ends,
        })
    }
}

type Blocks = Receiver<Result<Block, InputError>>;

/// Works on every block with all threads and takes the results in order; says how many line pairs
/// there were.
pub fn walk<R: Send>(
    corpus: Corpus,
    work: impl Fn(&PairBlock<'_>) -> Result<R, InputError> + Sync,
    mut take: impl FnMut(R) -> Result<(), InputError>,
) -> Result<u64, InputError> {
    let at_once = rayon::current_num_threads() * 2;
    let (source, target) = match corpus {
        Corpus::Aligned { source, target } => (source, Some(target)),
        Corpus::Table(source) => (source, None),
    };
    let source_name = source.name.clone();
    let target_name = target.as_ref().map(|target| target.name.clone());
    thread::scope(|scope| {
        let reader = |input: Input| -> Result<Blocks, InputError> {
            let (sender, receiver) = sync_channel(at_once);
            let name = input.name.clone();
            thread::Builder::new()
                .spawn_scoped(scope, move || read(input, &sender))
                .map_err(|error| {
                    InputError::new(name, format!("cannot start a thread: {error}"))
                })?;
            Ok(receiver)
        };
        let sources = reader(source)?;
        let targets = target.map(reader).transpose()?;
        let mut lines = 0;
        loop {
            let (pairs, last) = gather(&sources, targets.as_ref(), at_once, &source_name, || {
                target_name.as_deref().unwrap_or("")
            })?;
            let results: Vec<Result<R, InputError>> = pairs
                .par_iter()
                .map(|(source, target)| {
                    let target = match (target, &target_name) {
                        (Some(target), Some(name)) => Some(target.lines(name)?),
                        _ => None,
                    };
                    work(&PairBlock {
                        first_line: source.first_line,
                        source: source.lines(&source_name)?,
                        target,
                        name: &source_name,
                    })
                })
                .collect();
            for (result, (source, _)) in results.into_iter().zip(&pairs) {
                lines += source.ends.len() as u64;
                take(result?)?;
            }
            if last {
                return Ok(lines);
            }
        }
    })
}

type BlockPair = (Block, Option<Block>);

/// The next blocks of both sides, and whether they are the last.
fn gather<'n>(
    sources: &Blocks,
    targets: Option<&Blocks>,
    at_once: usize,
    source_name: &str,
    target_name: impl Fn() -> &'n str,
) -> Result<(Vec<BlockPair>, bool), InputError> {
    let mut pairs = Vec::new();
    while pairs.len() < at_once {
        let source = sources.recv().ok().transpose()?;
        let target = match targets {
            Some(targets) => Some(targets.recv().ok().transpose()?),
            None => None,
        };
        let count = |block: &Option<Block>| block.as_ref().map_or(0, |block| block.ends.len());
        if let (Some(target), Some(targets)) = (&target, targets)
            && count(&source) != count(target)
        {
            // The shorter side has ended: count both to their ends, so that the message can say it.
            let whole = |block: &Option<Block>, rest: &Blocks| -> Result<u64, InputError> {
                let mut lines = block.as_ref().map_or(0, Block::last_line);
                while let Ok(block) = rest.recv() {
                    lines = block?.last_line();
                }
                Ok(lines)
            };
            let before = pairs
                .last()
                .map_or(0, |(block, _): &BlockPair| block.last_line());
            let ours = whole(&source, sources)?.max(before);
            let theirs = whole(target, targets)?.max(before);
            let message = format!(
                "{}, {} has {theirs}: the two sides are not line-aligned",
                there_are(ours, "line", "lines"),
                target_name()
            );
            return Err(InputError::new(source_name, message)
                .with_hint("line N of one file must be the translation of line N of the other"));
        }
        match source {
            Some(source) => pairs.push((source, target.flatten())),
            None => return Ok((pairs, true)),
        }
    }
    Ok((pairs, false))
}

impl Block {
    fn last_line(&self) -> u64 {
        self.first_line + self.ends.len() as u64 - 1
    }
}

/// Cuts a stream into blocks until it ends, fails, or nobody listens any more.
fn read(input: Input, sender: &SyncSender<Result<Block, InputError>>) {
    let Input {
        name,
        reader,
        packing,
    } = input;
    let mut reader = BufReader::with_capacity(1 << 18, reader);
    let mut first_line = 1;
    loop {
        let block = next_block(&mut reader, first_line)
            .map_err(|(line, error)| Input::complaint(&name, packing, &error).at_line(line));
        let (ends, more) = match &block {
            Ok(block) => (block.ends.is_empty(), block.ends.len() == BLOCK_LINES),
            Err(_) => (false, false),
        };
        if let Ok(block) = &block {
            first_line += block.ends.len() as u64;
        }
        if ends || sender.send(block).is_err() || !more {
            return;
        }
    }
}

fn next_block(
    reader: &mut BufReader<impl Read>,
    first_line: u64,
) -> Result<Block, (u64, io::Error)> {
    let mut block = Block {
        first_line,
        bytes: Vec::with_capacity(BLOCK_LINES * 128),
        ends: Vec::with_capacity(BLOCK_LINES),
    };
    while block.ends.len() < BLOCK_LINES {
        let start = block.bytes.len();
        let line = first_line + block.ends.len() as u64;
        let count = append_until(reader, b'\n', &mut block.bytes).map_err(|error| (line, error))?;
        if block.bytes.len() > LARGEST_BLOCK {
            return Err((
                line,
                io::Error::other("the lines are too long for sentences"),
            ));
        }
        if count == 0 {
            break;
        }
        if line == 1 && block.bytes.starts_with(b"\xef\xbb\xbf") {
            block.bytes.drain(..3);
        }
        let mut end = block.bytes.len();
        for mark in [b'\n', b'\r'] {
            if end > start && block.bytes[end - 1] == mark {
                end -= 1;
            }
        }
        block.ends.push((end, block.bytes.len()));
    }
    Ok(block)
}
