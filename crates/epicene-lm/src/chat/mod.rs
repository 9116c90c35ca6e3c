//! Systems that hold a conversation: services and servers, each with its own protocol, and null systems.

mod anthropic;
mod first_choice;
mod gemini;
mod identity;
mod local;
mod null;
mod openai;
mod service;

pub(crate) use first_choice::Position;
pub use first_choice::is_opening;
pub(crate) use first_choice::{option_log_probabilities, option_of_token};
pub use identity::{test_servers, unasked_servers};
pub use local::LocalChat;
pub use null::NullChat;
pub use service::{ChatService, ChatSpec, chat_questions};
