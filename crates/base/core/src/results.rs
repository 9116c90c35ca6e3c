//! Everything there is to show of one result.

use crate::{Row, View};

#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    pub signature: String,
    /// What nobody may overlook: it stands before everything else, in every format.
    pub warnings: Vec<String>,
    /// Answers that are there, and answers that were asked for, where some are missing.
    pub partial: Option<(u64, u64)>,
    pub rows: Vec<Row>,
    /// Sentences for people.
    pub notes: Vec<String>,
    pub views: Vec<View>,
}

impl Results {
    /// Begins the warning that answers are missing.
    pub const INCOMPLETE: &'static str = "incomplete: ";

    /// Every warning, what is missing first.
    pub fn warned(&self) -> Vec<String> {
        let partial = self.partial.map(|(there, of)| {
            format!(
                "{}{there} of {of} answers are there, and only they are measured",
                Results::INCOMPLETE
            )
        });
        partial.into_iter().chain(self.warnings.clone()).collect()
    }
}
