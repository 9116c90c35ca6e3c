//! A part of a run: shard I of N answers every N-th item, so that N machines share the work.

use std::fmt;
use std::str::FromStr;

use crate::RunError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub index: u32,
    pub of: u32,
}

impl Shard {
    /// Whether the item at this position (from 0) is this shard's to ask.
    pub fn has(&self, position: usize) -> bool {
        position % self.of as usize == (self.index - 1) as usize
    }
}

impl FromStr for Shard {
    type Err = RunError;

    fn from_str(given: &str) -> Result<Shard, RunError> {
        let bad = |message: &str| RunError::BadShard {
            given: given.to_owned(),
            message: message.to_owned(),
        };
        let (index, of) = given.split_once('/').ok_or_else(|| bad("no `/`"))?;
        let index: u32 = index
            .parse()
            .map_err(|_| bad("the part before `/` is not a number"))?;
        let of: u32 = of
            .parse()
            .map_err(|_| bad("the part after `/` is not a number"))?;
        if index == 0 || index > of {
            return Err(bad("the first number runs from 1 to the second"));
        }
        Ok(Shard { index, of })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_all_items_once() {
        for of in 1..6 {
            for position in 0..40 {
                let owners = (1..=of)
                    .filter(|&index| Shard { index, of }.has(position))
                    .count();
                assert_eq!(owners, 1);
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for given in ["", "1", "0/2", "3/2", "a/2", "1/b", "1/0", "-1/2"] {
            assert!(given.parse::<Shard>().is_err(), "{given}");
        }
        assert_eq!("2/8".parse::<Shard>().unwrap().to_string(), "2/8");
    }
}
