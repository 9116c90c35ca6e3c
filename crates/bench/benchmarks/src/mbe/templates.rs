//! Tmp: pairs from templates (Kaneko et al. 2022, section 5.2), the method MBE is compared with. A pair
//! is the same template and occupation with a male and with a female word; the male sentence stands in
//! the place of the stereotypical one.

use epicene_core::{InputError, TextFile};

use super::extraction::WordList;
use crate::sentence_pairs::SentencePair;

const GENDER: &str = "[Gender]";
const OCCUPATION: &str = "[Occupation]";

/// Templates and (male, female) word pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateSet {
    pub templates: Vec<String>,
    pub words: Vec<(String, String)>,
}

impl TemplateSet {
    /// Lines with `[Gender]` and `[Occupation]` are templates; lines `male:female` are word pairs; `#`
    /// begins a comment.
    pub fn read(file: &TextFile) -> Result<TemplateSet, InputError> {
        let mut set = TemplateSet {
            templates: Vec::new(),
            words: Vec::new(),
        };
        for (index, line) in file.text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let complain =
                |message: &str| InputError::new(&file.path, message).at_line(index as u64 + 1);
            match (line.contains(GENDER), line.contains(OCCUPATION)) {
                (true, true) => set.templates.push(line.to_owned()),
                (false, false) => match line.split_once(':') {
                    Some((male, female))
                        if !male.trim().is_empty() && !female.trim().is_empty() =>
                    {
                        set.words
                            .push((male.trim().to_owned(), female.trim().to_owned()));
                    }
                    _ => {
                        return Err(complain(
                            "this is neither a template nor a pair `male:female`",
                        ));
                    }
                },
                _ => return Err(complain("a template needs both [Gender] and [Occupation]")),
            }
        }
        match (set.templates.is_empty(), set.words.is_empty()) {
            (true, _) => Err(InputError::new(&file.path, "there is no template")),
            (_, true) => Err(InputError::new(&file.path, "there is no word pair")),
            _ => Ok(set),
        }
    }

    /// What the paper prints for a language, with occupations of our own.
    pub fn embedded(language: &str) -> Option<(&'static str, &'static str)> {
        match language {
            "ja" => Some((
                include_str!("../../data/mbe/templates_ja.txt"),
                include_str!("../../data/mbe/occupations_ja.txt"),
            )),
            "ru" => Some((
                include_str!("../../data/mbe/templates_ru.txt"),
                include_str!("../../data/mbe/occupations_ru.txt"),
            )),
            _ => None,
        }
    }

    /// Every occupation with every template and word pair.
    pub fn pairs(&self, occupations: &WordList) -> Vec<SentencePair> {
        let mut pairs = Vec::new();
        for occupation in &occupations.entries {
            for template in &self.templates {
                for (male, female) in &self.words {
                    let fill = |word: &str| {
                        template
                            .replace(GENDER, word)
                            .replace(OCCUPATION, occupation)
                    };
                    pairs.push(SentencePair {
                        id: (pairs.len() + 1).to_string(),
                        stereotypical: fill(male),
                        anti_stereotypical: fill(female),
                        direction: String::new(),
                        bias_type: "gender".to_owned(),
                    });
                }
            }
        }
        pairs
    }
}
