//! What systems that hold a conversation share.

mod first_choice;

pub use first_choice::{Position, is_opening, option_log_probabilities, option_of_token};
