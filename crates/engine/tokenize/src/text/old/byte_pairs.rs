//! `vocab.json` and `merges.txt`: byte-level BPE (GPT-2, RoBERTa, Qwen 2, the first DeBERTa), HerBERT's of letters, and the frame of XLM's and
//! FlauBERT's, whose pieces are made in front of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::parts::{Parts, Processor, around};
use super::special::named;
use super::{OldFiles, Plan, bad, needed};
use epicene_checkpoint::CheckpointError;

const MERGES: &str = "merges.txt";
const VOCABULARY: &str = "vocab.json";

/// Qwen 2's split of a text into words.
const QWEN: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// The tokens of `vocab.json`.
pub fn vocabulary(files: &OldFiles<'_>) -> Result<BTreeMap<String, u32>, CheckpointError> {
    serde_json::from_slice(&needed(files, VOCABULARY)?).map_err(|error| bad(VOCABULARY, error))
}

fn merges_text(files: &OldFiles<'_>) -> Result<String, CheckpointError> {
    let text = String::from_utf8(needed(files, MERGES)?).map_err(|_| bad(MERGES, "not UTF-8"))?;
    Ok(text.replace("\r\n", "\n"))
}

/// Pairs in order, each once; of more than two parts the first two where `first_two` says so.
fn pairs<'a>(
    lines: impl Iterator<Item = &'a str>,
    first_two: bool,
) -> Result<Vec<[&'a str; 2]>, CheckpointError> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for line in lines {
        let mut parts = line.split_whitespace();
        match (parts.next(), parts.next(), parts.next()) {
            (Some(left), Some(right), rest) if rest.is_none() || first_two => {
                if seen.insert((left, right)) {
                    found.push([left, right]);
                }
            }
            _ => return Err(bad(MERGES, format!("`{line}` is no pair"))),
        }
    }
    Ok(found)
}

/// All lines but the first, which says the version, and what is behind the last line end.
fn inner_lines(text: &str) -> Result<impl Iterator<Item = &str>, CheckpointError> {
    let lines: Vec<&str> = text.split('\n').collect();
    match lines.len() {
        0 | 1 => Err(bad(MERGES, "no pairs in it")),
        count => Ok(lines.into_iter().take(count - 1).skip(1)),
    }
}

fn model(ids: &BTreeMap<String, u32>, merges: &[[&str; 2]]) -> Value {
    json!({
        "type": "BPE",
        "dropout": null,
        "unk_token": null,
        "continuing_subword_prefix": "",
        "end_of_word_suffix": "",
        "fuse_unk": false,
        "byte_fallback": false,
        "vocab": ids,
        "merges": merges,
    })
}

fn byte_level(blank: bool, split: bool) -> Value {
    json!({"type": "ByteLevel", "add_prefix_space": blank, "trim_offsets": true, "use_regex": split})
}

fn of_bytes(files: &OldFiles<'_>) -> Result<Parts, CheckpointError> {
    let ids = vocabulary(files)?;
    let text = merges_text(files)?;
    let merges = pairs(inner_lines(&text)?, false)?;
    let model = model(&ids, &merges);
    Ok(Parts {
        pre_tokenizer: byte_level(blank(files)?, true),
        decoder: byte_level(true, true),
        ..Parts::new(model, ids)
    })
}

fn blank(files: &OldFiles<'_>) -> Result<bool, CheckpointError> {
    files.settings.flag("add_prefix_space", false)
}

fn token(files: &OldFiles<'_>, plan: &Plan, field: &str) -> Result<String, CheckpointError> {
    named(files, &plan.marks, field).ok_or_else(|| bad(VOCABULARY, format!("no `{field}`")))
}

pub fn gpt2(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let processor = if files.settings.flag("add_bos_token", false)? {
        Processor::Frame(vec![Some(token(files, plan, "bos_token")?), None])
    } else {
        Processor::ByteLevel
    };
    Ok(Parts {
        processor,
        ..of_bytes(files)?
    })
}

pub fn roberta(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let begin = token(files, plan, "cls_token")?;
    let end = token(files, plan, "sep_token")?;
    Ok(Parts {
        processor: Processor::Roberta(begin, end, blank(files)?),
        ..of_bytes(files)?
    })
}

pub fn deberta(files: &OldFiles<'_>, _plan: &Plan) -> Result<Parts, CheckpointError> {
    Ok(Parts {
        processor: around("[CLS]", "[SEP]"),
        ..of_bytes(files)?
    })
}

pub fn qwen2(files: &OldFiles<'_>, _plan: &Plan) -> Result<Parts, CheckpointError> {
    let ids = vocabulary(files)?;
    let text = merges_text(files)?;
    let lines = text
        .split('\n')
        .enumerate()
        .map(|(number, line)| (number, line.trim()))
        .filter(|(number, line)| {
            let is_version = *number == 0 && line.starts_with("#version:");
            !line.is_empty() && !is_version
        });
    let merges = pairs(lines.map(|(_, line)| line), false)?;
    let model = model(&ids, &merges);
    Ok(Parts {
        normalizer: json!({"type": "NFC"}),
        pre_tokenizer: json!({"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": QWEN}, "behavior": "Isolated", "invert": false},
            byte_level(blank(files)?, false),
        ]}),
        decoder: byte_level(true, true),
        processor: Processor::ByteLevel,
        ..Parts::new(model, ids)
    })
}

pub fn herbert(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let ids = vocabulary(files)?;
    let text = merges_text(files)?;
    let lines: Vec<&str> = text.split('\n').collect();
    let lines = &lines[..lines.len() - 1];
    let merges = pairs(lines.iter().copied(), true)?;
    let merges = match merges.first() {
        Some([first, _]) if first.contains("#version:") => &merges[1..],
        _ => &merges[..],
    };
    let model = ended(files, plan, &ids, merges)?;
    let (begin, end) = (
        token(files, plan, "cls_token")?,
        token(files, plan, "sep_token")?,
    );
    Ok(Parts {
        normalizer: json!({
            "type": "BertNormalizer",
            "clean_text": true,
            "handle_chinese_chars": true,
            "strip_accents": false,
            "lowercase": false,
        }),
        pre_tokenizer: json!({"type": "BertPreTokenizer"}),
        decoder: json!({"type": "BPEDecoder", "suffix": "</w>"}),
        processor: around(&begin, &end),
        ..Parts::new(model, ids)
    })
}

/// Only the vocabulary and the tokens around a text: `moses` joins pairs, some of them to pieces that are no tokens.
pub fn word_ends(files: &OldFiles<'_>, plan: &Plan) -> Result<Parts, CheckpointError> {
    let ids = vocabulary(files)?;
    let model = ended(files, plan, &ids, &[])?;
    let (begin, end) = (
        token(files, plan, "bos_token")?,
        token(files, plan, "sep_token")?,
    );
    Ok(Parts {
        decoder: json!({"type": "BPEDecoder", "suffix": "</w>"}),
        processor: around(&begin, &end),
        ..Parts::new(model, ids)
    })
}

/// Pairs of letters, the last of a word with `</w>`.
fn ended(
    files: &OldFiles<'_>,
    plan: &Plan,
    ids: &BTreeMap<String, u32>,
    merges: &[[&str; 2]],
) -> Result<Value, CheckpointError> {
    let mut model = model(ids, merges);
    model["unk_token"] = json!(token(files, plan, "unk_token")?);
    model["continuing_subword_prefix"] = Value::Null;
    model["end_of_word_suffix"] = json!("</w>");
    Ok(model)
}
