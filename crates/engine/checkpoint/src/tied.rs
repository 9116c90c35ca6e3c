//! Parts that a flag may make one with another: a head with the embeddings, the two sides' embeddings with a shared
//! table, two names of one bias.
//!
//! A stored tensor is never dropped. `transformers` 5 uses a part's own tensor where the file has one, whatever the
//! flag says; version 4 makes the parts one and loses what differs. A file of version 5 is read as version 5 does; in
//! a file of version 4 tied parts that differ are refused.

use super::defaults::Writer;
use super::{CheckpointError, Config, Loader, Table};

/// Numbers compared at once.
const CHUNK: usize = 1 << 16;

impl Loader {
    /// The tensor that holds a part's numbers, `own` by name, where `tied` says that it is one with `others`, the source
    /// first. None if the part is not stored: its own tensor where it is not tied, any of them where it is.
    pub fn tied(
        &self,
        config: &Config,
        tied: bool,
        own: &str,
        others: &[&str],
    ) -> Result<Option<String>, CheckpointError> {
        let stored: Vec<String> = others.iter().filter_map(|name| self.find(name)).collect();
        let Some(own) = self.find(own) else {
            let Some(first) = stored.first().filter(|_| tied) else {
                return Ok(None);
            };
            // Without the source it is open which of several is meant.
            let source = others.first().and_then(|source| self.find(source));
            if source.is_none() {
                for other in &stored[1..] {
                    self.refuse_if_different(first, other)?;
                }
            }
            return Ok(Some(first.clone()));
        };
        if !tied {
            // A shared table that no part uses any more is still written.
            if let Some(source) = others.first().and_then(|source| self.find(source)) {
                self.weights().note(&source);
            }
            return Ok(Some(own));
        }
        self.weights().note(&own);
        let mut chosen = stored.first().unwrap_or(&own);
        for other in &stored {
            match (self.are_same(&own, other)?, config.writer()) {
                (true, _) => {}
                (false, Writer::Four) => return Err(self.different(&own, other)),
                (false, Writer::Five) => {
                    config.remark_writer();
                    chosen = &own;
                }
            }
            self.weights().note(other);
        }
        Ok(Some(chosen.clone()))
    }

    /// The table of a head that may be tied to the token embeddings.
    pub fn head_table(
        &self,
        config: &Config,
        tied: bool,
        own: &str,
        tokens: &Table,
    ) -> Result<Option<Table>, CheckpointError> {
        match self.tied(config, tied, own, &[tokens.name()])? {
            None => Ok(None),
            Some(name) if name == tokens.name() => Ok(Some(tokens.clone())),
            Some(name) => self.table(&name, tokens.rows, tokens.columns).map(Some),
        }
    }

    /// The name of a masked head's bias, which has two: `plain` and, of the decoder, `own`. The decoder's is what is
    /// added; `own_wins` says whether version 4 takes it too where both are stored.
    pub fn head_bias<'a>(
        &self,
        config: &Config,
        tied: bool,
        plain: &'a str,
        own: &'a str,
        own_wins: bool,
    ) -> Result<&'a str, CheckpointError> {
        let five = config.writer() == Writer::Five;
        match (self.find(plain), self.find(own)) {
            (Some(first), Some(second)) => {
                if !self.are_same(&first, &second)? && !own_wins {
                    if five {
                        config.remark_writer()
                    } else {
                        return Err(self.different(&first, &second));
                    }
                }
                self.weights().note(&first);
                Ok(own)
            }
            (None, Some(_)) => Ok(own),
            // Version 5 would make up a bias here.
            (Some(_), None) if five && !tied && config.is_written() => Ok(own),
            _ => Ok(plain),
        }
    }

    fn different(&self, stored: &str, other: &str) -> CheckpointError {
        CheckpointError::Tied {
            file: self.weights().file_of(stored).to_owned(),
            stored: stored.to_owned(),
            other: other.to_owned(),
        }
    }

    fn refuse_if_different(&self, stored: &str, other: &str) -> Result<(), CheckpointError> {
        if self.are_same(stored, other)? {
            self.weights().note(other);
            Ok(())
        } else {
            Err(self.different(stored, other))
        }
    }

    fn are_same(&self, left: &str, right: &str) -> Result<bool, CheckpointError> {
        if left == right {
            return Ok(true);
        }
        let weights = self.weights();
        let (shape, other) = (weights.shape(left), weights.shape(right));
        if shape != other {
            return Ok(false);
        }
        let size: usize = shape.unwrap_or_default().iter().product();
        let (mut one, mut two) = (vec![0.0; CHUNK.min(size)], vec![0.0; CHUNK.min(size)]);
        for first in (0..size).step_by(CHUNK) {
            let count = CHUNK.min(size - first);
            weights.read(left, first, &mut one[..count])?;
            weights.read(right, first, &mut two[..count])?;
            if one[..count] != two[..count] {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
