//! What the rules leave undecided, written out for a person (`--unresolved`) and read back (`--input decisions=FILE`).

use std::collections::BTreeMap;

use epicene_core::{Finding, InputError, TextFile, Verdict, counted};

use crate::Judged;

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

/// Findings of a person, by item and, where the file says so, by system and unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decisions {
    path: String,
    decided: BTreeMap<DecisionKey, Decision>,
}

/// Item, system, unit; the last two are empty where the file does not say them.
type DecisionKey = [String; 3];

#[derive(Debug, Clone, PartialEq, Eq)]
struct Decision {
    finding: Finding,
    line: u64,
    /// The text that was decided on, where the file says it.
    translation: Option<String>,
}

/// An answer that may be decided by hand.
#[derive(Debug, Clone, Copy)]
pub struct Open<'a> {
    pub id: &'a str,
    pub system: &'a str,
    pub unit: &'a str,
    pub text: Option<&'a str>,
}

/// What decisions belong to, where they decided nothing.
pub fn unused(verdicts: &Verdicts) -> Option<&'static str> {
    let mut cells = verdicts.cells.iter().flatten();
    let decided = cells.any(|verdict| verdict.rule == BY_HAND);
    (!decided).then_some("answers that the rules leave undecided")
}

impl Decisions {
    /// A table with the columns `id` and `label`, maybe `system`, `unit` and `translation`; rows without a label are
    /// still undecided.
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
        let (system_at, unit_at, text_at) = (place("system"), place("unit"), place("translation"));
        let mut decisions = Decisions {
            path: file.path.clone(),
            ..Decisions::default()
        };
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
            let [system, unit, text] = [system_at, unit_at, text_at].map(|at| at.map_or("", cell));
            let place = [cell(id_at), system, unit].map(str::to_owned);
            let decision = Decision {
                finding: *finding,
                line: number,
                translation: (!text.is_empty()).then(|| text.to_owned()),
            };
            if let Some(before) = decisions.decided.insert(place, decision)
                && before.finding != *finding
            {
                return Err(complain(format!("{} is decided twice", cell(id_at))));
            }
        }
        Ok(decisions)
    }

    /// Decides a verdict that the rules left open. Whoever decided on another text did not decide on this one.
    pub fn decide(&self, verdict: &mut Verdict, open: Open<'_>) -> Result<(), InputError> {
        if verdict.finding != Finding::Undecided || self.decided.is_empty() {
            return Ok(());
        }
        let Some((place, decision)) = self.about(open) else {
            return Ok(());
        };
        let here = open.text.map_or_else(String::new, flat);
        match &decision.translation {
            Some(text) if flat(text) != here => {
                // Without a name the line may be about another system.
                if place[1].is_empty() {
                    return Ok(());
                }
                let message = format!(
                    "{} of {} was decided on another translation: `{text}`, here it is `{here}`",
                    open.id, open.system
                );
                Err(InputError::new(&self.path, message)
                    .at_line(decision.line)
                    .with_hint(
                        "write the open answers anew with --unresolved, and decide on those",
                    ))
            }
            _ => {
                *verdict = Verdict::new(decision.finding, BY_HAND);
                Ok(())
            }
        }
    }

    /// The decision on an answer: the one that says most about where it belongs.
    fn about(&self, open: Open<'_>) -> Option<(&DecisionKey, &Decision)> {
        let places = [
            (open.system, open.unit),
            (open.system, ""),
            ("", open.unit),
            ("", ""),
        ];
        places.into_iter().find_map(|(system, unit)| {
            self.decided
                .get_key_value(&[open.id, system, unit].map(str::to_owned))
        })
    }

    /// Says which decisions decided nothing: their answer is not here, or the rules decide it.
    pub fn unused(&self, judged: &Judged<'_>) -> Option<String> {
        let mut idle: BTreeMap<&DecisionKey, &Decision> = self.decided.iter().collect();
        for (view, verdicts) in judged.columns() {
            let (system, unit) = (&view.system().name, view.column().unit.as_str());
            for (item, verdict) in verdicts.cells.iter().enumerate() {
                if verdict
                    .as_ref()
                    .is_some_and(|verdict| verdict.rule == BY_HAND)
                {
                    let open = Open {
                        id: view.items().get(item).id,
                        system,
                        unit,
                        text: None,
                    };
                    if let Some((place, _)) = self.about(open) {
                        idle.remove(place);
                    }
                }
            }
        }
        let first = idle.values().map(|decision| decision.line).min()?;
        Some(format!(
            "{}: {} of {} had no effect, first line {first}: there is no such answer here, or the rules decide it",
            self.path,
            idle.len(),
            counted(self.decided.len(), "decision", "decisions")
        ))
    }
}

/// As tables write a text: in one line, without tabs.
fn flat(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
