//! GEST's own choices.

use epicene_lang::first_person::{Mode, Nouns};

pub(crate) use crate::convention::{CONVENTION, Convention};
use crate::options::{
    Choice, ESTIMATE, Intervals, Needs, Options, Published, Spec, Stage, Values, required,
};

/// GEST's own intervals are of two kinds.
pub static INTERVAL: Choice<Intervals> = Choice {
    spec: Spec {
        values: Values::OneOf(&["clustered", "published", "limit", "resampled"]),
        ..crate::options::INTERVAL.spec
    },
    read: required,
};

pub static DETECTOR: Choice<Mode> = Choice {
    spec: Spec {
        name: "detector",
        values: Values::OneOf(&["epicene", "published", "extended"]),
        default: Some("epicene"),
        help: "What shows the gender of \"I\" in a translation: epicene (only what certainly speaks of the speaker), published (the paper's rules, for comparison with its numbers) or extended",
        heading: "Detector",
        stage: Stage::verdicts(&["judge"]).needing(Needs::Translations),
    },
    read: read_mode,
};

pub(crate) static NOUNS: Choice<Nouns> = Choice {
    spec: Spec {
        name: "nouns",
        values: Values::OneOf(&["listed", "lexicon", "off"]),
        default: Some("listed"),
        help: "Which nouns for \"I\" count for epicene's detector (\"I am a teacher\"): listed (those of the language's rules), lexicon (all that the lexicon of persons knows) or off",
        heading: "Detector",
        stage: Stage::verdicts(&["nouns"]).needing(Needs::Translations),
    },
    read: required,
};

fn read_mode(given: Option<&str>) -> Result<Mode, String> {
    match given.expect("the option has a default") {
        "epicene" => Ok(Mode::Strict),
        "published" => Ok(Mode::Published),
        "extended" => Ok(Mode::Extended),
        other => Err(format!("`{other}` is none of epicene, published, extended")),
    }
}

/// As the signature spells it.
pub(crate) fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Published => "published",
        Mode::Extended => "extended",
        Mode::Strict => "strict",
    }
}

/// As a signature names that equal numbers have their ranks as in the published box plots.
pub fn signed_estimate(options: &Options) -> Option<(&'static str, String)> {
    let published = !options.get(&ESTIMATE).is_plain();
    published.then(|| (ESTIMATE.spec.name, "published".to_owned()))
}

/// As the signature names it, with the number of resamples.
pub fn signed(published: Published, replicates: usize) -> String {
    match published {
        Published::Limit => format!("bootstrap-normal-limit-{replicates}"),
        Published::Resampled => format!("bootstrap-normal-{replicates}"),
    }
}
