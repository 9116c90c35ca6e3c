//! What a command may choose.

use std::str::FromStr;

use crate::options::{Choice, Spec, Stage, Values, required};

/// Part of the data. Twins of a passage fall on both sides, so all of it is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    All,
    Test,
    Validation,
}

impl FromStr for Split {
    type Err = String;

    fn from_str(given: &str) -> Result<Split, String> {
        match given {
            "all" => Ok(Split::All),
            "test" => Ok(Split::Test),
            "dev" | "validation" => Ok(Split::Validation),
            _ => Err(format!("`{given}` is none of all, test, dev")),
        }
    }
}

pub static SPLIT: Choice<Split> = Choice {
    spec: Spec {
        name: "split",
        values: Values::OneOf(&["test", "dev", "all"]),
        default: Some("all"),
        help: "Which part of the data",
        heading: "Data",
        stage: Stage::Data,
    },
    read: required,
};
