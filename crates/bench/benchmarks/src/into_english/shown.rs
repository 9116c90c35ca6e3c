//! What a translation shows, as the numbers count it.

use epicene_core::{Finding, Verdict};

use crate::{ColumnView, Verdicts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Masculine,
    Feminine,
    /// `they`, `someone`.
    Neutral,
    /// `it`: avoids a gender by making a person a thing.
    It,
    /// "he or she".
    Paired,
    /// `he` and `she` of one person, or of several people.
    Mixed,
    Unknown,
}

impl Shown {
    pub const ALL: [(Shown, &'static str); 7] = [
        (Shown::Masculine, "share_m"),
        (Shown::Feminine, "share_f"),
        (Shown::Neutral, "share_neutral"),
        (Shown::It, "share_it"),
        (Shown::Paired, "share_paired"),
        (Shown::Mixed, "share_mixed"),
        (Shown::Unknown, "share_unknown"),
    ];

    pub fn of(verdict: &Verdict) -> Shown {
        match verdict.finding {
            Finding::Masculine => Shown::Masculine,
            Finding::Feminine => Shown::Feminine,
            Finding::Both if verdict.rule.starts_with("mixed") => Shown::Mixed,
            Finding::Both => Shown::Paired,
            Finding::Neutral | Finding::Common if verdict.rule == "it" => Shown::It,
            Finding::Neutral | Finding::Common | Finding::Neuter => Shown::Neutral,
            _ => Shown::Unknown,
        }
    }

    /// Whether it is masculine; `None` where it is of no single gender.
    pub fn is_masculine(self) -> Option<bool> {
        match self {
            Shown::Masculine => Some(true),
            Shown::Feminine => Some(false),
            _ => None,
        }
    }

    pub fn is_gendered(self) -> bool {
        matches!(self, Shown::Masculine | Shown::Feminine | Shown::Mixed)
    }

    pub fn is_open(self) -> bool {
        matches!(self, Shown::Neutral | Shown::Paired)
    }
}

/// What every answered item of a column shows, by the item's index.
pub fn shown(view: &ColumnView<'_>, verdicts: &Verdicts) -> Vec<(usize, Shown)> {
    let cells = verdicts.cells.iter().enumerate();
    cells
        .filter(|(item, _)| view.text(*item).is_some())
        .filter_map(|(item, verdict)| Some((item, Shown::of(verdict.as_ref()?))))
        .collect()
}
