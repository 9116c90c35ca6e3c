//! GPT-J (Wang and Komatsuzaki 2021): both halves side by side behind one norm, positions that turn neighbours in the
//! first 64 features of a head.

use std::sync::Arc;

use super::decoder::{Decoder, GPT};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::Rotary;
use epicene_transformer::{Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(GPT, &["rotary_dim"]),
    // GPT-J's own file says `rotary: true`.
    harmless: &["is_decoder n_ctx rotary scale_attn_weights"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let mut decoder = Decoder::gpt(config, weights, "gelu_new")?;
    let (hidden, head_size) = (decoder.hidden, decoder.head_size);
    let turned = config.optional_size("rotary_dim")?.unwrap_or(hidden);
    if turned > head_size || !turned.is_multiple_of(2) {
        let problem = format!("is {turned}, not an even number of a head's {head_size} features");
        return Err(config.bad("rotary_dim", problem));
    }
    decoder.neighbours = Some(turned);
    let decoder = decoder;
    let rotary = Arc::new(Rotary::new(turned, 10_000.0));
    let layers = decoder.each_layer("transformer.h", |_, at| {
        let names = ["q_proj", "k_proj", "v_proj", "out_proj"].map(|n| format!("{at}.attn.{n}"));
        let names = names.each_ref().map(String::as_str);
        let mut attention = decoder.attention(names, Bias::None, Bias::None)?;
        attention.rotary = Some(rotary.clone());
        let (inner, outer) = (format!("{at}.mlp.fc_in"), format!("{at}.mlp.fc_out"));
        let norms = Norms {
            before_attention: Some(decoder.norm(&format!("{at}.ln_1"))?),
            ..Norms::default()
        };
        Ok(Layer {
            parallel: true,
            ..Layer::new(
                attention,
                decoder.plain(&inner, &outer, Bias::Needed)?,
                norms,
            )
        })
    })?;
    // Positions are a table of this many rows.
    let longest = config.size(&["n_positions"])?;
    let names = ["transformer.wte", "transformer.ln_f", "lm_head"];
    let mut model = decoder.model(names, layers, Some(longest))?;
    decoder.add_head_bias(&mut model, "lm_head.bias")?;
    Ok(model)
}
