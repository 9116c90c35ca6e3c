//! Lists of gendered words and first names: one entry a line, `#` begins a comment.

use epicene_core::{InputError, TextFile};

/// The entries of one list, as they stand there, without repeats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordList {
    pub entries: Vec<String>,
}

impl WordList {
    pub fn parse(text: &str) -> WordList {
        let mut entries: Vec<String> = Vec::new();
        for line in text.lines() {
            let entry = line.trim();
            if entry.is_empty() || entry.starts_with('#') {
                continue;
            }
            entries.push(entry.to_owned());
        }
        entries.sort_unstable();
        entries.dedup();
        WordList { entries }
    }

    /// A list from outside; one without entries is a mistake.
    pub fn read(file: &TextFile) -> Result<WordList, InputError> {
        let list = WordList::parse(&file.text);
        if list.entries.is_empty() {
            Err(InputError::new(&file.path, "the list holds no word"))
        } else {
            Ok(list)
        }
    }
}

/// The words and names of both genders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GenderLists {
    pub female_words: WordList,
    pub male_words: WordList,
    pub female_names: WordList,
    pub male_names: WordList,
}

impl GenderLists {
    /// Lists compiled for this program (see the headers of the files). The paper's name list is not
    /// released; other lists are given as files.
    pub fn embedded() -> GenderLists {
        GenderLists {
            female_words: WordList::parse(include_str!("../../../data/mbe/words_female.txt")),
            male_words: WordList::parse(include_str!("../../../data/mbe/words_male.txt")),
            female_names: WordList::parse(include_str!("../../../data/mbe/names_female.txt")),
            male_names: WordList::parse(include_str!("../../../data/mbe/names_male.txt")),
        }
    }

    /// Entries that stand in a female and in a male list: no sentence with one of them is kept.
    pub fn overlap(&self) -> Vec<String> {
        let lower = |lists: [&WordList; 2]| -> Vec<String> {
            let entries = lists.iter().flat_map(|list| &list.entries);
            entries.map(|entry| entry.to_lowercase()).collect()
        };
        let male = lower([&self.male_words, &self.male_names]);
        let mut both: Vec<String> = lower([&self.female_words, &self.female_names])
            .into_iter()
            .filter(|entry| male.contains(entry))
            .collect();
        both.sort_unstable();
        both.dedup();
        both
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_lists_are_complete_and_apart() {
        let lists = GenderLists::embedded();
        for (list, least) in [
            (&lists.female_words, 200),
            (&lists.male_words, 200),
            (&lists.female_names, 100),
            (&lists.male_names, 100),
        ] {
            assert!(list.entries.len() >= least, "{}", list.entries.len());
        }
        assert_eq!(lists.overlap(), Vec::<String>::new());
        // A capital at the start of a sentence is no evidence.
        for word in [
            "Will", "May", "Grace", "Mark", "Bill", "Rose", "Alex", "Jordan",
        ] {
            let holds = |list: &WordList| list.entries.iter().any(|entry| entry == word);
            assert!(
                !holds(&lists.female_names) && !holds(&lists.male_names),
                "{word}"
            );
        }
    }

    #[test]
    fn overlap_is_found_across_words_and_names() {
        let lists = GenderLists {
            female_words: WordList::parse("# x\nqueen\n\nmark\n"),
            male_names: WordList::parse("Mark\nMark\n"),
            ..GenderLists::default()
        };
        assert_eq!(lists.male_names.entries, ["Mark"]);
        assert_eq!(lists.overlap(), ["mark"]);
    }
}
