//! Which model and template a column of scores belongs to.
//!
//! Two spellings are read: `NAME_template-K`, the published file names, where K counts from 0 within
//! the templates a model's kind is asked (so a causal model's 0 is template 3); and
//! `NAME/template:N` with the paper's own number.

use std::collections::BTreeMap;

use epicene_core::{Answer, InputError, Item, ModelKind, TextFile, counted, there_are};

use super::published;
use super::templates::Template;
use crate::AnswerSheet;
use crate::score_file::{ScoreColumn, ScoreTable};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// Counted from 0 within the kind's templates.
    Index(u8),
    Number(Template),
}

/// Joins the columns of all files into one sheet for each model.
pub fn read_answers(
    files: &[TextFile],
    kind: Option<ModelKind>,
    items: &[Item],
) -> Result<Vec<AnswerSheet>, InputError> {
    let mut order: Vec<String> = Vec::new();
    let mut models: BTreeMap<String, Vec<(usize, Mark, ScoreColumn)>> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        let table = ScoreTable::parse(file)?;
        if table.rows != items.len() {
            return Err(wrong_length(file, table.rows, items.len()));
        }
        table.check_identity(file, items)?;
        for column in table.columns {
            let (model, mark) = split_name(&column.name).ok_or_else(|| bad_name(file, &column))?;
            let columns = models.entry(model.to_owned()).or_insert_with(|| {
                order.push(model.to_owned());
                Vec::new()
            });
            columns.push((index, mark, column));
        }
    }
    order
        .into_iter()
        .filter_map(|model| {
            let columns = models.remove(&model)?;
            Some(sheet(model, columns, kind, files))
        })
        .collect()
}

fn sheet(
    model: String,
    columns: Vec<(usize, Mark, ScoreColumn)>,
    kind: Option<ModelKind>,
    files: &[TextFile],
) -> Result<AnswerSheet, InputError> {
    let mut sources: Vec<usize> = columns.iter().map(|(file, _, _)| *file).collect();
    sources.dedup();
    let file = sources[0];
    let marks: Vec<Mark> = columns.iter().map(|(_, mark, _)| *mark).collect();
    let known = published::kind_of(&model).or_else(|| certain_kind(&marks));
    let complain = |message: String| InputError::new(&files[file].path, message).at_line(1);
    let kind = match (known, kind) {
        (Some(known), Some(said)) if known != said => {
            return Err(
                complain(format!("`{model}` is a {known} model, not a {said} one"))
                    .with_hint("--kind is for models whose columns do not tell"),
            );
        }
        (known, said) => known.or(said).or_else(|| likely_kind(&marks)),
    };
    let kind = kind.ok_or_else(|| {
        complain(format!(
            "cannot tell whether `{model}` is a masked or a causal model"
        ))
        .with_hint("give --kind masked or --kind causal")
    })?;
    let mut units: Vec<(Template, Vec<Answer>)> = Vec::new();
    for (file, mark, column) in columns {
        let complain = |message: String| InputError::new(&files[file].path, message).at_line(1);
        let template = resolve(mark, kind).ok_or_else(|| {
            complain(format!(
                "column `{}`: {kind} models have no such template",
                column.name
            ))
        })?;
        if units.iter().any(|(known, _)| *known == template) {
            return Err(complain(format!(
                "column `{}`: {model} already has scores for {}",
                column.name,
                template.unit()
            )));
        }
        units.push((
            template,
            column.scores.into_iter().map(Answer::Log10Ratio).collect(),
        ));
    }
    units.sort_by_key(|(template, _)| *template);
    Ok(AnswerSheet {
        system: model,
        kind,
        files: sources,
        units: units
            .into_iter()
            .map(|(template, answers)| (template.unit(), answers))
            .collect(),
    })
}

fn split_name(column: &str) -> Option<(&str, Mark)> {
    let (model, mark) = if let Some((model, index)) = column.rsplit_once("_template-") {
        (model, Mark::Index(index.parse().ok()?))
    } else {
        let (model, number) = column.rsplit_once("/template:")?;
        let template = Template::numbered(number.parse().ok()?)?;
        (model, Mark::Number(template))
    };
    (!model.is_empty()).then_some((model, mark))
}

/// A template that only masked models are asked.
fn certain_kind(marks: &[Mark]) -> Option<ModelKind> {
    let masked_only = marks.iter().any(|mark| match mark {
        Mark::Index(index) => *index >= 2,
        Mark::Number(template) => template.number() <= 2,
    });
    masked_only.then_some(ModelKind::Masked)
}

/// The two templates of the published causal files; a lone column could be either kind.
fn likely_kind(marks: &[Mark]) -> Option<ModelKind> {
    (marks.len() == 2).then_some(ModelKind::Causal)
}

fn resolve(mark: Mark, kind: ModelKind) -> Option<Template> {
    let templates = Template::of(kind);
    match mark {
        Mark::Index(index) => templates.get(usize::from(index)).copied(),
        Mark::Number(template) => templates.contains(&template).then_some(template),
    }
}

fn wrong_length(file: &TextFile, rows: usize, items: usize) -> InputError {
    let message = format!(
        "{}, the data has {}",
        there_are(rows, "row of scores", "rows of scores"),
        counted(items, "item", "items")
    );
    let error = InputError::new(&file.path, message).with_hint(
        "scores are aligned to the data's rows; is --data the edition they were made on?",
    );
    if rows < items {
        error.at_line(rows as u64 + 1)
    } else {
        error
    }
}

fn bad_name(file: &TextFile, column: &ScoreColumn) -> InputError {
    let message = format!("column `{}` names no model and template", column.name);
    InputError::new(&file.path, message)
        .at_line(1)
        .with_hint("call it NAME_template-K (K from 0) or NAME/template:N (N from 1 to 4)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str, kind: Option<ModelKind>) -> Result<Vec<AnswerSheet>, InputError> {
        let width = header.split(',').count();
        let file = TextFile {
            path: "s.csv".to_owned(),
            name: "s.csv".to_owned(),
            sha256: String::new(),
            text: format!("{header}\n{}\n", vec!["0.5"; width].join(",")),
        };
        read_answers(&[file], kind, &[Item::new("gest:1", "I ran.")])
    }

    fn units(header: &str, kind: Option<ModelKind>) -> (ModelKind, Vec<String>) {
        let sheets = read(header, kind).unwrap();
        assert_eq!(sheets.len(), 1);
        let names = sheets[0]
            .units
            .iter()
            .map(|(unit, _)| unit.to_string())
            .collect();
        (sheets[0].kind, names)
    }

    #[test]
    fn published_names_and_paper_numbers() {
        use ModelKind::{Causal, Masked};
        let both = ["template:3", "template:4"].map(str::to_owned).to_vec();
        assert_eq!(
            units("new_template-0,new_template-1", None),
            (Causal, both.clone())
        );
        assert_eq!(units("new/template:4,new/template:3", None), (Causal, both));
        assert_eq!(units("a_template-0,a_template-3", None).0, Masked);
        // Known models need no guess, nor does --kind.
        assert_eq!(
            units("roberta-base_template-0", None),
            (Masked, vec!["template:1".to_owned()])
        );
        assert_eq!(
            units("gpt2_template-0", None),
            (Causal, vec!["template:3".to_owned()])
        );
        assert_eq!(units("a_template-1", Some(Masked)).1, ["template:2"]);
    }

    #[test]
    fn columns_that_make_no_sense_are_refused() {
        for (header, kind, message) in [
            ("roberta-base", None, "names no model and template"),
            ("a_template-0", None, "cannot tell"),
            ("a_template-7", Some(ModelKind::Masked), "no such template"),
            (
                "a_template-2",
                Some(ModelKind::Causal),
                "is a masked model, not a causal one",
            ),
            (
                "gpt2_template-0",
                Some(ModelKind::Masked),
                "is a causal model, not a masked one",
            ),
            ("a_template-2,a/template:3", None, "already has scores"),
            ("_template-2", None, "names no model"),
            ("a/template:5", None, "names no model"),
        ] {
            let error = read(header, kind).unwrap_err().to_string();
            assert!(error.contains(message), "{header}: {error}");
        }
    }
}
