//! The words every other crate shares: what is asked, what came back, how much it is.
//!
//! Data flows one way: a benchmark turns items into questions, a system answers them, the answers
//! are kept as observations, and measures are a pure function of those. This crate holds the types
//! that cross these seams and nothing that computes.

mod acting;
mod ask;
mod chat;
mod continuation;
mod counted;
mod data_card;
mod file;
mod input;
mod item;
mod language;
mod likelihood;
mod metric;
mod observation;
mod question;
mod results;
mod row;
mod scorer;
mod server;
mod signature;
mod system;
mod system_card;
mod table;
mod text_pair;
mod unit;
mod verdict;
mod view;

pub use self::acting::acts;
pub use self::counted::{counted, there_are};
pub use ask::Ask;
pub use chat::{ChatAnswer, ChatQuestion, Finish, Message, Role, Sampling};
pub use continuation::ContinuationScore;
pub use data_card::{DataCard, short_hash};
pub use file::TextFile;
pub use input::InputError;
pub use item::{Item, Labels, SharedLabels};
pub use language::{Language, Script};
pub use likelihood::LikelihoodMethod;
pub use metric::{Direction, Metric, MetricRange};
pub use observation::{Answer, AnswerNotes, NotedAnswer, Observation};
pub use question::{Query, Question};
pub use results::Results;
pub use row::{Row, RowKind};
pub use scorer::Scorer;
pub use server::ServerCard;
pub use signature::Signature;
pub use system::{
    AnswerSink, Capabilities, Cost, ErrorKind, Note, System, SystemError, collect_answers,
};
pub use system_card::{ModelKind, SystemCard};
pub use table::{AnswerTable, Column, ItemRef, Items};
pub use text_pair::{TextPairScore, TextRelation, TextScore};
pub use unit::Unit;
pub use verdict::{Finding, Gender, Outcome, Span, Verdict};
pub use view::{CellStyle, Field, Filter, View};
