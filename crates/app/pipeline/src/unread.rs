//! Files beside a run's answers that nothing read: they are warned of, and not signed.

use std::collections::BTreeMap;

use epicene_bench::{AskedColumn, Asking, Card, Options, Verdicts};
use epicene_core::{AnswerTable, Ask, Column};
use epicene_run::Manifest;

/// Roles, with what each belongs to.
pub(crate) type Unread = BTreeMap<String, String>;

/// Of the files of a run those that neither its options nor its answers gave a use.
pub(crate) fn unread(
    card: &Card,
    manifest: &Manifest,
    options: &Options,
    (table, verdicts): (&AnswerTable, &[Verdicts]),
) -> Unread {
    let column = |column: &Column| AskedColumn {
        system: Some(&table.system(column).name),
        ask: Ask::new(column.unit.clone(), column.scorer),
    };
    let asking = Asking {
        options,
        columns: table.columns.iter().map(column).collect(),
    };
    let why = |role: &String| {
        if let Some(whose) = asking.unread(card, role) {
            return Some((role.clone(), whose));
        }
        let spec = card.input(role)?;
        let unused = asking.columns_of(spec, role);
        let unused: Option<Vec<&str>> = unused
            .map(|place| (spec.unused)(&verdicts[place]))
            .collect();
        Some((role.clone(), (*unused?.first()?).to_owned()))
    };
    manifest.inputs.keys().filter_map(why).collect()
}

/// A word on each.
pub(crate) fn warnings(unread: &Unread) -> impl Iterator<Item = String> {
    unread.iter().map(|(role, whose)| {
        format!("the input {role} was not read and is not in the signature: it is for {whose}")
    })
}
