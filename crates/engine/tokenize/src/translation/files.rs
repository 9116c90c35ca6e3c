//! Which files make up a checkpoint's tokenizer: `tokenizer.json` where there is one, else SentencePiece models and
//! vocabularies.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde_json::Value;
use tokenizers::Tokenizer;

use super::found::FoundFirst;
use super::rebuilt::Builder;
use super::spm::{Models, SpmVocabulary};
use super::{Pieces, Scheme, TranslationTokenizer, settings};
use crate::languages::{self, Language};
use crate::sentencepiece::SentencePiece;
use crate::text::{AddedSources as Sources, LISTED, OldFiles, content, merged};
use crate::text::{agree_on_list, library_tokenizer, tokenizer_json};
use epicene_checkpoint::{CheckpointError, Config, Writer};

/// The directory of a checkpoint, file by file.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a>(pub &'a Path);

impl Files<'_> {
    pub fn has(self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    pub fn missing(self, name: &str) -> CheckpointError {
        CheckpointError::Missing {
            directory: self.0.display().to_string(),
            wanted: name.to_owned(),
        }
    }

    pub fn bytes(self, name: &str) -> Result<Vec<u8>, CheckpointError> {
        if !self.has(name) {
            return Err(self.missing(name));
        }
        epicene_io::regular::read(&self.0.join(name), epicene_io::limits::LARGEST_TEXT).map_err(
            |error| CheckpointError::Unreadable {
                file: name.to_owned(),
                problem: error.to_string(),
            },
        )
    }

    /// A file of settings, empty if it is not there.
    pub fn config(self, name: &'static str) -> Result<Config, CheckpointError> {
        let text = epicene_checkpoint::read_file(self.0, name)?.unwrap_or_else(|| b"{}".to_vec());
        Config::parse_file(name, &String::from_utf8_lossy(&text))
    }

    fn sentence_piece(self, name: &str) -> Result<SentencePiece, CheckpointError> {
        SentencePiece::parse(&self.bytes(name)?).map_err(|error| bad(name, error.0))
    }

    fn vocabulary(self, name: &str) -> Result<HashMap<String, u32>, CheckpointError> {
        let ids: HashMap<String, u32> =
            serde_json::from_slice(&self.bytes(name)?).map_err(|error| bad(name, error))?;
        match ids.values().max() {
            // A stray number must not make a table of billions.
            Some(highest) if (*highest as usize) < 4 * ids.len() + 1024 => Ok(ids),
            _ => Err(bad(name, "the numbers of its pieces are not consecutive")),
        }
    }
}

fn bad(file: &str, problem: impl ToString) -> CheckpointError {
    CheckpointError::Tokenizer {
        file: file.to_owned(),
        problem: problem.to_string(),
    }
}

impl TranslationTokenizer {
    /// `name` is what the checkpoint is called, which may tell the languages of a Marian model.
    pub fn open(
        files: Files<'_>,
        config: &Config,
        name: &str,
        ignored: &[String],
    ) -> Result<TranslationTokenizer, CheckpointError> {
        let settings = settings::read(files, config, ignored)?;
        let flag = |field: &str| settings.flag(field, false);
        let special = files.config("special_tokens_map.json")?;
        let special = special.remarking(config).ignoring(ignored);
        let mut named = merged(&settings, &special);
        let family = config.model_type().unwrap_or_default();
        let json = files.has("tokenizer.json");
        let models = match family {
            "marian" if files.has("source.spm") || !json => {
                Some(marian(files, flag("separate_vocabs")?)?)
            }
            _ if json => None,
            "m2m_100" if files.has("vocab.json") => Some(with_vocabulary(files)?),
            _ => None,
        };
        let listed = files.config(LISTED)?;
        let listed = Some(&listed);
        let mut blanks = None;
        let is_library = models.is_none();
        let writer = Sources::new(&settings, &named, listed, false).writer(config);
        agree_on_list(
            &special,
            &named,
            listed.filter(|_| is_library),
            writer,
            config,
        )?;
        let pieces = match models {
            Some(models) => {
                let defaults: &[(&str, &str)] = if models.code_in_front {
                    &MARKS[2..]
                } else {
                    &MARKS
                };
                for (field, token) in defaults {
                    let token = || Value::from(*token);
                    named.entry(*field).or_insert_with(token);
                }
                let sources = Sources::new(&settings, &named, listed, false);
                numbered(models, &sources, writer, config)?
            }
            None => {
                let mut tokenizer = if json {
                    library_tokenizer(&files.bytes("tokenizer.json")?)?
                } else {
                    old(files, &settings, &special, config)?
                };
                let stated = settings.stored("tokenizer_class");
                let stated = stated.or_else(|| config.stored("tokenizer_class"));
                let class = stated.and_then(Value::as_str);
                let builder = Builder::of(class, family);
                if json {
                    if let Some(builder) = builder {
                        builder.complete(&mut named, &tokenizer, &settings, writer)?;
                    }
                    let sources = Sources::new(&settings, &named, listed, builder.is_some());
                    sources.apply(&mut tokenizer, config)?;
                    if let Some(builder) = builder {
                        blanks = builder.follow(&mut tokenizer, config, writer)?;
                    }
                }
                Pieces::Json(Box::new(tokenizer))
            }
        };
        let end_token = named.get("eos_token").and_then(content).unwrap_or("</s>");
        let end = pieces.id(end_token);
        let file = match &pieces {
            Pieces::Json(_) => "tokenizer.json",
            Pieces::Spm(_) => "vocab.json",
        };
        let end = end.ok_or_else(|| bad(file, format!("no token `{end_token}`")))?;
        let scheme = match family {
            "marian" => marian_scheme(&pieces, &settings, name, flag("separate_vocabs")?),
            "t5" | "mt5" | "umt5" => words(&pieces, config),
            _ => Scheme::Tokens {
                codes: language_tokens(&pieces, &settings),
                legacy: flag("legacy_behaviour")?,
            },
        };
        if let Scheme::Tokens { codes, .. } = &scheme
            && codes.is_empty()
        {
            return Err(bad(file, "no language tokens"));
        }
        if let (Pieces::Spm(vocabulary), Scheme::Tokens { codes, .. }) = (&pieces, &scheme) {
            refuse_clashes(vocabulary, codes)?;
        }
        let clean_up = flag("clean_up_tokenization_spaces")?;
        // Version 5 leaves the texts of byte pairs as they are, unless it is told twice.
        let is_told_once =
            clean_up && pieces.variant() == "bpe" && file == "tokenizer.json" && !flag(TOLD_TWICE)?;
        if is_told_once {
            config.remark_writer();
        }
        Ok(TranslationTokenizer {
            pieces,
            scheme,
            end,
            blanks,
            clean_up: clean_up && !(is_told_once && writer == Writer::Five),
        })
    }
}

const TOLD_TWICE: &str = "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output";

/// Special tokens of M2M-100's class where no file says otherwise; Marian's class has the last three.
const MARKS: [(&str, &str); 5] = [
    ("bos_token", "<s>"),
    ("sep_token", "</s>"),
    ("eos_token", "</s>"),
    ("unk_token", "<unk>"),
    ("pad_token", "<pad>"),
];

/// SentencePiece's vocabulary with the tokens that are found before it.
fn numbered(
    models: Models,
    sources: &Sources<'_>,
    writer: Writer,
    config: &Config,
) -> Result<Pieces, CheckpointError> {
    let found = FoundFirst::of(sources, &models.source_ids, writer)?;
    let other = FoundFirst::of(sources, &models.source_ids, writer.other());
    let [one, two] = [writer, writer.other()].map(|writer| models.spelling(writer));
    let is_alike = one.spells_like(two) && matches!(other, Ok(other) if other == found);
    if found.has_plain() || !is_alike {
        config.remark_writer();
    }
    let unknown = sources.named.get("unk_token").and_then(content);
    let unknown = unknown.unwrap_or("<unk>");
    let vocabulary = SpmVocabulary::new(models, found, unknown, writer);
    let vocabulary =
        vocabulary.ok_or_else(|| bad("vocab.json", format!("no token `{unknown}`")))?;
    Ok(Pieces::Spm(Box::new(vocabulary)))
}

/// M2M-100's languages have the numbers behind the vocabulary, whatever else is added.
fn refuse_clashes(
    vocabulary: &SpmVocabulary,
    codes: &BTreeMap<String, u32>,
) -> Result<(), CheckpointError> {
    for (code, id) in codes {
        if let Some(other) = vocabulary.added(*id)
            && other != format!("__{code}__")
        {
            let problem = format!("`{other}` and the language `{code}` share the number {id}");
            return Err(bad("vocab.json", problem));
        }
    }
    Ok(())
}

/// A vocabulary without `tokenizer.json`.
fn old(
    files: Files<'_>,
    settings: &Config,
    special: &Config,
    config: &Config,
) -> Result<Tokenizer, CheckpointError> {
    let read = |name: &str| epicene_checkpoint::read_file(files.0, name);
    let old = OldFiles {
        read: &read,
        settings,
        special,
        config,
    };
    match tokenizer_json(&old)? {
        Some(json) => library_tokenizer(&json),
        None => Err(files.missing("tokenizer.json")),
    }
}

fn marian(files: Files<'_>, separate: bool) -> Result<Models, CheckpointError> {
    Ok(Models {
        source: files.sentence_piece("source.spm")?,
        target: Some(files.sentence_piece("target.spm")?),
        source_ids: files.vocabulary("vocab.json")?,
        target_ids: if separate {
            Some(files.vocabulary("target_vocab.json")?)
        } else {
            None
        },
        code_in_front: true,
    })
}

fn with_vocabulary(files: Files<'_>) -> Result<Models, CheckpointError> {
    Ok(Models {
        source: files.sentence_piece("sentencepiece.bpe.model")?,
        target: None,
        source_ids: files.vocabulary("vocab.json")?,
        target_ids: None,
        code_in_front: false,
    })
}

fn marian_scheme(pieces: &Pieces, settings: &Config, name: &str, separate: bool) -> Scheme {
    let code = |piece: &str| Some(piece.strip_prefix(">>")?.strip_suffix("<<")?.to_owned());
    let codes: BTreeMap<String, u32> = match pieces {
        Pieces::Spm(vocabulary) if !separate => vocabulary
            .pieces()
            .into_iter()
            .filter_map(|(piece, id)| Some((code(piece)?, id)))
            .collect(),
        _ => BTreeMap::new(),
    };
    // `opus-mt-en-de`, `opus-mt-tc-big-en-fi`; groups of languages (`mul`, `roa`) are no language.
    let mut parts = name.rsplit('-');
    let (last, before) = (parts.next(), parts.next());
    let language = |field: &str, named: Option<&str>| {
        let stated = settings.stored(field).and_then(Value::as_str);
        match stated {
            Some(stated) => Language::of(stated),
            None if name.starts_with("opus-mt") => named.and_then(Language::of),
            None => None,
        }
    };
    let from = language("source_lang", before);
    if codes.is_empty() {
        Scheme::Fixed {
            from,
            to: language("target_lang", last),
        }
    } else {
        Scheme::TargetInFront { from, codes }
    }
}

/// Tokens such as `deu_Latn`, `de_DE` and `__de__`, by what they say.
fn language_tokens(pieces: &Pieces, settings: &Config) -> BTreeMap<String, u32> {
    match pieces {
        Pieces::Json(tokenizer) => {
            let added = tokenizer.get_added_tokens_decoder();
            added
                .iter()
                .filter_map(|(id, token)| Some((code_of(&token.content)?, *id)))
                .collect()
        }
        Pieces::Spm(vocabulary) => {
            let stated = settings.stored("language_codes").and_then(Value::as_str);
            let codes = languages::list(stated.unwrap_or("m2m100")).enumerate();
            let first = vocabulary.own_size();
            codes
                .map(|(index, code)| (code.to_owned(), (first + index) as u32))
                .collect()
        }
    }
}

fn code_of(token: &str) -> Option<String> {
    if let Some(code) = token.strip_prefix("__").and_then(|t| t.strip_suffix("__")) {
        return Some(code.to_owned());
    }
    let (language, place) = token.split_once('_')?;
    let small = |text: &str| text.chars().all(|c| c.is_ascii_lowercase());
    let country = place.len() == 2 && place.chars().all(|c| c.is_ascii_uppercase());
    let script = place.len() == 4
        && place.starts_with(|c: char| c.is_ascii_uppercase())
        && small(&place[1..]);
    let plausible = (2..=3).contains(&language.len()) && small(language) && (country || script);
    plausible.then(|| token.to_owned())
}

/// MADLAD's `<2de>`, or T5's words from the configuration.
fn words(pieces: &Pieces, config: &Config) -> Scheme {
    if let Pieces::Json(tokenizer) = pieces {
        let codes: BTreeMap<String, u32> = tokenizer
            .get_vocab(true)
            .into_iter()
            .filter_map(|(piece, id)| {
                let code = piece.strip_prefix("<2")?.strip_suffix('>')?;
                Some((code.to_owned(), id))
            })
            .collect();
        if !codes.is_empty() {
            return Scheme::SpelledInFront { codes };
        }
    }
    let tasks = config
        .get("task_specific_params")
        .and_then(Value::as_object);
    let pairs = tasks.into_iter().flatten().filter_map(|(task, settings)| {
        let (from, to) = task.strip_prefix("translation_")?.split_once("_to_")?;
        let words = settings.get("prefix")?.as_str()?.to_owned();
        Some(((languages::common(from), languages::common(to)), words))
    });
    Scheme::Words {
        pairs: pairs.collect(),
    }
}
