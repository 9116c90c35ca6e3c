//! What services call a language in their own way. The tables are data files, keyed by the registry's codes.

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect())
}

/// The code a service uses, where its table has one of its own.
pub(crate) fn renamed(table: &'static str, code: &str) -> Option<&'static str> {
    rows(table).find_map(|row| match row[..] {
        [ours, theirs] if ours.eq_ignore_ascii_case(code) => Some(theirs),
        _ => None,
    })
}
