//! The sixteen stereotypes (GEST, section 3): 1–7 are held about women, 8–16 about men. Measures read them from a [`Set`], which may
//! be somebody's own.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};

use epicene_core::Items;

use super::data::{ABOUT, STEREOTYPE};
use crate::BenchError;

/// How many there are; ids run from 1 to this.
pub const COUNT: u8 = 16;

/// The first stereotype about men.
const FIRST_MALE: u8 = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stereotype {
    pub id: u8,
    /// `women` or `men`.
    pub about: &'static str,
    pub name: &'static str,
    pub label: &'static str,
    pub definition: &'static str,
}

/// Whether stereotype `id` is held about men.
pub(crate) fn is_male(id: u8) -> bool {
    id >= FIRST_MALE
}

/// The row group of a stereotype: `stereotype:7`.
pub fn group(id: u8) -> String {
    format!("stereotype:{id}")
}

/// The short label of a member of GEST's set, or the name of any other.
pub fn label(name: &str) -> &str {
    let known = all().iter().find(|known| known.id.to_string() == name);
    known.map_or(name, |known| known.label)
}

/// All of them, by id.
pub fn all() -> &'static [Stereotype] {
    static ALL: LazyLock<Vec<Stereotype>> = LazyLock::new(|| {
        include_str!("../../data/gest-stereotypes.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(parse)
            .collect()
    });
    &ALL
}

/// The stereotypes of a run: GEST's, or those of the user's own table. A member's number is its place, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set(Arc<[Member]>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Member {
    /// As row groups have it.
    name: String,
    male: bool,
}

impl Default for Set {
    fn default() -> Set {
        let member = |id: u8| Member {
            name: id.to_string(),
            male: is_male(id),
        };
        Set((1..=COUNT).map(member).collect())
    }
}

impl Set {
    /// The set that items belong to: items of a user's own set say whom each stereotype is about.
    pub fn of_items(items: &Items) -> Result<Set, BenchError> {
        if !items.iter().any(|item| item.label(ABOUT).is_some()) {
            return Ok(Set::default());
        }
        let mut members: Vec<Member> = Vec::new();
        let mut known: BTreeMap<&str, bool> = BTreeMap::new();
        for item in items.iter() {
            let bad = |message: &str| BenchError::BadItem {
                item: item.id.to_owned(),
                message: message.to_owned(),
            };
            let name = item.label(STEREOTYPE);
            let name = name.ok_or_else(|| bad("it has no stereotype"))?;
            let about = item.label(ABOUT);
            let male = about.ok_or_else(|| bad("it does not say whom it is about"))? == "men";
            match known.insert(name, male) {
                None => members.push(Member {
                    name: name.to_owned(),
                    male,
                }),
                Some(before) if before == male => {}
                Some(_) => return Err(bad("its stereotype is about women and about men")),
            }
        }
        if members.len() > usize::from(super::own_set::MOST) {
            return Err(BenchError::NotMeasurable("too many stereotypes".to_owned()));
        }
        // Women first, as in GEST.
        members.sort_by_key(|member| member.male);
        Ok(Set(members.into()))
    }

    pub fn numbers(&self) -> RangeInclusive<u8> {
        1..=u8::try_from(self.0.len()).expect("a set has fewer members than a byte has values")
    }

    /// The length of a list that is indexed by number; place 0 is nobody's.
    pub fn slots(&self) -> usize {
        self.0.len() + 1
    }

    pub fn number(&self, name: &str) -> Option<u8> {
        self.numbers().find(|number| self.name(*number) == name)
    }

    pub fn name(&self, number: u8) -> &str {
        &self.0[usize::from(number) - 1].name
    }

    /// Whether it is held about men.
    pub(crate) fn is_male(&self, number: u8) -> bool {
        self.0[usize::from(number) - 1].male
    }

    /// Those about men, or about women.
    pub(crate) fn pole(&self, male: bool) -> impl Iterator<Item = u8> + '_ {
        self.numbers()
            .filter(move |number| self.is_male(*number) == male)
    }

    /// The row group: `stereotype:7`.
    pub fn group(&self, number: u8) -> String {
        format!("stereotype:{}", self.name(number))
    }

    pub fn of_group(&self, group: &str) -> Option<u8> {
        self.number(group.strip_prefix("stereotype:")?)
    }
}

fn parse(line: &'static str) -> Option<Stereotype> {
    let mut cells = line.split('\t');
    Some(Stereotype {
        id: cells.next()?.parse().ok()?,
        about: cells.next()?,
        name: cells.next()?,
        label: cells.next()?,
        definition: cells.next()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_table_is_whole() {
        let ids: Vec<u8> = all().iter().map(|stereotype| stereotype.id).collect();
        assert_eq!(ids, (1..=COUNT).collect::<Vec<_>>());
        for stereotype in all() {
            let about = if is_male(stereotype.id) {
                "men"
            } else {
                "women"
            };
            assert_eq!(stereotype.about, about);
            assert!(!stereotype.definition.is_empty());
        }
    }
}
