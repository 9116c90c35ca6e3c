//! Addresses on the way to a file: which server they name, and where a redirect leads.

pub(crate) fn is_relative(place: &str) -> bool {
    place.starts_with('/') && !place.starts_with("//")
}

/// Scheme, server and port.
pub(crate) fn origin(url: &str) -> Option<&str> {
    let start = url.find("://")? + 3;
    let end = url[start..].find(['/', '?', '#']);
    Some(end.map_or(url, |end| &url[..start + end]))
}

/// Where a redirect leads from `place`; none if that is no address.
pub(crate) fn resolved(place: &str, next: &str) -> Option<String> {
    if next.starts_with("http://") || next.starts_with("https://") {
        return Some(next.to_owned());
    }
    if let Some(rest) = next.strip_prefix("//") {
        let scheme = place.split("//").next()?;
        return Some(format!("{scheme}//{rest}"));
    }
    next.starts_with('/')
        .then(|| Some(format!("{}{next}", origin(place)?)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(origin("https://a.b:8/x/y"), Some("https://a.b:8"));
        assert_eq!(origin("https://a.b?x"), Some("https://a.b"));
        assert_ne!(origin("https://a.b/"), origin("https://a.b:8/"));
        let from = "https://a.b/x";
        for (next, expected) in [
            ("/y", Some("https://a.b/y")),
            ("https://c/y", Some("https://c/y")),
            ("//c/y", Some("https://c/y")),
            ("ftp://c/y", None),
            ("", None),
        ] {
            assert_eq!(resolved(from, next).as_deref(), expected, "{next}");
        }
    }
}
