//! Zstandard (RFC 8878): the crate decodes one frame and leaves its checksum to the caller. A file may hold several frames,
//! with frames to skip between them.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How a frame begins.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// How a frame to skip begins, after a byte from 0x50 to 0x5f.
const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

/// Whether a stream with this beginning is Zstandard.
pub(crate) fn begins(head: &[u8]) -> bool {
    match head.first_chunk::<4>() {
        Some(&[0x50..=0x5f, rest @ ..]) => rest == SKIPPABLE,
        Some(head) => *head == MAGIC,
        None => false,
    }
}

pub(crate) struct Frames<R: BufRead> {
    stream: R,
    /// The frame that is being read.
    frame: Option<Frame>,
}

struct Frame {
    decoder: Box<FrameDecoder>,
    given: u64,
}

impl<R: BufRead> Frames<R> {
    pub(crate) fn new(stream: R) -> Frames<R> {
        Frames {
            stream,
            frame: None,
        }
    }

    /// The next frame that holds data; none at the end of the stream.
    fn next_frame(&mut self) -> io::Result<Option<Frame>> {
        while !self.stream.fill_buf()?.is_empty() {
            let mut decoder = Box::new(FrameDecoder::new());
            match decoder.init(&mut self.stream) {
                Ok(()) => return Ok(Some(Frame { decoder, given: 0 })),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = (&mut self.stream).take(u64::from(length));
                    if io::copy(&mut skipped, &mut io::sink())? != u64::from(length) {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
        Ok(None)
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let mut frame = match self.frame.take() {
                Some(frame) => frame,
                None => match self.next_frame()? {
                    Some(frame) => frame,
                    None => return Ok(0),
                },
            };
            let count = frame.read(&mut self.stream, buffer)?;
            if count > 0 {
                self.frame = Some(frame);
                return Ok(count);
            }
            frame.check()?;
        }
    }
}

impl Frame {
    fn read(&mut self, stream: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
        // A call may fill the window and give nothing yet.
        while self.decoder.can_collect() < buffer.len() && !self.decoder.is_finished() {
            let missing = buffer.len() - self.decoder.can_collect();
            self.decoder
                .decode_blocks(&mut *stream, BlockDecodingStrategy::UptoBytes(missing))
                .map_err(|error| io::Error::other(error.to_string()))?;
        }
        let count = self.decoder.read(buffer)?;
        self.given += count as u64;
        Ok(count)
    }

    /// Compares what the frame says of its contents, once all of it is read.
    fn check(&self) -> io::Result<()> {
        let size = self.decoder.content_size();
        if size != 0 && size != self.given {
            let message = format!("the frame holds {} bytes and says {size}", self.given);
            return Err(io::Error::other(message));
        }
        match self.decoder.get_checksum_from_data() {
            Some(sum) if self.decoder.get_calculated_checksum() != Some(sum) => {
                Err(io::Error::other("the checksum does not match"))
            }
            _ => Ok(()),
        }
    }
}
