//! A GGUF file as a checkpoint: the engine sees a configuration, named weights and a tokenizer, and
//! does not know that they came out of one file.

use std::path::Path;
use std::sync::Arc;

use super::{Gguf, HfWeights, Kind, config, tokenizer};
use crate::tokenizer::TextTokenizer;
use epicene_checkpoint::{CheckpointError, Config, Weights};
use epicene_kernels::Precision;

/// What a model is made from, but for the revision.
#[derive(Debug)]
pub struct Parts {
    pub config: Config,
    pub weights: Arc<dyn Weights>,
    pub tokenizer: TextTokenizer,
}

pub fn open(path: &Path) -> Result<Parts, CheckpointError> {
    let gguf = Arc::new(Gguf::open(path)?);
    Ok(Parts {
        config: Config::from_fields(config(&gguf)?),
        tokenizer: TextTokenizer::from_tokenizer(tokenizer(&gguf)?.tokenizer),
        weights: Arc::new(HfWeights::new(gguf)?),
    })
}

impl Weights for HfWeights {
    fn shape(&self, name: &str) -> Option<&[usize]> {
        HfWeights::shape(self, name)
    }

    /// Quantised numbers are kept in 16 bits once unpacked: a block's scale has no more.
    fn precision(&self, name: &str) -> Option<Precision> {
        let precision = |kind| match kind {
            Kind::F32 => Precision::F32,
            // A power of two and a number of few digits: nothing is lost.
            Kind::Bf16 | Kind::Mxfp4 => Precision::Bf16,
            _ => Precision::F16,
        };
        let joined = |one, other| if one == other { one } else { Precision::F32 };
        self.kinds(name).map(precision).reduce(joined)
    }

    fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        Ok(HfWeights::read(self, name, first, out)?)
    }

    fn names(&self) -> Vec<&str> {
        HfWeights::names(self).collect()
    }

    fn file_of(&self, _name: &str) -> &str {
        self.gguf().file()
    }
}
