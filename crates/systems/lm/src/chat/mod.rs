//! Systems that hold a conversation: services and servers, each with its own protocol, and null systems.

mod anthropic;
mod gemini;
mod identity;
mod local;
mod null;
mod openai;
mod service;

pub use identity::{test_servers, unasked_servers};
pub use local::LocalChat;
pub use null::NullChat;
pub use service::{ChatService, ChatSpec, chat_questions};
