//! Corpora as they come: plain, gzip or Zstandard, told by their first bytes and not by their name.

use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::Path;

use epicene_core::InputError;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const BUFFER: usize = 1 << 18;

/// A stream of text with the name messages give it.
pub struct Input {
    pub name: String,
    pub reader: Box<dyn Read + Send>,
    /// What a broken stream is called: a file cut short in transit is the usual reason.
    pub packing: Packing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Plain,
    Gzip,
    Zstandard,
}

impl Packing {
    pub fn name(self) -> &'static str {
        match self {
            Packing::Plain => "plain",
            Packing::Gzip => "gzip",
            Packing::Zstandard => "zstd",
        }
    }
}

impl Input {
    pub fn open(path: &Path) -> Result<Input, InputError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| InputError::new(&name, error.to_string()))?;
        Input::new(name, file)
    }

    /// Unpacks whatever the stream is packed with.
    pub fn new(name: String, mut stream: impl Read + Send + 'static) -> Result<Input, InputError> {
        let failed = |error: io::Error| InputError::new(&name, error.to_string());
        let mut head = Vec::with_capacity(4);
        stream
            .by_ref()
            .take(4)
            .read_to_end(&mut head)
            .map_err(failed)?;
        let packing = match &head[..] {
            head if head.starts_with(&GZIP) => Packing::Gzip,
            head if head.starts_with(&ZSTANDARD) => Packing::Zstandard,
            _ => Packing::Plain,
        };
        let whole = BufReader::with_capacity(BUFFER, Cursor::new(head).chain(stream));
        let reader: Box<dyn Read + Send> = match packing {
            Packing::Plain => Box::new(whole),
            Packing::Gzip => Box::new(MultiGzDecoder::new(whole)),
            Packing::Zstandard => Box::new(Frames::new(whole)),
        };
        Ok(Input {
            name,
            reader,
            packing,
        })
    }
}

type Stream<R> = BufReader<Chain<Cursor<Vec<u8>>, R>>;

/// A Zstandard stream may hold several frames, one after the other.
struct Frames<R: Read> {
    state: Option<FrameState<R>>,
}

enum FrameState<R: Read> {
    Between(Stream<R>),
    Inside(Box<StreamingDecoder<Stream<R>, ruzstd::decoding::FrameDecoder>>),
}

impl<R: Read> Frames<R> {
    fn new(stream: Stream<R>) -> Frames<R> {
        Frames {
            state: Some(FrameState::Between(stream)),
        }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use std::io::BufRead;
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(state) = self.state.take() {
            match state {
                FrameState::Between(mut stream) => {
                    if stream.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let decoder = StreamingDecoder::new(stream)
                        .map_err(|error| io::Error::other(error.to_string()))?;
                    self.state = Some(FrameState::Inside(Box::new(decoder)));
                }
                FrameState::Inside(mut decoder) => {
                    let count = decoder.read(buffer)?;
                    if count > 0 {
                        self.state = Some(FrameState::Inside(decoder));
                        return Ok(count);
                    }
                    self.state = Some(FrameState::Between(decoder.into_inner()));
                }
            }
        }
        Ok(0)
    }
}
