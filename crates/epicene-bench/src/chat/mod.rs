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

pub use answer_lines::sheets;
pub use asking::{Script, check, question};
pub use attempts::{Attempt, Attempts, Shares, attempts, judge};
pub use comparing::compare;
pub use formulas::{CHAT_LABELS, Weighed, audit_unit, is_pooled};
pub use layout::Layout;
pub use measuring::{Measure, Numbers, write};
pub use options::{
    CHOICE, ChoiceBy, FRAMES, ORDERS, REPEAT, RULE, Rule, TEMPERATURE, THINKING_TOKENS, is_asked,
};
pub use orders::{MOST as MOST_ORDERS, Order, all_of, of_turn};
pub use pooling::{Draws, Pooled, Range, interval, p_value, share_interval};
pub use tables::{article, pairs_of_names};
pub use units::Place;
pub use wordings::{Frame, Labels, Wording, parse};
