//! `tokenizer_config.json` of a translation model: settings that would change the tokens of a source and are not
//! followed are refused.

use serde_json::json;

use super::Files;
use crate::text::{is_parameter, says_tokens};
use epicene_checkpoint::{CheckpointError, Config};

const FILE: &str = "tokenizer_config.json";

/// Supported tokenizer classes. That of the first mBART puts the languages at other positions than mBART-50's.
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
    "auto_map",
    "backend",
    "chat_template",
    "clean_up_tokenization_spaces",
    "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output",
    "extra_ids",
    "is_local",
    "language_codes",
    "legacy",
    "legacy_behaviour",
    "local_files_only",
    "max_length",
    "model_input_names",
    "model_max_length",
    "name_or_path",
    "num_madeup_words",
    "pad_to_multiple_of",
    "pad_token_type_id",
    "padding_side",
    "processor_class",
    "return_tensors",
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
    "use_fast",
    "vocab_file",
];

/// `tokenizer_config.json` without what a user wants ignored. A setting that a class of `transformers` takes and that is not understood
/// is refused; one that none takes changes nothing, and is remarked.
pub fn read(
    files: Files<'_>,
    config: &Config,
    ignored: &[String],
) -> Result<Config, CheckpointError> {
    let file = files.config(FILE)?;
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
        if KNOWN.contains(&field) || neutral || value.is_null() || says_tokens(field) {
            continue;
        }
        if is_parameter(field) {
            return Err(file.unknown_field(field, value));
        }
        file.remark(format!("passed-over={field}"));
    }
    let stated = [&file, config].map(|config| Some((config, config.stored("tokenizer_class")?)));
    match stated.into_iter().flatten().next() {
        Some((config, class)) => {
            let name = class.as_str().unwrap_or_default();
            if !CLASSES.contains(&name.strip_suffix("Fast").unwrap_or(name)) {
                return Err(config.unknown_field("tokenizer_class", class));
            }
        }
        // Without a word it is the first mBART's.
        None if config.model_type() == Some("mbart") => {
            let problem = "is not stated; only MBart50Tokenizer is supported";
            return Err(file.bad("tokenizer_class", problem));
        }
        None => {}
    }
    Ok(file)
}
