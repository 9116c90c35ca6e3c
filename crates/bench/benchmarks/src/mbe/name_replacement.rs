//! Native names instead of transliterated English ones (Kaneko et al. 2022, section 6): inside a pair a
//! name always becomes the same new name, different names of one gender different ones while there are
//! enough, the longest match first.

use epicene_core::{InputError, TextFile};
use epicene_lang::Gender;
use epicene_stats::draw;

use super::extraction::WordList;
use super::phrases::Phrases;
use crate::sentence_pairs::SentencePair;

/// A form of a name as it stands in the sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NameForm {
    form: String,
    gender: Gender,
    /// The name it is a form of; forms of one name get one replacement.
    base: String,
}

pub struct NameReplacement {
    forms: Vec<NameForm>,
    finder: Phrases,
    female: Vec<String>,
    male: Vec<String>,
}

impl NameReplacement {
    /// `map` holds lines `form TAB f|m` or `form TAB f|m TAB name`; `#` begins a comment.
    pub fn new(
        map: &TextFile,
        female: WordList,
        male: WordList,
    ) -> Result<NameReplacement, InputError> {
        let mut forms = Vec::new();
        for (index, line) in map.text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
            let gender = match cells.get(1) {
                Some(&"f") => Gender::Feminine,
                Some(&"m") => Gender::Masculine,
                _ => {
                    let message = "a line has a name and `f` or `m`, with a tab between";
                    return Err(InputError::new(&map.path, message).at_line(index as u64 + 1));
                }
            };
            let base = cells
                .get(2)
                .filter(|base| !base.is_empty())
                .unwrap_or(&cells[0]);
            forms.push(NameForm {
                form: cells[0].to_owned(),
                gender,
                base: (*base).to_owned(),
            });
        }
        if forms.is_empty() {
            return Err(InputError::new(&map.path, "the map holds no name"));
        }
        Ok(NameReplacement {
            finder: Phrases::new(forms.iter().map(|form| form.form.as_str()), false),
            forms,
            female: female.entries,
            male: male.entries,
        })
    }

    /// The pair with new names, and how many were replaced. `index` is the pair's place in its file:
    /// its draws do not depend on the pairs around it.
    pub fn replace(&self, pair: &SentencePair, index: usize, seed: u64) -> (SentencePair, usize) {
        let mut chosen: Vec<(&str, Gender, String)> = Vec::new();
        let orders = [
            draw::permutation(seed, "mbe/names/female", index as u64, self.female.len()),
            draw::permutation(seed, "mbe/names/male", index as u64, self.male.len()),
        ];
        let mut replaced = 0;
        let mut new_text = |text: &str| {
            let mut made = String::with_capacity(text.len());
            let mut end = 0;
            for hit in self.finder.find(text) {
                let form = &self.forms[hit.word];
                let known = chosen
                    .iter()
                    .find(|(base, gender, _)| *base == form.base && *gender == form.gender);
                let name = match known {
                    Some((_, _, name)) => name.clone(),
                    None => {
                        let (names, order) = match form.gender {
                            Gender::Feminine => (&self.female, &orders[0]),
                            Gender::Masculine => (&self.male, &orders[1]),
                        };
                        let used = chosen
                            .iter()
                            .filter(|(_, gender, _)| *gender == form.gender);
                        let place = used.count() % names.len().max(1);
                        let name = order.get(place).map(|name| names[*name as usize].clone());
                        let name = name.unwrap_or_else(|| form.form.clone());
                        chosen.push((&form.base, form.gender, name.clone()));
                        name
                    }
                };
                made += &text[end..hit.start];
                made += &name;
                end = hit.end;
                replaced += 1;
            }
            made += &text[end..];
            made
        };
        let made = SentencePair {
            stereotypical: new_text(&pair.stereotypical),
            anti_stereotypical: new_text(&pair.anti_stereotypical),
            ..pair.clone()
        };
        (made, replaced)
    }
}
