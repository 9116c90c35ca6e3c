//! A checkpoint becomes a model that answers: which architecture reads it, where it is put, and what its card says.

use std::path::Path;
use std::sync::Arc;

use epicene_core::{ModelKind, SystemCard};

use super::filler::Filler;
use super::{EngineOptions, TransformerModel};
use crate::architectures::{
    Architecture, TranslationArchitecture, accepting, filling_architecture, text_part,
};
use crate::checkpoint::{Checkpoint, vocabulary_slack};
use crate::error::LmError;
use crate::model_spec::ModelSpec;
use crate::seq2seq::DeviceSeq2Seq;
use epicene_checkpoint::{
    CheckpointError, Config, Download, FileSet, Hub, Loader, Weights, build, remarked,
};
use epicene_cuda::place::{Placing, place};
use epicene_cuda::{Device, DeviceModel};
use epicene_kernels::Precision;
use epicene_tokenize::TextTokenizer;
use epicene_transformer::{Transformer, Vocabulary};

impl TransformerModel {
    /// Opens `dir:PATH`. The directory's last part is the model's name.
    pub fn open(directory: &Path, options: EngineOptions) -> Result<TransformerModel, LmError> {
        TransformerModel::open_ignoring(directory, &[], options)
    }

    /// As `open`, without the fields of its configuration and the tensors named in `ignored`.
    pub fn open_ignoring(
        directory: &Path,
        ignored: &[String],
        options: EngineOptions,
    ) -> Result<TransformerModel, LmError> {
        let resolved = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let name = match resolved.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => "model".to_owned(),
        };
        let checkpoint = Checkpoint::open(directory, ignored)?;
        TransformerModel::load(&name, &format!("dir:{name}"), checkpoint, options)
    }

    /// Opens `gguf:PATH`. The file's name without its ending is the model's name.
    pub fn open_gguf(path: &Path, options: EngineOptions) -> Result<TransformerModel, LmError> {
        let name = match path.file_stem() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => "model".to_owned(),
        };
        let checkpoint = Checkpoint::open_gguf(path)?;
        TransformerModel::load(&name, &format!("gguf:{name}"), checkpoint, options)
    }

    /// From a checkpoint that is open already.
    pub fn load(
        name: &str,
        source: &str,
        checkpoint: Checkpoint,
        options: EngineOptions,
    ) -> Result<TransformerModel, LmError> {
        let Checkpoint {
            config,
            weights,
            tokenizer,
            revision,
            ignored,
        } = checkpoint;
        let (config, weights) = text_part(config, weights)?;
        let stored = Loader::new(weights.clone(), "").main_precision();
        let opening = Opening {
            weights,
            tokenizer: &tokenizer,
            ignored: &ignored,
            options,
            stored,
        };
        let opened = match filling_architecture(&config) {
            Some(architecture) => opening.filler(config, architecture)?,
            None => opening.transformer(config)?,
        };
        let Opened {
            config,
            transformer,
            devices,
            filler,
            padding,
            not_on_device,
            dtype,
            loading,
        } = opened;
        let tokens = &transformer.embedding.tokens;
        if tokenizer.size() > tokens.rows + vocabulary_slack(tokens.rows) {
            return Err(LmError::Checkpoint(CheckpointError::Vocabulary {
                file: "tokenizer.json".to_owned(),
                tokens: tokenizer.size(),
                tensor: tokens.name().to_owned(),
                rows: tokens.rows,
            }));
        }
        Ok(TransformerModel {
            card: SystemCard {
                name: name.to_owned(),
                source: remarked(source, &config),
                revision: Some(revision),
                dtype: Some(dtype),
                tokenizer: Some(tokenizer.variant().to_owned()),
                kind: match filler {
                    Some(_) => ModelKind::Masked,
                    None => transformer.kind,
                },
            },
            transformer,
            tokenizer,
            padding,
            vocabulary: Vocabulary::default(),
            options,
            devices,
            filler,
            positions: positions(&config),
            not_on_device,
            loading,
        })
    }
}

impl ModelSpec {
    /// Opens the model; downloads it first where it has to, telling `progress`.
    pub fn open(
        &self,
        options: EngineOptions,
        progress: &dyn Fn(Download<'_>),
    ) -> Result<TransformerModel, LmError> {
        self.open_from(&Hub::from_environment(), options, progress)
    }

    /// As `open`, without the fields of its configuration and the tensors named in `ignored`.
    pub fn open_ignoring(
        &self,
        options: EngineOptions,
        ignored: &[String],
        progress: &dyn Fn(Download<'_>),
    ) -> Result<TransformerModel, LmError> {
        self.read(&Hub::from_environment(), options, ignored, progress)
    }

    /// As `open`, with a hub of one's own.
    pub fn open_from(
        &self,
        hub: &Hub,
        options: EngineOptions,
        progress: &dyn Fn(Download<'_>),
    ) -> Result<TransformerModel, LmError> {
        self.read(hub, options, &[], progress)
    }

    fn read(
        &self,
        hub: &Hub,
        options: EngineOptions,
        ignored: &[String],
        progress: &dyn Fn(Download<'_>),
    ) -> Result<TransformerModel, LmError> {
        match self {
            ModelSpec::Directory(path) => TransformerModel::open_ignoring(path, ignored, options),
            ModelSpec::Hub {
                repository,
                revision,
            } => {
                let revision = revision.as_deref().unwrap_or("main");
                let set = FileSet::LanguageModel;
                let snapshot = hub.fetch_set(
                    set,
                    repository,
                    revision,
                    &accepting(set, ignored),
                    progress,
                )?;
                let source = snapshot.source(repository);
                let checkpoint = Checkpoint {
                    revision: snapshot.commit,
                    ..Checkpoint::open_files(&snapshot.directory, ignored)?
                };
                let name = repository.rsplit('/').next().unwrap_or(repository);
                TransformerModel::load(name, &source, checkpoint, options)
            }
        }
    }
}

/// What a model is made of.
struct Opening<'a> {
    weights: Arc<dyn Weights>,
    tokenizer: &'a TextTokenizer,
    ignored: &'a [String],
    options: EngineOptions,
    stored: Precision,
}

/// The model, and where it is.
struct Opened {
    config: Config,
    transformer: Transformer,
    devices: Vec<DeviceModel>,
    filler: Option<Filler>,
    padding: Option<u32>,
    not_on_device: Option<String>,
    dtype: String,
    loading: Vec<String>,
}

impl Opening<'_> {
    fn transformer(&self, config: Config) -> Result<Opened, CheckpointError> {
        let architecture = Architecture::of(&config)?;
        let config = config.read_with(architecture.fields)?;
        let padding = architecture.padding(&config)?;
        let load = |config: &Config, weights| architecture.load(config, weights);
        let placed = self.placed(&config, load, DeviceModel::new)?;
        Ok(Opened {
            config,
            transformer: placed.model,
            devices: placed.devices,
            filler: None,
            padding,
            not_on_device: placed.not_on_device,
            dtype: placed.dtype,
            loading: placed.loading,
        })
    }

    /// An encoder-decoder model that fills blanks.
    fn filler(
        &self,
        config: Config,
        architecture: &TranslationArchitecture,
    ) -> Result<Opened, CheckpointError> {
        let config = config.read_with(architecture.fields)?;
        let load = |config: &Config, weights| architecture.load(config, weights);
        let placed = self.placed(&config, load, DeviceSeq2Seq::new)?;
        let halves = placed.devices.into_iter().map(DeviceSeq2Seq::halves);
        let (devices, decoders) = halves.unzip();
        let (transformer, filler) = Filler::of(placed.model, &config, self.tokenizer, decoders)?;
        Ok(Opened {
            config,
            transformer,
            devices,
            filler: Some(filler),
            padding: None,
            not_on_device: placed.not_on_device,
            dtype: placed.dtype,
            loading: placed.loading,
        })
    }

    fn placed<Model, OnDevice>(
        &self,
        config: &Config,
        load: impl Fn(&Config, Arc<dyn Weights>) -> Result<Model, CheckpointError>,
        upload: impl Fn(Arc<Device>, &Model) -> Result<OnDevice, CheckpointError>,
    ) -> Result<Placing<Model, OnDevice>, CheckpointError> {
        let EngineOptions {
            placement, dtype, ..
        } = self.options;
        let build = |weights| build(config, weights, self.ignored, &load);
        place(placement, dtype, self.stored, &self.weights, build, upload)
    }
}

/// The positions that a configuration speaks of, stretched ones included.
fn positions(config: &Config) -> Option<usize> {
    let fields = [
        "max_position_embeddings",
        "n_positions",
        "max_sequence_length",
        "seq_length",
        "max_seq_len",
    ];
    let stated = fields
        .iter()
        .find_map(|field| config.stored(field)?.as_u64())?;
    let scaling = ["rope_scaling", "rope_parameters"]
        .iter()
        .find_map(|field| config.stored(field)?.as_object());
    let number = |name: &str| scaling?.get(name)?.as_f64();
    let trained = number("original_max_position_embeddings").unwrap_or(stated as f64);
    let stretched = trained * number("factor").unwrap_or(1.0);
    Some(stretched.max(stated as f64) as usize)
}
