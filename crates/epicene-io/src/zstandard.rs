//! Zstandard: the crate decodes one frame, a file may hold several.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::StreamingDecoder;

/// A Zstandard stream may hold several frames, one after the other.
pub(crate) struct Frames<R: BufRead> {
    state: Option<FrameState<R>>,
}

enum FrameState<R: BufRead> {
    Between(R),
    Inside(Box<StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>),
}

impl<R: BufRead> Frames<R> {
    pub(crate) fn new(stream: R) -> Frames<R> {
        Frames {
            state: Some(FrameState::Between(stream)),
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
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
