//! WinoBias sentences with one pronoun and the occupation it refers to: the base of the extended set, and the
//! format WinoMT has (gender, index, sentence, phrase).

use epicene_core::{InputError, TextFile};

/// A sentence with the gender of its pronoun and the occupation that pronoun refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseSentence {
    /// `male` or `female`, from the pronoun.
    pub gender: String,
    /// 0-based index of the occupation in the sentence split on single spaces.
    pub index: usize,
    pub text: String,
    /// The occupation with its article, as the data has it.
    pub phrase: String,
}

/// The eight files in the order of the base: anti before pro, type 1 before type 2, dev before test.
pub fn file_names() -> Vec<String> {
    let mut names = Vec::new();
    for side in ["anti", "pro"] {
        for (kind, part) in [(1, "dev"), (1, "test"), (2, "dev"), (2, "test")] {
            names.push(format!("{side}_stereotyped_type{kind}.txt.{part}"));
        }
    }
    names
}

/// The sentences of one WinoBias file: `N sentence` with the occupation and the pronoun in brackets.
pub fn from_winobias(file: &TextFile) -> Result<Vec<BaseSentence>, InputError> {
    let mut sentences = Vec::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let sentence = convert(line).map_err(|message| {
            InputError::new(&file.path, message)
                .at_line(number)
                .with_hint("expected a number and a sentence with [occupation] and [pronoun]")
        })?;
        sentences.push(sentence);
    }
    Ok(sentences)
}

fn convert(line: &str) -> Result<BaseSentence, String> {
    let (number, marked) = line.split_once(' ').ok_or("there is no sentence")?;
    if number.parse::<u32>().is_err() {
        return Err(format!("`{number}` is not a number"));
    }
    let mut spans = marked.split('[').skip(1).map(|rest| rest.split(']').next());
    let (Some(Some(phrase)), Some(Some(pronoun))) = (spans.next(), spans.next()) else {
        return Err("there are not two bracketed spans".to_owned());
    };
    let gender = gender_of(pronoun).ok_or_else(|| format!("`{pronoun}` is not a pronoun"))?;
    let before = marked.split('[').next().unwrap_or("");
    let spaces = before.matches(' ').count();
    Ok(BaseSentence {
        gender: gender.to_owned(),
        index: spaces + usize::from(article(phrase).is_some()),
        text: marked.replace(['[', ']'], "").trim_end().to_owned(),
        phrase: phrase.to_owned(),
    })
}

fn gender_of(pronoun: &str) -> Option<&'static str> {
    match pronoun.trim().to_lowercase().as_str() {
        "he" | "him" | "his" | "himself" => Some("male"),
        "she" | "her" | "hers" | "herself" => Some("female"),
        _ => None,
    }
}

/// The article a phrase begins with.
fn article(phrase: &str) -> Option<&str> {
    let (first, _) = phrase.split_once(' ')?;
    ["the", "a", "an"]
        .contains(&first.to_lowercase().as_str())
        .then_some(first)
}

/// A table gender, index, sentence, phrase (WinoMT's `en.txt`). Sentences with a neutral pronoun are not of
/// WinoBias and are left out.
pub fn from_table(file: &TextFile) -> Result<Vec<BaseSentence>, InputError> {
    let mut sentences = Vec::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [gender, index, text, phrase] = cells.as_slice() else {
            let message = format!("there are {} cells, expected 4", cells.len());
            return Err(InputError::new(&file.path, message).at_line(number));
        };
        let index = index.parse().map_err(|_| {
            InputError::new(&file.path, format!("`{index}` is not a number")).at_line(number)
        })?;
        match *gender {
            "male" | "female" => sentences.push(BaseSentence {
                gender: (*gender).to_owned(),
                index,
                text: (*text).to_owned(),
                phrase: (*phrase).to_owned(),
            }),
            "neutral" => {}
            other => {
                let message = format!("the gender is `{other}`, expected male, female or neutral");
                return Err(InputError::new(&file.path, message).at_line(number));
            }
        }
    }
    Ok(sentences)
}

impl BaseSentence {
    /// Without double spaces, and with the article in the phrase where the sentence has one before it.
    pub fn normalised(&self) -> BaseSentence {
        let text = self.text.split(' ').filter(|word| !word.is_empty());
        let text = text.collect::<Vec<_>>().join(" ");
        let mut phrase = self.phrase.trim().to_owned();
        if article(&phrase).is_none() {
            for article in ["the", "The", "a", "an", "A", "An"] {
                let with = format!("{article} {phrase}");
                if has_words(&text, &with) {
                    phrase = with;
                    break;
                }
            }
        }
        BaseSentence {
            text,
            phrase,
            ..self.clone()
        }
    }

    /// The phrase without its article.
    pub fn noun(&self) -> &str {
        match article(&self.phrase) {
            Some(article) => self.phrase[article.len()..].trim(),
            None => self.phrase.trim(),
        }
    }

    /// The sentence with an adjective before the occupation, wherever its phrase occurs.
    pub(crate) fn with_adjective(&self, adjective: &str) -> String {
        let vowel = adjective.starts_with(['a', 'e', 'i', 'o', 'u']);
        let noun = self.noun();
        let extended = match article(&self.phrase) {
            Some(given @ ("a" | "an" | "A" | "An")) => {
                let fitting = if vowel { "an" } else { "a" };
                if given.starts_with('A') {
                    format!("A{} {adjective} {noun}", &fitting[1..])
                } else {
                    format!("{fitting} {adjective} {noun}")
                }
            }
            Some(kept) => format!("{kept} {adjective} {noun}"),
            None => format!("{adjective} {noun}"),
        };
        self.text.replace(&self.phrase, &extended)
    }
}

/// Whether a text has the words, not as parts of longer ones.
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + words.len()..].chars().next();
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !letter(before) && !letter(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_follow_the_adjective() {
        let sentence = |text: &str, phrase: &str| BaseSentence {
            gender: "male".to_owned(),
            index: 1,
            text: text.to_owned(),
            phrase: phrase.to_owned(),
        };
        for (text, phrase, adjective, expected) in [
            ("The cook ran.", "The cook", "sassy", "The sassy cook ran."),
            (
                "They saw an assistant.",
                "an assistant",
                "sassy",
                "They saw a sassy assistant.",
            ),
            (
                "He is a cook.",
                "a cook",
                "eminent",
                "He is an eminent cook.",
            ),
            (
                "I saw the  physician.",
                " physician",
                "wiry",
                "I saw the wiry physician.",
            ),
            (
                "I saw the cook 's car.",
                "cook",
                "wiry",
                "I saw the wiry cook 's car.",
            ),
        ] {
            let found = sentence(text, phrase)
                .normalised()
                .with_adjective(adjective);
            assert_eq!(found, expected);
        }
    }
}
