//! The architectures this engine reads, one file each. A file says which tensors make up which part
//! of a [`Transformer`]; the arithmetic is elsewhere.

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
mod smollm3;
mod stablelm;
mod starcoder2;
mod text_part;
mod xlm;
mod xlm_roberta_xl;

pub use relatives::Stranger;
pub(crate) use text_part::text_part;

use std::sync::Arc;

use epicene_core::ModelKind;

use crate::checkpoint::{CheckpointError, Config, Fields, FileSet, Weights, Writer};
use crate::seq2seq::{FILLING_ARCHITECTURES, TRANSLATION_ARCHITECTURES};
use crate::seq2seq::{TranslationArchitecture, filling_architecture};
use crate::transformer::Transformer;

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

/// The complaint that a model type is not read.
fn unread(found: &str) -> CheckpointError {
    let translates = |a: &TranslationArchitecture| a.model_types.contains(&found);
    if TRANSLATION_ARCHITECTURES.iter().any(translates) {
        return CheckpointError::Translates {
            file: "config.json".to_owned(),
            found: found.to_owned(),
        };
    }
    let (advice, stranger) = relatives::advice(found, types_read());
    CheckpointError::UnknownArchitecture {
        file: "config.json".to_owned(),
        found: found.to_owned(),
        advice,
        stranger,
    }
}

/// Refuses by its configuration alone a model that is not read here, before anything larger is looked at or fetched.
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
