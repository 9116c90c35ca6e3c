//! Tokens that are too long to be tokens. The library frees its tries level by level: a token of many
//! kilobytes would overflow the stack, which nothing can catch.

/// No token is longer.
pub const LONGEST_TOKEN: usize = 2048;

/// Whether a string of `tokenizer.json` is longer than any token; the table of a normaliser may be.
pub fn has_endless_string(json: &[u8]) -> bool {
    let mut name: &[u8] = b"";
    let mut rest = json;
    while let Some(start) = rest.iter().position(|byte| *byte == b'"') {
        rest = &rest[start + 1..];
        let mut end = 0;
        while rest.get(end).is_some_and(|byte| *byte != b'"') {
            end += if rest[end] == b'\\' { 2 } else { 1 };
        }
        let text = &rest[..end.min(rest.len())];
        if text.len() > LONGEST_TOKEN && name != b"precompiled_charsmap" {
            return true;
        }
        name = text;
        rest = &rest[(end + 1).min(rest.len())..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_normaliser_has_long_strings() {
        let long = "x".repeat(LONGEST_TOKEN + 1);
        for (json, expected) in [
            (format!(r#"{{"vocab":[["{long}",-1]]}}"#), true),
            (
                format!(r#"{{"precompiled_charsmap":"{long}","a":"b"}}"#),
                false,
            ),
            (r#"{"a\"b":"c\\"}"#.to_owned(), false),
            (format!("\"{long}"), true),
            ("\"\\".to_owned(), false),
        ] {
            assert_eq!(has_endless_string(json.as_bytes()), expected, "{json:.60}");
        }
        let fixtures =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/checkpoints");
        for entry in std::fs::read_dir(fixtures).unwrap() {
            let path = entry.unwrap().path().join("tokenizer.json");
            if let Ok(bytes) = std::fs::read(&path) {
                assert!(!has_endless_string(&bytes), "{}", path.display());
            }
        }
    }
}
