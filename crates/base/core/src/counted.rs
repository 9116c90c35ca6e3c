//! Numbers with their nouns, for messages.

use std::fmt::Display;

/// `1 line is`, `3 lines are`: the count and the words that fit it.
pub fn counted(count: impl Display, one: &str, many: &str) -> String {
    let count = count.to_string();
    let words = if count == "1" { one } else { many };
    format!("{count} {words}")
}

/// `there is 1 line`, `there are 3 lines`.
pub fn there_are(count: impl Display, one: &str, many: &str) -> String {
    let counted = counted(count, one, many);
    let verb = if counted.starts_with("1 ") {
        "is"
    } else {
        "are"
    };
    format!("there {verb} {counted}")
}

#[cfg(test)]
mod tests {
    use super::{counted, there_are};

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(1, "line is", "lines are"), "1 line is");
        assert_eq!(counted(0, "line is", "lines are"), "0 lines are");
        assert_eq!(there_are(1, "row", "rows"), "there is 1 row");
        assert_eq!(there_are(11, "row", "rows"), "there are 11 rows");
    }
}
