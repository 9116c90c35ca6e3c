//! Configurations of well-known causal checkpoints, as they were published: every field of them must be supported.

use std::sync::Arc;

use super::{Architecture, text_part};
use epicene_checkpoint::{CheckpointError, Config, Weights};
use epicene_kernels::Precision;

const PUBLISHED: &str = include_str!("published.jsonl");

/// No tensors: reading a configuration gets as far as the first of them.
#[derive(Debug)]
struct Nothing;

impl Weights for Nothing {
    fn shape(&self, _name: &str) -> Option<&[usize]> {
        None
    }

    fn precision(&self, _name: &str) -> Option<Precision> {
        None
    }

    fn read(&self, _name: &str, _first: usize, _out: &mut [f32]) -> Result<(), CheckpointError> {
        unreachable!("there are none")
    }

    fn names(&self) -> Vec<&str> {
        Vec::new()
    }

    fn file_of(&self, _name: &str) -> &str {
        "model.safetensors"
    }
}

#[test]
fn published_configurations_are_understood() {
    let mut wrong = Vec::new();
    for line in PUBLISHED.lines() {
        let read = || -> Result<(), CheckpointError> {
            let (config, weights) = text_part(Config::parse(line)?, Arc::new(Nothing))?;
            let architecture = Architecture::of(&config)?;
            let config = config.read_with(architecture.fields)?;
            architecture.load(&config, weights).map(drop)
        };
        match read() {
            Err(CheckpointError::NoTensor { .. }) => {}
            other => wrong.push(format!("{other:?}: {}", &line[..60])),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
