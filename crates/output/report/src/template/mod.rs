//! Reports with the sections that others ask for: a model card, a file for auditors. Every sentence comes from the run or
//! from the card of its benchmark; what neither knows is a line that begins with `TO FILL`.

mod audit;
mod document;
mod facts;
mod model_card;

use std::str::FromStr;

pub use document::Document;
pub use facts::{AuditFacts, Check, RunFacts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    ModelCard,
    Audit,
}

impl Template {
    pub const NAMES: [&'static str; 2] = ["model-card", "audit"];

    pub fn title(self) -> &'static str {
        match self {
            Template::ModelCard => "Model card: gender bias",
            Template::Audit => "Audit file: gender bias",
        }
    }

    /// The template with what these runs say.
    pub fn fill(self, runs: &[RunFacts], audit: &AuditFacts) -> Document {
        let mut document = Document::default();
        document.text(format!(
            "Produced by epicene {}; not legal advice, not a certificate.",
            env!("CARGO_PKG_VERSION")
        ));
        match self {
            Template::ModelCard => model_card::fill(&mut document, runs),
            Template::Audit => audit::fill(&mut document, runs, audit),
        }
        document
    }
}

impl FromStr for Template {
    type Err = String;

    fn from_str(given: &str) -> Result<Template, String> {
        match given {
            "model-card" => Ok(Template::ModelCard),
            "audit" => Ok(Template::Audit),
            _ => Err(format!(
                "`{given}` is none of {}",
                Template::NAMES.join(", ")
            )),
        }
    }
}
