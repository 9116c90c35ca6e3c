//! The two small English models that come with the program, as files in memory. They are a crate of
//! their own so that a build reads the weights once.
//!
//! How they were trained, on what, and what they measure at: `models/README.md`.

/// A model's files: name and contents.
pub type Files = &'static [(&'static str, &'static [u8])];

macro_rules! files {
    ($folder:literal, $($name:literal),+ $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../models/", $folder, "/", $name)))),+]
    };
}

/// Names and files, e.g. `mlm` for `demo:mlm`.
pub static EMBEDDED: &[(&str, Files)] = &[
    (
        "mlm",
        files!(
            "mlm",
            "config.json",
            "tokenizer.json",
            "tokenizer_config.json",
            "special_tokens_map.json",
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
        ),
    ),
    (
        "clm",
        files!(
            "clm",
            "config.json",
            "tokenizer.json",
            "tokenizer_config.json",
            "special_tokens_map.json",
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
        ),
    ),
];

pub fn find(name: &str) -> Option<Files> {
    EMBEDDED
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, files)| *files)
}
