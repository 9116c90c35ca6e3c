//! A way of asking: the unit and how its answers are scored.

use serde::{Deserialize, Serialize};

use crate::{Scorer, Unit};

/// A way of asking, e.g. `template:3` with masked pairs. Manifests hold it as `[unit, scorer]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "(Unit, Scorer)", into = "(Unit, Scorer)")]
pub struct Ask {
    pub unit: Unit,
    pub scorer: Scorer,
    /// Asked only where the command says so. No part of what is asked: a run that was asked is the same either way.
    pub on_request: bool,
}

impl Ask {
    pub fn new(unit: Unit, scorer: Scorer) -> Ask {
        Ask {
            unit,
            scorer,
            on_request: false,
        }
    }
}

impl PartialEq for Ask {
    fn eq(&self, other: &Ask) -> bool {
        (&self.unit, self.scorer) == (&other.unit, other.scorer)
    }
}

impl Eq for Ask {}

impl From<(Unit, Scorer)> for Ask {
    fn from((unit, scorer): (Unit, Scorer)) -> Ask {
        Ask::new(unit, scorer)
    }
}

impl From<Ask> for (Unit, Scorer) {
    fn from(ask: Ask) -> (Unit, Scorer) {
        (ask.unit, ask.scorer)
    }
}
