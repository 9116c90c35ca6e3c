//! The place of a number among published ones: a range, because an uncertain number has no single place.

use epicene_core::Row;

/// How many published numbers it is above, and whose is nearest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rank {
    pub above: usize,
    pub of: usize,
    pub closest: String,
}

impl Rank {
    /// `None` where nothing was published.
    pub fn among(value: f64, published: &[(String, f64)]) -> Option<Rank> {
        let distance = |(_, other): &&(String, f64)| (other - value).abs();
        let closest = published
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some(Rank {
            above: published.iter().filter(|(_, other)| *other < value).count(),
            of: published.len(),
            closest: closest.0.clone(),
        })
    }

    /// The places of both ends of a number's interval.
    pub fn range(row: &Row, published: &[(String, f64)]) -> Option<(usize, usize)> {
        let above = |bound: f64| Some(Rank::among(bound, published)?.above);
        above(row.low?).zip(above(row.high?))
    }

    /// The place in words; its row gets the range.
    pub fn note(
        &self,
        (who, what, whom): (&str, &str, &str),
        range: Option<(usize, usize)>,
        row: Option<&mut Row>,
    ) -> String {
        let Rank { above, of, closest } = self;
        if let (Some((low, high)), Some(row)) = (range, row) {
            (row.low, row.high) = (Some(low as f64), Some(high as f64));
        }
        let (first, last) = range.unwrap_or((*above, *above));
        let ranks = match (first.min(last), first.max(last)) {
            (first, last) if first == last => ordinal(first + 1),
            (first, last) => format!("{} to {}", ordinal(first + 1), ordinal(last + 1)),
        };
        let least = what.strip_prefix("more ").unwrap_or(what);
        format!(
            "{who}: ranks {ranks} among {of} {whom} (1st: the least {least}); closest: {closest}"
        )
    }
}

/// `1st`, `22nd`, `13th`
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_those_that_are_smaller() {
        let published = [("a", 0.5), ("b", 0.7), ("c", 0.6)];
        let published: Vec<(String, f64)> = published
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec();
        let place = Rank::among(0.62, &published).unwrap();
        assert_eq!((place.above, place.of, place.closest.as_str()), (2, 3, "c"));
        assert_eq!(Rank::among(1.0, &[]), None);
    }

    #[test]
    fn an_uncertain_number_has_a_range_of_places() {
        let published: Vec<(String, f64)> = (0..32)
            .map(|number| (format!("s{number}"), f64::from(number)))
            .collect();
        let mut row = Row::new("b", ["s", "u", "all"], "acc", 20.5);
        (row.low, row.high) = (Some(16.5), Some(24.5));
        let place = Rank::among(row.value, &published).unwrap();
        let range = Rank::range(&row, &published);
        let mut placed = Row::new("b", ["s", "u", "all"], "more_accurate_than", 21.0);
        let words = place.note(("s", "more accurate", "systems"), range, Some(&mut placed));
        assert!(
            words.contains("ranks 18th to 26th among 32 systems (1st: the least accurate)"),
            "{words}"
        );
        assert_eq!((placed.low, placed.high), (Some(17.0), Some(25.0)));
        let shown = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111].map(ordinal);
        let wanted = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "101st",
            "111th",
        ];
        assert_eq!(shown, wanted);
        row.low = None;
        assert_eq!(Rank::range(&row, &published), None);
    }
}
