//! One question's worth of text, with the labels its benchmark needs to count it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text to score or to translate. Labels are the benchmark's own (`stereotype`, `occupation`…).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Unique within its data set and stable between editions, e.g. `gest:17`.
    pub id: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
}

/// Names with values, sorted by name; a JSON object. There are few to an item and millions of items, so
/// they are packed, and items that have the same may share them ([`SharedLabels`]).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Labels(Arc<Vec<(Box<str>, Box<str>)>>);

/// Labels that were met: items that have them again share them.
#[derive(Debug, Default)]
pub struct SharedLabels(BTreeSet<Labels>);

impl SharedLabels {
    pub fn share(&mut self, mut item: Item) -> Item {
        match self.0.get(&item.labels) {
            Some(known) => item.labels = known.clone(),
            None => {
                self.0.insert(item.labels.clone());
            }
        }
        item
    }
}

impl Labels {
    pub fn get(&self, name: &str) -> Option<&str> {
        let place = self.place(name).ok()?;
        Some(&self.0[place].1)
    }

    /// Adds a label, or gives it another value.
    pub fn insert(&mut self, name: &str, value: &str) {
        let place = self.place(name);
        let labels = Arc::make_mut(&mut self.0);
        match place {
            Ok(place) => labels[place].1 = value.into(),
            Err(place) => {
                labels.reserve_exact(1);
                labels.insert(place, (name.into(), value.into()));
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| (**other).cmp(name))
    }
}

impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Labels, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Labels;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of strings")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Labels, M::Error> {
                let mut labels = Vec::with_capacity(map.size_hint().unwrap_or(4));
                while let Some(label) = map.next_entry::<Box<str>, Box<str>>()? {
                    labels.push(label);
                }
                let ordered = |two: &[(Box<str>, Box<str>)]| two[0].0 < two[1].0;
                if labels.windows(2).all(ordered) {
                    return Ok(Labels(Arc::new(labels)));
                }
                let mut sorted = Labels::default();
                for (name, value) in labels {
                    sorted.insert(&name, &value);
                }
                Ok(sorted)
            }
        }

        deserializer.deserialize_map(Object)
    }
}

impl Item {
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Item {
        Item {
            id: id.into(),
            text: text.into(),
            labels: Labels::default(),
        }
    }

    pub fn with_label(mut self, name: &str, value: impl Into<String>) -> Item {
        self.labels.insert(name, &value.into());
        self
    }

    pub fn label(&self, name: &str) -> Option<&str> {
        self.labels.get(name)
    }
}
