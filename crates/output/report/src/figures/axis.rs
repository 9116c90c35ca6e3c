//! Scales: from a number to a place on the page, with ticks at round numbers.

pub use crate::number::tick_label;

/// One direction of a plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    pub low: f64,
    pub high: f64,
    pub logarithmic: bool,
    /// Pixels of the two ends; `to` may lie before `from`.
    pub from: f64,
    pub to: f64,
}

impl Axis {
    /// An axis over all the values with a little room at both ends.
    pub fn over(values: impl IntoIterator<Item = f64>, logarithmic: bool) -> Axis {
        let usable = |value: &f64| value.is_finite() && (!logarithmic || *value > 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(usable) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = if logarithmic { (0.5, 2.0) } else { (0.0, 1.0) };
        }
        let axis = Axis {
            low,
            high,
            logarithmic,
            from: 0.0,
            to: 1.0,
        };
        let (first, last) = (axis.inner(low), axis.inner(high));
        let room = match last - first {
            span if span > 1e-9 => span * 0.05,
            _ if logarithmic => 0.1,
            _ => 0.05_f64.max(first.abs() * 0.05),
        };
        Axis {
            low: axis.outer(first - room),
            high: axis.outer(last + room),
            ..axis
        }
    }

    pub fn between(low: f64, high: f64) -> Axis {
        Axis {
            low,
            high,
            logarithmic: false,
            from: 0.0,
            to: 1.0,
        }
    }

    pub fn on_page(self, from: f64, to: f64) -> Axis {
        Axis { from, to, ..self }
    }

    fn inner(&self, value: f64) -> f64 {
        if self.logarithmic {
            value.max(f64::MIN_POSITIVE).ln()
        } else {
            value
        }
    }

    fn outer(&self, value: f64) -> f64 {
        if self.logarithmic { value.exp() } else { value }
    }

    /// The pixel of a value; values beyond an end stay at that end.
    pub fn at(&self, value: f64) -> f64 {
        let (low, high) = (self.inner(self.low), self.inner(self.high));
        let share = (self.inner(value) - low) / (high - low);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    pub fn holds(&self, value: f64) -> bool {
        value >= self.low && value <= self.high
    }

    /// Round numbers within the ends, about `wanted` of them; two at least, or a reader cannot tell the scale.
    pub fn ticks(&self, wanted: usize) -> Vec<f64> {
        if self.logarithmic && self.high / self.low > 8.0 {
            return self.decades();
        }
        let round = |wanted: usize| -> Vec<f64> {
            let step = nice((self.high - self.low) / wanted as f64);
            let first = (self.low / step).ceil() as i64;
            let last = (self.high / step).floor() as i64;
            (first..=last).map(|n| n as f64 * step).collect()
        };
        let wanted = wanted.max(1);
        let mut tries = (wanted..wanted + 10).map(round);
        tries.find(|ticks| ticks.len() > 1).unwrap_or_default()
    }

    fn decades(&self) -> Vec<f64> {
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        // 1, 2, 5 while there is room for them, powers of ten alone beyond.
        let within: &[f64] = if self.high / self.low < 1e3 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        (first..=last)
            .flat_map(|power| within.iter().map(move |digit| digit * 10f64.powi(power)))
            .filter(|value| self.holds(*value))
            .collect()
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is at least this much.
fn nice(step: f64) -> f64 {
    if step <= 0.0 || !step.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(step.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|digit| digit * power >= step * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let axis = Axis::between(0.0, 1.0);
        assert_eq!(axis.ticks(5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        let labels: Vec<String> = axis.ticks(5).into_iter().map(tick_label).collect();
        assert_eq!(labels, ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        let wide = Axis::over([0.05, 20.0], true);
        assert_eq!(
            wide.ticks(6),
            [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]
        );
        assert_eq!(Axis::over([0.62, 1.43], true).ticks(3).len(), 5);
        assert_eq!(tick_label(-0.5), "−0.5");
        assert_eq!(tick_label(7e9), "7 B");
    }

    #[test]
    fn nothing_to_show_or_one_value_still_makes_an_axis() {
        for axis in [
            Axis::over([], false),
            Axis::over([], true),
            Axis::over([1.0], true),
            Axis::over([0.0], false),
            Axis::over([f64::NAN, -1.0], true),
        ] {
            assert!(axis.low < axis.high, "{axis:?}");
            assert!(axis.at(axis.low).is_finite());
        }
    }
}
