//! Sequence-to-sequence models run here: `hf:ORG/NAME[@REVISION]`, `dir:PATH`.

use epicene_lm::ModelSpec;

use crate::{MtError, Opening, Translator};

/// Opens a model of `epicene_lm::seq2seq` as a translator.
pub(crate) fn open(
    model: &ModelSpec,
    _opening: &Opening<'_>,
) -> Result<Box<dyn Translator>, MtError> {
    Err(MtError::Spec {
        given: model.to_string(),
        message: "sequence-to-sequence models are not in this build".to_owned(),
    })
}
