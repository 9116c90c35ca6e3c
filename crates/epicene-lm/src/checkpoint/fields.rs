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
macro_rules! all_of {
    ($($list:expr),+ $(,)?) => {{
        const JOINED_LISTS: &[&[&str]] = &[$($list),+];
        const JOINED_COUNT: usize = $crate::checkpoint::count(JOINED_LISTS);
        const JOINED: [&str; JOINED_COUNT] = $crate::checkpoint::joined::<JOINED_COUNT>(JOINED_LISTS);
        &JOINED
    }};
}
pub(crate) use all_of;

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

#[cfg(test)]
mod tests {
    use crate::CheckpointError;
    use crate::architectures::Architecture;
    use crate::checkpoint::Config;
    use crate::seq2seq::TranslationArchitecture;

    /// The fields of well-known checkpoints, as they were published.
    const PUBLISHED: &[&str] = &[
        r#"{"architectures":["BertForMaskedLM"],"attention_probs_dropout_prob":0.1,"directionality":"bidi","hidden_act":"gelu","hidden_dropout_prob":0.1,"hidden_size":768,"initializer_range":0.02,"intermediate_size":3072,"layer_norm_eps":1e-12,"max_position_embeddings":512,"model_type":"bert","num_attention_heads":12,"num_hidden_layers":12,"pad_token_id":0,"pooler_fc_size":768,"pooler_num_attention_heads":12,"pooler_num_fc_layers":3,"pooler_size_per_head":128,"pooler_type":"first_token_transform","type_vocab_size":2,"vocab_size":119547}"#,
        r#"{"architectures":["XLMRobertaForMaskedLM"],"attention_probs_dropout_prob":0.1,"bos_token_id":0,"eos_token_id":2,"hidden_act":"gelu","hidden_dropout_prob":0.1,"hidden_size":768,"initializer_range":0.02,"intermediate_size":3072,"layer_norm_eps":1e-05,"max_position_embeddings":514,"model_type":"xlm-roberta","num_attention_heads":12,"num_hidden_layers":12,"output_past":true,"pad_token_id":1,"position_embedding_type":"absolute","transformers_version":"4.17.0.dev0","type_vocab_size":1,"use_cache":true,"vocab_size":250002}"#,
        r#"{"architectures":["AlbertForMaskedLM"],"attention_probs_dropout_prob":0,"bos_token_id":2,"classifier_dropout_prob":0.1,"down_scale_factor":1,"embedding_size":128,"eos_token_id":3,"gap_size":0,"hidden_act":"gelu_new","hidden_dropout_prob":0,"hidden_size":768,"initializer_range":0.02,"inner_group_num":1,"intermediate_size":3072,"layer_norm_eps":1e-12,"max_position_embeddings":512,"model_type":"albert","net_structure_type":0,"num_attention_heads":12,"num_hidden_groups":1,"num_hidden_layers":12,"num_memory_blocks":0,"pad_token_id":0,"type_vocab_size":2,"vocab_size":30000}"#,
        r#"{"activation":"gelu","architectures":["DistilBertForMaskedLM"],"attention_dropout":0.1,"dim":768,"dropout":0.1,"hidden_dim":3072,"initializer_range":0.02,"max_position_embeddings":512,"model_type":"distilbert","n_heads":12,"n_layers":6,"output_past":true,"pad_token_id":0,"qa_dropout":0.1,"seq_classif_dropout":0.2,"sinusoidal_pos_embds":false,"tie_weights_":true,"vocab_size":119547}"#,
        r#"{"model_type":"deberta-v2","attention_probs_dropout_prob":0.1,"hidden_act":"gelu","hidden_dropout_prob":0.1,"hidden_size":768,"initializer_range":0.02,"intermediate_size":3072,"max_position_embeddings":512,"relative_attention":true,"position_buckets":256,"norm_rel_ebd":"layer_norm","share_att_key":true,"pos_att_type":"p2c|c2p","layer_norm_eps":1e-7,"max_relative_positions":-1,"position_biased_input":false,"num_attention_heads":12,"num_hidden_layers":12,"type_vocab_size":0,"vocab_size":128100}"#,
        r#"{"architectures":["ModernBertForMaskedLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":50281,"classifier_activation":"gelu","classifier_bias":false,"classifier_dropout":0.0,"classifier_pooling":"mean","cls_token_id":50281,"decoder_bias":true,"deterministic_flash_attn":false,"embedding_dropout":0.0,"eos_token_id":50282,"global_attn_every_n_layers":3,"global_rope_theta":160000.0,"gradient_checkpointing":false,"hidden_activation":"gelu","hidden_size":768,"initializer_cutoff_factor":2.0,"initializer_range":0.02,"intermediate_size":1152,"layer_norm_eps":1e-05,"local_attention":128,"local_rope_theta":10000.0,"max_position_embeddings":8192,"mlp_bias":false,"mlp_dropout":0.0,"model_type":"modernbert","norm_bias":false,"norm_eps":1e-05,"num_attention_heads":12,"num_hidden_layers":22,"pad_token_id":50283,"position_embedding_type":"absolute","sep_token_id":50282,"tie_word_embeddings":true,"torch_dtype":"float32","transformers_version":"4.47.0.dev0","vocab_size":50368}"#,
        r#"{"activation_function":"gelu_new","architectures":["GPT2LMHeadModel"],"attn_pdrop":0.1,"bos_token_id":50256,"embd_pdrop":0.1,"eos_token_id":50256,"initializer_range":0.02,"layer_norm_epsilon":1e-05,"model_type":"gpt2","n_ctx":1024,"n_embd":768,"n_head":12,"n_layer":12,"n_positions":1024,"resid_pdrop":0.1,"summary_activation":null,"summary_first_dropout":0.1,"summary_proj_to_labels":true,"summary_type":"cls_index","summary_use_proj":true,"task_specific_params":{"text-generation":{"do_sample":true,"max_length":50}},"vocab_size":50257}"#,
        r#"{"architectures":["GPTNeoXForCausalLM"],"bos_token_id":0,"eos_token_id":0,"hidden_act":"gelu","hidden_size":512,"initializer_range":0.02,"intermediate_size":2048,"layer_norm_eps":1e-05,"max_position_embeddings":2048,"model_type":"gpt_neox","num_attention_heads":8,"num_hidden_layers":6,"rotary_emb_base":10000,"rotary_pct":0.25,"tie_word_embeddings":false,"torch_dtype":"float16","transformers_version":"4.24.0","use_cache":true,"use_parallel_residual":true,"vocab_size":50304}"#,
        r#"{"architectures":["LlamaForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":0,"eos_token_id":0,"hidden_act":"silu","hidden_size":576,"initializer_range":0.041666666666666664,"intermediate_size":1536,"is_llama_config":true,"max_position_embeddings":8192,"model_type":"llama","num_attention_heads":9,"num_hidden_layers":30,"num_key_value_heads":3,"pretraining_tp":1,"rms_norm_eps":1e-05,"rope_interleaved":false,"rope_scaling":null,"rope_theta":100000,"tie_word_embeddings":true,"torch_dtype":"bfloat16","transformers_version":"4.40.1","use_cache":true,"vocab_size":49152}"#,
        r#"{"architectures":["Qwen2ForCausalLM"],"attention_dropout":0.0,"bos_token_id":151643,"eos_token_id":151643,"hidden_act":"silu","hidden_size":896,"initializer_range":0.02,"intermediate_size":4864,"max_position_embeddings":32768,"max_window_layers":24,"model_type":"qwen2","num_attention_heads":14,"num_hidden_layers":24,"num_key_value_heads":2,"rms_norm_eps":1e-06,"rope_theta":1000000.0,"sliding_window":32768,"tie_word_embeddings":true,"torch_dtype":"bfloat16","transformers_version":"4.40.1","use_cache":true,"use_mrope":false,"use_sliding_window":false,"vocab_size":151936}"#,
        r#"{"architectures":["PhiForCausalLM"],"attention_dropout":0.0,"bos_token_id":50256,"embd_pdrop":0.0,"eos_token_id":50256,"hidden_act":"gelu_new","hidden_size":2560,"initializer_range":0.02,"intermediate_size":10240,"layer_norm_eps":1e-05,"max_position_embeddings":2048,"model_type":"phi","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":32,"partial_rotary_factor":0.4,"qk_layernorm":false,"resid_pdrop":0.1,"rope_scaling":null,"rope_theta":10000.0,"tie_word_embeddings":false,"torch_dtype":"float16","transformers_version":"4.37.0","use_cache":true,"vocab_size":51200}"#,
        r#"{"architectures":["Gemma2ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"attn_logit_softcapping":50.0,"bos_token_id":2,"cache_implementation":"hybrid","eos_token_id":1,"final_logit_softcapping":30.0,"head_dim":256,"hidden_act":"gelu_pytorch_tanh","hidden_activation":"gelu_pytorch_tanh","hidden_size":2304,"initializer_range":0.02,"intermediate_size":9216,"max_position_embeddings":8192,"model_type":"gemma2","num_attention_heads":8,"num_hidden_layers":26,"num_key_value_heads":4,"pad_token_id":0,"query_pre_attn_scalar":256,"rms_norm_eps":1e-06,"rope_theta":10000.0,"sliding_window":4096,"torch_dtype":"float32","transformers_version":"4.42.4","use_cache":true,"vocab_size":256000}"#,
        r#"{"architectures":["Gemma3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"attn_logit_softcapping":null,"bos_token_id":2,"cache_implementation":"hybrid","eos_token_id":1,"final_logit_softcapping":null,"head_dim":256,"hidden_activation":"gelu_pytorch_tanh","hidden_size":1152,"initializer_range":0.02,"intermediate_size":6912,"max_position_embeddings":32768,"model_type":"gemma3_text","num_attention_heads":4,"num_hidden_layers":26,"num_key_value_heads":1,"pad_token_id":0,"query_pre_attn_scalar":256,"rms_norm_eps":1e-06,"rope_local_base_freq":10000,"rope_scaling":null,"rope_theta":1000000,"sliding_window":512,"sliding_window_pattern":6,"torch_dtype":"bfloat16","transformers_version":"4.50.0.dev0","use_cache":true,"vocab_size":262144}"#,
        r#"{"_name_or_path":"x","_num_labels":3,"activation_dropout":0.0,"activation_function":"swish","add_bias_logits":false,"add_final_layer_norm":false,"architectures":["MarianMTModel"],"attention_dropout":0.0,"bad_words_ids":[[58100]],"bos_token_id":0,"classif_dropout":0.0,"classifier_dropout":0.0,"d_model":512,"decoder_attention_heads":8,"decoder_ffn_dim":2048,"decoder_layerdrop":0.0,"decoder_layers":6,"decoder_start_token_id":58100,"decoder_vocab_size":58101,"dropout":0.1,"encoder_attention_heads":8,"encoder_ffn_dim":2048,"encoder_layerdrop":0.0,"encoder_layers":6,"eos_token_id":0,"extra_pos_embeddings":58101,"forced_eos_token_id":0,"id2label":{"0":"LABEL_0"},"init_std":0.02,"is_encoder_decoder":true,"label2id":{"LABEL_0":0},"max_length":512,"max_position_embeddings":512,"model_type":"marian","normalize_before":false,"normalize_embedding":false,"num_beams":6,"num_hidden_layers":6,"pad_token_id":58100,"scale_embedding":true,"share_encoder_decoder_embeddings":true,"static_position_embeddings":true,"transformers_version":"4.22.0.dev0","use_cache":true,"vocab_size":58101}"#,
        r#"{"_name_or_path":"x","activation_dropout":0.0,"activation_function":"relu","architectures":["M2M100ForConditionalGeneration"],"attention_dropout":0.1,"bos_token_id":0,"d_model":1024,"decoder_attention_heads":16,"decoder_ffn_dim":4096,"decoder_layerdrop":0,"decoder_layers":12,"decoder_start_token_id":2,"dropout":0.1,"encoder_attention_heads":16,"encoder_ffn_dim":4096,"encoder_layerdrop":0,"encoder_layers":12,"eos_token_id":2,"init_std":0.02,"is_encoder_decoder":true,"max_length":200,"max_position_embeddings":1024,"model_type":"m2m_100","num_hidden_layers":12,"pad_token_id":1,"scale_embedding":true,"tokenizer_class":"NllbTokenizer","torch_dtype":"float32","transformers_version":"4.21.0.dev0","use_cache":true,"vocab_size":256206}"#,
        r#"{"_num_labels":3,"activation_dropout":0.0,"activation_function":"gelu","add_bias_logits":false,"add_final_layer_norm":true,"architectures":["MBartForConditionalGeneration"],"attention_dropout":0.0,"bos_token_id":0,"classif_dropout":0.0,"classifier_dropout":0.0,"d_model":1024,"decoder_attention_heads":16,"decoder_ffn_dim":4096,"decoder_layerdrop":0.0,"decoder_layers":12,"decoder_start_token_id":2,"dropout":0.1,"early_stopping":true,"encoder_attention_heads":16,"encoder_ffn_dim":4096,"encoder_layerdrop":0.0,"encoder_layers":12,"eos_token_id":2,"forced_eos_token_id":2,"gradient_checkpointing":false,"init_std":0.02,"is_encoder_decoder":true,"max_length":200,"max_position_embeddings":1024,"model_type":"mbart","normalize_before":true,"normalize_embedding":true,"num_beams":5,"num_hidden_layers":12,"output_past":true,"pad_token_id":1,"scale_embedding":true,"static_position_embeddings":false,"tokenizer_class":"MBart50Tokenizer","transformers_version":"4.4.0.dev0","use_cache":true,"vocab_size":250054}"#,
        r#"{"architectures":["T5ForConditionalGeneration"],"d_ff":2048,"d_kv":64,"d_model":512,"decoder_start_token_id":0,"dropout_rate":0.1,"eos_token_id":1,"initializer_factor":1.0,"is_encoder_decoder":true,"layer_norm_epsilon":1e-06,"model_type":"t5","n_positions":512,"num_heads":8,"num_layers":6,"output_past":true,"pad_token_id":0,"relative_attention_num_buckets":32,"task_specific_params":{"translation_en_to_de":{"early_stopping":true,"max_length":300,"num_beams":4,"prefix":"translate English to German: "}},"vocab_size":32128}"#,
    ];

    fn read(text: &str) -> Result<Config, CheckpointError> {
        let config = Config::parse(text)?;
        let fields = match Architecture::of(&config) {
            Ok(architecture) => architecture.fields,
            Err(_) => TranslationArchitecture::of(&config)?.fields,
        };
        config.read_with(fields)
    }

    #[test]
    fn published_configurations_are_understood() {
        for text in PUBLISHED {
            read(text).unwrap();
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let text = PUBLISHED[0].replacen('{', r#"{"attention_sinks": 4,"#, 1);
        let message = read(&text).unwrap_err().to_string();
        assert_eq!(
            message,
            "config.json: `attention_sinks` is 4, which is not understood here"
        );
    }
}
