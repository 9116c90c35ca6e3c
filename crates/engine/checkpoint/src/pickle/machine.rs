//! The pickle machine, as far as a state dict needs it. It never calls anything: the few functions that a state dict
//! names are known here, and what they would make is a description of a tensor. Any other name is refused where it
//! stands, before a single number is looked at.

mod calls;
mod names;

use std::collections::BTreeMap;

use names::OTHER_TENSORS;
pub use names::{Global, Kind, width};

/// More values than any state dict has.
const MOST_VALUES: usize = 4 << 20;

/// Why a pickle is refused.
#[derive(Debug, PartialEq, Eq)]
pub enum PickleError {
    /// It names something that no state dict needs.
    Global(String),
    /// Byte and problem.
    Bad(usize, String),
    /// As above, where the bytes end too early.
    Cut(usize, &'static str),
}

/// What lies around a pickle, which decides how it names its storages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Envelope {
    /// The zip archive, where each storage is a file.
    Archive,
    /// The format before it, where storages follow the pickle and may be views of each other.
    Stream,
}

/// A value by its number.
pub type Id = usize;

/// Numbers in a file of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storage<'a> {
    pub kind: Kind,
    pub key: &'a str,
    pub count: u64,
}

impl Storage<'_> {
    /// Its bytes, if their number can be said.
    pub fn size(&self) -> Option<u64> {
        self.count.checked_mul(width(self.kind) as u64)
    }
}

/// A view of a storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The storage's value.
    pub storage: Id,
    pub offset: u64,
    pub shape: Vec<u64>,
    pub strides: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    None,
    Bool(bool),
    Number(i64),
    Float(f64),
    Text(&'a str),
    Tuple(Vec<Id>),
    List(Vec<Id>),
    Dict(Vec<(Id, Id)>),
    Global(Global),
    Storage(Storage<'a>),
    Tensor(View),
}

/// All values of a pickle, and the one it is.
#[derive(Debug)]
pub struct Unpickled<'a> {
    pub values: Vec<Value<'a>>,
    pub top: Id,
    /// Bytes read.
    pub length: usize,
}

/// Reads the pickle that the bytes begin with, of protocol 2 to 5.
pub fn unpickle(bytes: &[u8], envelope: Envelope) -> Result<Unpickled<'_>, PickleError> {
    let mut machine = Machine {
        bytes,
        envelope,
        at: 0,
        values: Vec::new(),
        stack: Vec::new(),
        marks: Vec::new(),
        memo: BTreeMap::new(),
    };
    match machine.run() {
        Ok(top) => Ok(Unpickled {
            values: machine.values,
            top,
            length: machine.at,
        }),
        Err(Stop::Global(name)) => Err(PickleError::Global(name)),
        Err(Stop::Bad(problem)) => Err(PickleError::Bad(machine.at, problem)),
        Err(Stop::Cut(problem)) => Err(PickleError::Cut(machine.at, problem)),
    }
}

enum Stop {
    Global(String),
    Bad(String),
    Cut(&'static str),
}

/// The bytes end inside of what they begin.
const CUT: Stop = Stop::Cut("it is cut off");

impl From<&str> for Stop {
    fn from(problem: &str) -> Stop {
        Stop::Bad(problem.to_owned())
    }
}

struct Machine<'a> {
    bytes: &'a [u8],
    envelope: Envelope,
    at: usize,
    values: Vec<Value<'a>>,
    stack: Vec<Id>,
    /// How high the stack was at each mark.
    marks: Vec<usize>,
    memo: BTreeMap<usize, Id>,
}

impl<'a> Machine<'a> {
    fn run(&mut self) -> Result<Id, Stop> {
        if self.take(1)? != [0x80] || !(2..=5).contains(&self.byte()?) {
            return Err("not a pickle of protocol 2 to 5".into());
        }
        loop {
            match self.byte()? {
                b'.' => {
                    let top = self.pop()?;
                    return if self.stack.is_empty() && self.marks.is_empty() {
                        Ok(top)
                    } else {
                        Err("values are left over at its end".into())
                    };
                }
                operation => self.step(operation)?,
            }
        }
    }

    fn step(&mut self, operation: u8) -> Result<(), Stop> {
        match operation {
            b'N' => self.push(Value::None),
            0x88 => self.push(Value::Bool(true)),
            0x89 => self.push(Value::Bool(false)),
            b'K' => {
                let number = self.byte()?;
                self.push(Value::Number(number.into()))
            }
            b'M' => {
                let number = u16::from_le_bytes(self.array()?);
                self.push(Value::Number(number.into()))
            }
            b'J' => {
                let number = i32::from_le_bytes(self.array()?);
                self.push(Value::Number(number.into()))
            }
            0x8a => self.long(),
            b'G' => {
                let number = f64::from_be_bytes(self.array()?);
                self.push(Value::Float(number))
            }
            // Texts, by the width of their length.
            0x8c => {
                let length = self.byte()?;
                self.text(length.into())
            }
            b'X' => {
                let length = u32::from_le_bytes(self.array()?);
                self.text(length.into())
            }
            0x8d => {
                let length = u64::from_le_bytes(self.array()?);
                self.text(length)
            }
            b'(' => {
                self.marks.push(self.stack.len());
                Ok(())
            }
            b')' => self.push(Value::Tuple(Vec::new())),
            0x85..=0x87 => {
                let count = usize::from(operation - 0x84);
                let first = self
                    .stack
                    .len()
                    .checked_sub(count)
                    .ok_or("too few values")?;
                let parts = self.stack.split_off(first.max(self.floor()));
                if parts.len() == count {
                    self.push(Value::Tuple(parts))
                } else {
                    Err("too few values".into())
                }
            }
            b't' => {
                let parts = self.marked()?;
                self.push(Value::Tuple(parts))
            }
            b']' => self.push(Value::List(Vec::new())),
            b'}' => self.push(Value::Dict(Vec::new())),
            b'a' => {
                let part = self.pop()?;
                self.append(vec![part])
            }
            b'e' => {
                let parts = self.marked()?;
                self.append(parts)
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.set(&[key, value])
            }
            b'u' => {
                let parts = self.marked()?;
                self.set(&parts)
            }
            b'q' => {
                let place = self.byte()?;
                self.remember(place.into())
            }
            b'r' => {
                let place = u32::from_le_bytes(self.array()?);
                self.remember(place as usize)
            }
            0x94 => self.remember(self.memo.len()),
            b'h' => {
                let place = self.byte()?;
                self.recall(place.into())
            }
            b'j' => {
                let place = u32::from_le_bytes(self.array()?);
                self.recall(place as usize)
            }
            // A frame says how many bytes follow, which changes nothing.
            0x95 => {
                let length = u64::from_le_bytes(self.array()?);
                if length > (self.bytes.len() - self.at) as u64 {
                    Err(Stop::Cut("a frame longer than the file"))
                } else {
                    Ok(())
                }
            }
            b'c' => {
                let (module, name) = (self.line()?, self.line()?);
                self.global(module, name)
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                match (&self.values[module], &self.values[name]) {
                    (Value::Text(module), Value::Text(name)) => self.global(module, name),
                    _ => Err("a name that is no text".into()),
                }
            }
            b'Q' => {
                let id = self.pop()?;
                let storage = self.storage(id)?;
                self.push(Value::Storage(storage))
            }
            b'R' => self.reduce(),
            b'b' => self.build(),
            other => Err(Stop::Bad(format!(
                "operation {other:#04x}, which no state dict needs"
            ))),
        }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Stop> {
        let rest = &self.bytes[self.at..];
        let (now, _) = rest.split_at_checked(count).ok_or(CUT)?;
        self.at += count;
        Ok(now)
    }

    fn byte(&mut self) -> Result<u8, Stop> {
        Ok(self.take(1)?[0])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let bytes = self.take(N)?;
        Ok(bytes.try_into().expect("as many bytes as were taken"))
    }

    fn line(&mut self) -> Result<&'a str, Stop> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n');
        let line = self.take(end.ok_or(CUT)? + 1)?;
        str::from_utf8(&line[..line.len() - 1]).map_err(|_| "a name that is no text".into())
    }

    fn push(&mut self, value: Value<'a>) -> Result<(), Stop> {
        if self.values.len() == MOST_VALUES {
            return Err("more values than any state dict has".into());
        }
        self.stack.push(self.values.len());
        self.values.push(value);
        Ok(())
    }

    /// What lies below belongs to an open mark.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    fn pop(&mut self) -> Result<Id, Stop> {
        if self.stack.len() > self.floor() {
            self.stack.pop().ok_or_else(|| "too few values".into())
        } else {
            Err("too few values".into())
        }
    }

    fn top(&self) -> Result<Id, Stop> {
        match self.stack.last() {
            Some(top) if self.stack.len() > self.floor() => Ok(*top),
            _ => Err("too few values".into()),
        }
    }

    fn marked(&mut self) -> Result<Vec<Id>, Stop> {
        let mark = self.marks.pop().ok_or("no mark")?;
        Ok(self.stack.split_off(mark))
    }

    fn long(&mut self) -> Result<(), Stop> {
        let length = usize::from(self.byte()?);
        let bytes = self.take(length)?;
        if length > 8 {
            return Err("a number of more than 64 bits".into());
        }
        let negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
        let mut all = [if negative { 0xff } else { 0 }; 8];
        all[..length].copy_from_slice(bytes);
        self.push(Value::Number(i64::from_le_bytes(all)))
    }

    fn text(&mut self, length: u64) -> Result<(), Stop> {
        let length = usize::try_from(length).map_err(|_| "a text longer than the file")?;
        let bytes = self.take(length)?;
        let text = str::from_utf8(bytes).map_err(|_| "a text that is none")?;
        self.push(Value::Text(text))
    }

    fn append(&mut self, parts: Vec<Id>) -> Result<(), Stop> {
        let top = self.top()?;
        match &mut self.values[top] {
            Value::List(list) => {
                list.extend(parts);
                Ok(())
            }
            _ => Err("appends to what is no list".into()),
        }
    }

    fn set(&mut self, parts: &[Id]) -> Result<(), Stop> {
        let top = self.top()?;
        let (pairs, []) = parts.as_chunks::<2>() else {
            return Err("a key without a value".into());
        };
        match &mut self.values[top] {
            Value::Dict(dict) => {
                dict.extend(pairs.iter().map(|[key, value]| (*key, *value)));
                Ok(())
            }
            _ => Err("sets an item of what is no dictionary".into()),
        }
    }

    fn remember(&mut self, place: usize) -> Result<(), Stop> {
        let top = self.top()?;
        match self.memo.insert(place, top) {
            None => Ok(()),
            Some(_) => Err("remembers two values in one place".into()),
        }
    }

    fn recall(&mut self, place: usize) -> Result<(), Stop> {
        let id = *self.memo.get(&place).ok_or("recalls what was not there")?;
        if self.stack.len() >= MOST_VALUES {
            return Err("more values than any state dict has".into());
        }
        self.stack.push(id);
        Ok(())
    }

    fn global(&mut self, module: &str, name: &str) -> Result<(), Stop> {
        let mut others = OTHER_TENSORS.iter();
        let other = others.find(|(other, _)| module == "torch._utils" && *other == name);
        match (Global::named(module, name), other) {
            (Some(global), _) => self.push(Value::Global(global)),
            (None, Some((_, kind))) => Err(Stop::Bad(format!("tensors {kind}"))),
            (None, None) => Err(Stop::Global(format!("{module}.{name}"))),
        }
    }
}
