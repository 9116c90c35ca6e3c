//! Special and added tokens: those of the class, overruled by the checkpoint's files, with the numbers they get.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tokenizers::AddedToken;

use super::parts::Parts;
use super::{OldFiles, bad};
use crate::text::{content, settings};
use epicene_checkpoint::{CheckpointError, Config};

/// The special tokens of a class, and how they are found in a text.
pub struct Marks {
    /// By the names of their settings.
    pub tokens: &'static [(&'static str, &'static str)],
    pub mask: Option<&'static str>,
    /// Further ones without a name.
    pub more: &'static [&'static str],
    /// The mask takes the blanks before it.
    pub strip: bool,
    /// Found in the normalised text, not in the text as it is.
    pub normalized: bool,
    pub mask_normalized: bool,
    pub unknown_normalized: bool,
}

impl Marks {
    pub const NONE: Marks = Marks {
        tokens: &[],
        mask: None,
        more: &[],
        strip: false,
        normalized: false,
        mask_normalized: false,
        unknown_normalized: false,
    };

    /// BERT's.
    pub const fn brackets(mask: &'static str) -> Marks {
        Marks {
            tokens: &[
                ("unk_token", "[UNK]"),
                ("sep_token", "[SEP]"),
                ("pad_token", "[PAD]"),
                ("cls_token", "[CLS]"),
            ],
            mask: Some(mask),
            ..Marks::NONE
        }
    }

    /// BERT's, which begin and end a text under these names too.
    pub const fn brackets_around(mask: &'static str) -> Marks {
        Marks {
            tokens: &[
                ("bos_token", "[CLS]"),
                ("eos_token", "[SEP]"),
                ("unk_token", "[UNK]"),
                ("sep_token", "[SEP]"),
                ("pad_token", "[PAD]"),
                ("cls_token", "[CLS]"),
            ],
            mask: Some(mask),
            ..Marks::NONE
        }
    }

    fn default_of(&self, field: &str) -> Option<&'static str> {
        match field {
            "mask_token" => self.mask,
            field => {
                let own = self.tokens.iter().find(|(name, _)| *name == field);
                own.map(|(_, token)| *token)
            }
        }
    }
}

/// In the order in which `transformers` adds them.
pub const FIELDS: [&str; 7] = [
    "bos_token",
    "eos_token",
    "unk_token",
    "sep_token",
    "pad_token",
    "cls_token",
    "mask_token",
];

/// A token from an object of a file, which says how it is found.
pub fn added_token(value: &Value, special: bool) -> Option<AddedToken> {
    let flag = |field: &str| value.get(field).and_then(Value::as_bool);
    let special = flag("special").unwrap_or(special);
    Some(AddedToken {
        content: value.get("content")?.as_str()?.to_owned(),
        single_word: flag("single_word").unwrap_or(false),
        lstrip: flag("lstrip").unwrap_or(false),
        rstrip: flag("rstrip").unwrap_or(false),
        normalized: flag("normalized").unwrap_or(!special),
        special,
    })
}

fn json(token: &AddedToken, id: u32) -> Value {
    json!({
        "id": id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    })
}

/// A special token as the files spell it, or the class.
pub fn named(files: &OldFiles<'_>, marks: &Marks, field: &str) -> Option<String> {
    let stored = stored(files, field);
    match stored {
        Some(value) => content(value).map(str::to_owned),
        None => marks.default_of(field).map(str::to_owned),
    }
}

/// The map of special tokens overrules the settings, unless these number the tokens themselves.
fn stored<'a>(files: &OldFiles<'a>, field: &str) -> Option<&'a Value> {
    let own = files.settings.stored(field);
    match files.settings.stored("added_tokens_decoder") {
        Some(_) => own,
        None => files.special.stored(field).or(own),
    }
}

/// All added tokens as `tokenizer.json` lists them. Tokens that the model has no number for get the next ones.
pub fn added_tokens(
    files: &OldFiles<'_>,
    marks: &Marks,
    parts: &mut Parts,
) -> Result<Vec<Value>, CheckpointError> {
    let numbered = numbered(files, marks)?;
    let mut all: Vec<(AddedToken, Option<u32>)> = parts
        .found_first
        .iter()
        .map(|(token, special)| {
            let added = AddedToken {
                normalized: false,
                ..AddedToken::from(token, *special)
            };
            (added, None)
        })
        .collect();
    let add =
        |added: AddedToken, id: Option<u32>, all: &mut Vec<(AddedToken, Option<u32>)>| match all
            .iter_mut()
            .find(|(known, _)| known.content == added.content)
        {
            Some(known) => *known = (added, id.or(known.1)),
            None => all.push((added, id)),
        };
    for (id, token) in &numbered {
        add(token.clone(), Some(*id), &mut all);
    }
    // Tokens that are found as a file or the class says, not as the model does.
    let mut settled: BTreeSet<String> = numbered.values().map(|t| t.content.clone()).collect();
    for field in FIELDS {
        let Some(token) = named(files, marks, field) else {
            continue;
        };
        // One text under several names is added once, as the first.
        if !settled.insert(token.clone()) {
            continue;
        }
        let object = stored(files, field).and_then(|value| added_token(value, true));
        let mask = field == "mask_token";
        let normalized = match field {
            "mask_token" => marks.mask_normalized,
            "unk_token" => marks.unknown_normalized || marks.normalized,
            _ => marks.normalized,
        };
        let own = AddedToken {
            lstrip: mask && marks.strip,
            normalized,
            ..AddedToken::from(&token, true)
        };
        let chosen = object.map_or(own, |object| AddedToken {
            special: true,
            ..object
        });
        add(chosen, None, &mut all);
    }
    let more = match stored(files, "additional_special_tokens") {
        Some(Value::Array(more)) => more.clone(),
        _ => marks.more.iter().map(|token| json!(token)).collect(),
    };
    for token in &more {
        let added = match token {
            Value::String(token) => AddedToken::from(token, true),
            object => added_token(object, true)
                .ok_or_else(|| bad(settings::FILE, "an additional special token without text"))?,
        };
        if !all.iter().any(|(known, _)| known.content == added.content) {
            add(added, None, &mut all);
        }
    }
    number(all, parts)
}

/// Tokens that a file numbers, in the order of their numbers.
fn numbered(
    files: &OldFiles<'_>,
    marks: &Marks,
) -> Result<BTreeMap<u32, AddedToken>, CheckpointError> {
    let mut found = BTreeMap::new();
    if let Some(Value::Object(decoder)) = files.settings.stored("added_tokens_decoder") {
        for (id, token) in decoder {
            match (id.parse(), added_token(token, false)) {
                (Ok(id), Some(token)) => found.insert(id, token),
                _ => {
                    let problem = format!("`added_tokens_decoder` has a broken entry `{id}`");
                    return Err(bad(settings::FILE, problem));
                }
            };
        }
        return Ok(found);
    }
    const FILE: &str = "added_tokens.json";
    let Some(bytes) = (files.read)(FILE)? else {
        return Ok(found);
    };
    let listed = Config::parse_file(FILE, &String::from_utf8_lossy(&bytes))?;
    for (token, id) in listed.entries() {
        let id = id.as_u64().and_then(|id| u32::try_from(id).ok());
        let id = id.ok_or_else(|| listed.bad(token, "has no number"))?;
        let values = FIELDS.iter().filter_map(|field| stored(files, field));
        let more = stored(files, "additional_special_tokens").and_then(Value::as_array);
        let value = values
            .chain(more.into_iter().flatten())
            .find(|value| content(value) == Some(token));
        // Special ones that only the class names are found as others are.
        let plain = AddedToken::from(token, value.is_some());
        let added = value.and_then(|value| added_token(value, true));
        let by_class = FIELDS
            .iter()
            .any(|field| named(files, marks, field).as_deref() == Some(token));
        let added = added.unwrap_or(plain);
        let special = added.special || by_class;
        found.insert(id, AddedToken { special, ..added });
    }
    Ok(found)
}

fn number(
    all: Vec<(AddedToken, Option<u32>)>,
    parts: &mut Parts,
) -> Result<Vec<Value>, CheckpointError> {
    let size = parts.ids.len() as u32;
    let highest = parts.ids.values().max().map_or(0, |highest| highest + 1);
    let mut next = size;
    let mut listed = Vec::new();
    for (token, wanted) in all {
        let id = match parts.ids.get(&token.content) {
            Some(id) => *id,
            None => {
                let id = next;
                if id < highest && id == size {
                    let problem = "a vocabulary with gaps, or with tokens that occur twice";
                    return Err(bad("vocab", problem));
                }
                next += 1;
                parts.ids.insert(token.content.clone(), id);
                id
            }
        };
        if wanted.is_some_and(|wanted| wanted != id) {
            let problem = format!(
                "`{}` has number {}, but would get {id}",
                token.content,
                wanted.unwrap_or(id)
            );
            return Err(bad("added_tokens.json", problem));
        }
        listed.push((id, json(&token, id)));
    }
    for token in parts.framed() {
        if !parts.ids.contains_key(&token) {
            return Err(bad("vocab", format!("no token `{token}`")));
        }
    }
    listed.sort_by_key(|(id, _)| *id);
    Ok(listed.into_iter().map(|(_, token)| token).collect())
}
