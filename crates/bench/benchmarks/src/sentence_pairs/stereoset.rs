//! Reads StereoSet's intrasentence items: the official `dev.json`, or JSON lines with one item each
//! (`id`, `target`, `bias_type`, `context`, and the three sentences with their ids).

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{InputError, Item, TextFile};
use serde::Deserialize;

/// Labels of an item; its text is the stereotypical sentence.
pub(super) const ANTI: &str = "anti-stereotype";
pub(super) const UNRELATED: &str = "unrelated";
pub(super) const TARGET: &str = "target";
pub(super) const CONTEXT: &str = "context";
/// Sentence ids, in the order stereotype, anti-stereotype, unrelated.
pub(super) const IDS: [&str; 3] = ["stereotype_id", "anti-stereotype_id", "unrelated_id"];

#[derive(Deserialize)]
struct Official {
    data: OfficialData,
}

#[derive(Deserialize)]
struct OfficialData {
    intrasentence: Vec<OfficialItem>,
}

#[derive(Deserialize)]
struct OfficialItem {
    id: String,
    target: String,
    bias_type: String,
    context: String,
    sentences: Vec<OfficialSentence>,
}

#[derive(Deserialize)]
struct OfficialSentence {
    id: String,
    sentence: String,
    gold_label: String,
}

#[derive(Deserialize)]
struct FlatItem {
    id: String,
    target: String,
    bias_type: String,
    context: String,
    stereotype: String,
    #[serde(rename = "anti-stereotype")]
    anti_stereotype: String,
    unrelated: String,
    #[serde(default)]
    stereotype_id: String,
    #[serde(default, rename = "anti-stereotype_id")]
    anti_stereotype_id: String,
    #[serde(default)]
    unrelated_id: String,
}

pub(crate) fn read_stereoset(file: &TextFile) -> Result<Vec<Item>, InputError> {
    let official = file
        .text
        .lines()
        .next()
        .is_some_and(|line| line.trim() == "{")
        || file.text.contains("\"intrasentence\"");
    let items = if official {
        let all: Official = serde_json::from_str(&file.text).map_err(|error| {
            let line = error.line() as u64;
            InputError::new(&file.path, error.to_string()).at_line(line)
        })?;
        let items = all.data.intrasentence.into_iter();
        items
            .map(|item| from_official(file, item))
            .collect::<Result<Vec<_>, _>>()?
    } else {
        let mut items = Vec::new();
        for (index, line) in file.text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let item: FlatItem = serde_json::from_str(line).map_err(|error| {
                InputError::new(&file.path, error.to_string()).at_line(index as u64 + 1)
            })?;
            items.push(from_flat(item));
        }
        items
    };
    if items.is_empty() {
        let message = "there are no intrasentence items";
        return Err(InputError::new(&file.path, message));
    }
    let mut seen = BTreeSet::new();
    for item in &items {
        if !seen.insert(&item.id) {
            let id = item.id.strip_prefix("stereoset:").unwrap_or(&item.id);
            let message = format!("two items have the id `{id}`");
            return Err(InputError::new(&file.path, message)
                .with_hint("answers are kept by id; leave one of the two out"));
        }
    }
    Ok(items)
}

fn from_flat(item: FlatItem) -> Item {
    let ids = [
        item.stereotype_id,
        item.anti_stereotype_id,
        item.unrelated_id,
    ];
    let mut made = Item::new(format!("stereoset:{}", item.id), item.stereotype)
        .with_label(ANTI, item.anti_stereotype)
        .with_label(UNRELATED, item.unrelated)
        .with_label(TARGET, item.target)
        .with_label(CONTEXT, item.context)
        .with_label(super::benchmark::BIAS_TYPE, item.bias_type);
    for (name, id) in IDS.into_iter().zip(ids) {
        made = made.with_label(name, id);
    }
    made
}

fn from_official(file: &TextFile, item: OfficialItem) -> Result<Item, InputError> {
    let mut by_label: BTreeMap<String, OfficialSentence> = BTreeMap::new();
    for sentence in item.sentences {
        by_label.insert(sentence.gold_label.clone(), sentence);
    }
    let mut sentence = |label: &str| {
        by_label.remove(label).ok_or_else(|| {
            let message = format!("item {} has no sentence with gold label `{label}`", item.id);
            InputError::new(&file.path, message)
        })
    };
    let (stereotype, anti) = (sentence("stereotype")?, sentence("anti-stereotype")?);
    let unrelated = sentence("unrelated")?;
    Ok(from_flat(FlatItem {
        id: item.id,
        target: item.target,
        bias_type: item.bias_type,
        context: item.context,
        stereotype: stereotype.sentence,
        anti_stereotype: anti.sentence,
        unrelated: unrelated.sentence,
        stereotype_id: stereotype.id,
        anti_stereotype_id: anti.id,
        unrelated_id: unrelated.id,
    }))
}

/// The word that fills BLANK in a sentence, as the official script finds it: the word in BLANK's place,
/// its punctuation taken off. Sentences differ from their contexts elsewhere too, in capitals.
pub fn filler(context: &str, sentence: &str) -> Option<String> {
    let place = context
        .split(' ')
        .enumerate()
        .filter(|(_, word)| word.contains("BLANK"))
        .last()?
        .0;
    let word = sentence.split(' ').nth(place)?;
    let bare: String = word
        .chars()
        .filter(|letter| !letter.is_ascii_punctuation())
        .collect();
    (!bare.is_empty()).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_official_layout_is_read() {
        let text = r#"{
          "version": "1.1",
          "data": {"intersentence": [], "intrasentence": [{"id": "i", "target": "t", "bias_type": "gender",
            "context": "A BLANK t.", "sentences": [
              {"id": "u", "sentence": "A blue t.", "gold_label": "unrelated"},
              {"id": "s", "sentence": "A kind t.", "gold_label": "stereotype"},
              {"id": "a", "sentence": "A mean t.", "gold_label": "anti-stereotype"}]}]}}"#;
        let file = |text: &str| TextFile {
            path: "dev.json".to_owned(),
            name: "dev.json".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        };
        let items = read_stereoset(&file(text)).unwrap();
        assert_eq!(items[0].text, "A kind t.");
        assert_eq!(items[0].label(ANTI), Some("A mean t."));
        assert_eq!(
            IDS.map(|name| items[0].label(name).unwrap()),
            ["s", "a", "u"]
        );
        let broken = text.replace("\"unrelated\"", "\"other\"");
        let error = read_stereoset(&file(&broken)).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("no sentence with gold label `unrelated`")
        );
        assert_eq!(
            read_stereoset(&file("{\"id\": 1}\n")).unwrap_err().line,
            Some(1)
        );
    }

    #[test]
    fn the_filler_is_what_stands_for_blank() {
        for (context, sentence, word) in [
            ("A BLANK day.", "A sunny day.", Some("sunny")),
            ("BLANK is here.", "Rain is here.", Some("Rain")),
            ("the day I was BLANK.", "The day i was late.", Some("late")),
            ("They BLANKed him.", "They helped him.", Some("helped")),
            ("A day BLANK", "A day", None),
            ("A day.", "A day.", None),
        ] {
            assert_eq!(filler(context, sentence).as_deref(), word, "{context}");
        }
    }
}
