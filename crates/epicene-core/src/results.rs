//! Everything there is to show of one result.

use crate::{Row, View};

#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    pub signature: String,
    pub rows: Vec<Row>,
    /// Sentences for people.
    pub notes: Vec<String>,
    pub views: Vec<View>,
}
