//! HTML entities that a service put where plain text was asked for.

/// Undoes the entities of a translation, unless the source has some itself: then they are text.
pub fn unescape_foreign(source: &str, text: &str) -> String {
    if text.contains('&') && !has_entity(source) {
        unescape(text)
    } else {
        text.to_owned()
    }
}

fn has_entity(text: &str) -> bool {
    entities(text).next().is_some()
}

/// Start, end and meaning of every entity that is known.
fn entities(text: &str) -> impl Iterator<Item = (usize, usize, char)> {
    text.match_indices('&').filter_map(|(start, _)| {
        let rest = &text[start + 1..];
        let length = rest.find(';').filter(|length| (2..=8).contains(length))?;
        let meaning = meaning(&rest[..length])?;
        Some((start, start + length + 2, meaning))
    })
}

fn meaning(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code).filter(|c| !c.is_control());
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        "laquo" => '«',
        "raquo" => '»',
        "ldquo" => '“',
        "rdquo" => '”',
        "lsquo" => '‘',
        "rsquo" => '’',
        "bdquo" => '„',
        "sbquo" => '‚',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        "euro" => '€',
        _ => return None,
    })
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut done = 0;
    for (start, end, meaning) in entities(text) {
        // An entity inside one that was just read is not one.
        if start < done {
            continue;
        }
        plain.push_str(&text[done..start]);
        plain.push(meaning);
        done = end;
    }
    plain.push_str(&text[done..]);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_become_characters_once() {
        for (source, text, expected) in [
            ("I'm here.", "J&#39;y suis.", "J'y suis."),
            ("a", "&quot;a&quot; &amp; b &lt;c&gt;", "\"a\" & b <c>"),
            ("a", "&#x2019;&rsquo;&nbsp;x", "’’\u{a0}x"),
            ("a", "&amp;#39;", "&#39;"),
            (
                "a",
                "R&D; fish & chips; &unknown;",
                "R&D; fish & chips; &unknown;",
            ),
            ("a", "&#0;&#xD800;&#99999999;", "&#0;&#xD800;&#99999999;"),
            ("Write &amp;", "Napíš &amp;", "Napíš &amp;"),
        ] {
            assert_eq!(unescape_foreign(source, text), expected, "{text}");
        }
    }
}
