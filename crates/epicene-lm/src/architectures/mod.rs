//! The architectures this engine reads, one file each. A file says which tensors make up which part
//! of a [`Transformer`]; the arithmetic is elsewhere.

mod albert;
mod alibi;
mod apertus;
mod bert;
mod bloom;
mod cohere;
mod convbert;
mod deberta_v2;
mod decoder;
mod deepseek;
mod distilbert;
mod electra;
mod exaone4;
mod experts;
mod falcon;
mod gemma;
mod glm4;
mod gpt2;
mod gpt_bigcode;
mod gpt_neo;
mod gpt_neox;
mod gpt_oss;
mod gptj;
mod granite;
mod llama;
mod llama4;
mod mixtral;
mod modernbert;
mod mpt;
mod nemotron;
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
mod roberta;
mod rope;
mod smollm3;
mod stablelm;
mod starcoder2;
mod text_part;
mod xlm;
mod xlm_roberta_xl;

pub(crate) use text_part::text_part;

use std::sync::Arc;

use epicene_core::ModelKind;

use crate::checkpoint::{CheckpointError, Config, Fields, Weights, Writer};
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

const fn masked(
    name: &'static str,
    model_types: &'static [&'static str],
    fields: Fields,
    load: Load,
) -> Architecture {
    Architecture {
        name,
        model_types,
        kind: ModelKind::Masked,
        fields,
        load,
    }
}

const fn causal(
    name: &'static str,
    model_types: &'static [&'static str],
    fields: Fields,
    load: Load,
) -> Architecture {
    Architecture {
        name,
        model_types,
        kind: ModelKind::Causal,
        fields,
        load,
    }
}

/// In the order `epicene list architectures` shows them.
pub const ARCHITECTURES: &[Architecture] = &[
    masked("BERT", &["bert"], bert::FIELDS, bert::load),
    masked(
        "RoBERTa, DistilRoBERTa",
        &["roberta"],
        roberta::FIELDS,
        roberta::load,
    ),
    masked(
        "XLM-RoBERTa, XLM-V, CamemBERT",
        &["xlm-roberta", "camembert"],
        roberta::FIELDS,
        roberta::load,
    ),
    masked(
        "XLM-RoBERTa-XL",
        &["xlm-roberta-xl"],
        xlm_roberta_xl::FIELDS,
        xlm_roberta_xl::load,
    ),
    masked("ALBERT", &["albert"], albert::FIELDS, albert::load),
    masked(
        "DistilBERT",
        &["distilbert"],
        distilbert::FIELDS,
        distilbert::load,
    ),
    masked(
        "ELECTRA generator",
        &["electra"],
        electra::FIELDS,
        electra::load,
    ),
    masked("ConvBERT", &["convbert"], convbert::FIELDS, convbert::load),
    masked("XLM", &["xlm"], xlm::FIELDS, xlm::load),
    masked(
        "DeBERTa-v2, DeBERTa-v3",
        &["deberta-v2"],
        deberta_v2::FIELDS,
        deberta_v2::load,
    ),
    masked(
        "ModernBERT",
        &["modernbert"],
        modernbert::FIELDS,
        modernbert::load,
    ),
    causal("GPT-2", &["gpt2"], gpt2::FIELDS, gpt2::load),
    causal(
        "GPT-NeoX, Pythia",
        &["gpt_neox"],
        gpt_neox::FIELDS,
        gpt_neox::load,
    ),
    causal("Llama, SmolLM", &["llama"], llama::LLAMA, llama::load),
    causal(
        "Mistral",
        &["mistral", "mistral3"],
        llama::MISTRAL,
        llama::load,
    ),
    causal("Qwen 2", &["qwen2"], llama::QWEN2, llama::load),
    causal("Qwen 3", &["qwen3"], llama::QWEN3, llama::load),
    causal("Phi-1, Phi-1.5, Phi-2", &["phi"], phi::FIELDS, phi::load),
    causal("Phi-3, Phi-3.5, Phi-4", &["phi3"], phi3::FIELDS, phi3::load),
    causal("Gemma", &["gemma"], gemma::GEMMA, gemma::load),
    causal("Gemma 2", &["gemma2"], gemma::GEMMA2, gemma::load),
    causal(
        "Gemma 3",
        &["gemma3_text", "gemma3"],
        gemma::GEMMA3,
        gemma::load,
    ),
    causal("Ministral", &["ministral"], llama::MINISTRAL, llama::load),
    causal("OLMo", &["olmo"], olmo::FIELDS, olmo::load),
    causal("OLMo 2", &["olmo2"], olmo2::OLMO2, olmo2::load),
    causal("OLMo 3", &["olmo3"], olmo2::OLMO3, olmo2::load),
    causal("Granite 3", &["granite"], granite::GRANITE, granite::load),
    causal("SmolLM 3", &["smollm3"], smollm3::FIELDS, smollm3::load),
    causal(
        "Command R, Aya 23",
        &["cohere"],
        cohere::COHERE,
        cohere::load,
    ),
    causal(
        "Command R7B, Command A",
        &["cohere2"],
        cohere::COHERE2,
        cohere::load,
    ),
    causal("GLM-4", &["glm", "glm4"], glm4::FIELDS, glm4::load),
    causal(
        "StableLM 2",
        &["stablelm"],
        stablelm::FIELDS,
        stablelm::load,
    ),
    causal("EXAONE 4", &["exaone4"], exaone4::FIELDS, exaone4::load),
    causal(
        "Nemotron, Minitron",
        &["nemotron"],
        nemotron::FIELDS,
        nemotron::load,
    ),
    causal("Apertus", &["apertus"], apertus::FIELDS, apertus::load),
    causal("Falcon", &["falcon"], falcon::FIELDS, falcon::load),
    causal("OPT", &["opt"], opt::FIELDS, opt::load),
    causal("BLOOM, BLOOMZ", &["bloom"], bloom::FIELDS, bloom::load),
    causal("GPT-J", &["gptj"], gptj::FIELDS, gptj::load),
    causal("GPT-Neo", &["gpt_neo"], gpt_neo::FIELDS, gpt_neo::load),
    causal("MPT", &["mpt"], mpt::FIELDS, mpt::load),
    causal(
        "StarCoder, SantaCoder",
        &["gpt_bigcode"],
        gpt_bigcode::FIELDS,
        gpt_bigcode::load,
    ),
    causal(
        "StarCoder 2",
        &["starcoder2"],
        starcoder2::FIELDS,
        starcoder2::load,
    ),
    causal(
        "Llama 4",
        &["llama4_text", "llama4"],
        llama4::FIELDS,
        llama4::load,
    ),
    causal(
        "Qwen 2 VL, Qwen 2.5 VL",
        &["qwen2_vl_text", "qwen2_vl", "qwen2_5_vl_text", "qwen2_5_vl"],
        llama::QWEN2_VL,
        llama::load,
    ),
    causal(
        "Qwen 3 VL",
        &["qwen3_vl_text", "qwen3_vl"],
        llama::QWEN3_VL,
        llama::load,
    ),
    causal("Mixtral", &["mixtral"], mixtral::FIELDS, mixtral::load),
    causal(
        "Qwen 1.5 MoE, Qwen 2 MoE",
        &["qwen2_moe"],
        qwen_moe::QWEN2_MOE,
        qwen_moe::load,
    ),
    causal(
        "Qwen 3 MoE",
        &["qwen3_moe"],
        qwen_moe::QWEN3_MOE,
        qwen_moe::load,
    ),
    causal("gpt-oss", &["gpt_oss"], gpt_oss::FIELDS, gpt_oss::load),
    causal(
        "DeepSeek-V2",
        &["deepseek_v2"],
        deepseek::DEEPSEEK_V2,
        deepseek::load,
    ),
    causal(
        "DeepSeek-V3, DeepSeek-R1",
        &["deepseek_v3"],
        deepseek::DEEPSEEK_V3,
        deepseek::load,
    ),
    causal("OLMoE", &["olmoe"], olmoe::FIELDS, olmoe::load),
    causal(
        "Granite 3 MoE",
        &["granitemoe"],
        granite::GRANITE_MOE,
        granite::load,
    ),
];

impl Architecture {
    /// The architecture `config.json` names.
    pub fn of(config: &Config) -> Result<&'static Architecture, CheckpointError> {
        let unknown = |found: &str| CheckpointError::UnknownArchitecture {
            file: "config.json".to_owned(),
            found: found.to_owned(),
        };
        let found = config.model_type().unwrap_or_default();
        ARCHITECTURES
            .iter()
            .find(|architecture| architecture.model_types.contains(&found))
            .ok_or_else(|| match found {
                "" => unknown(config.class().unwrap_or("(no model_type)")),
                found => unknown(found),
            })
    }

    /// The token that positions are counted without, where a model counts so; in a text it would change what is read.
    pub(crate) fn padding(&self, config: &Config) -> Result<Option<u32>, CheckpointError> {
        let field = match config.model_type() {
            Some("roberta" | "xlm-roberta" | "camembert" | "xlm-roberta-xl") => "pad_token_id",
            Some("xlm") if config.writer() == Writer::Four => "pad_index",
            Some("xlm") => "pad_token_id",
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
