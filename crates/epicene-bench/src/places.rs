//! The place of a number among published ones.

/// How many published numbers it is above, and whose is nearest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub above: usize,
    pub of: usize,
    pub closest: String,
}

impl Place {
    /// `None` where nothing was published.
    pub fn among(value: f64, published: Vec<(String, f64)>) -> Option<Place> {
        let distance = |(_, other): &&(String, f64)| (other - value).abs();
        let closest = published
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some(Place {
            above: published.iter().filter(|(_, other)| *other < value).count(),
            of: published.len(),
            closest: closest.0.clone(),
        })
    }

    pub fn note(&self, who: &str, what: &str, whom: &str) -> String {
        let Place { above, of, closest } = self;
        format!("{who}: {what} than {above} of {of} {whom}; closest: {closest}")
    }
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
        let place = Place::among(0.62, published).unwrap();
        assert_eq!((place.above, place.of, place.closest.as_str()), (2, 3, "c"));
        assert_eq!(Place::among(1.0, Vec::new()), None);
    }
}
