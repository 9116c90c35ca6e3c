//! The architectures this engine reads, one file each. A file says which tensors make up which part
//! of a [`Transformer`]; `epicene-transformer` has the arithmetic.

mod albert;
mod alibi;
mod apertus;
mod bert;
mod big_bird;
mod bloom;
mod cohere;
mod convbert;
mod deberta;
mod deberta_v2;
mod decoder;
mod deepseek;
mod distilbert;
mod electra;
mod encoder;
mod eurobert;
mod exaone4;
mod experts;
mod falcon;
mod gemma;
mod gemma3n;
mod glm4;
mod gpt2;
mod gpt_bigcode;
mod gpt_neo;
mod gpt_neox;
mod gpt_oss;
mod gptj;
mod granite;
mod layers;
mod llama;
mod llama4;
mod longformer;
mod luke;
mod mixtral;
mod modernbert;
mod mpnet;
mod mpt;
mod nemotron;
mod neobert;
mod nomic_bert;
mod olmo;
mod olmo2;
mod olmoe;
mod opt;
pub(crate) mod parts;
mod phi;
mod phi3;
#[cfg(test)]
mod published;
mod qwen_moe;
pub(crate) mod relatives;
mod rembert;
mod roberta;
mod roberta_prelayernorm;
mod rope;
pub mod seq2seq;
mod smollm3;
mod stablelm;
mod starcoder2;
mod text_part;
mod xlm;
mod xlm_roberta_xl;

pub(crate) use seq2seq::filling_architecture;
pub use seq2seq::{FILLING_ARCHITECTURES, TRANSLATION_ARCHITECTURES, TranslationArchitecture};
pub(crate) use text_part::text_part;

use std::sync::Arc;

use epicene_core::ModelKind;

use epicene_checkpoint::{CheckpointError, Config, Fields, FileSet, Weights, Writer};
use epicene_transformer::Transformer;

/// Builds a model from its configuration and weights.
type Load = fn(&Config, Arc<dyn Weights>) -> Result<Transformer, CheckpointError>;

/// A family of checkpoints.
#[derive(Debug)]
pub struct Architecture {
    /// As people call it.
    pub name: &'static str,
    /// The values of `model_type` in `config.json`.
    pub model_types: &'static [&'static str],
    pub kind: ModelKind,
    /// What it knows of its configuration.
    pub(crate) fields: Fields,
    load: Load,
}

/// The table below, a line for each architecture: kind, name, model types, fields, how it is built.
macro_rules! table {
    ($($kind:ident $name:literal [$($type:literal),+] $fields:path, $load:path;)+) => {
        &[$(Architecture {
            name: $name,
            model_types: &[$($type),+],
            kind: ModelKind::$kind,
            fields: $fields,
            load: $load,
        }),+]
    };
}

/// In the order `epicene list architectures` shows them.
#[rustfmt::skip]
pub const ARCHITECTURES: &[Architecture] = table! {
    Masked "BERT" ["bert"] bert::FIELDS, bert::load;
    Masked "RoBERTa, DistilRoBERTa" ["roberta"] roberta::FIELDS, roberta::load;
    Masked "XLM-RoBERTa, XLM-V, CamemBERT" ["xlm-roberta", "camembert"] roberta::FIELDS, roberta::load;
    Masked "XLM-RoBERTa-XL" ["xlm-roberta-xl"] xlm_roberta_xl::FIELDS, xlm_roberta_xl::load;
    Masked "ALBERT" ["albert"] albert::FIELDS, albert::load;
    Masked "DistilBERT" ["distilbert"] distilbert::FIELDS, distilbert::load;
    Masked "ELECTRA generator" ["electra"] electra::FIELDS, electra::load;
    Masked "ConvBERT" ["convbert"] convbert::FIELDS, convbert::load;
    Masked "XLM" ["xlm"] xlm::FIELDS, xlm::load;
    Masked "DeBERTa-v2, DeBERTa-v3" ["deberta-v2"] deberta_v2::FIELDS, deberta_v2::load;
    Masked "ModernBERT" ["modernbert"] modernbert::FIELDS, modernbert::load;
    Masked "DeBERTa (v1)" ["deberta"] deberta::FIELDS, deberta::load;
    Masked "MPNet" ["mpnet"] mpnet::FIELDS, mpnet::load;
    Masked "RoBERTa-PreLayerNorm" ["roberta-prelayernorm"] roberta_prelayernorm::FIELDS, roberta_prelayernorm::load;
    Masked "FlauBERT" ["flaubert"] xlm::FLAUBERT, xlm::load;
    Masked "RemBERT" ["rembert"] rembert::FIELDS, rembert::load;
    Masked "BigBird" ["big_bird"] big_bird::FIELDS, big_bird::load;
    Masked "Longformer" ["longformer"] longformer::FIELDS, longformer::load;
    Masked "LUKE, mLUKE" ["luke"] luke::FIELDS, luke::load;
    Masked "EuroBERT" ["eurobert"] eurobert::FIELDS, eurobert::load;
    Masked "NomicBERT" ["nomic_bert"] nomic_bert::FIELDS, nomic_bert::load;
    Masked "NeoBERT" ["neobert"] neobert::FIELDS, neobert::load;
    Causal "GPT-2" ["gpt2"] gpt2::FIELDS, gpt2::load;
    Causal "GPT-NeoX, Pythia" ["gpt_neox"] gpt_neox::FIELDS, gpt_neox::load;
    Causal "Llama, SmolLM" ["llama"] llama::LLAMA, llama::load;
    Causal "Mistral" ["mistral", "mistral3"] llama::MISTRAL, llama::load;
    Causal "Qwen 2" ["qwen2"] llama::QWEN2, llama::load;
    Causal "Qwen 3" ["qwen3"] llama::QWEN3, llama::load;
    Causal "Phi-1, Phi-1.5, Phi-2" ["phi"] phi::FIELDS, phi::load;
    Causal "Phi-3, Phi-3.5, Phi-4" ["phi3"] phi3::FIELDS, phi3::load;
    Causal "Gemma" ["gemma"] gemma::GEMMA, gemma::load;
    Causal "Gemma 2" ["gemma2"] gemma::GEMMA2, gemma::load;
    Causal "Gemma 3" ["gemma3_text", "gemma3"] gemma::GEMMA3, gemma::load;
    Causal "Gemma 3n" ["gemma3n_text", "gemma3n"] gemma3n::FIELDS, gemma3n::load;
    Causal "Ministral" ["ministral"] llama::MINISTRAL, llama::load;
    Causal "OLMo" ["olmo"] olmo::FIELDS, olmo::load;
    Causal "OLMo 2" ["olmo2"] olmo2::OLMO2, olmo2::load;
    Causal "OLMo 3" ["olmo3"] olmo2::OLMO3, olmo2::load;
    Causal "Granite 3" ["granite"] granite::GRANITE, granite::load;
    Causal "SmolLM 3" ["smollm3"] smollm3::FIELDS, smollm3::load;
    Causal "Command R, Aya 23" ["cohere"] cohere::COHERE, cohere::load;
    Causal "Command R7B, Command A" ["cohere2"] cohere::COHERE2, cohere::load;
    Causal "GLM-4" ["glm", "glm4"] glm4::FIELDS, glm4::load;
    Causal "StableLM 2" ["stablelm"] stablelm::FIELDS, stablelm::load;
    Causal "EXAONE 4" ["exaone4"] exaone4::FIELDS, exaone4::load;
    Causal "Nemotron, Minitron" ["nemotron"] nemotron::FIELDS, nemotron::load;
    Causal "Apertus" ["apertus"] apertus::FIELDS, apertus::load;
    Causal "Falcon" ["falcon"] falcon::FIELDS, falcon::load;
    Causal "OPT" ["opt"] opt::FIELDS, opt::load;
    Causal "BLOOM, BLOOMZ" ["bloom"] bloom::FIELDS, bloom::load;
    Causal "GPT-J" ["gptj"] gptj::FIELDS, gptj::load;
    Causal "GPT-Neo" ["gpt_neo"] gpt_neo::FIELDS, gpt_neo::load;
    Causal "MPT" ["mpt"] mpt::FIELDS, mpt::load;
    Causal "StarCoder, SantaCoder" ["gpt_bigcode"] gpt_bigcode::FIELDS, gpt_bigcode::load;
    Causal "StarCoder 2" ["starcoder2"] starcoder2::FIELDS, starcoder2::load;
    Causal "Llama 4" ["llama4_text", "llama4"] llama4::FIELDS, llama4::load;
    Causal "Qwen 2 VL, Qwen 2.5 VL" ["qwen2_vl_text", "qwen2_vl", "qwen2_5_vl_text", "qwen2_5_vl"] llama::QWEN2_VL, llama::load;
    Causal "Qwen 3 VL" ["qwen3_vl_text", "qwen3_vl"] llama::QWEN3_VL, llama::load;
    Causal "Mixtral" ["mixtral"] mixtral::FIELDS, mixtral::load;
    Causal "Qwen 1.5 MoE, Qwen 2 MoE" ["qwen2_moe"] qwen_moe::QWEN2_MOE, qwen_moe::load;
    Causal "Qwen 3 MoE" ["qwen3_moe"] qwen_moe::QWEN3_MOE, qwen_moe::load;
    Causal "gpt-oss" ["gpt_oss"] gpt_oss::FIELDS, gpt_oss::load;
    Causal "DeepSeek-V2" ["deepseek_v2"] deepseek::DEEPSEEK_V2, deepseek::load;
    Causal "DeepSeek-V3, DeepSeek-R1" ["deepseek_v3"] deepseek::DEEPSEEK_V3, deepseek::load;
    Causal "OLMoE" ["olmoe"] olmoe::FIELDS, olmoe::load;
    Causal "Granite 3 MoE" ["granitemoe"] granite::GRANITE_MOE, granite::load;
};

/// The model types that answer questions about texts.
pub(crate) fn types_read() -> impl Iterator<Item = &'static str> {
    let fillers = FILLING_ARCHITECTURES.iter().flat_map(|a| a.model_types);
    let all = ARCHITECTURES.iter().flat_map(|a| a.model_types);
    all.chain(fillers).copied()
}

/// What is known about an architecture that is not read from GGUF files. llama.cpp's names have `-` where others have `_`.
pub(crate) fn gguf_advice(found: &str) -> String {
    let alike = |name: &str| name.replace('-', "_") == found.replace('-', "_");
    if types_read().any(alike) {
        return " (its Hugging Face checkpoint is supported: dir:PATH, hf:ORG/NAME)".to_owned();
    }
    let names = epicene_checkpoint::gguf::FAMILIES
        .iter()
        .map(|family| family.name);
    relatives::advice(found, names).0
}

/// The error for a model type that is not supported.
fn unread(found: &str) -> CheckpointError {
    let translates = |a: &TranslationArchitecture| a.model_types.contains(&found);
    if TRANSLATION_ARCHITECTURES.iter().any(translates) {
        return CheckpointError::Translates {
            file: "config.json".to_owned(),
            found: found.to_owned(),
        };
    }
    let (advice, kind) = relatives::advice(found, types_read());
    CheckpointError::UnknownArchitecture {
        file: "config.json".to_owned(),
        found: found.to_owned(),
        advice,
        hint: kind.way_out(),
    }
}

/// Rejects by its configuration, without the fields in `ignored`, a model that is not supported: for the hub, before it fetches weights.
pub(crate) fn accepting(
    set: FileSet,
    ignored: &[String],
) -> impl Fn(&Config) -> Result<(), CheckpointError> {
    move |config| refuse_unread(&config.clone().ignoring(ignored), set)
}

/// Rejects an unsupported model by its configuration alone, before anything larger is read or fetched.
pub(crate) fn refuse_unread(config: &Config, set: FileSet) -> Result<(), CheckpointError> {
    let fields = match (set, filling_architecture(config)) {
        (FileSet::Translator, _) => TranslationArchitecture::of(config)?.fields,
        (_, Some(architecture)) => architecture.fields,
        (_, None) => match text_part::inner_type(config) {
            Some(inner) => Architecture::named(inner)?.fields,
            None => Architecture::of(config)?.fields,
        },
    };
    config.refuse_quantised(fields)
}

impl Architecture {
    /// Well-known checkpoints of this architecture.
    pub fn known(&self) -> String {
        let known = self.model_types.iter().copied();
        let known: Vec<&str> = known.filter_map(relatives::known).collect();
        known.join(", ")
    }

    /// The architecture `config.json` names.
    pub fn of(config: &Config) -> Result<&'static Architecture, CheckpointError> {
        match config.model_type() {
            Some(found) => Architecture::named(found),
            None => Err(unread(config.class().unwrap_or("(no model_type)"))),
        }
    }

    fn named(model_type: &str) -> Result<&'static Architecture, CheckpointError> {
        ARCHITECTURES
            .iter()
            .find(|architecture| architecture.model_types.contains(&model_type))
            .ok_or_else(|| unread(model_type))
    }

    /// The token that positions are counted without, where a model counts so; in a text it would change what is read.
    pub(crate) fn padding(&self, config: &Config) -> Result<Option<u32>, CheckpointError> {
        let field = match config.model_type() {
            Some(
                "roberta"
                | "xlm-roberta"
                | "camembert"
                | "xlm-roberta-xl"
                | "roberta-prelayernorm"
                | "longformer"
                | "luke",
            ) => "pad_token_id",
            Some("mpnet") => return Ok(Some(mpnet::PADDING)),
            Some("xlm" | "flaubert") if config.writer() == Writer::Four => "pad_index",
            Some("xlm" | "flaubert") => "pad_token_id",
            _ => return Ok(None),
        };
        Ok(Some(config.size_or(field, 0)? as u32))
    }

    pub fn load(
        &self,
        config: &Config,
        weights: Arc<dyn Weights>,
    ) -> Result<Transformer, CheckpointError> {
        (self.load)(config, weights)
    }
}

#[cfg(test)]
mod tests {
    use epicene_checkpoint::has_defaults;

    use super::*;

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
            "config.json: `attention_sinks` is 4, which is not supported"
        );
    }

    #[test]
    fn the_defaults_of_every_model_type_are_known() {
        let models = ARCHITECTURES.iter().flat_map(|a| a.model_types);
        let translators = TRANSLATION_ARCHITECTURES.iter().flat_map(|a| a.model_types);
        let fillers = FILLING_ARCHITECTURES.iter().flat_map(|a| a.model_types);
        for model_type in models.chain(translators).chain(fillers) {
            assert!(has_defaults(model_type), "{model_type}");
        }
    }
}
