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
mod formulas;
mod layout;
mod measuring;
mod options;
mod orders;
mod pooling;
pub mod reading;
mod tables;
mod units;
mod wordings;

pub use asking::Script;
pub use options::{FRAMES, ORDERS, RULE};
pub use orders::Order;
pub use wordings::Labels;

pub(crate) use answer_lines::sheets;
pub(crate) use asking::{check, question};
pub(crate) use attempts::{Attempts, Shares, attempts, judge};
pub(crate) use comparing::compare;
pub(crate) use formulas::{CHAT_LABELS, Weighed, audit_unit, is_pooled};
pub(crate) use layout::Layout;
pub(crate) use measuring::{FRAMING_SPREAD, Measure, Numbers, write};
pub(crate) use options::{CHOICE, ChoiceBy, REPEAT, Rule, TEMPERATURE, THINKING_TOKENS, is_asked};
pub(crate) use orders::{MOST as MOST_ORDERS, all_of, of_turn};
pub(crate) use pooling::{Draws, Pooled, Range, interval, p_value, share_interval};
pub(crate) use tables::{article, pairs_of_names};
pub(crate) use units::Place;
pub(crate) use wordings::{Frame, Wording, parse};
