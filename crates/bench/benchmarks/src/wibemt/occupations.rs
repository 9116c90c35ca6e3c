//! The occupations of WiBeMT with their thirds, published scores and shares of women (Table 1).

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// The feminine, neutral or masculine third of the occupations; also the class of a verb or an adjective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Feminine,
    Neutral,
    Masculine,
}

impl Class {
    /// The letter ids and groups use.
    pub fn letter(self) -> char {
        match self {
            Class::Feminine => 'F',
            Class::Neutral => 'N',
            Class::Masculine => 'M',
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Class {
    type Err = ();

    fn from_str(letter: &str) -> Result<Class, ()> {
        match letter {
            "F" => Ok(Class::Feminine),
            "N" => Ok(Class::Neutral),
            "M" => Ok(Class::Masculine),
            _ => Err(()),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Occupation {
    pub name: &'static str,
    /// "construction worker" has no score; the paper counts it as masculine.
    pub class: Class,
    /// Place within its third, from 1; `None` where it has no score.
    pub rank: Option<u32>,
    /// The paper's gender score, positive for masculine.
    pub score: Option<f64>,
    /// Whether it is one of WinoBias' forty.
    pub winobias: bool,
    /// Share of women among those who hold it, in percent.
    pub percent_women: Option<f64>,
}

static ALL: LazyLock<Vec<Occupation>> = LazyLock::new(|| {
    let table = include_str!("../../data/wibemt/occupations.tsv").lines();
    let rows = table.filter(|line| !line.starts_with('#')).skip(1);
    rows.filter_map(|line| {
        let cells: Vec<&'static str> = line.split('\t').collect();
        let [class, rank, name, winobias, score, percent, ..] = cells.as_slice() else {
            return None;
        };
        Some(Occupation {
            name,
            class: match *class {
                "" => Class::Masculine,
                letter => letter.parse().expect("classes of the list are F, N and M"),
            },
            rank: rank.parse().ok(),
            score: score.parse().ok(),
            winobias: *winobias == "1",
            percent_women: percent.parse().ok(),
        })
    })
    .collect()
});

/// All hundred, the scored ones by ascending score.
pub fn all() -> &'static [Occupation] {
    &ALL
}

/// The 99 that have a score, most feminine first.
pub fn scored() -> impl Iterator<Item = &'static Occupation> {
    ALL.iter().filter(|occupation| occupation.score.is_some())
}

pub fn find(name: &str) -> Option<&'static Occupation> {
    ALL.iter().find(|occupation| occupation.name == name)
}

/// An occupation whose name is given in lower case: "ceo" is CEO.
pub(crate) fn find_any_case(name: &str) -> Option<&'static Occupation> {
    ALL.iter()
        .find(|occupation| occupation.name.to_lowercase() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use epicene_stats::{pearson, spearman};

    #[test]
    fn thirds_have_33_each_in_ascending_order() {
        assert_eq!(all().len(), 100);
        let scored: Vec<_> = scored().collect();
        assert_eq!(scored.len(), 99);
        assert!(scored.is_sorted_by(|a, b| a.score <= b.score));
        let thirds = [Class::Feminine, Class::Neutral, Class::Masculine];
        for (third, class) in scored.chunks(33).zip(thirds) {
            for (index, occupation) in third.iter().enumerate() {
                assert_eq!(occupation.class, class);
                assert_eq!(occupation.rank, Some(index as u32 + 1));
            }
        }
    }

    /// Specification, A1: r = -0.8091, rho = -0.8316 over 66 occupations.
    #[test]
    fn published_scores_go_with_the_share_of_women() {
        let (scores, shares): (Vec<f64>, Vec<f64>) = all()
            .iter()
            .filter_map(|occupation| occupation.score.zip(occupation.percent_women))
            .unzip();
        assert_eq!(scores.len(), 66);
        assert!((pearson(&scores, &shares).unwrap().r - -0.8091).abs() < 5e-5);
        assert!((spearman(&scores, &shares).unwrap().r - -0.8316).abs() < 5e-5);
    }
}
