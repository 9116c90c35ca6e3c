//! Reads little-endian numbers and strings out of an untrusted header: every length is
//! held against what is left of the file before anything is set aside for it.

use super::GgufError;
use super::value::{Array, Value};

/// Arrays may hold arrays; no real metadata is deeper than this.
const DEEPEST: usize = 8;

pub struct Cursor<'a> {
    file: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// What is being read, for messages.
    place: String,
}

impl<'a> Cursor<'a> {
    pub fn new(file: &'a str, bytes: &'a [u8]) -> Cursor<'a> {
        Cursor {
            file,
            bytes,
            at: 0,
            place: "the header".to_owned(),
        }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn enter(&mut self, place: String) {
        self.place = place;
    }

    pub fn malformed(&self, problem: impl Into<String>) -> GgufError {
        GgufError::Malformed {
            file: self.file.to_owned(),
            place: self.place.clone(),
            problem: problem.into(),
        }
    }

    fn truncated(&self) -> GgufError {
        GgufError::Truncated {
            file: self.file.to_owned(),
            place: self.place.clone(),
        }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], GgufError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest.get(..count) {
            Some(taken) => {
                self.at += count;
                Ok(taken)
            }
            None => Err(self.truncated()),
        }
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], GgufError> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| self.truncated())
    }

    pub fn u32(&mut self) -> Result<u32, GgufError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, GgufError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A count of things that take at least `smallest` bytes each, so that it cannot be more than
    /// the file has room for.
    pub fn count(&mut self, smallest: usize) -> Result<usize, GgufError> {
        let count = self.u64()?;
        let room = (self.bytes.len() - self.at) / smallest.max(1);
        match usize::try_from(count) {
            Ok(count) if count <= room => Ok(count),
            _ => Err(self.truncated()),
        }
    }

    pub fn string(&mut self) -> Result<String, GgufError> {
        let length = self.count(1)?;
        let bytes = self.take(length)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(self.malformed("a string is not UTF-8")),
        }
    }

    fn boolean(&mut self) -> Result<bool, GgufError> {
        match self.array::<1>()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(self.malformed(format!("a truth value is {other}"))),
        }
    }

    /// A metadata value, preceded by its type.
    pub fn value(&mut self) -> Result<Value, GgufError> {
        let code = self.u32()?;
        Ok(match code {
            0 => Value::U8(u8::from_le_bytes(self.array()?)),
            1 => Value::I8(i8::from_le_bytes(self.array()?)),
            2 => Value::U16(u16::from_le_bytes(self.array()?)),
            3 => Value::I16(i16::from_le_bytes(self.array()?)),
            4 => Value::U32(self.u32()?),
            5 => Value::I32(i32::from_le_bytes(self.array()?)),
            6 => Value::F32(f32::from_le_bytes(self.array()?)),
            7 => Value::Bool(self.boolean()?),
            8 => Value::String(self.string()?),
            9 => Value::Array(self.values(DEEPEST)?),
            10 => Value::U64(self.u64()?),
            11 => Value::I64(i64::from_le_bytes(self.array()?)),
            12 => Value::F64(f64::from_le_bytes(self.array()?)),
            other => return Err(self.malformed(format!("unknown value type {other}"))),
        })
    }

    fn values(&mut self, depth: usize) -> Result<Array, GgufError> {
        let code = self.u32()?;
        Ok(match code {
            0 => Array::U8(self.numbers(u8::from_le_bytes)?),
            1 => Array::I8(self.numbers(i8::from_le_bytes)?),
            2 => Array::U16(self.numbers(u16::from_le_bytes)?),
            3 => Array::I16(self.numbers(i16::from_le_bytes)?),
            4 => Array::U32(self.numbers(u32::from_le_bytes)?),
            5 => Array::I32(self.numbers(i32::from_le_bytes)?),
            6 => Array::F32(self.numbers(f32::from_le_bytes)?),
            7 => Array::Bool(self.each(1, Cursor::boolean)?),
            8 => Array::String(self.each(8, Cursor::string)?),
            9 if depth == 0 => return Err(self.malformed("arrays are nested too deep")),
            9 => Array::Array(self.each(12, |cursor| cursor.values(depth - 1))?),
            10 => Array::U64(self.numbers(u64::from_le_bytes)?),
            11 => Array::I64(self.numbers(i64::from_le_bytes)?),
            12 => Array::F64(self.numbers(f64::from_le_bytes)?),
            other => return Err(self.malformed(format!("unknown value type {other}"))),
        })
    }

    fn numbers<T, const N: usize>(
        &mut self,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, GgufError> {
        let count = self.count(N)?;
        let bytes = self.take(count * N)?;
        let (numbers, _) = bytes.as_chunks::<N>();
        Ok(numbers.iter().map(|bytes| number(*bytes)).collect())
    }

    fn each<T>(
        &mut self,
        smallest: usize,
        read: impl Fn(&mut Cursor<'a>) -> Result<T, GgufError>,
    ) -> Result<Vec<T>, GgufError> {
        let count = self.count(smallest)?;
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            values.push(read(self)?);
        }
        Ok(values)
    }
}
