//! A run's log as a table: items down, one column for each system and unit.

use std::collections::BTreeMap;

use crate::{Answer, Item, Labels, Scorer, SystemCard, Unit};

/// The items of a run, packed: Unambiguous XL has 1.8 million of them. Texts stand in one buffer, labels that many
/// items share are kept once.
#[derive(Debug, Default)]
pub struct Items {
    /// Ids and texts in turn.
    texts: String,
    /// Where the id of each item ends, and where its text does.
    ends: Vec<[u64; 2]>,
    labels: Vec<u32>,
    known: Vec<Labels>,
    places: BTreeMap<Labels, u32>,
}

/// One item of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemRef<'a> {
    pub id: &'a str,
    pub text: &'a str,
    pub labels: &'a Labels,
}

/// What one system answered in one unit, item by item; `None` where nothing was answered.
#[derive(Debug)]
pub struct Column {
    /// Index into the table's systems.
    pub system: usize,
    pub unit: Unit,
    pub scorer: Scorer,
    pub answers: Vec<Option<Answer>>,
}

#[derive(Debug)]
pub struct AnswerTable {
    pub items: Items,
    pub systems: Vec<SystemCard>,
    pub columns: Vec<Column>,
}

impl Items {
    pub fn push(&mut self, item: &Item) {
        self.texts += &item.id;
        let id = self.texts.len() as u64;
        self.texts += &item.text;
        self.ends.push([id, self.texts.len() as u64]);
        let place = match self.places.get(&item.labels) {
            Some(place) => *place,
            None => {
                let place =
                    u32::try_from(self.known.len()).expect("there are fewer items than 2^32");
                self.known.push(item.labels.clone());
                self.places.insert(item.labels.clone(), place);
                place
            }
        };
        self.labels.push(place);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn get(&self, index: usize) -> ItemRef<'_> {
        let start = match index {
            0 => 0,
            _ => self.ends[index - 1][1] as usize,
        };
        let [id, text] = self.ends[index].map(|end| end as usize);
        ItemRef {
            id: &self.texts[start..id],
            text: &self.texts[id..text],
            labels: &self.known[self.labels[index] as usize],
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = ItemRef<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The first place where others are not the same: another id, text or label, or an end.
    pub fn first_difference(&self, others: &Items) -> Option<usize> {
        let (ours, theirs) = (self.len(), others.len());
        let differs = |index: &usize| self.get(*index) != others.get(*index);
        let found = (0..ours.min(theirs)).find(differs);
        found.or((ours != theirs).then_some(ours.min(theirs)))
    }
}

impl<'a> FromIterator<&'a Item> for Items {
    fn from_iter<I: IntoIterator<Item = &'a Item>>(items: I) -> Items {
        let mut packed = Items::default();
        for item in items {
            packed.push(item);
        }
        packed
    }
}

impl<'a> ItemRef<'a> {
    pub fn label(&self, name: &str) -> Option<&'a str> {
        self.labels.get(name)
    }

    /// The item by itself.
    pub fn to_item(&self) -> Item {
        Item {
            id: self.id.to_owned(),
            text: self.text.to_owned(),
            labels: self.labels.clone(),
        }
    }
}

impl Column {
    pub fn is_answered(&self) -> bool {
        self.answers.iter().any(Option::is_some)
    }
}

impl AnswerTable {
    /// A table without answers; columns are (system, unit, scorer).
    pub fn new(
        items: Items,
        systems: Vec<SystemCard>,
        columns: impl IntoIterator<Item = (usize, Unit, Scorer)>,
    ) -> AnswerTable {
        let column = |(system, unit, scorer)| Column {
            system,
            unit,
            scorer,
            answers: vec![None; items.len()],
        };
        let columns = columns.into_iter().map(column).collect();
        AnswerTable {
            items,
            systems,
            columns,
        }
    }

    pub fn put(&mut self, item: usize, column: usize, answer: Answer) {
        self.columns[column].answers[item] = Some(answer);
    }

    /// The system that answered a column.
    pub fn system(&self, column: &Column) -> &SystemCard {
        &self.systems[column.system]
    }

    /// How many answers there are, of how many questions.
    pub fn answered(&self) -> (u64, u64) {
        let answers = self.columns.iter().flat_map(|column| &column.answers);
        let questions = self.items.len() * self.columns.len();
        (answers.flatten().count() as u64, questions as u64)
    }

    /// Some of the items, and of their answers those that are wanted (by column and item).
    pub fn part(&self, items: &[usize], is_wanted: impl Fn(usize, usize) -> bool) -> AnswerTable {
        let mut packed = Items::default();
        for item in items {
            packed.push(&self.items.get(*item).to_item());
        }
        let columns = self.columns.iter().enumerate().map(|(place, column)| {
            let answer = |item: &usize| match &column.answers[*item] {
                Some(answer) if is_wanted(place, *item) => Some(answer.clone()),
                _ => None,
            };
            Column {
                unit: column.unit.clone(),
                answers: items.iter().map(answer).collect(),
                ..*column
            }
        });
        AnswerTable {
            items: packed,
            systems: self.systems.clone(),
            columns: columns.collect(),
        }
    }

    /// Puts the systems and answers of another table of the same items beside these.
    pub fn join(&mut self, other: AnswerTable) {
        let shift = self.systems.len();
        self.systems.extend(other.systems);
        self.columns
            .extend(other.columns.into_iter().map(|column| Column {
                system: column.system + shift,
                ..column
            }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_items_come_back() {
        let items = [
            Item::new("a:1", "žltý").with_label("x", "1"),
            Item::new("a:2", "").with_label("x", "1"),
            Item::new("", "text"),
        ];
        let packed: Items = items.iter().collect();
        assert_eq!(packed.len(), 3);
        for (index, item) in items.iter().enumerate() {
            assert_eq!(packed.get(index).to_item(), *item);
        }
        assert_eq!(packed.get(0).label("x"), Some("1"));
        assert_eq!(packed.known.len(), 2);
    }

    #[test]
    fn items_differ_by_id_text_label_order_and_number() {
        let of = |items: &[Item]| items.iter().collect::<Items>();
        let [a, b] = [Item::new("a", "x"), Item::new("b", "y")];
        let ours = of(&[a.clone(), b.clone()]);
        for (theirs, place) in [
            (vec![a.clone(), b.clone()], None),
            (vec![b.clone(), a.clone()], Some(0)),
            (vec![a.clone()], Some(1)),
            (vec![a.clone(), b.clone(), a.clone()], Some(2)),
            (vec![a.clone(), Item::new("b", "z")], Some(1)),
            (vec![a.clone().with_label("l", "1"), b.clone()], Some(0)),
        ] {
            assert_eq!(ours.first_difference(&of(&theirs)), place, "{theirs:?}");
        }
    }

    #[test]
    fn an_answer_is_small() {
        assert!(
            size_of::<Option<Answer>>() <= 32,
            "{}",
            size_of::<Option<Answer>>()
        );
    }
}
