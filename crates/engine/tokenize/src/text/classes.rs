//! Tokenizer classes of `transformers` by what they do with their settings, and the settings that are known.

use super::added::is_read;
use epicene_checkpoint::{CheckpointError, Config};

/// Settings that change no token of a text.
const HARMLESS: &[&str] = &[
    "_commit_hash",
    "_from_auto",
    "_from_pipeline",
    "add_dummy_prefix",
    "auto_map",
    "backend",
    "cache_dir",
    "chat_control_tokens",
    "chat_template",
    "clean_text",
    "clean_up_tokenization_spaces",
    "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output",
    "commit_message",
    "device_map",
    "do_basic_tokenize",
    "entity_token_1",
    "entity_token_2",
    "entity_vocab",
    "entity_vocab_file",
    "errors",
    "extra_ids",
    "files_loaded",
    "full_tokenizer_file",
    "grounded_generation_template",
    "handle_chinese_chars",
    "id2lang",
    "init_inputs",
    "is_local",
    "is_split_into_words",
    "lang2id",
    "language_codes",
    "legacy",
    "legacy_behaviour",
    "local_files_only",
    "max_entity_length",
    "max_len",
    "max_length",
    "max_mention_length",
    "max_seq_length",
    "max_target_length",
    "merges_file",
    "model_input_names",
    "model_max_length",
    "model_type",
    "name_or_path",
    "never_split",
    "num_madeup_words",
    "pad_to_multiple_of",
    "pad_token_type_id",
    "padding",
    "padding_side",
    "processor_class",
    "proxies",
    "remove_space",
    "repo_id",
    "response_schema",
    "response_template",
    "resume_download",
    "return_tensors",
    "return_token_type_ids",
    "revision",
    "save_jinja_files",
    "separate_vocabs",
    "source_lang",
    "sp_model_kwargs",
    "spaces_between_special_tokens",
    "special_tokens",
    "special_tokens_map_file",
    "special_tokens_pattern",
    "stride",
    "subfolder",
    "suffix_first",
    "target_lang",
    "task",
    "tgt_lang",
    "token",
    "token_type_ids_include_special_tokens",
    "token_type_ids_pattern",
    "tokenizer_file",
    "tool_use_template",
    "transformers_version",
    "trim_offsets",
    "truncation",
    "truncation_side",
    "truncation_strategy",
    "trust_remote_code",
    "unk_id",
    "use_default_system_prompt",
    "use_fast",
    "use_source_tokenizer",
    "verbose",
    "vocab_file",
    "vocab_size",
    "vocab_type",
    "wordpieces_prefix",
];

/// Settings that are looked at below, or by the caller.
pub const UNDERSTOOD: &[&str] = &[
    "add_bos_token",
    "add_eos_token",
    "add_prefix_space",
    "do_lower_case",
    "do_lowercase_and_remove_accent",
    "fix_mistral_regex",
    "keep_accents",
    "split_by_punct",
    "split_special_tokens",
    "src_lang",
    "strip_accents",
    "tokenize_chinese_chars",
    "tokenizer_class",
];

/// What the classes of either version take as settings (`tools/reference/tokenizer_parameters.py`).
const PARAMETERS: &str = include_str!("parameters.txt");

/// Whether a class of either version takes the setting.
pub fn is_parameter(field: &str) -> bool {
    PARAMETERS.lines().any(|name| name == field)
}

/// Refuses a setting that a class takes and that is not known here. One that none takes changes nothing, and is remarked.
pub fn check(settings: &Config, understood: &[&str]) -> Result<(), CheckpointError> {
    for (field, value) in settings.entries() {
        let known = HARMLESS.contains(&field) || understood.contains(&field) || is_read(field);
        if known || value.is_null() {
            continue;
        }
        if is_parameter(field) {
            return Err(settings.unknown_field(field, value));
        }
        settings.remark(format!("passed-over={field}"));
    }
    Ok(())
}

/// What a tokenizer class does with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Sets case, accents and Chinese characters.
    Bert,
    /// Sets the blank in front of the text.
    ByteLevel,
    /// The same, in version 5 only.
    Qwen,
    /// Sets the special tokens around the text too, in version 4; there is none in version 5.
    NeoX,
    /// In version 4 sets the special tokens around the text: by itself a begin token, no end token.
    Llama,
    Gemma,
    /// In version 5 builds its normaliser from the settings.
    Albert,
    Deberta,
    Sentence,
    /// Sets the language and the end of a text: behind it (mBART), or the language in front (mBART-50).
    MBart,
    MBart50,
    /// Does as `tokenizer.json` says.
    Plain,
}

impl Family {
    pub fn of(class: &str) -> Option<Family> {
        Some(match class.strip_suffix("Fast").unwrap_or(class) {
            "BertTokenizer"
            | "ConvBertTokenizer"
            | "DistilBertTokenizer"
            | "ElectraTokenizer"
            | "MobileBertTokenizer"
            | "MPNetTokenizer"
            | "SqueezeBertTokenizer" => Family::Bert,
            "BartTokenizer"
            | "CodeGenTokenizer"
            | "DebertaTokenizer"
            | "GPT2Tokenizer"
            | "LongformerTokenizer"
            | "LukeTokenizer"
            | "RobertaTokenizer" => Family::ByteLevel,
            "Qwen2Tokenizer" => Family::Qwen,
            "GPTNeoXTokenizer" => Family::NeoX,
            "CodeLlamaTokenizer" | "LlamaTokenizer" => Family::Llama,
            "GemmaTokenizer" => Family::Gemma,
            "AlbertTokenizer" => Family::Albert,
            "DebertaV2Tokenizer" => Family::Deberta,
            "BarthezTokenizer"
            | "CamembertTokenizer"
            | "MLukeTokenizer"
            | "T5Tokenizer"
            | "XLMRobertaTokenizer" => Family::Sentence,
            "MBartTokenizer" => Family::MBart,
            "MBart50Tokenizer" => Family::MBart50,
            "PreTrainedTokenizer"
            | "TokenizersBackend"
            | "BertJapaneseTokenizer"
            | "BigBirdTokenizer"
            | "FlaubertTokenizer"
            | "HerbertTokenizer"
            | "RemBertTokenizer"
            | "BloomTokenizer"
            | "CohereTokenizer"
            | "XLMTokenizer"
            | "PythonBackend" => Family::Plain,
            _ => return None,
        })
    }

    /// Of the model's own class, where no file names one.
    pub fn of_model(model_type: &str) -> Family {
        match model_type {
            "bert" | "convbert" | "distilbert" | "electra" | "mpnet" => Family::Bert,
            "bart"
            | "deberta"
            | "longformer"
            | "luke"
            | "roberta-prelayernorm"
            | "exaone4"
            | "gpt2"
            | "gpt_bigcode"
            | "gpt_neo"
            | "gptj"
            | "granite"
            | "granitemoe"
            | "olmo3"
            | "opt"
            | "phi"
            | "roberta"
            | "starcoder2" => Family::ByteLevel,
            "qwen2" | "qwen2_5_vl" | "qwen2_moe" | "qwen2_vl" | "qwen3" | "qwen3_moe"
            | "qwen3_vl" => Family::Qwen,
            "gpt_neox" | "mpt" | "olmo" | "olmo2" | "olmoe" | "stablelm" => Family::NeoX,
            "deepseek_v2" | "deepseek_v3" | "llama" | "llama4" | "ministral" | "mistral"
            | "mistral3" | "mixtral" | "phi3" => Family::Llama,
            "gemma" | "gemma2" | "gemma3" | "gemma3_text" | "gemma3n" | "gemma3n_text" => {
                Family::Gemma
            }
            "albert" => Family::Albert,
            "deberta-v2" => Family::Deberta,
            "camembert" | "mt5" | "t5" | "xlm-roberta" => Family::Sentence,
            "mbart" => Family::MBart,
            _ => Family::Plain,
        }
    }
}
