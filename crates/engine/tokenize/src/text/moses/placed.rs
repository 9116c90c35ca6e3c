//! A text that is rewritten step by step and knows where each of its letters came from.

use std::ops::Range;

use regex::{CaptureLocations, Regex};
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// White space as Python has it: Unicode's, and four separators among the control characters.
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Placed {
    text: String,
    /// Where in the first text each byte comes from.
    places: Vec<(usize, usize)>,
}

impl Placed {
    pub fn new(text: &str) -> Placed {
        let mut placed = Placed::default();
        for (at, letter) in text.char_indices() {
            placed.push(letter, (at, at + letter.len_utf8()));
        }
        placed
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn push(&mut self, letter: char, place: (usize, usize)) {
        self.text.push(letter);
        self.places.resize(self.text.len(), place);
    }

    fn push_text(&mut self, text: &str, place: (usize, usize)) {
        self.text.push_str(text);
        self.places.resize(self.text.len(), place);
    }

    fn copy(&mut self, source: &Placed, range: Range<usize>) {
        self.text.push_str(&source.text[range.clone()]);
        self.places.extend_from_slice(&source.places[range]);
    }

    pub fn part(&self, range: Range<usize>) -> Placed {
        let mut part = Placed::default();
        part.copy(self, range);
        part
    }

    /// Where a part comes from; of an empty one, the point it stands at.
    pub fn place(&self, range: Range<usize>) -> (usize, usize) {
        let places = &self.places[range.clone()];
        let first = places.iter().map(|(start, _)| *start).min();
        let last = places.iter().map(|(_, end)| *end).max();
        match (first, last) {
            (Some(first), Some(last)) => (first, last),
            _ => {
                let next = self.places.get(range.start).map(|(start, _)| *start);
                let point = next.or_else(|| self.places.last().map(|(_, end)| *end));
                let point = point.unwrap_or(0);
                (point, point)
            }
        }
    }

    /// Writes something else for every match, which is never empty; its groups are given.
    pub fn rewrite(
        &mut self,
        pattern: &Regex,
        mut write: impl FnMut(&Placed, &CaptureLocations, &mut Placed),
    ) {
        let mut groups = pattern.capture_locations();
        let mut written = Placed::default();
        let mut rest = 0;
        while let Some(found) = pattern.captures_read_at(&mut groups, &self.text, rest) {
            let end = found.end();
            written.copy(self, rest..found.start());
            write(self, &groups, &mut written);
            rest = end;
        }
        if rest > 0 {
            written.copy(self, rest..self.text.len());
            *self = written;
        }
    }

    /// Blanks at these places, in order.
    pub fn insert_blanks(&mut self, places: &[usize]) {
        let mut written = Placed::default();
        let mut rest = 0;
        for place in places {
            written.copy(self, rest..*place);
            written.push(' ', self.place(*place..*place));
            rest = *place;
        }
        written.copy(self, rest..self.text.len());
        *self = written;
    }

    /// Without white space around it.
    pub fn strip(&mut self) {
        let end = self.text.trim_end_matches(is_space).len();
        let start = end - self.text[..end].trim_start_matches(is_space).len();
        *self = self.part(start..end);
    }

    /// The words between white space.
    pub fn words(&self) -> impl Iterator<Item = Range<usize>> {
        let parts = self.text.split(is_space);
        let starts = parts.scan(0, |next, word| {
            let start = *next;
            let rest = self.text[start + word.len()..].chars().next();
            *next = start + word.len() + rest.map_or(0, char::len_utf8);
            Some(start..start + word.len())
        });
        starts.filter(|word| !word.is_empty())
    }

    /// In lower case, as a whole: a sigma at the end of a word is a final one.
    pub fn lowercase(&mut self) {
        let lower = self.text.to_lowercase();
        let mut letters = lower.chars();
        let mut written = Placed::default();
        for (at, letter) in self.text.char_indices() {
            for _ in letter.to_lowercase() {
                let lower = letters.next().expect("as many letters as each alone has");
                written.push(lower, self.places[at]);
            }
        }
        *self = written;
    }

    /// Letters and their accents put together (NFC).
    pub fn compose(&mut self) {
        let begins = |letter: char| {
            canonical_combining_class(letter) == 0
                && is_nfc_quick(std::iter::once(letter)) == IsNormalized::Yes
        };
        self.normalize(begins, |part, out| out.extend(part.nfc()));
    }

    /// Letters and their accents taken apart (NFD).
    pub fn decompose(&mut self) {
        let begins = |letter: char| {
            let mut first = None;
            decompose_canonical(letter, |part| {
                first.get_or_insert(part);
            });
            first.is_none_or(|first| canonical_combining_class(first) == 0)
        };
        self.normalize(begins, |part, out| out.extend(part.nfd()));
    }

    /// By stretches that cannot change one another, each of which begins with a letter of that kind.
    fn normalize(&mut self, begins: impl Fn(char) -> bool, form: impl Fn(&str, &mut String)) {
        if self.text.is_ascii() {
            return;
        }
        let mut written = Placed::default();
        let mut normal = String::new();
        let mut start = 0;
        let ends = self.text.char_indices().skip(1);
        let ends = ends.filter(|(_, letter)| begins(*letter));
        for end in ends.map(|(at, _)| at).chain([self.text.len()]) {
            normal.clear();
            form(&self.text[start..end], &mut normal);
            written.push_text(&normal, self.place(start..end));
            start = end;
        }
        *self = written;
    }
}

/// A pattern, and what is written for it.
#[derive(Debug)]
pub struct Rule {
    pattern: Regex,
    written: Vec<Replacement>,
    /// Whether it has a sign beyond ASCII, which a text must have too.
    is_wide: bool,
}

#[derive(Debug)]
enum Replacement {
    Text(String),
    /// A group of the pattern.
    Group(usize),
}

impl Rule {
    /// `$1` is the first group of the pattern.
    pub fn new(pattern: &str, written: &str) -> Rule {
        let mut parts = Vec::new();
        for (number, part) in written.split('$').enumerate() {
            let mut text = part;
            if number > 0 {
                let group = part.chars().next().and_then(|digit| digit.to_digit(10));
                parts.push(Replacement::Group(
                    group.expect("`$` stands before a digit") as usize,
                ));
                text = &part[1..];
            }
            if !text.is_empty() {
                parts.push(Replacement::Text(text.to_owned()));
            }
        }
        Rule {
            pattern: Regex::new(pattern).expect("patterns are written here, and each is tried"),
            written: parts,
            is_wide: !pattern.is_ascii(),
        }
    }

    /// Several of them.
    pub fn all(rules: &[(&str, &str)]) -> Vec<Rule> {
        let rules = rules.iter();
        rules
            .map(|(pattern, written)| Rule::new(pattern, written))
            .collect()
    }

    pub fn apply(&self, text: &mut Placed) {
        if self.is_wide && text.text.is_ascii() {
            return;
        }
        text.rewrite(&self.pattern, |source, groups, written| {
            let whole = group(groups, 0);
            let neighbour = |part: Option<&Replacement>| match part {
                Some(Replacement::Group(number)) => Some(group(groups, *number)),
                _ => None,
            };
            for (number, part) in self.written.iter().enumerate() {
                match part {
                    Replacement::Group(number) => written.copy(source, group(groups, *number)),
                    // It stands for what was between its neighbours, or was elsewhere.
                    Replacement::Text(text) => {
                        let before = number.checked_sub(1).map(|before| &self.written[before]);
                        let start = neighbour(before).map_or(whole.start, |before| before.end);
                        let behind = neighbour(self.written.get(number + 1));
                        let end = behind.map_or(whole.end, |behind| behind.start);
                        let place = if start < end {
                            start..end
                        } else {
                            moved(groups)
                        };
                        written.push_text(text, source.place(place));
                    }
                }
            }
        });
    }
}

/// The place of a group, or of the whole match (0).
pub fn group(groups: &CaptureLocations, number: usize) -> Range<usize> {
    let (start, end) = groups
        .get(number)
        .expect("every group takes part in a match");
    start..end
}

/// What is in no group of a match; all of it, if every letter is.
fn moved(groups: &CaptureLocations) -> Range<usize> {
    let whole = group(groups, 0);
    let mut rest = whole.start;
    let mut found: Option<Range<usize>> = None;
    let inner = (1..groups.len()).map(|number| group(groups, number));
    for group in inner.chain(std::iter::once(whole.end..whole.end)) {
        if rest < group.start {
            let start = found.map_or(rest, |found| found.start);
            found = Some(start..group.start);
        }
        rest = group.end;
    }
    found.unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &Placed) -> Vec<(&str, (usize, usize))> {
        let words = text.words();
        words
            .map(|word| (&text.text[word.clone()], text.place(word)))
            .collect()
    }

    #[test]
    fn words_keep_their_places() {
        let mut text = Placed::new("  Er sagt: „nein“.\u{1c}Nie ");
        for (pattern, written) in [
            ("„", "\""),
            ("“", "\""),
            ("\"([.,])", "$1\""),
            ("([:.])", " $1 "),
        ] {
            Rule::new(pattern, written).apply(&mut text);
        }
        text.strip();
        assert_eq!(text.text(), "Er sagt :  \"nein . \"\u{1c}Nie");
        assert_eq!(
            shown(&text),
            [
                ("Er", (2, 4)),
                ("sagt", (5, 9)),
                (":", (9, 10)),
                ("\"nein", (11, 18)),
                (".", (21, 22)),
                ("\"", (18, 21)),
                ("Nie", (23, 26)),
            ]
        );
    }

    #[test]
    fn letters_change_and_stay_where_they_were() {
        let mut text = Placed::new("ΣΟΦΟΣ İe\u{301}x");
        text.lowercase();
        assert_eq!(shown(&text)[0], ("σοφος", (0, 10)));
        assert_eq!(shown(&text)[1], ("i\u{307}e\u{301}x", (11, 17)));
        text.compose();
        assert_eq!(shown(&text)[1].0, "i\u{307}éx");
        let end = text.text.len();
        assert_eq!(text.place(end - 3..end - 1), (13, 16));
        text.decompose();
        assert_eq!(shown(&text)[1], ("i\u{307}e\u{301}x", (11, 17)));
        // Signs that stand alone but are taken apart into accents are ordered with those before them.
        for odd in [
            "a\u{f73}\u{301}",
            "\u{1100}\u{1161}\u{11a8}",
            "q\u{307}\u{323}",
            "\u{212b}\u{301}",
            "क\u{93c}",
        ] {
            let mut text = Placed::new(odd);
            text.decompose();
            assert_eq!(text.text, odd.nfd().collect::<String>());
            text.compose();
            assert_eq!(text.text, odd.nfc().collect::<String>());
        }
    }
}
