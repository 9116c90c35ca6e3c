//! The words every other crate shares: what is asked, what came back, how much it is.
//!
//! Data flows one way: a benchmark turns items into questions, a system answers them, the answers
//! are kept as observations, and measures are a pure function of those. This crate holds the types
//! that cross these seams and nothing that computes.

mod file;
mod input;
mod item;
mod likelihood;
mod observation;
mod question;
mod row;
mod signature;
mod system;
mod view;

pub use file::TextFile;
pub use input::InputError;
pub use item::{Item, Labels};
pub use likelihood::LikelihoodMethod;
pub use observation::{Answer, AnswerNotes, Observation};
pub use question::{Query, Question};
pub use row::{Measured, Row};
pub use signature::Signature;
pub use system::{ModelKind, SystemCard};
pub use view::{CellStyle, Field, Filter, View};
