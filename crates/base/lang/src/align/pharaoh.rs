//! Links in Pharaoh's form: `0-0 1-2 2-1`, source before target, counted from 0.

use super::Link;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a link like 3-4")]
pub struct PharaohError(String);

/// The links of one line, in its order.
pub fn parse_links(line: &str) -> Result<Vec<Link>, PharaohError> {
    let link = |word: &str| {
        let (source, target) = word.split_once('-')?;
        Some(Link {
            source: source.parse().ok()?,
            target: target.parse().ok()?,
        })
    };
    line.split_whitespace()
        .map(|word| link(word).ok_or_else(|| PharaohError(word.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        assert_eq!(
            parse_links("0-0 2-1").unwrap(),
            [Link::new(0, 0), Link::new(2, 1)]
        );
        assert_eq!(parse_links("").unwrap(), []);
        for bad in ["0", "0-", "-1-2", "0:1", "0-1-2", "a-b"] {
            assert_eq!(parse_links(bad), Err(PharaohError(bad.to_owned())));
        }
    }
}
