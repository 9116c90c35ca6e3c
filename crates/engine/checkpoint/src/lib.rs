//! The files of a checkpoint: its configuration and weights, their formats, the hub they come from and the loader that takes the
//! parts of a model out of them. Tokenizers, architectures and GPUs are other crates'.

mod adapter;
mod config;
mod defaults;
mod digest;
mod eight_bits;
mod error;
mod fields;
mod four_bits;
pub mod gguf;
mod hub;
mod loader;
mod packed;
mod packing;
mod pickle;
mod safetensors;
mod slices;
mod stored;
mod tied;
mod verified;
mod watched;
mod weight_file;
mod weights;

pub use config::Config;
pub use config::short;
pub use defaults::{Writer, has_defaults, of_generation, same};
pub use digest::{
    FileSet, OLD_TOKENIZER_FILES, of_directory as revision_of, of_files as revision_of_bytes,
    of_parts as revision_of_parts,
};
use eight_bits::EightBits;
pub use error::CheckpointError;
pub use fields::Fields;
pub use fields::{count, joined};
pub use four_bits::FourBits;
pub use hub::{Download, Hub};
pub use loader::{Bias, Loader};
pub use packed::unpack_text;
pub use stored::StoredTensors;
use watched::Watched;
pub use weight_file::read_file;
use weights::keeping;
pub use weights::{DeviceMemory, RowRun, Table, Weights};

use std::path::Path;
use std::sync::Arc;

/// The remark that weights came from a pickle, which other tools run when they read it.
pub const PICKLED: &str = "pickled";

/// The weights of a directory, an adapter beside them merged in.
pub fn open_weights(
    directory: &Path,
    config: &Config,
) -> Result<Arc<dyn Weights>, CheckpointError> {
    let stored = StoredTensors::open(directory)?;
    if stored.is_pickled() {
        config.remark(PICKLED);
    }
    let weights: Arc<dyn Weights> = match config.eight_bits() {
        None => Arc::new(stored),
        Some(block) => {
            config.remark("fp8");
            Arc::new(EightBits::over(stored, block)?)
        }
    };
    let (weights, remark) = adapter::merged(directory, weights)?;
    if let Some(remark) = remark {
        config.remark(remark);
    }
    Ok(weights)
}

/// Builds a model of watched weights: tensors that no part of it is made from are refused.
pub fn build<Model>(
    config: &Config,
    weights: Arc<dyn Weights>,
    ignored: &[String],
    load: impl Fn(&Config, Arc<dyn Weights>) -> Result<Model, CheckpointError>,
) -> Result<Model, CheckpointError> {
    if !config.is_written() {
        return load(config, weights);
    }
    let watched = Arc::new(Watched::new(weights));
    let model = load(config, watched.clone())?;
    watched.refuse_unread(config, ignored)?;
    Ok(model)
}

/// Where a system came from, with what a card has to say about how its files were read.
pub fn remarked(source: &str, config: &Config) -> String {
    let mut parts = vec![source.to_owned()];
    parts.extend(config.remarks());
    parts.join(",")
}
