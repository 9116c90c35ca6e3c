//! Tokens that the files beside `tokenizer.json` add to it, or find otherwise than it does, as both versions of `transformers` do.
//!
//! `tokenizer_config.json` may number tokens itself (`added_tokens_decoder`). Where it does not, `special_tokens_map.json` overrules the
//! special tokens it names, and `added_tokens.json` adds more. A token that the vocabulary has no number for gets the next one: a text
//! that contains one is refused by name where the model has no row for it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use tokenizers::{AddedToken, Tokenizer};

use super::old::{FIELDS, added_token};
use super::{content, settings};
use epicene_checkpoint::{CheckpointError, Config, Writer};

/// Tokens by their numbers, beside older vocabularies.
pub const LISTED: &str = "added_tokens.json";
const NUMBERED: &str = "added_tokens_decoder";
const MORE: &str = "additional_special_tokens";
const EXTRA: &str = "extra_special_tokens";
const OWN: &str = "model_specific_special_tokens";

/// Whether a field says which tokens there are.
pub fn is_read(field: &str) -> bool {
    field.ends_with("_token") || [MORE, NUMBERED, EXTRA, OWN].contains(&field)
}

/// The special tokens of a checkpoint by their names: `tokenizer_config.json`, overruled by `special_tokens_map.json` where it numbers
/// no tokens.
pub fn merged(settings: &Config, special: &Config) -> Map<String, Value> {
    let of = |config: &Config| -> Map<String, Value> {
        let fields = config.entries().filter(|(field, _)| is_read(field));
        let fields = fields.filter(|(_, value)| !value.is_null());
        fields
            .map(|(f, value)| (f.to_owned(), value.clone()))
            .collect()
    };
    let mut all = of(settings);
    if all.contains_key(NUMBERED) {
        return all;
    }
    for (field, value) in of(special) {
        match (all.get_mut(&field), value) {
            (Some(Value::Array(known)), Value::Array(more)) if field == MORE => {
                known.extend(more);
            }
            (_, Value::Object(mut token)) if FIELDS.contains(&field.as_str()) => {
                token.insert("special".to_owned(), Value::Bool(true));
                all.insert(field, Value::Object(token));
            }
            (_, value) => {
                all.insert(field, value);
            }
        }
    }
    all
}

/// What the versions read differently of a list of further tokens in `special_tokens_map.json`, where the settings number no tokens: version
/// 5 reads no objects in it, and tokens of it that `added_tokens.json` numbers (`listed`) are text there. It never writes such files; one
/// beside a checkpoint of version 5 is refused.
pub fn agree_on_list(
    special: &Config,
    tokens: &Map<String, Value>,
    listed: Option<&Config>,
    writer: Writer,
    config: &Config,
) -> Result<(), CheckpointError> {
    let list = special.stored(MORE).and_then(Value::as_array);
    let Some(list) = list.filter(|_| !tokens.contains_key(NUMBERED)) else {
        return Ok(());
    };
    let is_listed = |token: &&Value| {
        let text = content(token);
        text.is_some_and(|text| listed.is_some_and(|listed| listed.stored(text).is_some()))
    };
    let problem = match (
        list.iter().any(Value::is_object),
        list.iter().find(is_listed),
    ) {
        (true, _) => "states tokens as objects, which transformers 5 does not read".to_owned(),
        (false, Some(token)) => format!("has {token}, which {LISTED} makes text in transformers 5"),
        (false, None) => return Ok(()),
    };
    if writer == Writer::Five {
        return Err(special.bad(MORE, problem));
    }
    config.remark_writer();
    Ok(())
}

/// A token as a file states it.
#[derive(Debug, Clone)]
pub struct Stated {
    pub token: AddedToken,
    /// An object, which says how it is found, and not its text alone.
    pub whole: bool,
    /// One of the list of further ones.
    pub further: bool,
}

/// What beside `tokenizer.json` says which tokens there are.
pub struct Sources<'a> {
    /// `tokenizer_config.json`.
    settings: &'a Config,
    /// The special tokens by their names ([`merged`]).
    pub named: &'a Map<String, Value>,
    /// `added_tokens.json`.
    listed: Option<&'a Config>,
    /// Whether the class of version 5 makes its tokenizer anew: added tokens that the settings do not number are lost there.
    rebuilt: bool,
}

impl<'a> Sources<'a> {
    pub fn new(
        settings: &'a Config,
        named: &'a Map<String, Value>,
        listed: Option<&'a Config>,
        rebuilt: bool,
    ) -> Sources<'a> {
        Sources {
            settings,
            named,
            listed,
            rebuilt,
        }
    }

    /// Adds what the files say, as the version that wrote the checkpoint does.
    pub fn apply(&self, inner: &mut Tokenizer, config: &Config) -> Result<(), CheckpointError> {
        let own: BTreeMap<u32, AddedToken> = inner.get_added_tokens_decoder().into_iter().collect();
        let writer = self.writer(config);
        let add = self.wanted(&own, writer)?;
        let other = || self.wanted(&own, writer.other());
        if !self.is_of_five() && !matches!(other(), Ok(other) if other == add) {
            config.remark_writer();
        }
        if add.is_empty() {
            return Ok(());
        }
        let added = super::guarded(|| inner.add_tokens(add));
        added.map_err(|problem| CheckpointError::Tokenizer {
            file: settings::FILE.to_owned(),
            problem,
        })?;
        Ok(())
    }

    /// Version 4 reads no such list.
    fn is_of_five(&self) -> bool {
        self.named.get(EXTRA).is_some_and(Value::is_array)
    }

    /// The version whose way is followed.
    pub fn writer(&self, config: &Config) -> Writer {
        match config.writer() {
            Writer::Four if !self.is_of_five() => Writer::Four,
            _ => Writer::Five,
        }
    }

    /// The tokens that a version adds to those of `tokenizer.json`, in order.
    fn wanted(
        &self,
        own: &BTreeMap<u32, AddedToken>,
        writer: Writer,
    ) -> Result<Vec<AddedToken>, CheckpointError> {
        let specials = self.specials(writer)?;
        let texts: BTreeSet<&str> = specials.iter().map(|s| s.token.content.as_str()).collect();
        let numbered = self.numbered(own, &texts)?;
        let mapped: BTreeSet<&str> = numbered.values().map(|t| t.content.as_str()).collect();
        if let Some(lost) = own.values().find(|t| !mapped.contains(t.content.as_str()))
            && self.rebuilt
            && writer == Writer::Five
        {
            let problem = format!("has no `{}`, which tokenizer.json adds", lost.content);
            return Err(self.settings.bad(NUMBERED, problem));
        }
        let known: BTreeSet<&str> = own.values().map(|t| t.content.as_str()).collect();
        let mut add = Vec::new();
        for token in numbered.values() {
            let special = token.special || texts.contains(token.content.as_str());
            add.push(AddedToken {
                special,
                ..token.clone()
            });
        }
        let mut seen = BTreeSet::new();
        for Stated {
            token,
            whole,
            further,
        } in &specials
        {
            let text = token.content.as_str();
            // Version 4 follows an object where it has no other word on the token, and in the list of further ones in any case.
            let is_there = match (whole, writer) {
                (true, Writer::Four) => !further && mapped.contains(text),
                _ => known.contains(text) || mapped.contains(text),
            };
            if seen.insert(text) && !is_there {
                add.push(token.clone());
            }
        }
        add.retain(|token| !own.values().any(|known| known == token));
        Ok(add)
    }

    /// A token, or the complaint that there is none where one should be.
    fn token(&self, field: &str, value: &Value) -> Result<Stated, CheckpointError> {
        let further = field == MORE;
        let (token, whole) = match value {
            Value::String(text) => (Some(AddedToken::from(text, true)), false),
            object => (added_token(object, true), true),
        };
        let token = token.ok_or_else(|| self.settings.bad(field, "names a token without text"))?;
        Ok(Stated {
            token,
            whole,
            further,
        })
    }

    /// Tokens with numbers: as the settings list them, or as `added_tokens.json` and `tokenizer.json` do.
    pub fn numbered(
        &self,
        own: &BTreeMap<u32, AddedToken>,
        specials: &BTreeSet<&str>,
    ) -> Result<BTreeMap<u32, AddedToken>, CheckpointError> {
        let mut found = BTreeMap::new();
        if let Some(value) = self.named.get(NUMBERED) {
            let listed = value.as_object();
            let listed = listed.ok_or_else(|| self.settings.bad(NUMBERED, "is no object"))?;
            for (id, token) in listed {
                match (id.parse(), added_token(token, false)) {
                    (Ok(id), Some(token)) => found.insert(id, token),
                    _ => {
                        let problem = format!("has a broken entry `{id}`");
                        return Err(self.settings.bad(NUMBERED, problem));
                    }
                };
            }
            return Ok(found);
        }
        for (text, id) in self.listed.iter().flat_map(|listed| listed.entries()) {
            let id = id.as_u64().and_then(|id| u32::try_from(id).ok());
            let bad = || CheckpointError::Tokenizer {
                file: LISTED.to_owned(),
                problem: format!("`{text}` has no number"),
            };
            found.insert(
                id.ok_or_else(bad)?,
                AddedToken::from(text, specials.contains(text)),
            );
        }
        found.extend(own.iter().map(|(id, token)| (*id, token.clone())));
        Ok(found)
    }

    fn all_of(&self, field: &str) -> Result<Vec<Stated>, CheckpointError> {
        let values: Vec<&Value> = match self.named.get(field) {
            None => Vec::new(),
            Some(Value::Array(list)) => list.iter().collect(),
            Some(Value::Object(named)) => named.values().collect(),
            Some(_) => return Err(self.settings.bad(field, "is no list of tokens")),
        };
        let values = values.into_iter();
        values.map(|value| self.token(field, value)).collect()
    }

    /// All special tokens, in the order in which they are added.
    pub fn specials(&self, writer: Writer) -> Result<Vec<Stated>, CheckpointError> {
        let mut all = Vec::new();
        for field in FIELDS {
            if let Some(value) = self.named.get(field) {
                all.push(self.token(field, value)?);
            }
        }
        let (more, extra) = (self.all_of(MORE)?, self.all_of(EXTRA)?);
        let is_list = self.named.get(EXTRA).is_some_and(Value::is_array) && !extra.is_empty();
        match writer {
            Writer::Four => all.extend(more.into_iter().chain(extra)),
            Writer::Five => {
                let mut own = Vec::new();
                for (field, value) in self.named {
                    let is_own = field.ends_with("_token") && !FIELDS.contains(&field.as_str());
                    if is_own && content(value).is_some() {
                        own.push(self.token(field, value)?);
                    }
                }
                if own.is_empty() && (is_list || extra.is_empty()) {
                    own = self.all_of(OWN)?;
                }
                all.extend(own);
                if !is_list {
                    all.extend(more);
                }
                all.extend(extra);
            }
        }
        Ok(all)
    }
}
