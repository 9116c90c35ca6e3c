//! `tokenizer_config.json` of a translation model: settings that would change the tokens of a source and are not
//! followed are refused.

use serde_json::{Value, json};

use crate::checkpoint::{CheckpointError, Config};

const FILE: &str = "tokenizer_config.json";

/// Tokenizer classes whose ways are known here. That of the first mBART puts the languages elsewhere than mBART-50's.
const CLASSES: &[&str] = &[
    "M2M100Tokenizer",
    "MBart50Tokenizer",
    "MT5Tokenizer",
    "MarianTokenizer",
    "NllbTokenizer",
    "PreTrainedTokenizer",
    "T5Tokenizer",
    "TokenizersBackend",
];

/// Settings that are followed, and those that change nothing.
const KNOWN: &[&str] = &[
    "added_tokens_decoder",
    "additional_special_tokens",
    "auto_map",
    "backend",
    "bos_token",
    "chat_template",
    "clean_up_tokenization_spaces",
    "cls_token",
    "eos_token",
    "extra_ids",
    "extra_special_tokens",
    "is_local",
    "language_codes",
    "legacy",
    "legacy_behaviour",
    "local_files_only",
    "mask_token",
    "max_length",
    "model_input_names",
    "model_max_length",
    "name_or_path",
    "num_madeup_words",
    "pad_to_multiple_of",
    "pad_token",
    "pad_token_type_id",
    "padding_side",
    "processor_class",
    "return_tensors",
    "sep_token",
    "separate_vocabs",
    "source_lang",
    "sp_model_file",
    "spaces_between_special_tokens",
    "special_tokens_map_file",
    "src_lang",
    "stride",
    "target_lang",
    "target_vocab_file",
    "tgt_lang",
    "tokenizer_class",
    "tokenizer_file",
    "truncation_side",
    "truncation_strategy",
    "unk_token",
    "use_fast",
    "vocab_file",
];

/// Takes out what a user wants ignored, and refuses what is not understood.
pub fn check(
    settings: &mut Value,
    config: &Config,
    ignored: &[String],
) -> Result<(), CheckpointError> {
    if settings.is_null() {
        return Ok(());
    }
    let file = Config::parse_file(FILE, &settings.to_string())?;
    let file = file.remarking(config).ignoring(ignored);
    for (field, value) in file.entries() {
        // Off, or as it is without the setting.
        let neutral = match field {
            "sp_model_kwargs" => *value == json!({}),
            "add_prefix_space" | "keep_accents" | "remove_space" => *value == json!(true),
            "do_lower_case" | "split_special_tokens" => *value == json!(false),
            "add_bos_token" => *value == json!(false),
            "add_eos_token" => *value == json!(true),
            _ => false,
        };
        if !KNOWN.contains(&field) && !neutral && !value.is_null() {
            return Err(file.unknown_field(field, value));
        }
    }
    if let Some(class) = file.stored("tokenizer_class") {
        let name = class.as_str().unwrap_or_default();
        if !CLASSES.contains(&name.strip_suffix("Fast").unwrap_or(name)) {
            return Err(file.unknown_field("tokenizer_class", class));
        }
    }
    *settings = file
        .entries()
        .map(|(k, v)| (k.to_owned(), v.clone()))
        .collect();
    Ok(())
}
