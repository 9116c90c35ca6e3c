//! The parts of a tokenizer on the way to `tokenizer.json`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// What stands around a text, by the tokens' texts; `None` is the text.
pub type Frame = Vec<Option<String>>;

#[derive(Debug)]
pub struct Parts {
    pub model: Value,
    /// The model's tokens by their texts.
    pub ids: BTreeMap<String, u32>,
    pub normalizer: Value,
    pub pre_tokenizer: Value,
    pub decoder: Value,
    pub processor: Processor,
    /// Tokens of the model that are found in a text before anything is done to it, and whether each is special.
    pub found_first: Vec<(String, bool)>,
}

#[derive(Debug)]
pub enum Processor {
    /// None, or what `tokenizer_config.json` says later.
    None,
    ByteLevel,
    Frame(Frame),
    /// RoBERTa's, with whether a blank is put in front: begin, end.
    Roberta(String, String, bool),
}

impl Parts {
    pub fn new(model: Value, ids: BTreeMap<String, u32>) -> Parts {
        Parts {
            model,
            ids,
            normalizer: Value::Null,
            pre_tokenizer: Value::Null,
            decoder: Value::Null,
            processor: Processor::None,
            found_first: Vec::new(),
        }
    }

    /// With the ids that all tokens have by now; a token that there is none of is not put there.
    pub fn post_processor(&self) -> Value {
        let id = |token: &str| self.ids.get(token);
        match &self.processor {
            Processor::None => Value::Null,
            Processor::ByteLevel => json!({
                "type": "ByteLevel", "add_prefix_space": true, "trim_offsets": false, "use_regex": true
            }),
            Processor::Roberta(begin, end, blank) => json!({
                "type": "RobertaProcessing",
                "sep": [end, id(end)],
                "cls": [begin, id(begin)],
                "trim_offsets": true,
                "add_prefix_space": blank,
            }),
            Processor::Frame(frame) => {
                let mut specials = serde_json::Map::new();
                let mut pieces = Vec::new();
                for part in frame {
                    pieces.push(match part {
                        None => json!({"Sequence": {"id": "A", "type_id": 0}}),
                        Some(token) => {
                            let entry = json!({"id": token, "ids": [id(token)], "tokens": [token]});
                            specials.insert(token.clone(), entry);
                            json!({"SpecialToken": {"id": token, "type_id": 0}})
                        }
                    });
                }
                let mut pair = pieces.clone();
                pair.push(json!({"Sequence": {"id": "B", "type_id": 1}}));
                json!({
                    "type": "TemplateProcessing",
                    "single": pieces,
                    "pair": pair,
                    "special_tokens": specials,
                })
            }
        }
    }

    /// The tokens that the processor puts around a text.
    pub fn framed(&self) -> Vec<String> {
        match &self.processor {
            Processor::None | Processor::ByteLevel => Vec::new(),
            Processor::Frame(frame) => frame.iter().flatten().cloned().collect(),
            Processor::Roberta(begin, end, _) => vec![begin.clone(), end.clone()],
        }
    }
}

/// A token before the text and one after it.
pub fn around(begin: &str, end: &str) -> Processor {
    Processor::Frame(vec![Some(begin.to_owned()), None, Some(end.to_owned())])
}
