//! The colours of a map's cells: by their distance from the ideal value, or from the least to the most where there is none.

use super::scene::{Ink, STEPS};
use crate::chart_data::Entry;

/// Which of the colours a number has.
pub struct Scale {
    pub ideal: Option<f64>,
    pub low: f64,
    pub high: f64,
}

impl Scale {
    pub fn over<'a>(entries: impl Iterator<Item = &'a Entry<'a>>) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut ideal = None;
        let mut reach: f64 = 0.0;
        for entry in entries.filter(|entry| entry.value.is_finite()) {
            low = low.min(entry.value);
            high = high.max(entry.value);
            ideal = ideal.or(entry.ideal);
            reach = reach.max(entry.ideal.map_or(0.0, |ideal| (entry.value - ideal).abs()));
        }
        match ideal {
            Some(middle) => Scale {
                ideal,
                low: middle - reach,
                high: middle + reach,
            },
            None => Scale { ideal, low, high },
        }
    }

    pub fn ink(&self, value: f64) -> Ink {
        let span = self.high - self.low;
        let share = if span > 0.0 {
            (value - self.low) / span
        } else {
            0.5
        };
        let half = f64::from(STEPS);
        let step = match self.ideal {
            Some(_) => ((share - 0.5) * 2.0 * half).round(),
            // Without an ideal there are no sides: from pale to full.
            None => (share * half).round(),
        };
        Ink::Step(step.clamp(-half, half) as i8)
    }
}
