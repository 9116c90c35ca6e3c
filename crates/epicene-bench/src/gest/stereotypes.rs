//! The sixteen stereotypes (GEST, section 3): 1–7 are held about women, 8–16 about men.

use std::sync::LazyLock;

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
pub fn is_male(id: u8) -> bool {
    id >= FIRST_MALE
}

/// The row group of a stereotype: `stereotype:7`.
pub fn group(id: u8) -> String {
    format!("stereotype:{id}")
}

/// The stereotype a row group is about.
pub fn of_group(group: &str) -> Option<u8> {
    group.strip_prefix("stereotype:")?.parse().ok()
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
