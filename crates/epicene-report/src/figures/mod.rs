//! Figures as self-contained SVG, drawn from measure rows. One file for each figure; a figure that has
//! no rows to show is not drawn.

mod plane;
mod svg;

use epicene_core::Row;

/// A drawn figure: file name without extension, and the SVG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    pub name: &'static str,
    pub svg: String,
}

/// Every figure the results have something for, each result's rows by themselves; `baselines` are
/// published rows for the background.
pub fn figures(results: &[&[Row]], baselines: &[Row]) -> Vec<Figure> {
    plane::draw(results, baselines).into_iter().collect()
}
