//! The four labels of a German translation (WiBeMT, section 2.4).

use std::fmt;
use std::str::FromStr;

use epicene_core::Finding;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    Female,
    Male,
    /// One noun for everybody, or both genders named.
    Neutral,
    /// Mistranslated, plural, or not to be told.
    Wrong,
}

impl Label {
    pub const ALL: [Label; 4] = [Label::Female, Label::Male, Label::Neutral, Label::Wrong];

    /// What a verdict says; `None` where it is left to a person.
    pub fn of(finding: Finding) -> Option<Label> {
        match finding {
            Finding::Feminine => Some(Label::Female),
            Finding::Masculine => Some(Label::Male),
            Finding::Neuter | Finding::Common | Finding::Both | Finding::Inclusive => {
                Some(Label::Neutral)
            }
            Finding::Undecided => None,
            _ => Some(Label::Wrong),
        }
    }

    pub fn finding(self) -> Finding {
        match self {
            Label::Female => Finding::Feminine,
            Label::Male => Finding::Masculine,
            Label::Neutral => Finding::Common,
            Label::Wrong => Finding::Mistranslated,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Label::Female => "female",
            Label::Male => "male",
            Label::Neutral => "neutral",
            Label::Wrong => "wrong",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Label {
    type Err = ();

    fn from_str(name: &str) -> Result<Label, ()> {
        Label::ALL
            .into_iter()
            .find(|label| label.name() == name)
            .ok_or(())
    }
}
