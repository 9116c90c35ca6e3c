//! `copy:` gives every sentence back as it is: a control. No translation of it shows a gender, so a
//! benchmark that finds one in it is mistaken.

use epicene_core::{ModelKind, SystemCard};

use crate::kind::{Form, Kind, no_place};
use crate::{Direction, Limits, MtError, Translated, Translator};

pub(crate) const KIND: Kind = Kind {
    names: &["copy"],
    options: &[],
    forms: &[Form {
        form: "copy:",
        about: "gives the sentence back: a control",
        needs: "",
        price: None,
    }],
    check: no_place,
    open: |_, _| Ok(Box::new(Copy::new())),
};

struct Copy {
    card: SystemCard,
}

impl Copy {
    fn new() -> Copy {
        Copy {
            card: SystemCard {
                name: "copy".to_owned(),
                source: "copy:".to_owned(),
                revision: None,
                dtype: None,
                tokenizer: None,
                kind: ModelKind::Translator,
            },
        }
    }
}

impl Translator for Copy {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn limits(&self) -> Limits {
        Limits {
            texts: 256,
            characters: usize::MAX,
            bytes: usize::MAX,
            requests: 1,
        }
    }

    fn is_cached(&self) -> bool {
        false
    }

    fn translate(&self, batch: &[&str], _: Direction<'_>) -> Result<Vec<Translated>, MtError> {
        let copy = |text: &&str| Translated::Text((*text).to_owned());
        Ok(batch.iter().map(copy).collect())
    }
}
