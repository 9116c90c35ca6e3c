//! What benchmarks of chat models share: wordings, orders of options, readers of answers, and how answers become
//! shares.
//!
//! A result that rests on one prompt says as much about the prompt as about the model (Gao and Kreiss 2025), so
//! everything here is made for several: a frame is a kind of task, a wording one text of it, an order one sequence of
//! its options.

mod answer_lines;
mod asking;
mod attempts;
mod comparing;
mod dialogue;
mod formulas;
mod layout;
mod measuring;
mod model_reader;
mod options;
mod orders;
mod pooling;
pub mod reading;
mod tables;
mod units;
mod wordings;

pub use asking::Script;
pub use model_reader::{ModelLabel, READER, label_of, reader_label, reader_question};
pub use options::{FRAMES, ORDERS, POSITION_BOUND, RULE};
pub use orders::Order;

pub(crate) use answer_lines::sheets;
pub(crate) use asking::{check, question};
pub(crate) use attempts::{Attempts, Shares, attempts, judge};
pub(crate) use comparing::compare;
pub(crate) use formulas::{CHAT_LABELS, Weighed, audit_unit, is_pooled};
pub(crate) use layout::Layout;
pub(crate) use measuring::{Bounds, FRAMING_SPREAD, Measure, Numbers, write};
pub(crate) use model_reader::{READER_INPUT, with_model, write_agreement};
pub(crate) use options::{
    CHOICE, ChoiceBy, PositionBound, REPEAT, Rule, TEMPERATURE, THINKING_TOKENS, is_asked,
};
pub(crate) use orders::{MOST as MOST_ORDERS, all_of, of_turn};
pub(crate) use pooling::{
    Draws, Pooled, Range, attempts_interval, interval, p_value, share_interval,
};
pub(crate) use tables::{article, pairs_of_names};
pub(crate) use units::ChatUnit;
pub(crate) use wordings::{Frame, Labels, Wording, parse};
