//! The text part of a model that also sees pictures or hears: a configuration inside another, tensors under longer names, and
//! beside them the tensors of eye and ear, which nothing here reads. Without a picture or a sound such a model is its text part.

use std::collections::BTreeMap;
use std::sync::Arc;

use epicene_checkpoint::{CheckpointError, Config, Fields, Weights};
use epicene_kernels::Precision;

/// A model around a text model.
struct Wrapper {
    model_type: &'static str,
    /// What its text part is, where `text_config` does not say.
    text: &'static str,
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        model_type: "gemma3",
        text: "gemma3_text",
    },
    Wrapper {
        model_type: "gemma3n",
        text: "gemma3n_text",
    },
    Wrapper {
        model_type: "mistral3",
        text: "mistral",
    },
    Wrapper {
        model_type: "qwen2_vl",
        text: "qwen2_vl_text",
    },
    Wrapper {
        model_type: "qwen2_5_vl",
        text: "qwen2_5_vl_text",
    },
    Wrapper {
        model_type: "qwen3_vl",
        text: "qwen3_vl_text",
    },
    Wrapper {
        model_type: "llama4",
        text: "llama4_text",
    },
];

/// Fields of the vision part, and of pictures inside a text.
const OUTER: Fields = Fields {
    understood: &["text_config tie_word_embeddings"],
    harmless: &[
        "audio_config audio_soft_tokens_per_image audio_token_id boa_token_id boi_token_id",
        "boi_token_index eoa_token_id eoi_token_id eoi_token_index image_token_id image_token_index",
        "mm_tokens_per_image multimodal_projector_bias projector_hidden_act spatial_merge_size",
        "video_token_id vision_config vision_end_token_id vision_feature_layer",
        "vision_soft_tokens_per_image vision_start_token_id vision_token_id",
    ],
};

/// How tensors of the text part begin, and how they begin in a text model.
const PREFIXES: [(&str, &str); 4] = [
    ("language_model.model.", "model."),
    ("language_model.lm_head.", "lm_head."),
    ("model.language_model.", "model."),
    ("model.lm_head.", "lm_head."),
];
/// How tensors of the eye and the ear begin.
const EYES: [&str; 11] = [
    "vision_tower.",
    "vision_model.",
    "visual.",
    "multi_modal_projector.",
    "model.vision_tower.",
    "model.vision_model.",
    "model.visual.",
    "model.multi_modal_projector.",
    "model.audio_tower.",
    "model.embed_audio.",
    "model.embed_vision.",
];

/// The model type of the text part, where a configuration around it says one.
pub fn inner_type(config: &Config) -> Option<&str> {
    let mut wrappers = WRAPPERS.iter();
    wrappers.find(|wrapper| config.model_type() == Some(wrapper.model_type))?;
    config.stored("text_config")?.get("model_type")?.as_str()
}

/// Configuration and weights of the text part; those of a text model as they are.
pub fn text_part(
    config: Config,
    weights: Arc<dyn Weights>,
) -> Result<(Config, Arc<dyn Weights>), CheckpointError> {
    let of_type = |wrapper: &&Wrapper| config.model_type() == Some(wrapper.model_type);
    let wrapper = WRAPPERS.iter().find(of_type);
    let Some(wrapper) = wrapper.filter(|_| config.is_written()) else {
        // A text part that was saved alone may have kept its names (Gemma 3n in version 4).
        let text = |wrapper: &Wrapper| config.model_type() == Some(wrapper.text);
        let long = |name: &&str| name.starts_with("model.language_model.");
        if WRAPPERS.iter().any(text) && weights.names().iter().any(long) {
            return Ok((config, Arc::new(TextPart::of(weights))));
        }
        return Ok((config, weights));
    };
    let config = config.inside("text_config", OUTER, wrapper.text)?;
    Ok((config, Arc::new(TextPart::of(weights))))
}

/// Weights under the names a text model has.
#[derive(Debug)]
struct TextPart {
    weights: Arc<dyn Weights>,
    /// The stored name of each.
    stored: BTreeMap<String, String>,
}

impl TextPart {
    fn of(weights: Arc<dyn Weights>) -> TextPart {
        let mut stored = BTreeMap::new();
        for name in weights.names() {
            if EYES.iter().any(|eye| name.starts_with(eye)) {
                continue;
            }
            let renamed = PREFIXES
                .iter()
                .find_map(|(long, short)| Some(format!("{short}{}", name.strip_prefix(long)?)))
                .map(|name| name.replace("model.language_model", "model"));
            stored.insert(renamed.unwrap_or_else(|| name.to_owned()), name.to_owned());
        }
        TextPart { weights, stored }
    }

    fn name<'a>(&'a self, name: &'a str) -> &'a str {
        self.stored.get(name).map_or(name, String::as_str)
    }
}

impl Weights for TextPart {
    fn inner(&self) -> Option<&dyn Weights> {
        Some(&*self.weights)
    }

    fn shape(&self, name: &str) -> Option<&[usize]> {
        self.weights.shape(self.stored.get(name)?)
    }

    fn precision(&self, name: &str) -> Option<Precision> {
        self.weights.precision(self.stored.get(name)?)
    }

    fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        self.weights.read(self.name(name), first, out)
    }

    fn read_kept(
        &self,
        name: &str,
        first: usize,
        precision: Precision,
        out: &mut [u8],
    ) -> Result<bool, CheckpointError> {
        self.weights
            .read_kept(self.name(name), first, precision, out)
    }

    fn note(&self, name: &str) {
        self.weights.note(self.name(name));
    }

    fn names(&self) -> Vec<&str> {
        self.stored.keys().map(String::as_str).collect()
    }

    fn file_of(&self, name: &str) -> &str {
        self.weights.file_of(self.name(name))
    }
}
