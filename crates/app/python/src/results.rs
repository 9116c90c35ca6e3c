//! Results as Python sees them: rows, signature, warnings, every format of the command line, and Arrow.

use std::borrow::Cow;

use epicene::library;
use epicene_core::Row;
use epicene_report::{Format, Style, Target};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::call::raised;
use crate::table;

#[pyclass(frozen)]
pub struct Results {
    results: epicene_core::Results,
}

impl From<epicene_core::Results> for Results {
    fn from(results: epicene_core::Results) -> Results {
        Results { results }
    }
}

#[pymethods]
impl Results {
    #[getter]
    fn signature(&self) -> &str {
        &self.results.signature
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.results.warned()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.results.notes.clone()
    }

    fn __len__(&self) -> usize {
        self.results.rows.len()
    }

    /// Every row as a dict, with the columns that some row has.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let design = table::has_design(&self.results.rows);
        let rows = self.results.rows.iter();
        let rows = rows.map(|row| as_dict(py, row, design));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    /// As the command line prints it: table, json, csv, md or latex.
    fn format(&self, name: &str) -> PyResult<String> {
        let format: Format = name.parse().map_err(|_| {
            PyValueError::new_err(format!(
                "`{name}` is no format: {}",
                Format::NAMES.join(", ")
            ))
        })?;
        let mut bytes = Vec::new();
        format
            .exporter(Target::Pipe, Style::default())
            .write(&self.results, &mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Whether the rows pass a check, and what it says of them.
    fn check(&self, expression: &str) -> PyResult<(bool, Vec<String>)> {
        library::check(expression, &self.results.rows).map_err(raised)
    }

    /// The rows as an Arrow stream, in a capsule.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A wish that need not be followed.
        drop(requested_schema);
        let stream = table::stream(&self.results.rows)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

fn as_dict<'py>(py: Python<'py>, row: &Row, design: bool) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let texts: [&str; 5] = [
        &row.benchmark,
        &row.system,
        &row.unit,
        &row.group,
        &row.metric,
    ];
    for (name, text) in Row::COLUMNS.iter().zip(texts) {
        dict.set_item(name, Cow::from(text))?;
    }
    dict.set_item("value", row.value)?;
    dict.set_item("low", row.low)?;
    dict.set_item("high", row.high)?;
    dict.set_item("n", row.n)?;
    dict.set_item("ideal", row.ideal)?;
    if design {
        dict.set_item("k", row.k)?;
        dict.set_item("deff", row.deff)?;
        dict.set_item("n_eff", row.n_eff)?;
    }
    Ok(dict)
}
