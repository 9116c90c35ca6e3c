//! Sequence-to-sequence models run here: `hf:ORG/NAME[@REVISION]`, `dir:PATH`.
