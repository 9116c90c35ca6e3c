//! What the rules leave undecided, written out for a person and read back (specification, A5).

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};

use super::label::Label;

/// Role of the file of decisions: `--input decisions=FILE`.
pub const DECISIONS_INPUT: &str = "decisions";

/// Labels a person gave, by item and, where the file says so, by system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decisions {
    labels: BTreeMap<(String, String), Label>,
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
            if cell(label_at).is_empty() {
                continue;
            }
            let label = cell(label_at).parse().map_err(|()| {
                complain(format!("the label is `{}`", cell(label_at)))
                    .with_hint("labels are female, male, neutral, wrong")
            })?;
            let key = (
                cell(id_at).to_owned(),
                system_at.map_or("", cell).to_owned(),
            );
            if let Some(before) = decisions.labels.insert(key, label)
                && before != label
            {
                return Err(complain(format!("{} is decided twice", cell(id_at))));
            }
        }
        Ok(decisions)
    }

    pub fn of(&self, id: &str, system: &str) -> Option<Label> {
        let by = |system: &str| self.labels.get(&(id.to_owned(), system.to_owned()));
        by(system).or_else(|| by("")).copied()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }
}
