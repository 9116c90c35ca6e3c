//! The comment lines before a sentence, as far as they matter here.

use super::error::ReadError;
use super::sentence::DocumentStart;

#[derive(Debug, Default)]
pub(super) struct Comments {
    pub(super) sent_id: Option<String>,
    pub(super) text: Option<String>,
    pub(super) text_line: usize,
    pub(super) document: Option<DocumentStart>,
    /// Whether a blank line followed the `# newdoc`.
    document_closed: bool,
    pub(super) starts_paragraph: bool,
}

impl Comments {
    /// Takes `# key = value`; treebanks write a document's id as `# newdoc id = x`, as
    /// `# newdoc = x` or as `# newdoc_id = x`. Unknown comments mean nothing to us.
    pub(super) fn add(&mut self, comment: &str, line: usize) -> Result<(), ReadError> {
        let comment = comment.trim_start_matches('#').trim();
        let (key, value) = match comment.split_once('=') {
            Some((key, value)) => (key.trim(), Some(value.trim())),
            None => (comment, None),
        };
        match key {
            "sent_id" => self.sent_id = value.map(str::to_owned),
            "text" => {
                self.text = value.map(str::to_owned);
                self.text_line = line;
            }
            "newdoc" | "newdoc id" | "newdoc_id" => self.start_document(value, line)?,
            "newpar" | "newpar id" | "newpar_id" => self.starts_paragraph = true,
            _ => {}
        }
        Ok(())
    }

    /// Two comments on one document (`# newdoc`, `# newdoc_id = x`) are one start; two documents
    /// mean that the first has no sentence.
    fn start_document(&mut self, id: Option<&str>, line: usize) -> Result<(), ReadError> {
        let id = id.map(str::to_owned);
        match &mut self.document {
            None => self.document = Some(DocumentStart { id, line }),
            Some(document) => {
                let other_id = id.is_some() && document.id.is_some() && id != document.id;
                if self.document_closed || other_id {
                    let line = document.line;
                    return Err(ReadError::EmptyDocument { line });
                }
                document.id = document.id.take().or(id);
            }
        }
        Ok(())
    }

    /// A blank line that ends no sentence: what was said still holds for the next one.
    pub(super) fn end_block(&mut self) {
        self.document_closed = self.document.is_some();
    }

    /// Whether they announce a sentence of their own, even if no token follows. An empty
    /// translation is written so; dropping it would shift all that come after.
    pub(super) fn announce_sentence(&self) -> bool {
        self.sent_id.is_some() || self.text.is_some()
    }
}
