//! EXAONE 4: norms behind each half and on each head; the 32B model has windows.

use serde_json::json;

use super::{ATTENTION, Family, HEAD_NORMS, LIKE_LLAMA, NETWORK, NORMS_BEHIND};

pub const EXAONE4: Family = Family {
    name: "exaone4",
    inside: &[ATTENTION, HEAD_NORMS, NORMS_BEHIND, NETWORK],
    config: |reader| {
        let window = reader.window()?;
        let types = match window {
            Some(_) => Some(reader.layer_types(4)?),
            None => None,
        };
        reader.llama(
            ["exaone4", "Exaone4ForCausalLM"],
            json!({"sliding_window": window, "layer_types": types}),
        )
    },
    ..LIKE_LLAMA
};
