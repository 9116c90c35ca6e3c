//! Metadata values of every type the format has. Arrays keep their numbers as they are stored: a
//! vocabulary's scores and types are hundreds of thousands of them.

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    U8(u8),
    I8(i8),
    U16(u16),
    I16(i16),
    U32(u32),
    I32(i32),
    U64(u64),
    I64(i64),
    F32(f32),
    F64(f64),
    Bool(bool),
    String(String),
    Array(Array),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Array {
    U8(Vec<u8>),
    I8(Vec<i8>),
    U16(Vec<u16>),
    I16(Vec<i16>),
    U32(Vec<u32>),
    I32(Vec<i32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
    String(Vec<String>),
    Array(Vec<Array>),
}

impl Value {
    /// A whole number of at least zero, however wide it was written.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::U8(value) => Some(u64::from(*value)),
            Value::U16(value) => Some(u64::from(*value)),
            Value::U32(value) => Some(u64::from(*value)),
            Value::U64(value) => Some(*value),
            Value::I8(value) => u64::try_from(*value).ok(),
            Value::I16(value) => u64::try_from(*value).ok(),
            Value::I32(value) => u64::try_from(*value).ok(),
            Value::I64(value) => u64::try_from(*value).ok(),
            // Layers may differ in some architectures; one number stands for them if they do not.
            Value::Array(array) => {
                let all = array.as_u64s()?;
                let first = *all.first()?;
                all.iter().all(|value| *value == first).then_some(first)
            }
            _ => None,
        }
    }

    /// Numbers stored in 32 bits come back as the decimal that was meant: 1e-5, not
    /// 9.999999747378752e-6.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::F32(value) => value.to_string().parse().ok(),
            Value::F64(value) => Some(*value),
            other => other.as_u64().map(|value| value as f64),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }
}

impl Array {
    pub fn len(&self) -> usize {
        match self {
            Array::U8(values) => values.len(),
            Array::I8(values) => values.len(),
            Array::U16(values) => values.len(),
            Array::I16(values) => values.len(),
            Array::U32(values) => values.len(),
            Array::I32(values) => values.len(),
            Array::U64(values) => values.len(),
            Array::I64(values) => values.len(),
            Array::F32(values) => values.len(),
            Array::F64(values) => values.len(),
            Array::Bool(values) => values.len(),
            Array::String(values) => values.len(),
            Array::Array(values) => values.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn as_strings(&self) -> Option<&[String]> {
        match self {
            Array::String(values) => Some(values),
            _ => None,
        }
    }

    pub fn as_f32s(&self) -> Option<&[f32]> {
        match self {
            Array::F32(values) => Some(values),
            _ => None,
        }
    }

    /// Whole numbers of at least zero, however wide they were written.
    pub fn as_u64s(&self) -> Option<Vec<u64>> {
        fn all<T: Copy + TryInto<u64>>(values: &[T]) -> Option<Vec<u64>> {
            values
                .iter()
                .map(|value| (*value).try_into().ok())
                .collect()
        }
        match self {
            Array::U8(values) => all(values),
            Array::I8(values) => all(values),
            Array::U16(values) => all(values),
            Array::I16(values) => all(values),
            Array::U32(values) => all(values),
            Array::I32(values) => all(values),
            Array::U64(values) => all(values),
            Array::I64(values) => all(values),
            _ => None,
        }
    }

    pub fn as_bools(&self) -> Option<&[bool]> {
        match self {
            Array::Bool(values) => Some(values),
            _ => None,
        }
    }
}
