//! Which rows are meant: a system, a unit or a group, by name or by pattern.

use epicene_core::Row;

#[derive(Debug, Clone, PartialEq)]
pub struct Selector {
    /// `None`: whichever of the three has it.
    part: Option<RowField>,
    pattern: String,
}

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowField {
    System,
    Unit,
    Group,
}

impl RowField {
    pub const ALL: [RowField; 3] = [RowField::System, RowField::Unit, RowField::Group];

    pub fn of(self, row: &Row) -> &str {
        match self {
            RowField::System => &row.system,
            RowField::Unit => &row.unit,
            RowField::Group => &row.group,
        }
    }
}

impl Selector {
    /// `lang:*`, `unit=lang:sk`; of a quoted one only the pattern is in quotes.
    pub fn new(text: &str) -> Selector {
        let named = [
            ("system=", RowField::System),
            ("unit=", RowField::Unit),
            ("group=", RowField::Group),
        ];
        let found = named
            .into_iter()
            .find_map(|(name, part)| Some((part, text.strip_prefix(name)?)));
        Selector {
            part: found.map(|(part, _)| part),
            pattern: found.map_or(text, |(_, pattern)| pattern).to_owned(),
        }
    }

    pub fn is_whole(&self) -> bool {
        self.part.is_none() && self.pattern == "all"
    }

    /// The parts of a row that this names.
    pub fn parts(&self, row: &Row) -> Vec<RowField> {
        let wanted = |part: &RowField| self.part.is_none_or(|own| own == *part);
        RowField::ALL
            .into_iter()
            .filter(|part| wanted(part) && matches(&self.pattern, part.of(row)))
            .collect()
    }

    pub fn text(&self) -> String {
        match self.part {
            None => self.pattern.clone(),
            Some(part) => format!("{}={}", format!("{part:?}").to_lowercase(), self.pattern),
        }
    }
}

/// `*` stands for any letters, `?` for one.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Where the last star stood, and how much of the text it took.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(letter) if *letter == '?' || *letter == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match &mut star {
                Some((place, taken)) => {
                    *taken += 1;
                    (p, t) = (*place + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|letter| *letter == '*')
}
