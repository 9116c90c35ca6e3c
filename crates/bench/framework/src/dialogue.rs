//! What a benchmark says to chat models.

use std::fmt::Debug;

use epicene_core::{Ask, Item, ItemRef, Question, Unit};

use crate::Card;
use crate::benchmark::{AnswerFile, Sheets};
use crate::formula::AuditLabel;
use crate::options::{OptionError, Options};

/// The prompts of a benchmark for chat models, and how their answers are stored and audited.
pub trait Dialogue: Debug + Send + Sync {
    /// The units that the options want.
    fn asks(&self, options: &Options) -> Vec<Ask>;

    fn question(&self, item: &Item, ask: &Ask) -> Question;

    /// Answers that a user already has.
    fn sheets(
        &self,
        card: &Card,
        files: &[AnswerFile],
        items: &[Item],
        options: &Options,
    ) -> Sheets;

    /// Refuses options that do not go together.
    fn check(&self, card: &Card, options: &Options) -> Result<(), OptionError>;

    /// What a unit asks about an item, in words; `None` for a unit that is not one of its own.
    fn prompt(&self, item: ItemRef<'_>, unit: &Unit) -> Option<String>;

    /// What annotators may say about an answer.
    fn audit_labels(&self) -> &'static [AuditLabel];

    /// The unit of the rows that the answers of a unit belong to.
    fn audit_unit(&self, unit: &Unit) -> String;

    /// Whether rows of the unit `pooled` are means over units of which this is one.
    fn pools(&self, pooled: &str, unit: &str) -> bool;
}
