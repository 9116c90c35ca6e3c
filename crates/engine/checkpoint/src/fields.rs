//! Which fields of `config.json` are understood. Each architecture names those it reads and those that change nothing
//! here; any other field must have the value `transformers` takes by itself. A setting nobody here knows of can change
//! every number, so that it is refused by name.

/// What an architecture knows of its configuration. Names stand one by one or several in a line, parted by spaces.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    pub understood: &'static [&'static str],
    /// Known to change no probability, beside [`HARMLESS`].
    pub harmless: &'static [&'static str],
}

/// Several lists of fields as one.
#[macro_export]
macro_rules! all_of {
    ($($list:expr),+ $(,)?) => {{
        const JOINED_LISTS: &[&[&str]] = &[$($list),+];
        const JOINED_COUNT: usize = $crate::count(JOINED_LISTS);
        const JOINED: [&str; JOINED_COUNT] = $crate::joined::<JOINED_COUNT>(JOINED_LISTS);
        &JOINED
    }};
}

pub const fn count(lists: &[&[&'static str]]) -> usize {
    let (mut count, mut list) = (0, 0);
    while list < lists.len() {
        count += lists[list].len();
        list += 1;
    }
    count
}

pub const fn joined<const COUNT: usize>(lists: &[&[&'static str]]) -> [&'static str; COUNT] {
    let mut all = [""; COUNT];
    let (mut place, mut list) = (0, 0);
    while list < lists.len() {
        let mut field = 0;
        while field < lists[list].len() {
            all[place] = lists[list][field];
            place += 1;
            field += 1;
        }
        list += 1;
    }
    all
}

/// Fields that change nothing in any architecture: dropout and the making of new weights, what is returned, heads for
/// other tasks, settings of programs around `transformers`, settings of sampling (nothing is sampled here).
pub const HARMLESS: &[&str] = &[
    // What the file is.
    "_commit_hash",
    "_name_or_path",
    "architectures",
    "auto_map",
    "custom_pipelines",
    "model_type",
    "name_or_path",
    "tokenizer_class",
    "transformers_version",
    // How it runs in other programs.
    "_attn_implementation",
    "_attn_implementation_autoset",
    "_attn_implementation_internal",
    "_flash_attn_2_enabled",
    "attn_implementation",
    "cache_implementation",
    "chunk_size_feed_forward",
    "dtype",
    "gradient_checkpointing",
    "output_attentions",
    "output_hidden_states",
    "output_past",
    "output_scores",
    "pretraining_tp",
    "return_dict",
    "return_dict_in_generate",
    "tf_legacy_loss",
    "torch_dtype",
    "torchscript",
    "transformers.js_config",
    "unsloth_fixed",
    "unsloth_version",
    "use_bfloat16",
    "use_cache",
    "xla_device",
    // Only in training.
    "activation_dropout",
    "attention_dropout",
    "attention_probs_dropout_prob",
    "attn_pdrop",
    "classif_dropout",
    "classifier_dropout",
    "classifier_dropout_prob",
    "cls_dropout",
    "decoder_layerdrop",
    "dropout",
    "dropout_rate",
    "embd_pdrop",
    "embed_init_std",
    "embedding_dropout",
    "encoder_layerdrop",
    "hidden_dropout",
    "hidden_dropout_prob",
    "init_std",
    "initializer_cutoff_factor",
    "initializer_factor",
    "initializer_range",
    "layerdrop",
    "mlp_dropout",
    "pooler_dropout",
    "resid_pdrop",
    // Heads of other tasks.
    "_num_labels",
    "classifier_pooling",
    "directionality",
    "end_n_top",
    "finetuning_task",
    "id2label",
    "label2id",
    "num_labels",
    "pooler_fc_size",
    "pooler_hidden_act",
    "pooler_hidden_size",
    "pooler_num_attention_heads",
    "pooler_num_fc_layers",
    "pooler_size_per_head",
    "pooler_type",
    "problem_type",
    "start_n_top",
    "summary_activation",
    "summary_first_dropout",
    "summary_last_dropout",
    "summary_proj_to_labels",
    "summary_type",
    "summary_use_proj",
    // Tokens by number: the tokenizer says which are put around a text.
    "bos_token_id",
    "cls_token_id",
    "decoder_start_token_id",
    "eos_token_id",
    "mask_token_id",
    "pad_token_id",
    "sep_token_id",
    "unk_token_id",
    // Of `generate`; for translators generation.rs looks at them.
    "bad_words_ids",
    "begin_suppress_tokens",
    "diversity_penalty",
    "do_sample",
    "early_stopping",
    "encoder_no_repeat_ngram_size",
    "exponential_decay_length_penalty",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "length_penalty",
    "max_length",
    "max_new_tokens",
    "min_length",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "num_return_sequences",
    "prefix",
    "remove_invalid_values",
    "repetition_penalty",
    "suppress_tokens",
    "task_specific_params",
    "temperature",
    "top_k",
    "top_p",
    "typical_p",
];

/// Whether one of the lines has the field.
fn names(lines: &[&str], field: &str) -> bool {
    lines
        .iter()
        .any(|line| line.split(' ').any(|name| name == field))
}

impl Fields {
    pub fn covers(&self, field: &str) -> bool {
        names(self.understood, field) || self.is_harmless(field) || HARMLESS.contains(&field)
    }

    /// Whether the architecture names a field as one that changes nothing.
    pub fn is_harmless(&self, field: &str) -> bool {
        names(self.harmless, field)
    }
}
