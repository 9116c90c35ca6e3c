//! How a stored tensor differs from the one it was converted from, and how many heads the model has.

use super::{Gguf, GgufError};

/// How a tensor differs from the one it was converted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Same,
    /// Rows of each head were reordered so that the two numbers a rotary position turns lie side
    /// by side; Hugging Face keeps them half a head apart. With the heads' number.
    Interleaved {
        heads: usize,
    },
    /// Queries, keys and values of all heads after each other; GPT-NeoX, BLOOM and Falcon keep them together, the queries that
    /// share a key before it and its value.
    PartAfterPart {
        heads: Heads,
    },
    /// Some rows of a larger tensor.
    Rows {
        first: usize,
        count: usize,
    },
    /// One of several that lie behind each other: experts, heads.
    Part {
        index: usize,
    },
    /// The only row of a matrix, stored as a vector.
    Row,
    /// Outputs first; GPT-2 keeps inputs first.
    Transposed,
    /// One of `of` tensors that are one in the checkpoint: there each head has its rows of the first, then its rows of the
    /// next. Here each is a matrix for every head, `turned` where that has its rows as columns.
    Share {
        place: usize,
        of: usize,
        heads: usize,
        turned: bool,
    },
    /// One was added (Gemma's norms, whose weights count from one).
    PlusOne,
}

/// No model has more.
const MOST_HEADS: u64 = 1 << 16;

/// Heads of queries and of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heads {
    pub query: usize,
    pub key: usize,
}

impl Heads {
    /// Heads of queries, keys and values together.
    pub fn fused(self) -> usize {
        self.query + 2 * self.key
    }

    pub fn of(gguf: &Gguf, architecture: &str) -> Result<Heads, GgufError> {
        let key = |name: &str| format!("{architecture}.attention.{name}");
        let count = key("head_count");
        let query = gguf
            .number(&count)?
            .ok_or_else(|| gguf.bad(&count, "is missing"))?;
        let key = gguf.number(&key("head_count_kv"))?.unwrap_or(query);
        match (query, key) {
            (1..=MOST_HEADS, 1..=MOST_HEADS) => Ok(Heads {
                query: query as usize,
                key: key as usize,
            }),
            _ => Err(gguf.bad(&count, format!("is {query} (keys: {key})"))),
        }
    }
}
