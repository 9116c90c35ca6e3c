//! Null systems that hold a conversation. Their results are known before they run: `random:SEED` chooses among options
//! alike, `always:a` takes the first one, `always:neither` will not choose, `always:he` and `always:she` always mean the
//! same gender.

use epicene_core::{
    Answer, Capabilities, ChatAnswer, ChatQuestion, Finish, ModelKind, Query, System, SystemCard,
    SystemError,
};

use super::chat_questions;
use crate::null::{fold, mix};

#[derive(Debug, Clone)]
pub struct NullChat {
    card: SystemCard,
    manner: Manner,
}

#[derive(Debug, Clone, Copy)]
enum Manner {
    Random(u64),
    First,
    Says(&'static str),
}

impl NullChat {
    fn new(name: String, manner: Manner) -> NullChat {
        NullChat {
            card: SystemCard {
                source: name.clone(),
                name,
                revision: None,
                dtype: None,
                tokenizer: None,
                kind: ModelKind::Chat,
            },
            manner,
        }
    }

    pub fn random(seed: u64) -> NullChat {
        NullChat::new(format!("random:{seed}"), Manner::Random(seed))
    }

    /// `always:a`
    pub fn first() -> NullChat {
        NullChat::new("always:a".to_owned(), Manner::First)
    }

    pub fn neither() -> NullChat {
        let said = "It cannot be told. They said so.";
        NullChat::new("always:neither".to_owned(), Manner::Says(said))
    }

    pub fn he() -> NullChat {
        NullChat::new("always:he".to_owned(), Manner::Says("He said so, the man."))
    }

    pub fn she() -> NullChat {
        NullChat::new(
            "always:she".to_owned(),
            Manner::Says("She said so, the woman."),
        )
    }

    fn say(&self, question: &ChatQuestion) -> String {
        match self.manner {
            Manner::Says(said) => said.to_owned(),
            Manner::First => question
                .options
                .first()
                .cloned()
                .unwrap_or_else(|| "a".to_owned()),
            Manner::Random(seed) => {
                let mut state = fold(seed, "chat");
                for message in &question.messages {
                    state = fold(state, &message.content);
                }
                let free = ["He said so.", "She said so.", "They said so."];
                let draw = mix(state ^ question.sampling.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let choose = |count: usize| (draw % count as u64) as usize;
                match question.options.len() {
                    0 => free[choose(free.len())].to_owned(),
                    count => question.options[choose(count)].clone(),
                }
            }
        }
    }
}

impl System for NullChat {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::of_batches(256)
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        let questions = chat_questions(&self.card, batch)?;
        let answer = |question: &ChatQuestion| ChatAnswer::new(self.say(question), Finish::Stop);
        Ok(questions
            .into_iter()
            .map(|question| Answer::Chat(Box::new(answer(question))))
            .collect())
    }
}
