//! Tokenizer classes of `transformers` by what they do with their settings, and the settings that are known.

/// Settings that change no token of a text.
pub const HARMLESS: &[&str] = &[
    "_from_auto",
    "add_dummy_prefix",
    "added_tokens_decoder",
    "additional_special_tokens",
    "auto_map",
    "backend",
    "boi_token",
    "cache_dir",
    "chat_template",
    "clean_up_tokenization_spaces",
    "cls_token",
    "device_map",
    "do_basic_tokenize",
    "eoi_token",
    "eos_token",
    "errors",
    "extra_ids",
    "extra_special_tokens",
    "full_tokenizer_file",
    "id2lang",
    "image_token",
    "init_inputs",
    "is_local",
    "lang2id",
    "language_codes",
    "legacy",
    "legacy_behaviour",
    "local_files_only",
    "mask_token",
    "max_len",
    "max_length",
    "merges_file",
    "model_input_names",
    "model_max_length",
    "model_type",
    "name_or_path",
    "never_split",
    "num_madeup_words",
    "pad_to_multiple_of",
    "pad_token",
    "pad_token_type_id",
    "padding",
    "padding_side",
    "processor_class",
    "remove_space",
    "response_schema",
    "return_tensors",
    "return_token_type_ids",
    "revision",
    "sep_token",
    "separate_vocabs",
    "source_lang",
    "sp_model_kwargs",
    "spaces_between_special_tokens",
    "special_tokens",
    "special_tokens_map_file",
    "stride",
    "target_lang",
    "tgt_lang",
    "tokenizer_file",
    "trim_offsets",
    "truncation",
    "truncation_side",
    "truncation_strategy",
    "trust_remote_code",
    "unk_token",
    "use_default_system_prompt",
    "use_fast",
    "vocab_file",
    "wordpieces_prefix",
];

/// Settings that are looked at below, or by the caller.
pub const UNDERSTOOD: &[&str] = &[
    "add_bos_token",
    "add_eos_token",
    "add_prefix_space",
    "bos_token",
    "do_lower_case",
    "do_lowercase_and_remove_accent",
    "keep_accents",
    "split_by_punct",
    "split_special_tokens",
    "src_lang",
    "strip_accents",
    "tokenize_chinese_chars",
    "tokenizer_class",
];

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
            "LlamaTokenizer" => Family::Llama,
            "GemmaTokenizer" => Family::Gemma,
            "AlbertTokenizer" => Family::Albert,
            "DebertaV2Tokenizer" => Family::Deberta,
            "CamembertTokenizer" | "T5Tokenizer" | "XLMRobertaTokenizer" => Family::Sentence,
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
            "gemma" | "gemma2" | "gemma3" | "gemma3_text" => Family::Gemma,
            "albert" => Family::Albert,
            "deberta-v2" => Family::Deberta,
            "camembert" | "mt5" | "t5" | "xlm-roberta" => Family::Sentence,
            "mbart" => Family::MBart,
            _ => Family::Plain,
        }
    }
}
