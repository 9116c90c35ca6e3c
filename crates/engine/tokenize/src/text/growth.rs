//! What the steps of a `tokenizer.json` may do to a text. The library does whatever they say: steps that each make a text
//! ten times longer would fill any memory, steps inside steps would take forever to read, and a pattern that backtracks
//! without end would be given up in silence, with the rest of the text unsplit. All of these are refused before the
//! library sees the file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use epicene_io::limits::{NORMALIZER_GROWTH, TOKENIZER_DEPTH};
use epicene_io::quote::shown;
use serde::Deserialize;
use serde_json::Value;

/// The steps of a tokenizer; its vocabulary is not looked at.
#[derive(Deserialize)]
struct Steps {
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    pre_tokenizer: Value,
    #[serde(default)]
    post_processor: Value,
    #[serde(default)]
    decoder: Value,
}

/// Steps of one kind.
const MOST_STEPS: usize = 1000;
/// Times a post-processor may put a text into its own encoding.
const MOST_COPIES: usize = 8;
/// Special tokens around a text.
const MOST_SPECIAL: usize = 10_000;

/// How much longer a text may become, or why the tokenizer is refused.
pub fn check(json: &[u8]) -> Result<f64, String> {
    let steps: Steps = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let mut growth = 1.0;
    for (name, step) in [
        ("normalizer", &steps.normalizer),
        ("pre_tokenizer", &steps.pre_tokenizer),
        ("decoder", &steps.decoder),
    ] {
        let mut count = 0;
        let own = grows(step, 0, &mut count).map_err(|problem| format!("{name}: {problem}"))?;
        if own > NORMALIZER_GROWTH {
            return Err(format!(
                "{name}: it may make a text more than {NORMALIZER_GROWTH} times longer"
            ));
        }
        growth *= own;
    }
    let mut count = 0;
    around(&steps.post_processor, 0, &mut count)
        .map_err(|problem| format!("post_processor: {problem}"))?;
    Ok(growth)
}

/// Counts a step, and refuses steps too deep inside others.
fn enter(depth: usize, count: &mut usize) -> Result<(), String> {
    *count += 1;
    if depth > TOKENIZER_DEPTH {
        return Err(format!(
            "steps inside steps, more than {TOKENIZER_DEPTH} deep"
        ));
    }
    if *count > MOST_STEPS {
        return Err(format!("more than {MOST_STEPS} steps"));
    }
    Ok(())
}

/// The steps inside a step, whatever the list is called.
fn inside(step: &Value) -> impl Iterator<Item = &Value> {
    ["normalizers", "pretokenizers", "decoders", "processors"]
        .iter()
        .filter_map(move |list| step.get(list)?.as_array())
        .flatten()
}

/// Bytes a step may make of one byte, at most.
fn grows(step: &Value, depth: usize, count: &mut usize) -> Result<f64, String> {
    enter(depth, count)?;
    let mut growth = own_growth(step)?;
    for step in inside(step) {
        growth *= grows(step, depth + 1, count)?;
    }
    Ok(growth)
}

fn own_growth(step: &Value) -> Result<f64, String> {
    let length = |field: &str| step.get(field).and_then(Value::as_str).map_or(0, str::len) as f64;
    let pattern = step.get("pattern");
    if let Some(regex) = pattern.and_then(|pattern| pattern.get("Regex")?.as_str())
        && backtracks(regex)
    {
        return Err(format!(
            "the pattern `{}` may backtrack without end",
            shown(regex)
        ));
    }
    Ok(match step.get("type").and_then(Value::as_str) {
        Some("Replace") => {
            let plain = pattern.and_then(|pattern| pattern.get("String")?.as_str());
            match plain.map(str::len) {
                Some(from @ 1..) => (length("content") / from as f64).max(1.0),
                // It may match the empty text between two bytes.
                _ => length("content") + 1.0,
            }
        }
        Some("Prepend") => length("prepend") + 1.0,
        Some("Precompiled") => {
            let map = step.get("precompiled_charsmap").and_then(Value::as_str);
            longest_rewriting(map.unwrap_or_default())?.max(1.0)
        }
        // U+FDFA, three bytes, becomes 33.
        Some("NFC" | "NFD" | "NFKC" | "NFKD") => 11.0,
        Some("Lowercase" | "BertNormalizer") => 3.0,
        Some("ByteLevel") => 2.0,
        Some("Metaspace") => 3.0,
        _ => 1.0,
    })
}

/// The longest text of a SentencePiece table of rewritings: the size of a trie, the trie, texts that end with a zero.
fn longest_rewriting(map: &str) -> Result<f64, String> {
    let map = STANDARD
        .decode(map)
        .map_err(|error| format!("precompiled_charsmap: {error}"))?;
    let Some((size, rest)) = map.split_first_chunk::<4>() else {
        return Err("precompiled_charsmap: it is cut off".to_owned());
    };
    let size = u32::from_le_bytes(*size) as usize;
    // The library makes room for the trie before it looks whether there is one.
    let texts = rest
        .get(size..)
        .ok_or("precompiled_charsmap: its trie is cut off")?;
    let longest = texts.split(|byte| *byte == 0).map(<[u8]>::len).max();
    Ok(longest.unwrap_or(0) as f64)
}

/// What a post-processor puts around a text: the text itself once or twice, and some special tokens.
fn around(step: &Value, depth: usize, count: &mut usize) -> Result<(), String> {
    enter(depth, count)?;
    for step in inside(step) {
        around(step, depth + 1, count)?;
    }
    for template in ["single", "pair"] {
        let Some(pieces) = step.get(template).and_then(Value::as_array) else {
            continue;
        };
        let copies = pieces
            .iter()
            .filter(|piece| piece.get("Sequence").is_some());
        if copies.count() > MOST_COPIES {
            return Err(format!(
                "{template}: the text occurs more than {MOST_COPIES} times"
            ));
        }
        let special = |piece: &Value| {
            let id = piece.get("SpecialToken")?.get("id")?.as_str()?;
            let ids = step
                .get("special_tokens")?
                .get(id)?
                .get("ids")?
                .as_array()?;
            Some(ids.len())
        };
        let special: usize = pieces.iter().filter_map(special).sum();
        if special > MOST_SPECIAL {
            return Err(format!(
                "{template}: more than {MOST_SPECIAL} special tokens"
            ));
        }
    }
    Ok(())
}

/// Whether a pattern may need exponential time: a repeated group that holds a repetition or a choice, in a pattern with
/// lookaround or references, which is the only kind that is matched by backtracking.
fn backtracks(regex: &str) -> bool {
    let bytes = regex.as_bytes();
    let reference = bytes
        .windows(2)
        .any(|pair| matches!(pair, [b'\\', b'1'..=b'9' | b'k']));
    let looks = ["(?=", "(?!", "(?<=", "(?<!", "(?>", "(?("]
        .iter()
        .any(|look| regex.contains(look));
    if !reference && !looks {
        return false;
    }
    // For each open group: whether it holds a repetition without end, or a choice.
    let mut open: Vec<bool> = Vec::new();
    let mut place = 0;
    while place < bytes.len() {
        match bytes[place] {
            b'\\' => place += 1,
            b'[' => place = end_of_class(bytes, place),
            b'(' => open.push(false),
            b'|' => {
                if let Some(group) = open.last_mut() {
                    *group = true;
                }
            }
            b')' => {
                let risky = open.pop().unwrap_or(false);
                let repeats = repeats_at(bytes, place + 1);
                if risky && repeats {
                    return true;
                }
                if let Some(outer) = open.last_mut() {
                    *outer |= risky || repeats;
                }
            }
            b'*' | b'+' | b'{' if repeats_at(bytes, place) => {
                if let Some(group) = open.last_mut() {
                    *group = true;
                }
            }
            _ => {}
        }
        place += 1;
    }
    false
}

/// Whether a repetition without end, or with a large one, begins here.
fn repeats_at(bytes: &[u8], place: usize) -> bool {
    match bytes.get(place) {
        Some(b'*' | b'+') => true,
        Some(b'{') => {
            let end = bytes[place..].iter().position(|byte| *byte == b'}');
            let inner = end.map(|end| &bytes[place + 1..place + end]);
            let Some(inner) = inner.and_then(|inner| std::str::from_utf8(inner).ok()) else {
                return false;
            };
            let most = inner.rsplit(',').next().unwrap_or_default();
            most.is_empty() || most.parse::<u32>().is_ok_and(|most| most > 10)
        }
        _ => false,
    }
}

/// The closing bracket of the class that begins here.
fn end_of_class(bytes: &[u8], start: usize) -> usize {
    let mut place = start + 1;
    let mut depth = 1;
    while place < bytes.len() {
        match bytes[place] {
            b'\\' => place += 1,
            b'[' => depth += 1,
            b']' if place == start + 1 || (place == start + 2 && bytes[start + 1] == b'^') => {}
            b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place;
        }
        place += 1;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_published_tokenizers_pass_and_catastrophes_do_not() {
        for regex in [
            r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            r"[!#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            r" ?[^(\s|[.,!?…。，、।۔،])]+",
            r"(a+)+$",
            r" {2,}",
        ] {
            assert!(!backtracks(regex), "{regex}");
        }
        for regex in [
            r"(a+)+(?!b)",
            r"(?:a*)*(?=c)",
            r"(a|a)*(?!\S)",
            r"(?:x+x+)+\1",
            r"((a{2,})+)(?<!b)",
            r"(?:(?:a)+b?)+(?!c)",
            r"([a-z]+)*\k<n>",
            r"(.{1,1000}){5,}(?!x)",
        ] {
            assert!(backtracks(regex), "{regex}");
        }
    }
}
