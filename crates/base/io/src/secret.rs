//! Keys. They come from the environment or stand in an address, and no message repeats them: servers like to quote the
//! key they refuse, whole or in part.

use std::fmt;

/// Does not show what it holds.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: String) -> Secret {
        Secret(value)
    }

    /// The value of the first of these variables that is set and not empty.
    pub fn from_environment(names: &[&str]) -> Option<Secret> {
        names.iter().find_map(|name| {
            let value = std::env::var(name).ok()?;
            let value = value.trim();
            (!value.is_empty()).then(|| Secret(value.to_owned()))
        })
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The most characters in a row that a key and a message may share.
const SHARED: usize = 4;

/// Text without any piece of these keys that is longer than four characters, however a server cut, quoted or encoded it.
/// To be called before a text is cut.
pub(crate) fn scrubbed<'a>(text: &str, secrets: impl IntoIterator<Item = &'a Secret>) -> String {
    let mut text = text.to_owned();
    for secret in secrets {
        for spelling in spellings(&secret.0) {
            text = without(&text, &spelling);
        }
    }
    text
}

/// A key as it is, and as addresses and JSON write it.
fn spellings(key: &str) -> Vec<Vec<u8>> {
    let mut percent = String::new();
    for byte in key.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                percent.push(char::from(byte));
            }
            _ => percent.push_str(&format!("%{byte:02x}")),
        }
    }
    let quoted = serde_json::Value::from(key).to_string();
    let quoted = quoted[1..quoted.len() - 1].to_owned();
    // As some libraries escape `/` and `<`.
    let slashed = quoted.replace('/', "\\/");
    let mut all: Vec<Vec<u8>> = [key.to_owned(), percent, quoted, slashed]
        .into_iter()
        .map(|spelling| spelling.to_ascii_lowercase().into_bytes())
        .filter(|spelling| !spelling.is_empty())
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Replaces every stretch of `text` that is a piece of `key`, longer than [`SHARED`] or all of it. Upper and lower case
/// count as the same.
fn without(text: &str, key: &[u8]) -> String {
    let least = key.len().min(SHARED + 1);
    let bytes = text.to_ascii_lowercase().into_bytes();
    let mut covered = vec![false; bytes.len()];
    for start in 0..bytes.len().saturating_sub(least - 1) {
        let head = &bytes[start..start + least];
        // Pieces overlap: that one of them is found covers all of a longer stretch.
        if key.windows(least).any(|window| window == head) {
            covered[start..start + least].fill(true);
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for (place, c) in text.char_indices() {
        let hidden = covered[place..place + c.len_utf8()].contains(&true);
        if !hidden {
            out.push(c);
        } else if !inside {
            out.push('…');
        }
        inside = hidden;
    }
    out
}

/// What of an address may be shown: no password and no value of its query, which may be a key.
pub fn public_address(url: &str) -> String {
    let (url, query) = match url.split_once('?') {
        Some((url, query)) => (url, Some(query)),
        None => (url, None),
    };
    let mut shown = match url.split_once("://") {
        Some((scheme, rest)) => {
            let host = rest.find('/').unwrap_or(rest.len());
            match rest[..host].rfind('@') {
                Some(at) => format!("{scheme}://…{}", &rest[at..]),
                None => url.to_owned(),
            }
        }
        None => url.to_owned(),
    };
    let names = query.into_iter().flat_map(|query| query.split('&'));
    for (place, part) in names.enumerate() {
        shown.push(if place == 0 { '?' } else { '&' });
        shown += match part.split_once('=') {
            Some((name, value)) if !value.is_empty() => &part[..name.len() + 1],
            _ => part,
        };
        if part.contains('=') {
            shown.push('…');
        }
    }
    shown
}

/// What stands in an address and may be a key: its password and the values of its query.
pub(crate) fn secrets_of(url: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let (place, query) = url.split_once('?').unwrap_or((url, ""));
    if let Some((_, rest)) = place.split_once("://") {
        let host = rest.split('/').next().unwrap_or_default();
        if let Some((user, _)) = host.rsplit_once('@') {
            found.extend(user.split(':').map(str::to_owned));
        }
    }
    let values = query
        .split('&')
        .filter_map(|part| Some(part.split_once('=')?.1));
    found.extend(values.map(str::to_owned));
    // Shorter ones are words and numbers, which messages hold anyway.
    found.retain(|value| value.len() > SHARED);
    found.into_iter().map(Secret).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters in a row that a text shares with a key.
    fn shared(text: &str, key: &str) -> usize {
        let text = text.to_ascii_lowercase();
        let key = key.to_ascii_lowercase();
        (1..=key.len())
            .take_while(|length| {
                (0..=key.len() - length).any(|start| {
                    key.get(start..start + length)
                        .is_some_and(|piece| text.contains(piece))
                })
            })
            .count()
    }

    #[test]
    fn no_piece_of_a_key_stays() {
        let key = Secret::new("sk-proj-9fT/3+vQ=xLmN08".to_owned());
        let pieces = [
            key.expose().to_owned(),
            key.expose()[..15].to_owned(),
            key.expose()[7..].to_owned(),
            key.expose().to_uppercase(),
            "sk-proj-9fT%2F3%2BvQ%3DxLmN08".to_owned(),
            "sk-proj-9fT%2f3%2bvQ%3dxLmN08".to_owned(),
            "sk-proj-9fT\\/3+vQ=xLmN08".to_owned(),
            "sk-proj-****xLmN08".to_owned(),
            format!("{0}{0}", key.expose()),
        ];
        for piece in pieces {
            let text = scrubbed(&format!("the key „{piece}“ is refused"), [&key]);
            assert!(shared(&text, key.expose()) <= SHARED, "{text}");
            assert!(
                text.starts_with("the key „") && text.ends_with("“ is refused"),
                "{text}"
            );
            assert!(!text.contains("9fT%2"), "{text}");
        }
        assert_eq!(scrubbed("no key here", [&key]), "no key here");
        let short = Secret::new("abc".to_owned());
        assert_eq!(scrubbed("ab abc bc", [&short]), "ab … bc");
        assert_eq!(
            scrubbed("žluťoučký", [&Secret::new("ťoučk".to_owned())]),
            "žlu…ý"
        );
    }

    #[test]
    fn addresses_are_shown_without_what_may_be_a_key() {
        for (url, expected) in [
            ("https://a.b/v1", "https://a.b/v1"),
            ("https://a.b/v1?key=s3cret", "https://a.b/v1?key=…"),
            ("https://a.b?a=1&key=s&flag", "https://a.b?a=…&key=…&flag"),
            ("https://me:pass@a.b/x@y", "https://…@a.b/x@y"),
            ("https://a.b/x?key=", "https://a.b/x?key=…"),
            ("a.b?token=x=y", "a.b?token=…"),
        ] {
            assert_eq!(public_address(url), expected);
        }
        let found = secrets_of("https://me:passw@a.b/x?key=s3cret&n=1");
        let found: Vec<&str> = found.iter().map(Secret::expose).collect();
        assert_eq!(found, ["passw", "s3cret"]);
    }
}
