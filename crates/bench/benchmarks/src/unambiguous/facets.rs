//! What the groups of rows say of a sentence, as labels: whoever follows a row to its sentences needs them.

use epicene_core::{Gender, ItemRef, Items};

use super::measures::{BARE, position_name};
use super::sentences::Sentences;

pub fn facets(item: ItemRef<'_>) -> Vec<(&'static str, String)> {
    let mut alone = Items::default();
    alone.push(&item.to_item());
    // What cannot be measured has no group.
    let Ok(sentences) = Sentences::of(&alone) else {
        return Vec::new();
    };
    let seen = sentences.get(0);
    let letter = |gender: Gender| gender.letter().to_ascii_uppercase().to_string();
    let word = |word: Option<&str>| word.map(str::to_owned);
    let features = seen.features;
    let configuration = seen.configuration();
    let stereotype = features.adjective.map(letter);
    let known: [(&'static str, Option<String>); 10] = [
        ("trigger", Some(letter(seen.expected))),
        ("config", word(configuration)),
        ("position", word(features.position.map(position_name))),
        ("occupation", word(seen.occupation)),
        ("adjective", word(seen.adjective)),
        ("adjective-stereotype", stereotype),
        (
            "adjective-place",
            features.adjective.map(|_| {
                if features.on_occupation {
                    "occupation".to_owned()
                } else {
                    "elsewhere".to_owned()
                }
            }),
        ),
        ("verb", word(seen.verb)),
        ("verb-stereotype", features.verb.map(letter)),
        (
            BARE,
            (features.adjective.is_none() && configuration.is_some()).then(|| "yes".to_owned()),
        ),
    ];
    known
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}
