//! `ModelProto` of sentencepiece_model.proto: as much of protocol buffers as it takes to read it.

/// What is wrong with a model file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a SentencePiece model: {0}")]
pub struct SentencePieceError(pub String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceType {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelType {
    Unigram,
    Bpe,
}

#[derive(Debug, Clone)]
pub struct Piece {
    pub text: String,
    pub score: f32,
    pub kind: PieceType,
}

/// How text is normalised before it is segmented.
#[derive(Debug, Clone)]
pub struct NormalizerSpec {
    pub charsmap: Vec<u8>,
    pub add_dummy_prefix: bool,
    pub remove_extra_whitespaces: bool,
    pub escape_whitespaces: bool,
    /// The mark of a space stands after a word instead of before it.
    pub suffix: bool,
}

#[derive(Debug)]
pub struct ModelProto {
    pub pieces: Vec<Piece>,
    pub kind: ModelType,
    pub byte_fallback: bool,
    pub normalizer: NormalizerSpec,
    /// The place and the text of the unknown piece, as the trainer was told.
    pub unknown_id: usize,
    pub unknown_piece: String,
}

/// One field of a message.
enum Value<'a> {
    Number(u64),
    Bits(u32),
    Bytes(&'a [u8]),
}

/// The fields of a message, one after the other.
struct Fields<'a> {
    rest: &'a [u8],
}

fn bad(problem: impl Into<String>) -> SentencePieceError {
    SentencePieceError(problem.into())
}

impl<'a> Fields<'a> {
    fn varint(&mut self) -> Result<u64, SentencePieceError> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self
                .rest
                .split_first()
                .ok_or_else(|| bad("ends too early: the file is truncated"))?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(bad("a number longer than ten bytes"))
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], SentencePieceError> {
        match usize::try_from(count) {
            Ok(count) if count <= self.rest.len() => {
                let (taken, rest) = self.rest.split_at(count);
                self.rest = rest;
                Ok(taken)
            }
            _ => Err(bad("ends too early: the file is truncated")),
        }
    }

    /// The next field's number and value.
    fn next(&mut self) -> Result<Option<(u64, Value<'a>)>, SentencePieceError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => Value::Bytes(self.take(8)?),
            2 => {
                let length = self.varint()?;
                Value::Bytes(self.take(length)?)
            }
            5 => {
                let bytes = self.take(4)?;
                Value::Bits(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            }
            wire => return Err(bad(format!("a field of unknown kind {wire}"))),
        };
        Ok(Some((key >> 3, value)))
    }
}

pub fn parse(bytes: &[u8]) -> Result<ModelProto, SentencePieceError> {
    let mut model = ModelProto {
        pieces: Vec::new(),
        kind: ModelType::Unigram,
        byte_fallback: false,
        normalizer: NormalizerSpec {
            charsmap: Vec::new(),
            add_dummy_prefix: true,
            remove_extra_whitespaces: true,
            escape_whitespaces: true,
            suffix: false,
        },
        unknown_id: 0,
        unknown_piece: "<unk>".to_owned(),
    };
    let mut fields = Fields { rest: bytes };
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Value::Bytes(bytes)) => model.pieces.push(piece(bytes)?),
            (2, Value::Bytes(bytes)) => trainer(bytes, &mut model)?,
            (3, Value::Bytes(bytes)) => normalizer(bytes, &mut model.normalizer)?,
            _ => {}
        }
    }
    if model.pieces.is_empty() {
        Err(bad("no pieces"))
    } else {
        Ok(model)
    }
}

fn piece(bytes: &[u8]) -> Result<Piece, SentencePieceError> {
    let mut piece = Piece {
        text: String::new(),
        score: 0.0,
        kind: PieceType::Normal,
    };
    let mut fields = Fields { rest: bytes };
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Value::Bytes(bytes)) => {
                let text = std::str::from_utf8(bytes);
                piece.text = text.map_err(|_| bad("a piece is not UTF-8"))?.to_owned();
            }
            (2, Value::Bits(bits)) => piece.score = f32::from_bits(bits),
            (3, Value::Number(kind)) => {
                piece.kind = match kind {
                    1 => PieceType::Normal,
                    2 => PieceType::Unknown,
                    3 => PieceType::Control,
                    4 => PieceType::UserDefined,
                    5 => PieceType::Unused,
                    6 => PieceType::Byte,
                    kind => return Err(bad(format!("a piece of unknown type {kind}"))),
                }
            }
            _ => {}
        }
    }
    Ok(piece)
}

fn trainer(bytes: &[u8], model: &mut ModelProto) -> Result<(), SentencePieceError> {
    let mut fields = Fields { rest: bytes };
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (3, Value::Number(kind)) => {
                model.kind = match kind {
                    1 => ModelType::Unigram,
                    2 => ModelType::Bpe,
                    3 => return Err(bad("word models are not supported")),
                    4 => return Err(bad("character models are not supported")),
                    kind => return Err(bad(format!("a model of unknown type {kind}"))),
                }
            }
            (24, Value::Number(flag)) => model.normalizer.suffix = flag != 0,
            (35, Value::Number(flag)) => model.byte_fallback = flag != 0,
            (40, Value::Number(id)) => {
                model.unknown_id = usize::try_from(id).unwrap_or(usize::MAX);
            }
            (45, Value::Bytes(bytes)) => {
                let text = std::str::from_utf8(bytes);
                model.unknown_piece = text.map_err(|_| bad("a piece is not UTF-8"))?.to_owned();
            }
            _ => {}
        }
    }
    Ok(())
}

fn normalizer(bytes: &[u8], spec: &mut NormalizerSpec) -> Result<(), SentencePieceError> {
    let mut fields = Fields { rest: bytes };
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (2, Value::Bytes(bytes)) => spec.charsmap = bytes.to_vec(),
            (3, Value::Number(flag)) => spec.add_dummy_prefix = flag != 0,
            (4, Value::Number(flag)) => spec.remove_extra_whitespaces = flag != 0,
            (5, Value::Number(flag)) => spec.escape_whitespaces = flag != 0,
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_by_hand() {
        // One unknown piece, one normal piece "ab" of score -1.5, a BPE trainer, no dummy prefix.
        let bytes = [
            0x0a, 0x09, 0x0a, 0x05, b'<', b'u', b'n', b'k', b'>', 0x18, 0x02, //
            0x0a, 0x09, 0x0a, 0x02, b'a', b'b', 0x15, 0x00, 0x00, 0xc0, 0xbf, //
            0x12, 0x02, 0x18, 0x02, 0x1a, 0x02, 0x18, 0x00,
        ];
        let model = parse(&bytes).unwrap();
        assert_eq!(model.pieces[0].kind, PieceType::Unknown);
        assert_eq!(model.pieces[1].text, "ab");
        assert_eq!(model.pieces[1].score, -1.5);
        assert_eq!(model.kind, ModelType::Bpe);
        assert!(!model.normalizer.add_dummy_prefix);
        for end in 1..bytes.len() {
            // Cut anywhere it is an error or a shorter model, never a panic.
            let _ = parse(&bytes[..end]);
        }
        assert!(parse(b"").is_err());
        assert!(parse(b"{\"not\": \"protobuf\"}").is_err());
    }
}
