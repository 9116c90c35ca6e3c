//! What a command may choose.

use crate::options::{Choice, Spec, Stage, Values, switch};

pub static INCLUDE_MARKED: Choice<bool> = Choice {
    spec: Spec {
        name: "include-marked",
        values: Values::Switch,
        default: None,
        help: "Include occupations whose word names a gender itself (Estonian and Armenian \"nurse\")",
        heading: "Into English",
        stage: Stage::Data,
    },
    read: switch,
};
