//! The judged lines of a system, alone, by group and in pairs: measures and comparisons count the same ones.

use std::collections::BTreeMap;

use super::data::{self, CONTEXTUAL, COUNTERFACTUAL};
use super::words::Shown;
use crate::{BenchError, ColumnView, Verdicts};

/// A line that was judged.
#[derive(Debug, Clone, Copy)]
pub struct JudgedLine<'a> {
    pub item: usize,
    pub shown: Shown,
    subset: &'a str,
    gender: &'a str,
    pair: Option<&'a str>,
    /// The part of the translation that counts.
    pub text: &'a str,
    pub reference: &'a str,
    pub other: &'a str,
    pub tagged: Option<&'a str>,
}

pub fn lines<'a>(
    view: &ColumnView<'a>,
    verdicts: &Verdicts,
) -> Result<Vec<JudgedLine<'a>>, BenchError> {
    let mut found = Vec::new();
    for (index, verdict) in verdicts.cells.iter().enumerate() {
        let (Some(text), Some(verdict)) = (view.text(index), verdict) else {
            continue;
        };
        let item = view.items().get(index);
        let label = |name: &str| {
            item.label(name).ok_or_else(|| BenchError::BadItem {
                item: item.id.to_owned(),
                message: format!("it has no {name}"),
            })
        };
        found.push(JudgedLine {
            item: index,
            // A person's decision has another rule: then the finding says what it is.
            shown: Shown::of_rule(verdict.rule).unwrap_or(match verdict.outcome {
                Some(epicene_core::Outcome::Wrong) => Shown::Other,
                _ => Shown::Own,
            }),
            subset: label(data::SUBSET_LABEL)?,
            gender: label(data::GENDER)?,
            pair: item.label(data::PAIR),
            text: super::judged_part(view, item, text),
            reference: label(data::REFERENCE)?,
            other: label(data::OTHER)?,
            tagged: item.label(data::TAGGED),
        });
    }
    Ok(found)
}

/// Groups of lines with their names.
pub const GROUPS: [(&str, &str, Option<&str>); 6] = [
    ("masculine", COUNTERFACTUAL, Some("masculine")),
    ("feminine", COUNTERFACTUAL, Some("feminine")),
    ("contextual", CONTEXTUAL, None),
    ("contextual:masculine", CONTEXTUAL, Some("masculine")),
    ("contextual:feminine", CONTEXTUAL, Some("feminine")),
    ("contextual:unknown", CONTEXTUAL, Some("unknown")),
];

pub fn of_group<'a>(
    lines: &[JudgedLine<'a>],
    (_, subset, gender): (&str, &str, Option<&str>),
) -> Vec<JudgedLine<'a>> {
    let belongs =
        |line: &&JudgedLine<'_>| line.subset == subset && gender.is_none_or(|g| line.gender == g);
    lines.iter().filter(belongs).copied().collect()
}

/// Both lines of each pair; a pair that lacks one is left out.
pub fn pairs<'a>(lines: &[JudgedLine<'a>]) -> Vec<[JudgedLine<'a>; 2]> {
    let mut found: BTreeMap<u64, [Option<JudgedLine<'a>>; 2]> = BTreeMap::new();
    for line in lines {
        if let Some(number) = line.pair.and_then(|pair| pair.parse().ok()) {
            let side = usize::from(line.gender == "feminine");
            found.entry(number).or_default()[side] = Some(*line);
        }
    }
    let both = |[masculine, feminine]: [Option<JudgedLine<'a>>; 2]| Some([masculine?, feminine?]);
    found.into_values().filter_map(both).collect()
}
