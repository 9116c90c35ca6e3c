//! YAML in blocks. Every text is quoted, so that no name becomes a number, a date or a key.

use super::json::{Json, repr};

/// A list or an object as lines.
pub(crate) fn yaml(value: &Json) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

fn block(value: &Json, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Json::Map(entries) => {
            for (key, value) in entries {
                out.push_str(&indent);
                entry(key, value, depth, out);
            }
        }
        Json::List(values) => {
            for value in values {
                match value {
                    Json::Map(entries) => {
                        for (index, (key, value)) in entries.iter().enumerate() {
                            out.push_str(&indent);
                            out.push_str(if index == 0 { "- " } else { "  " });
                            entry(key, value, depth + 1, out);
                        }
                    }
                    scalar => out.push_str(&format!("{indent}- {}\n", plain(scalar))),
                }
            }
        }
        scalar => out.push_str(&format!("{indent}{}\n", plain(scalar))),
    }
}

fn entry(key: &str, value: &Json, depth: usize, out: &mut String) {
    out.push_str(key);
    out.push(':');
    match value {
        Json::Map(entries) if !entries.is_empty() => {
            out.push('\n');
            block(value, depth + 1, out);
        }
        Json::List(values) if !values.is_empty() => {
            out.push('\n');
            block(value, depth, out);
        }
        scalar => out.push_str(&format!(" {}\n", plain(scalar))),
    }
}

fn plain(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Whole(value) => value.to_string(),
        Json::Number(value) => number(*value),
        Json::Text(text) => quoted(text),
        Json::List(_) => "[]".to_owned(),
        Json::Map(_) => "{}".to_owned(),
    }
}

/// Readers of YAML 1.1 take `1e-05` for a text: the dot makes it a number everywhere.
fn number(value: f64) -> String {
    let text = repr(value);
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

/// In double quotes. What is not printable is escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Separators of lines and paragraphs, and the mark of byte order, break lines or vanish.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out += &format!("\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::super::json::object;
    use super::*;

    #[test]
    fn lists_and_objects_stand_in_blocks() {
        let value = object! {
            "index": vec![object! {
                "name": "a: \"b\"\n",
                "args": object! { "n": 3u64, "low": 0.00005 },
                "empty": Vec::<Json>::new(),
            }],
        };
        assert_eq!(
            yaml(&value),
            "index:\n- name: \"a: \\\"b\\\"\\n\"\n  args:\n    n: 3\n    low: 5.0e-05\n  empty: []\n"
        );
    }
}
