//! Scripts as what the framework asks chat models with.

use epicene_core::{Item, ItemRef, Question, Unit};

use super::{CHAT_LABELS, Script, audit_unit, check, is_pooled, question, sheets};
use crate::benchmark::Sheets;
use crate::formula::AuditLabel;
use crate::options::{OptionError, Options};
use crate::{AnswerFile, Ask, Card, Dialogue};

impl Dialogue for Script {
    fn asks(&self, options: &Options) -> Vec<Ask> {
        self.asks(options)
    }

    fn question(&self, item: &Item, ask: &Ask) -> Question {
        question(self, item, ask)
    }

    fn sheets(
        &self,
        card: &Card,
        files: &[AnswerFile],
        items: &[Item],
        options: &Options,
    ) -> Sheets {
        sheets(card, files, items, &self.asks(options))
    }

    fn check(&self, card: &Card, options: &Options) -> Result<(), OptionError> {
        check(card, self, options)
    }

    fn prompt(&self, item: ItemRef<'_>, unit: &Unit) -> Option<String> {
        self.prompt(item, unit)
    }

    fn audit_labels(&self) -> &'static [AuditLabel] {
        CHAT_LABELS
    }

    fn audit_unit(&self, unit: &Unit) -> String {
        audit_unit(unit)
    }

    fn pools(&self, pooled: &str, unit: &str) -> bool {
        is_pooled(pooled, unit)
    }
}
