//! A text file from outside, read and unpacked: what parsers get.

/// The whole text with what is needed to speak about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// As given, for messages.
    pub path: String,
    /// Without directories: what manifests and signatures say.
    pub name: String,
    /// Of the file as it lies on disk.
    pub sha256: String,
    pub text: String,
}

impl TextFile {
    /// The file name without `.gz` and its extension: `roberta-base_template-0`.
    pub fn stem(&self) -> &str {
        let name = self.name.strip_suffix(".gz").unwrap_or(&self.name);
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }
}
