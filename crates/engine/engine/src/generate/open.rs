//! A checkpoint opened for writing: beside the model, its settings, its chat template and its special tokens.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_core::ModelKind;
use epicene_io::limits::LARGEST_TEXT;
use epicene_io::regular;
use serde_json::Value;

use super::TextGenerator;
use super::manner::{Manner, Told};
use crate::architectures::accepting;
use crate::checkpoint::Checkpoint;
use crate::error::LmError;
use crate::model::{EngineOptions, TransformerModel};
use crate::model_spec::ModelSpec;
use epicene_checkpoint::gguf::Gguf;
use epicene_checkpoint::{CheckpointError, Config, Download, FileSet, Hub, revision_of};
use epicene_tokenize::ChatTemplate;

/// What the files say about writing.
#[derive(Debug)]
pub struct Settings {
    config: Config,
    generation: Option<Config>,
    /// Ends that a container names beside `eos_token_id`.
    ends: Vec<u32>,
    longest: Option<usize>,
}

impl Settings {
    pub fn manner(&self, told: &Told, vocabulary: usize) -> Result<Manner, CheckpointError> {
        Manner::of(
            &self.config,
            self.generation.as_ref(),
            told,
            &self.ends,
            self.longest,
            vocabulary,
        )
    }
}

/// The special tokens that templates know by name.
const SPECIAL: &[&str] = &[
    "bos_token",
    "eos_token",
    "unk_token",
    "sep_token",
    "pad_token",
    "cls_token",
    "mask_token",
];

/// Tokens that end a turn, as llama.cpp knows them by their text.
const ENDS_OF_TURNS: &[&str] = &[
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<EOT>",
    "<_EOT>",
    "<|eom_id|>",
    "<｜end▁of▁sentence｜>",
];

impl TextGenerator {
    /// Opens `dir:PATH` or `hf:ORG/NAME[@REVISION]`; downloads it first where it has to, telling `progress`. Fields of
    /// its settings named in `ignored` are left out.
    pub fn open(
        spec: &ModelSpec,
        options: EngineOptions,
        ignored: &[String],
        progress: &dyn Fn(Download<'_>),
    ) -> Result<TextGenerator, LmError> {
        match spec {
            ModelSpec::Directory(path) => TextGenerator::open_directory(path, options, ignored),
            ModelSpec::Hub {
                repository,
                revision,
            } => {
                let revision = revision.as_deref().unwrap_or("main");
                let hub = Hub::from_environment();
                let set = FileSet::Writer;
                let snapshot = hub.fetch_set(
                    set,
                    repository,
                    revision,
                    &accepting(set, ignored),
                    progress,
                )?;
                let name = repository.rsplit('/').next().unwrap_or(repository);
                TextGenerator::assemble(
                    name,
                    &snapshot.source(repository),
                    snapshot.commit,
                    &snapshot.directory,
                    options,
                    ignored,
                )
            }
        }
    }

    /// Opens a directory. Its last part is the model's name.
    pub fn open_directory(
        directory: &Path,
        options: EngineOptions,
        ignored: &[String],
    ) -> Result<TextGenerator, LmError> {
        let resolved = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let name = match resolved.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => "model".to_owned(),
        };
        let revision = if directory.is_dir() {
            revision_of(directory, FileSet::Writer)?
        } else {
            // Opening the files reports the error.
            String::new()
        };
        let source = format!("dir:{name}");
        TextGenerator::assemble(&name, &source, revision, directory, options, ignored)
    }

    fn assemble(
        name: &str,
        source: &str,
        revision: String,
        directory: &Path,
        options: EngineOptions,
        ignored: &[String],
    ) -> Result<TextGenerator, LmError> {
        let checkpoint = Checkpoint {
            revision,
            ..Checkpoint::open_files(directory, ignored)?
        };
        let read = |file: &str| -> Result<Option<String>, CheckpointError> {
            let path = directory.join(file);
            if path.exists() {
                regular::read_to_string(&path, LARGEST_TEXT)
                    .map(Some)
                    .map_err(|error| CheckpointError::Unreadable {
                        file: file.to_owned(),
                        problem: error.to_string(),
                    })
            } else {
                Ok(None)
            }
        };
        let parsed = |file: &'static str| -> Result<Option<Config>, CheckpointError> {
            let Some(text) = read(file)? else {
                return Ok(None);
            };
            let settings = Config::parse_file(file, &text)?;
            Ok(Some(
                settings.remarking(&checkpoint.config).ignoring(ignored),
            ))
        };
        let generation = parsed("generation_config.json")?;
        let of_tokenizer = parsed("tokenizer_config.json")?;
        let special_map = parsed("special_tokens_map.json")?;
        let template = match read("chat_template.jinja")? {
            Some(template) => Some(template),
            None => match &of_tokenizer {
                Some(settings) => stored_template(settings)?,
                None => None,
            },
        };
        let mut special = BTreeMap::new();
        for name in SPECIAL {
            let stored = [&of_tokenizer, &special_map].into_iter().flatten();
            let token = stored.filter_map(|file| file.stored(name)).next();
            let text =
                token.and_then(|token| token.as_str().or_else(|| token.get("content")?.as_str()));
            if let Some(text) = text {
                special.insert((*name).to_owned(), text.to_owned());
            }
        }
        let settings = Settings {
            config: checkpoint.config.clone(),
            generation,
            ends: Vec::new(),
            longest: None,
        };
        let model = TransformerModel::load(name, source, checkpoint, options)?;
        TextGenerator::new(model, settings, template, special)
    }

    /// Opens `gguf:PATH`.
    pub fn open_gguf(path: &Path, options: EngineOptions) -> Result<TextGenerator, LmError> {
        let name = match path.file_stem() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => "model".to_owned(),
        };
        let checkpoint = Checkpoint::open_gguf(path)?;
        let config = checkpoint.config.clone();
        let model = TransformerModel::load(&name, &format!("gguf:{name}"), checkpoint, options)?;
        let gguf = Gguf::open(path).map_err(CheckpointError::from)?;
        let number = |key: &str| -> Result<Option<u32>, LmError> {
            let key = format!("tokenizer.ggml.{key}_token_id");
            let number = gguf.number(&key).map_err(CheckpointError::from)?;
            Ok(number.and_then(|number| u32::try_from(number).ok()))
        };
        let mut ends: Vec<u32> = Vec::new();
        for key in ["eos", "eot", "eom"] {
            ends.extend(number(key)?);
        }
        let known = |text: &&str| model.tokenizer.id_of(text);
        ends.extend(ENDS_OF_TURNS.iter().filter_map(known));
        let rows = model.transformer.embedding.tokens.rows;
        ends.retain(|end| (*end as usize) < rows);
        ends.sort_unstable();
        ends.dedup();
        let mut special = BTreeMap::new();
        for (key, name) in [
            ("bos", "bos_token"),
            ("eos", "eos_token"),
            ("unknown", "unk_token"),
            ("padding", "pad_token"),
        ] {
            if let Some(id) = number(key)? {
                special.insert(name.to_owned(), model.tokenizer.spelling(id));
            }
        }
        let template = gguf
            .text("tokenizer.chat_template")
            .map_err(CheckpointError::from)?
            .map(str::to_owned);
        let settings = Settings {
            config,
            generation: None,
            ends,
            longest: None,
        };
        TextGenerator::new(model, settings, template, special)
    }

    fn new(
        model: TransformerModel,
        mut settings: Settings,
        template: Option<String>,
        special: BTreeMap<String, String>,
    ) -> Result<TextGenerator, LmError> {
        let system = model.name();
        if model.card.kind != ModelKind::Causal {
            return Err(LmError::WritesNothing { system });
        }
        if model.transformer.head.is_none() {
            return Err(LmError::NoHead { system });
        }
        settings.longest = model.transformer.longest;
        let template = template
            .map(|source| ChatTemplate::new(&source, special))
            .transpose()
            .map_err(|problem| LmError::Template { system, problem })?;
        let generator = TextGenerator {
            model,
            settings,
            template,
            head: std::sync::OnceLock::new(),
        };
        // Unsupported settings are reported now, not after the first hour.
        generator.manner(&Told::default())?;
        Ok(generator)
    }
}

/// `chat_template` of tokenizer_config.json: a text, or several with names.
fn stored_template(settings: &Config) -> Result<Option<String>, CheckpointError> {
    match settings.stored("chat_template") {
        None => Ok(None),
        Some(Value::String(template)) => Ok(Some(template.clone())),
        Some(Value::Array(several)) => {
            let named =
                |template: &&Value| template.get("name").and_then(Value::as_str) == Some("default");
            let found = several
                .iter()
                .find(named)
                .and_then(|one| one.get("template"));
            match found.and_then(Value::as_str) {
                Some(template) => Ok(Some(template.to_owned())),
                None => Err(settings.bad("chat_template", "has none that is named `default`")),
            }
        }
        Some(_) => Err(settings.bad("chat_template", "is neither a text nor a list of them")),
    }
}
