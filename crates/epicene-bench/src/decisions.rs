//! What the rules leave undecided, written out for a person (`--unresolved`) and read back (`--input decisions=FILE`).

use std::collections::BTreeMap;

use epicene_core::{Finding, InputError, TextFile, Verdict};

use crate::Verdicts;

/// Role of the file of decisions.
pub const DECISIONS_INPUT: &str = "decisions";

/// The rule of a verdict that a person gave.
const BY_HAND: &str = "by-hand";

const LABELS: [(&str, Finding); 4] = [
    ("female", Finding::Feminine),
    ("male", Finding::Masculine),
    ("neutral", Finding::Common),
    ("wrong", Finding::Mistranslated),
];

/// Findings of a person, by item and, where the file says so, by system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decisions {
    findings: BTreeMap<(String, String), Finding>,
}

/// What decisions belong to, where they decided nothing.
pub(crate) fn unused(verdicts: &Verdicts) -> Option<&'static str> {
    let mut cells = verdicts.cells.iter().flatten();
    let decided = cells.any(|verdict| verdict.rule == BY_HAND);
    (!decided).then_some("answers that the rules leave undecided")
}

impl Decisions {
    /// A table with the columns `id` and `label`, maybe `system`; rows without a label are still undecided.
    pub fn read(file: &TextFile) -> Result<Decisions, InputError> {
        let mut lines = (1u64..).zip(file.text.lines());
        let header: Vec<&str> = lines
            .next()
            .map_or_else(Vec::new, |(_, line)| line.split('\t').collect());
        let place = |name: &str| header.iter().position(|cell| *cell == name);
        let (Some(id_at), Some(label_at)) = (place("id"), place("label")) else {
            return Err(
                InputError::new(&file.path, "the header needs the columns id and label")
                    .at_line(1)
                    .with_hint("fill in the column label of the file that --unresolved wrote"),
            );
        };
        let system_at = place("system");
        let mut decisions = Decisions::default();
        for (number, line) in lines {
            if line.is_empty() {
                continue;
            }
            let cells: Vec<&str> = line.split('\t').collect();
            let complain = |message: String| InputError::new(&file.path, message).at_line(number);
            let cell = |at: usize| cells.get(at).copied().unwrap_or("").trim();
            let label = cell(label_at);
            if label.is_empty() {
                continue;
            }
            let known = LABELS.iter().find(|(name, _)| *name == label);
            let (_, finding) = known.ok_or_else(|| {
                complain(format!("the label is `{label}`"))
                    .with_hint("labels are female, male, neutral, wrong")
            })?;
            let key = (
                cell(id_at).to_owned(),
                system_at.map_or("", cell).to_owned(),
            );
            if let Some(before) = decisions.findings.insert(key, *finding)
                && before != *finding
            {
                return Err(complain(format!("{} is decided twice", cell(id_at))));
            }
        }
        Ok(decisions)
    }

    /// Decides a verdict that the rules left open.
    pub fn decide(&self, verdict: &mut Verdict, id: &str, system: &str) {
        if verdict.finding != Finding::Undecided || self.findings.is_empty() {
            return;
        }
        let by = |system: &str| self.findings.get(&(id.to_owned(), system.to_owned()));
        if let Some(finding) = by(system).or_else(|| by("")) {
            *verdict = Verdict::new(*finding, BY_HAND);
        }
    }
}
