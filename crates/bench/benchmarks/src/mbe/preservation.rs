//! Does the gender survive translation (Kaneko et al. 2022, section 7)? Of the sentence pairs of the
//! female set whose English side has "she", how many have a translation of it on the other side; the
//! same for "he".

use epicene_core::InputError;
use serde::Serialize;

use super::extraction::{Corpus, GenderLists, Matcher, Mention, WordList, walk};
use super::phrases::Phrases;

/// Pairs with the English pronoun, and those of them whose other side has it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Preserved {
    pub pairs: u64,
    pub hits: u64,
}

impl Preserved {
    pub fn percent(&self) -> Option<f64> {
        match self.pairs {
            0 => None,
            pairs => Some(100.0 * self.hits as f64 / pairs as f64),
        }
    }
}

/// Female and male pairs. `female` and `male` are the pronouns' translations.
pub fn preservation(
    corpus: Corpus,
    lists: &GenderLists,
    female: &WordList,
    male: &WordList,
) -> Result<[Preserved; 2], InputError> {
    let sets = Matcher::new(lists, false);
    let pronouns = Matcher::new(
        &GenderLists {
            female_words: WordList::parse("she"),
            male_words: WordList::parse("he"),
            ..GenderLists::default()
        },
        false,
    );
    let words = female.entries.iter().chain(&male.entries);
    // Both genders' words in one list: 彼女 is not a hit for 彼.
    let translations = Phrases::new(words.map(String::as_str), true);
    let females = female.entries.len();
    let mut total = [Preserved::default(); 2];
    walk(
        corpus,
        |block| {
            let mut counts = [Preserved::default(); 2];
            for pair in block.pairs() {
                let (_, english, target) = pair?;
                let place = match (sets.mention(english), pronouns.mention(english)) {
                    (Mention::Female, Mention::Female) => 0,
                    (Mention::Male, Mention::Male) => 1,
                    _ => continue,
                };
                let hits = translations.find(target);
                let ours = |word: usize| usize::from(word >= females) == place;
                counts[place].pairs += 1;
                counts[place].hits += u64::from(hits.iter().any(|hit| ours(hit.word)));
            }
            Ok(counts)
        },
        |counts| {
            for (total, count) in total.iter_mut().zip(counts) {
                total.pairs += count.pairs;
                total.hits += count.hits;
            }
            Ok(())
        },
    )?;
    Ok(total)
}
