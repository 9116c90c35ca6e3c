//! What the labels of a sentence say (specification, section 3), and how the authors' views group
//! them (section 6).

use epicene_lang::Gender;

/// The answer column: which gender is right.
pub fn expected(answer: &str) -> Option<Gender> {
    match answer {
        "_EXP_M_" => Some(Gender::Masculine),
        "_EXP_F_" => Some(Gender::Feminine),
        _ => None,
    }
}

/// The gender a label ends in.
fn gendered(label: &str, stem: &str) -> Option<Gender> {
    match label.strip_prefix(stem)? {
        "M_" => Some(Gender::Masculine),
        "F_" => Some(Gender::Feminine),
        _ => None,
    }
}

/// Where the occupation stands relative to the trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    Before,
    Middle,
    After,
}

/// The labels of one kind of sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureSet {
    /// As in the data, in its order.
    pub raw: Vec<String>,
    /// Stereotype of the occupation; nonce words have none.
    pub occupation: Option<Gender>,
    pub adjective: Option<Gender>,
    pub verb: Option<Gender>,
    /// The adjective modifies the occupation.
    pub on_occupation: bool,
    pub position: Option<Position>,
}

impl FeatureSet {
    pub fn parse(features: &str) -> FeatureSet {
        let raw: Vec<String> = features.split_whitespace().map(str::to_owned).collect();
        let find = |stem: &str| raw.iter().find_map(|label| gendered(label, stem));
        let has = |wanted: &str| raw.iter().any(|label| label == wanted);
        let position = [
            ("_OCC_BEFORE_", Position::Before),
            ("_OCC_MIDDLE_", Position::Middle),
            ("_OCC_AFTER_", Position::After),
        ];
        FeatureSet {
            occupation: find("_OCC_NO_"),
            adjective: find("_CONTEXT_A_"),
            verb: find("_CONTEXT_V_"),
            on_occupation: has("_CONTEXT_NPO_A_"),
            position: position
                .into_iter()
                .find(|(label, _)| has(label))
                .map(|(_, position)| position),
            raw,
        }
    }
}

/// Trigger and stereotype of the occupation: MM and FF agree, MF and FM do not.
pub fn configuration(trigger: Gender, occupation: Gender) -> &'static str {
    match (trigger, occupation) {
        (Gender::Masculine, Gender::Masculine) => "MM",
        (Gender::Masculine, Gender::Feminine) => "MF",
        (Gender::Feminine, Gender::Masculine) => "FM",
        (Gender::Feminine, Gender::Feminine) => "FF",
    }
}

/// The authors' ways of grouping sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grouping {
    Simple,
    BeforeAfter,
    ContextA,
    ContextV,
    ContextAv,
    ContextNpoA,
    Generic,
}

impl Grouping {
    pub const ALL: [Grouping; 7] = [
        Grouping::BeforeAfter,
        Grouping::ContextA,
        Grouping::ContextAv,
        Grouping::ContextV,
        Grouping::ContextNpoA,
        Grouping::Generic,
        Grouping::Simple,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Grouping::Simple => "simple",
            Grouping::BeforeAfter => "before_after",
            Grouping::ContextA => "context_A",
            Grouping::ContextV => "context_V",
            Grouping::ContextAv => "context_AV",
            Grouping::ContextNpoA => "context_npo_A",
            Grouping::Generic => "generic",
        }
    }

    /// The distinct keys of a sentence in alphabetical order; `generic` keeps all labels as they are.
    pub fn keys(self, features: &FeatureSet) -> Vec<String> {
        let mut keys: Vec<String> = match self {
            Grouping::Generic => features.raw.clone(),
            _ => features
                .raw
                .iter()
                .filter_map(|label| self.key(label))
                .map(str::to_owned)
                .collect(),
        };
        keys.sort_unstable();
        if self != Grouping::Generic {
            keys.dedup();
        }
        keys
    }

    fn key(self, label: &str) -> Option<&str> {
        let adjectives = matches!(self, Grouping::ContextA | Grouping::ContextNpoA);
        match label {
            "_CLUE_NR_M_" | "_CLUE_Pr_M_" => Some("CLUE_M"),
            "_CLUE_NR_F_" | "_CLUE_Pr_F_" => Some("CLUE_F"),
            "_OCC_NO_M_" => Some("OCC_M"),
            "_OCC_NO_F_" => Some("OCC_F"),
            "_OCC_BEFORE_" if self == Grouping::BeforeAfter => Some("BEFORE"),
            "_OCC_AFTER_" if self == Grouping::BeforeAfter => Some("AFTER"),
            "_OCC_MIDDLE_" if self == Grouping::BeforeAfter => Some("MIDDLE"),
            "_CONTEXT_A_M_" | "_CONTEXT_V_M_" if self == Grouping::ContextAv => Some("CONTEXT_M"),
            "_CONTEXT_A_F_" | "_CONTEXT_V_F_" if self == Grouping::ContextAv => Some("CONTEXT_F"),
            "_CONTEXT_A_M_" if adjectives => Some("CONTEXT_A_M"),
            "_CONTEXT_A_F_" if adjectives => Some("CONTEXT_A_F"),
            "_CONTEXT_V_M_" if self == Grouping::ContextV => Some("CONTEXT_V_M"),
            "_CONTEXT_V_F_" if self == Grouping::ContextV => Some("CONTEXT_V_F"),
            "_CONTEXT_NPO_A_" if self == Grouping::ContextNpoA => Some("CONTEXT_NPO_A"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_paper() {
        let features = FeatureSet::parse("_OCC_NO_F_ _CONTEXT_A_F_ _CLUE_NR_M_ _OCC_BEFORE_");
        assert_eq!(features.occupation, Some(Gender::Feminine));
        assert_eq!(features.position, Some(Position::Before));
        for (grouping, keys) in [
            (Grouping::Simple, "CLUE_M OCC_F"),
            (Grouping::BeforeAfter, "BEFORE CLUE_M OCC_F"),
            (Grouping::ContextA, "CLUE_M CONTEXT_A_F OCC_F"),
            (Grouping::ContextV, "CLUE_M OCC_F"),
            (Grouping::ContextAv, "CLUE_M CONTEXT_F OCC_F"),
            (
                Grouping::Generic,
                "_CLUE_NR_M_ _CONTEXT_A_F_ _OCC_BEFORE_ _OCC_NO_F_",
            ),
        ] {
            assert_eq!(
                grouping.keys(&features).join(" "),
                keys,
                "{}",
                grouping.name()
            );
        }
    }
}
