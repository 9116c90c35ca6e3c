//! Encoder-decoder models as translators: Marian, M2M-100, NLLB-200, mBART-50, T5. `model/filler` uses them to fill blanks.
//!
//! An encoder of the engine's own kind reads packed batches of sentences; a decoder writes with a cache; greedy and
//! beam search follow `transformers`. No translation depends on what else is translated, in which order, or on how
//! many threads. See docs/seq2seq.md.

mod batch;
mod cpu;
pub(crate) mod generation;
mod gpu;
mod search;
mod vocabulary;

pub use crate::architectures::{FILLING_ARCHITECTURES, TRANSLATION_ARCHITECTURES};
pub(crate) use batch::batch_of;
pub use generation::{Decoding, EarlyStopping};
pub(crate) use gpu::DeviceSeq2Seq;
pub(crate) use vocabulary::Normaliser;

use std::path::Path;

use epicene_core::{ModelKind, SystemCard};

use crate::architectures::{TranslationArchitecture, accepting, refuse_unread};
use crate::checkpoint::vocabulary_slack;
use crate::error::LmError;
use crate::model_spec::ModelSpec;
use epicene_checkpoint::{CheckpointError, Config, Download, Hub, Loader};
use epicene_checkpoint::{FileSet, build, open_weights, remarked, revision_of};
use epicene_cuda::Placement;
use epicene_cuda::place::{Placing, in_words, place};
use epicene_kernels::Dtype;
use epicene_tokenize::{Files, Request, TranslationTokenizer};
use epicene_transformer::EncoderDecoder;
use generation::Generation;

/// How a model is run. Only `decoding` changes a translation.
#[derive(Debug, Clone, PartialEq)]
pub struct Seq2SeqOptions {
    /// Threads; each runs sentences of its own.
    pub threads: usize,
    /// Hypotheses that one thread works on at once.
    pub batch_rows: usize,
    /// Settings that replace the checkpoint's generation settings.
    pub decoding: Decoding,
    /// Fields of the checkpoint's settings, and tensors, that are left out.
    pub ignored: Vec<String>,
    pub placement: Placement,
    /// Arithmetic, where it should not be the default: f32 on CPU, that of the stored weights on a GPU.
    pub dtype: Option<Dtype>,
}

impl Default for Seq2SeqOptions {
    fn default() -> Seq2SeqOptions {
        Seq2SeqOptions {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            batch_rows: 240,
            decoding: Decoding::default(),
            ignored: Vec::new(),
            placement: Placement::Cpu,
            dtype: None,
        }
    }
}

/// A translation.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    pub text: String,
    /// What the decoder wrote, its first token left out.
    pub ids: Vec<u32>,
    /// Sum of log-probabilities over the length penalty; 0 where there was nothing to translate.
    pub score: f32,
    /// The source was longer than the model reads, and was cut.
    pub source_cut: bool,
    /// The source has blanks, at its end or beside special tokens, that versions 4 and 5 of `transformers` read differently.
    pub blanks_in_doubt: bool,
    /// The translation was cut off at the longest length.
    pub unfinished: bool,
}

/// A translation model, loaded.
#[derive(Debug)]
pub struct Seq2Seq {
    card: SystemCard,
    model: EncoderDecoder,
    tokenizer: TranslationTokenizer,
    generation: Generation,
    options: Seq2SeqOptions,
    /// The same model on each GPU that is used.
    devices: Vec<DeviceSeq2Seq>,
    not_on_device: Option<String>,
    loading: Vec<String>,
}

/// Longest source where the model has no limit of its own.
const LONGEST_SOURCE: usize = 1024;

impl Seq2Seq {
    /// Opens `dir:PATH` or `hf:ORG/NAME[@REVISION]`; downloads it first where it has to, telling `progress`.
    pub fn load(
        spec: &ModelSpec,
        options: Seq2SeqOptions,
        progress: &dyn Fn(Download<'_>),
    ) -> Result<Seq2Seq, LmError> {
        Seq2Seq::load_from(&Hub::from_environment(), spec, options, progress)
    }

    /// As `load`, with a hub of one's own.
    pub fn load_from(
        hub: &Hub,
        spec: &ModelSpec,
        options: Seq2SeqOptions,
        progress: &dyn Fn(Download<'_>),
    ) -> Result<Seq2Seq, LmError> {
        match spec {
            ModelSpec::Directory(path) => Seq2Seq::open(path, options),
            ModelSpec::Hub {
                repository,
                revision,
            } => {
                let revision = revision.as_deref().unwrap_or("main");
                let set = FileSet::Translator;
                let snapshot = hub.fetch_set(
                    set,
                    repository,
                    revision,
                    &accepting(set, &options.ignored),
                    progress,
                )?;
                let name = repository.rsplit('/').next().unwrap_or(repository);
                let source = snapshot.source(repository);
                Seq2Seq::assemble(name, &source, snapshot.commit, &snapshot.directory, options)
            }
        }
    }

    /// Opens a directory. Its last part is the model's name.
    pub fn open(directory: &Path, options: Seq2SeqOptions) -> Result<Seq2Seq, LmError> {
        if !directory.is_dir() {
            return Err(LmError::Checkpoint(CheckpointError::Unreadable {
                file: directory.display().to_string(),
                problem: "not a directory".to_owned(),
            }));
        }
        let resolved = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let name = match resolved.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => "model".to_owned(),
        };
        let revision = revision_of(directory, FileSet::Translator)?;
        Seq2Seq::assemble(&name, &format!("dir:{name}"), revision, directory, options)
    }

    fn assemble(
        name: &str,
        source: &str,
        revision: String,
        directory: &Path,
        options: Seq2SeqOptions,
    ) -> Result<Seq2Seq, LmError> {
        let files = Files(directory);
        let ignored = &options.ignored;
        let config = config_file(files, "config.json")?;
        let config = config.ok_or_else(|| files.missing("config.json"))?;
        let config = config.ignoring(ignored);
        refuse_unread(&config, FileSet::Translator)?;
        let architecture = TranslationArchitecture::of(&config)?;
        let config = config.read_with(architecture.fields)?;
        let weights = open_weights(directory, &config)?;
        let tokenizer = TranslationTokenizer::open(files, &config, name, ignored)?;
        let settings = config_file(files, "generation_config.json")?
            .map(|settings| settings.remarking(&config).ignoring(ignored));
        let stored = Loader::new(weights.clone(), "").main_precision();
        let load = |weights| {
            build(&config, weights, ignored, |config, weights| {
                architecture.load(config, weights)
            })
        };
        let Placing {
            model,
            devices,
            not_on_device,
            dtype,
            loading,
        } = place(
            options.placement,
            options.dtype,
            stored,
            &weights,
            load,
            DeviceSeq2Seq::new,
        )?;

        let source_tokens = &model.encoder.embedding.tokens;
        let target_tokens = &model.decoder.embedding.tokens;
        for (size, table) in [
            (tokenizer.size(), source_tokens),
            (tokenizer.target_size(), target_tokens),
        ] {
            if size > table.rows + vocabulary_slack(table.rows) {
                return Err(LmError::Checkpoint(CheckpointError::Vocabulary {
                    file: tokenizer.file().to_owned(),
                    tokens: size,
                    tensor: table.name().to_owned(),
                    rows: table.rows,
                }));
            }
        }
        let generation = Generation::of(
            &config,
            settings.as_ref(),
            &options.decoding,
            model.longest_target,
            target_tokens.rows,
        )?;
        Ok(Seq2Seq {
            card: SystemCard {
                name: name.to_owned(),
                source: remarked(source, &config),
                revision: Some(revision),
                dtype: Some(dtype),
                tokenizer: Some(tokenizer.variant().to_owned()),
                kind: ModelKind::Translator,
            },
            model,
            tokenizer,
            generation,
            options,
            devices,
            not_on_device,
            loading,
        })
    }

    pub fn card(&self) -> &SystemCard {
        &self.card
    }

    /// How translations are searched for, in words that go into signatures and cache keys: whatever differs here may
    /// translate otherwise.
    pub fn decoding(&self) -> String {
        self.generation.to_string()
    }

    /// The languages it translates into, as people name them; empty where the checkpoint does not say.
    pub fn languages(&self) -> Vec<String> {
        self.tokenizer.scheme.targets()
    }

    /// How many sentences are worth translating at once.
    pub fn batch_size(&self) -> usize {
        let at_once = self
            .devices
            .iter()
            .map(|device| device.sentences_at_once(&self.generation));
        if self.devices.is_empty() {
            2 * self.options.threads.max(1) * self.sentences_at_once()
        } else {
            // New sentences take the slots of finished ones for most of the time.
            4 * at_once.sum::<usize>()
        }
    }

    /// Where it runs, in words: the GPU's name, or why none is used where one was looked for.
    pub fn place(&self) -> Option<String> {
        let devices = self.devices.iter().map(|model| model.device());
        in_words(devices, self.not_on_device.as_deref())
    }

    /// Where the time of loading went, in words; one line for each GPU.
    pub fn loading(&self) -> &[String] {
        &self.loading
    }

    fn sentences_at_once(&self) -> usize {
        (self.options.batch_rows / self.generation.beams).max(1)
    }

    fn request(&self, from: &str, to: &str) -> Result<Request, LmError> {
        let request = self.tokenizer.scheme.request(from, to, self.tokenizer.end);
        request.map_err(|unknown| LmError::Language {
            system: self.card.name.clone(),
            language: unknown.language,
            known: unknown.known.join(", "),
        })
    }

    fn longest_source(&self) -> usize {
        self.model.encoder.longest.unwrap_or(LONGEST_SOURCE)
    }

    /// Token ids the encoder reads for a sentence.
    pub fn encode(&self, text: &str, from: &str, to: &str) -> Result<Vec<u32>, LmError> {
        let request = self.request(from, to)?;
        let encoded = self
            .tokenizer
            .encode(text, &request, self.longest_source())?;
        self.refuse_beyond_rows(&encoded.ids)?;
        Ok(encoded.ids)
    }

    /// Tokens without a row of the source's embedding.
    fn refuse_beyond_rows(&self, ids: &[u32]) -> Result<(), LmError> {
        let rows = self.model.encoder.embedding.tokens.rows;
        match ids.iter().find(|id| **id as usize >= rows) {
            None => Ok(()),
            Some(id) => Err(LmError::NoRow {
                system: self.card.name.clone(),
                token: self.tokenizer.spelling(*id),
                rows,
            }),
        }
    }

    /// One translation for each sentence, in order. A sentence without text has an empty translation, and the model
    /// is not asked.
    pub fn translate(
        &self,
        sentences: &[&str],
        from: &str,
        to: &str,
    ) -> Result<Vec<Hypothesis>, LmError> {
        let request = self.request(from, to)?;
        let longest = self.longest_source();
        let mut encoded = Vec::with_capacity(sentences.len());
        for sentence in sentences {
            encoded.push(if sentence.trim().is_empty() {
                None
            } else {
                let encoded = self.tokenizer.encode(sentence, &request, longest)?;
                self.refuse_beyond_rows(&encoded.ids)?;
                Some(encoded)
            });
        }
        let rows = self.model.decoder.embedding.tokens.rows;
        if let Some(first) = request.forced_first
            && first as usize >= rows
        {
            return Err(LmError::NoRow {
                system: self.card.name.clone(),
                token: to.to_owned(),
                rows,
            });
        }
        let inputs: Vec<&[u32]> = encoded
            .iter()
            .flatten()
            .map(|encoded| encoded.ids.as_slice())
            .collect();
        let first = request.forced_first.or(self.generation.forced_first);
        let found = batch::search(self, &inputs, first)?;
        let mut found = found.into_iter();
        let mut out = Vec::with_capacity(sentences.len());
        for encoded in &encoded {
            let Some(encoded) = encoded else {
                out.push(Hypothesis {
                    text: String::new(),
                    ids: Vec::new(),
                    score: 0.0,
                    source_cut: false,
                    blanks_in_doubt: false,
                    unfinished: false,
                });
                continue;
            };
            let (ids, score) = match found.next().flatten() {
                Some(finished) => (finished.ids[1..].to_vec(), finished.score),
                None => (Vec::new(), f32::NEG_INFINITY),
            };
            let ended = ids.last().is_some_and(|last| self.generation.is_end(*last));
            let cut_off = ids.len() + 1 >= self.generation.max_length;
            out.push(Hypothesis {
                text: self.tokenizer.decode(&ids)?,
                score,
                source_cut: encoded.cut,
                blanks_in_doubt: encoded.blanks_in_doubt,
                unfinished: !ended || (cut_off && self.generation.forced_end.is_some()),
                ids,
            });
        }
        Ok(out)
    }
}

fn config_file(files: Files<'_>, name: &'static str) -> Result<Option<Config>, CheckpointError> {
    if !files.has(name) {
        return Ok(None);
    }
    let bytes = files.bytes(name)?;
    Config::parse_file(name, &String::from_utf8_lossy(&bytes)).map(Some)
}
