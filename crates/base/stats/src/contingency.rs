//! Chi-square tests and association in contingency tables, as `scipy.stats.chi2_contingency`,
//! `scipy.stats.chisquare` and `scipy.stats.contingency.association`.

use crate::{
    describe::sum,
    error::{StatsError, some_finite},
    special::chi_square_upper,
};

/// A chi-square test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChiSquare {
    pub statistic: f64,
    pub dof: usize,
    pub p_value: f64,
}

impl ChiSquare {
    fn of(statistic: f64, dof: usize) -> ChiSquare {
        // No degrees of freedom: nothing was free to differ.
        let p_value = if dof == 0 {
            1.0
        } else {
            chi_square_upper(statistic, dof as f64)
        };
        ChiSquare {
            statistic,
            dof,
            p_value,
        }
    }
}

/// Pearson's chi-square test that the rows and columns of a table are independent
/// (`scipy.stats.chi2_contingency(table, correction=yates)`).
///
/// `yates` asks for the continuity correction, which applies only at one degree of freedom; each count moves
/// towards its expectation by at most one half and never past it, as in SciPy.
pub fn chi_square<R: AsRef<[u64]>>(table: &[R], yates: bool) -> Result<ChiSquare, StatsError> {
    let table = Table::new(table)?;
    let dof = (table.rows - 1) * (table.columns - 1);
    let expected = table.expected();
    let contribution = |(observed, expected): (&f64, &f64)| {
        let mut difference = (observed - expected).abs();
        if yates && dof == 1 {
            difference -= difference.min(0.5);
        }
        difference * difference / expected
    };
    let contributions: Vec<f64> = table
        .counts
        .iter()
        .zip(&expected)
        .map(contribution)
        .collect();
    Ok(ChiSquare::of(sum(&contributions), dof))
}

/// Pearson's chi-square test of fit (`scipy.stats.chisquare(observed, expected)`). Both must have the same
/// total; scale expected shares to counts first.
pub fn chi_square_fit(observed: &[f64], expected: &[f64]) -> Result<ChiSquare, StatsError> {
    // SciPy's tolerance for the two totals.
    const RELATIVE_TOLERANCE: f64 = 1e-8;
    some_finite("observed", observed)?;
    some_finite("expected", expected)?;
    if observed.len() != expected.len() {
        return Err(StatsError::LengthMismatch {
            argument: "expected",
            expected: observed.len(),
            got: expected.len(),
        });
    }
    if let Some(index) = expected.iter().position(|count| *count <= 0.0) {
        return Err(StatsError::NotPositive {
            argument: "expected",
            index,
            value: expected[index],
        });
    }
    if let Some(count) = observed.iter().find(|count| **count < 0.0) {
        return Err(StatsError::OutOfRange {
            argument: "an observed count",
            value: *count,
            range: "[0, inf)",
        });
    }
    let (observed_total, expected_total) = (sum(observed), sum(expected));
    if (observed_total - expected_total).abs()
        > RELATIVE_TOLERANCE * observed_total.min(expected_total)
    {
        return Err(StatsError::Degenerate {
            result: "the chi-square test of fit",
            reason: "observed and expected counts have different totals",
        });
    }
    let contributions: Vec<f64> = observed
        .iter()
        .zip(expected)
        .map(|(o, e)| (o - e).powi(2) / e)
        .collect();
    Ok(ChiSquare::of(sum(&contributions), observed.len() - 1))
}

/// Cramér's V (`scipy.stats.contingency.association(table, method='cramer')`), 0 for independence to 1.
pub fn cramers_v<R: AsRef<[u64]>>(table: &[R]) -> Result<f64, StatsError> {
    let checked = Table::new(table)?;
    let smaller = checked.rows.min(checked.columns);
    if smaller < 2 {
        return Err(StatsError::TooFew {
            argument: "rows or columns of the table",
            needed: 2,
            got: smaller,
        });
    }
    let statistic = chi_square(table, false)?.statistic;
    Ok((statistic / checked.total / (smaller - 1) as f64)
        .sqrt()
        .min(1.0))
}

/// The phi coefficient of a 2x2 table, signed: Pearson's correlation of the two yes/no variables.
pub fn phi(table: [[u64; 2]; 2]) -> Result<f64, StatsError> {
    let checked = Table::new(&table)?;
    let [[a, b], [c, d]] = table.map(|row| row.map(|count| count as f64));
    let margins: f64 = checked
        .row_totals
        .iter()
        .chain(&checked.column_totals)
        .map(|total| total.sqrt())
        .product();
    Ok(((a * d - b * c) / margins).clamp(-1.0, 1.0))
}

/// A table that has been checked: a full rectangle, no empty row or column.
struct Table {
    rows: usize,
    columns: usize,
    counts: Vec<f64>,
    row_totals: Vec<f64>,
    column_totals: Vec<f64>,
    total: f64,
}

impl Table {
    fn new<R: AsRef<[u64]>>(table: &[R]) -> Result<Table, StatsError> {
        let columns = table.first().map_or(0, |row| row.as_ref().len());
        if columns == 0 {
            return Err(StatsError::Empty { argument: "table" });
        }
        let mut counts = Vec::with_capacity(table.len() * columns);
        for row in table {
            let row = row.as_ref();
            if row.len() != columns {
                return Err(StatsError::LengthMismatch {
                    argument: "a row of the table",
                    expected: columns,
                    got: row.len(),
                });
            }
            counts.extend(row.iter().map(|count| *count as f64));
        }
        let row_totals: Vec<f64> = counts.chunks_exact(columns).map(sum).collect();
        let column_totals: Vec<f64> = (0..columns)
            .map(|column| counts.iter().skip(column).step_by(columns).sum())
            .collect();
        for (axis, totals) in [("row", &row_totals), ("column", &column_totals)] {
            if let Some(index) = totals.iter().position(|total| *total == 0.0) {
                return Err(StatsError::ZeroMargin { axis, index });
            }
        }
        let total = sum(&row_totals);
        Ok(Table {
            rows: table.len(),
            columns,
            counts,
            row_totals,
            column_totals,
            total,
        })
    }

    /// Expected counts under independence, row after row.
    fn expected(&self) -> Vec<f64> {
        let row = |row_total: &f64| -> Vec<f64> {
            self.column_totals
                .iter()
                .map(|column_total| row_total * column_total / self.total)
                .collect()
        };
        self.row_totals.iter().flat_map(row).collect()
    }
}
