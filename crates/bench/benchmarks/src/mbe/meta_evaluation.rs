//! Does a method agree with the one it is to replace, over models (Kaneko et al. 2022, section 5.1)?

use epicene_core::{InputError, TextFile};
use epicene_stats::{Correlation, StatsError, pearson, spearman};

use crate::csv_input::CsvInput;

/// Agreement of two scores of the same models, both with 50 as the unbiased value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    pub spearman: Correlation,
    pub pearson: Correlation,
    /// Share of models on the same side of 50; exactly 50 agrees with exactly 50 only.
    pub direction: f64,
    /// Mean of |method − original|.
    pub difference: f64,
    /// Mean of method − original, the sign Tables 4–6 keep.
    pub signed_difference: f64,
}

pub fn agreement(method: &[f64], original: &[f64]) -> Result<Agreement, StatsError> {
    let (spearman, pearson) = (spearman(method, original)?, pearson(method, original)?);
    let count = method.len() as f64;
    let pairs = || method.iter().zip(original);
    let side = |score: f64| (score - 50.0).partial_cmp(&0.0);
    let same = pairs().filter(|(m, o)| side(**m) == side(**o)).count();
    Ok(Agreement {
        spearman,
        pearson,
        direction: same as f64 / count,
        difference: pairs().map(|(m, o)| (m - o).abs()).sum::<f64>() / count,
        signed_difference: pairs().map(|(m, o)| m - o).sum::<f64>() / count,
    })
}

/// Scores of the same models by an original and by other methods.
#[derive(Debug, Clone, PartialEq)]
pub struct MetaTable {
    pub models: Vec<String>,
    pub original: Vec<f64>,
    pub methods: Vec<(String, Vec<f64>)>,
}

impl MetaTable {
    /// CSV: the model, the original score, then one column for each method.
    pub fn read(file: &TextFile) -> Result<MetaTable, InputError> {
        let mut input = CsvInput::new(file, b',');
        let header: Vec<String> = match input.next()? {
            Some((_, record)) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
            None => return Err(InputError::new(&file.path, "the file is empty")),
        };
        if header.len() < 3 {
            let message = "the header needs a model, an original score and a method";
            return Err(InputError::new(&file.path, message).at_line(1));
        }
        let mut table = MetaTable {
            models: Vec::new(),
            original: Vec::new(),
            methods: header[2..]
                .iter()
                .map(|name| (name.clone(), Vec::new()))
                .collect(),
        };
        while let Some((place, record)) = input.next()? {
            let number = |column: usize| match record[column].trim().parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(value),
                _ => {
                    let message = format!("`{}` is not a finite number", &record[column]);
                    Err(place.complain(file, message))
                }
            };
            table.models.push(record[0].to_owned());
            table.original.push(number(1)?);
            for (place, (_, scores)) in table.methods.iter_mut().enumerate() {
                scores.push(number(place + 2)?);
            }
        }
        Ok(table)
    }
}
