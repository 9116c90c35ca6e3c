//! `tokenizer_config.json`: settings that overrule `tokenizer.json`, as the tokenizer class of `transformers` that the
//! file names reads them.
//!
//! BERT's classes set the normaliser, byte-level classes the blank in front of a text, the classes of Llama, Gemma and
//! GPT-NeoX the special tokens around it. Versions 4 and 5 do not always agree; a file is read as the version that
//! wrote the checkpoint does, and the card says so where it matters. A setting that contradicts `tokenizer.json` and
//! cannot be followed is refused.

use serde_json::{Map, Value, json};
use tokenizers::processors::template::TemplateProcessing;
use tokenizers::{NormalizerWrapper, PostProcessorWrapper, PreTokenizerWrapper, Tokenizer};

use super::added::Sources;
use super::classes::{Family, UNDERSTOOD, check};
use super::{content, guarded};
use epicene_checkpoint::{CheckpointError, Config, Writer};

pub const FILE: &str = "tokenizer_config.json";

/// Makes a tokenizer do as its settings say. `tokens` are the special tokens by their names, `listed` is `added_tokens.json`; there is
/// none of it where the tokenizer is made of such files already.
pub fn apply(
    inner: &mut Tokenizer,
    settings: &Config,
    config: &Config,
    tokens: &Map<String, Value>,
    listed: Option<&Config>,
) -> Result<(), CheckpointError> {
    let named = |field: &str| tokens.get(field).and_then(content);
    check(settings, UNDERSTOOD)?;
    settings.refuse("split_special_tokens")?;
    settings.refuse("fix_mistral_regex")?;
    let model_type = config.model_type().unwrap_or_default();
    let class = settings
        .stored("tokenizer_class")
        .or_else(|| config.stored("tokenizer_class"));
    let family = match class.and_then(Value::as_str) {
        // Version 5 has a class of its own for these models, whatever the file says.
        Some("PreTrainedTokenizerFast") if model_type.starts_with("qwen") => Family::Qwen,
        Some(class) => Family::of(class).ok_or_else(|| {
            settings.bad(
                "tokenizer_class",
                format!("is {class}, which is not supported"),
            )
        })?,
        None => Family::of_model(model_type),
    };
    if listed.is_some() {
        let sources = Sources::new(settings, tokens, listed, family != Family::Plain);
        sources.apply(inner, config)?;
    }
    let mut applying = Applying {
        inner,
        settings,
        config,
    };
    match family {
        Family::Bert => applying.bert()?,
        Family::ByteLevel => applying.blank(false, Some(false))?,
        Family::Qwen => {
            applying.only_in(Writer::Five, |applying| applying.blank(true, Some(false)))?
        }
        Family::NeoX => {
            applying.blank(false, Some(false))?;
            applying.only_in(Writer::Five, Applying::unframed)?;
            let token = "<|endoftext|>";
            applying.only_in(Writer::Four, |a| {
                a.frame(&named, token, token, [false, false])
            })?;
        }
        Family::Llama => {
            applying.agree("add_prefix_space", true, applying.puts_blank()?)?;
            applying.only_in(Writer::Four, |a| {
                a.frame(&named, "<s>", "</s>", [true, false])
            })?;
        }
        Family::Gemma => {
            applying.only_in(Writer::Four, |a| {
                a.frame(&named, "<bos>", "<eos>", [true, false])
            })?;
        }
        Family::Albert => {
            applying.agree("do_lower_case", true, applying.lowers()?)?;
            applying.agree("keep_accents", false, applying.keeps_accents()?)?;
            applying.agree("add_prefix_space", true, applying.puts_blank()?)?;
        }
        Family::Deberta => {
            applying.agree("do_lower_case", false, applying.lowers()?)?;
            applying.agree("split_by_punct", false, applying.splits_punctuation()?)?;
        }
        Family::Sentence => applying.agree("add_prefix_space", true, applying.puts_blank()?)?,
        Family::MBart => applying.language(&["$A:0", "</s>:0", LANGUAGE])?,
        Family::MBart50 => applying.language(&[LANGUAGE, "$A:0", "</s>:0"])?,
        Family::Plain => {
            applying.only_in(Writer::Four, |applying| applying.blank(false, Some(false)))?;
        }
    }
    Ok(())
}

/// Where the language stands around a text.
const LANGUAGE: &str = "(language)";

struct Applying<'a> {
    inner: &'a mut Tokenizer,
    settings: &'a Config,
    config: &'a Config,
}

impl Applying<'_> {
    fn broken(error: impl ToString) -> CheckpointError {
        CheckpointError::Tokenizer {
            file: FILE.to_owned(),
            problem: error.to_string(),
        }
    }

    /// Follows a setting that only one version follows, and says so where the other would read another text.
    fn only_in(
        &mut self,
        writer: Writer,
        apply: impl Fn(&mut Self) -> Result<(), CheckpointError>,
    ) -> Result<(), CheckpointError> {
        let (before, steps) = (probe(self.inner)?, Steps::of(self.inner));
        let applied = apply(self);
        let follows = self.config.writer() == writer;
        match applied {
            Err(error) if follows => return Err(error),
            Err(_) => steps.put_back(self.inner),
            Ok(()) => {
                if probe(self.inner)? != before {
                    self.config.remark_writer();
                }
                if !follows {
                    steps.put_back(self.inner);
                }
            }
        }
        Ok(())
    }

    /// BERT's normaliser.
    fn bert(&mut self) -> Result<(), CheckpointError> {
        let Some(normalizer) = self.inner.get_normalizer() else {
            return Ok(());
        };
        let mut state = serde_json::to_value(normalizer).map_err(Applying::broken)?;
        if state.get("type") != Some(&json!("BertNormalizer")) {
            return Ok(());
        }
        let strip_accents = match self.settings.stored("strip_accents") {
            None => Value::Null,
            Some(_) => json!(self.settings.flag("strip_accents", false)?),
        };
        let wanted = [
            (
                "lowercase",
                json!(self.settings.flag("do_lower_case", true)?),
            ),
            ("strip_accents", strip_accents),
            (
                "handle_chinese_chars",
                json!(self.settings.flag("tokenize_chinese_chars", true)?),
            ),
        ];
        if wanted
            .iter()
            .all(|(name, value)| state.get(name) == Some(value))
        {
            return Ok(());
        }
        for (name, value) in wanted {
            state[name] = value;
        }
        let normalizer: NormalizerWrapper =
            serde_json::from_value(state).map_err(Applying::broken)?;
        self.inner
            .with_normalizer(Some(normalizer))
            .map_err(Applying::broken)?;
        Ok(())
    }

    /// The blank that byte-level tokenizers put in front of a text: as set, or the class's own. `inside` a sequence of
    /// steps too.
    fn blank(&mut self, inside: bool, default: Option<bool>) -> Result<(), CheckpointError> {
        const FIELD: &str = "add_prefix_space";
        if self.settings.is_null(FIELD) {
            return Ok(());
        }
        let wanted = match (self.settings.stored(FIELD), default) {
            (None, None) => return Ok(()),
            (None, Some(default)) => default,
            (Some(_), _) => self.settings.flag(FIELD, false)?,
        };
        let Some(step) = self.inner.get_pre_tokenizer() else {
            return Ok(());
        };
        let mut state = serde_json::to_value(step).map_err(Applying::broken)?;
        let steps = match state.get_mut("pretokenizers").and_then(Value::as_array_mut) {
            Some(steps) if inside => steps.iter_mut().collect(),
            Some(_) => Vec::new(),
            None => vec![&mut state],
        };
        let mut changed = false;
        for step in steps {
            if step.get("type") == Some(&json!("ByteLevel"))
                && step.get(FIELD) != Some(&json!(wanted))
            {
                step[FIELD] = json!(wanted);
                changed = true;
            }
        }
        if changed {
            let step: PreTokenizerWrapper =
                serde_json::from_value(state).map_err(Applying::broken)?;
            self.inner.with_pre_tokenizer(Some(step));
        }
        Ok(())
    }

    /// The special tokens in front of and behind a text, as set, or the class's own.
    fn frame<'b>(
        &mut self,
        named: &impl Fn(&str) -> Option<&'b str>,
        begin: &str,
        end: &str,
        default: [bool; 2],
    ) -> Result<(), CheckpointError> {
        let before = probe(self.inner)?;
        let mut frame = Vec::new();
        let mut specials = Vec::new();
        for (field, name, default_token, default) in [
            ("add_bos_token", "bos_token", begin, default[0]),
            ("add_eos_token", "eos_token", end, default[1]),
        ] {
            let wanted = self.settings.flag(field, default)?;
            if name == "eos_token" {
                frame.push("$A:0".to_owned());
            }
            if wanted {
                let token = named(name).unwrap_or(default_token);
                let id = self.inner.token_to_id(token).ok_or_else(|| {
                    let problem = format!("is true, but `{token}` is no token");
                    self.settings.bad(field, problem)
                })?;
                frame.push(format!("{token}:0"));
                specials.push((token.to_owned(), id));
            }
        }
        let template = TemplateProcessing::builder()
            .try_single(frame.join(" "))
            .map_err(Applying::broken)?
            .special_tokens(specials)
            .build()
            .map_err(Applying::broken)?;
        let own = self.inner.get_post_processor().cloned();
        self.inner
            .with_post_processor(Some(PostProcessorWrapper::Template(template)));
        if probe(self.inner)? == before {
            // The file's own does more, such as trimming blanks off the places of tokens.
            self.inner.with_post_processor(own);
        }
        Ok(())
    }

    /// The language of the text, `src_lang` or English, and the end of the text.
    fn language(&mut self, frame: &[&str]) -> Result<(), CheckpointError> {
        const FIELD: &str = "src_lang";
        let stated = self.settings.stored(FIELD).and_then(Value::as_str);
        let language = stated.unwrap_or("en_XX");
        let mut specials = Vec::new();
        for token in [language, "</s>"] {
            let id = self.inner.token_to_id(token).ok_or_else(|| {
                self.settings
                    .bad(FIELD, format!("needs `{token}`, which is no token"))
            })?;
            specials.push((token.to_owned(), id));
        }
        let frame = frame.join(" ").replace(LANGUAGE, &format!("{language}:0"));
        let template = TemplateProcessing::builder()
            .try_single(frame)
            .map_err(Applying::broken)?
            .special_tokens(specials)
            .build()
            .map_err(Applying::broken)?;
        self.inner
            .with_post_processor(Some(PostProcessorWrapper::Template(template)));
        Ok(())
    }

    /// No special tokens around a text.
    fn unframed(&mut self) -> Result<(), CheckpointError> {
        let template = TemplateProcessing::builder()
            .build()
            .map_err(Applying::broken)?;
        self.inner
            .with_post_processor(Some(PostProcessorWrapper::Template(template)));
        Ok(())
    }

    /// A setting from which version 5 builds its tokenizer, while version 4 does as `tokenizer.json` says: they must say
    /// the same.
    fn agree(
        &self,
        field: &str,
        default: bool,
        found: Option<bool>,
    ) -> Result<(), CheckpointError> {
        let wanted = match self.settings.stored(field) {
            None => default,
            Some(_) => self.settings.flag(field, default)?,
        };
        let Some(found) = found else {
            return Ok(());
        };
        if wanted == found {
            return Ok(());
        }
        let stated = self.settings.stored(field).is_some();
        // Llama's classes of version 4 read no tokenizer.json where the blank is set.
        let is_open = field == "add_prefix_space" && stated;
        match self.config.writer() {
            Writer::Four if !is_open => {
                self.config.remark_writer();
                Ok(())
            }
            _ => {
                let problem = format!("is {wanted}, but tokenizer.json does otherwise");
                Err(self.settings.bad(field, problem))
            }
        }
    }

    fn normalized(&self, text: &str) -> Option<String> {
        use tokenizers::{NormalizedString, Normalizer};
        let mut normalized = NormalizedString::from(text);
        if let Some(normalizer) = self.inner.get_normalizer() {
            normalizer.normalize(&mut normalized).ok()?;
        }
        Some(normalized.get().to_owned())
    }

    fn lowers(&self) -> Result<Option<bool>, CheckpointError> {
        Ok(self.normalized("A").map(|text| text.contains('a')))
    }

    fn keeps_accents(&self) -> Result<Option<bool>, CheckpointError> {
        let text = self.normalized("é");
        Ok(text.map(|text| text.contains(['é', '\u{301}'])))
    }

    fn splits_punctuation(&self) -> Result<Option<bool>, CheckpointError> {
        let state = serde_json::to_value(self.inner.get_pre_tokenizer());
        let state = state.map_err(Applying::broken)?;
        Ok(Some(state.to_string().contains("\"Punctuation\"")))
    }

    /// Whether a text gets a blank in front; not known of tokenizers that mark none.
    fn puts_blank(&self) -> Result<Option<bool>, CheckpointError> {
        let state =
            serde_json::to_value((self.inner.get_normalizer(), self.inner.get_pre_tokenizer()));
        let state = state.map_err(Applying::broken)?.to_string();
        let marks = state.contains("\"Metaspace\"") || state.contains('▁');
        let bare = state.contains("\"prepend_scheme\":\"never\"");
        let put = state.contains("\"Prepend\"") || (state.contains("\"Metaspace\"") && !bare);
        Ok(marks.then_some(put))
    }
}

/// Texts that tell the settings apart.
const PROBES: [&str; 2] = ["He said.", " She"];

/// What the texts become.
pub fn probe(tokenizer: &Tokenizer) -> Result<Vec<Vec<u32>>, CheckpointError> {
    probe_with(tokenizer, &PROBES)
}

/// What texts become.
pub fn probe_with(tokenizer: &Tokenizer, texts: &[&str]) -> Result<Vec<Vec<u32>>, CheckpointError> {
    let ids = |text: &&str| {
        let encoded = guarded(|| tokenizer.encode_fast(*text, true));
        let encoded = encoded.map_err(Applying::broken)?;
        Ok(encoded.get_ids().to_vec())
    };
    texts.iter().map(ids).collect()
}

/// The steps of a tokenizer that settings change.
struct Steps {
    pre_tokenizer: Option<PreTokenizerWrapper>,
    post_processor: Option<PostProcessorWrapper>,
}

impl Steps {
    fn of(tokenizer: &Tokenizer) -> Steps {
        Steps {
            pre_tokenizer: tokenizer.get_pre_tokenizer().cloned(),
            post_processor: tokenizer.get_post_processor().cloned(),
        }
    }

    fn put_back(self, tokenizer: &mut Tokenizer) {
        tokenizer.with_pre_tokenizer(self.pre_tokenizer);
        tokenizer.with_post_processor(self.post_processor);
    }
}
