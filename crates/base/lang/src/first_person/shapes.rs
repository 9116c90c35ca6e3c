//! Words known by their shape: Semitic participles and adjectives are patterns around a root.
//!
//! `[shape tag]` in a data file lists patterns; `?` stands for any letter, everything else for
//! itself: `?ו??ת` is every Hebrew feminine participle of the simple verb.

use super::tags::Tags;

#[derive(Default)]
pub(crate) struct Shapes {
    /// The patterns of each length, in the order of the file.
    by_length: Vec<Vec<(Box<[char]>, Tags)>>,
}

impl Shapes {
    pub(crate) fn add(&mut self, pattern: &str, tags: Tags) {
        let letters: Box<[char]> = pattern.chars().collect();
        let length = letters.len();
        if self.by_length.len() <= length {
            self.by_length.resize_with(length + 1, Vec::new);
        }
        self.by_length[length].push((letters, tags));
    }

    /// The classes of the first pattern that `word` has.
    pub(crate) fn tags(&self, word: &str) -> Option<Tags> {
        if self.by_length.is_empty() {
            return None;
        }
        let patterns = self.by_length.get(word.chars().count())?;
        let fits = |pattern: &[char]| {
            let pairs = pattern.iter().zip(word.chars());
            pairs
                .into_iter()
                .all(|(&wanted, letter)| wanted == '?' || wanted == letter)
        };
        let found = patterns.iter().find(|(pattern, _)| fits(pattern));
        found.map(|&(_, tags)| tags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_pattern_of_the_same_length_decides() {
        let mut shapes = Shapes::default();
        shapes.add("מ??ה", Tags::ADJ_X);
        shapes.add("מ???", Tags::ADJ_M);
        assert_eq!(shapes.tags("מנסה"), Some(Tags::ADJ_X));
        assert_eq!(shapes.tags("מדבר"), Some(Tags::ADJ_M));
        assert_eq!(shapes.tags("מדברת"), None);
        assert_eq!(Shapes::default().tags("מדבר"), None);
    }
}
